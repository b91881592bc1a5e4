// SPDX-License-Identifier: Apache-2.0
// Sine and cosine of our own: within one unit in the last place, odd and even, libm's far away.
#include <float.h>
#include <math.h>

#include <hf_test.h>

#include "math/sincos.h"

// Units in the last place between a double and the true value; what pi/2 in 118 bits leaves next to
// its multiples is allowed besides.
#define REST 1e-30L
static double units_off(double got, long double want)
{
    double size = fabs((double)want);
    double unit = fmax(nextafter(size, INFINITY) - size, DBL_TRUE_MIN);
    long double off = fabsl((long double)got - want);
    return (double)(fmaxl(off - REST, 0.0L) / (long double)unit);
}

static void check(double x)
{
    double s, c, minus_s, minus_c;
    hf_sincos_own(x, &s, &c);
    hf_sincos_own(-x, &minus_s, &minus_c);
    hf_check_below(units_off(s, sinl((long double)x)), 0.9, "sine", "units in the last place");
    hf_check_below(units_off(c, cosl((long double)x)), 0.9, "cosine", "units in the last place");
    hf_check_same_bits(minus_s, -s, "sin(-x)");
    hf_check_same_bits(minus_c, c, "cos(-x)");
}

static void accuracy(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(31);
    for (int i = 0; i < 300000; ++i) {
        check(hf_rng_uniform(&rng, -7.0, 7.0));
        check(hf_rng_uniform(&rng, -HF_SINCOS_MOST, HF_SINCOS_MOST));
        check(pow(10.0, hf_rng_uniform(&rng, -300.0, 5.0)));
    }
    // Where nearly nothing is left: multiples of a right angle, and beside them
    for (int n = 0; n < 300000; ++n) {
        double x = n * 1.57079632679489661923;
        check(x);
        check(nextafter(x, INFINITY));
        check(nextafter(x, 0.0));
        check(x + 0.78539816339744830962); // eighths, where the quarter changes
    }
}

static void ends(void **state)
{
    (void)state;
    double s, c;
    hf_sincos_own(-0.0, &s, &c);
    assert_true(s == 0.0 && signbit(s) && c == 1.0);
    static const double far[] = {5.1e5, -1e9, 1e22, 1e300};
    for (size_t i = 0; i < sizeof far / sizeof *far; ++i) {
        hf_sincos_own(far[i], &s, &c);
        hf_check_same_bits(s, sin(far[i]), "far sine");
        hf_check_same_bits(c, cos(far[i]), "far cosine");
    }
    hf_sincos_own((double)NAN, &s, &c);
    assert_true(isnan(s) && isnan(c));
    hf_sincos_own((double)INFINITY, &s, &c);
    assert_true(isnan(s) && isnan(c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accuracy),
        cmocka_unit_test(ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
