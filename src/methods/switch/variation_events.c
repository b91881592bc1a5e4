// SPDX-License-Identifier: Apache-2.0
// Derivatives at events: when they come for the sims beside the present one, and what they leave.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/switch/switch.h"
#include "methods/switch/variation.h"

// Time over which a root function is differentiated along the motion, as a part of the last
// internal step, and at least so many roundings of the time.
static const double PART_OF_STRIDE = 1e-4, LEAST_ROUNDINGS = 1e6;
// Two root functions that fall at once are one event where their shifts agree to this part, or
// differ by less than this time for the sims beside [s].
static const double SAME_PART = 1e-4, SAME_TIME = 1e-12;
// An event that the step of differences moves by more than this [s] is only grazed.
static const double MOST_SHIFT = 1e-2;
// Rounding of a number, of itself; times below this [s] are rounded as this one is.
static const double ROUNDING = 2.2e-16, LEAST_TIME = 1e-3;

// ------------------------------------------------------------------------------------------------
// When

// Root functions of a sim in the state x at time t, to its own root_values.
static const double *roots_at(hf_sim *sim, double t, const double *x)
{
    hf_integrator *integrator = hf_integrator_of(sim);
    hf_side side;
    bool closed = true;
    double *trial = hf_integrator_trial(integrator, &t, &side, x, &closed);
    integrator->roots(sim, t, side, trial, integrator->root_values);
    sim->fresh = false;
    return integrator->root_values;
}

// How fast a root function falls along the motion.
static double fall_rate(hf_sensitivity *se, int root)
{
    hf_variation *own = hf_variation_of(se);
    const hf_integrator *integrator = hf_integrator_of(se->base);
    int n = se->sim->model->n;
    double t = se->sim->core->time;
    double wish =
        fmax(PART_OF_STRIDE * own->stride, LEAST_ROUNDINGS * ROUNDING * fmax(LEAST_TIME, t));
    double back = fmin(wish, t - integrator->from), ahead = fmin(wish, integrator->until - t);
    back = fmax(back, 0.0);
    ahead = fmax(ahead, 0.0);
    hf_variation_move(n, own->before, -back, own->slope, 0.0, own->slope, own->low);
    double below = roots_at(se->base, t - back, own->low)[root];
    hf_variation_move(n, own->before, ahead, own->slope, 0.0, own->slope, own->low);
    double above = roots_at(se->base, t + ahead, own->low)[root];
    return (above - below) / (back + ahead);
}

// How a root function differs for the sims beside, at the present time.
static double root_change(hf_sensitivity *se, const hf_beside *b, int root)
{
    hf_variation *own = hf_variation_of(se);
    int n = se->sim->model->n;
    double t = se->sim->core->time, value[HF_BESIDES];
    for (int side = 0; side < HF_BESIDES; ++side) {
        double factor = side == HF_ABOVE ? b->step : -b->step;
        hf_variation_move(n, own->before, factor, b->s, 0.0, b->s, own->low);
        value[side] = roots_at(b->sims[side], t, own->low)[root];
    }
    return (value[HF_ABOVE] - value[HF_BELOW]) / (2.0 * b->step);
}

// The shift of one root function for all terms; `first`: the others are to agree with it.
static void take_shift(hf_sensitivity *se, int element, int root, bool first, int *of_first)
{
    hf_variation *own = hf_variation_of(se);
    const hf_switch *exact = hf_switch_of(se->sim);
    const char *name = se->sim->model->forces[exact->elements[element].force].name;
    double rate = fall_rate(se, root);
    for (int i = 0; i < se->count && se->failure.status == HF_OK; ++i) {
        const hf_beside *b = &se->besides[i];
        double shift = -root_change(se, b, root) / rate;
        if (!(fabs(shift * b->step) <= MOST_SHIFT)) {
            hf_sensitivity_fail(se, "an event of '%s' is only grazed", name);
        } else if (first) {
            own->shift[i] = shift;
            *of_first = exact->elements[element].force;
        } else if (!(fabs(shift - own->shift[i]) <=
                     SAME_PART * fabs(shift) + SAME_TIME / b->step)) {
            hf_sensitivity_fail(se,
                                "'%s' and '%s' change at once, but one after the other for a "
                                "slightly different value",
                                se->sim->model->forces[*of_first].name, name);
        }
    }
}

void hf_variation_find_shifts(hf_sim *sim)
{
    hf_sensitivity *se = sim->sensitivity;
    hf_variation *own = hf_variation_of(se);
    const hf_switch *exact = hf_switch_of(sim);
    const int *fallen = hf_integrator_of(sim)->fallen;
    bool first = true;
    int of_first = 0;
    // The rate before the event, and the shift of what fell
    memset(own->shift, 0, (size_t)se->count * sizeof *own->shift);
    if (hf_integrator_rate_at(hf_integrator_of(se->base), sim->core->time, own->before,
                              own->slope) != 0) {
        hf_sensitivity_fail(se, "the rate could not be evaluated");
    }
    for (int i = 0; i < exact->count && se->failure.status == HF_OK; ++i) {
        bool taken = false; // its first root function; the second is the same and a margin
        for (int k = 0; k < HF_ROOT_FAST && !taken; ++k) {
            if (fallen[HF_ELEMENT_ROOTS * i + k] != 0) {
                take_shift(se, i, HF_ELEMENT_ROOTS * i + k, first, &of_first);
                first = false;
                taken = true;
            }
        }
    }
    // The others meet what this one meets
    size_t size = (size_t)(HF_ELEMENT_ROOTS * exact->count) * sizeof *fallen;
    memcpy(hf_integrator_of(se->base)->fallen, fallen, size);
    for (int i = 0; i < se->count; ++i) {
        for (int side = 0; side < HF_BESIDES; ++side) {
            memcpy(hf_integrator_of(se->besides[i].sims[side])->fallen, fallen, size);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// What it leaves

// What elements count and allow for, which does not depend on numbers.
static void copy_counts(const hf_sim *sim, const hf_sim *other)
{
    hf_switch *to = hf_switch_of(other);
    const hf_switch *from = hf_switch_of(sim);
    for (int i = 0; from != NULL && i < from->count; ++i) {
        const hf_element *a = &from->elements[i];
        hf_element *b = &to->elements[i];
        b->allowance = a->allowance;
        b->burst = a->burst;
        b->burst_count = a->burst_count;
        b->latched_at = a->latched_at;
        b->latches = a->latches;
    }
    if (from != NULL) {
        to->window = from->window;
        to->window_count = from->window_count;
    }
}

// Whether another sim of the set came to the same modes.
static bool agrees(hf_sensitivity *se, const hf_sim *other)
{
    const hf_switch *mine = hf_switch_of(se->sim), *its = hf_switch_of(other);
    for (int i = 0; mine != NULL && i < mine->count; ++i) {
        const hf_element *e = &mine->elements[i];
        if (e->mode != its->elements[i].mode || e->wall != its->elements[i].wall) {
            hf_sensitivity_fail(se,
                                "'%s' goes another way for a slightly different value: it "
                                "sticks or slides, opens or closes there",
                                se->sim->model->forces[e->force].name);
            return false;
        }
    }
    return true;
}

// One sim goes through it at its own time and state.
static bool go_through(hf_sensitivity *se, hf_sim *other, double t, const double *x, hf_pass pass)
{
    hf_error error = {0};
    hf_variation_place(se, other, t, x);
    hf_adaptive_cross(other, INFINITY);
    if (pass != hf_switch_meet) { // as in the present run, the integrator's history no longer holds
        other->core->running = hf_variation_of(se)->running;
        other->core->sampled = true;
    }
    if (pass(other, &error) < 0) {
        hf_sensitivity_fail(se, "for a slightly different value the machine does not go on: %s",
                            error.text);
        return false;
    }
    if (pass != hf_switch_meet) { // events do not end pieces between jumps
        hf_integrator_find_piece(hf_integrator_of(other), t);
    }
    return agrees(se, other);
}

void hf_variation_cross(hf_sim *sim, hf_pass pass)
{
    hf_sensitivity *se = sim->sensitivity;
    if (se == NULL || se->failure.status != HF_OK || !hf_variation_of(se)->waiting) {
        return;
    }
    hf_variation *own = hf_variation_of(se);
    int n = sim->model->n;
    double t = sim->core->time;
    hf_sensitivity_copy_inputs(se);
    // The sim that evaluates, for the rate after it
    bool good = go_through(se, se->base, t, own->before, pass);
    good = good && hf_integrator_rate_at(hf_integrator_of(se->base), t, sim->x, own->after) == 0;
    // Those beside
    for (int i = 0; i < se->count && good; ++i) {
        hf_beside *b = &se->besides[i];
        for (int side = 0; side < HF_BESIDES && good; ++side) {
            double factor = side == HF_ABOVE ? b->step : -b->step;
            hf_variation_move(n, own->before, factor, b->s, own->shift[i], own->slope, own->low);
            good = go_through(se, b->sims[side], t + factor * own->shift[i], own->low, pass);
        }
        for (int k = 0; k < n && good; ++k) {
            b->s[k] = (b->sims[HF_ABOVE]->x[k] - b->sims[HF_BELOW]->x[k]) / (2.0 * b->step) -
                      own->shift[i] * own->after[k];
        }
    }
    if (!good) {
        hf_sensitivity_fail(se, "the machine does not go on for a slightly different value");
        return;
    }
    // From here
    double *y = N_VGetArrayPointer(own->y);
    memcpy(y, sim->x, (size_t)n * sizeof *y);
    for (int i = 0; i < se->count; ++i) {
        memcpy(y + (size_t)(i + 1) * (size_t)n, se->besides[i].s, (size_t)n * sizeof *y);
        for (int side = 0; side < HF_BESIDES; ++side) {
            copy_counts(sim, se->besides[i].sims[side]);
        }
    }
    copy_counts(sim, se->base);
    own->time = se->known = t;
    own->waiting = false;
}

// An input jumps, or the integrator begins anew: of adaptive nothing but samples is to be done.
static hf_status observe(hf_sim *other, hf_error *error)
{
    (void)error;
    hf_sim_refresh(other, 0.0);
    return HF_OK;
}

void hf_variation_begun(hf_sim *sim)
{
    hf_variation_cross(sim, hf_switch_of(sim) == NULL ? observe : hf_switch_begin);
}

void hf_variation_met(hf_sim *sim)
{
    hf_variation_cross(sim, hf_switch_meet);
}
