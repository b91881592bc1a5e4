// SPDX-License-Identifier: Apache-2.0
#include "adaptive/integrator.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"

// A weight that leaves a number out of every norm, and yet is no zero for SUNDIALS to divide by.
#define NO_WEIGHT 1e-60

// Jumps and boundaries nearer than this are the same place: as in hf_sim_step.
static double near_time(double t)
{
    return 0.75 * HF_JUST * DBL_EPSILON * fabs(t);
}

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

// A copy of x that an evaluation may write driven motion to, with unit quaternions.
static double *trial_of(hf_integrator *integrator, N_Vector x)
{
    memcpy(integrator->trial, N_VGetArrayPointer(x),
           (size_t)integrator->sim->model->n * sizeof(double));
    hf_sim_normalize(integrator->sim, integrator->trial);
    return integrator->trial;
}

int hf_integrator_rate(double t, N_Vector x, N_Vector dx, void *data)
{
    hf_integrator *integrator = data;
    hf_sim *sim = integrator->sim;
    hf_side side = side_of(integrator, &t);
    double *trial = trial_of(integrator, x), *rate = N_VGetArrayPointer(dx);
    hf_sim_eval(sim, t, side, 0.0, trial, rate);
    sim->plugged->solve(sim, t, trial, rate);
    sim->fresh = false;
    double probe = 0.0; // NaN as soon as one number is not finite
    for (int i = 0; i < sim->model->n; ++i) {
        probe += 0.0 * rate[i];
    }
    return probe == 0.0 ? 0 : 1; // 1: try a smaller step
}

int hf_integrator_weigh(N_Vector x, N_Vector weights, void *data)
{
    const hf_integrator *integrator = data;
    int n = integrator->sim->model->n;
    const double *value = N_VGetArrayPointer(x);
    double *weight = N_VGetArrayPointer(weights);
    // SUNDIALS takes the mean over all n numbers; the works have no say in it.
    double scale = sqrt((double)n / (double)integrator->active);
    for (int i = 0; i < n; ++i) {
        double size = integrator->rtol * fabs(value[i]) + integrator->atol;
        weight[i] = i < integrator->active ? scale / size : NO_WEIGHT;
    }
    return 0;
}

int hf_integrator_roots(double t, N_Vector x, double *g, void *data)
{
    hf_integrator *integrator = data;
    hf_side side = side_of(integrator, &t);
    integrator->roots(integrator->sim, t, side, trial_of(integrator, x), g);
    integrator->sim->fresh = false;
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

hf_status hf_integrator_create(hf_integrator *integrator, hf_error *error)
{
    const hf_sim *sim = integrator->sim;
    const hf_method_def *method = &sim->core->method;
    const hf_model *model = sim->model;
    integrator->rtol = method->rtol > 0.0 ? method->rtol : HF_DEFAULT_RTOL;
    integrator->atol = method->atol > 0.0 ? method->atol : HF_DEFAULT_ATOL;
    integrator->family = method->family;
    integrator->active = model->n - model->nw;
    integrator->package = method->family == HF_FAMILY_ERK ? &hf_package_erk : &hf_package_cvode;
    if (integrator->active == 0) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "method %s: the machine has nothing that moves",
                            hf_method_name(method->type));
    }
    if (SUNContext_Create(NULL, &integrator->context) == 0) {
        integrator->x = N_VNew_Serial(model->n, integrator->context);
        integrator->errors = N_VNew_Serial(model->n, integrator->context);
        integrator->weights = N_VNew_Serial(model->n, integrator->context);
    }
    if (integrator->x == NULL || integrator->errors == NULL || integrator->weights == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for SUNDIALS");
    }
    memcpy(N_VGetArrayPointer(integrator->x), sim->x, (size_t)model->n * sizeof(double));
    return integrator->package->create(integrator, error);
}

void hf_integrator_destroy(hf_integrator *integrator)
{
    if (integrator->memory != NULL) {
        integrator->package->destroy(integrator);
    }
    (void)SUNNonlinSolFree(integrator->nonlinear);
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

bool hf_integrator_at_jump(const hf_integrator *integrator, double t)
{
    return t >= integrator->until - near_time(t);
}

// The piece between jumps that begins at t.
static void find_piece(hf_integrator *integrator, double t)
{
    const hf_model *model = integrator->sim->model;
    int next = 0;
    while (next < model->jump_count && model->jumps[next] <= t + near_time(t)) {
        ++next;
    }
    integrator->from = next > 0 ? fmax(t, model->jumps[next - 1]) : t;
    integrator->until = next < model->jump_count ? model->jumps[next] : INFINITY;
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
    for (int i = 0; i < integrator->active; ++i) {
        if (!isfinite(error[i])) {
            return i;
        }
        worst = fabs(error[i] * weight[i]) > fabs(error[worst] * weight[worst]) ? i : worst;
    }
    return worst;
}

// The first number whose rate is not finite at the sim's present state, or -1.
static int broken_number(hf_integrator *integrator)
{
    const double *rate = N_VGetArrayPointer(integrator->errors);
    int n = integrator->sim->model->n, i = 0;
    if (hf_integrator_rate(integrator->sim->core->time, integrator->x, integrator->errors,
                           integrator) == 0) {
        return -1;
    }
    while (i < n - 1 && isfinite(rate[i])) {
        ++i;
    }
    return i;
}

static hf_status fail(hf_integrator *integrator, int flag, double t, hf_error *error)
{
    const hf_sim *sim = integrator->sim;
    const hf_package *package = integrator->package;
    bool not_finite = package->not_finite(flag);
    int broken = not_finite ? broken_number(integrator) : -1;
    int number = broken >= 0 ? broken : worst_number(integrator);
    return hf_error_set(error, not_finite ? HF_ERROR_NOT_FINITE : HF_ERROR_CONVERGENCE,
                        "t = %.9g s: %s with %s, rtol %g, atol %g: %s; the largest error is in "
                        "'%s'",
                        t, package->name, hf_family_name(integrator->family), integrator->rtol,
                        integrator->atol, package->explain(flag), hf_sim_component(sim, number));
}

hf_status hf_integrator_restart(hf_integrator *integrator, hf_error *error)
{
    hf_sim *sim = integrator->sim;
    double t = sim->core->time;
    find_piece(integrator, t);
    memcpy(N_VGetArrayPointer(integrator->x), sim->x, (size_t)sim->model->n * sizeof(double));
    int flag = integrator->package->restart(integrator, t);
    memset(integrator->seen, 0, sizeof integrator->seen);
    sim->core->stats.restarts += 1;
    return flag < 0 ? fail(integrator, flag, t, error) : HF_OK;
}

hf_reach hf_integrator_reach(hf_integrator *integrator, double end, double *reached,
                             hf_error *error)
{
    hf_sim *sim = integrator->sim;
    double target = fmin(end, integrator->until);
    bool root = false;
    int flag = integrator->package->reach(integrator, target, reached, &root);
    keep_counts(integrator);
    if (flag < 0) {
        (void)fail(integrator, flag, *reached, error);
        return HF_REACH_FAILED;
    }
    memcpy(sim->stage, N_VGetArrayPointer(integrator->x), (size_t)sim->model->n * sizeof(double));
    if (root && *reached < end) {
        return HF_REACH_ROOT;
    }
    *reached = end;
    return HF_REACH_END;
}
