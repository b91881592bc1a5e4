// SPDX-License-Identifier: Apache-2.0
// holdfast: the command. One file a subcommand.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "cli/cli.h"

typedef struct command {
    const char *name;
    int (*start)(int count, char **arguments);
    const char *about;
} command;

static const command commands[] = {
    {"run", hf_cli_run, "simulate a machine and say what happened"},
    {"compare", hf_cli_compare, "run a machine under several laws, methods and steps"},
    {"law", hf_cli_law, "characterize a friction law alone"},
    {"check", hf_cli_check, "read a model; print its size and the steps it allows"},
    {"tune", hf_cli_tune, "explain the numbers of contacts and frictions"},
    {"examples", hf_cli_examples_command, "list the shipped machines, or print one"},
    {"plot", hf_cli_plot, "draw channels of a recorded run"},
    {"report", hf_cli_report_command, "show recorded runs in one HTML page, with a 3-D replay"},
    {"fc3d", hf_cli_fc3d, "solve friction-contact problems in FCLIB's files"},
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int print_help(void)
{
    (void)printf("Usage: holdfast COMMAND ...\n\n"
                 "Simulates machines whose friction really sticks.\n\nCommands:\n");
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        (void)printf("  %-10s %s\n", commands[i].name, commands[i].about);
    }
    (void)printf("\nOptions:\n"
                 "  -h, --help      print this and end\n"
                 "      --version   print the version and end\n\n"
                 "'holdfast COMMAND --help' explains a command. To begin with:\n"
                 "  holdfast run rolling-sphere\n");
    return HF_CLI_DONE;
}

enum { LIST_SIZE = 300 };

// "run, compare, ..."
static void list_commands(char list[LIST_SIZE])
{
    size_t length = 0;
    list[0] = '\0';
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        int more = snprintf(list + length, LIST_SIZE - length, "%s%s", i == 0 ? "" : ", ",
                            commands[i].name);
        length += more > 0 && (size_t)more < LIST_SIZE - length ? (size_t)more : 0;
    }
}

static int unknown(const char *word)
{
    const char *known[COMMAND_COUNT + 2] = {0};
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        known[i] = commands[i].name;
    }
    known[COMMAND_COUNT] = "--help";
    known[COMMAND_COUNT + 1] = "--version";
    const char *nearest = hf_nearest_name(word, known, COMMAND_COUNT + 2);
    const char *what = word[0] == '-' ? "option" : "command";
    if (nearest != NULL) {
        return hf_cli_usage_error(NULL, "unknown %s '%s'; did you mean '%s'?", what, word, nearest);
    }
    char list[LIST_SIZE];
    list_commands(list);
    return hf_cli_usage_error(NULL, "unknown %s '%s'; commands are %s", what, word, list);
}

static int start(int count, char **arguments)
{
    if (count < 2) {
        char list[LIST_SIZE];
        list_commands(list);
        return hf_cli_usage_error(NULL, "a command is missing; commands are %s", list);
    }
    const char *word = arguments[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return print_help();
    }
    if (strcmp(word, "--version") == 0) {
        (void)printf("holdfast %s\n", HF_VERSION);
        return HF_CLI_DONE;
    }
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(commands[i].name, word) == 0) {
            return commands[i].start(count - 2, arguments + 2);
        }
    }
    return unknown(word);
}

int main(int count, char **arguments)
{
    // A closed pipe shall be an error with a message, not a silent death.
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); // so shall a file that may not grow further
    int code = start(count, arguments);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)hf_cli_error("cannot write to standard output: %s",
                           errno == 0 ? "write failed" : strerror(errno));
        return code == HF_CLI_DONE ? HF_CLI_FAILED : code;
    }
    return code;
}
