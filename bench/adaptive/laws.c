// SPDX-License-Identifier: Apache-2.0
// Three ways to put dry friction into CVODE, for the oscillator's table: sign, saturated lines,
// Quinn.
#include "laws.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <holdfast/laws/quinn.h>

// A run is given up after so many evaluations.
enum { MOST_EVALUATIONS = 5000000 };

typedef enum law { SIGN, LINE, QUINN } law;

typedef struct oscillator {
    law law;
    double threshold; // epsilon [m/s]
    long long evaluations;
} oscillator;

static double friction(const oscillator *o, double x, double v)
{
    switch (o->law) {
    case SIGN:
        return v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0;
    case LINE:
        return fmin(fmax(v / o->threshold, -1.0), 1.0);
    case QUINN:
        break;
    }
    hf_quinn_def def = hf_quinn_def_default();
    def.threshold = o->threshold;
    return hf_quinn_force(&def, v, -x);
}

static int rate(double t, N_Vector state, N_Vector derivative, void *data)
{
    oscillator *o = data;
    const double *x = N_VGetArrayPointer(state);
    double *dx = N_VGetArrayPointer(derivative);
    (void)t;
    dx[0] = x[1];
    dx[1] = -x[0] - friction(o, x[0], x[1]);
    o->evaluations += 1;
    return o->evaluations > MOST_EVALUATIONS ? -1 : 0;
}

static void hush(int code, const char *module, const char *function, char *text, void *data)
{
    (void)code;
    (void)module;
    (void)function;
    (void)text;
    (void)data;
}

static void measure(const char *name, oscillator o, bool stiff, double tolerance)
{
    SUNContext context = NULL;
    if (SUNContext_Create(NULL, &context) != 0) {
        exit(1);
    }
    N_Vector x = N_VNew_Serial(2, context);
    double *value = N_VGetArrayPointer(x), reached = 0.0;
    value[0] = 2.75;
    value[1] = 0.0;
    void *memory = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, context);
    SUNMatrix matrix = SUNDenseMatrix(2, 2, context);
    SUNLinearSolver linear = SUNLinSol_Dense(x, matrix, context);
    SUNNonlinearSolver fixed = SUNNonlinSol_FixedPoint(x, 0, context);
    int flag = CVodeInit(memory, rate, 0.0, x);
    flag |= CVodeSStolerances(memory, tolerance, tolerance);
    flag |= CVodeSetUserData(memory, &o);
    flag |= CVodeSetErrHandlerFn(memory, hush, NULL);
    flag |= CVodeSetMaxNumSteps(memory, MOST_EVALUATIONS);
    flag |= CVodeSetMaxHnilWarns(memory, -1);
    flag |= stiff ? CVodeSetLinearSolver(memory, linear, matrix)
                  : CVodeSetNonlinearSolver(memory, fixed);
    if (flag != 0) {
        exit(1);
    }
    (void)CVode(memory, 10.0, x, &reached, CV_NORMAL);
    (void)CVodeGetCurrentTime(memory, &reached);
    printf("| %s | %s | %.0e | %s%lld | %.6g s%s | %.1e m |\n", name, stiff ? "bdf" : "adams",
           tolerance, o.evaluations > MOST_EVALUATIONS ? "> " : "",
           o.evaluations > MOST_EVALUATIONS ? (long long)MOST_EVALUATIONS : o.evaluations,
           fmin(reached, 10.0), reached < 10.0 ? ", given up" : "", fabs(value[0] + 0.75));
    CVodeFree(&memory);
    (void)SUNLinSolFree(linear);
    (void)SUNNonlinSolFree(fixed);
    SUNMatDestroy(matrix);
    N_VDestroy(x);
    (void)SUNContext_Free(&context);
}

void hf_bench_other_laws(void)
{
    for (int stiff = 0; stiff < 2; ++stiff) {
        measure("sgn(v)", (oscillator){.law = SIGN}, stiff, 1e-8);
        measure("sat(v/epsilon), epsilon = 1e-3 m/s", (oscillator){.law = LINE, .threshold = 1e-3},
                stiff, 1e-8);
        measure("sat(v/epsilon), epsilon = 1e-6 m/s", (oscillator){.law = LINE, .threshold = 1e-6},
                stiff, 1e-8);
        measure("Quinn, epsilon = 1e-3 m/s", (oscillator){.law = QUINN, .threshold = 1e-3}, stiff,
                1e-8);
        measure("Quinn, epsilon = 1e-6 m/s", (oscillator){.law = QUINN, .threshold = 1e-6}, stiff,
                1e-8);
    }
}
