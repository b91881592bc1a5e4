// SPDX-License-Identifier: Apache-2.0
// Many spheres: any two may touch, and pairs are found by a grid.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hf_test.h"
#include "sim/sim_data.h"
#include "swarm/swarm.h"

#include <holdfast/sim.h>
#include <holdfast/use_law.h>

enum { MOST = 64 };

static void add_floor(hf_spec *spec, hf_body body, int i, double radius)
{
    hf_error error = {0};
    char name[32];
    (void)snprintf(name, sizeof name, "floor%03d", i);
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    hf_force_def force = hf_force_def_default();
    force.name = name;
    force.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    force.coupling.on_frame.body = body;
    force.coupling.radius = radius;
    hf_force_use_rigid_contact(&force, &law);
    if (hf_spec_add_force(spec, &force, &error).id == 0) {
        fail_msg("%s", error.text);
    }
}

// A random cloud of spheres over a floor. `backwards`: declared in the other order.
static hf_model *build(int count, uint64_t seed, int capacity, bool backwards, double stiffness,
                       hf_error *error)
{
    hf_rng rng = hf_rng_create(seed);
    hf_spec *spec = hf_spec_create();
    hf_body bodies[MOST];
    double radius[MOST];
    hf_rigid_def defs[MOST];
    assert_true(spec != NULL && count <= MOST);
    assert_int_equal(hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -9.81}, error), HF_OK);
    assert_int_equal(
        hf_spec_set_method(spec, (hf_method_def){.type = HF_METHOD_RK4, .step = 5e-4}, error),
        HF_OK);
    for (int i = 0; i < count; ++i) {
        hf_rigid_def *def = &defs[i];
        *def = hf_rigid_def_default();
        radius[i] = hf_rng_uniform(&rng, 0.04, 0.06);
        def->mass = hf_rng_uniform(&rng, 0.5, 2.0);
        double inertia = 0.4 * def->mass * radius[i] * radius[i];
        def->inertia = (hf_sym3){inertia, inertia, inertia, 0.0, 0.0, 0.0};
        def->shape = (hf_shape){.type = HF_SHAPE_SPHERE, .size = {.x = radius[i]}};
        def->position = (hf_vec3){0.13 * (i % 4) + hf_rng_uniform(&rng, -0.004, 0.004),
                                  0.13 * (i / 4 % 4) + hf_rng_uniform(&rng, -0.004, 0.004),
                                  0.07 + 0.13 * (i / 16)};
        def->velocity = (hf_vec3){hf_rng_normal(&rng), hf_rng_normal(&rng), 0.0};
    }
    for (int k = 0; k < count; ++k) {
        int i = backwards ? count - 1 - k : k;
        char name[32];
        (void)snprintf(name, sizeof name, "s%03d", i);
        defs[i].name = name;
        bodies[i] = hf_spec_add_rigid(spec, &defs[i], error);
        if (bodies[i].id == 0) {
            fail_msg("%s", error->text);
        }
        add_floor(spec, bodies[i], i, radius[i]);
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    law.stiffness = stiffness;
    hf_force_def force = hf_force_def_default();
    force.name = "heap";
    force.coupling = hf_coupling_def_default(HF_COUPLING_SWARM);
    force.coupling.members = bodies;
    force.coupling.member_count = count;
    force.coupling.capacity = capacity;
    hf_force_use_rigid_contact(&force, &law);
    if (hf_spec_add_force(spec, &force, error).id == 0) {
        fail_msg("%s", error->text);
    }
    hf_model *model = hf_model_compile(spec, error);
    hf_spec_destroy(spec);
    return model;
}

static hf_sim *start(const hf_model *model)
{
    hf_error error = {0};
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static void step(hf_sim *sim, int steps)
{
    hf_error error = {0};
    for (int i = 0; i < steps; ++i) {
        if (hf_sim_step(sim, &error) != HF_OK) {
            fail_msg("%s", error.text);
        }
    }
}

// The grid misses no pair that touches, at any step.
static void no_pair_is_missed(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = build(48, 81, 0, false, 0.0, &error);
    hf_sim *sim = start(model);
    const hf_swarm *swarm = &model->swarms[0];
    int touching = 0, counted = 0;
    hf_force heap = hf_model_find_force(model, "heap");
    for (int k = 0; k < 1500; ++k) {
        step(sim, 1);
        counted += hf_sim_force_stats(sim, heap).touching;
        hf_swarms_update(sim);
        const hf_swarm_state *s = &sim->swarms[0];
        for (int i = 0; i < swarm->count; ++i) {
            for (int j = i + 1; j < swarm->count; ++j) {
                const hf_swarm_member *a = &swarm->members[i], *b = &swarm->members[j];
                hf_vec3 d = hf_v3_sub(sim->poses[a->pose].position, sim->poses[b->pose].position);
                if (hf_v3_norm(d) > a->radius + b->radius) {
                    continue;
                }
                bool listed = false;
                for (int p = 0; p < *s->count; ++p) {
                    listed = listed || (s->pairs[p].on == i && s->pairs[p].to == j);
                }
                assert_true(listed);
                ++touching;
            }
        }
        const double *y = sim->x + model->nq + model->nv + model->forces[swarm->force].y;
        for (int p = swarm->dim * *s->count; p < swarm->dim * swarm->capacity; ++p) {
            assert_true(y[p] == 0.0); // not in use
        }
        for (int p = 1; p < *s->count; ++p) { // in order
            const hf_pair *a = &s->pairs[p - 1], *b = &s->pairs[p];
            assert_true(a->on < b->on || (a->on == b->on && a->to < b->to));
        }
    }
    assert_true(touching > 1000);
    // What is counted for people: pairs that part press no more, though they still overlap
    hf_check_below(counted, 1.01 * touching, "pairs that press", "all pairs that overlap");
    hf_check_below(0.6 * touching, counted, "most pairs that overlap", "pairs that press");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_below(fabs(energy.residual), 0.01 * energy.turnover, "residual", "ledger");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The same bits whatever the order of declaration; no allocation in a step; save and restore.
static void same_bits(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *forth = build(40, 82, 0, false, 0.0, &error);
    hf_model *back = build(40, 82, 0, true, 0.0, &error);
    hf_sim *a = start(forth), *b = start(back);
    step(a, 400);
    step(b, 400);
    for (int i = 0; i < forth->nq + forth->nv; ++i) {
        hf_check_same_bits(a->x[i], b->x[i], "state");
    }
    size_t size = hf_sim_save_size(a);
    void *saved = malloc(size);
    assert_non_null(saved);
    hf_sim_save(a, saved);
    long long before = hf_test_allocations();
    step(a, 300);
    assert_int_equal(hf_test_allocations() - before, 0);
    hf_sim *c = start(forth);
    assert_int_equal(hf_sim_restore(c, saved, size, &error), HF_OK);
    step(c, 300);
    for (int i = 0; i < forth->n; ++i) {
        hf_check_same_bits(c->x[i], a->x[i], "restored state");
    }
    free(saved);
    hf_sim_destroy(a);
    hf_sim_destroy(b);
    hf_sim_destroy(c);
    hf_model_destroy(forth);
    hf_model_destroy(back);
}

static void capacity_is_checked(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = build(48, 83, 3, false, 0.0, &error);
    hf_sim *sim = start(model);
    hf_status status = HF_OK;
    for (int i = 0; i < 4000 && status == HF_OK; ++i) {
        status = hf_sim_step(sim, &error);
    }
    assert_int_equal(status, HF_ERROR_RANGE);
    assert_non_null(strstr(error.text, "capacity"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Two spheres that meet, by a contact of their own or as a swarm. What moves at the end: velocities
// and spins of both, and the heat.
static void run_pair(bool swarm, bool turning, double x[13])
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body body[2];
    for (int i = 0; i < 2; ++i) {
        hf_rigid_def def = hf_rigid_def_default();
        def.name = i == 0 ? "a" : "b";
        def.mass = 1.0 + i;
        double inertia = 0.4 * def.mass * 0.01;
        def.inertia = (hf_sym3){inertia, inertia, inertia, 0.0, 0.0, 0.0};
        def.shape = (hf_shape){.type = HF_SHAPE_SPHERE, .size = {0.1, 0.0, 0.0}};
        def.position = (hf_vec3){0.3 * i, 0.07 * i, 0.0};
        def.velocity = (hf_vec3){1.0 - i, 0.0, 0.0};
        def.spin = (hf_vec3){1.0, 2.0 * i, 3.0};
        body[i] = hf_spec_add_rigid(spec, &def, &error);
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    law.stiffness = law.tangent_stiffness = 1e5;
    law.damping_time = law.tangent_damping_time = 2e-3;
    law.filter_time = 1e-3;
    law.spin_stiffness = law.rolling_stiffness = 100.0;
    law.spin_friction = hf_level_coefficient(turning ? 0.02 : 0.0);
    law.rolling_friction = hf_level_coefficient(turning ? 0.01 : 0.0);
    hf_force_def force = hf_force_def_default();
    force.name = "touch";
    force.coupling = hf_coupling_def_default(swarm ? HF_COUPLING_SWARM : HF_COUPLING_SPHERES);
    force.coupling.on_frame.body = body[0];
    force.coupling.to_frame.body = body[1];
    force.coupling.radius = force.coupling.to_radius = 0.1;
    force.coupling.members = body;
    force.coupling.member_count = 2;
    force.coupling.turning = turning;
    hf_force_use_rigid_contact(&force, &law);
    assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    assert_int_equal(
        hf_spec_set_method(spec, (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-4}, &error),
        HF_OK);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim *sim = start(model);
    step(sim, 3000);
    memcpy(x, hf_sim_velocity(sim, body[0]), 6 * sizeof(double));
    memcpy(x + 6, hf_sim_velocity(sim, body[1]), 6 * sizeof(double));
    x[12] = hf_sim_energy(sim).dissipated;
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Two spheres in a swarm do what two spheres with a contact of their own do, also with friction of
// spin and rolling.
static void as_a_pair(void **state)
{
    (void)state;
    double alone[2][13], swarm[2][13];
    for (int turning = 0; turning < 2; ++turning) {
        run_pair(false, turning != 0, alone[turning]);
        run_pair(true, turning != 0, swarm[turning]);
        assert_true(alone[turning][12] > 0.01);
        hf_check_near_array(swarm[turning], alone[turning], 13, 1e-7, "velocities and heat",
                            "a contact of two spheres");
    }
    assert_true(fabs(alone[1][3] - alone[0][3]) > 1e-3); // it turns otherwise
}

// Two spheres meet head-on at 1 m/s under a law whose numbers are chosen: for each pair by its
// reduced mass, so that how they approach and part is the same for all masses. Their distance after
// 0.05 s, and the smallest there was.
static void meet(double one, double two, double distance[2])
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body body[2];
    for (int i = 0; i < 2; ++i) {
        hf_rigid_def def = hf_rigid_def_default();
        def.name = i == 0 ? "a" : "b";
        def.mass = i == 0 ? one : two;
        double inertia = 0.4 * def.mass * 0.01;
        def.inertia = (hf_sym3){inertia, inertia, inertia, 0.0, 0.0, 0.0};
        def.shape = (hf_shape){.type = HF_SHAPE_SPHERE, .size = {0.1, 0.0, 0.0}};
        def.position = (hf_vec3){0.201 * i, 0.0, 0.0};
        def.velocity = (hf_vec3){i == 0 ? 1.0 : 0.0, 0.0, 0.0};
        body[i] = hf_spec_add_rigid(spec, &def, &error);
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    hf_force_def force = hf_force_def_default();
    force.name = "touch";
    hf_force_use_rigid_contact(&force, &law);
    force.coupling = hf_coupling_def_default(HF_COUPLING_SWARM);
    force.coupling.members = body;
    force.coupling.member_count = 2;
    hf_force touch = hf_spec_add_force(spec, &force, &error);
    assert_int_not_equal(touch.id, 0);
    assert_int_equal(
        hf_spec_set_method(spec, (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-5}, &error),
        HF_OK);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim *sim = start(model);
    distance[1] = 1.0;
    double largest = 0.0, before = 1.0; // force by the change of momentum
    for (int k = 0; k < 5000; ++k) {
        step(sim, 1);
        distance[0] = hf_sim_position(sim, body[1])[0] - hf_sim_position(sim, body[0])[0];
        distance[1] = fmin(distance[1], distance[0]);
        double now = hf_sim_velocity(sim, body[0])[0];
        largest = fmax(largest, one * (before - now) / 1e-5);
        before = now;
    }
    hf_check_near(hf_sim_force_stats(sim, touch).largest_force, largest, 0.02 * largest,
                  "largest force", "m dv/dt");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void by_reduced_mass(void **state)
{
    (void)state;
    static const double masses[][2] = {{1.0, 1.0}, {0.5, 4.0}, {20.0, 3.0}};
    double first[2], other[2];
    meet(masses[0][0], masses[0][1], first);
    assert_true(first[1] < 0.2); // they touched
    for (int i = 1; i < 3; ++i) {
        meet(masses[i][0], masses[i][1], other);
        hf_check_near_array(other, first, 2, 1e-9, "distances", "of equal masses");
    }
}

// A point between two round surfaces is in the middle of them, and is the same place from both
// bodies: of spheres of 1 m whose centres are 1.9 m apart, 0.95 m from each. On a face of one it
// is where the other body has it, less half the gap.
static void places_of_points(void **state)
{
    (void)state;
    const hf_mat3 turned = {0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    const hf_pose poses[2] = {{.position = {0.0, 0.0, 1.9}, .rotation = turned},
                              {.position = {0.0, 0.0, 0.0}, .rotation = turned}};
    hf_shape_point point = {.on = 0, .to = 1, .on_round = 1.0, .to_round = 1.0, .joins = true};
    for (int face = 0; face < 3; ++face) {
        point.joins = face == 0;
        point.of_on = face == 1;
        point.of_to = face == 2;
        point.normal = (hf_vec3){0.0, 0.0, 1.0};
        hf_contact_place place = hf_shape_point_place(&point, poses, hf_v3(0.0, 0.0, 0.0));
        hf_check_near(place.gap, -0.1, 1e-15, "gap", "1.9 m - 2 m");
        hf_check_near(place.on_arm.z, -0.95, 1e-15, "arm", "of the upper one");
        hf_check_near(place.to_arm.z, 0.95, 1e-15, "arm", "of the lower one");
        hf_check_near(hypot(place.on_arm.x, place.on_arm.y), 0.0, 1e-15, "arm", "on the line");
    }
}

// Five spheres of radius `scale` that run into each other and rub, as a swarm or by a contact for
// each of the ten pairs. x: their velocities and spins, and the heat.
enum { FEW = 5, FEW_NUMBERS = 6 * FEW + 1 };
static void run_few(bool swarm, double scale, double x[FEW_NUMBERS])
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body body[FEW];
    static const char *const names[FEW] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < FEW; ++i) {
        hf_rigid_def def = hf_rigid_def_default();
        def.name = names[i];
        def.mass = 1.0 + 0.3 * i;
        double inertia = 0.4 * def.mass * scale * scale;
        def.inertia = (hf_sym3){inertia, inertia, inertia, 0.0, 0.0, 0.0};
        def.shape = (hf_shape){.type = HF_SHAPE_SPHERE, .size = {scale, 0.0, 0.0}};
        def.position = (hf_vec3){2.05 * scale * i, 0.3 * scale * (i % 2), -0.2 * scale * (i % 3)};
        def.velocity = (hf_vec3){scale * (2.0 - i), 0.0, 0.0};
        def.spin = (hf_vec3){3.0 * (i % 2), 2.0 * i, 3.0};
        body[i] = hf_spec_add_rigid(spec, &def, &error);
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    law.stiffness = law.tangent_stiffness = 2e4;
    law.damping_time = law.tangent_damping_time = 5e-3;
    law.filter_time = 2e-3;
    hf_force_def force = hf_force_def_default();
    hf_force_use_rigid_contact(&force, &law);
    force.coupling = hf_coupling_def_default(swarm ? HF_COUPLING_SWARM : HF_COUPLING_SPHERES);
    force.coupling.members = body;
    force.coupling.member_count = swarm ? FEW : 0;
    force.coupling.radius = force.coupling.to_radius = scale;
    for (int k = 0; k < (swarm ? 1 : FEW * FEW); ++k) {
        char name[8] = {'t', names[k / FEW][0], names[k % FEW][0]};
        force.name = name;
        force.coupling.on_frame.body = body[k / FEW];
        force.coupling.to_frame.body = body[k % FEW];
        if (swarm || k / FEW < k % FEW) {
            assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
        }
    }
    assert_int_equal(
        hf_spec_set_method(spec, (hf_method_def){.type = HF_METHOD_RK4, .step = 2e-4}, &error),
        HF_OK);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim *sim = start(model);
    double deepest = 0.0;
    for (int k = 0; k < 5000; ++k) {
        // How deep they are in each other, now
        for (int i = 0; i < FEW * FEW; ++i) {
            const double *a = hf_sim_position(sim, body[i / FEW]),
                         *b = hf_sim_position(sim, body[i % FEW]);
            double d = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
            deepest = i / FEW < i % FEW ? fmax(deepest, 2.0 * scale - d) : deepest;
        }
        step(sim, 1);
    }
    hf_check_near(hf_sim_get_stats(sim).largest_penetration, deepest, 1e-12 * scale, "depth noted",
                  "by all pairs");
    for (int i = 0; i < FEW; ++i) {
        memcpy(x + 6 * i, hf_sim_velocity(sim, body[i]), 6 * sizeof(double));
    }
    x[FEW_NUMBERS - 1] = hf_sim_energy(sim).dissipated;
    // They have parted: what bristles remembered has decayed, and is forgotten
    for (int k = 0; swarm && k < model->ny; ++k) {
        hf_check_near(sim->x[model->nq + model->nv + k], 0.0, 0.0, "state of a pair", "forgotten");
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A swarm does what a contact for each pair does, of small spheres and of large ones.
static void as_many_pairs(void **state)
{
    (void)state;
    static const double scales[] = {0.05, 1.0, 20.0};
    for (int k = 0; k < 3; ++k) {
        double alone[FEW_NUMBERS], swarm[FEW_NUMBERS];
        run_few(false, scales[k], alone);
        run_few(true, scales[k], swarm);
        hf_check_below(0.05 * scales[k] * scales[k], alone[FEW_NUMBERS - 1], "some heat", "heat");
        hf_check_near_array(swarm, alone, FEW_NUMBERS, 1e-6 * (1.0 + scales[k] * scales[k]),
                            "velocities and heat", "contacts of two spheres");
    }
}

// Two balls lie on each other's side on a floor, one spinning: friction of spin, with numbers that
// the swarm chose, stops it for good.
static void spin_stops(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body body[2];
    double radius[2] = {0.05, 0.03};
    for (int i = 0; i < 2; ++i) {
        hf_rigid_def def = hf_rigid_def_default();
        def.name = i == 0 ? "a" : "b";
        def.mass = 1.0 - 0.7 * i;
        double inertia = 0.4 * def.mass * radius[i] * radius[i];
        def.inertia = (hf_sym3){inertia, inertia, inertia, 0.0, 0.0, 0.0};
        def.shape = (hf_shape){.type = HF_SHAPE_SPHERE, .size = {radius[i], 0.0, 0.0}};
        def.position = (hf_vec3){0.0, 0.0, i == 0 ? 0.05 : 0.13};
        def.spin = (hf_vec3){0.0, 0.0, 5.0 * i};
        body[i] = hf_spec_add_rigid(spec, &def, &error);
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    law.spin_friction = hf_level_coefficient(2e-3);
    law.rolling_friction = hf_level_coefficient(5e-3);
    hf_force_def force = hf_force_def_default();
    hf_force_use_rigid_contact(&force, &law);
    force.name = "pile";
    force.coupling = hf_coupling_def_default(HF_COUPLING_SWARM);
    force.coupling.members = body;
    force.coupling.member_count = 2;
    force.coupling.turning = true;
    hf_force pile = hf_spec_add_force(spec, &force, &error);
    force.name = "floor";
    force.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    force.coupling.on_frame.body = body[0];
    force.coupling.radius = radius[0];
    force.coupling.turning = true;
    assert_true(pile.id != 0 && hf_spec_add_force(spec, &force, &error).id != 0);
    assert_int_equal(hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -9.81}, &error), HF_OK);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim *sim = start(model);
    double inertia = 0.4 * 0.3 * 0.03 * 0.03, torque = 2e-3 * 0.3 * 9.81;
    double stop = 5.0 * inertia / torque; // [s], the lower ball held by the floor
    step(sim, (int)lround(1.5 * stop / hf_sim_method(sim).step) + 1000);
    const double *upper = hf_sim_velocity(sim, body[1]), *lower = hf_sim_velocity(sim, body[0]);
    for (int k = 0; k < 6; ++k) {
        hf_check_below(fabs(upper[k]), 1e-9, "velocity of the upper ball", "at rest");
        hf_check_below(fabs(lower[k]), 1e-9, "velocity of the lower ball", "at rest");
    }
    hf_check_near(hf_sim_position(sim, body[1])[0], 0.0, 1e-12, "x", "it balances on top");
    // braked by a constant torque but for the bouncing of its first contact
    double angle = 2.0 * asin(hf_sim_position(sim, body[1])[6]);
    hf_check_near(angle, 0.5 * 5.0 * stop, 0.05 * stop, "angle", "w^2 I/(2 torque)");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pair_is_missed),   cmocka_unit_test(same_bits),
        cmocka_unit_test(capacity_is_checked), cmocka_unit_test(as_a_pair),
        cmocka_unit_test(by_reduced_mass),     cmocka_unit_test(places_of_points),
        cmocka_unit_test(as_many_pairs),       cmocka_unit_test(spin_stops),
    };
    return hf_run_tests(tests);
}
