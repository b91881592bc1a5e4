// SPDX-License-Identifier: Apache-2.0
// holdfast examples
#include "cli/examples.h"

#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "cli/cli.h"

enum { MAX_EXAMPLES = 256, ABOUT_SIZE = 1000, ABOUT_WIDTH = 110 };

const hf_cli_example *hf_cli_example_find(const char *name)
{
    for (int i = 0; i < hf_cli_example_count; ++i) {
        if (strcmp(hf_cli_examples[i].name, name) == 0) {
            return &hf_cli_examples[i];
        }
    }
    return NULL;
}

const char *hf_cli_example_nearest(const char *name)
{
    const char *known[MAX_EXAMPLES] = {0};
    int count = hf_cli_example_count < MAX_EXAMPLES ? hf_cli_example_count : MAX_EXAMPLES;
    for (int i = 0; i < count; ++i) {
        known[i] = hf_cli_examples[i].name;
    }
    const char *nearest = hf_nearest_name(name, known, count);
    for (int i = 0; nearest == NULL && i < count; ++i) { // "sphere" for "rolling-sphere"
        nearest = strlen(name) >= 3 && strstr(known[i], name) != NULL ? known[i] : NULL;
    }
    return nearest;
}

// The first sentence, or as many of its words as fit a line.
static void shorten(char *about)
{
    char *end = strstr(about, ". ");
    if (end != NULL) {
        end[1] = '\0';
    }
    if (strlen(about) > ABOUT_WIDTH) {
        char *last = about + ABOUT_WIDTH - 4;
        while (last > about && *last != ' ') {
            --last;
        }
        (void)snprintf(last, 5, " ...");
    }
}

// What the machine is: the file's first comment that is not its licence, else its name.
static void describe(const hf_cli_example *example, char about[ABOUT_SIZE])
{
    const char *line = (const char *)example->text;
    size_t used = 0;
    about[0] = '\0';
    for (bool begun = false; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        bool comment = strncmp(line, "# ", 2) == 0 && strncmp(line, "# SPDX", 6) != 0;
        bool name = !begun && strncmp(line, "name: ", 6) == 0;
        if (begun && !comment) {
            break;
        }
        // One line more of it, up to what there is room for
        if (comment || name) {
            size_t skip = comment ? 2 : 6, part = length - skip, room = ABOUT_SIZE - used - 2;
            part = part < room ? part : room;
            (void)snprintf(about + used, ABOUT_SIZE - used, "%s%.*s", begun ? " " : "", (int)part,
                           line + skip);
            used = strlen(about);
            begun = true;
        }
        if (name) {
            break;
        }
        line += length + (line[length] == '\n' ? 1 : 0);
    }
    shorten(about);
}

static int print_list(void)
{
    for (int i = 0; i < hf_cli_example_count; ++i) {
        char about[ABOUT_SIZE];
        describe(&hf_cli_examples[i], about);
        (void)printf("%-22s %s\n", hf_cli_examples[i].name, about);
    }
    return HF_CLI_DONE;
}

static int start(void *options, const hf_cli_list *operands)
{
    (void)options;
    if (operands->count == 0) {
        return print_list();
    }
    const char *name = operands->items[0];
    const hf_cli_example *example = hf_cli_example_find(name);
    if (example == NULL) {
        const char *nearest = hf_cli_example_nearest(name);
        return hf_cli_error("there is no example '%s'%s%s%s; 'holdfast examples' lists them", name,
                            nearest == NULL ? "" : " (did you mean '",
                            nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)");
    }
    (void)fwrite(example->text, 1, example->length, stdout);
    return HF_CLI_DONE;
}

const hf_cli_command hf_cli_command_examples = {
    .name = "examples",
    .phrase = "list the shipped machines, or print one",
    .usage = "[NAME]",
    .about = "Lists the machines that come with Holdfast, or prints the model file of one:\n"
             "  holdfast examples rolling-sphere > sphere.yaml\n",
    .after = "",
    .operand = "NAME",
    .most = 1,
    .first = HF_CLI_WORD_EXAMPLE,
    .others = HF_CLI_WORD_EXAMPLE,
    .start = start,
};
