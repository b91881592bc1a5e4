// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_SWITCH on random heaps: what must hold for every machine. No energy is gained, forces
// stay within their cones, what sticks does not move; the order of declaration changes no bit.
#include "adaptive_test.h"

#include <math.h>

#include "sim/sim_data.h"

enum { MACHINES = 8, SPHERES = 3, TEXT = 6000, LINES = 16, LINE = 400 };

// A machine as lines that may stand in any order.
typedef struct heap {
    char bodies[LINES][LINE], forces[LINES][LINE];
    int body_count, force_count;
} heap;

static void add_bodies(heap *h, hf_rng *rng)
{
    for (int i = 0; i < SPHERES; ++i) {
        double radius = hf_rng_uniform(rng, 0.05, 0.1);
        (void)snprintf(h->bodies[h->body_count++], LINE,
                       "  ball%d: {type: rigid, mass: %.3g, shape: {type: sphere, radius: %.6g},\n"
                       "    position: [%.6g, %.6g, %.6g], velocity: [%.4g, %.4g, %.4g],\n"
                       "    angular_velocity: [%.4g, %.4g, %.4g]}\n",
                       i, hf_rng_uniform(rng, 0.2, 3.0), radius,
                       hf_rng_uniform(rng, -0.05, 0.05) + 0.01 * i,
                       hf_rng_uniform(rng, -0.05, 0.05), 0.15 + 0.25 * i,
                       hf_rng_uniform(rng, -0.5, 0.5), hf_rng_uniform(rng, -0.5, 0.5),
                       hf_rng_uniform(rng, -1.0, 1.0), hf_rng_uniform(rng, -9.0, 9.0),
                       hf_rng_uniform(rng, -9.0, 9.0), hf_rng_uniform(rng, -9.0, 9.0));
    }
    (void)snprintf(
        h->bodies[h->body_count++], LINE,
        "  crate: {type: rigid, mass: %.3g, shape: {type: box, size: [0.2, 0.15, 0.1]},\n"
        "    position: [1, 0, 0.25], orientation: {axis: [1, %.3g, 0.2], angle: %.3g},\n"
        "    velocity: [%.4g, %.4g, -1], angular_velocity: [%.3g, %.3g, %.3g]}\n",
        hf_rng_uniform(rng, 0.5, 3.0), hf_rng_uniform(rng, -1.0, 1.0),
        hf_rng_uniform(rng, 0.0, 3.0), hf_rng_uniform(rng, -2.0, 2.0),
        hf_rng_uniform(rng, -2.0, 2.0), hf_rng_uniform(rng, -4.0, 4.0),
        hf_rng_uniform(rng, -4.0, 4.0), hf_rng_uniform(rng, -4.0, 4.0));
    (void)snprintf(h->bodies[h->body_count++], LINE,
                   "  puck: {type: mass, axes: xy, mass: 1, position: [0.5, 0.2],\n"
                   "    velocity: [%.4g, %.4g]}\n",
                   hf_rng_uniform(rng, -3.0, 3.0), hf_rng_uniform(rng, -3.0, 3.0));
}

static heap random_heap(hf_rng *rng)
{
    heap h = {0};
    double mu = hf_rng_uniform(rng, 0.0, 1.0), e = hf_rng_uniform(rng, 0.0, 0.7);
    add_bodies(&h, rng);
    for (int i = 0; i < SPHERES; ++i) {
        (void)snprintf(h.forces[h.force_count++], LINE,
                       "  - {name: floor%d, on: ball%d, type: contact, law: rigid-contact,\n"
                       "     friction: %.3g, restitution: %.3g}\n",
                       i, i, mu, e);
        for (int k = 0; k < i; ++k) {
            (void)snprintf(h.forces[h.force_count++], LINE,
                           "  - {name: pair%d%d, on: ball%d, to: ball%d, type: contact,\n"
                           "     law: rigid-contact, friction: %.3g, restitution: %.3g}\n",
                           i, k, i, k, mu, e);
        }
    }
    (void)snprintf(h.forces[h.force_count++], LINE,
                   "  - {name: ground, on: crate, type: contact, law: rigid-contact,\n"
                   "     friction: %.3g, restitution: %.3g}\n",
                   mu, e);
    (void)snprintf(h.forces[h.force_count++], LINE,
                   "  - {name: ice, on: puck, type: friction, law: coulomb,\n"
                   "     level: {coulomb: 1, static: 1.5}}\n"
                   "  - {name: spring, on: puck, type: spring, stiffness: 20}\n");
    return h;
}

static hf_model *model_from(const heap *h, bool reversed)
{
    char text[TEXT] = "gravity: [0, 0, -9.81]\nbodies:\n";
    for (int i = 0; i < h->body_count; ++i) {
        strncat(text, h->bodies[reversed ? h->body_count - 1 - i : i], LINE);
    }
    strncat(text, "forces:\n", LINE);
    for (int i = 0; i < h->force_count; ++i) {
        strncat(text, h->forces[reversed ? h->force_count - 1 - i : i], LINE);
    }
    assert_true(strlen(text) < TEXT - LINE);
    return model_of(text);
}

static hf_method_def method(void)
{
    return (hf_method_def){.type = HF_METHOD_SWITCH,
                           .step = 0.02,
                           .family = HF_FAMILY_ADAMS,
                           .rtol = 1e-8,
                           .atol = 1e-8};
}

// ------------------------------------------------------------------------------------------------

// Forces of all contacts and frictions at the present state.
static void check_forces(hf_sim *sim, int machine)
{
    const hf_model *model = hf_sim_model(sim);
    hf_sim_refresh(sim, 0.0);
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        const double *f = sim->force + force->row, *rate = sim->rate + force->row;
        if (force->law == HF_LAW_COULOMB) {
            hf_check_below(hypot(f[0], f[1]), 1.5 + 1e-7, "friction of the puck", "static level");
            assert_true(sim->mode[i] != 0.0 || (rate[0] == 0.0 && rate[1] == 0.0));
        }
        if (force->law != HF_LAW_RIGID_CONTACT) {
            continue;
        }
        const hf_rigid_contact_def *def = force->def;
        double mu = def->friction.kinetic[0], across = hypot(f[1], f[2]);
        double size = 1.0 + fabs(f[0]);
        if (!(f[0] <= 1e-6 * size && across <= -mu * f[0] + 1e-6 * size &&
              sim->gap[force->row] >= -1.1e-7)) {
            fail_msg("machine %d, t = %g s: '%s' has N = %g, |f_T| = %g, gap %g", machine,
                     hf_sim_time(sim), force->name, -f[0], across, sim->gap[force->row]);
        }
        if (sim->mode[i] == 0.0) {
            hf_check_below(hf_v3_norm(hf_v3(rate[0], rate[1], rate[2])), 1e-12, "rate in stick",
                           "does not move");
        }
    }
}

static void heaps(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(50);
    for (int m = 0; m < MACHINES; ++m) {
        heap h = random_heap(&rng);
        hf_model *model = model_from(&h, false);
        hf_sim *sim = sim_with(model, method());
        hf_error error = {0};
        double most = INFINITY;
        while (hf_sim_time(sim) < 1.2) {
            if (hf_sim_step(sim, &error) < 0) {
                fail_msg("machine %d: %s", m, error.text);
            }
            check_forces(sim, m);
            hf_energy energy = hf_sim_energy(sim);
            double now = energy.kinetic + energy.potential + energy.stored;
            hf_check_below(now, most + 1e-5, "energy", "never gained");
            hf_check_below(fabs(energy.residual), 5e-4, "energy residual", "rtol 1e-8");
            most = fmin(most, now);
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

static void order_of_declaration(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(51);
    for (int m = 0; m < 4; ++m) {
        heap h = random_heap(&rng);
        double end[2][64];
        event_log log[2] = {{.count = 0}, {.count = 0}};
        for (int k = 0; k < 2; ++k) {
            hf_model *model = model_from(&h, k == 1);
            hf_sim *sim = sim_logged(model, method(), &log[k]);
            run_until(sim, 1.0);
            assert_true(model->nq + model->nv <= 64);
            memcpy(end[k], sim->x, (size_t)(model->nq + model->nv) * sizeof(double));
            hf_sim_destroy(sim);
            hf_model_destroy(model);
        }
        assert_int_equal(log[0].count, log[1].count);
        assert_true(log[0].count > 10);
        for (int k = 0; k < log[0].count; ++k) {
            hf_check_same_bits(log[0].events[k].time, log[1].events[k].time, "time of event");
        }
        for (int k = 0; k < 2 + SPHERES * 13; ++k) {
            hf_check_same_bits(end[0][k], end[1][k], "state");
        }
    }
}

// ------------------------------------------------------------------------------------------------
// `collide` in a file of this method: a contact for every pair

#define MEMBERS                                                                                    \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "method: {type: switch, step: 0.02}\n"                                                         \
    "bodies:\n"                                                                                    \
    "  floor: {type: static, shape: {type: plane}}\n"                                              \
    "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.3]}\n"     \
    "  b: {type: rigid, mass: 2, shape: {type: sphere, radius: 0.12},\n"                           \
    "      position: [0.15, 0.02, 0.6]}\n"                                                         \
    "  c: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"                     \
    "      position: [1, 0, 0.4], angular_velocity: [1, 2, 3]}\n"                                  \
    "forces:\n"

#define LAW "friction: 0.3, restitution: 0.2"

static void collide_as_contacts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        MEMBERS "  - {name: heap, type: collide, among: [a, b, c, floor],\n"
                "     except: [[a, c], [c, b]], rolling_friction: 0.002, " LAW "}\n",
        MEMBERS "  - {name: heap, type: collide, among: [floor, c, b, a],\n"
                "     except: [[b, c], [a, c]], rolling_friction: 0.002, " LAW "}\n",
        // The same names in the same order
        MEMBERS "  - {name: ab, on: a, to: b, type: contact, rolling_friction: 0.002, " LAW "}\n"
                "  - {name: af, on: a, plane: {body: floor}, type: contact,\n"
                "     rolling_friction: 0.002, " LAW "}\n"
                "  - {name: bf, on: b, plane: {body: floor}, type: contact,\n"
                "     rolling_friction: 0.002, " LAW "}\n"
                "  - {name: cf, on: c, plane: {body: floor}, type: contact,\n"
                "     rolling_friction: 0.002, " LAW "}\n"};
    double end[64] = {0};
    for (int i = 0; i < 3; ++i) {
        hf_model *model = model_of(texts[i]);
        hf_sim *sim = sim_with(model, method());
        run_until(sim, 1.5);
        assert_int_equal(model->force_count, 11);
        for (int k = 0; k < model->nq + model->nv; ++k) {
            end[k] = i == 0 ? sim->x[k] : end[k];
            hf_check_same_bits(sim->x[k], end[k], "state");
        }
        assert_true(hf_sim_get_stats(sim).events > 10);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A box among them: contacts of features. A ball that rolls past the end of the box's edge goes
// over from the edge to its corner, both of which touch there: that is no impact, and nothing
// leaves.
static void other_pairs(void **state)
{
    (void)state;
    hf_model *model = model_of(MEMBERS "  - {name: heap, type: collide, among: all, " LAW "}\n");
    hf_sim *sim = sim_with(model, method());
    run_until(sim, 1.5);
    assert_int_equal(model->force_count, 1);
    assert_true(hf_sim_get_stats(sim).evaluations < 20000);
    hf_check_near(value_of(sim, "c.position.z"), 0.05, 1e-6, "the box", "on the floor");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void save_and_restore(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(52);
    heap h = random_heap(&rng);
    hf_model *model = model_from(&h, false);
    hf_sim *one = sim_with(model, method()), *other = sim_with(model, method());
    hf_error error = {0};
    run_until(one, 0.5);
    size_t size = hf_sim_save_size(one);
    void *memory = malloc(size);
    assert_non_null(memory);
    hf_sim_save(one, memory);
    assert_int_equal(hf_sim_restore(other, memory, size, &error), HF_OK);
    run_until(one, 1.0);
    run_until(other, 1.0);
    assert_memory_equal(one->x, other->x, (size_t)model->n * sizeof(double));
    free(memory);
    hf_sim_destroy(one);
    hf_sim_destroy(other);
    hf_model_destroy(model);
}

static void steps_do_not_allocate(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(53);
    heap h = random_heap(&rng);
    hf_model *model = model_from(&h, false);
    hf_sim *sim = sim_with(model, method());
    hf_error error = {0};
    long before = (long)hf_test_allocations();
    while (hf_sim_time(sim) < 1.0) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    assert_int_equal((long)hf_test_allocations() - before, 0);
    assert_true(hf_sim_get_stats(sim).events > 5);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps),
        cmocka_unit_test(order_of_declaration),
        cmocka_unit_test(collide_as_contacts),
        cmocka_unit_test(other_pairs),
        cmocka_unit_test(save_and_restore),
        cmocka_unit_test(steps_do_not_allocate),
    };
    return hf_run_tests(tests);
}
