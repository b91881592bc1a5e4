// SPDX-License-Identifier: Apache-2.0
// Nothing that can touch is stepped over: bodies that fly freely, at any speed, however small and
// far, meet each other under every family and at every interval of recording.
#include <hf_machine.h>
#include <holdfast/adaptive.h>

#include <math.h>

static hf_sim *adaptive_sim(const hf_model *model)
{
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_adaptive_methods();
    return sim_from(model, &def);
}

static const char *const FAMILIES[] = {"bdf", "adams", "erk"};

// Two spheres of unlike masses on one line, the first flying at the second.
static hf_model *spheres_model(hf_rng *rng, const char *family, bool swarm, double step,
                               double distance, double speed)
{
    char text[1000];
    double radius = hf_rng_log_uniform(rng, 0.01, 0.1);
    (void)snprintf(
        text, sizeof text,
        "method: {type: adaptive, family: %s, step: %.17g}\n"
        "bodies:\n"
        "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: %g}, velocity: [%.17g, 0, 0]}\n"
        "  b: {type: rigid, mass: %g, shape: {type: sphere, radius: 0.05},\n"
        "      position: [%.17g, 0, 0]}\n"
        "forces:\n"
        "  - {name: touch, %s, restitution: 0.5, friction: 0}\n",
        family, step, radius, speed, hf_rng_log_uniform(rng, 0.1, 10.0), distance + radius + 0.05,
        swarm ? "type: collide, among: all" : "type: contact, on: a, to: b");
    return model_of(text);
}

static void spheres_meet(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(4711);
    for (int i = 0; i < 24; ++i) {
        double speed = hf_rng_log_uniform(&rng, 0.3, 30.0);
        double distance = hf_rng_log_uniform(&rng, 0.1, i % 2 == 0 ? 100.0 : 3.0);
        double end = 2.0 * distance / speed, step = end / hf_rng_int(&rng, 1, 200);
        hf_model *model = spheres_model(&rng, FAMILIES[i % 3], i % 2 != 0, step, distance, speed);
        hf_sim *sim = adaptive_sim(model);
        run_until(sim, end);
        double apart = value_of(sim, "b.velocity.x") - value_of(sim, "a.velocity.x");
        hf_check_near(apart / speed, 0.5, 0.01, "restitution", "the wish");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A ball that rests on a spring well above a floor is shot down by a signal that comes later.
static void signals_bring_forces(void **state)
{
    (void)state;
    for (int i = 0; i < 3; ++i) {
        char text[800];
        (void)snprintf(text, sizeof text,
                       "method: {type: adaptive, family: %s, step: 0.25}\n"
                       "bodies:\n"
                       "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.02}}\n"
                       "  b: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.02},\n"
                       "      position: [0.5, 0, 0]}\n"
                       "signals: {push: \"t < 1 ? 0 : (t < 1.1 ? 50*sin(pi*(t - 1)/0.1) : 0)\"}\n"
                       "forces:\n"
                       "  - {name: gun, on: a, type: force, value: [push, 0, 0]}\n"
                       "  - {name: touch, on: a, to: b, type: contact, restitution: 1}\n",
                       FAMILIES[i]);
        hf_model *model = model_of(text);
        hf_sim *sim = adaptive_sim(model);
        run_until(sim, 3.0);
        // 2*50*0.1/pi = 3.1831 Ns, all of it handed on
        hf_check_near(value_of(sim, "b.velocity.x"), 3.1831, 0.05, "velocity", "impulse");
        hf_check_near(value_of(sim, "a.velocity.x"), 0.0, 0.05, "velocity", "equal masses");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A spinning box thrown at a wall comes back from it.
static void boxes_come_back(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(815);
    for (int i = 0; i < 9; ++i) {
        char text[900];
        (void)snprintf(
            text, sizeof text,
            "method: {type: adaptive, family: %s, step: 0.1}\n"
            "bodies:\n"
            "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.1, 0.2, 0.3]},\n"
            "        position: [0, 0, 5], velocity: [0, 0, %g], angular_velocity: [%g, %g, 0]}\n"
            "forces: [{name: wall, on: box, type: contact, restitution: 0.5, friction: 0.2}]\n",
            FAMILIES[i % 3], -hf_rng_log_uniform(&rng, 1.0, 50.0), hf_rng_uniform(&rng, -9, 9),
            hf_rng_uniform(&rng, -9, 9));
        hf_model *model = model_of(text);
        hf_sim *sim = adaptive_sim(model);
        run_until(sim, 8.0);
        hf_check_below(0.0, value_of(sim, "box.position.z"), "place before the wall", "0");
        hf_check_below(hf_sim_get_stats(sim).largest_penetration, 0.02, "depth", "shallow");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_meet),
        cmocka_unit_test(signals_bring_forces),
        cmocka_unit_test(boxes_come_back),
    };
    return hf_run_tests(tests);
}
