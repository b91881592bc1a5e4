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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balance),
        cmocka_unit_test(known_after_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
