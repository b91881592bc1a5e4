// SPDX-License-Identifier: Apache-2.0
// A step's problem in two parts that know nothing of each other: trees whose frictions, limits and
// contacts act on them alone, by Newton's method (quick.c), and all other contacts, by the solvers
// of fc3d.h. A robot beside a loose object does not pay for sweeps over its joints.
#include <string.h>

#include "base/error.h"
#include "methods/timestep/timestep.h"
#include "solvers/fc3d/fc3d_internal.h"

// Groups that nothing but their own rows acts on; how many contacts they have.
static int find_alone(hf_timestep *ts)
{
    int count = 0;
    for (int g = 0; g < ts->machine.group_count; ++g) {
        hf_ts_group *group = &ts->machine.groups[g];
        group->alone = group->jointed && group->count <= HF_TS_QUICK_WIDTH;
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        for (int k = 0; k < contact->side_count && contact->side_count > 1; ++k) {
            ts->machine.groups[contact->sides[k].group].alone = false;
        }
    }
    for (int i = 0; i < ts->problem.count; ++i) {
        const hf_ts_contact *contact = &ts->problem.contacts[i];
        count += contact->side_count == 1 && ts->machine.groups[contact->sides[0].group].alone;
    }
    return count;
}

static bool is_alone(const hf_timestep *ts, const hf_ts_contact *contact)
{
    return contact->side_count == 1 && ts->machine.groups[contact->sides[0].group].alone;
}

// Copies the contacts of one part behind each other, with their numbers.
static void take(hf_timestep *ts, bool alone)
{
    const hf_ts_posed *from = &ts->problem;
    hf_ts_posed *to = &ts->part;
    int *place = ts->part_place;
    // Room and rows are those of the whole
    to->count = to->follower_count = 0;
    to->capacity = from->capacity;
    to->contact_capacity = from->capacity;
    to->y = from->y;
    to->y_used = from->y_used;
    to->y_capacity = from->y_capacity;
    // Contacts, and the bounds that follow them
    for (int i = 0; i < from->count; ++i) {
        if (is_alone(ts, &from->contacts[i]) != alone) {
            continue;
        }
        int k = to->count++;
        place[i] = k;
        to->contacts[k] = from->contacts[i];
        to->mu[k] = from->mu[i];
        memcpy(to->r + 3 * k, from->r + 3 * i, 3 * sizeof *to->r);
        memcpy(to->q + 3 * k, from->q + 3 * i, 3 * sizeof *to->q);
    }
    for (int i = 0; i < from->follower_count; ++i) {
        hf_fc3d_follower f = from->followers[i];
        if (is_alone(ts, &from->contacts[f.contact]) == alone) {
            f.contact = place[f.contact];
            f.owner = place[f.owner];
            to->followers[to->follower_count++] = f;
        }
    }
}

static void give_back(const hf_timestep *ts, const hf_ts_posed *part, bool alone)
{
    for (int i = 0, k = 0; i < ts->problem.count; ++i) {
        if (is_alone(ts, &ts->problem.contacts[i]) == alone) {
            memcpy(ts->problem.r + 3 * i, part->r + 3 * k++, 3 * sizeof *part->r);
        }
    }
}

// One part as if it were the step's problem.
static hf_status solve_part(hf_sim *sim, bool alone, double tolerance, hf_fc3d_info *info,
                            hf_error *error)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_fc3d_solver *solver = ts->solver;
    take(ts, alone);
    hf_ts_posed whole = ts->problem;
    int followers = solver->follower_count;
    // It takes the place of the whole
    ts->problem = ts->part;
    hf_ts_set_bodies(ts);
    solver->followers = ts->problem.followers;
    solver->follower_count = followers > 0 ? ts->problem.follower_count : 0;
    solver->followed_q = ts->problem.q;
    hf_status status = HF_ERROR_CONVERGENCE;
    if (!alone) {
        hf_ts_even(ts);
        status = hf_ts_solve_to(sim, tolerance, info, error);
    } else if (hf_ts_quick_solve(ts, hf_ts_rho(ts), tolerance, false, info)) {
        status = HF_OK;
    }
    // and gives it back
    ts->part = ts->problem;
    ts->problem = whole;
    solver->followers = ts->problem.followers;
    solver->follower_count = followers;
    solver->followed_q = ts->problem.q;
    if (status == HF_OK) {
        give_back(ts, &ts->part, alone);
    }
    return status;
}

hf_status hf_ts_solve_parts(hf_sim *sim, double rho, hf_fc3d_info *info, hf_error *error)
{
    const hf_status not_so = HF_ERROR_CONVERGENCE;
    hf_timestep *ts = hf_timestep_of(sim);
    double tolerance = sim->core->method.tolerance;
    if (ts->plugged.solve != NULL || ts->solver->def.method != HF_FC3D_AUTO ||
        ts->attempt.traits.plane || (ts->attempt.traits.loaded && !ts->attempt.traits.follows) ||
        ts->attempt.traits.yields || ts->delassus.assembled) {
        return not_so;
    }
    int alone = find_alone(ts);
    if (alone == 0 || alone == ts->problem.count || alone > HF_TS_QUICK_CONTACTS) {
        return not_so;
    }
    hf_fc3d_info trees = *info, others = *info;
    HF_TRY(solve_part(sim, true, tolerance, &trees, error));
    HF_TRY(solve_part(sim, false, tolerance, &others, error));
    // Together they are judged as any solution is
    (void)hf_ts_quick_follow(ts);
    others.iterations += trees.iterations;
    others.residual = others.scaled = hf_ts_judge(ts, rho);
    *info = others;
    return others.residual <= hf_ts_tolerance(ts, tolerance, rho) ? HF_OK : not_so;
}
