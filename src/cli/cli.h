// SPDX-License-Identifier: Apache-2.0
// What the subcommands share: exit codes, messages, options.
#ifndef HF_CLI_CLI_H
#define HF_CLI_CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <holdfast/base.h>

enum {
    HF_CLI_DONE = 0,
    HF_CLI_FAILED = 1, // the run failed or was interrupted
    HF_CLI_USAGE = 2   // wrong usage, or a wrong model
};

// ------------------------------------------------------------------------------------------------
// Texts from outside: names, values, paths

// As fprintf, but nothing that it prints commands a terminal: control characters are written out
// (base/text.h). For whatever holds a text that a file or a file's name brought.
void hf_cli_put(FILE *file, const char *format, ...) HF_PRINTF(2, 3);
void hf_cli_vput(FILE *file, const char *format, va_list arguments) HF_PRINTF(2, 0);

// ------------------------------------------------------------------------------------------------
// Messages, all to stderr

// "holdfast: error: TEXT". Returns HF_CLI_USAGE.
int hf_cli_error(const char *format, ...) HF_PRINTF(1, 2);
// The same, followed by where help is: "Try 'holdfast run --help'."
int hf_cli_usage_error(const char *command, const char *format, ...) HF_PRINTF(2, 3);
// An error of the library, like a compiler's: "file:line:column: error: TEXT".
void hf_cli_report(const hf_error *error);
void hf_cli_warning(const char *format, ...) HF_PRINTF(1, 2);

// ------------------------------------------------------------------------------------------------
// Options

typedef enum hf_cli_kind {
    HF_CLI_FLAG,   // target: bool
    HF_CLI_TEXT,   // target: const char *
    HF_CLI_NUMBER, // target: double
    HF_CLI_COUNT,  // target: long long, >= 1
    HF_CLI_LIST    // target: hf_cli_list
} hf_cli_kind;

// Texts given one by one; `items` has room for every argument.
typedef struct hf_cli_list {
    const char **items;
    int count;
} hf_cli_list;

typedef struct hf_cli_option {
    const char *name;    // "step", for --step
    char letter;         // 'o', for -o; 0: none
    const char *operand; // "T", for help; NULL for flags
    const char *meaning;
    hf_cli_kind kind;
    void *target;
} hf_cli_option;

typedef struct hf_cli_syntax {
    const char *command; // "run"; NULL: holdfast itself
    const char *usage;   // "MODEL [options]"
    const char *about;   // what it does, lines ending in '\n'
    const char *operand; // what is missing when there are too few: "MODEL"
    int least, most;     // operands; most < 0: any number
    const hf_cli_option *options;
    int option_count;
    const char *after; // more help, or ""
} hf_cli_syntax;

typedef enum hf_cli_parsed {
    HF_CLI_PARSED,   // go on
    HF_CLI_HELPED,   // help was printed: end with HF_CLI_DONE
    HF_CLI_MISPARSED // a message was printed: end with HF_CLI_USAGE
} hf_cli_parsed;

// Reads arguments (without the command's name). Options may stand anywhere, as `--name value`,
// `--name=value`, `-o value` or `-ovalue`; what follows `--` is operands. `operands` has room for
// `count` items. --help (-h) is known to every command.
hf_cli_parsed hf_cli_parse(const hf_cli_syntax *syntax, int count, char **arguments,
                           hf_cli_list *operands);

// A finite number in decimal digits, nothing else.
bool hf_cli_read_number(const char *text, double *value);

// ------------------------------------------------------------------------------------------------
// Subcommands. Arguments without the command's name; returns the exit code.

int hf_cli_run(int count, char **arguments);
int hf_cli_compare(int count, char **arguments);
int hf_cli_law(int count, char **arguments);
int hf_cli_check(int count, char **arguments);
int hf_cli_tune(int count, char **arguments);
int hf_cli_examples_command(int count, char **arguments);
int hf_cli_plot(int count, char **arguments);
int hf_cli_report_command(int count, char **arguments);
int hf_cli_fc3d(int count, char **arguments);

#endif
