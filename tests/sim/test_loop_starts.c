// SPDX-License-Identifier: Apache-2.0
// Starts of closed chains: found from what is given, or refused with a reason.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "loop_scenes.h"

// A four-bar over a ground of 1 m, with bars a, b, c and joint keys to fill in.
static void four_bar_text(char *text, size_t size, double a, double b, double c, const char *crank,
                          const char *coupler, const char *rocker)
{
    (void)snprintf(
        text, size,
        "bodies:\n"
        "  left:\n"
        "    type: tree\n"
        "    joints:\n"
        "      crank: {type: revolute, mass: 1, inertia: [1, 1, 1]%s}\n"
        "      coupler: {type: revolute, parent: crank, offset: [%.17g, 0, 0], mass: 1, "
        "inertia: [1, 1, 1]%s}\n"
        "  right:\n"
        "    type: tree\n"
        "    joints:\n"
        "      rocker: {type: revolute, offset: [1, 0, 0], mass: 1, inertia: [1, 1, 1]%s}\n"
        "loops:\n"
        "  pin: {type: revolute, on: left.coupler, to: right.rocker, point: [%.17g, 0, 0], "
        "to_point: [%.17g, 0, 0]}\n",
        crank, a, coupler, rocker, b, c);
}

static void expect(const char *text, const char *part)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "test.yaml", NULL, NULL, &error);
    if (spec != NULL) {
        hf_spec_destroy(spec);
        fail_msg("accepted; expected: %s", part);
    }
    if (strstr(error.text, part) == NULL) {
        fail_msg("says\n  %s\nexpected\n  %s", error.text, part);
    }
}

// What is kept stays to the bit, the rest is the triangle's; both branches by the guess.
static void test_kept(void **state)
{
    (void)state;
    for (int branch = 0; branch < 2; ++branch) {
        char text[1200];
        four_bar_text(text, sizeof text, 0.3, 0.9, 0.7, ", position: 0.4, velocity: 2",
                      branch == 0 ? ", guess: 0.5" : ", guess: -1.5",
                      branch == 0 ? ", guess: 1.5" : ", guess: -1.5");
        hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_RK4, 1e-3);
        double x = 1.0 - 0.3 * cos(0.4), y = -0.3 * sin(0.4), d = hypot(x, y);
        double bend = acos((0.81 + d * d - 0.49) / (1.8 * d));
        double coupler = atan2(y, x) + (branch == 0 ? bend : -bend);
        double ex = 0.3 * cos(0.4) + 0.9 * cos(coupler) - 1.0;
        double ey = 0.3 * sin(0.4) + 0.9 * sin(coupler), rocker = atan2(ey, ex);
        hf_check_same_bits(loop_scene_value(sim, "left.crank.position"), 0.4, "crank");
        hf_check_same_bits(loop_scene_value(sim, "left.crank.velocity"), 2.0, "crank's rate");
        hf_check_near(remainder(loop_scene_value(sim, "left.coupler.position") - (coupler - 0.4),
                                2.0 * LOOP_PI),
                      0.0, 1e-12, "coupler", "triangle");
        hf_check_near(
            remainder(loop_scene_value(sim, "right.rocker.position") - rocker, 2.0 * LOOP_PI), 0.0,
            1e-12, "rocker", "triangle");
        // velocity of the pin, from both sides
        double rate = loop_scene_value(sim, "right.rocker.velocity");
        double turn = 2.0 + loop_scene_value(sim, "left.coupler.velocity");
        hf_check_near(-0.7 * sin(rocker) * rate, -0.6 * sin(0.4) - 0.9 * sin(coupler) * turn, 1e-12,
                      "pin's x'", "both sides");
        hf_check_near(0.7 * cos(rocker) * rate, 0.6 * cos(0.4) + 0.9 * cos(coupler) * turn, 1e-12,
                      "pin's y'", "both sides");
        loop_scene_finish(sim);
    }
}

// Far guesses close too, and few digits are enough.
static void test_far(void **state)
{
    (void)state;
    char text[1200];
    four_bar_text(text, sizeof text, 0.3, 0.9, 0.7, ", position: 2.5", "", "");
    hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_RK4, 1e-3);
    hf_check_below(hf_model_loop_info(hf_sim_model(sim), (hf_loop){1}).start_error, 1e-14,
                   "opening", "rounding");
    hf_check_same_bits(loop_scene_value(sim, "left.crank.position"), 2.5, "crank");
    double coupler = loop_scene_value(sim, "left.coupler.position");
    double rocker = loop_scene_value(sim, "right.rocker.position");
    loop_scene_finish(sim);
    char a[60], b[60];
    (void)snprintf(a, sizeof a, ", position: %.8f", coupler);
    (void)snprintf(b, sizeof b, ", position: %.8f", rocker);
    four_bar_text(text, sizeof text, 0.3, 0.9, 0.7, ", position: 2.5", a, b);
    sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_RK4, 1e-3);
    hf_check_below(hf_model_loop_info(hf_sim_model(sim), (hf_loop){1}).start_error, 1e-14,
                   "opening", "rounding");
    hf_check_near(loop_scene_value(sim, "left.crank.position"), 2.5, 2e-8, "crank", "few digits");
    loop_scene_finish(sim);
}

static void test_refused(void **state)
{
    (void)state;
    char text[1200];
    four_bar_text(text, sizeof text, 0.1, 0.2, 0.3, "", "", "");
    expect(text, "loop 'pin' cannot be closed from the positions given: 0.4 m");
    four_bar_text(text, sizeof text, 0.3, 0.9, 0.7, ", position: 0.4", ", position: 0.5", "");
    expect(text, "loop 'pin' cannot be closed with the joint positions that are given");
    four_bar_text(text, sizeof text, 0.3, 0.9, 0.7, ", position: 0.4, velocity: 1",
                  ", guess: 0.5, velocity: 0", ", guess: 1.5");
    expect(text, "loop 'pin': the joint velocities that are given part its ends");
    // a parallelogram, stretched: it could stay one, or fold into an antiparallelogram
    four_bar_text(text, sizeof text, 0.5, 1.0, 0.5, ", position: 0", "", "");
    expect(text, "loop 'pin': the start is singular");
    four_bar_text(text, sizeof text, 0.5, 1.0, 0.5, ", position: 0.1", ", guess: -0.1",
                  ", guess: 0.1");
    hf_sim *sim = loop_scene_start(loop_scene_parse(text), HF_METHOD_RK4, 1e-3);
    loop_scene_finish(sim);
}

static void test_definitions(void **state)
{
    (void)state;
    hf_error error;
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "bob";
    hf_body bob = hf_spec_add_mass(spec, &mass, &error);
    hf_driven_def driven = hf_driven_def_default();
    driven.name = "hand";
    driven.follow = (hf_coordinate){bob, 0};
    hf_body hand = hf_spec_add_driven(spec, &driven, &error);
    const struct {
        hf_loop_def def;
        const char *part;
    } cases[] = {
        {{.name = "l", .type = HF_LOOP_REVOLUTE, .on_frame.body = bob}, "bodies that can turn"},
        {{.name = "l", .type = HF_LOOP_POINT, .on_frame.body = hand}, "'hand' follows another"},
        {{.name = "l", .type = HF_LOOP_POINT}, "two different bodies"},
        {{.name = "l", .type = HF_LOOP_DISTANCE, .on_frame.body = bob}, "length must be positive"},
        {{.name = "l", .type = HF_LOOP_POINT, .on_frame.body = bob, .length = 1.0},
         "length is for distance loops"},
        {{.name = "l", .type = HF_LOOP_TYPE_COUNT, .on_frame.body = bob}, "unknown type"},
        {{.name = "l", .type = HF_LOOP_POINT, .on_frame.body = {99}}, "no such body"},
        {{.name = "bob", .type = HF_LOOP_POINT, .on_frame.body = bob}, "already taken"},
        {{.name = "l", .on_frame = {bob, {NAN, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}}, "finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_loop_def def = cases[i].def;
        if (def.on_frame.turn.w == 0.0) {
            def.on_frame.turn.w = 1.0;
        }
        def.to_frame.turn.w = 1.0;
        assert_int_equal(hf_spec_add_loop(spec, &def, &error).id, 0);
        if (strstr(error.text, cases[i].part) == NULL) {
            fail_msg("says '%s', expected '%s'", error.text, cases[i].part);
        }
    }
    hf_loop_def def = hf_loop_def_default();
    def.name = "good";
    def.on_frame.body = bob;
    hf_loop loop = hf_spec_add_loop(spec, &def, &error);
    assert_int_equal(loop.id, 1);
    assert_int_equal(hf_spec_find_loop(spec, "good").id, 1);
    hf_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept), cmocka_unit_test(test_far),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_definitions)};
    return hf_run_tests(tests);
}
