// SPDX-License-Identifier: Apache-2.0
// Prints what became of every element and attribute of a robot's file.
#include "cli/account.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/cli.h"

void hf_cli_put_account(FILE *file, const hf_robot *robot, int most)
{
    hf_robot_counts counts = hf_robot_count(robot);
    int all = counts.elements + counts.attributes, shown = 0;
    hf_cli_put(
        file,
        "%s: %d elements and %d attributes: %d taken, %d taken otherwise, %d not represented, "
        "%d only seen\n",
        hf_robot_format(robot), counts.elements, counts.attributes, counts.lots[HF_ROBOT_TAKEN],
        counts.lots[HF_ROBOT_OTHERWISE], counts.lots[HF_ROBOT_MISSING], counts.lots[HF_ROBOT_SEEN]);
    for (int i = 0; i < all; ++i) {
        hf_robot_item item = hf_robot_item_get(robot, i);
        if (item.lot != HF_ROBOT_MISSING || ++shown > most) {
            continue;
        }
        hf_cli_put(file, "%s:%d:%d: not represented: %s", item.file, item.line, item.column,
                   item.element);
        if (item.attribute != NULL) {
            hf_cli_put(file, " %s", item.attribute);
        }
        if (item.value[0] != '\0') {
            hf_cli_put(file, " = %.80s", item.value);
        }
        hf_cli_put(file, ": %s\n", item.why);
    }
    if (shown > most) {
        hf_cli_put(file, "and %d more; 'holdfast import' lists them all\n", shown - most);
    }
}

bool hf_cli_is_robot(const char *word)
{
    hf_error error = {0};
    char *text = NULL;
    size_t length = 0;
    if (strchr(word, '.') == NULL ||
        hf_text_read(word, word, true, &text, &length, &error) != HF_OK) {
        return false;
    }
    bool robot = hf_robot_is_one(text, length);
    free(text);
    return robot;
}

int hf_cli_tell_account(const char *word, const hf_robot_options *options, bool quiet)
{
    enum { MOST = 12 };
    hf_error error = {0};
    hf_robot *robot = hf_cli_is_robot(word) ? hf_robot_read(word, options, &error) : NULL;
    int missing = robot == NULL ? 0 : hf_robot_count(robot).lots[HF_ROBOT_MISSING];
    if (robot != NULL && !quiet) {
        hf_cli_put_account(stderr, robot, MOST);
    }
    hf_robot_destroy(robot);
    return missing;
}
