// SPDX-License-Identifier: Apache-2.0
// What may stand in a model file, for `holdfast help`: from the tables of the schema.
#ifndef HF_CLI_HELP_KEYS_H
#define HF_CLI_HELP_KEYS_H

// Prints the entries of every map of this name ("joint", "level", "box"). How many there are.
int hf_cli_help_map(const char *word);

// Prints of which maps and laws `word` is an entry ("armature"), with what it means there. How
// many.
int hf_cli_help_entry(const char *word);

// Lists the maps, by the part of the file in which they stand.
void hf_cli_help_maps(void);

// Adds the names of maps and of their entries to `names`, from `count` on, up to `most`. The new
// count.
int hf_cli_help_names(const char **names, int count, int most);

#endif
