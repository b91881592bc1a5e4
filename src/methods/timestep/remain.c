// SPDX-License-Identifier: Apache-2.0
// What is at rest, and can rest, remains at rest.
//
// Where contacts are redundant, the normal forces of a step are not unique, and with them what
// friction can hold: a capsule between two pads that touches each in two points may be carried by
// all four, or by those at one end alone, and then swings and falls. Both satisfy Coulomb's law in
// every point. A machine that was exactly at rest stays so if it can, as it does when its bodies
// are a little elastic. Whether it can is a convex problem,
//
//   find r in the friction cones with  W r + q = 0 in the normals that stay closed and in all
//   tangents,
//
// which interior points solve from r = 0 wherever it has a solution. So when a solution sets in
// motion what was at rest, they are asked before it is believed. That happens at break-aways, not
// in steps that slide or rest.
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

bool hf_ts_remain(hf_sim *sim, double enough, hf_fc3d_info *info)
{
    hf_timestep *ts = hf_timestep_of(sim);
    if (ts->plugged.solve != NULL || ts->attempt.traits.carried ||
        ts->problem.count > MOST_CONTACTS || ts->solver->def.method != HF_FC3D_AUTO) {
        return false;
    }
    ts->attempt.outcome.info.residual = info->residual;
    int moved = count_moved(sim);
    if (moved == 0) {
        return false;
    }
    // Interior points from r = 0; what was found before is kept for the case that nothing rests.
    size_t bytes = 3 * (size_t)ts->problem.count * sizeof *ts->problem.r;
    hf_fc3d_info other = {.residual = 0.0};
    hf_error unused = {0};
    memcpy(ts->scratch.given, ts->problem.r, bytes);
    memcpy(ts->scratch.found, ts->problem.u, bytes);
    memset(ts->problem.r, 0, bytes);
    ts->solver->def.method = HF_FC3D_INTERIOR;
    hf_status status = hf_ts_solve_to(sim, sim->core->method.tolerance, &other, &unused);
    ts->solver->def.method = HF_FC3D_AUTO;
    // Taken if less of what rested moves
    hf_ts_apply(ts, ts->problem.r);
    ts->attempt.outcome.info.residual = other.residual;
    if (status == HF_OK && other.residual <= enough && count_moved(sim) < moved) {
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
