// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "cli/cli.h"

enum { MAX_OPTIONS = 16, HELP_COLUMN = 24 };

// ------------------------------------------------------------------------------------------------
// Messages

static void message(const char *kind, const char *format, va_list arguments)
{
    (void)fprintf(stderr, "holdfast: %s: ", kind);
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
    (void)fputs("warning: ", stderr);
    hf_cli_vput(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
}

void hf_cli_report(const hf_error *error)
{
    char place[40];
    (void)snprintf(place, sizeof place, ":%d:%d: ", error->line, error->column);
    const char *found = error->line > 0 ? strstr(error->text, place) : NULL;
    if (found == NULL) {
        hf_cli_put(stderr, "holdfast: error: %s\n", error->text);
        return;
    }
    int length = (int)(found - error->text + (ptrdiff_t)strlen(place));
    hf_cli_put(stderr, "%.*serror: %s\n", length, error->text, error->text + length);
}

// ------------------------------------------------------------------------------------------------
// Help

static void print_option(const char *name, char letter, const char *operand, const char *meaning)
{
    char left[80];
    int length = snprintf(left, sizeof left, "  %c%c%s--%s%s%s", letter == 0 ? ' ' : '-',
                          letter == 0 ? ' ' : letter, letter == 0 ? "  " : ", ", name,
                          operand == NULL ? "" : " ", operand == NULL ? "" : operand);
    // Further lines of the meaning stand below its first.
    (void)printf("%-*s%s", HELP_COLUMN, left, length < HELP_COLUMN ? "" : "  ");
    for (const char *c = meaning; *c != '\0'; ++c) {
        (void)putchar(*c);
        if (*c == '\n') {
            (void)printf("%*s", HELP_COLUMN, "");
        }
    }
    (void)putchar('\n');
}

static void print_help(const hf_cli_syntax *syntax)
{
    (void)printf("Usage: holdfast %s%s%s\n\n%s", syntax->command == NULL ? "" : syntax->command,
                 syntax->command == NULL ? "" : " ", syntax->usage, syntax->about);
    (void)printf("\nOptions:\n");
    for (int i = 0; i < syntax->option_count; ++i) {
        const hf_cli_option *option = &syntax->options[i];
        print_option(option->name, option->letter, option->operand, option->meaning);
    }
    print_option("help", 'h', NULL, "print this and end");
    (void)fputs(syntax->after, stdout);
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
    if (!hf_cli_read_number(text, &number) || number < 1.0 || number > 9e15 ||
        floor(number) != number) {
        return false;
    }
    *value = (long long)number;
    return true;
}

// Stores an option's value. False, after a message, when it is not of its kind.
static bool store(const hf_cli_syntax *syntax, const hf_cli_option *option, const char *value)
{
    switch (option->kind) {
    case HF_CLI_FLAG:
        *(bool *)option->target = true;
        return true;
    case HF_CLI_TEXT:
        *(const char **)option->target = value;
        return true;
    case HF_CLI_LIST: {
        hf_cli_list *list = option->target;
        list->items[list->count++] = value;
        return true;
    }
    case HF_CLI_NUMBER:
        if (hf_cli_read_number(value, option->target)) {
            return true;
        }
        (void)hf_cli_usage_error(syntax->command, "--%s: expected a number, not '%s'", option->name,
                                 value);
        return false;
    case HF_CLI_COUNT:
        if (read_count(value, option->target)) {
            return true;
        }
        (void)hf_cli_usage_error(syntax->command,
                                 "--%s: expected a whole number from 1 up, not '%s'", option->name,
                                 value);
        return false;
    }
    return false;
}

static void unknown_option(const hf_cli_syntax *syntax, const char *name)
{
    const char *known[MAX_OPTIONS + 1];
    int count = 0;
    for (int i = 0; i < syntax->option_count && count < MAX_OPTIONS; ++i) {
        known[count++] = syntax->options[i].name;
    }
    known[count++] = "help";
    const char *nearest = hf_nearest_name(name, known, count);
    if (nearest != NULL) {
        (void)hf_cli_usage_error(syntax->command, "unknown option '--%s'; did you mean '--%s'?",
                                 name, nearest);
    } else {
        (void)hf_cli_usage_error(syntax->command, "unknown option '--%s'", name);
    }
}

// One option in its several spellings.
typedef struct spelled {
    const hf_cli_option *option; // NULL: unknown
    const char *value;           // attached to it, or NULL
    bool help;
    char name[64];
} spelled;

static spelled spell(const hf_cli_syntax *syntax, const char *argument)
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
    for (int i = 0; i < syntax->option_count; ++i) {
        const hf_cli_option *option = &syntax->options[i];
        if (is_long ? strcmp(option->name, s.name) == 0 : option->letter == s.name[0]) {
            s.option = option;
        }
    }
    return s;
}

// Takes one option and, if it needs one, its value from the next argument. False after a message.
static bool take_option(const hf_cli_syntax *syntax, const spelled *s, const char *argument,
                        const char *next, bool *used_next)
{
    *used_next = false;
    if (s->option == NULL) {
        if (argument[1] == '-') {
            unknown_option(syntax, s->name);
        } else {
            (void)hf_cli_usage_error(syntax->command, "unknown option '-%s'", s->name);
        }
        return false;
    }
    if (s->option->kind == HF_CLI_FLAG && s->value != NULL) {
        (void)hf_cli_usage_error(syntax->command, "--%s takes no value", s->option->name);
        return false;
    }
    const char *value = s->value;
    if (s->option->kind != HF_CLI_FLAG && value == NULL) {
        if (next == NULL) {
            (void)hf_cli_usage_error(syntax->command, "--%s needs a value: --%s %s",
                                     s->option->name, s->option->name, s->option->operand);
            return false;
        }
        value = next;
        *used_next = true;
    }
    return store(syntax, s->option, value);
}

static hf_cli_parsed check_operands(const hf_cli_syntax *syntax, const hf_cli_list *operands)
{
    if (operands->count < syntax->least) {
        (void)hf_cli_usage_error(syntax->command, "%s is missing: holdfast %s %s", syntax->operand,
                                 syntax->command == NULL ? "" : syntax->command, syntax->usage);
        return HF_CLI_MISPARSED;
    }
    if (syntax->most >= 0 && operands->count > syntax->most) {
        (void)hf_cli_usage_error(syntax->command, "'%s' is one too many: holdfast %s %s",
                                 operands->items[syntax->most],
                                 syntax->command == NULL ? "" : syntax->command, syntax->usage);
        return HF_CLI_MISPARSED;
    }
    return HF_CLI_PARSED;
}

hf_cli_parsed hf_cli_parse(const hf_cli_syntax *syntax, int count, char **arguments,
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
        spelled s = spell(syntax, argument);
        if (s.help) {
            print_help(syntax);
            return HF_CLI_HELPED;
        }
        bool used_next = false;
        if (!take_option(syntax, &s, argument, i + 1 < count ? arguments[i + 1] : NULL,
                         &used_next)) {
            return HF_CLI_MISPARSED;
        }
        i += used_next ? 1 : 0;
    }
    return check_operands(syntax, operands);
}
