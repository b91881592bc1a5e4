// SPDX-License-Identifier: Apache-2.0
// What timestep is to the rest: keys, defaults, what it admits. In the library holdfast.
#include "methods/timestep/info.h"

#include <math.h>
#include <stdio.h>

#include <holdfast/fc3d.h>

#include "base/team.h"
#include "methods/plugs.h"

// u_N is lost in u_N + mu |u_T| where mu is too large: nothing would be a solution.
static const double MOST_FRICTION = 1e6;

static const char *solver_name(int value)
{
    return hf_fc3d_method_name((hf_fc3d_method)value);
}

static const char *unsolved_name(int value)
{
    return value == 0 ? "report" : "fail";
}

static const char *program_name(int value)
{
    return value == 0 ? "corrected" : "printed";
}

const hf_method_key hf_contact_keys[HF_CONTACT_KEYS] = {
    {.name = "program",
     .unit = "",
     .meaning = "the nonlinear program of [RobotSimulation2025], corrected or as printed",
     .kind = HF_KEY_FLAG,
     .offset = offsetof(hf_method_def, printed),
     .choice = program_name,
     .choice_count = 2},
    {.name = "theta",
     .unit = "",
     .meaning = "weight of the new velocities in the motion",
     .offset = offsetof(hf_method_def, theta),
     .least = 0.5,
     .most = 1.0,
     .usual = 1.0},
    {.name = "tolerance",
     .unit = "",
     .meaning = "of a step's friction-contact problem",
     .offset = offsetof(hf_method_def, tolerance),
     .least = 1e-14, // the rounding of a residual
     .most = 0.1,
     .usual = HF_DEFAULT_TOLERANCE},
    {.name = "iterations",
     .unit = "",
     .meaning = "of the solver, at most; as many as help unless given",
     .kind = HF_KEY_COUNT,
     .offset = offsetof(hf_method_def, iterations),
     .least = 1.0,
     .most = INFINITY},
    {.name = "penetration",
     .unit = "m",
     .meaning = "that is left alone; from the sizes of shapes unless given",
     .offset = offsetof(hf_method_def, penetration),
     .most = INFINITY},
    {.name = "unsolved",
     .unit = "",
     .meaning = "what a step that is not solved does",
     .kind = HF_KEY_FLAG,
     .offset = offsetof(hf_method_def, unsolved_fails),
     .choice = unsolved_name,
     .choice_count = 2},
    {.name = "threads",
     .unit = "",
     .meaning = "that solve islands of contacts; one unless given",
     .kind = HF_KEY_COUNT,
     .offset = offsetof(hf_method_def, threads),
     .least = 1.0,
     .most = HF_TEAM_MOST},
    {.name = "solver",
     .unit = "",
     .meaning = "of friction-contact problems",
     .kind = HF_KEY_CHOICE,
     .offset = offsetof(hf_method_def, solver),
     .choice = solver_name,
     .choice_count = HF_FC3D_METHOD_COUNT},
};

// A contact has two sides; forces on more movers are one side together, unless loops hold some.
static bool has_two_sides(const hf_model *model, const hf_force_place *force)
{
    int movers[HF_COUPLING_MAX_TERMS], sides[HF_COUPLING_MAX_TERMS], side_count = 0;
    int count = hf_force_movers(model, force, movers);
    bool loops = false;
    for (int i = 0; i < count; ++i) {
        int cluster = model->cluster_count > 0 ? model->mover_clusters[movers[i]] : -1, k = 0;
        int side = cluster >= 0 ? -1 - cluster : movers[i];
        loops = loops || cluster >= 0;
        while (k < side_count && sides[k] != side) {
            ++k;
        }
        sides[k] = side;
        side_count = k == side_count ? k + 1 : side_count;
    }
    return !loops || side_count <= 2;
}

bool hf_timestep_admits(const hf_model *model, const hf_force_place *force, hf_why *why)
{
    if (force->exact != HF_EXACT_NONE && !has_two_sides(model, force)) {
        (void)snprintf(why->text, sizeof why->text,
                       "its ratio is between more than two chains, of which loops close one");
        return false;
    }
    if (force->exact != HF_EXACT_CONTACT) {
        (void)snprintf(why->text, sizeof why->text,
                       "contacts between shapes have the law rigid-contact, not '%s'",
                       force->info->name);
        return !force->ops->needs_collider;
    }
    const hf_rigid_contact_def *def = force->def;
    if (def->friction.viscous[HF_FORTH] > 0.0) {
        (void)snprintf(why->text, sizeof why->text,
                       "law '%s' has viscous friction (a coefficient may depend on the speed)",
                       force->info->name);
        return false;
    }
    double mu = hf_level_at(&def->friction, HF_FORTH, 0.0, 1.0, HF_REGIME_STICK);
    if (!(mu <= MOST_FRICTION)) {
        (void)snprintf(why->text, sizeof why->text, "friction is %g, above %g", mu, MOST_FRICTION);
        return false;
    }
    return true;
}

const hf_method_info hf_method_timestep = {
    .name = "timestep",
    .phrase = "rigid contact and friction, all contacts of a step at once",
    .library = "holdfast-contact",
    .plug = "hf_contact_methods()",
    .linked = HF_LINKED(hf_contact_methods),
    .keys = hf_contact_keys + 1,
    .key_count = HF_TIMESTEP_KEYS,
    .solves_contacts = true,
    .prepares_loops = true,
    .in_steps = true,
    .accepts = true,
    .exact = true,
    .shapes = true,
    .surfaces = true,
    .grain = true,
    .slip = true,
    .swarms = true,
    .loads = true,
    .look_ahead = 1.0,
    .first_tau = 1.0,
    .admits = hf_timestep_admits,
};
