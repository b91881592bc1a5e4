// SPDX-License-Identifier: Apache-2.0
// Numerical pieces of fits: filters without delay against their gain in closed form, eigenvalues
// and inverses of symmetric matrices against what they are made of.
#include <math.h>
#include <string.h>

#include "fit/filter.h"
#include "fit/fit_data.h"
#include "fit/spectrum.h"
#include "hf_test.h"

static const double PI = 3.14159265358979323846;

enum { COUNT = 4001 };

// |H|^2 of Butterworth's low pass of order 4 by the bilinear transformation, both at a share of the
// sampling rate.
static double gain(double frequency, double cutoff)
{
    return 1.0 / (1.0 + pow(tan(PI * frequency) / tan(PI * cutoff), 8.0));
}

static void waves_keep_their_phase(void **state)
{
    (void)state;
    static const double cutoffs[] = {0.02, 0.1, 0.3}, shares[] = {0.1, 0.7, 1.0, 1.3};
    for (int i = 0; i < 12; ++i) {
        double cutoff = cutoffs[i / 4], frequency = cutoff * shares[i % 4], x[COUNT];
        for (int k = 0; k < COUNT; ++k) {
            x[k] = 3.0 + cos(2.0 * PI * frequency * k + 0.4);
        }
        assert_true(hf_filter_both_ways(x, COUNT, cutoff));
        // Away from the ends: what they began has died away
        for (int k = COUNT / 2 - 200; k < COUNT / 2 + 200; ++k) {
            double want = 3.0 + gain(frequency, cutoff) * cos(2.0 * PI * frequency * k + 0.4);
            hf_check_near(x[k], want, 1e-9, "filtered wave", "gain of Butterworth's filter");
        }
    }
}

// A straight line stays as it is, up to its ends; what is symmetric stays symmetric; nothing beyond
// the column is touched.
static void lines_and_symmetry(void **state)
{
    (void)state;
    double x[COUNT + 4];
    for (int k = 0; k < COUNT + 4; ++k) {
        x[k] = 0.25 * k - 3.0;
    }
    assert_true(hf_filter_both_ways(x, COUNT, 0.05));
    for (int k = 0; k < COUNT + 4; ++k) {
        hf_check_near(x[k], 0.25 * k - 3.0, k < COUNT ? 1e-6 : 0.0, "straight line", "itself");
    }
    hf_rng rng = hf_rng_create(4);
    for (int k = 0; k <= COUNT / 2; ++k) {
        x[k] = x[COUNT - 1 - k] = hf_rng_normal(&rng);
    }
    assert_true(hf_filter_both_ways(x, COUNT, 0.05));
    for (int k = 0; k < COUNT / 2; ++k) {
        hf_check_near(x[k], x[COUNT - 1 - k], 1e-3, "left half", "right half, mirrored");
        bool inside = k > 400; // farther from the ends than the filter remembers
        hf_check_near(x[k], x[COUNT - 1 - k], inside ? 1e-11 : 1e-3, "left half", "right half");
    }
}

// Every 5th sample: slow waves keep their values, waves above half the new rate are gone.
static void thinned(void **state)
{
    (void)state;
    for (int fast = 0; fast < 2; ++fast) {
        double x[COUNT], frequency = fast ? 0.16 : 0.01;
        for (int k = 0; k < COUNT; ++k) {
            x[k] = cos(2.0 * PI * frequency * k + 0.4);
        }
        long long kept = hf_filter_thin(x, COUNT, 5);
        assert_int_equal(kept, (COUNT + 4) / 5);
        for (long long n = 20; n < kept - 20; ++n) {
            double want = fast ? 0.0 : cos(2.0 * PI * frequency * (double)(5 * n) + 0.4);
            hf_check_near(x[n], want, 4e-3, "thinned wave", "the wave, or nothing");
        }
        assert_int_equal(hf_filter_thin(x, 77, 1), 77);
    }
}

// A = sum of values[k] u_k u_k', u orthonormal: found again, rising.
enum { N = 6 };
static void make_matrix(hf_rng *rng, const double values[N], double u[N * N], double a[N * N])
{
    for (int k = 0; k < N; ++k) {
        double *row = u + N * k, size = 0.0;
        for (int i = 0; i < N; ++i) {
            row[i] = hf_rng_normal(rng);
        }
        for (int twice = 0; twice < 2; ++twice) {
            for (int j = 0; j < k; ++j) {
                double along = 0.0;
                for (int i = 0; i < N; ++i) {
                    along += u[N * j + i] * row[i];
                }
                for (int i = 0; i < N; ++i) {
                    row[i] -= along * u[N * j + i];
                }
            }
        }
        for (int i = 0; i < N; ++i) {
            size += row[i] * row[i];
        }
        for (int i = 0; i < N; ++i) {
            row[i] /= sqrt(size);
        }
    }
    for (int i = 0; i < N * N; ++i) {
        a[i] = 0.0;
        for (int k = 0; k < N; ++k) {
            a[i] += values[k] * u[N * k + i / N] * u[N * k + i % N];
        }
    }
}

static void eigenvalues(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(5);
    static const double known[N] = {-3.0, -0.5, 0.0, 0.2, 4.0, 9.0};
    for (int trial = 0; trial < 50; ++trial) {
        double u[N * N], a[N * N], values[N], vectors[N * N];
        make_matrix(&rng, known, u, a);
        hf_spectrum(a, N, values, vectors);
        hf_check_near_array(values, known, N, 1e-12, "eigenvalues", "what the matrix is made of");
        for (int k = 0; k < N; ++k) {
            double along = 0.0;
            for (int i = 0; i < N; ++i) {
                along += vectors[N * k + i] * u[N * k + i];
            }
            hf_check_near(fabs(along), 1.0, 1e-11, "eigenvector", "what the matrix is made of");
        }
    }
}

// A times its inverse is one; a direction that A does not tell is left out of both.
static void inverses(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(6);
    static const double known[2][N] = {{0.3, 0.5, 1.0, 2.0, 4.0, 9.0},
                                       {0.0, 0.5, 1.0, 2.0, 4.0, 9.0}};
    for (int trial = 0; trial < 40; ++trial) {
        double u[N * N], a[N * N], inverse[N * N], condition = 0.0;
        hf_error error = {0};
        make_matrix(&rng, known[trial % 2], u, a);
        assert_int_equal(hf_spectrum_invert(a, N, inverse, &condition, &error), HF_OK);
        assert_true(trial % 2 == 0 ? condition < 1e4 : condition > 1e7 || isinf(condition));
        // A X A = A holds with and without such a direction
        for (int i = 0; i < N * N; ++i) {
            double sum = 0.0;
            for (int k = 0; k < N * N; ++k) {
                sum += a[i / N * N + k / N] * inverse[k] * a[k % N * N + i % N];
            }
            hf_check_near(sum, a[i], 1e-9, "A X A", "A");
        }
    }
}

// The weight of a residual in the normal equations is half the slope of its loss over the residual:
// the loss is the sum of 2 z w(z) dz from nothing on. Simpson's rule, with the bend of Huber's loss
// at the end of a piece.
static void losses_and_weights(void **state)
{
    (void)state;
    static hf_fit fit;
    hf_rng rng = hf_rng_create(91);
    enum { PIECES = 2000 };
    for (int n = 0; n < 60; ++n) {
        fit.def.loss = n % 3 == 0 ? HF_FIT_SQUARES : n % 3 == 1 ? HF_FIT_SOFT_L1 : HF_FIT_HUBER;
        double d = fit.def.loss_scale = hf_rng_log_uniform(&rng, 0.3, 5.0);
        double z = hf_rng_uniform(&rng, -6.0, 6.0) * d, sum = 0.0;
        double ends[3] = {0.0, fmin(fabs(z), d), fabs(z)};
        for (int half = 0; half < 2; ++half) {
            double h = (ends[half + 1] - ends[half]) / (2 * PIECES);
            for (int k = 0; k <= 2 * PIECES; ++k) {
                double at = ends[half] + k * h;
                double weight = k == 0 || k == 2 * PIECES ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
                sum += weight * h / 3.0 * 2.0 * at * hf_fit_loss_weight(&fit, at);
            }
        }
        hf_check_near(hf_fit_loss_value(&fit, z), sum, 1e-10 * (1.0 + sum), "loss",
                      "sum of 2 z w(z) dz");
        hf_check_near(hf_fit_loss_value(&fit, -z), hf_fit_loss_value(&fit, z), 0.0, "loss",
                      "of the opposite residual");
        // Small residuals count by their squares; large ones by their size, where that was asked
        // for
        hf_check_near(hf_fit_loss_value(&fit, 1e-4 * d) / (1e-8 * d * d), 1.0, 1e-8, "small loss",
                      "square");
        double far = hf_fit_loss_value(&fit, 1e8 * d) / (1e8 * d * d);
        hf_check_near(far, n % 3 == 0 ? 1e8 : 2.0, n % 3 == 0 ? 1.0 : 1e-6, "large loss", "limit");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_and_weights), cmocka_unit_test(waves_keep_their_phase),
        cmocka_unit_test(lines_and_symmetry), cmocka_unit_test(thinned),
        cmocka_unit_test(eigenvalues),        cmocka_unit_test(inverses),
    };
    return hf_run_tests(tests);
}
