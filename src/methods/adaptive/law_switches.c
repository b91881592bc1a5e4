// SPDX-License-Identifier: Apache-2.0
// Laws with a memory that switches (hf_law_info.switches), located as events.
//
// Within a piece the modes are fixed, whatever the integrator tries. Each switching function is two
// root functions, itself and itself with its margin: one that begins at zero, or just below, never
// falls through it, but it falls through minus the margin where the motion goes on that way. Where
// one falls the law changes its modes and its state, and the integrator begins anew there. Where it
// begins, after whatever moved the machine (an impact, a jump of a belt, the caller), functions
// that are below their margins have fallen already.
//
// A friction element with a static level above the kinetic one, and no Stribeck velocity between
// them, has the level of what it did last: stick or slip. Where it comes to the other its root
// function goes from 1 to -1.
#include "methods/adaptive/law_switches.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/adaptive/adaptive.h"
#include "methods/adaptive/info.h"
#include "sim/method_info.h"

// A margin of this many absolute tolerances for rates, as of exact friction (switch_create.c).
#define RATE_MARGIN 10.0
// Rounds in which functions that have fallen already are looked for: each sees the modes of the
// one before.
enum { ROUNDS = 8 };
// More switches than this within the time are an error [s].
enum { MOST_SWITCHES = 5000 };
#define SWITCH_TIME 0.01

static hf_law_in law_in(const hf_sim *sim, int i, const double *x)
{
    const hf_model *model = sim->model;
    const hf_force_place *force = &model->forces[i];
    const hf_method_def *method = &sim->core->method;
    return (hf_law_in){.gap = sim->gap + force->row,
                       .rate = sim->rate + force->row,
                       .y = x + model->nq + model->nv + force->y,
                       .normal = hf_normal_for(sim, force),
                       .regime = hf_force_regime(sim, i),
                       .modes = sim->law_modes + force->switches,
                       .near_gap = method->atol,
                       .near_rate = RATE_MARGIN * method->atol,
                       .near_relative = method->rtol};
}

// Elements whose level depends on whether they slip. A method may solve them exactly itself: their
// functions are then 1.
static bool is_held(const hf_force_place *force)
{
    return force->exact != HF_EXACT_FRICTION && force->item != NULL && hf_force_is_held(force);
}

static bool is_watched(const hf_sim *sim, const hf_force_place *force)
{
    return is_held(force) && !(force->exact != HF_EXACT_NONE && sim->exact_contacts);
}

int hf_law_root_count(const hf_model *model)
{
    int count = HF_LAW_ROOTS * model->switch_count;
    for (int i = 0; i < model->force_count; ++i) {
        count += is_held(&model->forces[i]) ? 1 : 0;
    }
    return count;
}

// Whether the last evaluation found a friction in slip that began in stick, or the other way round.
static bool has_turned(const hf_sim *sim, int i)
{
    return (hf_mode_regime(sim->mode[i]) == HF_REGIME_SLIP) !=
           (hf_force_regime(sim, i) == HF_REGIME_SLIP);
}

// Whether some law's level depends on a force, or on slip, so that these are to be evaluated.
static bool is_loaded(const hf_sim *sim)
{
    const hf_model *model = sim->model;
    bool loaded = false;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        loaded = loaded || is_watched(sim, force);
        loaded =
            loaded || (force->switch_count > 0 && (force->normal_force >= 0 || force->load >= 0));
    }
    return loaded;
}

// Values of all switching functions, where the motion was looked at. What is off has none.
static void look(const hf_sim *sim, const double *x, hf_law_switch *functions)
{
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        hf_law_switch *first = functions + force->switches;
        if (force->switch_count == 0) {
            continue;
        }
        if (hf_force_is_on(sim, force)) {
            hf_law_in in = law_in(sim, i, x);
            force->info->switches(force->def, force->dim, &in, first);
        }
        for (int k = 0; k < force->switch_count && !hf_force_is_on(sim, force); ++k) {
            first[k] = (hf_law_switch){.value = 1.0, .margin = 1.0};
        }
    }
}

void hf_law_roots(hf_sim *sim, double t, hf_side side, double *x, double *g)
{
    hf_law_switch *functions = hf_adaptive_of(sim)->functions;
    if (is_loaded(sim)) {
        hf_integrator *integrator = &hf_adaptive_of(sim)->integrator;
        hf_sim_eval(sim, t, side, 0.0, x, sim->slope);
        if (integrator->finish != NULL) {
            integrator->finish(sim, t, side, x, sim->slope);
        }
        sim->core->stats.evaluations -= 1;
        sim->core->stats.observations += 1;
    } else {
        hf_sim_observe(sim, t, side, x);
    }
    look(sim, x, functions);
    for (int k = 0; k < sim->model->switch_count; ++k) {
        g[HF_LAW_ROOTS * k] = functions[k].value;
        g[HF_LAW_ROOTS * k + 1] = functions[k].value + functions[k].margin;
    }
    int k = HF_LAW_ROOTS * sim->model->switch_count;
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        if (is_held(force)) {
            g[k++] = is_watched(sim, force) && has_turned(sim, i) ? -1.0 : 1.0;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// What happens

// A law at the present state: its stored energy, and its mode as events report it.
static double stored_in(hf_sim *sim, int i, int *mode)
{
    const hf_force_place *force = &sim->model->forces[i];
    double f[HF_LAW_MAX_DIM] = {0.0};
    hf_law_in in = law_in(sim, i, sim->x);
    hf_law_out out = {.force = f, .dy = sim->slope + sim->model->nq + sim->model->nv + force->y};
    force->info->eval(force->def, force->dim, &in, &out);
    *mode = out.regime == HF_REGIME_OPEN    ? (int)HF_MODE_OPEN
            : out.regime == HF_REGIME_STICK ? 0
            : force->dim == 1 && f[0] < 0.0 ? -1
                                            : 1;
    return out.stored;
}

static void tell(hf_sim *sim, const hf_force_place *force, int from, int to)
{
    if (from == to || !hf_method_info_get(sim->core->method.type)->locates_events) {
        return;
    }
    sim->core->stats.events += 1;
    if (sim->on_event != NULL) {
        hf_event event = {
            .time = sim->core->time, .force = {force->id + 1}, .from = from, .to = to};
        sim->on_event(sim->event_context, &event);
    }
}

// Too many switches in a short time are no motion of a machine.
static hf_status count(hf_sim *sim, const hf_force_place *force, hf_error *error)
{
    hf_adaptive *own = hf_adaptive_of(sim);
    double t = sim->core->time, since = t - own->switch_window;
    if (!(since >= 0.0 && since <= SWITCH_TIME)) {
        own->switch_window = t;
        own->switch_window_count = 0;
    }
    own->switch_window_count += 1;
    return own->switch_window_count <= MOST_SWITCHES
               ? HF_OK
               : hf_error_at(error, HF_ERROR_CONVERGENCE, hf_at_time(t, NULL, force->name),
                             "'%s' and others switched more than %d times within %g s", force->name,
                             MOST_SWITCHES, SWITCH_TIME);
}

// Changes the laws whose functions own->switched names. The motion was looked at.
static hf_status change(hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    const bool *switched = hf_adaptive_of(sim)->switched;
    double *y = sim->x + model->nq + model->nv, *work = y + model->ny;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        bool some = false;
        for (int k = 0; k < force->switch_count; ++k) {
            some = some || switched[force->switches + k];
        }
        if (!some) {
            continue;
        }
        HF_TRY(count(sim, force, error));
        int from, to;
        double before = stored_in(sim, i, &from);
        hf_law_in in = law_in(sim, i, sim->x);
        force->info->change(force->def, force->dim, &in, switched + force->switches,
                            sim->law_modes + force->switches, y + force->y);
        double after = stored_in(sim, i, &to);
        work[i] += hf_force_is_active(force) ? 0.0 : before - after;
        tell(sim, force, from, to);
    }
    // Rates are others now: as after a sample of a controller
    sim->fresh = false;
    sim->core->sampled = true;
    return HF_OK;
}

// From here on a friction has the level of what it does now.
static hf_status turn(hf_sim *sim, int i, hf_error *error)
{
    const hf_force_place *force = &sim->model->forces[i];
    double from = sim->mode_before[i], to = sim->mode[i];
    HF_TRY(count(sim, force, error));
    sim->mode_before[i] = to;
    sim->tallies[i].transitions += 1;
    tell(sim, force, (int)from, (int)to);
    return HF_OK;
}

// The same of all that have turned by the last evaluation, of which `fallen` says which (NULL:
// any).
static hf_status turn_all(hf_sim *sim, const int *fallen, bool *some, hf_error *error)
{
    int k = HF_LAW_ROOTS * sim->model->switch_count;
    *some = false;
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        if (!is_held(force)) {
            continue;
        }
        bool asked = fallen == NULL || fallen[k] != 0;
        ++k;
        if (asked && is_watched(sim, force) && has_turned(sim, i)) {
            HF_TRY(turn(sim, i, error));
            *some = true;
        }
    }
    if (*some) {
        sim->fresh = false;
        sim->core->sampled = true;
    }
    return HF_OK;
}

hf_status hf_law_switches_meet(hf_sim *sim, const int *fallen, hf_error *error)
{
    bool *switched = hf_adaptive_of(sim)->switched, some = false, turned = false;
    for (int k = 0; k < sim->model->switch_count; ++k) {
        switched[k] = fallen[HF_LAW_ROOTS * k] != 0 || fallen[HF_LAW_ROOTS * k + 1] != 0;
        some = some || switched[k];
    }
    for (int k = HF_LAW_ROOTS * sim->model->switch_count; k < hf_law_root_count(sim->model); ++k) {
        turned = turned || fallen[k] != 0;
    }
    if (some || turned) {
        hf_sim_refresh(sim, 0.0);
        HF_TRY(turn_all(sim, fallen, &turned, error));
    }
    return some ? change(sim, error) : HF_OK;
}

hf_status hf_law_switches_begin(hf_sim *sim, bool *changed, hf_error *error)
{
    hf_adaptive *own = hf_adaptive_of(sim);
    bool some = sim->model->switch_count > 0;
    bool turned = hf_law_root_count(sim->model) > HF_LAW_ROOTS * sim->model->switch_count;
    *changed = false;
    for (int round = 0; round < ROUNDS && turned; ++round) {
        hf_sim_refresh(sim, 0.0);
        HF_TRY(turn_all(sim, NULL, &turned, error));
        *changed = *changed || turned;
    }
    for (int round = 0; round < ROUNDS && some; ++round) {
        hf_sim_refresh(sim, 0.0);
        look(sim, sim->x, own->functions);
        some = false;
        for (int k = 0; k < sim->model->switch_count; ++k) {
            own->switched[k] = own->functions[k].value + own->functions[k].margin <= 0.0;
            some = some || own->switched[k];
        }
        if (some) {
            HF_TRY(change(sim, error));
            *changed = true;
        }
    }
    return HF_OK;
}
