// SPDX-License-Identifier: Apache-2.0
// Warns of bodies that fell freely through the whole run: most often a floor was forgotten.
#include "cli/falls.h"

#include <math.h>
#include <stdlib.h>

// A shorter fall is a drop that the run shows, not a floor that was forgotten [s].
static const double LEAST_TIME = 0.5;
// Part of a free fall, in depth and in speed, that counts as one: a robot's parts move too.
static const double FREE_SHARE = 0.95;

static bool can_fall(const hf_body_info *info)
{
    return info->type == HF_BODY_RIGID || info->type == HF_BODY_MASS ||
           (info->type == HF_BODY_LINK && info->joint == HF_JOINT_FREE);
}

// World velocity; zero for coordinates that a mass does not have.
static hf_vec3 velocity_of(const hf_sim *sim, hf_body body, const hf_body_info *info)
{
    const double *v = hf_sim_velocity(sim, body);
    double world[3] = {0.0, 0.0, 0.0};
    if (info->type == HF_BODY_MASS) {
        for (int i = 0; i < info->dim; ++i) {
            world[info->axes[i]] = v[i];
        }
    } else {
        world[0] = v[0];
        world[1] = v[1];
        world[2] = v[2];
    }
    return (hf_vec3){world[0], world[1], world[2]};
}

void hf_cli_falls_begin(hf_cli_falls *falls, hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    int count = hf_model_get_info(model).bodies;
    *falls = (hf_cli_falls){.start = calloc((size_t)count + 1, sizeof *falls->start),
                            .motion = calloc((size_t)count + 1, sizeof *falls->motion),
                            .time = hf_sim_time(sim)};
    if (falls->start == NULL || falls->motion == NULL) {
        hf_cli_falls_end(falls);
        return;
    }
    for (int id = 1; id <= count; ++id) {
        hf_body_info info = hf_model_body_info(model, (hf_body){id});
        hf_quat unused;
        if (can_fall(&info)) {
            hf_sim_pose(sim, (hf_body){id}, &falls->start[id - 1], &unused);
            falls->motion[id - 1] = velocity_of(sim, (hf_body){id}, &info);
        }
    }
}

static double dot(hf_vec3 a, hf_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

hf_body hf_cli_falls_find(const hf_cli_falls *falls, hf_sim *sim, double *depth)
{
    const hf_model *model = hf_sim_model(sim);
    hf_vec3 gravity = hf_model_gravity(model);
    double g = sqrt(dot(gravity, gravity)), t = hf_sim_time(sim) - falls->time;
    if (falls->start == NULL || !(g > 0.0) || !(t >= LEAST_TIME)) {
        return (hf_body){0};
    }
    hf_vec3 down = {gravity.x / g, gravity.y / g, gravity.z / g};
    for (int id = 1; id <= hf_model_get_info(model).bodies; ++id) {
        hf_body_info info = hf_model_body_info(model, (hf_body){id});
        if (!can_fall(&info)) {
            continue;
        }
        // Free fall: v = v0 + g t, s = v0 t + g t^2/2 along gravity
        hf_vec3 place;
        hf_quat unused;
        hf_sim_pose(sim, (hf_body){id}, &place, &unused);
        double v0 = dot(falls->motion[id - 1], down), fell = 0.5 * g * t * t;
        double went = dot(place, down) - dot(falls->start[id - 1], down) - v0 * t;
        double gained = dot(velocity_of(sim, (hf_body){id}, &info), down) - v0;
        if (went >= FREE_SHARE * fell && gained >= FREE_SHARE * g * t) {
            *depth = went + v0 * t;
            return (hf_body){id};
        }
    }
    return (hf_body){0};
}

void hf_cli_falls_end(hf_cli_falls *falls)
{
    free(falls->start);
    free(falls->motion);
    *falls = (hf_cli_falls){0};
}
