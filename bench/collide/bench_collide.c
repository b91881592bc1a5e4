// SPDX-License-Identifier: Apache-2.0
// Collision alone: a thousand mixed bodies, spheres, boxes, capsules and cylinders, that move and
// turn a little from frame to frame; processor time for each pair that touches. ODE and Bullet on
// the same course in the same run, where they are installed.
#include <stdlib.h>
#include <string.h>

#include <holdfast/contact.h>
#include <holdfast/use_law.h>

#include "../bench.h"
#include "collide.h"
#include "collide/collide.h"

static const double SPACING = 0.105, STEP = 2e-3; // of the grid [m], of a frame [s]
enum { ROUNDS = 3 };

double crowd_now(void)
{
    return hf_bench_now();
}

// ------------------------------------------------------------------------------------------------
// The crowd

static double draw(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) * 0x1p-53;
}

static void make_crowd(crowd_body *bodies)
{
    unsigned long long state = 17;
    for (int i = 0; i < CROWD_BODIES; ++i) {
        crowd_body *b = &bodies[i];
        const int cell[3] = {i % 10, i / 10 % 10, i / 100};
        double length = 0.0;
        *b = (crowd_body){.kind = (crowd_kind)(i * 7 / 3 % 4)};
        for (int k = 0; k < 3; ++k) {
            b->position[k] = SPACING * (cell[k] + 0.4 * draw(&state));
            b->velocity[k] = draw(&state) - 0.5;
            b->spin[k] = 4.0 * (draw(&state) - 0.5);
            b->size[k] = b->kind == CROWD_BOX ? 0.07 + 0.04 * draw(&state) : 0.0;
        }
        if (b->kind != CROWD_BOX) {
            b->size[0] = (b->kind == CROWD_SPHERE ? 0.045 : 0.035) + 0.015 * draw(&state);
            b->size[2] = 0.06 + 0.03 * draw(&state);
        }
        for (int k = 0; k < 4; ++k) {
            b->turn[k] = draw(&state) - 0.5;
            length += b->turn[k] * b->turn[k];
        }
        for (int k = 0; k < 4; ++k) {
            b->turn[k] /= sqrt(length);
        }
    }
}

void crowd_move(crowd_body *bodies)
{
    for (int i = 0; i < CROWD_BODIES; ++i) {
        crowd_body *b = &bodies[i];
        const double *w = b->spin, q[4] = {b->turn[0], b->turn[1], b->turn[2], b->turn[3]};
        double half = 0.5 * STEP, length = 0.0;
        for (int k = 0; k < 3; ++k) {
            b->position[k] += STEP * b->velocity[k];
        }
        b->turn[0] -= half * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]);
        b->turn[1] += half * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]);
        b->turn[2] += half * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]);
        b->turn[3] += half * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1]);
        for (int k = 0; k < 4; ++k) {
            length += b->turn[k] * b->turn[k];
        }
        for (int k = 0; k < 4; ++k) {
            b->turn[k] /= sqrt(length);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Holdfast

static hf_model *make_model(const crowd_body *bodies)
{
    static const hf_shape_type types[] = {[CROWD_SPHERE] = HF_SHAPE_SPHERE,
                                          [CROWD_BOX] = HF_SHAPE_BOX,
                                          [CROWD_CAPSULE] = HF_SHAPE_CAPSULE,
                                          [CROWD_CYLINDER] = HF_SHAPE_CYLINDER};
    static hf_body members[CROWD_BODIES];
    hf_error error;
    hf_spec *spec = hf_spec_create();
    bool good = spec != NULL;
    for (int i = 0; good && i < CROWD_BODIES; ++i) {
        const crowd_body *b = &bodies[i];
        char name[16];
        (void)snprintf(name, sizeof name, "b%03d", i);
        hf_rigid_def def = hf_rigid_def_default();
        def.name = name;
        def.mass = 1.0;
        def.shape =
            (hf_shape){.type = types[b->kind], .size = {b->size[0], b->size[1], b->size[2]}};
        def.inertia = hf_shape_inertia(def.shape, def.mass);
        members[i] = hf_spec_add_rigid(spec, &def, &error);
        good = members[i].id != 0;
    }
    hf_rigid_contact_def law = hf_rigid_contact_def_default();
    hf_force_def force = hf_force_def_default();
    force.name = "crowd";
    force.coupling = (hf_coupling_def){
        .type = HF_COUPLING_SHAPES, .members = members, .member_count = CROWD_BODIES};
    hf_force_use_rigid_contact(&force, &law);
    good = good && hf_spec_add_force(spec, &force, &error).id != 0;
    const hf_method_def method = {.type = HF_METHOD_TIMESTEP, .step = STEP};
    good = good && hf_spec_set_method(spec, method, &error) == HF_OK;
    hf_model *model = good ? hf_model_compile(spec, &error) : NULL;
    if (model == NULL) {
        printf("bench-collide: %s\n", error.text);
    }
    hf_spec_destroy(spec);
    return model;
}

static void pose(const hf_model *model, const crowd_body *bodies, hf_pose *poses)
{
    for (int i = 0; i < CROWD_BODIES; ++i) {
        const crowd_body *b = &bodies[i];
        poses[model->bodies[i].pose] = (hf_pose){
            .rotation = hf_quat_rotation((hf_quat){b->turn[0], b->turn[1], b->turn[2], b->turn[3]}),
            .position = {b->position[0], b->position[1], b->position[2]}};
    }
}

static void *take(void *context, size_t size)
{
    (void)context;
    return malloc(size);
}

static void give(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static bool crowd_own(crowd_body *bodies, crowd_result *result)
{
    hf_error error;
    hf_collider *collider = NULL;
    hf_model *model = make_model(bodies);
    const hf_allocator allocator = {.allocate = take, .release = give};
    *result = (crowd_result){0};
    if (model == NULL || hf_collider_create(model, &allocator, &collider, &error) != HF_OK) {
        hf_model_destroy(model);
        return false;
    }
    int room = hf_collider_capacity(collider);
    hf_pose *poses = calloc((size_t)model->pose_count, sizeof *poses);
    hf_contact_point *points = calloc((size_t)room, sizeof *points);
    bool good = poses != NULL && points != NULL;
    for (int frame = 0; good && frame < CROWD_FRAMES; ++frame) {
        double start = hf_bench_now();
        pose(model, bodies, poses);
        int count = hf_collider_find(collider, poses, 0.0, NULL, points, room);
        result->seconds += hf_bench_now() - start;
        good = count >= 0;
        for (int i = 0; i < count; ++i) {
            result->points += 1;
            result->pairs +=
                i == 0 || points[i].on != points[i - 1].on || points[i].to != points[i - 1].to;
        }
        crowd_move(bodies);
    }
    free(points);
    free(poses);
    hf_collider_destroy(collider);
    hf_model_destroy(model);
    return good;
}

// ------------------------------------------------------------------------------------------------
// All of them

static double show(const char *name, const crowd_result *r)
{
    double each = 1e9 * r->seconds / (double)r->pairs;
    printf("| %s | %.1f | %.1f | %.2f | %.0f |\n", name, (double)r->pairs / CROWD_FRAMES,
           (double)r->points / CROWD_FRAMES, 1e3 * r->seconds / CROWD_FRAMES, each);
    return each;
}

#if defined HF_BENCH_ODE || defined HF_BENCH_BULLET
static double least_of(const char *name, crowd_result (*run)(crowd_body *), crowd_body *bodies)
{
    crowd_result best = {.seconds = HUGE_VAL};
    for (int i = 0; i < ROUNDS; ++i) {
        make_crowd(bodies);
        crowd_result now = run(bodies);
        best = now.seconds < best.seconds ? now : best;
    }
    return show(name, &best);
}
#endif

int main(void)
{
    static crowd_body bodies[CROWD_BODIES];
    crowd_result best = {.seconds = HUGE_VAL};
    double others = HUGE_VAL;
    printf("\nA thousand mixed bodies, %d frames\n\n| by | pairs that touch | points | ms a frame "
           "| ns "
           "a pair |\n|---|---|---|---|---|\n",
           CROWD_FRAMES);
    for (int i = 0; i < ROUNDS; ++i) {
        crowd_result now;
        make_crowd(bodies);
        if (!crowd_own(bodies, &now)) {
            return 1;
        }
        best = now.seconds < best.seconds ? now : best;
    }
    double own = show("Holdfast", &best);
#ifdef HF_BENCH_ODE
    others = fmin(others, least_of("ODE", crowd_ode, bodies));
#else
    printf("  ODE was not found (libode-dev): no comparison\n");
#endif
#ifdef HF_BENCH_BULLET
    others = fmin(others, least_of("Bullet", crowd_bullet, bodies));
#else
    printf("  Bullet was not found (libbullet-dev): no comparison\n");
#endif
    make_crowd(bodies);
#ifdef HF_BENCH_ODE
    crowd_kinds(bodies, crowd_ode_look);
#else
    crowd_kinds(bodies, NULL);
#endif
    hf_bench_result("collision of 1,000 mixed bodies", own, "ns/pair", "-");
    if (isfinite(others)) {
        hf_bench_result("the same, times that of the faster of ODE and Bullet", own / others, "-",
                        "<= 1");
    }
    return 0;
}
