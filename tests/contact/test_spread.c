// SPDX-License-Identifier: Apache-2.0
// Impacts that reach bodies at rest on others, under every method that solves stops: Newton's
// cradle, rows of unlike masses against rows with gaps between them, and what must hold of all of
// them.
#include <holdfast/adaptive.h>
#include <math.h>

#include "contact_test.h"
#include "methods/timestep/timestep.h"
#include "solvers/small/spread.h"

enum { MOST = 8, TEXT = 4096 };

// A row of masses along a line, the first `moving` of them at 1 m/s, with stops between neighbours.
typedef struct mass_row {
    int count, moving;
    double mass[MOST];
    double gap; // between those at rest [m]
    double restitution;
} mass_row;

static void write_row(const mass_row *row, char text[TEXT])
{
    double at = 0.0;
    int used = snprintf(text, TEXT, "name: row\nduration: 1\nbodies:\n");
    for (int i = 0; i < row->count; ++i) {
        bool moves = i < row->moving;
        used +=
            snprintf(text + used, (size_t)(TEXT - used),
                     "  m%d: {type: mass, dim: 1, mass: %.17g, position: %.17g, velocity: %d}\n", i,
                     row->mass[i], at - (moves ? 0.2113 : 0.0), moves ? 1 : 0);
        at += 0.1 + (moves ? 0.0 : row->gap);
    }
    used += snprintf(text + used, (size_t)(TEXT - used), "forces:\n");
    for (int i = 0; i + 1 < row->count; ++i) {
        used += snprintf(text + used, (size_t)(TEXT - used),
                         "  - {name: s%d, type: stop, on: m%d, to: m%d, low: 0.1, restitution: "
                         "%.17g}\n",
                         i, i + 1, i, row->restitution);
    }
}

// Velocities after the impact; checks momentum, energy, and that no stop's heat is below zero.
static void strike(const mass_row *row, hf_method_def method, double v[MOST])
{
    char text[TEXT], name[32];
    write_row(row, text);
    hf_model *model = model_of(text);
    hf_sim_def def = hf_sim_def_default(model);
    def.method = method;
    def.methods[0] = hf_contact_methods();
    def.methods[1] = hf_adaptive_methods();
    hf_sim *sim = sim_from(model, &def);
    run_until(sim, 0.5);
    double momentum = 0.0, before = 0.0, energy = 0.0, start = 0.0;
    for (int i = 0; i < row->count; ++i) {
        (void)snprintf(name, sizeof name, "m%d.velocity", i);
        v[i] = value_of(sim, name);
        momentum += row->mass[i] * v[i];
        energy += 0.5 * row->mass[i] * v[i] * v[i];
        before += i < row->moving ? row->mass[i] : 0.0;
        start += i < row->moving ? 0.5 * row->mass[i] : 0.0;
        if (i > 0 && row->gap == 0.0) {
            hf_check_below(v[i - 1] - v[i], 1e-7, "approach", "stops hold");
        }
    }
    hf_check_near(momentum, before, 1e-9 * before, "momentum", "it is kept");
    hf_check_below(energy, start * (1.0 + 1e-6), "energy", "impacts make none");
    if (row->restitution == 1.0) {
        hf_check_near(energy, start, 1e-6 * start, "energy", "restitution 1 loses none");
    }
    for (int i = 0; i + 1 < row->count; ++i) {
        hf_force force = {i + 1};
        hf_check_below(-hf_sim_force_stats(sim, force).dissipated, 1e-7 * start, "heat that fell",
                       "of a stop");
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

enum { METHOD_COUNT = 5 };
static const hf_method_type METHODS[METHOD_COUNT] = {
    HF_METHOD_TIMESTEP, HF_METHOD_SWITCH, HF_METHOD_DISCRETE, HF_METHOD_SEMI_IMPLICIT_EULER,
    HF_METHOD_EULER};

static hf_method_def method_of(hf_method_type type)
{
    return (hf_method_def){.type = type, .step = 1e-3};
}

// As many balls leave as struck, with the same speed; all others stand.
static void newtons_cradle(void **state)
{
    (void)state;
    for (int m = 0; m < METHOD_COUNT; ++m) {
        for (int moving = 1; moving < 5; ++moving) {
            mass_row row = {.count = 5, .moving = moving, .restitution = 1.0};
            double v[MOST];
            for (int i = 0; i < row.count; ++i) {
                row.mass[i] = 0.3;
            }
            strike(&row, method_of(METHODS[m]), v);
            for (int i = 0; i < row.count; ++i) {
                hf_check_near(v[i], i >= row.count - moving ? 1.0 : 0.0, 1e-7, "velocity",
                              "Newton's cradle");
            }
        }
    }
}

// With restitution e the row goes on as one, but for the last: v = (1 - e)/n, and e more.
static void losses_are_shared(void **state)
{
    (void)state;
    for (int m = 0; m < METHOD_COUNT; ++m) {
        mass_row row = {.count = 4, .moving = 1, .mass = {1, 1, 1, 1}, .restitution = 0.8};
        double v[MOST];
        strike(&row, method_of(METHODS[m]), v);
        for (int i = 0; i < row.count; ++i) {
            hf_check_near(v[i], i == 3 ? 0.85 : 0.05, 1e-7, "velocity", "(1 - e)/n + e");
        }
    }
}

// Three masses: blows come one after the other, as where there is a little air between them.
static void as_with_air_between(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(1);
    for (int k = 0; k < 40; ++k) {
        mass_row row = {.count = 3, .moving = 1, .restitution = 1.0};
        double touching[MOST], apart[MOST];
        for (int i = 0; i < row.count; ++i) {
            row.mass[i] = exp(hf_rng_uniform(&rng, -1.5, 1.5));
        }
        row.gap = 1e-7;
        strike(&row, (hf_method_def){.type = HF_METHOD_SWITCH, .step = 1e-3}, apart);
        row.gap = 0.0;
        for (int m = 0; m < METHOD_COUNT; ++m) {
            strike(&row, method_of(METHODS[m]), touching);
            for (int i = 0; i < row.count; ++i) {
                hf_check_near(touching[i], apart[i], 2e-6, "velocity", "binary impacts in turn");
            }
        }
    }
}

// Any row: momentum, energy and heat as strike checks them, and one answer of all methods.
static void rows_of_any_masses(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(2);
    for (int k = 0; k < 60; ++k) {
        mass_row row = {.count = 3 + (int)hf_rng_uniform(&rng, 0, 5.999), .restitution = 1.0};
        double by_step[MOST], by_event[MOST];
        row.moving = 1 + (int)hf_rng_uniform(&rng, 0, 1.999);
        row.restitution = k % 2 == 0 ? 1.0 : hf_rng_uniform(&rng, 0.1, 0.95);
        for (int i = 0; i < row.count; ++i) {
            row.mass[i] = exp(hf_rng_uniform(&rng, -2, 2));
        }
        strike(&row, method_of(HF_METHOD_SWITCH), by_event);
        for (int m = 0; m < METHOD_COUNT; ++m) {
            strike(&row, method_of(METHODS[m]), by_step);
            for (int i = 0; i < row.count; ++i) {
                hf_check_near(by_step[i], by_event[i], 1e-6, "velocity", "method switch");
            }
        }
    }
}

// Two balls that fall one on the other: the light one leaves with (3 M - m)/(M + m) of the speed
// with which the heavy one strikes the floor. The blow of the floor is the first.
static void stacked_balls(void **state)
{
    (void)state;
    static const char *const BALLS =
        "name: balls\nduration: 1\nbodies:\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  big: {type: rigid, shape: {type: sphere, radius: 0.1}, mass: 0.6, position: [0, 0, "
        "0.35],\n"
        "    velocity: [0, 0, -1]}\n"
        "  small: {type: rigid, shape: {type: sphere, radius: 0.05}, mass: 0.06, position: [0, 0, "
        "0.5],\n"
        "    velocity: [0, 0, -1]}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0, restitution: 1}\n";
    for (int m = 0; m < 2; ++m) {
        hf_model *model = model_of(BALLS);
        hf_sim_def def = hf_sim_def_default(model);
        def.method = method_of(METHODS[m]);
        def.methods[0] = hf_contact_methods();
        def.methods[1] = hf_adaptive_methods();
        hf_sim *sim = sim_from(model, &def);
        run_until(sim, 0.4);
        hf_check_near(value_of(sim, "small.velocity.z"), 1.74 / 0.66, 1e-6, "the light ball",
                      "(3 M - m)/(M + m)");
        hf_check_near(value_of(sim, "big.velocity.z"), 0.42 / 0.66, 1e-6, "the heavy ball",
                      "(M - 3 m)/(M + m)");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A box that strikes with one edge and rests on another is one pair with its floor: Newton's rule.
static void one_pair_is_newtons(void **state)
{
    (void)state;
    static const char *const TEXT_OF_BOX =
        "name: rock\ngravity: [0, 0, -9.81]\nduration: 1\nbodies:\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  box: {type: rigid, shape: {type: box, size: [1, 0.5, 0.3]}, mass: 1,\n"
        "    position: [0, 0, 0.19918], orientation: {axis: [0, 1, 0], angle: 0.1}}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 5, restitution: 0.5}\n";
    // The edge lands at w; the other one stays, and the landing edge rises with w' = -0.5 w
    hf_model *model = model_of(TEXT_OF_BOX);
    hf_sim *sim = sim_with(model, timestep(1e-4));
    double before = 0.0, now = 0.0;
    for (int i = 0; i < 5000 && now >= before; ++i) {
        before = now;
        step(sim);
        now = value_of(sim, "box.angular_velocity.y");
        now = now == 0.0 ? before : -now;
    }
    hf_check_near(-now / before, 0.5, 0.02, "restitution of the turn", "Newton's rule");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Unit masses in a line, numbered from the left: contact i is between masses i and i + 1, or
// between i and a wall.
typedef struct line {
    double v[MOST];
    bool wall[MOST];
    int pushes[MOST];
} line;

static double line_moved(const void *bodies, int contact)
{
    const line *l = bodies;
    return (l->wall[contact] ? 0.0 : l->v[contact + 1]) - l->v[contact];
}

static void line_push(void *bodies, int contact, double impulse)
{
    line *l = bodies;
    l->v[contact] -= impulse;
    l->v[contact + 1] += l->wall[contact] ? 0.0 : impulse;
    l->pushes[contact] += 1;
}

static double line_weight(const void *bodies, int contact)
{
    return ((const line *)bodies)->wall[contact] ? 1.0 : 2.0;
}

static bool line_grounded(const void *bodies, int contact)
{
    return ((const line *)bodies)->wall[contact];
}

// Three sets: masses 0 to 2, of which the first strikes; 3 to 5, the last at a wall, the same; and
// 6 to 7, which approach no faster than the forces of a step let them, and which nothing strikes.
// Blows run through the first, end at the wall in the second, and are none in the third.
static void sets_are_apart(void **state)
{
    (void)state;
    line l = {.wall = {[5] = true}};
    double u[MOST] = {-1.0, 0.0, NAN, -1.0, 0.0, 0.0, -1e-4, NAN}, goal[MOST], r[MOST];
    double reached[3] = {0.0, 0.0, -1.0};
    int pair[MOST] = {0, 1, 2, 3, 4, 5, 6, 7}, set[MOST] = {0, 0, 0, 1, 1, 1, 2, 2}, struck[MOST];
    hf_spread sp = {.count = MOST,
                    .u = u,
                    .pair = pair,
                    .set = set,
                    .reached = reached,
                    .goal = goal,
                    .r = r,
                    .struck = struck,
                    .fastest = 1.0,
                    .bodies = &l,
                    .moved = line_moved,
                    .push = line_push,
                    .weight = line_weight,
                    .grounded = line_grounded};
    assert_true(hf_spread_blows(&sp));
    assert_true(hf_spread_changes(&sp, 0) && hf_spread_changes(&sp, 1));
    hf_check_near(hf_spread_parts(&sp, 0), 0.0, 1e-12, "first of three", "it stays");
    hf_check_near(hf_spread_parts(&sp, 1), 1.0, 1e-12, "last of three", "it leaves with all");
    for (int i = 3; i < MOST; ++i) {
        assert_false(hf_spread_changes(&sp, i));
    }
    assert_int_equal(l.pushes[6], 0);
    assert_int_equal(l.pushes[5], 0); // its set was left as soon as the blow had come to the wall
}

// A lid on two rollers on a floor that gains speed: forces make no approach of lid and rollers,
// and what the solution of a step leaves of one is no impact. A ball that lands on the lid is.
static void rounding_is_no_impact(void **state)
{
    (void)state;
    static const char *const ROLLERS =
        "name: rollers\ngravity: [0, 0, -9.81]\nduration: 1\nbodies:\n"
        "  floor: {type: driven, position: [0.25*t*t, 0, -0.1],\n"
        "    shape: {type: box, size: [10, 2, 0.2]}}\n"
        "  back: {type: rigid, mass: 2, position: [-0.5, 0, 0.1], inertia: [0.01, 0.01, 0.01],\n"
        "    shape: {type: cylinder, radius: 0.1, length: 0.4},\n"
        "    orientation: {axis: [1, 0, 0], angle: 1.5707963267948966}}\n"
        "  front: {type: rigid, mass: 2, position: [0.5, 0, 0.1], inertia: [0.01, 0.01, 0.01],\n"
        "    shape: {type: cylinder, radius: 0.1, length: 0.4},\n"
        "    orientation: {axis: [1, 0, 0], angle: 1.5707963267948966}}\n"
        "  lid: {type: rigid, mass: 3, position: [0, 0, 0.25],\n"
        "    shape: {type: box, size: [4, 1, 0.1]}}\n"
        "  ball: {type: rigid, mass: 0.1, position: [0, 0, 0.85],\n"
        "    shape: {type: sphere, radius: 0.05}}\n"
        "forces:\n  - {name: touch, type: collide, among: all, friction: 0.5, restitution: 0.3}\n";
    hf_model *model = model_of(ROLLERS);
    hf_sim *sim = sim_with(model, timestep(1e-3));
    int early = 0, late = 0;
    // The ball falls 0.5 m: it lands at 0.319 s
    while (hf_sim_time(sim) < 0.35) {
        step(sim);
        bool impacts = hf_timestep_of(sim)->attempt.traits.impacts;
        *(hf_sim_time(sim) < 0.315 ? &early : &late) += impacts;
        if (hf_sim_time(sim) < 0.315) { // 2/9 m/s^2, by hand
            double x = hf_sim_time(sim) * hf_sim_time(sim) / 9.0;
            hf_check_near(value_of(sim, "back.position.x"), x - 0.5, 1e-8, "roller", "it rolls");
        }
    }
    assert_int_equal(early, 0);
    assert_true(late > 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newtons_cradle),      cmocka_unit_test(losses_are_shared),
        cmocka_unit_test(as_with_air_between), cmocka_unit_test(rows_of_any_masses),
        cmocka_unit_test(stacked_balls),       cmocka_unit_test(one_pair_is_newtons),
        cmocka_unit_test(sets_are_apart),      cmocka_unit_test(rounding_is_no_impact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
