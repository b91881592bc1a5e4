// SPDX-License-Identifier: Apache-2.0
// Channels of a force that became several: a box on a plane is eight contacts, `floor.1` to
// `floor.8`, and `collide` under methods that take contacts one by one is one for each pair. Then
// `floor.normal` means that of each. And channels by patterns of names, `*.position`.
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "compile/model_data.h"

int hf_channels_of_family(const hf_model *model, const char *name, hf_channel *channels,
                          int capacity)
{
    const char *dot = strrchr(name, '.');
    size_t length = dot == NULL ? 0 : (size_t)(dot - name);
    int found = 0;
    for (int id = 1; id <= model->force_count && length > 0; ++id) {
        const hf_force_place *force = &model->forces[model->force_order[id - 1]];
        char full[600];
        if (!force->ops->contact || strncmp(force->name, name, length) != 0 ||
            force->name[length] != '.') {
            continue;
        }
        (void)snprintf(full, sizeof full, "%s%s", force->name, dot);
        int room = capacity > found ? capacity - found : 0;
        found += hf_model_expand_channels(model, full, room > 0 ? channels + found : NULL, room);
    }
    return found;
}

// With or without its axis; powers, which cost evaluations, only where a pattern names them.
static bool fits(const char *pattern, char *name, bool power)
{
    if (power && strstr(pattern, "power") == NULL) {
        return false;
    }
    if (fnmatch(pattern, name, 0) == 0) {
        return true;
    }
    char *dot = strrchr(name, '.');
    if (dot != NULL) {
        *dot = '\0';
    }
    return dot != NULL && strchr(name, '.') != NULL && fnmatch(pattern, name, 0) == 0;
}

int hf_channels_by_pattern(const hf_model *model, const char *pattern, hf_channel *channels,
                           int capacity)
{
    int found = 0;
    for (int i = 0; i < model->channel_count; ++i) {
        char name[600];
        hf_model_channel_name(model, (hf_channel){i + 1}, name, sizeof name);
        if (!fits(pattern, name, model->channels[i].quantity == HF_QUANTITY_POWER)) {
            continue;
        }
        if (found < capacity) {
            channels[found].id = i + 1;
        }
        ++found;
    }
    return found;
}
