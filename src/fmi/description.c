// SPDX-License-Identifier: Apache-2.0
// Writes modelDescription.xml, for FMI 2.0 and 3.0.
#include "fmi/description.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "fmi/units.h"

// ------------------------------------------------------------------------------------------------
// XML

static void put_escaped(FILE *file, const char *text)
{
    for (; *text != '\0'; ++text) {
        const char *written = *text == '&'                     ? "&amp;"
                              : *text == '<'                   ? "&lt;"
                              : *text == '>'                   ? "&gt;"
                              : *text == '"'                   ? "&quot;"
                              : *text == '\n' || *text == '\t' ? " "
                                                               : NULL;
        if (written != NULL) {
            (void)fputs(written, file);
        } else {
            (void)fputc(*text, file);
        }
    }
}

// key="text"; nothing for an empty text.
static void put_text(FILE *file, const char *key, const char *text)
{
    if (text[0] != '\0') {
        (void)fprintf(file, " %s=\"", key);
        put_escaped(file, text);
        (void)fputc('"', file);
    }
}

// key="number"; nothing for what is not finite.
static void put_number(FILE *file, const char *key, double value)
{
    char text[HF_NUMBER_SIZE];
    if (isfinite(value)) {
        (void)hf_number_format(value, text);
        put_text(file, key, text);
    }
}

// ------------------------------------------------------------------------------------------------
// Units

static void put_unit(FILE *file, const hf_fmu_unit *unit)
{
    static const char *const bases[HF_MEASURE_BASES] = {"kg", "m", "s", "rad"};
    (void)fputs("    <Unit", file);
    put_text(file, "name", unit->name);
    (void)fputs(">\n      <BaseUnit", file);
    for (int i = 0; i < HF_MEASURE_BASES; ++i) {
        if (unit->measure.power[i] != 0) {
            (void)fprintf(file, " %s=\"%d\"", bases[i], unit->measure.power[i]);
        }
    }
    (void)fputs("/>\n", file);
}

// Units by how they were written, each once; for the caller to free. NULL: out of memory.
static hf_fmu_unit *list_units(const hf_fmu_variables *v, int *count)
{
    const char **written = malloc((size_t)v->count * sizeof *written);
    hf_fmu_unit *units = malloc((size_t)v->count * sizeof *units);
    *count = 0;
    for (int i = 0; written != NULL && units != NULL && i < v->count; ++i) {
        int k = 0;
        while (k < *count && strcmp(written[k], v->items[i].unit) != 0) {
            ++k;
        }
        if (k == *count) {
            written[k] = v->items[i].unit;
            units[k] = hf_fmu_unit_of(v->items[i].unit);
            *count += 1;
        }
    }
    if (written == NULL) {
        free(units);
        units = NULL;
    }
    free((void *)written);
    return units;
}

// Every unit once, with all units in which values of it were written.
static bool put_units(FILE *file, const hf_fmu_variables *v)
{
    int count = 0;
    hf_fmu_unit *units = list_units(v, &count);
    (void)fputs("  <UnitDefinitions>\n", file);
    for (int i = 0; units != NULL && i < count; ++i) {
        // One that did not come before
        bool first = units[i].name[0] != '\0';
        for (int k = 0; k < i; ++k) {
            first = first && strcmp(units[k].name, units[i].name) != 0;
        }
        if (!first) {
            continue;
        }
        put_unit(file, &units[i]);
        // How values of it were written
        for (int k = i; k < count; ++k) {
            if (strcmp(units[k].name, units[i].name) == 0 && units[k].shown[0] != '\0') {
                (void)fputs("      <DisplayUnit", file);
                put_text(file, "name", units[k].shown);
                put_number(file, "factor", 1.0 / units[k].measure.factor);
                (void)fputs("/>\n", file);
            }
        }
        (void)fputs("    </Unit>\n", file);
    }
    (void)fputs("  </UnitDefinitions>\n", file);
    bool done = units != NULL;
    free(units);
    return done;
}

// ------------------------------------------------------------------------------------------------
// Variables

static const char *causality(const hf_fmu_variable *v)
{
    static const char *const names[] = {
        [HF_FMU_TIME] = "independent",    [HF_FMU_INPUT] = "input",
        [HF_FMU_PARAMETER] = "parameter", [HF_FMU_TUNABLE] = "parameter",
        [HF_FMU_OUTPUT] = "output",       [HF_FMU_CALCULATED] = "calculatedParameter",
        [HF_FMU_LOCAL] = "local"};
    return names[v->kind];
}

static const char *variability(const hf_fmu_variable *v)
{
    return v->kind == HF_FMU_PARAMETER                                 ? "fixed"
           : v->kind == HF_FMU_TUNABLE || v->kind == HF_FMU_CALCULATED ? "tunable"
           : v->discrete                                               ? "discrete"
                                                                       : "continuous";
}

static const char *initial(const hf_fmu_variable *v)
{
    return v->kind == HF_FMU_PARAMETER || v->kind == HF_FMU_TUNABLE ? "exact"
           : v->kind == HF_FMU_CALCULATED || hf_fmu_is_channel(v)   ? "calculated"
                                                                    : "";
}

// Unit, range and start.
static void put_type(FILE *file, const hf_fmu_variable *v)
{
    hf_fmu_unit unit = hf_fmu_unit_of(v->unit);
    bool given =
        v->kind == HF_FMU_INPUT || v->kind == HF_FMU_PARAMETER || v->kind == HF_FMU_TUNABLE;
    put_text(file, "unit", unit.name);
    put_text(file, "displayUnit", unit.shown);
    if (given) {
        bool inside = v->start >= v->low && v->start <= v->high; // as FMI requires
        put_number(file, "min", inside ? v->low : (double)NAN);
        put_number(file, "max", inside ? v->high : (double)NAN);
        put_number(file, "start", v->start);
    }
}

static void put_variable(FILE *file, const hf_fmu_variable *v, int reference, int version)
{
    (void)fputs(version == 2 ? "    <ScalarVariable" : "    <Float64", file);
    put_text(file, "name", v->name);
    (void)fprintf(file, " valueReference=\"%d\"", reference);
    put_text(file, "description", v->about);
    put_text(file, "causality", causality(v));
    put_text(file, "variability", variability(v));
    put_text(file, "initial", initial(v));
    if (version == 2) {
        (void)fputs("><Real", file);
        put_type(file, v);
        (void)fputs("/></ScalarVariable>\n", file);
    } else {
        put_type(file, v);
        (void)fputs("/>\n", file);
    }
}

// ------------------------------------------------------------------------------------------------
// What depends on what

// An output that no input changes at once says so; of the others everything must be assumed.
static void put_unknown(FILE *file, const char *element, int version, int reference, bool apart)
{
    (void)fprintf(file, "%s<%s %s=\"%d\"%s/>\n", version == 2 ? "      " : "    ", element,
                  version == 2 ? "index" : "valueReference",
                  version == 2 ? reference + 1 : reference, apart ? " dependencies=\"\"" : "");
}

static bool is_initial_unknown(const hf_fmu_variable *v)
{
    return v->kind == HF_FMU_OUTPUT || v->kind == HF_FMU_CALCULATED;
}

static void put_structure(FILE *file, const hf_fmu_variables *v, int version)
{
    int unknowns = 0;
    for (int i = 0; i < v->count; ++i) {
        unknowns += is_initial_unknown(&v->items[i]) ? 1 : 0;
    }
    // Outputs
    (void)fputs("  <ModelStructure>\n", file);
    if (version == 2 && v->output_count > 0) {
        (void)fputs("    <Outputs>\n", file);
    }
    for (int i = 0; i < v->count; ++i) {
        if (v->items[i].kind == HF_FMU_OUTPUT) {
            put_unknown(file, version == 2 ? "Unknown" : "Output", version, i, v->items[i].apart);
        }
    }
    if (version == 2 && v->output_count > 0) {
        (void)fputs("    </Outputs>\n", file);
    }
    // What is computed when the machine is initialized
    if (version == 2 && unknowns > 0) {
        (void)fputs("    <InitialUnknowns>\n", file);
    }
    for (int i = 0; i < v->count; ++i) {
        if (is_initial_unknown(&v->items[i])) {
            put_unknown(file, version == 2 ? "Unknown" : "InitialUnknown", version, i, false);
        }
    }
    if (version == 2 && unknowns > 0) {
        (void)fputs("    </InitialUnknowns>\n", file);
    }
    (void)fputs("  </ModelStructure>\n", file);
}

// ------------------------------------------------------------------------------------------------
// The whole

static void put_head(FILE *file, const hf_fmu_description *d)
{
    (void)fprintf(file,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<fmiModelDescription fmiVersion=\"%d.0\"",
                  d->version);
    put_text(file, "modelName",
             hf_model_name(d->model)[0] == '\0' ? d->identifier : hf_model_name(d->model));
    put_text(file, d->version == 2 ? "guid" : "instantiationToken", d->token);
    put_text(file, "generationTool", "Holdfast " HF_VERSION);
    put_text(file, "variableNamingConvention", "flat");
    (void)fputs(">\n", file);
}

static void put_abilities(FILE *file, const hf_fmu_description *d)
{
    (void)fputs("  <CoSimulation", file);
    put_text(file, "modelIdentifier", d->identifier);
    put_text(file, "canHandleVariableCommunicationStepSize", "true");
    if (d->version == 2) {
        put_text(file, "canInterpolateInputs", "true");
        put_text(file, "canNotUseMemoryManagementFunctions", "true");
        put_text(file, "canGetAndSetFMUstate", "true");
        put_text(file, "canSerializeFMUstate", "true");
    } else {
        put_text(file, "canGetAndSetFMUState", "true");
        put_text(file, "canSerializeFMUState", "true");
    }
    (void)fputs("/>\n", file);
}

static void put_experiment(FILE *file, const hf_model *model)
{
    hf_method_def method = hf_method_resolved(hf_model_method(model));
    double duration = hf_model_duration(model);
    (void)fputs("  <DefaultExperiment startTime=\"0\"", file);
    put_number(file, "stopTime", duration > 0.0 ? duration : (double)NAN);
    put_number(file, "tolerance", hf_method_is_adaptive(method.type) ? method.rtol : (double)NAN);
    put_number(file, "stepSize", method.step);
    (void)fputs("/>\n", file);
}

char *hf_fmu_description_write(const hf_fmu_description *description, size_t *length)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, length);
    if (file == NULL) {
        return NULL;
    }
    const hf_fmu_variables *variables = description->variables;
    put_head(file, description);
    put_abilities(file, description);
    bool done = put_units(file, variables);
    (void)fputs("  <LogCategories>\n"
                "    <Category name=\"logEvents\" description=\"stops, break-aways, impacts\"/>\n"
                "    <Category name=\"logStatusWarning\" description=\"doubts about the run\"/>\n"
                "    <Category name=\"logStatusError\" description=\"what failed, and why\"/>\n"
                "    <Category name=\"logAll\" description=\"all of these\"/>\n"
                "  </LogCategories>\n",
                file);
    put_experiment(file, description->model);
    (void)fputs("  <ModelVariables>\n", file);
    for (int i = 0; i < variables->count; ++i) {
        put_variable(file, &variables->items[i], i, description->version);
    }
    (void)fputs("  </ModelVariables>\n", file);
    put_structure(file, variables, description->version);
    (void)fputs("</fmiModelDescription>\n", file);
    if (fclose(file) != 0 || !done) {
        free(text);
        return NULL;
    }
    return text;
}
