// SPDX-License-Identifier: Apache-2.0
// Every coupling at random states of random machines: the rate is the derivative of the gap, and
// Phi is the transpose of Psi. One force in each machine, so that each coupling stands alone.
#include <math.h>
#include <string.h>

#include "couplings/space.h"
#include "machines.h"
#include "sim/sim_data.h"

enum { MACHINES = 120, STATES = 3 };

typedef struct scene {
    hf_model *model;
    hf_sim *sim;
    hf_coupling_type type;
} scene;

// ------------------------------------------------------------------------------------------------
// Random machines and states

static hf_machine random_bodies(hf_rng *rng)
{
    hf_machine machine = hf_machine_create();
    for (int dim = 1; dim <= 3; ++dim) {
        (void)hf_machine_random_mass(&machine, rng, dim);
        (void)hf_machine_random_driven(&machine, rng, dim);
    }
    (void)hf_machine_random_rigid(&machine, rng);
    (void)hf_machine_random_rigid(&machine, rng);
    (void)hf_machine_random_tree(&machine, rng, hf_rng_int(rng, 1, 6), hf_rng_bool(rng));
    return machine;
}

static scene open_scene(hf_rng *rng, hf_coupling_type type, int dim)
{
    hf_machine machine = random_bodies(rng);
    int force = hf_machine_random_coupling(&machine, rng, type, dim);
    assert_true(force >= 0);
    for (int i = 0; i < HF_LAW_MAX_DIM; ++i) {
        machine.parts[force].force.values[i].constant = hf_rng_uniform(rng, -5.0, 5.0);
    }
    hf_error error = {0};
    scene s = {.model = hf_machine_compile(&machine, rng), .type = type};
    s.sim = hf_sim_create(s.model, NULL, &error);
    assert_non_null(s.sim);
    return s;
}

static void close_scene(scene *s)
{
    hf_sim_destroy(s->sim);
    hf_model_destroy(s->model);
}

static void random_state(const scene *s, hf_rng *rng)
{
    double *x = s->sim->x;
    for (int i = 0; i < s->model->nq + s->model->nv; ++i) {
        x[i] = hf_rng_uniform(rng, -1.5, 1.5);
    }
    hf_sim_normalize(s->sim, x);
}

// Evaluates at time t with the state in `x` (which prescribed motion may change).
static void evaluate(const scene *s, double t, double *x)
{
    hf_sim_eval(s->sim, t, HF_SIDE_AT, 0.0, x, s->sim->slope);
}

// ------------------------------------------------------------------------------------------------
// Checks

// Rows of `frames` near the wrap of the angle, or near where it is undefined, are left out. So are
// rotation vectors: their rate is that of the gap about one axis only.
static bool is_smooth(const scene *s, int row)
{
    if (s->type == HF_COUPLING_ANGLE) {
        return s->sim->gap[0] < 3.1; // its axis changes its sign at pi
    }
    if (s->type == HF_COUPLING_BETWEEN) {
        return hf_v3_norm(s->model->forces[0].coupling_def.about) == 0.0;
    }
    if (s->type != HF_COUPLING_FRAMES || row != 5) {
        return true;
    }
    const hf_space_coupling *c = s->model->forces[0].item;
    hf_mat3 axes = hf_force_axes(s->sim, &s->model->forces[0]);
    hf_vec3 x = hf_m3_tmulv(&axes, hf_arm(&s->sim->poses[c->on], hf_column_x(&c->on_turn)));
    return x.x * x.x + x.y * x.y > 0.05 && fabs(s->sim->gap[5]) < 3.0;
}

// rate = d gap/dt along the motion, by central differences. Prescribed positions move with time.
static void check_rate(const scene *s, double t, const double *x)
{
    const double spacing = 1e-5;
    const hf_model *model = s->model;
    int dim = model->row_count;
    if (s->type == HF_COUPLING_SPIN) {
        return;
    }
    double rate[HF_LAW_MAX_DIM], gap[2][HF_LAW_MAX_DIM];
    bool smooth[HF_LAW_MAX_DIM];
    double moved[512];
    assert_true(model->n <= 512);
    memcpy(moved, x, (size_t)model->n * sizeof *x);
    evaluate(s, t, moved);
    memcpy(rate, s->sim->rate, (size_t)dim * sizeof *rate);
    for (int k = 0; k < dim; ++k) {
        smooth[k] = is_smooth(s, k);
    }
    double dq[256];
    assert_true(model->nq <= 256);
    hf_sim_q_rate(s->sim, moved, dq);
    for (int side = 0; side < 2; ++side) {
        double shift = side == 0 ? -spacing : spacing;
        memcpy(moved, x, (size_t)model->n * sizeof *x);
        for (int i = 0; i < model->nq; ++i) {
            moved[i] += shift * dq[i];
        }
        evaluate(s, t + shift, moved);
        memcpy(gap[side], s->sim->gap, (size_t)dim * sizeof(double));
    }
    int rows = hf_coupling_is_contact(s->type) ? 1 : dim; // tangents of a plane have no gap
    for (int k = 0; k < rows; ++k) {
        if (smooth[k]) {
            double slope = (gap[1][k] - gap[0][k]) / (2.0 * spacing);
            hf_check_near(rate[k], slope, 1e-6 * (1.0 + fabs(slope)), "rate",
                          "central difference of the gap");
        }
    }
}

// Rates at q + shift q' with the same v, in sim->rate.
static void rates_ahead(const scene *s, const double *x, const double *dq, double shift)
{
    const hf_model *model = s->model;
    double moved[256];
    for (int i = 0; i < model->nq; ++i) {
        moved[i] = x[i] + shift * dq[i];
    }
    hf_update_poses(s->sim, moved, x + model->nq);
    hf_force_psi(&model->forces[0], &(hf_motion){.q = moved,
                                                 .v = x + model->nq,
                                                 .poses = s->sim->poses,
                                                 .gap = s->sim->gap,
                                                 .rate = s->sim->rate,
                                                 .references = s->sim->references});
}

// The bias is d rate/dt while v stays, by central differences.
static void check_bias(const scene *s, const double *x)
{
    const double spacing = 1e-5;
    const hf_model *model = s->model;
    double dq[256] = {0}, side[2][HF_LAW_MAX_DIM], change[HF_LAW_MAX_DIM] = {0};
    hf_pose_rate rates[64];
    if (s->type == HF_COUPLING_FRAMES) {
        return;
    }
    assert_true(model->nq <= 256 && model->pose_count <= 64);
    hf_sim_q_rate(s->sim, x, dq);
    for (int i = 0; i < model->drive_count; ++i) { // where they are, whatever drives them
        dq[model->drives[i].q] = x[model->nq + model->drives[i].v];
    }
    for (int i = 0; i < 2; ++i) {
        rates_ahead(s, x, dq, i == 0 ? -spacing : spacing);
        memcpy(side[i], s->sim->rate, (size_t)model->row_count * sizeof(double));
    }
    rates_ahead(s, x, dq, 0.0);
    hf_pose_rates(s->sim, rates);
    hf_force_bias(&model->forces[0], &(hf_bias){.poses = s->sim->poses,
                                                .rates = rates,
                                                .references = s->sim->references,
                                                .change = change});
    for (int k = 0; k < model->row_count; ++k) {
        double slope = (side[1][k] - side[0][k]) / (2.0 * spacing);
        hf_check_near(change[k], slope, 1e-6 * (1.0 + fabs(slope)), "bias",
                      "central difference of the rate");
    }
}

// Power of the bodies' generalized forces: points are in u, rigid bodies and links in wrenches.
static double power_on_bodies(const scene *s, const double *v, double *size)
{
    const hf_model *model = s->model;
    double power = 0.0;
    *size = 0.0;
    for (int i = 0; i < model->nv; ++i) {
        power += s->sim->u[i] * v[i];
        *size += fabs(s->sim->u[i] * v[i]);
    }
    for (int i = 0; i < model->body_count; ++i) {
        const hf_body_place *place = &model->bodies[i];
        if (place->type != HF_BODY_RIGID && place->type != HF_BODY_LINK) {
            continue;
        }
        const hf_pose *pose = &s->sim->poses[place->pose];
        const hf_wrench *w = &s->sim->wrenches[place->pose];
        double one = hf_v3_dot(w->force, pose->velocity) + hf_v3_dot(w->torque, pose->spin);
        power += one;
        *size += hf_v3_norm(w->force) * hf_v3_norm(pose->velocity) +
                 hf_v3_norm(w->torque) * hf_v3_norm(pose->spin);
    }
    return power;
}

// u.v + wrenches = -force.rate: wiring neither makes nor loses energy.          [Kikuuwe2008] (13f)
static void check_power(const scene *s, const double *v)
{
    double size = 0.0, given = 0.0;
    double taken = power_on_bodies(s, v, &size);
    for (int k = 0; k < s->model->row_count; ++k) {
        given += s->sim->force[k] * s->sim->rate[k];
        size += fabs(s->sim->force[k] * s->sim->rate[k]);
    }
    hf_check_near(taken, -given, 1e-14 * (1.0 + 10.0 * size), "power on the bodies",
                  "-force.rate of the coupling");
}

// Forces and torques about the world's origin sum to zero, the world's own included. Two points at
// a distance, pulled along the world's axes, are a couple: that torque is the gap's.
static void check_reaction(const scene *s)
{
    if (s->type == HF_COUPLING_COORDINATE) {
        return;
    }
    hf_vec3 force = {0}, torque = {0};
    double size = 1.0;
    for (int i = 0; i < s->model->pose_count; ++i) {
        const hf_wrench *w = &s->sim->wrenches[i];
        hf_vec3 p = i == 0 ? hf_v3(0.0, 0.0, 0.0) : s->sim->poses[i].position;
        force = hf_v3_add(force, w->force);
        torque = hf_v3_add(torque, hf_v3_add(w->torque, hf_v3_cross(p, w->force)));
        size += hf_v3_norm(w->torque) + hf_v3_norm(w->force) * (1.0 + hf_v3_norm(p));
    }
    if (s->type == HF_COUPLING_POINTS) {
        hf_vec3 couple = hf_v3_cross(hf_load3(s->sim->gap), hf_load3(s->sim->force));
        torque = hf_v3_add(torque, couple);
    }
    hf_check_below(hf_v3_norm(force), 1e-14 * size, "sum of all forces", "action = reaction");
    hf_check_below(hf_v3_norm(torque), 1e-14 * size, "sum of all torques", "action = reaction");
}

static void check_coupling(hf_coupling_type type, int dim, uint64_t seed)
{
    hf_rng rng = hf_rng_create(seed);
    for (int m = 0; m < MACHINES; ++m) {
        scene s = open_scene(&rng, type, dim);
        for (int k = 0; k < STATES; ++k) {
            double t = hf_rng_uniform(&rng, 0.1, 3.0);
            random_state(&s, &rng);
            check_rate(&s, t, s.sim->x);
            check_bias(&s, s.sim->x);
            evaluate(&s, t, s.sim->x);
            check_power(&s, s.sim->x + s.model->nq);
            check_reaction(&s);
        }
        close_scene(&s);
    }
}

// ------------------------------------------------------------------------------------------------

static void coordinates(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_COORDINATE, 1, 101);
    check_coupling(HF_COUPLING_COORDINATE, 2, 102);
    check_coupling(HF_COUPLING_COORDINATE, 3, 103);
}

static void points(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_POINTS, 3, 104);
}

static void distance(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_DISTANCE, 1, 105);
}

static void spin(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_SPIN, 3, 106);
}

static void plane(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_PLANE, 3, 107);
}

static void frames(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_FRAMES, 6, 108);
}

static void spheres(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_SPHERES, 3, 109);
}

static void between(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_BETWEEN, 1, 110);
}

static void crank(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_CRANK, 1, 111);
}

static void angle(void **state)
{
    (void)state;
    check_coupling(HF_COUPLING_ANGLE, 1, 112);
}

// Two points in one place have no direction: no rate, no force, and nothing that is not a number.
static void distance_of_coinciding_points(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_create();
    int a = hf_machine_index(&machine, hf_machine_add(&machine, HF_PART_MASS, "a"));
    int b = hf_machine_index(&machine, hf_machine_add(&machine, HF_PART_MASS, "b"));
    machine.parts[a].mass.velocity[0] = 1.0;
    hf_part *force = hf_machine_add(&machine, HF_PART_FORCE, "spring");
    force->force.coupling = hf_coupling_def_default(HF_COUPLING_DISTANCE);
    force->on = a;
    force->to = b;
    force->law.spring = hf_spring_def_default();
    force->law.spring.rest = 1.0;
    hf_model *model = hf_machine_compile(&machine, NULL);
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    hf_sim_eval(sim, 0.0, HF_SIDE_AT, 0.0, sim->x, sim->slope);
    hf_check_near(sim->gap[0], 0.0, 0.0, "gap", "the points coincide");
    hf_check_near(sim->rate[0], 0.0, 0.0, "rate", "there is no direction");
    for (int i = 0; i < model->nv; ++i) {
        hf_check_near(sim->u[i], 0.0, 0.0, "u", "there is no direction");
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates),
        cmocka_unit_test(points),
        cmocka_unit_test(distance),
        cmocka_unit_test(spin),
        cmocka_unit_test(plane),
        cmocka_unit_test(frames),
        cmocka_unit_test(spheres),
        cmocka_unit_test(between),
        cmocka_unit_test(crank),
        cmocka_unit_test(angle),
        cmocka_unit_test(distance_of_coinciding_points),
    };
    return hf_run_tests(tests);
}
