// SPDX-License-Identifier: Apache-2.0
// Shapes against shapes under switch: features of boxes, spheres, capsules and convex meshes as
// contacts that are located, held to the bit, and handed over from feature to feature.
#include <float.h>
#include <math.h>

#include <holdfast/contact.h>

#include "adaptive_test.h"

#define TIGHT "method: {type: switch, step: 0.01, rtol: 1e-9, atol: 1e-10}\n"

static void close_run(hf_model *model, hf_sim *sim)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A box on a box on a slope: gravity leans. Both hold to the bit below mu, and the upper one slides
// with g (sin - mu cos) above.
static void boxes_on_a_slope(void **state)
{
    (void)state;
    static const char text[] =
        "gravity: [%g, 0, -9]\n" TIGHT "bodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  low: {type: rigid, mass: 2, position: [0, 0, 0.05],\n"
        "    shape: {type: box, size: [0.6, 0.4, 0.1]}}\n"
        "  high: {type: rigid, mass: 1, position: [0, 0, 0.15],\n"
        "    shape: {type: box, size: [0.2, 0.2, 0.1]}}\n"
        "forces:\n"
        "  - {name: floor, type: collide, among: [ground, low], friction: 0.7, restitution: 0}\n"
        "  - {name: rub, type: collide, among: [low, high], friction: 0.5, restitution: 0}\n";
    for (int i = 0; i < 2; ++i) {
        char machine[1200];
        double along = i == 0 ? 4.4 : 5.0;
        (void)snprintf(machine, sizeof machine, text, along);
        hf_model *model = model_of(machine);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, i == 0 ? 3.0 : 0.3);
        double slid = i == 0 ? 0.0 : 0.5 * (along - 0.5 * 9.0) * 0.3 * 0.3;
        hf_check_near(value_of(sim, "high.position.x"), slid, i == 0 ? 0.0 : 1e-8, "upper box",
                      "closed form");
        hf_check_near(value_of(sim, "high.velocity.x"), i == 0 ? 0.0 : 0.15, i == 0 ? 0.0 : 1e-8,
                      "its velocity", "closed form");
        hf_check_near(value_of(sim, "low.position.x"), 0.0, 1e-15, "lower box", "held");
        close_run(model, sim);
    }
}

// A load that rises slowly: four points share it until it is mu m g, and not before.
static void breaks_away_at_the_level(void **state)
{
    (void)state;
    static const char *const tables[] = {"{type: box, size: [2, 1, 0.1]}, position: [0, 0, -0.05]",
                                         "{type: plane}"};
    for (int i = 0; i < 2; ++i) {
        char machine[900];
        (void)snprintf(machine, sizeof machine,
                       "gravity: [0, 0, -10]\n" TIGHT "bodies:\n"
                       "  table: {type: static, shape: %s}\n"
                       "  box: {type: rigid, mass: 1, position: [0, 0, 0.05],\n"
                       "    shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
                       "forces:\n"
                       "  - {name: c, type: collide, among: all, friction: 0.3, restitution: 0}\n"
                       "  - {name: pull, on: box, type: force, value: [t, 0, 0]}\n",
                       tables[i]);
        hf_model *model = model_of(machine);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 2.99);
        hf_check_near(value_of(sim, "box.position.x"), 0.0, i == 0 ? 0.0 : 1e-12, "held",
                      "below the level");
        run_until(sim, 4.0);
        hf_check_near(value_of(sim, "box.position.x"), 1.0 / 6.0, 2e-7, "slid", "(t - 3)^3/6");
        close_run(model, sim);
    }
}

// A block on a plate, both free: it stops at v/(mu g (1 + m/M)), and momentum is kept.
static void a_block_on_a_plate(void **state)
{
    (void)state;
    hf_model *model =
        model_of("gravity: [0, 0, -9.81]\n" TIGHT "bodies:\n"
                 "  ground: {type: static, shape: {type: plane}}\n"
                 "  plate: {type: rigid, mass: 3, position: [0, 0, 0.05],\n"
                 "    shape: {type: box, size: [2, 0.4, 0.1]}}\n"
                 "  block: {type: rigid, mass: 1, position: [-0.5, 0, 0.15], velocity: [2, 0, 0],\n"
                 "    shape: {type: box, size: [0.2, 0.2, 0.1]}}\n"
                 "forces:\n"
                 "  - {name: floor, type: collide, among: [ground, plate], friction: 0,\n"
                 "     restitution: 0}\n"
                 "  - {name: rub, type: collide, among: [block, plate], friction: 0.4,\n"
                 "     restitution: 0}\n");
    hf_sim *sim = sim_from(model, NULL);
    double stop = 2.0 / (0.4 * 9.81 * (4.0 / 3.0));
    while (value_of(sim, "rub.mode") != 0.0) {
        double momentum = 3 * value_of(sim, "plate.velocity.x") + value_of(sim, "block.velocity.x");
        hf_check_near(momentum, 2.0, 1e-12, "momentum", "kept");
        step(sim);
    }
    hf_check_near(hf_sim_time(sim), stop, 0.01, "it stops", "closed form, to a record");
    run_until(sim, 1.0);
    double way = 2.0 * stop - 0.5 * 0.4 * 9.81 * stop * stop + 0.5 * (1.0 - stop);
    hf_check_near(value_of(sim, "block.position.x"), way - 0.5, 1e-8, "way", "closed form");
    hf_check_near(value_of(sim, "block.velocity.x"), 0.5, 1e-12, "velocity", "of both");
    hf_check_near(value_of(sim, "plate.velocity.x"), 0.5, 1e-12, "velocity", "of both");
    close_run(model, sim);
}

// Two boxes face to face: four points, one impact, Newton's restitution.
static void boxes_collide(void **state)
{
    (void)state;
    static const double restitutions[] = {0.0, 0.5, 1.0};
    for (int i = 0; i < 3; ++i) {
        char machine[800];
        double e = restitutions[i];
        (void)snprintf(machine, sizeof machine,
                       TIGHT
                       "bodies:\n"
                       "  a: {type: rigid, mass: 3, position: [-0.5, 0, 0],\n"
                       "    velocity: [1, 0, 0], shape: {type: box, size: [0.2, 0.3, 0.4]}}\n"
                       "  b: {type: rigid, mass: 1, position: [0.5, 0, 0],\n"
                       "    velocity: [-0.5, 0, 0], shape: {type: box, size: [0.2, 0.2, 0.2]}}\n"
                       "forces: [{name: c, type: collide, among: [a, b], friction: 0.3,\n"
                       "  restitution: %g}]\n",
                       e);
        hf_model *model = model_of(machine);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 1.0);
        double a = value_of(sim, "a.velocity.x"), b = value_of(sim, "b.velocity.x");
        hf_check_near(3 * a + b, 2.5, 1e-12, "momentum", "kept");
        hf_check_near(b - a, 1.5 * e, 1e-12, "rebound", "e times the approach");
        double lost = 0.5 * 0.75 * 2.25 * (1.0 - e * e);
        hf_check_near(value_of(sim, "c.dissipated"), lost, 1e-12, "heat", "closed form");
        hf_check_near(value_of(sim, "b.angular_velocity.z"), 0.0, 1e-12, "spin", "none");
        close_run(model, sim);
    }
}

// A ball rolls over the edge of a box: from its face to its edge without an event, about the edge
// as a pendulum, until friction, 2/7 m g sin, is more than mu N.
static void a_ball_off_an_edge(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n"
        "method: {type: switch, step: 2e-4, rtol: 1e-10, atol: 1e-11}\nbodies:\n"
        "  table: {type: static, shape: {type: box, size: [1, 1, 0.2]},\n"
        "    position: [0, 0, -0.1]}\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
        "    position: [0.4, 0, 0.1], velocity: [0.3, 0, 0], angular_velocity: [0, 3, 0]}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: all, friction: 0.8, restitution: 0}\n");
    hf_sim *sim = sim_from(model, NULL);
    double g = 9.81, r = 0.1, angle = 0.0;
    while (value_of(sim, "c.mode") == 0.0) {
        double x = value_of(sim, "ball.position.x") - 0.5, z = value_of(sim, "ball.position.z");
        double v = hypot(value_of(sim, "ball.velocity.x"), value_of(sim, "ball.velocity.z"));
        angle = x > 0.0 ? atan2(x, z) : 0.0;
        hf_check_near(0.7 * v * v, 0.7 * 0.09 + g * r * (1.0 - cos(angle)), 1e-8, "energy",
                      "of a ball that rolls");
        if (x > 0.0) {
            hf_check_near(hypot(x, z), r, 1e-9, "distance from the edge", "radius");
        }
        step(sim);
    }
    hf_check_near(value_of(sim, "c.mode"), 1.0, 0.0, "it slips", "before it parts");
    double v2 = 0.09 + g * r * (1.0 - cos(angle)) / 0.7, normal = g * cos(angle) - v2 / r;
    hf_check_near(2.0 / 7.0 * g * sin(angle) / normal, 0.8, 0.02, "friction by normal", "mu");
    assert_int_equal(hf_sim_get_stats(sim).events, 1);
    close_run(model, sim);
}

// A capsule between a pad that is shaken and one that is not rolls by half of it, and does not
// sink.
static void a_capsule_is_gripped(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\n" TIGHT "bodies:\n"
        "  left: {type: driven, axes: xyz, position: [-0.045, 0, \"0.502 - 0.002*cos(20*t)\"],\n"
        "    shape: {type: box, size: [0.03, 0.1, 0.08]}}\n"
        "  hand:\n"
        "    type: tree\n"
        "    joints:\n"
        "      right: {type: prismatic, axis: [-1, 0, 0], offset: [0.045, 0, 0.5], mass: 0.3,\n"
        "        shape: {type: box, size: [0.03, 0.1, 0.08]}}\n"
        "  capsule: {type: rigid, mass: 0.2, position: [0, 0, 0.5], shape: {type: capsule,\n"
        "    radius: 0.03, length: 0.06, orientation: {axis: [1, 0, 0], angle: "
        "1.5707963267948966}}}\n"
        "forces:\n"
        "  - {name: press, on: hand.right, type: force, value: 10}\n"
        "  - {name: c, type: collide, among: all, friction: 0.5, restitution: 0}\n");
    hf_sim *sim = sim_from(model, NULL);
    for (int k = 1; k <= 10; ++k) {
        run_until(sim, 0.1 * k);
        double half = 0.001 * (1.0 - cos(20.0 * 0.1 * k));
        hf_check_near(value_of(sim, "capsule.position.z"), 0.5 + half, 1e-7, "height",
                      "half of the pad's");
    }
    hf_check_near(value_of(sim, "capsule.position.x"), 0.0, 1e-9, "between the pads", "middle");
    close_run(model, sim);
}

// A ball on a tray that tips, and boards that slide apart and fall on each other: timestep comes to
// where switch is, at first order.
static double after(const char *method, double step, const char *rest, double end,
                    const char *channel)
{
    char machine[1600];
    (void)snprintf(machine, sizeof machine,
                   "gravity: [0, 0, -10]\nmethod: {type: %s, step: %g}\n%s", method, step, rest);
    hf_model *model = model_of(machine);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, end);
    double value = value_of(sim, channel);
    close_run(model, sim);
    return value;
}

static void timestep_comes_near(void **state)
{
    (void)state;
    static const char *const machines[] = {
        "bodies:\n"
        "  tray: {type: driven, axes: xyz, position: [0, 0, 0], angles: [0, -0.2*t*t, 0],\n"
        "    shape: {type: box, size: [2, 1, 0.1]}}\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
        "    position: [0, 0, 0.15]}\n"
        "forces: [{name: c, type: collide, among: all, friction: 0.8, restitution: 0}]\n",
        "bodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  ball: {type: rigid, mass: 0.09, shape: {type: box, size: [0.01, 0.2, 0.36]},\n"
        "    position: [-0.066262088902549907, 0, 0.17085477245809183],\n"
        "    orientation: {axis: [0, 1, 0], angle: 0.3490658503988659}}\n"
        "  right: {type: rigid, mass: 0.1, shape: {type: box, size: [0.01, 0.2, 0.4]},\n"
        "    position: [0.059421686036036515, 0, 0.18964862487381004],\n"
        "    orientation: {axis: [0, 1, 0], angle: -0.3490658503988659}}\n"
        "forces: [{name: c, type: collide, among: all, friction: 0.1, restitution: 0}]\n"};
    for (int i = 0; i < 2; ++i) {
        double end = i == 0 ? 1.2 : 0.2, errors[3];
        const char *channel = "ball.position.x";
        double exact = after("switch, rtol: 1e-9", 0.01, machines[i], end, channel);
        for (int k = 0; k < 3; ++k) {
            errors[k] = after("timestep", ldexp(2e-3, -k), machines[i], end, channel) - exact;
        }
        for (int k = 1; k < 3; ++k) {
            hf_check_near(errors[k - 1] / errors[k], 2.0, 0.4, "ratio of errors", "first order");
        }
        hf_check_below(fabs(errors[2]), 2e-3, "timestep at 0.5 ms", "switch");
    }
}

// Things fall on each other: nothing is in another at the end, energy is accounted for.
static void things_fall(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\nmethod: {type: switch, step: 0.01, rtol: 1e-7, atol: 1e-9}\n"
        "bodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  big: {type: rigid, mass: 2, shape: {type: box, size: [0.5, 0.5, 0.1]},\n"
        "    position: [0, 0, 0.051]}\n"
        "  cube: {type: rigid, mass: 1, shape: {type: box, size: [0.12, 0.1, 0.11]},\n"
        "    position: [0.1, 0.02, 0.3], orientation: {axis: [1, 2, 0.5], angle: 0.7},\n"
        "    angular_velocity: [1, -2, 3]}\n"
        "  rod: {type: rigid, mass: 0.4, shape: {type: capsule, radius: 0.03, length: 0.15},\n"
        "    position: [-0.05, -0.1, 0.3], orientation: {axis: [1, 0.2, 0], angle: 1.2}}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: all, friction: 0.5, restitution: 0.2}\n");
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "big.position.z"), 0.05, 1e-7, "the plate", "on the ground");
    hf_check_near(value_of(sim, "rod.position.z"), 0.13, 1e-7, "the rod", "on the plate");
    hf_check_near(value_of(sim, "cube.velocity.z"), 0.0, 1e-12, "the cube", "at rest");
    hf_check_near(value_of(sim, "c.normal"), 9.81 * (3.4 + 1.4), 1e-6, "normal forces", "weights");
    hf_check_below(hf_sim_verdict(sim).ledger, 1e-4, "ledger", "of what fell");
    close_run(model, sim);
}

// A body of two shapes tumbles on a shaken plate and comes to slide on it, slowly, at five points
// at once: impacts that settle change the directions of its slips, which are watched from there.
static void slips_after_impacts(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0, 0, -9.81]\nmethod: {type: switch, step: 0.01, rtol: 1e-6, atol: 1e-9}\n"
        "bodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  plate: {type: driven, axes: xyz, position: [\"0.05*sin(6*t)\", 0, 0.05],\n"
        "    shape: {type: box, size: [0.5, 0.5, 0.1]}}\n"
        "  body: {type: rigid, mass: 1.29, position: [0.016, 0.021, 0.350],\n"
        "    shapes: {a: {type: box, size: [0.2, 0.06, 0.06]},\n"
        "      b: {type: sphere, radius: 0.05, position: [0.1, 0, 0.02]}},\n"
        "    orientation: {axis: [0.818, -0.062, 0.102], angle: -1.850},\n"
        "    velocity: [0.04, 0.05, 0], angular_velocity: [-0.62, 2.17, -1.61]}\n"
        "forces: [{name: c, type: collide, among: all, friction: 0.36, restitution: 0.5}]\n");
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.8);
    hf_check_below(hf_sim_verdict(sim).ledger, 1e-4, "ledger", "of a body that tumbles");
    hf_check_below((double)hf_sim_get_stats(sim).internal_steps, 5000.0, "internal steps",
                   "those of a few hundred events");
    hf_check_near(value_of(sim, "body.velocity.z"), 0.0, 1e-9, "the body", "on the plate");
    close_run(model, sim);
}

// The order of declaration changes no bit, and neither does a save.
static void the_same_bits(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "  board: {type: rigid, mass: 1, position: [0, 0, 0.06],\n"
        "    shape: {type: box, size: [0.4, 0.3, 0.1]}}\n",
        "  rod: {type: rigid, mass: 0.4, shape: {type: capsule, radius: 0.03, length: 0.15},\n"
        "    position: [-0.05, 0.02, 0.2], orientation: {axis: [1, 0.2, 0], angle: 1.3}}\n",
        "  ground: {type: static, shape: {type: plane}}\n"};
    double seen[2] = {0.0, 0.0}, again = 0.0;
    for (int i = 0; i < 2; ++i) {
        char machine[1200];
        (void)snprintf(machine, sizeof machine,
                       "gravity: [0, 0, -9.81]\nmethod: {type: switch, step: 0.01}\nbodies:\n"
                       "%s%s%s"
                       "forces: [{name: c, type: collide, among: all, friction: 0.5,\n"
                       "  restitution: 0.1}]\n",
                       bodies[i], bodies[1 - i], bodies[2]);
        hf_model *model = model_of(machine);
        hf_sim *sim = sim_from(model, NULL), *other = sim_from(model, NULL);
        run_until(sim, 0.25);
        size_t size = hf_sim_save_size(sim);
        void *kept = malloc(size);
        hf_error error = {0};
        assert_non_null(kept);
        hf_sim_save(sim, kept);
        run_until(sim, 0.5);
        if (hf_sim_restore(other, kept, size, &error) < 0) {
            fail_msg("%s", error.text);
        }
        run_until(other, 0.5);
        seen[i] = value_of(sim, "rod.position.x");
        again = value_of(other, "rod.position.x");
        assert_memory_equal(&seen[i], &again, sizeof again);
        free(kept);
        hf_sim_destroy(other);
        close_run(model, sim);
    }
    assert_memory_equal(&seen[0], &seen[1], sizeof seen[0]);
}

// What it cannot follow is refused, with what can be; so are shapes in each other.
static void refusals(void **state)
{
    (void)state;
    hf_model *model = model_of("method: {type: switch, step: 0.01}\nbodies:\n"
                               "  a: {type: rigid, mass: 1, position: [0, 0, 0.999],\n"
                               "    shape: {type: box, size: [1, 1, 1]}}\n"
                               "  b: {type: rigid, mass: 1, shape: {type: box, size: [1, 1, 1]}}\n"
                               "forces: [{name: c, type: collide, among: all, friction: 0.5}]\n");
    hf_sim *sim = sim_from(model, NULL);
    hf_error error = {0};
    assert_true(hf_sim_step(sim, &error) < 0);
    assert_non_null(strstr(error.text, "'a' and 'b' are 0.001 m in each other"));
    close_run(model, sim);
}

// What slides over two tiles, flush or the second one lower, goes as far as on one: v^2/(2 mu g).
// So does a box that is wider than they are, whose edge crosses theirs.
static void flush_tiles(void **state)
{
    (void)state;
    static const struct {
        double width, lower, allowance;
    } TILES[] = {{1.0, 0.0, 3e-6}, {0.06, 0.0, 1e-5}, {1.0, 1e-4, 4e-4}};
    for (int i = 0; i < 3; ++i) {
        char text[800];
        (void)snprintf(text, sizeof text,
                       "gravity: [0, 0, -9.81]\n"
                       "method: {type: switch, step: 0.01}\n"
                       "bodies:\n"
                       "  one: {type: static, position: [-0.5, 0, -0.1],\n"
                       "        shape: {type: box, size: [1, %g, 0.2]}}\n"
                       "  two: {type: static, position: [0.5, 0, %g],\n"
                       "        shape: {type: box, size: [1, %g, 0.2]}}\n"
                       "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.1, 0.1]},\n"
                       "        position: [-0.12, 0, 0.05], velocity: [1, 0, 0]}\n"
                       "forces: [{name: c, type: collide, among: all, friction: 0.2,\n"
                       "          restitution: 0}]\n",
                       TILES[i].width, -0.1 - TILES[i].lower, TILES[i].width);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 1.0);
        hf_check_near(value_of(sim, "box.position.x"), -0.12 + 1.0 / (0.4 * 9.81),
                      TILES[i].allowance, "where it rests", "as on one tile");
        hf_check_near(value_of(sim, "box.velocity.x"), 0.0, 0.0, "velocity", "rest");
        close_run(model, sim);
    }
}

// The largest force of each: of a box on four corners a quarter of its weight at each, and of a
// friction beside it no more than it holds.
static void largest_forces(void **state)
{
    (void)state;
    hf_model *model = model_of("gravity: [0, 0, -9.81]\n" TIGHT "bodies:\n"
                               "  block: {type: static, position: [0, 0, -0.1],\n"
                               "    shape: {type: box, size: [1, 1, 0.2]}}\n"
                               "  box: {type: rigid, mass: 2, position: [0, 0, 0.1],\n"
                               "    shape: {type: box, size: [0.4, 0.4, 0.2]}}\n"
                               "  slide: {type: mass, dim: 1, mass: 1}\n"
                               "forces:\n"
                               "  - {name: touch, type: collide, among: all, friction: 0.5}\n"
                               "  - {name: push, on: slide, type: force, value: 0.3}\n"
                               "  - {name: rub, on: slide, type: friction, law: coulomb,\n"
                               "     level: 2}\n");
    hf_sim *sim = sim_with(model, hf_model_method(model));
    run_until(sim, 0.1);
    double corner = hf_sim_force_stats(sim, hf_model_find_force(model, "touch")).largest_force;
    double rub = hf_sim_force_stats(sim, hf_model_find_force(model, "rub")).largest_force;
    hf_check_near(corner, 2.0 * 9.81 / 4.0, 1e-8, "force of one corner [N]", "m g/4");
    hf_check_near(rub, 0.3, 1e-12, "friction [N]", "the push that it holds");
    close_run(model, sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_on_a_slope),
        cmocka_unit_test(breaks_away_at_the_level),
        cmocka_unit_test(a_block_on_a_plate),
        cmocka_unit_test(boxes_collide),
        cmocka_unit_test(a_ball_off_an_edge),
        cmocka_unit_test(a_capsule_is_gripped),
        cmocka_unit_test(timestep_comes_near),
        cmocka_unit_test(things_fall),
        cmocka_unit_test(slips_after_impacts),
        cmocka_unit_test(the_same_bits),
        cmocka_unit_test(refusals),
        cmocka_unit_test(flush_tiles),
        cmocka_unit_test(largest_forces),
    };
    return hf_run_tests(tests);
}
