// SPDX-License-Identifier: Apache-2.0
// What the subcommands share: exit codes, messages, options.
#ifndef HF_CLI_CLI_H
#define HF_CLI_CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <holdfast/base.h>

enum {
    HF_CLI_DONE = 0,
    HF_CLI_FAILED = 1, // the run failed or was interrupted
    HF_CLI_USAGE = 2,  // wrong usage, or a wrong model
    HF_CLI_LACKS = 3   // --strict: something of a robot is not represented
};

// ------------------------------------------------------------------------------------------------
// Texts from outside: names, values, paths

// As fprintf, but nothing that it prints commands a terminal: control characters are written out
// (base/text.h). For whatever holds a text that a file or a file's name brought.
void hf_cli_put(FILE *file, const char *format, ...) HF_PRINTF(2, 3);
void hf_cli_vput(FILE *file, const char *format, va_list arguments) HF_PRINTF(2, 0);

// What follows is printed in this colour, on a terminal; nothing elsewhere, or where the variable
// NO_COLOR asks for none.
typedef enum hf_cli_color { HF_CLI_PLAIN, HF_CLI_GOOD, HF_CLI_DOUBT, HF_CLI_BAD } hf_cli_color;
void hf_cli_paint(FILE *file, hf_cli_color color);

// The number as people are shown it: what is not a number has no sign.
double hf_cli_shown(double value);

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

// What a word is: for completions, and lists in the help.
typedef enum hf_cli_word {
    HF_CLI_WORD_ANY,
    HF_CLI_WORD_MODEL, // a model file or an example
    HF_CLI_WORD_EXAMPLE,
    HF_CLI_WORD_RECORDING,
    HF_CLI_WORD_CHANNEL, // of the recording that is the first operand
    HF_CLI_WORD_FIGURE,
    HF_CLI_WORD_PAGE,
    HF_CLI_WORD_PROBLEM, // FCLIB's files
    HF_CLI_WORD_FILE,
    HF_CLI_WORD_FOLDER,
    // With a list (hf_cli_word_at); METHODS and LAWS are several with commas between them.
    HF_CLI_WORD_METHOD,
    HF_CLI_WORD_METHODS,
    HF_CLI_WORD_FAMILY,
    HF_CLI_WORD_SOLVER,
    HF_CLI_WORD_LAW,
    HF_CLI_WORD_LAWS
} hf_cli_word;

// The words of a list, from index 0; NULL behind its end, and where there is none.
const char *hf_cli_word_at(hf_cli_word kind, int index);

typedef struct hf_cli_option {
    const char *name;    // "step", for --step
    char letter;         // 'o', for -o; 0: none
    const char *operand; // "T", for help; NULL for flags
    const char *meaning; // a phrase; the words of a list follow it
    hf_cli_kind kind;
    size_t offset;    // of the target in what the command's options fill
    hf_cli_word word; // what the operand is
    const char *more; // sentences for the manual; NULL: none
} hf_cli_option;

// A command: one file, and one line in commands.def. Help, completions and manual come from here.
typedef struct hf_cli_command {
    const char *name;          // "run"
    const char *phrase;        // what it does, for lists
    const char *usage;         // "MODEL [options]"
    const char *about;         // what it does, lines ending in '\n'
    const char *after;         // more help, or ""
    const char *operand;       // what is missing when there are too few: "MODEL"
    int least, most;           // operands; most < 0: any number
    hf_cli_word first, others; // what the first operand is, and what the others are
    const hf_cli_option *options;
    int option_count;
    size_t size; // of the struct that the options fill; zero at first
    // Sets what is not zero at first; NULL: nothing.
    void (*prepare)(void *options);
    // Does it. Returns the exit code.
    int (*start)(void *options, const hf_cli_list *operands);
} hf_cli_command;

// Of commands with one operand, a model.
#define HF_CLI_ONE_MODEL                                                                           \
    .operand = "MODEL", .least = 1, .most = 1, .first = HF_CLI_WORD_MODEL,                         \
    .others = HF_CLI_WORD_MODEL

#define HF_CLI_OPTIONS(table)                                                                      \
    .options = (table), .option_count = (int)(sizeof(table) / sizeof *(table))

// All commands, in the order of the help (main.c).
extern const hf_cli_command *const hf_cli_commands[];
extern const int hf_cli_command_count;

// Reads the arguments (without the command's name) and starts the command. Options may stand
// anywhere, as `--name value`, `--name=value`, `-o value` or `-ovalue`; what follows `--` is
// operands. --help (-h) is known to every command. Returns the exit code.
int hf_cli_start(const hf_cli_command *command, int count, char **arguments);

// A finite number in decimal digits, nothing else.
bool hf_cli_read_number(const char *text, double *value);

#endif
