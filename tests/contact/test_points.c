// SPDX-License-Identifier: Apache-2.0
// Points of contact between shapes as forces: where they are, what moves there by itself, and what
// they remember when the collider finds them anew.
#include "contact_test.h"

#include <holdfast/adaptive.h>

#include <math.h>
#include <string.h>

#include "math/spatial.h"
#include "sim/sim_data.h"
#include "swarm/swarm.h"

static hf_vec3 random_vector(hf_rng *rng)
{
    double x = hf_rng_normal(rng), y = hf_rng_normal(rng);
    return hf_v3(x, y, hf_rng_normal(rng));
}

static hf_vec3 unit(hf_vec3 v)
{
    return hf_v3_scale(1.0 / hf_v3_norm(v), v);
}

// A body somewhere, turned somehow.
static hf_pose random_pose(hf_rng *rng)
{
    hf_vec3 x = unit(random_vector(rng)), y = random_vector(rng);
    y = unit(hf_v3_axpy(y, -hf_v3_dot(x, y), x));
    hf_vec3 z = hf_v3_cross(x, y);
    return (hf_pose){.position = random_vector(rng),
                     .rotation = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
}

static void same_vector(hf_vec3 got, hf_vec3 want, const char *quantity, const char *source)
{
    const double a[3] = {got.x, got.y, got.z}, b[3] = {want.x, want.y, want.z};
    hf_check_near_array(a, b, 3, 1e-13, quantity, source);
}

static hf_vec3 world(const hf_pose *pose, hf_vec3 local)
{
    return hf_v3_add(pose->position, hf_m3_mulv(&pose->rotation, local));
}

// Wherever the bodies are, both arms lead to one place. Both surfaces lie a radius from their
// cores, the gap is between them along the normal, and the place is half a gap from the surface
// that lies on a face, or in the middle of both.
static void arms_meet(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(140);
    for (int trial = 0; trial < 60; ++trial) {
        const hf_pose poses[2] = {random_pose(&rng), random_pose(&rng)};
        hf_shape_point p = {.on = 0,
                            .to = 1,
                            .on_core = random_vector(&rng),
                            .to_core = random_vector(&rng),
                            .on_round = trial % 4 == 0 ? 0.0 : hf_rng_uniform(&rng, 0.1, 1.0),
                            .to_round = trial % 5 == 0 ? 0.0 : hf_rng_uniform(&rng, 0.1, 1.0),
                            .normal = unit(random_vector(&rng)),
                            .of_on = trial % 3 == 1,
                            .of_to = trial % 3 == 2,
                            .joins = trial % 3 == 0};
        hf_vec3 on_core = world(&poses[0], p.on_core), to_core = world(&poses[1], p.to_core);
        hf_vec3 apart = hf_v3_sub(on_core, to_core);
        hf_vec3 n = p.joins ? unit(apart) : hf_m3_mulv(&poses[p.of_on ? 0 : 1].rotation, p.normal);
        hf_contact_place place = hf_shape_point_place(&p, poses, random_vector(&rng));
        same_vector(place.n, n, "normal", "of the face, or from core to core");
        double gap = hf_v3_dot(apart, n) - p.on_round - p.to_round;
        hf_check_near(place.gap, gap, 1e-13, "gap", "between the surfaces");
        // One place
        hf_vec3 by_on = hf_v3_add(poses[0].position, place.on_arm);
        same_vector(hf_v3_add(poses[1].position, place.to_arm), by_on, "place by the arm of `to`",
                    "by that of `on`");
        hf_vec3 on_surface = hf_v3_axpy(on_core, -p.on_round, n);
        hf_vec3 to_surface = hf_v3_axpy(to_core, p.to_round, n);
        hf_vec3 want = p.of_to   ? hf_v3_axpy(on_surface, -0.5 * gap, n)
                       : p.of_on ? hf_v3_axpy(to_surface, 0.5 * gap, n)
                                 : hf_v3_scale(0.5, hf_v3_add(on_surface, to_surface));
        same_vector(by_on, want, "place", "of the surfaces");
        // Axes to the right
        same_vector(hf_v3_cross(place.x, place.y), n, "x cross y", "n");
        hf_check_near(hf_v3_dot(place.x, n), 0.0, 1e-14, "x along n", "across");
    }
}

// What a belt does at a point: v + w x r in the frame of its body, less what is along the normal.
// Both surfaces may run.
static void belts_run(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(141);
    for (int trial = 0; trial < 20; ++trial) {
        const hf_pose poses[2] = {random_pose(&rng), random_pose(&rng)};
        hf_shape_point p = {.on = 0, .to = 1, .joins = true};
        p.on_core = random_vector(&rng);
        p.to_core = random_vector(&rng);
        for (int k = 0; k < 2; ++k) {
            p.surface.belts[k] = (hf_belt){.velocity = random_vector(&rng),
                                           .spin = random_vector(&rng),
                                           .middle = random_vector(&rng)};
        }
        hf_contact_place place = hf_shape_point_place(&p, poses, hf_v3(0.0, 0.0, 0.0));
        hf_vec3 spot = hf_v3_add(poses[0].position, place.on_arm), want = {0};
        for (int k = 0; k < 2; ++k) {
            const hf_belt *belt = &p.surface.belts[k];
            hf_vec3 velocity = hf_m3_mulv(&poses[k].rotation, belt->velocity);
            hf_vec3 spin = hf_m3_mulv(&poses[k].rotation, belt->spin);
            hf_vec3 r = hf_v3_sub(spot, world(&poses[k], belt->middle));
            velocity = hf_v3_add(velocity, hf_v3_cross(spin, r));
            want = hf_v3_axpy(want, k == 0 ? 1.0 : -1.0, velocity);
        }
        want = hf_v3_axpy(want, -hf_v3_dot(want, place.n), place.n);
        same_vector(hf_shape_point_belt(&p, poses, &place), want, "speed of the belts",
                    "v + w x r in world axes");
    }
}

// Where friction depends on direction, x lies along that direction, of whichever body has it, and y
// is as long as friction across is by that along.
static void grain_turns_with_its_body(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(142);
    for (int trial = 0; trial < 20; ++trial) {
        const hf_pose poses[2] = {random_pose(&rng), random_pose(&rng)};
        hf_shape_point p = {.on = 0, .to = 1, .of_to = true, .normal = unit(random_vector(&rng))};
        p.surface = (hf_point_surface){.grained = true,
                                       .grain_on = trial % 2 == 0,
                                       .along = unit(random_vector(&rng)),
                                       .across = hf_rng_uniform(&rng, 0.1, 0.9)};
        hf_contact_place place = hf_shape_point_place(&p, poses, random_vector(&rng));
        hf_vec3 along = hf_m3_mulv(&poses[trial % 2 == 0 ? 0 : 1].rotation, p.surface.along);
        along = unit(hf_v3_axpy(along, -hf_v3_dot(along, place.n), place.n));
        same_vector(place.x, along, "x", "the direction of most friction");
        same_vector(place.y, hf_v3_scale(p.surface.across, hf_v3_cross(place.n, along)), "y",
                    "across it, shortened");
    }
}

static const char ON_SLOPE[] =
    "gravity: [1.5, 0.4, -9.81]\nbodies:\n"
    "  floor: {type: static, shape: {type: plane}}\n"
    "  one: {type: rigid, mass: 1, position: [0, 0, 0.05], shape: {type: box, size: [0.2, 0.1, "
    "0.1]}}\n"
    "  two: {type: rigid, mass: 2, position: [1, 0, 0.05], shape: {type: box, size: [0.1, 0.3, "
    "0.1]}}\n"
    "forces:\n  - {name: c, type: collide, among: all, friction: 0.6, restitution: 0}\n";

// The features of points are given other names: each takes the deflection of the nearest point that
// its own pair has lost, which is itself, and a depth of its own. A point whose name stayed keeps
// all of its state, and one that was lost far away is not what a kept name takes.
static void new_features_take_old_deflections(void **state)
{
    (void)state;
    for (int renamed = 0; renamed < 9; ++renamed) { // this one alone; 8: all of them
        hf_model *model = model_of(ON_SLOPE);
        hf_sim *sim = sim_with(model, (hf_method_def){.type = HF_METHOD_RK4, .step = 5e-4});
        run_until(sim, 0.3);
        hf_swarm_state *s = &sim->swarms[0];
        const int dim = model->swarms[0].dim, count = *s->count;
        double *y = sim->x + model->nq + model->nv + model->forces[model->swarms[0].force].y;
        double before[8 * 6], gaps[8];
        hf_pair_memory memories[8];
        assert_int_equal(count, 8); // four corners each
        hf_swarms_update(sim);
        for (int i = 0; i < count; ++i) {
            gaps[i] = hf_shape_point_place(&s->points[i], sim->poses, hf_v3(0, 0, 0)).gap;
            y[dim * i] += 1e-6 * (1 + i); // the state is not the depth
            hf_check_below(1e-9, fabs(y[dim * i + 1]) + fabs(y[dim * i + 2]), "0", "deflection");
        }
        memcpy(before, y, (size_t)(count * dim) * sizeof *y);
        memcpy(memories, s->memories, sizeof memories);
        // Names that no point has: the next one, in the same order
        for (int i = 0; i < count; ++i) {
            bool taken = i + 1 < count && s->features[i + 1] == s->features[i] + 1;
            s->features[i] += (renamed == 8 || renamed == i) && !taken;
            assert_true(!taken);
        }
        sim->core->accepted = true; // memories do not turn
        hf_swarm_update_points(sim, 0, true);
        assert_int_equal(*s->count, count);
        for (int i = 0; i < count; ++i) {
            bool fresh = renamed == 8 || renamed == i;
            hf_check_near_array(y + dim * i + 1, before + dim * i + 1, dim - 1, 0.0, "deflection",
                                "of the same place");
            hf_check_near(y[dim * i], fresh ? fmax(0.0, -gaps[i]) : before[dim * i], 0.0, "depth",
                          fresh ? "a new point begins at rest" : "kept");
            hf_check_near(s->memories[i].mode, memories[i].mode, 0.0, "mode", "kept");
            same_vector(s->memories[i].reference, memories[i].reference, "reference", "kept");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Balls that meet do the same whether the collider finds their points or each two have a contact of
// their own.
#define NUMBERS                                                                                    \
    "friction: 0.4, stiffness: 2e5, tangent_stiffness: 1e5, damping_time: 2e-4, "                  \
    "tangent_damping_time: 2e-4, filter_time: 1e-4}\n"
static void balls_are_balls(void **state)
{
    (void)state;
    static const char *const channels[] = {
        "a.velocity.x", "a.velocity.y", "a.angular_velocity.z", "a.angular_velocity.x",
        "b.velocity.x", "b.velocity.y", "b.angular_velocity.z", "b.angular_velocity.y",
        "c.velocity.x", "c.velocity.z", "c.angular_velocity.x", "energy.dissipated"};
    enum { COUNT = sizeof channels / sizeof *channels };
    double values[2][COUNT];
    for (int k = 0; k < 2; ++k) {
        char text[1200];
        (void)snprintf(
            text, sizeof text,
            "bodies:\n"
            "  a: {type: rigid, velocity: [1, 0, 0], angular_velocity: [3, 0, 9], shape: {type: "
            "sphere, radius: 0.1, density: 500}}\n"
            "  b: {type: rigid, position: [0.3, 0.06, 0.02], angular_velocity: [0, 5, -2], shape: "
            "{type: sphere, radius: 0.12, density: 200}}\n"
            "  c: {type: rigid, position: [0.6, 0.1, 0], velocity: [-1, 0, 0.05], shape: {type: "
            "sphere, radius: 0.08, density: 900}}\n"
            "forces:\n%s",
            k == 0 ? "  - {name: ab, type: contact, on: a, to: b, " NUMBERS
                     "  - {name: ac, type: contact, on: a, to: c, " NUMBERS
                     "  - {name: bc, type: contact, on: b, to: c, " NUMBERS
                   : "  - {name: hit, type: collide, among: all, " NUMBERS);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, (hf_method_def){.type = HF_METHOD_RK4, .step = 5e-5});
        assert_true((model->swarm_count == 1 && model->swarms[0].shapes) == (k == 1));
        run_until(sim, 0.5);
        for (int i = 0; i < COUNT; ++i) {
            values[k][i] = value_of(sim, channels[i]);
        }
        hf_check_near(value_of(sim, "energy.residual"), 0.0, 5e-3 * values[k][COUNT - 1],
                      "residual", "closed ledger");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    hf_check_below(0.3, values[0][COUNT - 1], "some heat", "heat");
    hf_check_near_array(values[1], values[0], COUNT, 1e-6, "motion as shapes", "as spheres");
}

// A box carried round by a table: the tangents at its points turn with both, and so do their
// deflections. What they store pulls it inwards with m w^2 r all the way round, and nothing slips.
static void deflections_go_round(void **state)
{
    (void)state;
    static const char *const methods[] = {"rk4", "verlet"};
    for (int k = 0; k < 2; ++k) {
        const double spin = 4.0;
        double radius = 0.0, heat = 0.0;
        hf_model *model = model_of(
            "gravity: [0, 0, -10]\nbodies:\n"
            "  table: {type: driven, axes: xyz, position: [0, 0, 0], angle: 4*t, shape: {type: "
            "cylinder, radius: 2, length: 0.1}}\n"
            "  box: {type: rigid, mass: 1, position: [0.2, 0, 0.1], velocity: [0, 0.8, 0], "
            "angular_velocity: [0, 0, 4], shape: {type: box, size: [0.1, 0.1, 0.1]}}\n"
            "forces:\n  - {name: c, type: collide, among: all, friction: 0.9, restitution: 0}\n");
        hf_method_type type = strcmp(methods[k], "rk4") == 0 ? HF_METHOD_RK4 : HF_METHOD_VERLET;
        hf_sim *sim = sim_with(model, (hf_method_def){.type = type, .step = 2e-4});
        for (int quarter = 1; quarter <= 8; ++quarter) {
            double t = 0.5 * acos(-1.0) / spin * quarter;
            run_until(sim, t);
            double x = value_of(sim, "box.position.x"), y = value_of(sim, "box.position.y");
            double angle = spin * hf_sim_time(sim);
            if (quarter == 1) { // the first pull has stretched them, by less than 1 mm
                hf_check_near(hypot(x, y), 0.2, 1e-3, "radius", "where it was put");
                radius = hypot(x, y);
                heat = value_of(sim, "energy.dissipated");
            }
            hf_check_near(hypot(x, y), radius, 1e-8, "radius", "carried round");
            hf_check_near(x * sin(angle) - y * cos(angle), 0.0, 3e-7, "lag", "carried round");
        }
        hf_check_near(value_of(sim, "energy.dissipated"), heat, 1e-9, "heat", "it does not slip");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Whose normal a point has: of a face it is fixed to the face, of two round surfaces it joins their
// cores, wherever these move within a step.
static void whose_normal(void **state)
{
    (void)state;
    static const struct {
        const char *on, *to;
        bool of_on, of_to, joins;
        double rounds; // sum of both radii [m]
    } cases[] = {
        {"type: sphere, radius: 0.1", "type: sphere, radius: 0.1", false, false, true, 0.2},
        {"type: capsule, radius: 0.1, length: 0.2", "type: sphere, radius: 0.1", false, false, true,
         0.2},
        {"type: sphere, radius: 0.1", "type: box, size: [0.2, 0.2, 0.2]", false, true, false, 0.1},
        {"type: box, size: [0.2, 0.2, 0.2]", "type: sphere, radius: 0.1", true, false, false, 0.1},
        {"type: box, size: [0.2, 0.2, 0.2]", "type: box, size: [0.2, 0.2, 0.2]", false, true, false,
         0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[800];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  a: {type: rigid, mass: 1, inertia: [1, 1, 1], position: [0.2001, 0, 0], "
                       "shape: {%s}}\n"
                       "  b: {type: rigid, mass: 1, inertia: [1, 1, 1], velocity: [0.5, 0, 0], "
                       "shape: {%s}}\n"
                       "  far: {type: static, position: [9, 0, 0], shape: {type: box, size: [1, 1, "
                       "1]}}\n"
                       "forces:\n  - {name: c, type: collide, among: all, friction: 0.6}\n",
                       cases[i].on, cases[i].to);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-4});
        hf_swarms_update(sim);
        assert_true(*sim->swarms[0].count > 0);
        for (int k = 0; k < *sim->swarms[0].count; ++k) {
            const hf_shape_point *p = &sim->swarms[0].points[k];
            assert_int_equal(p->joins, cases[i].joins);
            bool turned = p->on != 0 && sim->poses[p->on].position.x < sim->poses[p->to].position.x;
            assert_int_equal(turned ? p->of_to : p->of_on, cases[i].of_on);
            assert_int_equal(turned ? p->of_on : p->of_to, cases[i].of_to);
            hf_check_near(p->on_round + p->to_round, cases[i].rounds, 1e-15, "radii", "of both");
            hf_check_near(hf_shape_point_place(p, sim->poses, hf_v3(0, 0, 0)).gap, 1e-4, 1e-12,
                          "gap", "between the two");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A rod above a floor: its end is listed where it may come down to it within a step, by its speed
// or by its spin.
static void what_may_come_is_listed(void **state)
{
    (void)state;
    static const struct {
        const char *motion;
        bool listed;
    } cases[] = {{"velocity: [0, 0, 0]", false},
                 {"velocity: [0, 0, -60]", true},
                 {"angular_velocity: [0, 60, 0]", true},
                 {"velocity: [0, 0, -30], angular_velocity: [0, 30, 0]", true}};
    for (int i = 0; i < 4; ++i) {
        char text[600];
        (void)snprintf(text, sizeof text,
                       "bodies:\n"
                       "  floor: {type: static, position: [0, 0, -0.5], shape: {type: box, size: "
                       "[9, 9, 1]}}\n"
                       "  rod: {type: rigid, mass: 1, position: [0, 0, 0.1], %s, shape: {type: "
                       "box, size: [2, 0.1, 0.1]}}\n"
                       "forces:\n  - {name: c, type: collide, among: all, friction: 0.6}\n",
                       cases[i].motion);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-3});
        hf_swarms_update(sim);
        assert_int_equal(*sim->swarms[0].count > 0, cases[i].listed);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Points that are found anew are those that there were, unless one is elsewhere along the surface
// by 0.002 of the thinnest solid, deeper by 1e-7 of it, or turned by 1e-5.
static void points_that_moved(void **state)
{
    (void)state;
    hf_model *model = model_of(ON_SLOPE);
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = HF_METHOD_ADAPTIVE, .step = 0.01};
    def.methods[0] = hf_adaptive_methods();
    hf_sim *sim = sim_from(model, &def); // it holds its points
    run_until(sim, 0.05);
    hf_shape_forces_release(sim);
    hf_swarms_update(sim);
    hf_swarm_state *s = &sim->swarms[0];
    const double size = hf_shape_forces_shift(sim) / 2e-3;
    hf_check_near(size, 0.05, 1e-12, "size", "half of the thinnest side");
    assert_false(hf_shape_forces_moved(sim));
    for (int k = 0; k < 6; ++k) {
        hf_shape_point *p = &s->points[k], before = *p;
        hf_vec3 along = hf_shape_point_place(p, sim->poses, hf_v3(1.0, 0.0, 0.0)).x;
        along = hf_m3_tmulv(&sim->poses[p->on].rotation, along);
        for (int far = 0; far < 2; ++far) {
            double much = far == 1 ? 1.5 : 0.7;
            *p = before;
            switch (k % 3) {
            case 0:
                p->on_core = hf_v3_axpy(p->on_core, 2e-3 * much * size, along);
                break;
            case 1:
                p->on_round += 1e-7 * much * size;
                break;
            default:
                p->normal = hf_v3_add(p->normal, hf_v3(1e-5 * much, 0.0, 0.0));
            }
            assert_true(hf_shape_forces_moved(sim) == (far == 1));
        }
        *p = before;
    }
    s->features[2] += 1;
    assert_true(hf_shape_forces_moved(sim)); // another feature
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A soft law has fewer states than there is room for: the others stand still, whatever was there.
static void spare_states_stand_still(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "gravity: [0.3, 0, -9.81]\nbodies:\n"
        "  floor: {type: static, shape: {type: plane}}\n"
        "  box: {type: rigid, mass: 1, position: [0, 0, 0.0499], shape: {type: box, size: [0.2, "
        "0.1, 0.1]}}\n"
        "forces:\n  - {name: c, type: collide, law: penalty-contact, among: all, friction: 0.6, "
        "stiffness: 1e4}\n");
    hf_sim *sim = sim_with(model, (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-4});
    run_until(sim, 0.01);
    const hf_swarm *swarm = &model->swarms[0];
    int count = *sim->swarms[0].count;
    assert_int_equal(count, 4);
    for (int i = 0; i < model->n; ++i) {
        sim->k[i] = 7.0;
    }
    double *dy = sim->k + model->nq + model->nv, dw[8];
    hf_swarm_eval(sim, swarm->force, 0.0, sim->x + model->nq + model->nv, dy, dw);
    for (int i = 0; i < count * swarm->dim; ++i) {
        assert_true(dy[model->forces[swarm->force].y + i] != 7.0);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static long long taken, given;
static void *take(void *context, size_t size)
{
    (void)context;
    ++taken;
    return malloc(size);
}
static void give(void *context, void *memory)
{
    (void)context;
    given += memory == NULL ? 0 : 1;
    free(memory);
}

// What a sim with shapes as forces takes, it gives back.
static void memory_goes_back(void **state)
{
    (void)state;
    hf_model *model = model_of(ON_SLOPE);
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = HF_METHOD_RK4, .step = 5e-4};
    def.allocator = (hf_allocator){take, give, NULL};
    hf_sim *sim = sim_from(model, &def);
    run_until(sim, 0.01);
    hf_sim_destroy(sim);
    assert_true(taken > 3);
    assert_int_equal(taken, given);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arms_meet),
        cmocka_unit_test(belts_run),
        cmocka_unit_test(grain_turns_with_its_body),
        cmocka_unit_test(new_features_take_old_deflections),
        cmocka_unit_test(balls_are_balls),
        cmocka_unit_test(deflections_go_round),
        cmocka_unit_test(whose_normal),
        cmocka_unit_test(what_may_come_is_listed),
        cmocka_unit_test(points_that_moved),
        cmocka_unit_test(spare_states_stand_still),
        cmocka_unit_test(memory_goes_back),
    };
    return hf_run_tests(tests);
}
