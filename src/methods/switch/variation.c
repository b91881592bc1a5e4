// SPDX-License-Identifier: Apache-2.0
// Derivatives between events: the variational equations, by ARKODE's explicit method of order 6.
#include "methods/switch/variation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <arkode/arkode_erkstep.h>

#include "base/error.h"
#include "methods/switch/switch.h"

// Tolerances of derivatives: the run's own between these. Below the least the rounding of
// differences is all that is left.
static const double LEAST_RTOL = 1e-10, MOST_RTOL = 1e-8;
// A derivative of less than this part of the largest of its term is not looked at by itself.
static const double SMALL_PART = 1e-3;
// Works are integrated along but do not take part in the step control.
static const double NO_SAY = 1e-6;
// More internal steps than this between two states of the run are an error.
enum { MOST_STEPS = 200000 };

void hf_variation_move(int n, const double *x, double factor, const double *s, double dt,
                       const double *rate, double *out)
{
    for (int i = 0; i < n; ++i) {
        out[i] = x[i] + factor * (s[i] + dt * rate[i]);
    }
}

// ------------------------------------------------------------------------------------------------
// The equations

static int rate(double t, N_Vector y, N_Vector dy, void *context)
{
    const hf_sensitivity *se = context;
    const hf_variation *own = hf_variation_of(se);
    int n = se->sim->model->n;
    const double *x = N_VGetArrayPointer(y);
    double *dx = N_VGetArrayPointer(dy);
    int failed = hf_integrator_rate_at(hf_integrator_of(se->base), t, x, dx);
    for (int i = 0; i < se->count && failed == 0; ++i) {
        const hf_beside *b = &se->besides[i];
        const double *s = x + (size_t)(i + 1) * (size_t)n;
        double *ds = dx + (size_t)(i + 1) * (size_t)n, *at = own->low, *slope = own->high;
        hf_variation_move(n, x, -b->step, s, 0.0, s, at);
        failed = hf_integrator_rate_at(hf_integrator_of(b->sims[HF_BELOW]), t, at, slope);
        hf_variation_move(n, x, b->step, s, 0.0, s, at);
        failed |= hf_integrator_rate_at(hf_integrator_of(b->sims[HF_ABOVE]), t, at, ds);
        for (int k = 0; k < n; ++k) {
            ds[k] = (ds[k] - slope[k]) / (2.0 * b->step);
        }
    }
    return failed;
}

static int weigh(N_Vector y, N_Vector weights, void *context)
{
    const hf_sensitivity *se = context;
    const hf_variation *own = hf_variation_of(se);
    int n = se->sim->model->n, moving = hf_integrator_of(se->sim)->moving;
    double scale = sqrt((double)n / (double)moving);
    for (int i = 0; i <= se->count; ++i) {
        const double *value = N_VGetArrayPointer(y) + (size_t)i * (size_t)n;
        double *weight = N_VGetArrayPointer(weights) + (size_t)i * (size_t)n;
        double least = own->atol, largest = 0.0;
        for (int k = 0; i > 0 && k < moving; ++k) {
            largest = fmax(largest, fabs(value[k]));
        }
        if (i > 0) { // a change of x by its tolerance, over the step of differences
            least = own->rtol * SMALL_PART * largest + own->atol;
        }
        for (int k = 0; k < n; ++k) {
            weight[k] = scale / (own->rtol * fabs(value[k]) + least);
            weight[k] *= k < moving ? 1.0 : NO_SAY;
        }
    }
    return 0;
}

// A step so short that its error is rounding, with the rate at one of its ends.
static bool step_over(hf_sensitivity *se, double from, double to, double at)
{
    hf_variation *own = hf_variation_of(se);
    if (!(to > from)) {
        return true;
    }
    bool good = rate(at, own->y, own->rate, se) == 0;
    if (good) {
        N_VLinearSum(1.0, own->y, to - from, own->rate, own->y);
    }
    return good;
}

// How far jumps of the sims beside are from those of the present one, at the beginning of the piece
// or at its end.
static double jump_window(const hf_sensitivity *se, bool end)
{
    double window = 0.0;
    const hf_integrator *base = hf_integrator_of(se->base);
    for (int i = 0; i < se->count; ++i) {
        for (int side = 0; side < HF_BESIDES; ++side) {
            const hf_integrator *other = hf_integrator_of(se->besides[i].sims[side]);
            double apart = end ? base->until - other->until : other->from - base->from;
            window = isfinite(apart) ? fmax(window, apart) : window;
        }
    }
    return window;
}

static int evolve(hf_variation *own, double t, double longest)
{
    double reached = own->time;
    if (!(t - own->time > HF_JUST * DBL_EPSILON * fabs(t))) {
        return 0;
    }
    int flag = ERKStepReInit(own->memory, rate, own->time, own->y);
    double first = own->stride > 0.0 ? fmin(own->stride, t - own->time) : 0.0;
    first = longest > 0.0 && first > 0.0 ? fmin(first, longest) : first;
    flag = flag < 0 ? flag : ERKStepSetInitStep(own->memory, first);
    flag = flag < 0 ? flag : ERKStepSetMaxStep(own->memory, longest);
    flag = flag < 0 ? flag : ERKStepSetStopTime(own->memory, t);
    flag = flag < 0 ? flag : ERKStepEvolve(own->memory, t, own->y, &reached, ARK_NORMAL);
    double last = 0.0;
    if (flag >= 0 && ERKStepGetCurrentStep(own->memory, &last) >= 0) {
        own->stride = last;
    }
    return flag;
}

// From the state and time that are known to the present time. False: it could not. Where an input
// jumps earlier or later for the sims beside, the moment in which it has for some of them is
// stepped over.
static bool integrate(hf_sensitivity *se, double t)
{
    hf_variation *own = hf_variation_of(se);
    const hf_integrator *base = hf_integrator_of(se->base);
    double begin = own->time, end = t;
    double early = base->from + jump_window(se, false), late = base->until - jump_window(se, true);
    if (own->time < early) {
        begin = fmin(early, t);
    }
    if (late < t) {
        end = fmax(late, begin);
    }
    bool good = step_over(se, own->time, begin, begin);
    own->time = begin;
    int flag = good ? evolve(own, end, hf_integrator_of(se->sim)->log_step) : 0;
    if (!good || flag < 0 || !step_over(se, end, t, end)) {
        hf_sensitivity_fail(se,
                            "the variational equations could not be integrated from %.9g s on "
                            "(ARKODE's flag %d): they are too stiff, or a law jumps",
                            begin, flag);
        return false;
    }
    own->time = t;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Going along

void hf_variation_place(const hf_sensitivity *se, hf_sim *other, double t, const double *x)
{
    const hf_sim *sim = se->sim;
    const hf_model *model = sim->model;
    other->core->time = t;
    other->core->step_index = sim->core->step_index;
    memmove(other->x, x, (size_t)model->n * sizeof *x);
    memcpy(other->mode_before, sim->mode_before, (size_t)model->force_count * sizeof(double));
    memcpy(other->references, sim->references,
           (size_t)model->couplings.reference_count * sizeof *sim->references);
    other->core->uncarried = sim->core->uncarried;
    other->fresh = false;
    other->signals_valid = false;
    hf_adaptive_settle(other);
}

// Its derivatives, from the integrator's vector.
static void take_derivatives(hf_sensitivity *se)
{
    int n = se->sim->model->n;
    const double *y = N_VGetArrayPointer(hf_variation_of(se)->y);
    for (int i = 0; i < se->count; ++i) {
        memcpy(se->besides[i].s, y + (size_t)(i + 1) * (size_t)n, (size_t)n * sizeof *y);
    }
}

static bool is_carried(const hf_sim *sim)
{
    return sim->sensitivity != NULL && sim->sensitivity->failure.status == HF_OK;
}

void hf_variation_reached(hf_sim *sim, bool event)
{
    if (!is_carried(sim)) {
        return;
    }
    hf_sensitivity *se = sim->sensitivity;
    hf_variation *own = hf_variation_of(se);
    int n = sim->model->n;
    if (!integrate(se, sim->core->time)) {
        return;
    }
    take_derivatives(se);
    memcpy(N_VGetArrayPointer(own->y), sim->x, (size_t)n * sizeof(double));
    se->known = sim->core->time;
    own->waiting = event;
    if (event) {
        memcpy(own->before, sim->x, (size_t)n * sizeof(double));
        hf_variation_find_shifts(sim);
    }
}

// By how much later each of the other sims meets a jump of an input [s].
static void find_jump_shifts(hf_sensitivity *se)
{
    hf_variation *own = hf_variation_of(se);
    const hf_integrator *primary = hf_integrator_of(se->sim);
    bool jump = hf_integrator_at_jump(primary, se->sim->core->time);
    for (int i = 0; i < se->count; ++i) {
        const hf_beside *b = &se->besides[i];
        double low = hf_integrator_of(b->sims[HF_BELOW])->until;
        double high = hf_integrator_of(b->sims[HF_ABOVE])->until;
        own->shift[i] = jump && isfinite(low) && isfinite(high) && high != low
                            ? (high - low) / (2.0 * b->step)
                            : 0.0;
    }
    int failed = hf_integrator_rate_at(hf_integrator_of(se->base), se->sim->core->time, own->before,
                                       own->slope);
    if (failed != 0) {
        hf_sensitivity_fail(se, "the rate could not be evaluated");
    }
}

void hf_variation_before(hf_sim *sim)
{
    if (!is_carried(sim)) {
        return;
    }
    hf_sensitivity *se = sim->sensitivity;
    hf_variation *own = hf_variation_of(se);
    int n = sim->model->n;
    bool first = sim->core->step_index == 0 && sim->core->time == 0.0;
    // Nobody else has moved it
    if (!first && own->time != sim->core->time) {
        hf_sensitivity_fail(se, "the sim was restored or reset");
        return;
    }
    if (!first &&
        memcmp(N_VGetArrayPointer(own->y), sim->x,
               (size_t)(sim->model->nq + sim->model->nv) * sizeof(double)) != 0 &&
        !sim->core->running) {
        hf_sensitivity_fail(se, "the state of the sim was set");
        return;
    }
    // The state before, and when the jump comes for the others
    memcpy(own->before, sim->x, (size_t)n * sizeof(double));
    memset(own->shift, 0, (size_t)se->count * sizeof *own->shift);
    memset(own->slope, 0, (size_t)n * sizeof *own->slope);
    own->waiting = true;
    own->running = sim->core->running;
    for (int i = 0; first && i < se->count; ++i) { // where the others begin
        const hf_beside *b = &se->besides[i];
        for (int k = 0; k < n; ++k) {
            b->s[k] = (b->sims[HF_ABOVE]->x[k] - b->sims[HF_BELOW]->x[k]) / (2.0 * b->step);
        }
    }
    if (!first && hf_integrator_at_jump(hf_integrator_of(sim), sim->core->time)) {
        find_jump_shifts(se);
    }
    own->time = sim->core->time;
}

void hf_variation_show(hf_sensitivity *se, int term, int side)
{
    const hf_beside *b = &se->besides[term];
    hf_variation *own = hf_variation_of(se);
    double factor = side == HF_ABOVE ? b->step : -b->step;
    hf_variation_move(se->sim->model->n, se->sim->x, factor, b->s, 0.0, b->s, own->low);
    hf_variation_place(se, b->sims[side], se->sim->core->time, own->low);
}

// ------------------------------------------------------------------------------------------------
// Creation

hf_status hf_variation_create(hf_sensitivity *se, hf_error *error)
{
    const hf_switch *exact = hf_switch_of(se->sim);
    if (exact != NULL && hf_switch_has_points(exact)) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "derivatives do not go through contacts between shapes under switch, "
                            "which are found as it runs; contacts of spheres, boxes and capsules "
                            "with planes alone have them");
    }
    hf_variation *own = calloc(1, sizeof *own);
    size_t n = (size_t)se->sim->model->n, numbers = n * ((size_t)se->count + 1);
    const hf_method_def *method = &se->sim->core->method;
    se->work = own;
    double *room = own == NULL ? NULL : calloc(5 * n + (size_t)se->count + 1, sizeof *room);
    if (room == NULL || SUNContext_Create(NULL, &own->context) != 0) {
        free(room);
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for derivatives");
    }
    // Arrays and tolerances
    own->before = room;
    own->slope = room + n;
    own->after = room + 2 * n;
    own->low = room + 3 * n;
    own->high = room + 4 * n;
    own->shift = room + 5 * n;
    own->rtol = fmin(fmax(method->rtol, LEAST_RTOL), MOST_RTOL);
    own->atol = fmin(fmax(method->atol, LEAST_RTOL), MOST_RTOL);
    // The integrator
    own->y = N_VNew_Serial((sunindextype)numbers, own->context);
    own->rate = own->y == NULL ? NULL : N_VClone(own->y);
    own->memory = own->rate == NULL ? NULL : ERKStepCreate(rate, 0.0, own->y, own->context);
    if (own->memory == NULL || ERKStepSetErrHandlerFn(own->memory, hf_integrator_hush, NULL) < 0 ||
        ERKStepSetTableNum(own->memory, ARKODE_VERNER_8_5_6) < 0 ||
        ERKStepSetUserData(own->memory, se) < 0 || ERKStepWFtolerances(own->memory, weigh) < 0 ||
        ERKStepSetMaxNumSteps(own->memory, MOST_STEPS) < 0 ||
        ERKStepSetMaxHnilWarns(own->memory, -1) < 0) {
        return hf_error_set(error, HF_ERROR_MEMORY, "ARKODE could not be set up for derivatives");
    }
    return HF_OK;
}

void hf_variation_destroy(hf_sensitivity *se)
{
    hf_variation *own = hf_variation_of(se);
    if (own == NULL) {
        return;
    }
    if (own->memory != NULL) {
        ERKStepFree(&own->memory);
    }
    if (own->y != NULL) {
        N_VDestroy(own->y);
    }
    if (own->rate != NULL) {
        N_VDestroy(own->rate);
    }
    if (own->context != NULL) {
        (void)SUNContext_Free(&own->context);
    }
    free(own->before);
    free(own);
}
