// SPDX-License-Identifier: Apache-2.0
// ARKODE's explicit Runge-Kutta methods: order 5 with an embedded order 4 (Dormand-Prince).
#include <math.h>

#include <arkode/arkode_erkstep.h>

#include "base/error.h"
#include "methods/adaptive/integrator.h"

static hf_status create(hf_integrator *integrator, hf_error *error)
{
    void *memory = ERKStepCreate(hf_integrator_rate, 0.0, integrator->x, integrator->context);
    integrator->memory = memory;
    if (memory == NULL || ERKStepSetErrHandlerFn(memory, hf_integrator_hush, integrator) < 0 ||
        ERKStepSetTableNum(memory, ARKODE_DORMAND_PRINCE_7_4_5) < 0 ||
        ERKStepWFtolerances(memory, hf_integrator_weigh) < 0 ||
        ERKStepSetUserData(memory, integrator) < 0 || ERKStepSetMaxHnilWarns(memory, -1) < 0) {
        return hf_error_set(error, HF_ERROR_MEMORY, "ARKODE could not be set up");
    }
    return HF_OK;
}

static void destroy(hf_integrator *integrator)
{
    ERKStepFree(&integrator->memory);
}

static int limit(hf_integrator *integrator, double stop)
{
    return ERKStepSetStopTime(integrator->memory, hf_stop_time(stop));
}

static int restart(hf_integrator *integrator, double t, double first_step)
{
    int flag = ERKStepReInit(integrator->memory, hf_integrator_rate, t, integrator->x);
    flag = flag < 0 ? flag : ERKStepSetInitStep(integrator->memory, first_step);
    return flag < 0 ? flag : limit(integrator, integrator->until);
}

static int step(hf_integrator *integrator, double end, double *front)
{
    return ERKStepEvolve(integrator->memory, end, integrator->x, front, ARK_ONE_STEP);
}

static int at(hf_integrator *integrator, double t)
{
    return ERKStepGetDky(integrator->memory, t, 0, integrator->x);
}

static void count(hf_integrator *integrator, long counts[3])
{
    (void)ERKStepGetNumSteps(integrator->memory, &counts[0]);
    (void)ERKStepGetNumErrTestFails(integrator->memory, &counts[1]);
    counts[2] = 0;
}

static bool local_errors(hf_integrator *integrator, N_Vector errors, N_Vector weights)
{
    return ERKStepGetEstLocalErrors(integrator->memory, errors) == 0 &&
           ERKStepGetErrWeights(integrator->memory, weights) == 0;
}

static const char *explain(int flag)
{
    switch (flag) {
    case ARK_TOO_MUCH_WORK:
        return "too many internal steps (ARK_TOO_MUCH_WORK): a law jumps, or is too stiff for "
               "this family";
    case ARK_TOO_MUCH_ACC:
        return "the tolerances ask for more than double precision holds (ARK_TOO_MUCH_ACC)";
    case ARK_ERR_FAILURE:
        return "the error test failed down to the smallest step (ARK_ERR_FAILURE): a law jumps";
    case ARK_RHSFUNC_FAIL:
    case ARK_FIRST_RHSFUNC_ERR:
    case ARK_REPTD_RHSFUNC_ERR:
    case ARK_UNREC_RHSFUNC_ERR:
        return "the rate could not be evaluated (ARK_RHSFUNC_ERR)";
    case ARK_TOO_CLOSE:
        return "the time asked for is too close to the present one (ARK_TOO_CLOSE)";
    default:
        return "it was called wrongly (ARK_ILL_INPUT)";
    }
}

const hf_package hf_package_erk = {.name = "ARKODE",
                                   .create = create,
                                   .destroy = destroy,
                                   .restart = restart,
                                   .limit = limit,
                                   .step = step,
                                   .at = at,
                                   .too_much_work = ARK_TOO_MUCH_WORK,
                                   .count = count,
                                   .local_errors = local_errors,
                                   .explain = explain};
