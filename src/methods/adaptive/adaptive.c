// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_ADAPTIVE: laws that are ordinary differential equations (tau = 0), integrated to a
// tolerance, and the table that plugs the adaptive methods in.
//
// A recorded step ends inside an internal one; its state is the integrator's own interpolation. So
// recording does not change the internal steps. The integrator begins anew where the
// right-hand side or the state changes other than by integration: a jump or kink of an input
// (pieces.c), a sample of a controller, an input or a state that the caller set, a friction whose
// level depends on the regime it was in (static above kinetic without a Stribeck velocity), a
// switch of a law's memory, which is located (law_switches.c), and so many steps that a saved run
// would take long to repeat (resume.h).
//
// No internal step passes over a contact: it ends at a horizon before which nothing can be touched
// and left again (horizon.c). Horizons depend on the motion alone, not on what is recorded.
//
// Pairs of spheres of a swarm are found at recorded steps and horizons, all that can touch until
// the next one. Where new ones are found, the integrator begins anew. Points of contact between
// shapes are looked for at horizons alone; while they are the same but for little those that there
// are stay, and the integrator goes on.
#include "methods/adaptive/adaptive.h"
#include "loops/loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <holdfast/adaptive.h>

#include "base/carve.h"
#include "base/error.h"
#include "methods/adaptive/info.h"
#include "methods/adaptive/law_switches.h"
#include "methods/adaptive/resume.h"
#include "methods/switch/features.h"
#include "methods/switch/variation.h"
#include "swarm/swarm.h"

// ------------------------------------------------------------------------------------------------
// What may disturb the integrator

// Prescribed motion is written into the state by evaluations: it is not the integrator's.
static void copy_prescribed(const hf_model *model, const double *from, double *to)
{
    for (int i = 0; i < model->drive_count; ++i) {
        const hf_drive *d = &model->drives[i];
        to[model->nq + d->v] = from[model->nq + d->v];
        if (!d->by_velocity) {
            to[d->q] = from[d->q];
        }
    }
}

// Whether anything but the integrator changed what the future depends on.
static bool disturbed(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_adaptive *own = hf_adaptive_of(sim);
    copy_prescribed(model, sim->x, own->known);
    bool regimes = false;
    for (int i = 0; i < model->force_count; ++i) {
        regimes = regimes || (own->held[i] && hf_mode_regime(sim->mode_before[i]) !=
                                                  hf_mode_regime(own->known_modes[i]));
    }
    return regimes || memcmp(own->known, sim->x, (size_t)model->n * sizeof *sim->x) != 0 ||
           memcmp(own->inputs, sim->inputs, (size_t)model->signal_count * sizeof *sim->inputs) != 0;
}

bool hf_adaptive_goes_on(hf_sim *sim)
{
    return sim->core->running && !sim->core->sampled &&
           !hf_integrator_at_jump(&hf_adaptive_of(sim)->integrator, sim->core->time) &&
           !sim->pairs_changed && !disturbed(sim);
}

void hf_adaptive_settle(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_adaptive *own = hf_adaptive_of(sim);
    memcpy(own->known, sim->x, (size_t)model->n * sizeof *sim->x);
    memcpy(own->inputs, sim->inputs, (size_t)model->signal_count * sizeof *sim->inputs);
    sim->core->sampled = false;
    sim->core->running = true;
    sim->pairs_changed = false;
}

// ------------------------------------------------------------------------------------------------
// Creation

// The most switching functions that one signal has.
static size_t most_switches(const hf_model *model)
{
    int most = 0;
    for (int i = 0; i < model->signal_count; ++i) {
        int count = hf_signal_switch_count(model, i);
        most = count > most ? count : most;
    }
    return (size_t)most;
}

// The block begins with hf_adaptive itself.
static void lay_out(const hf_model *model, hf_adaptive *own, hf_carver *c)
{
    size_t n = (size_t)model->n, forces = (size_t)model->force_count;
    (void)hf_carve(c, 1, sizeof *own);
    own->known = hf_carve(c, n, sizeof(double));
    own->integrator.trial = hf_carve(c, n, sizeof(double));
    own->inputs = hf_carve(c, (size_t)model->signal_count, sizeof(double));
    own->known_modes = hf_carve(c, forces, sizeof(double));
    size_t switches = most_switches(model);
    own->integrator.switch_values = hf_carve(c, 4 * switches, sizeof(double));
    own->integrator.switch_room = (int)switches;
    own->held = hf_carve(c, forces, sizeof(bool));
    size_t functions = (size_t)model->switch_count;
    own->functions = hf_carve(c, functions, sizeof *own->functions);
    own->switched = hf_carve(c, functions, sizeof *own->switched);
    size_t roots = (size_t)hf_law_root_count(model);
    own->integrator.fallen = hf_carve(c, roots, sizeof(int));
    own->integrator.root_values = hf_carve_matrix(c, HF_ROOT_VALUES, roots, sizeof(double));
    if (own->watches) {
        own->gaps = hf_carve(c, (size_t)model->row_count, sizeof(double));
        own->rates = hf_carve(c, (size_t)model->row_count, sizeof(double));
        own->velocities = hf_carve(c, (size_t)model->pose_count, sizeof(hf_vec3));
        own->spins = hf_carve(c, (size_t)model->pose_count, sizeof(hf_vec3));
        own->frequencies = hf_carve(c, forces, sizeof(double));
    }
}

// Laws that depend on the other forces of this instant: with rates J (v + v' s) the free
// accelerations are exact, whatever the seconds s.
static void solve_instant(hf_sim *sim, double t, hf_side side, const double *x, double *dx)
{
    (void)t;
    (void)side;
    hf_step_forces_solve(sim, x, dx, 1.0);
}

static hf_status create(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_method_type method = sim->core->method.type;
    // One block
    hf_carver counter = {0};
    hf_adaptive counted = {.watches =
                               method == HF_METHOD_ADAPTIVE && hf_adaptive_needs_horizon(model)};
    lay_out(model, &counted, &counter);
    char *block =
        counter.overflow ? NULL : sim->allocator.allocate(sim->allocator.context, counter.used);
    if (block == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sim");
    }
    memset(block, 0, counter.used);
    hf_adaptive *own = (hf_adaptive *)(void *)block;
    sim->work = own;
    own->watches = counted.watches;
    lay_out(model, own, &(hf_carver){.base = block});
    // The integrator, and what it integrates and locates
    for (int i = 0; i < model->force_count; ++i) {
        own->held[i] =
            model->forces[i].exact != HF_EXACT_FRICTION && hf_force_is_held(&model->forces[i]);
    }
    own->integrator.sim = sim;
    own->integrator.roots = hf_law_roots;
    own->integrator.root_count = hf_law_root_count(model);
    own->integrator.finish = model->island_count > 0 ? solve_instant : NULL;
    if (method == HF_METHOD_SWITCH) {
        HF_TRY(hf_switch_create(sim, error));
    }
    return hf_integrator_create(&own->integrator, error);
}

static void destroy(hf_sim *sim)
{
    if (sim->work != NULL) {
        hf_integrator_destroy(&hf_adaptive_of(sim)->integrator);
        hf_switch_destroy(sim);
        sim->allocator.release(sim->allocator.context, sim->work);
    }
}

// ------------------------------------------------------------------------------------------------
// A recorded step

// A jump at the end itself, or beside it by rounding, is crossed once the step is over (step.c).
void hf_adaptive_cross(hf_sim *sim, double end)
{
    bool within = sim->core->time < end - hf_near_time(isfinite(end) ? end : 0.0);
    if (within && (sim->model->drive_count > 0 || sim->model->gates_stores) &&
        hf_integrator_at_jump(&hf_adaptive_of(sim)->integrator, sim->core->time)) {
        hf_sim_cross_jump(sim);
        hf_adaptive_settle(sim);
    }
}

hf_reach hf_adaptive_reach(hf_sim *sim, double end, hf_error *error)
{
    hf_adaptive *own = hf_adaptive_of(sim);
    hf_sim_core *core = sim->core;
    double reached = core->time;
    core->running = false; // until it ends well
    hf_reach reach = hf_integrator_reach(&own->integrator, end, &reached, error);
    sim->fresh = false;
    if (reach == HF_REACH_FAILED) {
        return reach;
    }
    memcpy(own->known_modes, sim->mode_before, (size_t)sim->model->force_count * sizeof(double));
    if (hf_sim_commit(sim, reached - core->time, reached, error) < 0) {
        return HF_REACH_FAILED;
    }
    hf_adaptive_settle(sim);
    hf_resume_note_state(sim);
    return reach;
}

// A new horizon where the last one is reached.
static hf_status look_out(hf_sim *sim, bool goes_on, hf_error *error)
{
    hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
    double t = sim->core->time;
    if (!hf_adaptive_of(sim)->watches || (goes_on && t < integrator->horizon)) {
        return HF_OK;
    }
    integrator->horizon = t + fmax(hf_adaptive_horizon(sim), HF_JUST * DBL_EPSILON * fabs(t));
    hf_resume_note_horizon(sim);
    return hf_integrator_limit(integrator) < 0
               ? hf_error_set(error, HF_ERROR_STATE, "the integrator is beyond its horizon")
               : HF_OK;
}

// Points between shapes where the integrator begins or has come to its horizon. False: it is to
// begin with other ones.
static bool look_for_points(hf_sim *sim, bool goes_on)
{
    double horizon = hf_adaptive_of(sim)->integrator.horizon;
    if (sim->shapes == NULL ||
        (goes_on && (sim->core->time < horizon || !hf_shape_forces_moved(sim)))) {
        return goes_on;
    }
    hf_shape_forces_release(sim);
    sim->fresh = false;
    hf_sim_begin(sim, 0.0);
    return false;
}

static hf_status advance(hf_sim *sim, double end, hf_error *error)
{
    hf_adaptive *own = hf_adaptive_of(sim);
    hf_error local;
    error = error == NULL ? &local : error;
    if (own->exact != NULL) {
        return hf_switch_advance(sim, end, error);
    }
    while (sim->core->time < end) {
        // Begins anew where something else has changed the state
        HF_TRY(hf_loops_meet(sim, error));
        hf_sim_begin(sim, 0.0);
        bool goes_on = hf_adaptive_goes_on(sim) && !hf_integrator_is_due(&own->integrator);
        goes_on = look_for_points(sim, goes_on);
        if (!goes_on) {
            hf_variation_before(sim);
            bool changed = false;
            HF_TRY(hf_law_switches_begin(sim, &changed, error));
            if (changed) {
                hf_sim_begin(sim, 0.0);
                hf_adaptive_settle(sim);
            }
            hf_variation_begun(sim);
            HF_TRY(hf_integrator_restart(&own->integrator, error));
            hf_resume_begin(sim);
        }
        // To the next horizon, switch, jump or record
        HF_TRY(look_out(sim, goes_on, error));
        hf_reach reach = hf_adaptive_reach(sim, end, error);
        if (reach == HF_REACH_FAILED) {
            return error->status;
        }
        hf_variation_reached(sim, false);
        if (reach == HF_REACH_ROOT) {
            HF_TRY(hf_law_switches_meet(sim, own->integrator.fallen, error));
        }
        hf_adaptive_cross(sim, end);
    }
    return HF_OK;
}

static void refresh(hf_sim *sim)
{
    if (hf_adaptive_of(sim)->exact != NULL) {
        hf_switch_refresh(sim);
    } else {
        hf_sim_eval(sim, sim->core->time, HF_SIDE_RIGHT, 0.0, sim->x, sim->k);
        hf_step_forces_solve(sim, sim->x, sim->k, 1.0);
    }
}

// Forces of steps during an evaluation.
static void forces(hf_sim *sim, int first, int end, double *dw)
{
    if (hf_adaptive_of(sim)->exact != NULL) {
        hf_switch_forces(sim, first, end, dw);
    } else {
        hf_step_forces_clear(sim, first, end, dw);
    }
}

static bool serves(hf_method_type type)
{
    return type == HF_METHOD_ADAPTIVE || type == HF_METHOD_SWITCH;
}

static const hf_method_table table = {.serves = serves,
                                      .create = create,
                                      .destroy = destroy,
                                      .advance = advance,
                                      .forces = forces,
                                      .refresh = refresh,
                                      .hold = hf_switch_hold,
                                      .pushes = hf_points_tell,
                                      .vary = hf_variation_create,
                                      .vary_end = hf_variation_destroy,
                                      .vary_show = hf_variation_show,
                                      .kept_size = hf_resume_size,
                                      .keep = hf_resume_keep,
                                      .resume = hf_resume_go_on};

const hf_method_table *hf_adaptive_methods(void)
{
    return &table;
}
