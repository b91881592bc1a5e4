// SPDX-License-Identifier: Apache-2.0
// The model files that are part of the command.
#ifndef HF_CLI_EXAMPLES_H
#define HF_CLI_EXAMPLES_H

#include <stddef.h>

typedef struct hf_cli_example {
    const char *name;
    const unsigned char *text; // YAML or JSON, followed by a zero byte
    size_t length;
} hf_cli_example;

// By name, rising; after the last one comes one without a name.
extern const hf_cli_example hf_cli_examples[];
extern const int hf_cli_example_count;
// JSON schemas of what commands print with --json, from src/cli/schemas.
extern const hf_cli_example hf_cli_output_schemas[];
extern const int hf_cli_output_schema_count;

// NULL when unknown.
const hf_cli_example *hf_cli_example_find(const char *name);
// The known name nearest to a wrong one; NULL when none is near.
const char *hf_cli_example_nearest(const char *name);

#endif
