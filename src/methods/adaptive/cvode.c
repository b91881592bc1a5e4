// SPDX-License-Identifier: Apache-2.0
// CVODE: BDF with Newton's method, Adams-Moulton with fixed-point iteration.
#include <float.h>
#include <math.h>
#include <string.h>

#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "base/error.h"
#include "methods/adaptive/compact.h"
#include "methods/adaptive/integrator.h"

// Up to this size a dense Jacobian, by differences; beyond it Krylov iteration without a matrix.
// Points of contact between shapes have room in the state that is mostly not in use: its columns
// are zero, and cost neither evaluations nor the cube of their number.
enum { MOST_DENSE = 400, MOST_ROOM = 1500 };
// Steps by Adams' formulas grow when they may by this much. With CVODE's own 1.5 a smooth machine
// with a fast decaying part stays at a high order, whose stability ends at a step that the next
// lower order would leave behind at once. Smaller growths early on save the failed error tests with
// which orders are raised after every event.
#define ADAMS_GROWTH 1.2
#define EARLY_GROWTH 3.0
enum { EARLY_STEPS = 20 };

// Increments as in CVODE's own: sqrt(eps) |x|, and at least what rounding in f asks for.
int hf_integrator_differences(hf_integrator *integrator, N_Vector rate, N_Vector weights,
                              double *least)
{
    double h = 0.0;
    if (CVodeGetErrWeights(integrator->memory, weights) < 0 ||
        CVodeGetCurrentStep(integrator->memory, &h) < 0) {
        return -1;
    }
    double norm = N_VWrmsNorm(rate, weights);
    *least = norm > 0.0 ? 1000.0 * fabs(h) * DBL_EPSILON * integrator->sim->model->n * norm : 1.0;
    return 0;
}

int hf_integrator_difference(hf_integrator *integrator, double t, N_Vector x, N_Vector moved,
                             N_Vector weights, double least, int j, double *step)
{
    double *value = N_VGetArrayPointer(x), kept = value[j];
    *step = fmax(sqrt(DBL_EPSILON) * fabs(kept), least / N_VGetArrayPointer(weights)[j]);
    value[j] = kept + *step;
    *step = value[j] - kept;
    int failed = hf_integrator_rate(t, x, moved, integrator);
    value[j] = kept;
    return failed;
}

// df/dx by forward differences. The rate does not depend on the works: their columns are zero, and
// are not evaluated.
static int jacobian(double t, N_Vector x, N_Vector rate, SUNMatrix matrix, void *data, N_Vector a,
                    N_Vector b, N_Vector c)
{
    hf_integrator *integrator = data;
    const double *f = N_VGetArrayPointer(rate), *moved = N_VGetArrayPointer(a);
    int n = integrator->sim->model->n;
    // The least increment, by what rounding does to the rate
    double least = 0.0, step;
    if (hf_integrator_differences(integrator, rate, b, &least) != 0) {
        return -1;
    }
    (void)c;
    // Column by column; what is idle has none
    for (int j = 0; j < n; ++j) {
        double *column = SM_COLUMN_D(matrix, j);
        if (j >= integrator->moving || hf_integrator_is_idle(integrator, j)) {
            memset(column, 0, (size_t)n * sizeof(double));
            continue;
        }
        int failed = hf_integrator_difference(integrator, t, x, a, b, least, j, &step);
        if (failed != 0) {
            return failed;
        }
        for (int i = 0; i < n; ++i) {
            column[i] = (moved[i] - f[i]) / step;
        }
    }
    return 0;
}

static bool has_shapes(const hf_model *model)
{
    bool shapes = false;
    for (int i = 0; i < model->swarm_count; ++i) {
        shapes = shapes || model->swarms[i].shapes;
    }
    return shapes;
}

static bool set_newton(hf_integrator *integrator, void *memory)
{
    int n = integrator->sim->model->n;
    bool shapes = has_shapes(integrator->sim->model);
    if (n > (shapes ? MOST_ROOM : MOST_DENSE)) {
        integrator->linear = SUNLinSol_SPGMR(integrator->x, SUN_PREC_NONE, 0, integrator->context);
        return integrator->linear != NULL &&
               CVodeSetLinearSolver(memory, integrator->linear, NULL) == 0;
    }
    if (shapes) {
        return hf_compact_create(integrator, memory);
    }
    integrator->matrix = SUNDenseMatrix(n, n, integrator->context);
    if (integrator->matrix == NULL) {
        return false;
    }
    integrator->linear = SUNLinSol_Dense(integrator->x, integrator->matrix, integrator->context);
    return integrator->linear != NULL &&
           CVodeSetLinearSolver(memory, integrator->linear, integrator->matrix) == 0 &&
           CVodeSetJacFn(memory, jacobian) == 0;
}

static bool set_fixed_point(hf_integrator *integrator, void *memory)
{
    integrator->nonlinear = SUNNonlinSol_FixedPoint(integrator->x, 0, integrator->context);
    return integrator->nonlinear != NULL &&
           CVodeSetNonlinearSolver(memory, integrator->nonlinear) == 0 &&
           CVodeSetEtaFixedStepBounds(memory, 0.0, ADAMS_GROWTH) == 0 &&
           CVodeSetEtaMaxEarlyStep(memory, EARLY_GROWTH) == 0 &&
           CVodeSetNumStepsEtaMaxEarlyStep(memory, EARLY_STEPS) == 0;
}

// A slip in a plane that begins is held fast at a rate that falls by powers of ten within few
// steps. With a Jacobian of before, Newton's corrections would be too small by as much, and pass
// for converged: a fresh one in every step.
static bool set_fresh(const hf_integrator *integrator, void *memory)
{
    return !integrator->wants_stiff ||
           (CVodeSetLSetupFrequency(memory, 1) >= 0 && CVodeSetJacEvalFrequency(memory, 1) >= 0);
}

static bool create_memory(hf_integrator *integrator, bool stiff, void **memory)
{
    *memory = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, integrator->context);
    return *memory != NULL && CVodeSetErrHandlerFn(*memory, hf_integrator_hush, integrator) >= 0 &&
           CVodeInit(*memory, hf_integrator_rate, 0.0, integrator->x) >= 0 &&
           CVodeWFtolerances(*memory, hf_integrator_weigh) >= 0 &&
           CVodeSetUserData(*memory, integrator) >= 0 && CVodeSetMaxHnilWarns(*memory, -1) >= 0 &&
           (stiff ? set_newton(integrator, *memory) && set_fresh(integrator, *memory)
                  : set_fixed_point(integrator, *memory));
}

static hf_status create(hf_integrator *integrator, hf_error *error)
{
    bool stiff = integrator->family == HF_FAMILY_BDF;
    bool done = (stiff || create_memory(integrator, false, &integrator->plain_memory)) &&
                (!(stiff || integrator->wants_stiff) ||
                 create_memory(integrator, true, &integrator->stiff_memory));
    integrator->memory = stiff ? integrator->stiff_memory : integrator->plain_memory;
    return done ? HF_OK : hf_error_set(error, HF_ERROR_MEMORY, "CVODE could not be set up");
}

static void destroy(hf_integrator *integrator)
{
    CVodeFree(&integrator->plain_memory);
    CVodeFree(&integrator->stiff_memory);
}

static int limit(hf_integrator *integrator, double stop)
{
    return CVodeSetStopTime(integrator->memory, hf_stop_time(stop));
}

static int restart(hf_integrator *integrator, double t, double first_step)
{
    bool stiff = integrator->family == HF_FAMILY_BDF ||
                 (integrator->stiff && integrator->stiff_memory != NULL);
    integrator->memory = stiff ? integrator->stiff_memory : integrator->plain_memory;
    int flag = CVodeReInit(integrator->memory, t, integrator->x);
    flag = flag < 0 ? flag : CVodeSetInitStep(integrator->memory, first_step);
    if (flag >= 0) {
        double longest = isfinite(integrator->longest) ? integrator->longest : 0.0;
        double log_step = integrator->log_step;
        longest = log_step > 0.0 && !(longest > 0.0 && longest < log_step) ? log_step : longest;
        flag = CVodeSetMaxStep(integrator->memory, longest);
    }
    return flag < 0 ? flag : limit(integrator, integrator->until);
}

static int step(hf_integrator *integrator, double end, double *front)
{
    return CVode(integrator->memory, end, integrator->x, front, CV_ONE_STEP);
}

static int at(hf_integrator *integrator, double t)
{
    return CVodeGetDky(integrator->memory, t, 0, integrator->x);
}

static void count(hf_integrator *integrator, long counts[3])
{
    (void)CVodeGetNumSteps(integrator->memory, &counts[0]);
    (void)CVodeGetNumErrTestFails(integrator->memory, &counts[1]);
    (void)CVodeGetNumStepSolveFails(integrator->memory, &counts[2]);
}

static bool local_errors(hf_integrator *integrator, N_Vector errors, N_Vector weights)
{
    return CVodeGetEstLocalErrors(integrator->memory, errors) == 0 &&
           CVodeGetErrWeights(integrator->memory, weights) == 0;
}

static const char *explain(int flag)
{
    switch (flag) {
    case CV_TOO_MUCH_WORK:
        return "too many internal steps (CV_TOO_MUCH_WORK): a law jumps, or is too stiff for this "
               "family";
    case CV_TOO_MUCH_ACC:
        return "the tolerances ask for more than double precision holds (CV_TOO_MUCH_ACC)";
    case CV_ERR_FAILURE:
        return "the error test failed down to the smallest step (CV_ERR_FAILURE): a law jumps";
    case CV_CONV_FAILURE:
        return "the corrector did not converge down to the smallest step (CV_CONV_FAILURE)";
    case CV_LSETUP_FAIL:
        return "the linear solver failed in its set-up (CV_LSETUP_FAIL)";
    case CV_LSOLVE_FAIL:
        return "the linear solver failed (CV_LSOLVE_FAIL)";
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
        return "the rate could not be evaluated (CV_RHSFUNC_ERR)";
    case CV_BAD_T:
        return "a state outside the last step was asked for (CV_BAD_T)";
    case CV_TOO_CLOSE:
        return "the time asked for is too close to the present one (CV_TOO_CLOSE)";
    default:
        return "it was called wrongly (CV_ILL_INPUT)";
    }
}

const hf_package hf_package_cvode = {.name = "CVODE",
                                     .goes_through_logs = true,
                                     .create = create,
                                     .destroy = destroy,
                                     .restart = restart,
                                     .limit = limit,
                                     .step = step,
                                     .at = at,
                                     .too_much_work = CV_TOO_MUCH_WORK,
                                     .count = count,
                                     .local_errors = local_errors,
                                     .explain = explain};
