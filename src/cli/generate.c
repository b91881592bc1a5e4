// SPDX-License-Identifier: Apache-2.0
// holdfast --generate bash|zsh|fish: completions from the tables of the commands. What has a list
// of its own (methods, laws, solvers) is written out; examples and channels are asked for when they
// are needed.
#include "cli/generate.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/manual.h"

// ------------------------------------------------------------------------------------------------
// Words

// The words of a kind that has a list, each with a blank before it.
static void print_words(hf_cli_word kind)
{
    for (int i = 0; hf_cli_word_at(kind, i) != NULL; ++i) {
        (void)printf(" %s", hf_cli_word_at(kind, i));
    }
}

// The endings of files of a kind, "csv|h5|hdf5"; NULL: it is no file.
static const char *endings(hf_cli_word kind)
{
    switch (kind) {
    case HF_CLI_WORD_MODEL:
        return "yaml|yml";
    case HF_CLI_WORD_RECORDING:
        return "csv|h5|hdf5";
    case HF_CLI_WORD_FIGURE:
        return "svg|png|pdf";
    case HF_CLI_WORD_PAGE:
        return "html";
    case HF_CLI_WORD_PROBLEM:
        return "h5|hdf5";
    default:
        return NULL;
    }
}

// The first line of a meaning, without what a shell would take for its own.
static void print_plain(const char *text, const char *without)
{
    for (const char *c = text; *c != '\0'; ++c) {
        if (strchr(without, *c) == NULL) {
            (void)putchar(*c == '\n' ? ' ' : *c);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// bash

static const char bash_head[] =
    "# SPDX-License-Identifier: Apache-2.0\n"
    "# bash completion for holdfast. Made by scripts/generate.sh; do not edit.\n"
    "\n"
    "_holdfast_examples()\n"
    "{\n"
    "    \"${COMP_WORDS[0]}\" examples 2>/dev/null | cut -d ' ' -f 1\n"
    "}\n"
    "\n"
    "_holdfast_channels()\n"
    "{\n"
    "    case $1 in\n"
    "    *.csv) head -n 1 -- \"$1\" 2>/dev/null | tr -d '\\r' | tr ',' '\\n' | tail -n +2 ;;\n"
    "    *.h5 | *.hdf5) h5dump -y -w 0 -d /names \"$1\" 2>/dev/null | sed '1,/DATA {/d' |\n"
    "        grep -o '\"[^\"]*\"' | tr -d '\"' ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_holdfast_words()\n"
    "{\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$2\")\n"
    "}\n"
    "\n"
    "_holdfast_files()\n"
    "{\n"
    "    local found\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t found < <(shopt -s extglob; compgen -f -X \"!*.@($1)\" -- \"$2\"; compgen -d "
    "-- "
    "\"$2\")\n"
    "    COMPREPLY+=(\"${found[@]}\")\n"
    "}\n"
    "\n"
    "_holdfast()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} "
    "command=${COMP_WORDS[1]}\n"
    "    COMPREPLY=()\n";

// Fills COMPREPLY with words of a kind.
static void bash_word(hf_cli_word kind)
{
    const char *files = endings(kind);
    if (kind == HF_CLI_WORD_MODEL || kind == HF_CLI_WORD_EXAMPLE) {
        (void)printf(" _holdfast_words \"$(_holdfast_examples)\" \"$cur\";");
    } else if (kind == HF_CLI_WORD_CHANNEL) {
        (void)printf(" _holdfast_words \"$(_holdfast_channels \"${COMP_WORDS[2]}\")\" \"$cur\";");
    } else if (kind == HF_CLI_WORD_FILE || kind == HF_CLI_WORD_FOLDER) {
        (void)printf(" compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -%c -- "
                     "\"$cur\");",
                     kind == HF_CLI_WORD_FILE ? 'f' : 'd');
    } else if (files == NULL && kind != HF_CLI_WORD_ANY) {
        (void)printf(" _holdfast_words '");
        print_words(kind);
        (void)printf("' \"$cur\";");
    }
    if (files != NULL) {
        (void)printf(" _holdfast_files '%s' \"$cur\";", files);
    }
}

static void bash_command(const hf_cli_command *command)
{
    (void)printf("    %s)\n        case $prev in\n", command->name);
    // What follows an option
    for (int i = 0; i < command->option_count; ++i) {
        const hf_cli_option *option = &command->options[i];
        if (option->kind == HF_CLI_FLAG) {
            continue;
        }
        (void)printf("        --%s", option->name);
        if (option->letter != 0) {
            (void)printf(" | -%c", option->letter);
        }
        (void)printf(")");
        bash_word(option->word);
        (void)printf(" return ;;\n");
    }
    (void)printf("        esac\n        case $cur in\n        -*) _holdfast_words '");
    // The options themselves
    for (int i = 0; i < command->option_count; ++i) {
        (void)printf("--%s ", command->options[i].name);
    }
    (void)printf("--help' \"$cur\"; return ;;\n        esac\n");
    // What follows the command
    if (command->first != command->others) {
        (void)printf("        if [ \"$COMP_CWORD\" -eq 2 ]; then");
        bash_word(command->first);
        (void)printf(" return; fi\n");
    }
    (void)printf("       ");
    bash_word(command->others);
    (void)printf("%s\n        ;;\n", command->others == HF_CLI_WORD_ANY ? " :" : "");
}

static void print_bash(void)
{
    (void)fputs(bash_head, stdout);
    (void)printf("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        _holdfast_words '");
    for (int i = 0; i < hf_cli_command_count; ++i) {
        (void)printf("%s ", hf_cli_commands[i]->name);
    }
    (void)printf("--help --version' \"$cur\"\n        return\n    fi\n    case $command in\n");
    for (int i = 0; i < hf_cli_command_count; ++i) {
        bash_command(hf_cli_commands[i]);
    }
    (void)printf("    esac\n}\n\ncomplete -F _holdfast holdfast\n");
}

// ------------------------------------------------------------------------------------------------
// zsh

static const char zsh_head[] =
    "#compdef holdfast\n"
    "# SPDX-License-Identifier: Apache-2.0\n"
    "# zsh completion for holdfast. Made by scripts/generate.sh; do not edit.\n"
    "\n"
    "# $program is the command as it was typed.\n"
    "_holdfast_examples() {\n"
    "    local -a names\n"
    "    names=(${(f)\"$(_call_program examples $program examples 2>/dev/null | sed 's/:/\\\\:/g; "
    "s/  */:/')\"})\n"
    "    _describe -t examples example names\n"
    "}\n"
    "\n"
    "_holdfast_models() {\n"
    "    _alternative 'examples:example:_holdfast_examples' 'files:model file:_files -g "
    "\"*.(yaml|yml)\"'\n"
    "}\n"
    "\n"
    "_holdfast_channels() {\n"
    "    local -a names\n"
    "    local file=${(Q)words[2]}\n"
    "    case $file in\n"
    "    *.csv) names=(${(s:,:)\"$(head -n 1 -- $file 2>/dev/null | tr -d '\\r')\"}); "
    "names=(${names[2,-1]}) ;;\n"
    "    *.h5|*.hdf5) names=(${(f)\"$(h5dump -y -w 0 -d /names $file 2>/dev/null | sed '1,/DATA "
    "{/d' "
    "| grep -o '\"[^\"]*\"' | tr -d '\"')\"}) ;;\n"
    "    esac\n"
    "    compadd -a names\n"
    "}\n"
    "\n"
    "_holdfast() {\n"
    "    local curcontext=$curcontext state line program=$words[1]\n"
    "    local -a commands\n"
    "    commands=(\n";

static void zsh_word(hf_cli_word kind)
{
    const char *files = endings(kind);
    if (kind == HF_CLI_WORD_MODEL || kind == HF_CLI_WORD_EXAMPLE) {
        (void)printf("_holdfast_%s", kind == HF_CLI_WORD_MODEL ? "models" : "examples");
    } else if (kind == HF_CLI_WORD_CHANNEL) {
        (void)printf("_holdfast_channels");
    } else if (kind == HF_CLI_WORD_FILE || kind == HF_CLI_WORD_FOLDER) {
        (void)printf("_files%s", kind == HF_CLI_WORD_FILE ? "" : " -/");
    } else if (files != NULL) {
        (void)printf("_files -g \"*.(%s)\"", files);
    } else if (kind == HF_CLI_WORD_LAWS || kind == HF_CLI_WORD_METHODS) {
        (void)printf("_sequence compadd -");
        print_words(kind);
    } else if (kind != HF_CLI_WORD_ANY) {
        (void)printf("(");
        print_words(kind);
        (void)printf(")");
    }
}

static void zsh_option(const hf_cli_option *option)
{
    if (option->letter != 0) {
        (void)printf(" '(-%c --%s)'{-%c,--%s}'[", option->letter, option->name, option->letter,
                     option->name);
    } else {
        (void)printf(" '%s--%s[", option->kind == HF_CLI_LIST ? "*" : "", option->name);
    }
    print_plain(option->meaning, "[]:'");
    (void)printf("]");
    if (option->kind != HF_CLI_FLAG) {
        (void)printf(":%s:", option->operand);
        zsh_word(option->word);
    }
    (void)printf("' \\\n               ");
}

static void zsh_command(const hf_cli_command *command)
{
    (void)printf("        %s)\n            _arguments '(-h --help)'{-h,--help}'[print help]' \\\n"
                 "               ",
                 command->name);
    for (int i = 0; i < command->option_count; ++i) {
        zsh_option(&command->options[i]);
    }
    if (command->first != command->others) {
        (void)printf(" '1:%s:", command->operand);
        zsh_word(command->first);
        (void)printf("'");
    }
    (void)printf(" '%s:%s:", command->most == 1 ? "1" : "*", command->operand);
    zsh_word(command->others);
    (void)printf("'\n            ;;\n");
}

static void print_zsh(void)
{
    (void)fputs(zsh_head, stdout);
    for (int i = 0; i < hf_cli_command_count; ++i) {
        (void)printf("        '%s:", hf_cli_commands[i]->name);
        print_plain(hf_cli_commands[i]->phrase, "':");
        (void)printf("'\n");
    }
    (void)printf("    )\n"
                 "    _arguments -C '(- *)'{-h,--help}'[print help]' '(- *)--version[print the "
                 "version]' \\\n"
                 "        '1: :->command' '*:: :->arguments'\n"
                 "    case $state in\n"
                 "    command)\n"
                 "        _describe -t commands command commands\n"
                 "        ;;\n"
                 "    arguments)\n"
                 "        case $words[1] in\n");
    for (int i = 0; i < hf_cli_command_count; ++i) {
        zsh_command(hf_cli_commands[i]);
    }
    (void)printf("        esac\n        ;;\n    esac\n}\n\n_holdfast \"$@\"\n");
}

// ------------------------------------------------------------------------------------------------
// fish

// What `complete` takes for a kind of word.
static void fish_word(hf_cli_word kind)
{
    const char *files = endings(kind);
    if (kind == HF_CLI_WORD_MODEL || kind == HF_CLI_WORD_EXAMPLE) {
        (void)printf(" -a '(holdfast examples 2>/dev/null | string replace -r \" +\" \\t)'");
    }
    if (files != NULL || kind == HF_CLI_WORD_FILE || kind == HF_CLI_WORD_FOLDER) {
        (void)printf(" -F");
    } else if (kind != HF_CLI_WORD_ANY && kind != HF_CLI_WORD_CHANNEL &&
               kind != HF_CLI_WORD_EXAMPLE) {
        (void)printf(" -a '");
        print_words(kind);
        (void)printf("'");
    }
}

static void fish_command(const hf_cli_command *command)
{
    static const char condition[] = "-n '__fish_seen_subcommand_from";
    (void)printf("complete -c holdfast -n __fish_use_subcommand -a %s -d '", command->name);
    print_plain(command->phrase, "'");
    (void)printf("'\n");
    for (int i = 0; i < command->option_count; ++i) {
        const hf_cli_option *option = &command->options[i];
        (void)printf("complete -c holdfast %s %s' -l %s", condition, command->name, option->name);
        if (option->letter != 0) {
            (void)printf(" -s %c", option->letter);
        }
        if (option->kind != HF_CLI_FLAG) {
            (void)printf(" -r");
            fish_word(option->word);
        }
        (void)printf(" -d '");
        print_plain(option->meaning, "'");
        (void)printf("'\n");
    }
    (void)printf("complete -c holdfast %s %s'", condition, command->name);
    fish_word(command->first);
    (void)printf("\n");
}

static void print_fish(void)
{
    (void)printf("# SPDX-License-Identifier: Apache-2.0\n"
                 "# fish completion for holdfast. Made by scripts/generate.sh; do not edit.\n"
                 "complete -c holdfast -f\n"
                 "complete -c holdfast -s h -l help -d 'print help'\n"
                 "complete -c holdfast -n __fish_use_subcommand -l version -d 'print the "
                 "version'\n");
    for (int i = 0; i < hf_cli_command_count; ++i) {
        fish_command(hf_cli_commands[i]);
    }
}

int hf_cli_generate(const char *what)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } kinds[] = {{"bash", print_bash},
                 {"zsh", print_zsh},
                 {"fish", print_fish},
                 {"man", hf_cli_print_manual}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        if (strcmp(what, kinds[i].name) == 0) {
            kinds[i].print();
            return HF_CLI_DONE;
        }
    }
    return hf_cli_usage_error(NULL, "--generate: expected bash, zsh, fish or man, not '%s'", what);
}
