// SPDX-License-Identifier: Apache-2.0
// Options that say how a robot's file is read, shared by several commands.
#include "cli/robot_options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/account.h"

static bool choose(const char *command, const char *option, const char *given,
                   const char *const *words, int count, int *choice)
{
    for (int i = 0; given != NULL && i < count; ++i) {
        if (strcmp(given, words[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    if (given != NULL) {
        (void)hf_cli_usage_error(command, "--%s must be %s, %s%s%s or %s, got '%.60s'", option,
                                 words[0], words[1], count > 3 ? ", " : "",
                                 count > 3 ? words[2] : "", words[count - 1], given);
    }
    return given == NULL;
}

bool hf_cli_robot_options_read(const char *command, const hf_cli_robot_options *given,
                               hf_robot_options *options)
{
    static const char *const bases[] = {"file", "fixed", "free"};
    static const char *const inertias[] = {"keep", "balance", "refuse"};
    static const char *const collides[] = {"hull", "boxes", "none", "parts"};
    int base = 0, inertia = 0, collide = 0;
    // Choices by name
    if (!choose(command, "base", given->base, bases, 3, &base) ||
        !choose(command, "inertia", given->inertia, inertias, 3, &inertia) ||
        !choose(command, "collide", given->collide, collides, 4, &collide)) {
        return false;
    }
    // Folders of packages
    for (int i = 0; i < given->packages.count; ++i) {
        const char *equals = strchr(given->packages.items[i], '=');
        if (equals == NULL || equals == given->packages.items[i] || equals[1] == '\0') {
            (void)hf_cli_usage_error(command, "--package: expected NAME=FOLDER, got '%.60s'",
                                     given->packages.items[i]);
            return false;
        }
    }
    // As the library has them
    *options = hf_robot_options_default();
    options->base = (hf_robot_base)base;
    options->inertia = (hf_robot_inertia)inertia;
    options->collide = (hf_robot_collide)collide;
    options->start = given->start;
    options->model = given->model;
    options->packages = given->packages.items;
    options->package_count = given->packages.count;
    return true;
}

// The first of them that was given, or NULL.
static const char *option_given(const hf_cli_robot_options *given)
{
    return given->base != NULL         ? "base"
           : given->start != NULL      ? "start"
           : given->model != NULL      ? "model"
           : given->inertia != NULL    ? "inertia"
           : given->collide != NULL    ? "collide"
           : given->packages.count > 0 ? "package"
                                       : NULL;
}

bool hf_cli_robot_options_of(const char *command, const char *model,
                             const hf_cli_robot_options *given, hf_robot_options *options)
{
    const char *option = option_given(given);
    if (option != NULL && !hf_cli_is_robot(model)) {
        FILE *file = strchr(model, '.') == NULL ? NULL : fopen(model, "r");
        if (file == NULL && strchr(model, '.') != NULL) {
            (void)hf_cli_error("%.200s: %s", model, strerror(errno));
            return false;
        }
        if (file != NULL) {
            (void)fclose(file);
        }
        (void)hf_cli_usage_error(command,
                                 "--%s is for the files of robots (MJCF, URDF, SDF), and '%.200s' "
                                 "is not one; in a model file a robot has the keys itself",
                                 option, model);
        return false;
    }
    return hf_cli_robot_options_read(command, given, options);
}
