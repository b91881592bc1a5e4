// SPDX-License-Identifier: Apache-2.0
// holdfast import: a robot of another simulator as a model file, with the account of its file.
#define _XOPEN_SOURCE 700 // realpath
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/models.h>

#include "base/json.h"
#include "cli/account.h"
#include "cli/cli.h"
#include "cli/robot_options.h"

typedef struct import_options {
    const char *output, *name;
    hf_cli_robot_options robot;
    bool strict, json;
} import_options;

// The folder of a path, after symbolic links; the caller frees it.
static char *folder_of(const char *path)
{
    size_t size = strlen(path) + 1;
    char *copy = malloc(size + 1); // room for "."
    if (copy == NULL) {
        return NULL;
    }
    memcpy(copy, path, size);
    char *slash = strrchr(copy, '/');
    if (slash == NULL) {
        memcpy(copy, ".", 2);
    } else {
        slash[slash == copy ? 1 : 0] = '\0';
    }
    char *found = realpath(copy, NULL);
    free(copy);
    return found;
}

// Meshes outside of the model's folder are named by their whole path, which models refuse.
static bool names_meshes_outside(const hf_robot *robot)
{
    return strstr(hf_robot_model(robot), "{type: mesh, file: \"/") != NULL;
}

static int write_model(const hf_robot *robot, const char *output)
{
    const char *text = hf_robot_model(robot);
    FILE *file = output == NULL ? stdout : fopen(output, "w");
    if (file == NULL || fputs(text, file) < 0 ||
        (output != NULL ? fclose(file) : fflush(file)) != 0) {
        return hf_cli_error("%s: cannot be written", output == NULL ? "standard output" : output);
    }
    return HF_CLI_DONE;
}

static void put_json(const hf_robot *robot, FILE *file)
{
    static const char *const lots[HF_ROBOT_LOT_COUNT] = {"taken", "otherwise", "not_represented",
                                                         "seen"};
    hf_robot_counts counts = hf_robot_count(robot);
    hf_json json = {.file = file};
    // The file
    hf_json_begin(&json, NULL);
    hf_json_text(&json, "format", hf_robot_format(robot));
    hf_json_count(&json, "elements", counts.elements);
    hf_json_count(&json, "attributes", counts.attributes);
    // What became of each of its elements and attributes, lot by lot
    for (int k = 0; k < HF_ROBOT_LOT_COUNT; ++k) {
        hf_json_begin_list(&json, lots[k]);
        for (int i = 0; i < counts.elements + counts.attributes; ++i) {
            hf_robot_item item = hf_robot_item_get(robot, i);
            if ((int)item.lot != k) {
                continue;
            }
            hf_json_begin(&json, NULL);
            hf_json_text(&json, "file", item.file);
            hf_json_count(&json, "line", item.line);
            hf_json_count(&json, "column", item.column);
            hf_json_text(&json, "element", item.element);
            if (item.attribute != NULL) {
                hf_json_text(&json, "attribute", item.attribute);
            }
            hf_json_text(&json, "value", item.value);
            hf_json_text(&json, "why", item.why);
            hf_json_end(&json);
        }
        hf_json_end_list(&json);
    }
    hf_json_end(&json);
}

static int start(void *options, const hf_cli_list *operands)
{
    const import_options *o = options;
    hf_robot_options robot_options = hf_robot_options_default();
    hf_error error = {0};
    // The options, and the robot
    if (!hf_cli_robot_options_read("import", &o->robot, &robot_options)) {
        return HF_CLI_USAGE;
    }
    robot_options.name = o->name;
    char *folder = o->output == NULL ? NULL : folder_of(o->output);
    robot_options.mesh_folder = folder;
    hf_robot *robot = hf_robot_read(operands->items[0], &robot_options, &error);
    free(folder);
    if (robot == NULL) {
        hf_cli_report(&error);
        return HF_CLI_USAGE;
    }
    // A model that would not find its meshes is not written
    int code = HF_CLI_DONE;
    if (o->output != NULL && names_meshes_outside(robot)) {
        code =
            hf_cli_error("%s: the robot's meshes are not in this folder or below; write the model "
                         "into %.300s or above it, or use --collide none",
                         o->output, hf_robot_folder(robot));
    }
    bool alone = o->json && o->output == NULL; // then the account is all there is to print
    code = code == HF_CLI_DONE && !alone ? write_model(robot, o->output) : code;
    // The account of what was taken and what was not
    if (o->json) {
        put_json(robot, stdout);
    } else {
        hf_cli_put_account(stderr, robot, 1000000);
    }
    bool lacks = hf_robot_count(robot).lots[HF_ROBOT_MISSING] > 0;
    hf_robot_destroy(robot);
    return code == HF_CLI_DONE && o->strict && lacks ? HF_CLI_LACKS : code;
}

static const hf_cli_option table[] = {
    {"output", 'o', "FILE", "write the model to FILE; else to standard output", HF_CLI_TEXT,
     offsetof(import_options, output), HF_CLI_WORD_FILE, NULL},
    HF_CLI_ROBOT_ROWS(import_options),
    {"name", 0, "NAME", "name of the robot's tree", HF_CLI_TEXT, offsetof(import_options, name),
     HF_CLI_WORD_ANY, NULL},
    {"strict", 0, NULL, "end with 3 if anything is not represented", HF_CLI_FLAG,
     offsetof(import_options, strict), HF_CLI_WORD_ANY, NULL},
    {"json", 0, NULL, "print the account as one JSON object; the model goes to -o alone",
     HF_CLI_FLAG, offsetof(import_options, json), HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_import = {
    .name = "import",
    .phrase = "make a model file of a robot's file, and account for all of it",
    .usage = "ROBOT [-o FILE] [options]",
    .about =
        "Reads a robot of another simulator (MJCF, URDF, SDF) and writes the model file that it\n"
        "becomes, which runs the same to the bit. The account, on standard error, puts every\n"
        "element and attribute of the robot's file into one of four lists: taken, taken\n"
        "otherwise, not represented, only seen; the third list is printed.\n",
    .after = "\nExamples:\n"
             "  holdfast import go1.xml -o go1.yaml --start home\n"
             "  holdfast import a1.urdf --base free --strict >a1.yaml\n",
    .operand = "ROBOT",
    .least = 1,
    .most = 1,
    .first = HF_CLI_WORD_FILE,
    .others = HF_CLI_WORD_ANY,
    HF_CLI_OPTIONS(table),
    .size = sizeof(import_options),
    .start = start,
};
