// SPDX-License-Identifier: Apache-2.0
// hf_sim_contacts: where bodies touch, and what they push with.
#include <math.h>

#include "contact_test.h"

enum { ROOM = 64 };

static int views_of(hf_sim *sim, hf_contact_view *views)
{
    int count = hf_sim_contacts(sim, views, ROOM);
    assert_true(count <= ROOM);
    return count;
}

// What `on` gets from its contacts with `to`.
static hf_vec3 push_between(const hf_contact_view *views, int count, hf_body on, hf_body to)
{
    hf_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        double sign = views[i].on.id == on.id && views[i].to.id == to.id   ? 1.0
                      : views[i].on.id == to.id && views[i].to.id == on.id ? -1.0
                                                                           : 0.0;
        sum.x += sign * views[i].push.x;
        sum.y += sign * views[i].push.y;
        sum.z += sign * views[i].push.z;
    }
    return sum;
}

static const char PAIR[] =
    "gravity: [0, 0, -10]\n"
    "method: {type: timestep, step: 1e-3, tolerance: 1e-12}\n"
    "bodies:\n"
    "  ground: {type: static, shape: {type: plane}}\n"
    "  low: {type: rigid, mass: 2, shape: {type: box, size: [1, 1, 1]}, position: [0, 0, 0.5]}\n"
    "  high: {type: rigid, mass: 1, shape: {type: box, size: [0.5, 0.5, 1]}, position: [0, 0, "
    "1.5]}\n"
    "forces:\n"
    "  - {name: contacts, type: collide, among: all, friction: 0.5}\n"
    "  - {name: shove, on: high, type: force, value: [3, 0, 0]}\n";

// Two boxes at rest, the upper pushed aside: each interface carries what lies above it.
static void balance(void **state)
{
    (void)state;
    hf_model *model = model_of(PAIR);
    hf_sim *sim = sim_with(
        model, (hf_method_def){.type = HF_METHOD_TIMESTEP, .step = 1e-3, .tolerance = 1e-12});
    hf_body ground = hf_model_find_body(model, "ground"), low = hf_model_find_body(model, "low"),
            high = hf_model_find_body(model, "high");
    hf_contact_view views[ROOM];
    assert_int_equal(views_of(sim, views), 0);
    run_until(sim, 0.01);
    int count = views_of(sim, views);
    assert_int_equal(count, 8);
    assert_int_equal(hf_sim_contacts(sim, views, 3), 8);
    count = views_of(sim, views);
    hf_vec3 lower = push_between(views, count, low, ground),
            upper = push_between(views, count, high, low);
    hf_check_near(lower.z, 30.0, 1e-8, "load of the ground", "weights");
    hf_check_near(upper.z, 10.0, 1e-8, "load of the lower box", "weight");
    hf_check_near(lower.x, -3.0, 1e-8, "friction on the ground", "the shove");
    hf_check_near(upper.x, -3.0, 1e-8, "friction between the boxes", "the shove");
    double moment = 0.0; // about y, of all that pushes the upper box, at the origin
    for (int i = 0; i < count; ++i) {
        const hf_contact_view *view = &views[i];
        bool top = view->on.id == high.id || view->to.id == high.id;
        double sign = view->on.id == high.id ? 1.0 : -1.0;
        assert_int_equal(view->force.id, hf_model_find_force(model, "contacts").id);
        assert_int_equal(view->regime, HF_REGIME_STICK);
        hf_check_near(fabs(view->normal.z), 1.0, 1e-12, "normal", "level boxes");
        hf_check_near(view->point.z, top ? 1.0 : 0.0, 1e-9, "height", "of the faces");
        hf_check_near(fabs(view->point.x), top ? 0.25 : 0.5, 1e-9, "corner", "of the box");
        moment += top ? sign * (view->point.z * view->push.x - view->point.x * view->push.z) : 0.0;
    }
    hf_check_near(moment + 1.5 * 3.0, 0.0, 1e-7, "moment on the upper box", "rest");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// None of a save's or a restored sim, until it steps; none of a method without.
static void known_after_a_step(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = model_of(PAIR);
    hf_sim *sim = sim_with(model, timestep(1e-3)), *other = sim_with(model, timestep(1e-3));
    hf_contact_view views[ROOM], again[ROOM];
    size_t size = hf_sim_save_size(sim);
    void *memory = malloc(size);
    assert_non_null(memory);
    run_until(sim, 0.005);
    hf_sim_save(sim, memory);
    step(sim);
    assert_int_equal(hf_sim_restore(other, memory, size, &error), HF_OK);
    assert_int_equal(views_of(other, again), 0);
    step(other);
    int count = views_of(sim, views);
    assert_int_equal(views_of(other, again), count);
    for (int i = 0; i < count; ++i) {
        hf_check_same_bits(again[i].push.z, views[i].push.z, "push");
        hf_check_same_bits(again[i].point.x, views[i].point.x, "point");
    }
    free(memory);
    hf_sim_destroy(other);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    model = model_of("method: {type: rk4, step: 1e-3}\nbodies: {a: {type: mass, mass: 1}}\n");
    sim = sim_from(model, NULL);
    step(sim);
    assert_int_equal(views_of(sim, views), 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Channels that are there because the recording names them: what touches a body, all of it or one
// other, poses of links, accelerations.
static void asked_channels(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "method: {type: timestep, step: 1e-3}\ngravity: [0, 0, -10]\nbodies:\n"
        "  ground: {type: static, position: [1, 0, -0.5], shape: {type: box, size: [9, 9, 1]}}\n"
        "  low: {type: rigid, mass: 2, position: [0.5, 0, 0.05], shape: {type: box, size: [0.4, "
        "0.4, 0.1]}}\n"
        "  top: {type: rigid, mass: 1, position: [0.6, 0, 0.15], shape: {type: box, size: [0.1, "
        "0.1, 0.1]}}\n"
        "  ball: {type: rigid, mass: 1, position: [3, 0, 9], shape: {type: sphere, radius: 0.1}}\n"
        "  arm:\n    type: tree\n    joints:\n"
        "      a: {type: revolute, axis: [0, 1, 0], offset: [0, 2, 1], mass: 1, inertia: [1, 1, 1],"
        " position: 0.5}\n"
        "      b: {type: revolute, parent: a, axis: [0, 1, 0], offset: [2, 0, 0], mass: 1, "
        "inertia: "
        "[1, 1, 1]}\n"
        "forces:\n"
        "  - {name: c, type: collide, among: [ground, low, top, ball], friction: 0.5}\n"
        "record: [top.contact_force, low.contact_force.by.top.z, low.contact_torque.by.top, "
        "ground.contact_torque, ball.acceleration, ball.angular_acceleration.x, arm.b.pose, "
        "arm.b.acceleration, ball.contact_force]\n");
    hf_sim *sim = sim_with(model, timestep(1e-3));
    hf_check_near(value_of(sim, "arm.b.pose.x"), 2.0 * cos(0.5), 1e-12, "x", "closed form");
    hf_check_near(value_of(sim, "arm.b.pose.z"), 1.0 - 2.0 * sin(0.5), 1e-12, "z", "closed form");
    hf_check_near(value_of(sim, "arm.b.pose.qw"), cos(0.25), 1e-12, "qw", "closed form");
    assert_true(value_of(sim, "ball.acceleration.z") == 0.0); // before the first step
    run_until(sim, 0.05);
    hf_check_near(value_of(sim, "top.contact_force.z"), 10.0, 1e-5, "force", "weight");
    hf_check_near(value_of(sim, "low.contact_force.by.top.z"), -10.0, 1e-5, "force", "weight");
    hf_check_near(value_of(sim, "low.contact_torque.by.top.y"), 1.0, 1e-5, "torque", "x m g");
    hf_check_near(value_of(sim, "ground.contact_torque.y"), -14.0, 1e-4, "torque", "x m g");
    hf_check_near(value_of(sim, "ball.acceleration.z"), -10.0, 1e-10, "acceleration", "gravity");
    hf_check_near(value_of(sim, "ball.angular_acceleration.x"), 0.0, 0.0, "turn", "free fall");
    assert_true(value_of(sim, "ball.contact_force.z") == 0.0);
    hf_channel b = hf_model_find_channel(model, "arm.b.acceleration");
    assert_true(b.id > 0);
    assert_string_equal(hf_model_channel_unit(model, b), "rad/s^2");
    assert_int_equal(hf_model_find_channel(model, "low.pose.x").id, 0); // not asked for
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balance),
        cmocka_unit_test(known_after_a_step),
        cmocka_unit_test(asked_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
