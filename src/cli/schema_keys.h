// SPDX-License-Identifier: Apache-2.0
// The keys of a model file, for its JSON schema: of every map, what each entry is. Parameters of
// laws and methods are not here: those come from their tables (hf_law_info, hf_method_info).
#ifndef HF_CLI_SCHEMA_KEYS_H
#define HF_CLI_SCHEMA_KEYS_H

// An entry. `type` names a definition of the schema ("number", "shape"), or lists words: "=a|b|c".
typedef struct hf_cli_schema_key {
    const char *name, *type, *about;
} hf_cli_schema_key;

// A map: its name among the definitions, its entries, and those that must be there ("" for none,
// else words with blanks between them). `kind` is the value of its `type`, or NULL.
typedef struct hf_cli_schema_map {
    const char *name, *kind, *needed;
    const hf_cli_schema_key *keys;
    int count;
} hf_cli_schema_map;

// A kind of value: its name among the definitions, and its schema as JSON.
typedef struct hf_cli_schema_type {
    const char *name, *json;
} hf_cli_schema_type;

extern const hf_cli_schema_type hf_cli_schema_types[];
extern const int hf_cli_schema_type_count;

// Definitions that stand alone; bodies, shapes and loops by type; and what forces of each type have
// besides a law.
extern const hf_cli_schema_map hf_cli_schema_maps[];
extern const int hf_cli_schema_map_count;
extern const hf_cli_schema_map hf_cli_schema_bodies[];
extern const int hf_cli_schema_body_count;
extern const hf_cli_schema_map hf_cli_schema_shapes[];
extern const int hf_cli_schema_shape_count;
extern const hf_cli_schema_map hf_cli_schema_loops[];
extern const int hf_cli_schema_loop_count;
extern const hf_cli_schema_map hf_cli_schema_forces[];
extern const int hf_cli_schema_force_count;

#endif
