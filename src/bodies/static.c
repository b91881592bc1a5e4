// SPDX-License-Identifier: Apache-2.0
// Scenery: a pose and no state.
#include "bodies/bodies.h"

static void static_still(const void *bodies, int count, hf_pose *poses)
{
    const hf_static_body *statics = bodies;
    for (int i = 0; i < count; ++i) {
        poses[statics[i].pose] = statics[i].place;
    }
}

static hf_pose static_look(const void *body, int link, const hf_body_io *io)
{
    (void)link;
    return io->poses[((const hf_static_body *)body)->pose];
}

const hf_body_ops hf_static_ops = {.type = HF_BODY_STATIC,
                                   .name = "static",
                                   .size = sizeof(hf_static_body),
                                   .still = static_still,
                                   .look = static_look};
