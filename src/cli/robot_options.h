// SPDX-License-Identifier: Apache-2.0
// How a robot's file is read: options that commands share.
#ifndef HF_CLI_ROBOT_OPTIONS_H
#define HF_CLI_ROBOT_OPTIONS_H

#include <holdfast/robots.h>

#include "cli/cli.h"

typedef struct hf_cli_robot_options {
    const char *base, *model, *inertia, *collide, *start; // NULL: not given
    hf_cli_list packages;
} hf_cli_robot_options;

// Rows of a table of options, of a struct `type` with a member `robot`.
#define HF_CLI_ROBOT_TEXT(type, name, operand, phrase, member)                                     \
    {                                                                                              \
        name, 0, operand, phrase, HF_CLI_TEXT, offsetof(type, robot.member), HF_CLI_WORD_ANY, NULL \
    }
#define HF_CLI_ROBOT_ROWS(type)                                                                    \
    HF_CLI_ROBOT_TEXT(type, "base", "B",                                                           \
                      "of a robot: file (as it says; URDF: fixed), fixed or free", base),          \
        HF_CLI_ROBOT_TEXT(type, "start", "KEY", "start a robot at this key frame", start),         \
        HF_CLI_ROBOT_TEXT(type, "model", "NAME", "of several models in a robot's file, this one",  \
                          model),                                                                  \
        HF_CLI_ROBOT_TEXT(type, "inertia", "I",                                                    \
                          "of a robot, that no body can have: keep, balance or refuse", inertia),  \
        HF_CLI_ROBOT_TEXT(                                                                         \
            type, "collide", "C",                                                                  \
            "a robot's meshes by hull, boxes, none, or parts: hulls of their pieces", collide),    \
    {                                                                                              \
        "package", 0, "N=DIR", "package N of a robot is the folder DIR; may be repeated",          \
            HF_CLI_LIST, offsetof(type, robot.packages), HF_CLI_WORD_ANY, NULL                     \
    }

// False after a message: a value that is none, or an option for a `model` that is no robot's file.
bool hf_cli_robot_options_of(const char *command, const char *model,
                             const hf_cli_robot_options *given, hf_robot_options *options);
// The same where the model is a robot's file. False after a message.
bool hf_cli_robot_options_read(const char *command, const hf_cli_robot_options *given,
                               hf_robot_options *options);

#endif
