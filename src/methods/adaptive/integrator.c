// SPDX-License-Identifier: Apache-2.0
// One integrator of SUNDIALS for the state of a sim, from one jump of the inputs to the next.
#include "methods/adaptive/integrator.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "loops/loops.h"
#include "methods/adaptive/compact.h"
#include "sim/loads.h"

static hf_side side_of(const hf_integrator *integrator, double *t)
{
    if (*t <= integrator->from) {
        *t = integrator->from;
        return HF_SIDE_RIGHT;
    }
    if (*t >= integrator->until) {
        *t = integrator->until;
        return HF_SIDE_LEFT;
    }
    return HF_SIDE_AT;
}

// A copy of x that an evaluation may write driven motion to, with unit quaternions, closed loops
// and what sticks in its place: rates are those of the nearest state that the machine can be in, so
// that what the integrator's own x drifts away from it changes nothing. *closed: whether that was
// found.
double *hf_integrator_trial(hf_integrator *integrator, double *t, hf_side *side, const double *x,
                            bool *closed)
{
    *side = side_of(integrator, t);
    memcpy(integrator->trial, x, (size_t)integrator->sim->model->n * sizeof(double));
    hf_sim_normalize(integrator->sim, integrator->trial);
    if (integrator->place != NULL) {
        integrator->place(integrator->sim, *t, *side, integrator->trial);
    }
    if (integrator->sim->model->cluster_driver_count > 0) { // loops close to driven bodies
        hf_signals_update(integrator->sim, *t, *side);
        hf_sim_drive(integrator->sim, *t, *side, integrator->trial,
                     integrator->trial + integrator->sim->model->nq);
    }
    *closed = integrator->sim->model->loop_count == 0 ||
              hf_loops_close(integrator->sim, integrator->trial, true);
    return integrator->trial;
}

// Evaluations write no rates of unused pairs, and SUNDIALS needs them to be zero.
static void clear_room(const hf_sim *sim, double *rate)
{
    for (int s = 1; s < sim->span_count; ++s) {
        int first = sim->spans[s - 1].end;
        memset(rate + first, 0, (size_t)(sim->spans[s].first - first) * sizeof *rate);
    }
}

int hf_integrator_rate_at(hf_integrator *integrator, double t, const double *x, double *rate)
{
    hf_sim *sim = integrator->sim;
    // The state that is evaluated: driven motion in it, loops closed
    hf_side side;
    bool closed = true;
    double *trial = hf_integrator_trial(integrator, &t, &side, x, &closed);
    if (!closed) {
        return 1; // try a smaller step
    }
    // Its rate, with what the method and loops add
    clear_room(sim, rate);
    hf_sim_eval(sim, t, side, 0.0, trial, rate);
    if (integrator->finish != NULL) {
        integrator->finish(sim, t, side, trial, rate);
    }
    if (sim->model->loop_count > 0) {
        hf_loops_pull(sim, x, trial, rate);
    }
    // Where it cannot be evaluated, a smaller step is tried
    sim->fresh = false;
    int jammed = hf_loads_take_jam(sim);
    if (jammed >= 0) {
        integrator->jammed = jammed;
        return 1; // try a smaller step
    }
    for (int i = 0; i < sim->model->n; ++i) {
        if (!isfinite(rate[i])) {
            integrator->broken = i;
            return 1; // try a smaller step
        }
    }
    return 0;
}

int hf_integrator_rate(double t, N_Vector x, N_Vector dx, void *data)
{
    hf_integrator *integrator = data;
    if (integrator->idle) {
        N_VConst(0.0, dx);
        return 0;
    }
    return hf_integrator_rate_at(integrator, t, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
}

int hf_integrator_weigh(N_Vector x, N_Vector weights, void *data)
{
    const hf_integrator *integrator = data;
    int n = integrator->sim->model->n;
    const double *value = N_VGetArrayPointer(x);
    double *weight = N_VGetArrayPointer(weights);
    // SUNDIALS takes the mean over all n numbers. Here it is the sum of squares over all by the
    // number of those that move: works, many of which stay zero, can only make it larger.
    double scale = sqrt((double)n / (double)integrator->counted);
    for (int i = 0; i < n; ++i) {
        weight[i] = scale / (integrator->rtol * fabs(value[i]) + integrator->atol);
    }
    return 0;
}

void hf_integrator_hush(int code, const char *module, const char *function, char *text, void *data)
{
    (void)code;
    (void)module;
    (void)function;
    (void)text;
    (void)data;
}

bool hf_integrator_is_idle(const hf_integrator *integrator, int j)
{
    const hf_sim *sim = integrator->sim;
    const hf_model *model = sim->model;
    int y = j - model->nq - model->nv;
    bool used = false;
    for (int s = 0; s < sim->span_count; ++s) {
        used = used || (j >= sim->spans[s].first && j < sim->spans[s].end);
    }
    if (!used) {
        return true;
    }
    if (integrator->needed != NULL && integrator->family != HF_FAMILY_BDF) {
        return !integrator->needed[j];
    }
    if (!sim->exact_contacts || y < 0 || y >= model->ny) {
        return false;
    }
    int i = 0;
    while (i < model->force_count - 1 && model->forces[i + 1].y <= y) {
        ++i;
    }
    return model->forces[i].exact == HF_EXACT_CONTACT;
}

// SUNDIALS allocates some of its memory in its first step: let it take one now, of nothing.
static hf_status warm_up(hf_integrator *integrator, hf_error *error)
{
    double front = 0.0;
    integrator->idle = true;
    integrator->until = integrator->root_at = INFINITY;
    int flag = 0;
    for (int stiff = integrator->wants_stiff ? 1 : 0; stiff >= 0 && flag >= 0; --stiff) {
        integrator->stiff = stiff != 0;
        flag = integrator->package->restart(integrator, 0.0, 1.0);
        flag = flag < 0 ? flag : integrator->package->step(integrator, 0.5, &front);
        flag = flag < 0 ? flag : integrator->package->at(integrator, 0.5 * front);
    }
    integrator->idle = false;
    return flag < 0 ? hf_error_set(error, HF_ERROR_MEMORY, "%s could not be set up: %s",
                                   integrator->package->name, integrator->package->explain(flag))
                    : HF_OK;
}

hf_status hf_integrator_create(hf_integrator *integrator, hf_error *error)
{
    const hf_sim *sim = integrator->sim;
    const hf_method_def *method = &sim->core->method;
    const hf_model *model = sim->model;
    integrator->rtol = method->rtol;
    integrator->atol = method->atol;
    integrator->family = method->family;
    integrator->moving = integrator->counted = model->n - model->nw;
    integrator->package = method->family == HF_FAMILY_ERK ? &hf_package_erk : &hf_package_cvode;
    HF_ASSERT(integrator->moving > 0);
    if (SUNContext_Create(NULL, &integrator->context) == 0) {
        integrator->x = N_VNew_Serial(model->n, integrator->context);
        integrator->errors = N_VNew_Serial(model->n, integrator->context);
        integrator->weights = N_VNew_Serial(model->n, integrator->context);
    }
    if (integrator->x == NULL || integrator->errors == NULL || integrator->weights == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for SUNDIALS");
    }
    N_VConst(0.0, integrator->x);
    HF_TRY(integrator->package->create(integrator, error));
    return warm_up(integrator, error);
}

void hf_integrator_destroy(hf_integrator *integrator)
{
    if (integrator->package != NULL) {
        integrator->package->destroy(integrator);
    }
    (void)SUNNonlinSolFree(integrator->nonlinear);
    hf_compact_destroy(integrator);
    (void)SUNLinSolFree(integrator->linear);
    if (integrator->matrix != NULL) {
        SUNMatDestroy(integrator->matrix);
    }
    N_Vector vectors[3] = {integrator->x, integrator->errors, integrator->weights};
    for (int i = 0; i < 3; ++i) {
        if (vectors[i] != NULL) {
            N_VDestroy(vectors[i]);
        }
    }
    (void)SUNContext_Free(&integrator->context);
}

static void keep_counts(hf_integrator *integrator)
{
    hf_sim_stats *stats = &integrator->sim->core->stats;
    long now[3] = {0, 0, 0};
    integrator->package->count(integrator, now);
    stats->internal_steps += now[0] - integrator->seen[0];
    stats->error_failures += now[1] - integrator->seen[1];
    stats->solve_failures += now[2] - integrator->seen[2];
    memcpy(integrator->seen, now, sizeof now);
}

// The number with the largest estimated error, or one that is not finite.
static int worst_number(hf_integrator *integrator)
{
    int worst = 0;
    if (!integrator->package->local_errors(integrator, integrator->errors, integrator->weights)) {
        return worst;
    }
    const double *error = N_VGetArrayPointer(integrator->errors);
    const double *weight = N_VGetArrayPointer(integrator->weights);
    for (int i = 0; i < integrator->sim->model->n; ++i) {
        if (!isfinite(error[i])) {
            return i;
        }
        worst = fabs(error[i] * weight[i]) > fabs(error[worst] * weight[worst]) ? i : worst;
    }
    return worst;
}

static hf_status fail(hf_integrator *integrator, int flag, double t, hf_error *error)
{
    const hf_sim *sim = integrator->sim;
    const hf_package *package = integrator->package;
    bool broken = integrator->broken >= 0;
    if (integrator->jammed >= 0) {
        return hf_loads_tell_jam(sim, integrator->jammed, t, error);
    }
    int number = broken ? integrator->broken : worst_number(integrator);
    return hf_error_at(
        error, broken ? HF_ERROR_NOT_FINITE : HF_ERROR_CONVERGENCE,
        hf_at_time(t, NULL, hf_sim_component(sim, number)),
        "%s with %s, rtol %g, atol %g: %s%s; %s '%s'", package->name,
        hf_family_name(integrator->family), integrator->rtol, integrator->atol,
        package->explain(flag), broken ? ", as the rate of the state left the finite numbers" : "",
        broken ? "first for" : "the largest error is in", hf_sim_component(sim, number));
}

// The first step where the state ahead cannot be evaluated, as a part of the way to it.
#define CAUTIOUS 1e-3
// The longest look ahead for the first step [s].
#define LONGEST_LOOK 1e-4
// The first step is at most this many looks: SUNDIALS lets the second step grow as much.
#define MOST_LOOKS 1e4

// A first step whose error at order one, h^2 |x''|/2, is half of what is allowed. x'' is found by
// a look ahead over a time in which x changes by its tolerance. Unlike the integrators' own, this
// one does not depend on when the next state is recorded. The rate at the start is sim->k.
static double first_step(hf_integrator *integrator)
{
    hf_sim *sim = integrator->sim;
    int n = sim->model->n;
    N_Vector ahead = integrator->errors, weights = integrator->weights;
    double *state = N_VGetArrayPointer(integrator->x), *rate = N_VGetArrayPointer(ahead);
    (void)hf_integrator_weigh(integrator->x, weights, integrator);
    memcpy(rate, sim->k, (size_t)n * sizeof *rate);
    double speed = N_VWrmsNorm(ahead, weights);
    double look =
        fmin(1.0 / speed, fmin(LONGEST_LOOK, 0.5 * (integrator->until - integrator->from)));
    for (int i = 0; i < n; ++i) {
        state[i] = sim->x[i] + look * sim->k[i];
    }
    int failed = hf_integrator_rate(integrator->from + look, integrator->x, ahead, integrator);
    memcpy(state, sim->x, (size_t)n * sizeof *state);
    if (failed != 0) {
        return CAUTIOUS * look;
    }
    for (int i = 0; i < n; ++i) {
        rate[i] = (rate[i] - sim->k[i]) / look;
    }
    double bend = N_VWrmsNorm(ahead, weights);
    return fmin(bend > 0.0 ? 1.0 / sqrt(bend) : INFINITY, MOST_LOOKS * look);
}

// The absolute tolerance is at most this part of a machine's speed. Speeds below the least are
// rounding of what stands still [m/s or rad/s].
#define ATOL_SHARE 1e-7
#define LEAST_PACE 1e-12

void hf_integrator_set_atol(hf_integrator *integrator)
{
    const hf_sim_core *core = integrator->sim->core;
    integrator->atol = core->pace >= LEAST_PACE ? fmin(core->method.atol, ATOL_SHARE * core->pace)
                                                : core->method.atol;
}

void hf_integrator_scale(hf_integrator *integrator, bool with_rates)
{
    hf_sim *sim = integrator->sim;
    int first = sim->model->nq, end = first + sim->model->nv;
    const double second = with_rates ? 1.0 : 0.0; // [s]
    for (int i = first; i < end; ++i) {
        double pace = fmax(fabs(sim->x[i]), second * fabs(sim->k[i]));
        sim->core->pace = pace > sim->core->pace ? pace : sim->core->pace;
    }
    hf_integrator_set_atol(integrator);
}

// Numbers that move and are in use.
static int count_numbers(const hf_sim *sim)
{
    int count = -sim->model->nw;
    for (int s = 0; s < sim->span_count; ++s) {
        count += sim->spans[s].end - sim->spans[s].first;
    }
    return count;
}

int hf_integrator_repeat(hf_integrator *integrator, double t, const double *x, double first_step)
{
    integrator->counted = count_numbers(integrator->sim);
    hf_integrator_set_atol(integrator);
    integrator->broken = integrator->jammed = -1;
    memcpy(N_VGetArrayPointer(integrator->x), x,
           (size_t)integrator->sim->model->n * sizeof(double));
    integrator->start = integrator->behind = integrator->front = integrator->searched = t;
    integrator->headway = t;
    integrator->idle_steps = 0;
    integrator->first_step = first_step;
    integrator->stride = 0.0;
    integrator->look_again = true;
    integrator->full = false;
    integrator->root_at = INFINITY;
    integrator->steps = integrator->paused_at = 0;
    memset(integrator->seen, 0, sizeof integrator->seen);
    return integrator->package->restart(integrator, t, first_step);
}

hf_status hf_integrator_restart(hf_integrator *integrator, hf_error *error)
{
    hf_sim *sim = integrator->sim;
    double t = sim->core->time;
    integrator->counted = count_numbers(sim);
    hf_integrator_scale(integrator, true);
    hf_integrator_find_piece(integrator, t);
    memcpy(N_VGetArrayPointer(integrator->x), sim->x, (size_t)sim->model->n * sizeof(double));
    double first = first_step(integrator);
    first = integrator->longest > 0.0 ? fmin(first, integrator->longest) : first;
    first = integrator->log_step > 0.0 ? fmin(first, integrator->log_step) : first;
    int flag = hf_integrator_repeat(integrator, t, sim->x, first);
    sim->core->stats.restarts += 1;
    return flag < 0 ? fail(integrator, flag, t, error) : HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Internal steps

// Internal steps from one recorded state or event to the next, after which something is wrong.
enum { MOST_STEPS = 200000 };
// The same before a pause, where there is BDF to go on with.
enum { STEPS_BEFORE_PAUSE = 500 };
// So many within this time, as a part of max(1 s, t), are no headway: rates jump between states
// that no step can tell from each other.
enum { IDLE_STEPS = 2000 };
#define HEADWAY 1e-8

// Whether the last internal steps get nowhere.
static bool stands_still(hf_integrator *integrator)
{
    double t = integrator->front;
    if (!(t - integrator->headway <= HEADWAY * fmax(1.0, fabs(t)))) {
        integrator->headway = t;
        integrator->idle_steps = 0;
    }
    integrator->stands = ++integrator->idle_steps > IDLE_STEPS;
    return integrator->stands;
}

// Whether a pause is due at the front.
static bool is_tired(const hf_integrator *integrator)
{
    bool plain = integrator->wants_stiff && integrator->memory == integrator->plain_memory;
    long since = integrator->steps - integrator->paused_at, every = integrator->pause_every;
    return since > 0 && (integrator->steps >= HF_INTEGRATOR_STEPS ||
                         (plain && since >= STEPS_BEFORE_PAUSE) || (every > 0 && since >= every));
}

int hf_integrator_show(hf_integrator *integrator, double t)
{
    hf_sim *sim = integrator->sim;
    int flag = integrator->package->at(integrator, t);
    memcpy(sim->stage, N_VGetArrayPointer(integrator->x), (size_t)sim->model->n * sizeof(double));
    if (integrator->place != NULL) {
        hf_side side = side_of(integrator, &t);
        integrator->place(sim, t, side, sim->stage);
    }
    return flag;
}

// To the first of `target`, a root and a pause. Steps end where they end: states between their ends
// are the integrator's own interpolation.
static int walk(hf_integrator *integrator, double target, double *reached, hf_reach *reach)
{
    double near = HF_ROOT_NEAR * DBL_EPSILON * fabs(target);
    int flag = integrator->look_again ? hf_integrator_search(integrator) : 0;
    while (flag >= 0) {
        bool root = integrator->root_at <= target + near, end = integrator->searched >= target;
        bool done = !(integrator->searched < integrator->front);
        bool pause = !root && !end && done && is_tired(integrator);
        if (root || end || pause) {
            *reach = root ? HF_REACH_ROOT : end ? HF_REACH_END : HF_REACH_PAUSE;
            *reached = pause  ? integrator->front
                       : root ? fmin(integrator->root_at, target)
                              : target;
            return hf_integrator_show(integrator, *reached);
        }
        if (isfinite(integrator->root_at)) { // between here and there is nothing
            integrator->searched = fmin(target, integrator->root_at);
        } else if (!done) {
            flag = hf_integrator_search(integrator);
        } else if (++integrator->spent > MOST_STEPS) {
            return integrator->package->too_much_work;
        } else {
            integrator->behind = integrator->front;
            flag = integrator->package->step(integrator, target, &integrator->front);
            integrator->steps += flag >= 0 ? 1 : 0;
            flag =
                flag >= 0 && stands_still(integrator) ? integrator->package->too_much_work : flag;
        }
    }
    return flag;
}

int hf_integrator_limit(hf_integrator *integrator)
{
    return integrator->package->limit(integrator, fmin(integrator->until, integrator->horizon));
}

hf_reach hf_integrator_reach(hf_integrator *integrator, double end, double *reached,
                             hf_error *error)
{
    hf_reach reach = HF_REACH_FAILED;
    double target = fmin(end, integrator->until);
    integrator->broken = integrator->jammed = -1;
    integrator->stands = false;
    if (integrator->horizon > 0.0) {
        target = fmin(target, integrator->horizon);
    }
    int flag = walk(integrator, target, reached, &reach);
    keep_counts(integrator);
    if (flag < 0) {
        (void)fail(integrator, flag, integrator->front, error);
        return HF_REACH_FAILED;
    }
    if (reach == HF_REACH_PAUSE) {
        integrator->paused_at = integrator->steps;
    } else {
        integrator->spent = 0;
    }
    if (reach == HF_REACH_ROOT) { // the event may change which roots are looked for
        integrator->searched = *reached;
        integrator->root_at = INFINITY;
        integrator->look_again = true;
    }
    return reach;
}
