// SPDX-License-Identifier: Apache-2.0
// holdfast --generate man: the manual page, from the tables of the commands.
#include "cli/manual.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

static const char tail[] =
    ".SH CHANNELS\n"
    "Channels are named\n"
    ".IR component . quantity [. axis ]:\n"
    ".BR block.position \", \" sphere.velocity.x \", \" arm.elbow.position \", \" floor.force.z ,\n"
    ".B floor.mode\n"
    "(\\-1, 0, 1: sliding back, stuck, sliding forth; 2: open),\n"
    ".BR floor.gap \", \" energy.residual .\n"
    ".SH EXIT STATUS\n"
    ".TP\n"
    ".B 0\n"
    "Done.\n"
    ".TP\n"
    ".B 1\n"
    "The run failed or was interrupted; what was recorded is kept. Also: a figure or a file could\n"
    "not be written.\n"
    ".TP\n"
    ".B 2\n"
    "The command line, the model or the recording is wrong. Errors in files have the form\n"
    ".IR file : line : column : \" error: \" message .\n"
    ".SH SEE ALSO\n"
    ".BR gnuplot (1),\n"
    ".BR h5dump (1)\n";

static const char description[] =
    ".SH DESCRIPTION\n"
    "Holdfast simulates machines with dry friction: below the Coulomb limit nothing creeps, at "
    "the\n"
    "limit it slides, at zero velocity nothing chatters, and the run says how well energy was\n"
    "accounted for.\n"
    ".PP\n"
    ".I MODEL\n"
    "is a model file in YAML if it has a \\(aq/\\(aq or ends in\n"
    ".I .yaml\n"
    "or\n"
    ".IR .yml ;\n"
    "otherwise it is the name of one of the machines that come with Holdfast.\n";

// Text as roff: hyphens that stay, no line that begins a request.
static void print_text(const char *text, size_t length)
{
    bool line_start = true;
    for (size_t i = 0; i < length; ++i) {
        char c = text[i];
        if (line_start && (c == '.' || c == '\'')) {
            (void)fputs("\\&", stdout);
        }
        if (c == '\\') {
            (void)fputs("\\e", stdout);
        } else if (c == '-') {
            (void)fputs("\\-", stdout);
        } else if (c == '\'') {
            (void)fputs("\\(aq", stdout);
        } else {
            (void)putchar(c);
        }
        line_start = c == '\n';
    }
}

// Paragraphs as they are; indented lines, examples, in a block of their own.
static void print_block(const char *text)
{
    bool example = false;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool indented = line[0] == ' ';
        if (indented != example) {
            (void)printf("%s\n", indented ? ".PP\n.EX" : ".EE");
            example = indented;
        }
        if (length == 0) {
            (void)printf(".PP\n");
        } else {
            print_text(line, length);
            (void)putchar('\n');
        }
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    if (example) {
        (void)printf(".EE\n");
    }
}

static void print_option(const hf_cli_option *option)
{
    (void)printf(".TP\n.B ");
    if (option->letter != 0) {
        (void)printf("\\-%c\\fR, \\fB", option->letter);
    }
    (void)printf("\\-\\-");
    print_text(option->name, strlen(option->name));
    if (option->operand != NULL) {
        (void)printf(" \\fI%s\\fR", option->operand);
    }
    (void)printf("\n");
    print_text(option->meaning, strlen(option->meaning));
    for (int i = 0; hf_cli_word_at(option->word, i) != NULL; ++i) {
        (void)printf("%s", i == 0 ? ":\n" : ", ");
        print_text(hf_cli_word_at(option->word, i), strlen(hf_cli_word_at(option->word, i)));
    }
    (void)printf(".\n");
    if (option->more != NULL) {
        print_text(option->more, strlen(option->more));
        (void)printf("\n");
    }
}

void hf_cli_print_manual(void)
{
    (void)printf(".\\\" SPDX-License-Identifier: Apache-2.0\n"
                 ".\\\" Made by scripts/generate.sh; do not edit.\n"
                 ".TH HOLDFAST 1 \"\" \"Holdfast " HF_VERSION "\" \"User Commands\"\n"
                 ".SH NAME\n"
                 "holdfast \\- simulate machines whose friction really sticks\n"
                 ".SH SYNOPSIS\n");
    for (int i = 0; i < hf_cli_command_count; ++i) {
        const hf_cli_command *command = hf_cli_commands[i];
        (void)printf(".B holdfast %s\n", command->name);
        print_text(command->usage, strlen(command->usage));
        (void)printf("\n.br\n");
    }
    (void)printf(".B holdfast\n\\-\\-help | \\-\\-version\n");
    (void)fputs(description, stdout);
    (void)printf(".SH COMMANDS\n");
    for (int i = 0; i < hf_cli_command_count; ++i) {
        const hf_cli_command *command = hf_cli_commands[i];
        (void)printf(".SS %s\n", command->name);
        print_block(command->about);
        for (int k = 0; k < command->option_count; ++k) {
            print_option(&command->options[k]);
        }
        if (command->after[0] != '\0') {
            (void)printf(".PP\n");
            print_block(command->after[0] == '\n' ? command->after + 1 : command->after);
        }
    }
    (void)fputs(tail, stdout);
}
