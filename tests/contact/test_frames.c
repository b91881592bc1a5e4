// SPDX-License-Identifier: Apache-2.0
// The same heap looked at from elsewhere does the same: turned, moved, in a mirror, in other units,
// its bodies in another order and under other names, twice beside itself.
#include <math.h>

#include "heap_views.h"
#include "math/vec.h"

// What a run ends with, in the heap's own units.
typedef struct ending {
    heap_motion motions[HEAP_MOST];
    double heat; // [J]
    hf_sim_stats stats;
} ending;

static ending run_heap(const heap *h, const heap_view *view, const char *method, double step,
                       double end, int copy)
{
    static char text[HEAP_TEXT];
    char settings[200];
    (void)snprintf(settings, sizeof settings, "%s, penetration: %.17g", method,
                   3e-6 * view->length);
    heap_write(h, view, settings, step, text);
    hf_model *model = model_of(text);
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_contact_methods();
    hf_sim *sim = sim_from(model, &def);
    run_until(sim, end * view->time);
    ending e = {.stats = hf_sim_get_stats(sim)};
    double joule = view->mass * view->length * view->length / (view->time * view->time);
    e.heat = hf_sim_energy(sim).dissipated / joule;
    for (int i = 0; i < h->count; ++i) {
        e.motions[i] = heap_motion_of(sim, h, view, i, copy);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return e;
}

static void check_vector(hf_vec3 got, hf_vec3 want, double allowance, const char *what,
                         const char *view)
{
    hf_check_near_array(&got.x, &want.x, 3, allowance, what, view);
}

static void check_motions(const ending *got, const ending *want, int count, double allowance,
                          const char *view)
{
    char what[40];
    for (int i = 0; i < count; ++i) {
        const heap_motion *a = &got->motions[i], *b = &want->motions[i];
        (void)snprintf(what, sizeof what, "place of %d", i);
        check_vector(a->place, b->place, 0.05 * allowance, what, view);
        (void)snprintf(what, sizeof what, "velocity of %d", i);
        check_vector(a->velocity, b->velocity, allowance, what, view);
        (void)snprintf(what, sizeof what, "spin of %d", i);
        check_vector(a->spin, b->spin, 50.0 * allowance, what, view);
        (void)snprintf(what, sizeof what, "turn of %d", i);
        check_vector(a->axis, b->axis, allowance, what, view);
    }
}

static const char STRICT[] = "type: timestep, tolerance: 1e-10";
static const double STEP = 1e-3, END = 0.08;
enum { HEAPS = 16 };

static heap heap_number(hf_rng *rng, int k)
{
    return heap_random(rng, 2 + k % 4, k % 3);
}

// The farthest that any spin is from the other one, as a part of the fastest.
static double apart(const ending *a, const ending *b, int count)
{
    double far = 0.0, fast = 1.0;
    for (int i = 0; i < count; ++i) {
        far = fmax(far, hf_v3_norm(hf_v3_sub(a->motions[i].spin, b->motions[i].spin)));
        fast = fmax(fast, hf_v3_norm(b->motions[i].spin));
    }
    return far / fast;
}

// Rounding is another one in other axes. A step whose solution hangs on it (a nearly singular
// contact of many points, an iteration that ends just above the tolerance) makes another motion of
// it, and round solids meet to 1e-7. So most heaps must do the same, and all up to their first
// blows.
static void check_turned(const heap_view *view)
{
    hf_rng rng = hf_rng_create(20);
    heap_view plain = heap_view_plain();
    int alike = 0;
    for (int k = 0; k < HEAPS; ++k) {
        heap h = heap_number(&rng, k);
        ending want = run_heap(&h, &plain, STRICT, STEP, END, 0);
        ending got = run_heap(&h, view, STRICT, STEP, END, 0);
        alike += apart(&got, &want, h.count) < 1e-5 &&
                 llabs(got.stats.solver_iterations - want.stats.solver_iterations) <=
                     5 + want.stats.solver_iterations / 20;
        want = run_heap(&h, &plain, STRICT, STEP, 0.4 * END, 0);
        got = run_heap(&h, view, STRICT, STEP, 0.4 * END, 0);
        check_motions(&got, &want, h.count, 1e-6, view->name);
        assert_int_equal(got.stats.contacts, want.stats.contacts);
    }
    assert_in_range(alike, 10, HEAPS);
}

static void other_axes_change_nothing(void **state)
{
    (void)state;
    heap_view view = heap_view_plain();
    view.name = "turned and moved";
    view.turn = hf_quat_normalized((hf_quat){0.3, -0.7, 0.4, 0.5});
    view.shift = hf_v3(0.7, -0.2, 0.4);
    check_turned(&view);
}

static void a_mirror_changes_nothing(void **state)
{
    (void)state;
    heap_view view = heap_view_plain();
    view.name = "mirrored";
    view.mirrored = true;
    check_turned(&view);
}

// Numbers that are powers of four times as large have the same digits, and so have their roots:
// not a bit of the motion may be another one, and not an iteration. Absolute limits of lengths
// (docs/methods/timestep.md) are those of machines above some metres.
static void check_same(const heap_view *view)
{
    hf_rng rng = hf_rng_create(21);
    heap_view plain = heap_view_plain();
    for (int k = 0; k < HEAPS; ++k) {
        heap h = heap_number(&rng, k);
        ending want = run_heap(&h, &plain, STRICT, STEP, END, 0);
        ending got = run_heap(&h, view, STRICT, STEP, END, 0);
        check_motions(&got, &want, h.count, 0.0, view->name);
        hf_check_same_bits(got.heat, want.heat, "heat");
        assert_int_equal(got.stats.contacts, want.stats.contacts);
        assert_int_equal(got.stats.solver_iterations, want.stats.solver_iterations);
        assert_int_equal(got.stats.warm_steps, want.stats.warm_steps);
        assert_int_equal(got.stats.evaluations, want.stats.evaluations);
    }
}

static void units_change_nothing(void **state)
{
    (void)state;
    static const double units[][3] = {
        {4.0, 1.0, 1.0},       {1.0 / 64.0, 1.0, 1.0},    {1.0, 1048576.0, 1.0},
        {1.0, 0.25, 1.0},      {1.0, 1.0, 256.0},         {1.0, 1.0, 1.0 / 4096.0},
        {0.25, 256.0, 1024.0}, {4.0, 1.0 / 1024.0, 0.25},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
        char name[60];
        heap_view view = heap_view_plain();
        (void)snprintf(name, sizeof name, "units %g, %g, %g", units[i][0], units[i][1],
                       units[i][2]);
        view.name = name;
        view.length = units[i][0], view.mass = units[i][1], view.time = units[i][2];
        check_same(&view);
    }
}

static void order_changes_nothing(void **state)
{
    (void)state;
    heap_view view = heap_view_plain();
    view.name = "backwards";
    view.backwards = true;
    check_same(&view);
}

// Two heaps out of each other's reach are islands of their own.
static void another_heap_changes_nothing(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(22);
    heap_view plain = heap_view_plain(), view = plain;
    view.name = "side by side";
    view.copies = 2;
    view.apart = hf_v3(8.0, 0.0, 0.0);
    for (int k = 0; k < HEAPS; ++k) {
        heap h = heap_number(&rng, k);
        ending want = run_heap(&h, &plain, STRICT, STEP, END, 0);
        for (int copy = 0; copy < 2; ++copy) {
            ending got = run_heap(&h, &view, STRICT, STEP, END, copy);
            check_motions(&got, &want, h.count, 1e-4, view.name);
            hf_check_near(got.heat, 2.0 * want.heat, 1e-6 * want.heat, "heat", view.name);
            assert_int_equal(got.stats.contacts, 2 * want.stats.contacts);
        }
    }
}

// A solid that lies and moves mirrored about the plane y = 0 remains so, however many points of it
// land together. Sweeps that bring it to the ground go through the points one by one, and are not
// taken to rounding.
static void what_lands_straight_stays_in_its_plane(void **state)
{
    (void)state;
    static const char *const solids[] = {
        "type: cylinder, radius: 0.024, length: 0.05", "type: cone, radius: 0.03, length: 0.05",
        "type: box, size: [0.04, 0.05, 0.03]", "type: capsule, radius: 0.02, length: 0.03",
        "type: ellipsoid, radii: [0.02, 0.04, 0.03]"};
    static const char *const grounds[] = {"plane", "box, size: [2, 2, 0.1]"};
    char text[1000], what[120];
    for (int k = 0; k < 2 * 5 * 24; ++k) {
        double restitution = k % 3 == 0 ? 0.0 : 0.3, tilt = 0.5 + 1.5 * (k / 10);
        (void)snprintf(
            text, sizeof text,
            "method: {type: timestep, step: 1e-3, tolerance: 1e-11}\n"
            "gravity: [0, 0, -9.81]\n"
            "bodies:\n"
            "  ground: {type: static, position: [0, 0, %g], shape: {type: %s}}\n"
            "  b: {type: rigid, mass: 0.5, shape: {%s}, position: [0, 0, 0.05], velocity: "
            "[0.2, 0, -1.7], angular_velocity: [0, 1, 0], orientation: {axis: [0, 1, 0], "
            "angle: %g deg}}\n"
            "forces:\n"
            "  - {name: touch, type: collide, among: all, friction: 0.3, restitution: %g}\n",
            k % 2 == 0 ? 0.0 : -0.05, grounds[k % 2], solids[k / 2 % 5], tilt, restitution);
        (void)snprintf(what, sizeof what, "%s at %g deg", solids[k / 2 % 5], tilt);
        hf_model *model = model_of(text);
        hf_sim_def def = hf_sim_def_default(model);
        def.methods[0] = hf_contact_methods();
        hf_sim *sim = sim_from(model, &def);
        run_until(sim, 0.05);
        hf_check_near(value_of(sim, "b.velocity.y"), 0.0, 5e-3, what, "symmetry");
        hf_check_near(value_of(sim, "b.angular_velocity.x"), 0.0, 0.05, what, "symmetry");
        hf_check_near(value_of(sim, "b.angular_velocity.z"), 0.0, 0.05, what, "symmetry");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_axes_change_nothing),
        cmocka_unit_test(a_mirror_changes_nothing),
        cmocka_unit_test(units_change_nothing),
        cmocka_unit_test(order_changes_nothing),
        cmocka_unit_test(another_heap_changes_nothing),
        cmocka_unit_test(what_lands_straight_stays_in_its_plane),
    };
    return hf_run_tests(tests);
}
