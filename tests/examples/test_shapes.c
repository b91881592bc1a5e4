// SPDX-License-Identifier: Apache-2.0
// Examples under method timestep: what their pages claim, over shorter times.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <hf_test.h>
#include <holdfast/contact.h>
#include <holdfast/models.h>

typedef struct machine {
    hf_model *model;
    hf_sim *sim;
} machine;

static machine start(const char *name, const char *variant)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/examples/%s.yaml", HF_SOURCE_DIR, name);
    hf_error error = {0};
    hf_overrides overrides = {.variant = variant};
    hf_spec *spec = hf_spec_load(path, &overrides, &error);
    machine m = {.model = spec == NULL ? NULL : hf_model_compile(spec, &error)};
    hf_spec_destroy(spec);
    if (m.model != NULL) {
        hf_sim_def def = hf_sim_def_default(m.model);
        def.methods[0] = hf_contact_methods();
        m.sim = hf_sim_create(m.model, &def, &error);
    }
    if (m.sim == NULL) {
        fail_msg("%s", error.text);
    }
    return m;
}

static void run(machine *m, double seconds)
{
    hf_error error = {0};
    while (hf_sim_time(m->sim) < seconds - 1e-9) {
        if (hf_sim_step(m->sim, &error) < 0) {
            fail_msg("%s", error.text);
        }
    }
}

static void end(machine *m)
{
    hf_sim_destroy(m->sim);
    hf_model_destroy(m->model);
}

static hf_vec3 place_of(const machine *m, const char *name, hf_quat *turn)
{
    hf_vec3 place;
    hf_quat unused;
    hf_body body = hf_model_find_body(m->model, name);
    assert_true(body.id != 0);
    hf_sim_pose(m->sim, body, &place, turn == NULL ? &unused : turn);
    return place;
}

// The farthest that any body went, and whether all are at rest.
static double farthest(const char *name, const char *variant, double seconds)
{
    machine m = start(name, variant);
    int count = hf_model_get_info(m.model).bodies;
    hf_vec3 before[200];
    assert_true(count <= 200);
    hf_quat turn;
    for (int i = 0; i < count; ++i) {
        hf_sim_pose(m.sim, (hf_body){i + 1}, &before[i], &turn);
    }
    run(&m, seconds);
    double far = 0.0;
    for (int i = 0; i < count; ++i) {
        hf_vec3 now;
        hf_sim_pose(m.sim, (hf_body){i + 1}, &now, &turn);
        far = fmax(far, fmax(fabs(now.x - before[i].x),
                             fmax(fabs(now.y - before[i].y), fabs(now.z - before[i].z))));
    }
    hf_check_near(hf_sim_energy(m.sim).kinetic, 0.0, 0.0, "kinetic energy", "at rest");
    end(&m);
    return far;
}

// They stand. What moves is what the first steps' residual of 1e-8 leaves.
static void test_what_stands(void **state)
{
    (void)state;
    hf_check_below(farthest("stack", NULL, 0.5), 1e-8, "stack moved", "it stands");
    hf_check_below(farthest("stack", "large-steps", 2.0), 1e-7, "stack moved, 5 ms", "it stands");
    hf_check_below(farthest("stack", "slope", 0.5), 1e-8, "tower on a slope moved", "it stands");
    hf_check_below(farthest("card-house", "stands", 0.5), 1e-10, "cards moved", "they stand");
    hf_check_below(farthest("wall", NULL, 0.1), 1e-8, "bricks moved", "they stand");
}

static void test_gripper(void **state)
{
    (void)state;
    hf_check_below(farthest("gripper", "small-steps", 1.0), 1e-10, "sink", "it is held");
    hf_check_below(farthest("gripper", "large-steps", 1.0), 1e-10, "sink, 5 ms", "it is held");
    machine m = start("gripper", "weak");
    run(&m, 0.15);
    hf_check_below(place_of(&m, "capsule", NULL).z, 0.49, "height of the capsule",
                   "three quarters of its weight are carried");
    end(&m);
}

static void test_what_falls(void **state)
{
    (void)state;
    machine m = start("card-house", "slippery");
    run(&m, 0.5);
    hf_check_below(place_of(&m, "left", NULL).z, 0.1, "height of a card", "they slid apart");
    end(&m);
    // a cube lands on a face
    m = start("cube-3d", NULL);
    run(&m, 2.0);
    hf_check_near(place_of(&m, "cube", NULL).z, 0.1, 2e-7, "height of the cube", "half its edge");
    hf_check_near(hf_sim_energy(m.sim).kinetic, 0.0, 0.0, "kinetic energy", "at rest");
    end(&m);
    // the first dominoes lie on each other
    m = start("dominoes", NULL);
    run(&m, 0.4);
    hf_quat turn;
    (void)place_of(&m, "domino-3", &turn);
    hf_check_below(0.2, 2.0 * fabs(asin(turn.y)), "tilt of the third domino", "it fell");
    end(&m);
    // spheres stay in their box, and every step is solved
    m = start("pile", "few");
    run(&m, 0.8);
    assert_int_equal(hf_sim_get_stats(m.sim).unsolved_steps, 0);
    for (int i = 1; i <= hf_model_get_info(m.model).bodies; ++i) {
        if (hf_model_body_info(m.model, (hf_body){i}).type == HF_BODY_RIGID) {
            hf_vec3 p = place_of(&m, hf_model_body_name(m.model, (hf_body){i}), NULL);
            hf_check_below(fmax(fabs(p.x), fabs(p.y)), 0.3 - 0.045 + 1e-4, "sphere", "in the box");
            hf_check_below(0.045 - 1e-4, p.z, "sphere", "over the ground");
        }
    }
    end(&m);
}

static void test_struck_ball(void **state)
{
    (void)state;
    machine m = start("struck-ball", "midpoints");
    run(&m, 2.5);
    hf_check_near(place_of(&m, "ball", NULL).x, 1.585683543, 1e-6, "way of the ball", "by hand");
    hf_check_near(hf_sim_energy(m.sim).kinetic, 0.0, 0.0, "kinetic energy", "at rest");
    end(&m);
    m = start("struck-ball", "steps");
    hf_channel spin = hf_model_find_channel(m.model, "ball.angular_velocity.z");
    run(&m, 1.466);
    assert_true(hf_sim_value(m.sim, spin) > 0.0);
    run(&m, 1.469);
    hf_check_near(hf_sim_value(m.sim, spin), 0.0, 1e-12, "spin", "over at 1.467890 s");
    run(&m, 2.037);
    assert_true(hf_sim_energy(m.sim).kinetic > 0.0);
    run(&m, 2.040);
    hf_check_near(hf_sim_energy(m.sim).kinetic, 0.0, 0.0, "energy", "over at 2.038736 s");
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_stands),
        cmocka_unit_test(test_gripper),
        cmocka_unit_test(test_what_falls),
        cmocka_unit_test(test_struck_ball),
    };
    return hf_run_tests(tests);
}
