// SPDX-License-Identifier: Apache-2.0
// holdfast: the command. One file a subcommand, and a line in commands.def.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "cli/cli.h"
#include "cli/generate.h"

#define HF_COMMAND(name) extern const hf_cli_command hf_cli_command_##name;
#include "cli/commands.def"
#undef HF_COMMAND

const hf_cli_command *const hf_cli_commands[] = {
#define HF_COMMAND(name) &hf_cli_command_##name,
#include "cli/commands.def"
#undef HF_COMMAND
};
enum { COMMAND_COUNT = sizeof hf_cli_commands / sizeof *hf_cli_commands };
const int hf_cli_command_count = COMMAND_COUNT;

static int print_help(void)
{
    (void)printf("Usage: holdfast COMMAND ...\n\n"
                 "Simulates machines whose friction really sticks.\n\nCommands:\n");
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        (void)printf("  %-10s %s\n", hf_cli_commands[i]->name, hf_cli_commands[i]->phrase);
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
                            hf_cli_commands[i]->name);
        length += more > 0 && (size_t)more < LIST_SIZE - length ? (size_t)more : 0;
    }
}

static int unknown(const char *word)
{
    const char *known[COMMAND_COUNT + 2] = {0};
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        known[i] = hf_cli_commands[i]->name;
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
    // For scripts/generate.sh
    if (strcmp(word, "--generate") == 0 && count == 3) {
        return hf_cli_generate(arguments[2]);
    }
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(hf_cli_commands[i]->name, word) == 0) {
            return hf_cli_start(hf_cli_commands[i], count - 2, arguments + 2);
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
