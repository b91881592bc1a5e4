// SPDX-License-Identifier: Apache-2.0
// What is at rest, and can rest, remains at rest.
//
// Where contacts are redundant, the normal forces of a step are not unique, and with them what
// friction can hold: a capsule between two pads that touches each in two points may be carried by
// all four, or by those at one end alone, and then swings and falls. Both satisfy Coulomb's law in
// every point. A machine that was exactly at rest stays so if it can, as it does when its bodies
// are a little elastic. Whether it can is a convex problem,
//
//   find r in the friction cones with  W r + q = 0 in the normals that stay closed
//   and in all tangents,
//
// which share.c solves for the least forces in machines that are not too large; interior points
// often find one in others. So when a solution sets in motion what was at rest, these
// decide whether it may. That happens at break-aways, not in steps that slide or rest.
#include <string.h>

#include "methods/timestep/timestep.h"
#include "solvers/fc3d/fc3d_internal.h"

// Larger problems are heaps, where something always moves, and interior points take long.
enum { MOST_CONTACTS = 100 };

// Groups that touch something, were exactly at rest, and move after this solution.
static int count_moved(hf_sim *sim)
{
    hf_timestep *ts = hf_timestep_of(sim);
    int moved = 0;
    (void)hf_ts_find_still(ts, hf_ts_unknown(sim));
    for (int i = 0; i < ts->machine.group_count; ++i) {
        const hf_ts_group *group = &ts->machine.groups[i];
        bool rested = ts->motion.s_size[i] > 0.0;
        for (int k = group->s; k < group->s + group->count && rested; ++k) {
            rested = ts->motion.s_before[k] == 0.0;
        }
        moved += rested && !group->still ? 1 : 0;
    }
    return moved;
}

// Whether less of what rested moves with the present reactions.
static bool rests_more(hf_sim *sim, int moved, double residual, double enough)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_ts_apply(ts, ts->problem.r);
    ts->attempt.outcome.info.residual = residual;
    return residual <= enough && count_moved(sim) < moved;
}

// With the least forces within all cones that hold what held (share.c): they are found wherever
// there are any, in machines that are not too large.
static bool rest_by_least(hf_sim *sim, double enough, double rho, int moved, hf_fc3d_info *info)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (!hf_ts_hold(sim, enough, rho, true)) {
        return false;
    }
    info->residual = hf_ts_judge(ts, rho);
    return rests_more(sim, moved, info->residual, enough);
}

// By interior points from r = 0.
static bool rest_by_interior(hf_sim *sim, double enough, int moved, hf_fc3d_info *info)
{
    hf_timestep *ts = hf_timestep_of(sim);
    hf_error unused = {0};
    memset(ts->problem.r, 0, 3 * (size_t)ts->problem.count * sizeof *ts->problem.r);
    ts->solver->def.method = HF_FC3D_INTERIOR;
    hf_status status = hf_ts_solve_to(sim, sim->core->method.tolerance, info, &unused);
    ts->solver->def.method = HF_FC3D_AUTO;
    return status == HF_OK && rests_more(sim, moved, info->residual, enough);
}

bool hf_ts_remain(hf_sim *sim, double enough, double rho, hf_fc3d_info *info)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (ts->plugged.solve != NULL || ts->attempt.traits.carried ||
        ts->problem.count > MOST_CONTACTS || ts->solver->def.method != HF_FC3D_AUTO) {
        return false;
    }
    // Whether anything that rested moves
    ts->attempt.outcome.info.residual = info->residual;
    int moved = count_moved(sim);
    if (moved == 0) {
        return false;
    }
    // What was found is kept for the case that nothing rests
    size_t bytes = 3 * (size_t)ts->problem.count * sizeof *ts->problem.r;
    hf_fc3d_info other = {.residual = 0.0};
    memcpy(ts->scratch.given, ts->problem.r, bytes);
    memcpy(ts->scratch.found, ts->problem.u, bytes);
    bool found = rest_by_least(sim, enough, rho, moved, &other) ||
                 rest_by_interior(sim, enough, moved, &other);
    if (found) {
        other.iterations += info->iterations;
        *info = other;
        return true;
    }
    memcpy(ts->problem.r, ts->scratch.given, bytes);
    memcpy(ts->problem.u, ts->scratch.found, bytes);
    hf_ts_apply(ts, ts->problem.r);
    ts->attempt.outcome.info.residual = info->residual;
    return false;
}
