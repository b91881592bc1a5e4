// SPDX-License-Identifier: Apache-2.0
// MODEL on the command line: a file, or the name of a shipped example.
#ifndef HF_CLI_MODEL_SOURCE_H
#define HF_CLI_MODEL_SOURCE_H

#include <holdfast/fit.h>
#include <holdfast/models.h>
#include <holdfast/sim.h>

// Reads and compiles. A word with a '/' or ending in .yaml, .yml, .xml, .urdf or .sdf is a file,
// anything else an example. NULL after a message on stderr.
hf_model *hf_cli_load_model(const char *word, const hf_overrides *overrides);

// The same without messages: the error is filled. May be called from several threads.
hf_model *hf_cli_try_model(const char *word, const hf_overrides *overrides, hf_error *error);
// Whether the word is a file's name or that of an example; a message if not.
bool hf_cli_know_model(const char *word);
// The names of its variants. False after a message.
bool hf_cli_load_variants(const char *word, hf_variants *variants);

// Whether there is a method of this name; a message about --OPTION if not.
bool hf_cli_know_method(const char *command, const char *option, const char *name);
// Tells which keys of the model's method the method in its place does not take. "": none.
void hf_cli_tell_dropped(const char *method, const char *dropped);

// The text of a model: for those who read it again and again, or take it elsewhere.
typedef struct hf_cli_model_text {
    const char *text;
    size_t length;
    char label[4200];  // how messages call it
    char folder[4200]; // of a file
    char *made;        // NULL: an example
} hf_cli_model_text;

// False with the error filled, or after a message.
bool hf_cli_model_text_read(hf_cli_model_text *text, const char *word, hf_error *error);
// Where the files lie that it names; NULL: it names none.
const char *hf_cli_model_folder(const hf_cli_model_text *text);
void hf_cli_model_text_free(hf_cli_model_text *text);

// The machine for a fit, whose numbers are varied. NULL with the error filled, or after a message.
hf_fit_machine *hf_cli_fit_machine(const char *word, const hf_overrides *overrides,
                                   hf_error *error);
// Methods that no library linked has, for hf_sim_def.methods.
void hf_cli_methods(const hf_method_table *methods[HF_METHOD_TABLES]);
// As the model says, with the methods of every library.
hf_sim_def hf_cli_sim_def(const hf_model *model);

#endif
