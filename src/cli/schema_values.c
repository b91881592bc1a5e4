// SPDX-License-Identifier: Apache-2.0
// The kinds of values of a model file.
#include "cli/schema_keys.h"

#define COUNT(array)  ((int)(sizeof(array) / sizeof((array)[0])))
#define REF(name)     "{\"$ref\": \"#/definitions/" name "\"}"
#define LIST_OF(item) "{\"type\": \"array\", \"items\": " item "}"
#define ANY(a, b)     "{\"anyOf\": [" a ", " b "]}"
#define BY_NAME(item) "{\"type\": \"object\", \"additionalProperties\": " item "}"

const hf_cli_schema_type hf_cli_schema_types[] = {
    {"number", "{\"type\": [\"number\", \"string\"], \"description\": \"a number, a number with a "
               "unit (12 mm), or a formula of parameters\"}"},
    {"number-or-auto", REF("number")},
    {"numbers", ANY(REF("number"), LIST_OF(REF("number")))},
    {"pair-of-numbers", ANY(REF("number"), "{\"type\": \"array\", \"items\": " REF(
                                               "number") ", "
                                                         "\"minItems\": 2, \"maxItems\": 2}")},
    {"vec3",
     "{\"type\": \"array\", \"items\": " REF("number") ", \"minItems\": 3, \"maxItems\": 3}"},
    {"direction", ANY(REF("vec3"), "{\"const\": \"world\"}")},
    {"values", ANY(REF("number"), LIST_OF(REF("number")))},
    {"text", "{\"type\": [\"string\", \"number\"]}"},
    {"texts", ANY(REF("text"), LIST_OF(REF("text")))},
    {"rows", LIST_OF(LIST_OF(REF("number")))},
    {"rows-of-texts", LIST_OF(LIST_OF(REF("text")))},
    {"flag", "{\"type\": \"boolean\"}"},
    {"count", "{\"type\": [\"integer\", \"string\"], \"minimum\": 0}"},
    {"orientation",
     ANY("{\"type\": \"array\", \"items\": " REF("number") ", \"minItems\": 4, \"maxItems\": 4}",
         "{\"type\": \"object\", \"properties\": {\"axis\": " REF("vec3") ", \"angle\": " REF(
             "number") "}, \"required\": [\"axis\", \"angle\"], \"additionalProperties\": false}")},
    {"table",
     ANY(REF("rows"), ANY(REF("table-grid"), ANY(REF("table-points"), REF("table-file"))))},
    {"copies", ANY(REF("count"), REF("copies-map"))},
    {"states", BY_NAME(ANY(REF("texts"), REF("state-map")))},
    {"numbers-by-name", BY_NAME(REF("number"))},
    {"values-by-name", BY_NAME(REF("values"))},
    {"inertia", ANY("{\"type\": \"array\", \"items\": " REF("number") ", \"minItems\": 3, "
                                                                      "\"maxItems\": 6}",
                    REF("inertia-map"))},
    {"open", "{\"type\": \"object\"}"},
    {"ratio", BY_NAME(ANY(REF("numbers"), REF("ratio-term")))},
    {"path", LIST_OF(REF("path-part"))},
    {"side", ANY(REF("vec3"), REF("side-map"))},
    {"limits", ANY("{\"type\": \"array\", \"items\": " REF("number") ", \"minItems\": 2, "
                                                                     "\"maxItems\": 2}",
                   "{\"type\": \"object\"}")},
    {"shape", REF("shape-map")},
    {"shapes", ANY(LIST_OF(REF("shape-map")), BY_NAME(REF("shape-map")))},
    {"draw", ANY(REF("draw-map"), LIST_OF(REF("draw-map")))},
    {"level", ANY(REF("number"), REF("level-map"))},
    {"load", ANY(REF("values"), REF("load-map"))},
    {"efficiency", ANY(REF("pair-of-numbers"), REF("level-map"))},
    {"parameters", BY_NAME(ANY(REF("number"), REF("parameter-map")))},
    {"bodies", BY_NAME(REF("body"))},
    {"joints", BY_NAME(REF("joint"))},
    {"signals", BY_NAME(ANY(REF("number"), REF("signal-map")))},
    {"forces", LIST_OF(REF("force"))},
    {"loops", ANY(BY_NAME(REF("loop")), LIST_OF(REF("loop")))},
    {"materials", BY_NAME(REF("material"))},
    {"pairs", LIST_OF(REF("pair"))},
};
const int hf_cli_schema_type_count = COUNT(hf_cli_schema_types);
