// SPDX-License-Identifier: Apache-2.0
// Signals with their derivatives in a machine: expressions, Fourier series, tables.
#include "models_test.h"

#include <math.h>

#include "sim/sim_data.h"

// ------------------------------------------------------------------------------------------------
// In a machine: a driven body shows a signal's value and rate

static hf_sim *follow(const char *signal)
{
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "method: {type: rk4, step: 0.01}\n"
                   "bodies: {hand: {type: driven, position: path}}\n"
                   "signals:\n  path: %s\n",
                   signal);
    hf_spec *spec = parse_good(text);
    hf_error error = {0};
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    assert_non_null(model);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    return sim;
}

static void end(hf_sim *sim)
{
    hf_model *model = (hf_model *)hf_sim_model(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void step(hf_sim *sim)
{
    hf_error error = {0};
    assert_int_equal(hf_sim_step(sim, &error), HF_OK);
}

// The first joint's reference of [Farhat2010]'s robot: coefficients of the rate, integrated.
static void fourier_series(void **state)
{
    (void)state;
    static const double a[] = {.06, -.045, .04, -.03, .025}, b[] = {-.03, .05, .03, .055, -.035};
    hf_sim *sim = follow("{fourier: {offset: 0.65, frequency: 0.1, scale: 0.5, integrated: true,\n"
                         "    cosines: [0.06, -0.045, 0.04, -0.03, 0.025],\n"
                         "    sines: [-0.03, 0.05, 0.03, 0.055, -0.035]}}");
    hf_sim *plain = follow("{fourier: {period: 4, sines: [0, 2], cosines: [1]}}");
    hf_coordinate hand = {{1}, 0};
    const double w = 2 * acos(-1) * 0.1, half = acos(-1) / 2;
    for (int i = 0; i < 1100; ++i) {
        double t = hf_sim_time(sim), q = 0.65, v = 0;
        for (int k = 1; k <= 5; ++k) {
            q += 0.5 * (a[k - 1] * sin(k * w * t) - b[k - 1] * cos(k * w * t)) / (k * w);
            v += 0.5 * (a[k - 1] * cos(k * w * t) + b[k - 1] * sin(k * w * t));
        }
        hf_check_near(hf_sim_q(sim, hand), q, 1e-14, "q", "Farhat et al. 2010, the series");
        hf_check_near(hf_sim_v(sim, hand), v, 1e-14, "v", "Farhat et al. 2010, the series");
        hf_check_near(hf_signal_second(plain, 0, t, HF_SIDE_RIGHT),
                      -8 * half * half * sin(2 * half * t) - half * half * cos(half * t), 1e-12,
                      "second derivative", "the series");
        hf_check_near(hf_sim_q(plain, hand), 2 * sin(2 * half * t) + cos(half * t), 1e-13, "q",
                      "the series");
        step(sim);
        step(plain);
    }
    end(sim);
    end(plain);
}

static void expressions_have_exact_rates(void **state)
{
    (void)state;
    hf_sim *sim = follow("\"t < 0.5 ? sin(300*t) : 2*t\"");
    hf_coordinate hand = {{1}, 0};
    for (int i = 0; i < 100; ++i) {
        double t = hf_sim_time(sim);
        hf_check_near(hf_sim_v(sim, hand), i < 50 ? 300 * cos(300 * t) : 2.0, 1e-10, "v",
                      "the derivative");
        step(sim);
    }
    end(sim);
}

// A smooth table goes through its points without kinks; parabolas are exact.
static void smooth_tables(void **state)
{
    (void)state;
    hf_sim *sim = follow("{table: {points: [[0, 0], [0.1, 0.01], [0.4, 0.16], [0.5, 0.25], "
                         "[0.9, 0.81]], interpolation: smooth}}");
    hf_sim *bent = follow("{table: {points: [[0, 1], [0.2, 3], [0.3, 2], [0.7, 2], [0.8, -1]], "
                          "interpolation: smooth}}");
    hf_sim *straight = follow("{table: {points: [[0, 1], [0.5, 2]], interpolation: smooth}}");
    hf_sim *brief = follow("{table: [[0, 1], [0.5, 2]]}"); // points alone: a linear table
    hf_coordinate hand = {{1}, 0};
    for (int i = 0; i < 80; ++i) {
        double t = hf_sim_time(sim);
        hf_check_near(hf_sim_q(sim, hand), t * t, 1e-14, "q", "a parabola");
        hf_check_near(hf_sim_v(sim, hand), 2 * t, 1e-14, "v", "a parabola");
        hf_check_near(hf_signal_second(sim, 0, t, HF_SIDE_RIGHT), 2, 1e-12, "a", "a parabola");
        hf_check_near(hf_signal_second(straight, 0, t, HF_SIDE_RIGHT), 0, 1e-13, "a", "a line");
        hf_check_near(hf_sim_v(straight, hand), i < 50 ? 2 : 0, 1e-14, "v", "a line");
        hf_check_near(hf_sim_q(brief, hand), i < 50 ? 1 + 2 * t : 2, 1e-14, "q", "a line");
        // Rates are parabolas between points: Simpson's rule is exact.
        double rise = hf_signal_value(bent, 0, t + 0.01, HF_SIDE_LEFT) -
                      hf_signal_value(bent, 0, t, HF_SIDE_RIGHT);
        double simpson = (hf_signal_rate(bent, 0, t, HF_SIDE_RIGHT) +
                          4 * hf_signal_rate(bent, 0, t + 0.005, HF_SIDE_AT) +
                          hf_signal_rate(bent, 0, t + 0.01, HF_SIDE_LEFT)) /
                         6;
        hf_check_near(rise, 0.01 * simpson, 1e-13, "change of q", "integral of its rate");
        // Second derivatives are straight lines: the middle one is exact.
        hf_check_near(hf_signal_rate(bent, 0, t + 0.01, HF_SIDE_LEFT) -
                          hf_signal_rate(bent, 0, t, HF_SIDE_RIGHT),
                      0.01 * hf_signal_second(bent, 0, t + 0.005, HF_SIDE_AT), 1e-11, "change of v",
                      "integral of its rate");
        step(sim);
        step(straight);
        step(brief);
    }
    const double knots[] = {0.2, 0.3, 0.7}, values[] = {3, 2, 2};
    for (int i = 0; i < 3; ++i) {
        hf_check_near(hf_signal_value(bent, 0, knots[i], HF_SIDE_LEFT), values[i], 1e-13, "q",
                      "the table");
        hf_check_near(hf_signal_rate(bent, 0, knots[i], HF_SIDE_LEFT),
                      hf_signal_rate(bent, 0, knots[i], HF_SIDE_RIGHT), 1e-11, "v on the left",
                      "v on the right");
    }
    end(sim);
    end(bent);
    end(brief);
    end(straight);
}

static void mistakes(void **state)
{
    (void)state;
#define SERIES(text)                                                                               \
    "bodies: {b: {type: mass, dim: 1, mass: 1}}\nsignals:\n  s: {fourier: " text "}\n"
    expect_error(SERIES("{sines: [1]}"), "either frequency [Hz] or period [s]");
    expect_error(SERIES("{sines: [1], period: 1, frequency: 1}"), "either frequency");
    expect_error(SERIES("{period: 1}"), "needs sines or cosines");
    expect_error(SERIES("{period: 0, sines: [1]}"), "period must be positive");
    expect_error(SERIES("{period: 1, sins: [1]}"), "did you mean 'sines'");
    expect_error(SERIES("{period: 1, sines: [a]}"), "model.yaml:3:36");
    expect_error(SERIES("{period: 1, sines: [1]}, input: 0"), "unknown key 'input'");
#undef SERIES
    hf_spec *spec = hf_spec_create();
    hf_signal_def def = hf_signal_def_default();
    hf_error error = {0};
    def.name = "s";
    def.type = HF_SIGNAL_FOURIER;
    assert_int_equal(hf_spec_add_signal(spec, &def, &error).id, 0);
    assert_non_null(strstr(error.text, "frequency must be positive"));
    def.frequency = 1.0;
    assert_int_equal(hf_spec_add_signal(spec, &def, &error).id, 0);
    assert_non_null(strstr(error.text, "needs sines or cosines"));
    hf_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest signals[] = {
        cmocka_unit_test(fourier_series),
        cmocka_unit_test(expressions_have_exact_rates),
        cmocka_unit_test(smooth_tables),
        cmocka_unit_test(mistakes),
    };
    return hf_run_tests(signals);
}
