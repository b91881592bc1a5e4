// SPDX-License-Identifier: Apache-2.0
// Reads the options of a command by its table, prints its help, and all errors and warnings.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "cli/cli.h"

enum { HELP_COLUMN = 24, HELP_WIDTH = 100 };
// Counts: below 2^53, so that a double holds every one.
static const double MOST_COUNT = 9e15;

// ------------------------------------------------------------------------------------------------
// Messages

// "error: " or "warning: ", in its colour
static void put_kind(hf_cli_color color, const char *kind)
{
    hf_cli_paint(stderr, color);
    (void)fprintf(stderr, "%s: ", kind);
    hf_cli_paint(stderr, HF_CLI_PLAIN);
}

static void message(const char *kind, const char *format, va_list arguments)
{
    (void)fputs("holdfast: ", stderr);
    put_kind(HF_CLI_BAD, kind);
    hf_cli_vput(stderr, format, arguments);
    (void)fputc('\n', stderr);
}

int hf_cli_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message("error", format, arguments);
    va_end(arguments);
    return HF_CLI_USAGE;
}

int hf_cli_usage_error(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message("error", format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "Try 'holdfast %s%s--help'.\n", command == NULL ? "" : command,
                  command == NULL ? "" : " ");
    return HF_CLI_USAGE;
}

void hf_cli_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_kind(HF_CLI_DOUBT, "warning");
    hf_cli_vput(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
}

void hf_cli_report(const hf_error *error)
{
    if (error->place_size == 0) {
        (void)hf_cli_error("%s", error->text);
        return;
    }
    hf_cli_put(stderr, "%.*s", error->place_size, error->text);
    put_kind(HF_CLI_BAD, "error");
    hf_cli_put(stderr, "%s\n", error->text + error->place_size);
}

// ------------------------------------------------------------------------------------------------
// Help

// The words of a list, over as many lines as they need.
static void print_list(hf_cli_word kind)
{
    size_t column = HELP_WIDTH;
    for (int i = 0; hf_cli_word_at(kind, i) != NULL; ++i) {
        const char *word = hf_cli_word_at(kind, i);
        bool wrap = column + strlen(word) + 3 > HELP_WIDTH;
        if (wrap) {
            (void)printf("%s%*s", i == 0 ? "" : ",\n", HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column += (size_t)printf("%s%s", wrap ? "" : ", ", word);
    }
    if (column < HELP_WIDTH) {
        (void)putchar('\n');
    }
}

static void print_option(const hf_cli_option *option)
{
    char left[80], letter = option->letter;
    int length = snprintf(left, sizeof left, "  %c%c%s--%s%s%s", letter == 0 ? ' ' : '-',
                          letter == 0 ? ' ' : letter, letter == 0 ? "  " : ", ", option->name,
                          option->operand == NULL ? "" : " ",
                          option->operand == NULL ? "" : option->operand);
    // Further lines of the meaning stand below its first.
    (void)printf("%-*s%s", HELP_COLUMN, left, length < HELP_COLUMN ? "" : "  ");
    for (const char *c = option->meaning; *c != '\0'; ++c) {
        (void)putchar(*c);
        if (*c == '\n') {
            (void)printf("%*s", HELP_COLUMN, "");
        }
    }
    (void)puts(hf_cli_word_at(option->word, 0) == NULL ? "" : ":");
    print_list(option->word);
}

static const hf_cli_option help_option = {
    .name = "help", .letter = 'h', .meaning = "print this and end"};

static void print_help(const hf_cli_command *command)
{
    (void)printf("Usage: holdfast %s %s\n\n%s", command->name, command->usage, command->about);
    (void)printf("\nOptions:\n");
    for (int i = 0; i < command->option_count; ++i) {
        print_option(&command->options[i]);
    }
    print_option(&help_option);
    (void)fputs(command->after, stdout);
}

// ------------------------------------------------------------------------------------------------
// Reading

bool hf_cli_read_number(const char *text, double *value)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0') {
        return false; // strtod would also take blanks, hexadecimals and words
    }
    char *end = NULL;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static bool read_count(const char *text, long long *value)
{
    double number = 0.0;
    if (!hf_cli_read_number(text, &number) || number < 1.0 || number > MOST_COUNT ||
        floor(number) != number) {
        return false;
    }
    *value = (long long)number;
    return true;
}

// Stores an option's value. False, after a message, when it is not of its kind.
static bool store(const hf_cli_command *command, void *options, const hf_cli_option *option,
                  const char *value)
{
    void *target = (char *)options + option->offset;
    switch (option->kind) {
    case HF_CLI_FLAG:
        *(bool *)target = true;
        return true;
    case HF_CLI_TEXT:
        *(const char **)target = value;
        return true;
    case HF_CLI_LIST: {
        hf_cli_list *list = target;
        list->items[list->count++] = value;
        return true;
    }
    case HF_CLI_NUMBER:
        if (hf_cli_read_number(value, target)) {
            return true;
        }
        (void)hf_cli_usage_error(command->name, "--%s: expected a number, not '%s'", option->name,
                                 value);
        return false;
    case HF_CLI_COUNT:
        if (read_count(value, target)) {
            return true;
        }
        (void)hf_cli_usage_error(command->name, "--%s: expected a whole number from 1 up, not '%s'",
                                 option->name, value);
        return false;
    }
    return false;
}

static void unknown_option(const hf_cli_command *command, const char *name)
{
    const char *nearest = NULL;
    const char **known = calloc((size_t)command->option_count + 1, sizeof *known);
    if (known != NULL) {
        for (int i = 0; i < command->option_count; ++i) {
            known[i] = command->options[i].name;
        }
        known[command->option_count] = help_option.name;
        nearest = hf_nearest_name(name, known, command->option_count + 1);
        free(known);
    }
    if (nearest != NULL) {
        (void)hf_cli_usage_error(command->name, "unknown option '--%s'; did you mean '--%s'?", name,
                                 nearest);
    } else {
        (void)hf_cli_usage_error(command->name, "unknown option '--%s'", name);
    }
}

// One option in its several spellings.
typedef struct spelled {
    const hf_cli_option *option; // NULL: unknown
    const char *value;           // attached to it, or NULL
    bool help;
    char name[64];
} spelled;

static spelled spell(const hf_cli_command *command, const char *argument)
{
    spelled s = {0};
    bool is_long = argument[1] == '-';
    const char *name = argument + (is_long ? 2 : 1);
    size_t length = is_long ? strcspn(name, "=") : 1;
    (void)snprintf(s.name, sizeof s.name, "%.*s", (int)(length < 60 ? length : 60), name);
    if (is_long && name[length] == '=') {
        s.value = name + length + 1;
    } else if (!is_long && name[1] != '\0') {
        s.value = name + 1;
    }
    s.help = s.value == NULL && strcmp(s.name, is_long ? "help" : "h") == 0;
    for (int i = 0; i < command->option_count; ++i) {
        const hf_cli_option *option = &command->options[i];
        if (is_long ? strcmp(option->name, s.name) == 0 : option->letter == s.name[0]) {
            s.option = option;
        }
    }
    return s;
}

// Takes one option and, if it needs one, its value from the next argument. False after a message.
static bool take_option(const hf_cli_command *command, void *options, const spelled *s,
                        const char *argument, const char *next, bool *used_next)
{
    *used_next = false;
    if (s->option == NULL) {
        if (argument[1] == '-') {
            unknown_option(command, s->name);
        } else {
            (void)hf_cli_usage_error(command->name, "unknown option '-%s'", s->name);
        }
        return false;
    }
    if (s->option->kind == HF_CLI_FLAG && s->value != NULL) {
        (void)hf_cli_usage_error(command->name, "--%s takes no value", s->option->name);
        return false;
    }
    const char *value = s->value;
    if (s->option->kind != HF_CLI_FLAG && value == NULL) {
        if (next == NULL) {
            (void)hf_cli_usage_error(command->name, "--%s needs a value: --%s %s", s->option->name,
                                     s->option->name, s->option->operand);
            return false;
        }
        value = next;
        *used_next = true;
    }
    return store(command, options, s->option, value);
}

typedef enum parsed {
    PARSED,   // go on
    HELPED,   // help was printed: end with HF_CLI_DONE
    MISPARSED // a message was printed: end with HF_CLI_USAGE
} parsed;

static parsed check_operands(const hf_cli_command *command, const hf_cli_list *operands)
{
    if (operands->count < command->least) {
        (void)hf_cli_usage_error(command->name, "%s is missing: holdfast %s %s", command->operand,
                                 command->name, command->usage);
        return MISPARSED;
    }
    if (command->most >= 0 && operands->count > command->most) {
        (void)hf_cli_usage_error(command->name, "unexpected argument '%s': holdfast %s %s",
                                 operands->items[command->most], command->name, command->usage);
        return MISPARSED;
    }
    return PARSED;
}

static parsed parse(const hf_cli_command *command, int count, char **arguments, void *options,
                    hf_cli_list *operands)
{
    bool only_operands = false;
    for (int i = 0; i < count; ++i) {
        const char *argument = arguments[i];
        if (only_operands || argument[0] != '-' || argument[1] == '\0') {
            operands->items[operands->count++] = argument;
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            only_operands = true;
            continue;
        }
        spelled s = spell(command, argument);
        if (s.help) {
            print_help(command);
            return HELPED;
        }
        bool used_next = false;
        if (!take_option(command, options, &s, argument, i + 1 < count ? arguments[i + 1] : NULL,
                         &used_next)) {
            return MISPARSED;
        }
        i += used_next ? 1 : 0;
    }
    return check_operands(command, operands);
}

int hf_cli_start(const hf_cli_command *command, int count, char **arguments)
{
    // Room for every argument in every list
    size_t room = (size_t)count + 1, lists = 1;
    for (int i = 0; i < command->option_count; ++i) {
        lists += command->options[i].kind == HF_CLI_LIST ? 1 : 0;
    }
    const char **texts = calloc(lists * room, sizeof *texts);
    char *options = calloc(1, command->size + 1);
    int code = HF_CLI_USAGE;
    if (texts == NULL || options == NULL) {
        code = hf_cli_error("out of memory");
    } else {
        // Lists point into that room
        hf_cli_list operands = {.items = texts};
        for (int i = 0, list = 0; i < command->option_count; ++i) {
            if (command->options[i].kind == HF_CLI_LIST) {
                hf_cli_list *target = (hf_cli_list *)(void *)(options + command->options[i].offset);
                target->items = texts + (size_t)++list * room;
            }
        }
        if (command->prepare != NULL) {
            command->prepare(options);
        }
        // Read them, and run the command
        parsed outcome = parse(command, count, arguments, options, &operands);
        code = outcome == PARSED   ? command->start(options, &operands)
               : outcome == HELPED ? HF_CLI_DONE
                                   : HF_CLI_USAGE;
    }
    free(texts);
    free(options);
    return code;
}
