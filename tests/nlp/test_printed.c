// SPDX-License-Identifier: Apache-2.0
// The program of [RobotSimulation2025] as it is printed: its derivatives are those of its
// functions.
#include <math.h>

#include "hf_test.h"
#include "methods/nlp/printed.h"

enum { N = HF_PRINTED_UNKNOWNS, M = HF_PRINTED_CONSTRAINTS };

// f_x is smooth over 1e-4 N: derivatives are taken over a hundredth of it, and the force is drawn
// from where the smoothing is felt as well as from far outside.
static const double WIDTH = 1e-6;

// The gradient of the Lagrangian, f + y' g.
static void slope(const hf_printed_values *v, const double *y, double *out)
{
    for (int i = 0; i < N; ++i) {
        out[i] = v->gradient[i];
        for (int k = 0; k < M; ++k) {
            out[i] += y[k] * v->jacobian[k][i];
        }
    }
}

// By central differences: the gradient and the Jacobian from the functions, the Hessian from these.
static void derivatives(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20251);
    for (int trial = 0; trial < 60; ++trial) {
        hf_printed_point point = {.mass = hf_rng_uniform(&rng, 0.5, 2.0),
                                  .gravity = 9.81,
                                  .friction = hf_rng_uniform(&rng, 0.1, 1.0),
                                  .step = 0.01};
        hf_printed_state before = {hf_rng_uniform(&rng, -1.0, 1.0), hf_rng_uniform(&rng, 0.0, 1.0),
                                   hf_rng_uniform(&rng, -1.0, 1.0),
                                   hf_rng_uniform(&rng, -1.0, 1.0)};
        hf_printed_form form = trial % 2 == 0 ? HF_PRINTED_BEFORE : HF_PRINTED_AFTER;
        double x[N], y[M], above[N], below[N];
        for (int i = 0; i < N; ++i) {
            x[i] = hf_rng_uniform(&rng, 0.2, 1.0);
        }
        x[4] = trial % 3 == 0 ? hf_rng_uniform(&rng, -2e-4, 2e-4) : hf_rng_uniform(&rng, -1.0, 1.0);
        for (int k = 0; k < M; ++k) {
            y[k] = hf_rng_uniform(&rng, -1.0, 1.0);
        }
        hf_printed_values at, up, down;
        hf_printed_look(&point, form, &before, x, y, &at);
        for (int i = 0; i < N; ++i) {
            double kept = x[i];
            x[i] = kept + WIDTH;
            hf_printed_look(&point, form, &before, x, y, &up);
            x[i] = kept - WIDTH;
            hf_printed_look(&point, form, &before, x, y, &down);
            x[i] = kept;
            hf_check_near(at.gradient[i], (up.f - down.f) / (2.0 * WIDTH), 1e-8, "gradient",
                          "central difference");
            for (int k = 0; k < M; ++k) {
                // (WIDTH/epsilon)^2/6 of the curvature's change is left
                double scale = 1.0 + fabs(at.jacobian[k][i]);
                hf_check_near(at.jacobian[k][i], (up.g[k] - down.g[k]) / (2.0 * WIDTH),
                              1e-4 * scale, "Jacobian", "central difference");
            }
            slope(&up, y, above);
            slope(&down, y, below);
            for (int j = 0; j < N; ++j) {
                double scale = 1.0 + fabs(at.hessian[i][i]) + fabs(at.hessian[j][j]);
                hf_check_near(at.hessian[i][j], (above[j] - below[j]) / (2.0 * WIDTH), 1e-3 * scale,
                              "Hessian", "central difference");
            }
        }
    }
}

// Where the point flies free every equation of motion is met by the closed form of its step.
static void free_flight(void **state)
{
    (void)state;
    const hf_printed_point point = {.mass = 2.0, .gravity = 9.81, .friction = 0.3, .step = 0.01};
    const hf_printed_state before = {.x = 0.1, .z = 0.5, .vx = 0.7, .vz = -0.2};
    double vz = before.vz - point.step * point.gravity;
    const double x[N] = {before.x + point.step * before.vx, before.z + point.step * vz, before.vx,
                         vz},
                 y[M] = {0};
    hf_printed_values at;
    hf_printed_look(&point, HF_PRINTED_AFTER, &before, x, y, &at);
    for (int k = 0; k < 4; ++k) {
        hf_check_near(at.g[k], 0.0, 1e-15, "residual of (10)", "a step of free flight");
    }
    hf_check_near(at.g[4], before.vx, 1e-15, "residual of (15)", "the slip, without a force");
    hf_check_near(at.f, 0.0, 0.0, "sum of slacks", "none is needed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives),
        cmocka_unit_test(free_flight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
