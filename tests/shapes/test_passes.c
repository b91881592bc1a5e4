// SPDX-License-Identifier: Apache-2.0
// Whether two solids go through each other within a step, against looks at a thousand moments of
// it: whatever they are, however fast they turn, and however long the step is.
#include <holdfast/use_law.h>
#include <math.h>
#include <stdlib.h>

#include "brute.h"
#include "collide/collider.h"
#include "collide/way.h"

static void *allocate(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void release(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static const hf_allocator PLAIN = {.allocate = allocate, .release = release};

// large: a plate or a rod, whose ends are far away from its middle.
static hf_shape any_shape(hf_rng *rng, bool large)
{
    static const hf_shape_type types[] = {HF_SHAPE_SPHERE, HF_SHAPE_BOX, HF_SHAPE_CAPSULE,
                                          HF_SHAPE_CYLINDER};
    bool thin = hf_rng_bool(rng);
    double x = hf_rng_uniform(rng, 0.05, 0.6), y = hf_rng_uniform(rng, 0.05, 0.6);
    double z = thin ? 0.01 : hf_rng_uniform(rng, 0.05, 0.6);
    if (large) {
        return (hf_shape){.type = HF_SHAPE_BOX, .size = {4.0 * x, 4.0 * y, 0.02}};
    }
    return (hf_shape){.type = types[hf_rng_int(rng, 0, 3)], .size = {x, y, z}};
}

static hf_model *two_bodies(hf_rng *rng, bool large)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_body bodies[2];
    for (int i = 0; i < 2; ++i) {
        hf_rigid_def def = hf_rigid_def_default();
        def.name = i == 0 ? "a" : "b";
        def.shape = any_shape(rng, large && i == 0);
        def.inertia = hf_shape_inertia(def.shape, def.mass);
        def.position = (hf_vec3){10.0 * i, 0.0, 0.0};
        bodies[i] = hf_spec_add_rigid(spec, &def, &error);
        assert_true(bodies[i].id != 0);
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    hf_force_def def = hf_force_def_default();
    def.name = "touch";
    def.coupling = hf_coupling_def_default(HF_COUPLING_SHAPES);
    def.coupling.members = bodies;
    def.coupling.member_count = 2;
    hf_force_use_rigid_contact(&def, &law);
    assert_true(hf_spec_add_force(spec, &def, &error).id != 0);
    hf_model *model = hf_model_compile(spec, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_spec_destroy(spec);
    return model;
}

// A body's way through the step: from a pose, with a velocity and a spin.
typedef struct motion {
    hf_vec3 position, velocity, spin;
    hf_quat turn;
} motion;

static motion any_motion(hf_rng *rng, double far, double step)
{
    hf_vec3 axis = brute_direction(rng);
    double angle = hf_rng_bool(rng) ? hf_rng_uniform(rng, 0.0, 2.4) : 0.0;
    double way = hf_rng_bool(rng) ? hf_rng_uniform(rng, 0.0, 1.5) : 0.0;
    return (motion){.position = hf_v3_scale(far, brute_direction(rng)),
                    .velocity = hf_v3_scale(way / step, brute_direction(rng)),
                    .spin = hf_v3_scale(angle / step, axis),
                    .turn = brute_turn(rng)};
}

static hf_pose pose_at(const motion *m, double t)
{
    double rate = hf_v3_norm(m->spin);
    hf_quat turn = rate > 0.0 ? hf_quat_from_axis_angle(hf_v3_scale(1.0 / rate, m->spin), rate * t)
                              : (hf_quat){1.0, 0.0, 0.0, 0.0};
    return (hf_pose){.position = hf_v3_axpy(m->position, t, m->velocity),
                     .rotation = hf_quat_rotation(hf_quat_mul(turn, m->turn))};
}

// How deep the two are in each other after t seconds; 0: apart.
static double depth_at(const hf_collider *c, const motion *motions, double t)
{
    hf_solid solids[2] = {c->solids[0], c->solids[1]};
    for (int i = 0; i < 2; ++i) {
        hf_pose pose = pose_at(&motions[i], t);
        solids[i].center = pose.position;
        solids[i].rotation = pose.rotation;
    }
    hf_touch_point points[HF_SURFACE_POINTS];
    int count = hf_touch_points(&solids[0], &solids[1], 0.0, points);
    double depth = 0.0;
    for (int i = 0; i < count; ++i) {
        depth = fmax(depth, -points[i].gap);
    }
    return depth;
}

enum { MOMENTS = 1000, TRIALS = 2500 };

static void what_goes_through_is_noticed(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(41);
    int through = 0, clear = 0, careful = 0;
    for (int k = 0; k < TRIALS; ++k) {
        double step = hf_rng_log_uniform(&rng, 1e-4, 1e6);
        hf_model *model = two_bodies(&rng, k % 3 == 0);
        hf_error error = {0};
        hf_collider *c = NULL;
        assert_int_equal(hf_collider_create(model, &PLAIN, &c, &error), HF_OK);
        motion motions[2] = {any_motion(&rng, 0.0, step),
                             any_motion(&rng, hf_rng_uniform(&rng, 0.2, 1.2), step)};
        hf_pose from[3] = {{.rotation = hf_m3_identity()}}, to[3] = {from[0]};
        for (int i = 0; i < 2; ++i) {
            from[i + 1] = pose_at(&motions[i], 0.0);
            to[i + 1] = pose_at(&motions[i], step);
        }
        assert_int_equal(hf_collider_search(c, from, 10.0), 1);
        int ends[2];
        bool passes = hf_collider_passes(c, from, to, step, ends);
        double deep = 0.1 * hf_collider_thinness(c), before = depth_at(c, motions, 0.0);
        double deepest = 0.0;
        for (int i = 1; i <= MOMENTS; ++i) {
            deepest = fmax(deepest, depth_at(c, motions, step * i / MOMENTS));
        }
        // Steps of its looks miss what is less deep than twice the allowance
        if (deepest > 1.01 * (before + 2.0 * deep)) {
            assert_true(passes);
            ++through;
        } else if (deepest < 0.9 * deep) {
            ++clear;
            careful += passes;
        }
        hf_collider_destroy(c);
        hf_model_destroy(model);
    }
    assert_in_range(through, TRIALS / 10, TRIALS);
    assert_in_range(clear, TRIALS / 10, TRIALS);
    // What stays apart may be taken for a passage where it turns along the other one
    assert_in_range(careful, 0, clear / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_goes_through_is_noticed)};
    return hf_run_tests(tests);
}
