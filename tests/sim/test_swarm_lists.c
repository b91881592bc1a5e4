// SPDX-License-Identifier: Apache-2.0
// Lists of the pairs of a swarm: the grid against a look at every pair, the skin that lists have,
// and what the vectors of a sim hold beyond the pairs in use.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "sim/sim_data.h"
#include "swarm/swarm.h"

#include <holdfast/sim.h>
#include <holdfast/use_law.h>

enum { MOST = 40 };
static const double STEP = 1e-4;

typedef struct cloud {
    int count, capacity;
    bool turning;
    double radius[MOST], mass[MOST];
    hf_vec3 place[MOST], velocity[MOST];
} cloud;

static hf_model *build(const cloud *c)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body bodies[MOST];
    assert_non_null(spec);
    for (int i = 0; i < c->count; ++i) {
        char name[16];
        (void)snprintf(name, sizeof name, "s%02d", i);
        hf_rigid_def def = hf_rigid_def_default();
        double inertia = 0.4 * c->mass[i] * c->radius[i] * c->radius[i];
        def.name = name;
        def.mass = c->mass[i];
        def.inertia = (hf_sym3){inertia, inertia, inertia, 0.0, 0.0, 0.0};
        def.shape = (hf_shape){.type = HF_SHAPE_SPHERE, .size = {.x = c->radius[i]}};
        def.position = c->place[i];
        def.velocity = c->velocity[i];
        bodies[i] = hf_spec_add_rigid(spec, &def, &error);
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    law.stiffness = law.tangent_stiffness = 1e4;
    law.damping_time = law.tangent_damping_time = 1e-3;
    law.filter_time = 5e-4;
    hf_force_def force = hf_force_def_default();
    force.name = "heap";
    force.coupling = hf_coupling_def_default(HF_COUPLING_SWARM);
    force.coupling.members = bodies;
    force.coupling.member_count = c->count;
    force.coupling.capacity = c->capacity;
    force.coupling.turning = c->turning;
    hf_force_use_rigid_contact(&force, &law);
    assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    assert_int_equal(
        hf_spec_set_method(spec, (hf_method_def){.type = HF_METHOD_RK4, .step = STEP}, &error),
        HF_OK);
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static hf_sim *start(const hf_model *model)
{
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static void finish(hf_sim *sim, hf_model *model)
{
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Spheres of unlike sizes, so far apart that none touches another.
static cloud random_cloud(uint64_t seed, int count, double speed)
{
    hf_rng rng = hf_rng_create(seed);
    cloud c = {.count = count, .capacity = count * (count - 1) / 2};
    for (int i = 0; i < count; ++i) {
        c.radius[i] = hf_rng_uniform(&rng, 0.02, 0.1);
        c.mass[i] = hf_rng_uniform(&rng, 0.1, 2.0);
        c.place[i] = hf_v3(0.5 * i, 0.0, 0.0);
        c.velocity[i] = hf_v3(speed * hf_rng_normal(&rng), speed * hf_rng_normal(&rng), 0.0);
    }
    return c;
}

// Puts them anywhere in a cube around a place, and lists them anew.
static void scatter(hf_sim *sim, uint64_t seed, double middle, double width)
{
    hf_rng rng = hf_rng_create(seed);
    for (int i = 0; i < sim->model->swarms[0].count; ++i) {
        char name[16];
        (void)snprintf(name, sizeof name, "s%02d", i);
        hf_body body = hf_model_find_body(sim->model, name);
        double *place = sim->x + (hf_sim_position(sim, body) - sim->x);
        for (int k = 0; k < 3; ++k) {
            place[k] = (k == 1 ? -middle : middle) + hf_rng_uniform(&rng, -width, width);
        }
    }
    *sim->swarms[0].skin = 0.0; // the list is stale
    hf_swarms_update(sim);
}

// What is listed is every pair whose spheres are within the skin of each other, and no other; in
// the order of its members.
static void check_list(const hf_sim *sim)
{
    const hf_swarm *swarm = &sim->model->swarms[0];
    const hf_swarm_state *s = &sim->swarms[0];
    int listed = 0;
    for (int i = 0; i < swarm->count; ++i) {
        for (int j = i + 1; j < swarm->count; ++j) {
            hf_vec3 d = hf_v3_sub(s->places[i], s->places[j]);
            double reach = swarm->members[i].radius + swarm->members[j].radius + *s->skin;
            if (hf_v3_norm(d) < reach) {
                assert_true(listed < *s->count);
                assert_int_equal(s->pairs[listed].on, i);
                assert_int_equal(s->pairs[listed].to, j);
                ++listed;
            }
        }
    }
    assert_int_equal(listed, *s->count);
}

// The grid finds what a look at every pair finds: around the origin, far from it, and so far away
// that the grid has ended.
static void as_every_pair(void **state)
{
    (void)state;
    static const double middles[] = {0.0, 0.0, -7.3, 1e3, 3e10};
    for (int k = 0; k < 5; ++k) {
        cloud c = random_cloud(300, MOST, k % 2 == 0 ? 1.0 : 30.0);
        hf_model *model = build(&c);
        hf_sim *sim = start(model);
        int pairs = 0;
        for (uint64_t trial = 0; trial < 30; ++trial) {
            scatter(sim, 301 + trial, middles[k], 0.1 + 0.02 * (double)trial);
            check_list(sim);
            pairs += *sim->swarms[0].count;
        }
        assert_true(pairs > 300 && pairs < 30 * 780 / 2);
        finish(sim, model);
    }
}

// A list reaches a tenth of the smallest radius, or eight ways of the fastest sphere in a step;
// rather twenty, as long as that is no more than 0.4 of the smallest radius.
static void skins(void **state)
{
    (void)state;
    const double small = 0.02; // [m]
    const struct {
        double way, skin; // by the smallest radius
    } cases[] = {{0.0, 0.1}, {0.004, 0.1}, {0.01, 0.2}, {0.018, 0.36}, {0.03, 0.4}, {0.2, 1.6}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        cloud c = {.count = 3,
                   .radius = {0.1, small, 0.05},
                   .mass = {1.0, 2.0, 3.0},
                   .place = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 2.0, 0.0}}};
        c.velocity[2] =
            hf_v3(0.0, 0.6 * cases[k].way * small / STEP, 0.8 * cases[k].way * small / STEP);
        hf_model *model = build(&c);
        hf_sim *sim = start(model);
        hf_error error = {0};
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        hf_check_near(*sim->swarms[0].skin, cases[k].skin * small, 1e-12, "skin", "by the way");
        // No list is older than the spheres' ways allow
        for (int i = 0; i < 200; ++i) {
            assert_int_equal(hf_sim_step(sim, &error), HF_OK);
            double moved = hf_v3_norm(hf_v3_sub(
                sim->poses[model->swarms[0].members[2].pose].position, sim->swarms[0].places[2]));
            hf_check_below(moved, 0.5 * *sim->swarms[0].skin + 1e-12, "way since the list",
                           "half of the skin");
        }
        finish(sim, model);
    }
}

// Where the wide skin has no room and the narrow one has, the narrow one is taken. Spheres in a row
// at gaps of 0.15 radii, with a way of 0.01 radii: a skin of 0.2 radii lists three neighbours, 0.1
// none.
static void narrow_where_room_ends(void **state)
{
    (void)state;
    cloud c = {.count = 4, .capacity = 1};
    for (int i = 0; i < 4; ++i) {
        c.radius[i] = 0.1;
        c.mass[i] = 1.0;
        c.place[i] = hf_v3(0.215 * i, 0.0, 0.0);
        c.velocity[i] = hf_v3(0.0, 0.02 * 0.1 / STEP / 2.0, 0.0);
    }
    hf_model *model = build(&c);
    hf_sim *sim = start(model);
    hf_error error = {0};
    assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    assert_int_equal(*sim->swarms[0].count, 0);
    hf_check_near(*sim->swarms[0].skin, 0.01, 1e-12, "skin", "the narrow one");
    // More of them near each other than there is room for
    scatter(sim, 310, 0.0, 0.1);
    assert_int_equal(*sim->swarms[0].count, -1);
    assert_int_equal(hf_swarms_check(sim, &error), HF_ERROR_RANGE);
    assert_non_null(strstr(error.text, "'heap' has more than 1 pairs of spheres near each other"));
    finish(sim, model);
}

// Spheres that begin in each other: each pair is at rest in its own depth, and the deepest is
// known.
static void depths_at_the_start(void **state)
{
    (void)state;
    for (int deep = 0; deep < 3; ++deep) {
        cloud c = {.count = 4};
        double x = 0.0;
        for (int i = 0; i < 4; ++i) {
            c.radius[i] = 0.1 + 0.02 * i;
            c.mass[i] = 1.0;
            x += i == 0 ? 0.0 : c.radius[i - 1] + c.radius[i] - (i - 1 == deep ? 0.015 : 0.005);
            c.place[i] = hf_v3(0.6 * x, 0.0, -0.8 * x);
        }
        c.turning = deep == 1;
        hf_model *model = build(&c);
        hf_sim *sim = start(model);
        hf_swarms_update(sim);
        const double *y = sim->x + model->nq + model->nv + model->forces[model->swarms[0].force].y;
        int dim = model->swarms[0].dim;
        assert_int_equal(dim, c.turning ? 6 : 3);
        assert_int_equal(*sim->swarms[0].count, 3);
        hf_check_near(hf_swarm_depth(sim, 0), 0.015, 1e-15, "deepest", "of three pairs");
        for (int i = 0; i < 3; ++i) {
            hf_check_near(y[dim * i], i == deep ? 0.015 : 0.005, 1e-15, "depth", "of the pair");
            for (int k = 1; k < dim; ++k) {
                hf_check_near(y[dim * i + k], 0.0, 0.0, "deflection", "none yet");
            }
        }
        finish(sim, model);
    }
}

// Vectors of the sim: after fewer pairs are left, what these held is zero, and nothing else is;
// what is in use is what the spans say.
static void beyond_the_pairs(void **state)
{
    (void)state;
    cloud c = random_cloud(311, 12, 0.0);
    hf_model *model = build(&c);
    hf_sim *sim = start(model);
    const hf_swarm *swarm = &model->swarms[0];
    double *const vectors[] = {sim->x, sim->k, sim->stage, sim->slope};
    int first = model->nq + model->nv + model->forces[swarm->force].y;
    scatter(sim, 312, 0.0, 0.1);
    assert_true(*sim->swarms[0].count > 10);
    assert_int_equal(sim->span_count, 2);
    assert_int_equal(sim->spans[0].first, 0);
    assert_int_equal(sim->spans[0].end, first + swarm->dim * *sim->swarms[0].count);
    assert_int_equal(sim->spans[1].first, first + swarm->dim * swarm->capacity);
    assert_int_equal(sim->spans[1].end, model->n);
    for (int v = 0; v < 4; ++v) {
        for (int i = 0; i < model->n; ++i) {
            vectors[v][i] = 1.0 + v;
        }
    }
    hf_swarm_clear_unused(sim, swarm, 7, 4);
    for (int v = 0; v < 4; ++v) {
        for (int i = 0; i < model->n; ++i) {
            bool unused = i >= first + 4 * swarm->dim && i < first + 7 * swarm->dim;
            hf_check_near(vectors[v][i], unused ? 0.0 : 1.0 + v, 0.0, "a number", "cleared");
        }
    }
    hf_swarms_restart(sim);
    for (int v = 1; v < 4; ++v) {
        for (int i = 0; i < model->n; ++i) {
            hf_check_near(vectors[v][i], 0.0, 0.0, "a number of a step", "cleared");
        }
    }
    finish(sim, model);
}

// Two that have parted remember nothing, also no direction: what comes later does not depend on it.
static void parted_ones_forget(void **state)
{
    (void)state;
    cloud c = {.count = 2, .radius = {0.1, 0.1}, .mass = {1.0, 2.0}};
    c.place[1] = hf_v3(0.2005, 0.02, 0.0);
    c.velocity[0] = hf_v3(0.1, 0.0, 0.3);
    hf_model *model = build(&c);
    hf_sim *sim = start(model);
    hf_error error = {0};
    bool touched = false;
    for (int i = 0; i < 20000 && *sim->swarms[0].count > 0; ++i) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        const hf_pair_memory *memory = &sim->swarms[0].memories[0];
        const double *y = sim->x + model->nq + model->nv;
        touched = touched || memory->mode != HF_MODE_OPEN;
        if (memory->mode == HF_MODE_OPEN && hf_swarm_is_zero(y, 3)) {
            hf_check_near(hf_v3_norm(memory->reference), 0.0, 0.0, "reference", "forgotten");
        }
        // What is less than a rounding is nothing at all
        for (int k = 0; k < 3; ++k) {
            assert_true(y[k] == 0.0 || fabs(y[k]) > 1e-30 || memory->mode != HF_MODE_OPEN);
        }
    }
    assert_true(touched);
    finish(sim, model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_every_pair),          cmocka_unit_test(skins),
        cmocka_unit_test(narrow_where_room_ends), cmocka_unit_test(depths_at_the_start),
        cmocka_unit_test(beyond_the_pairs),       cmocka_unit_test(parted_ones_forget),
    };
    return hf_run_tests(tests);
}
