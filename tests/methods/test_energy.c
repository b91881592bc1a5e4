// SPDX-License-Identifier: Apache-2.0
// Energy and momentum: random machines without laws keep them, the ledger of smooth machines closes
// and its residual falls with the method's order, and friction only ever takes energy.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "sim/sim_data.h"

// ------------------------------------------------------------------------------------------------
// Momentum

typedef struct momentum {
    hf_vec3 linear, angular; // about the world's origin
} momentum;

static void add_body(momentum *sum, const hf_pose *pose, double mass, hf_vec3 center,
                     const hf_sym3 *inertia)
{
    hf_vec3 arm = hf_m3_mulv(&pose->rotation, center);
    hf_vec3 p = hf_v3_add(pose->position, arm);
    hf_vec3 v = hf_v3_add(pose->velocity, hf_v3_cross(pose->spin, arm));
    hf_vec3 spin = hf_s3_mulv(inertia, hf_m3_tmulv(&pose->rotation, pose->spin));
    sum->linear = hf_v3_axpy(sum->linear, mass, v);
    sum->angular = hf_v3_add(sum->angular, hf_v3_scale(mass, hf_v3_cross(p, v)));
    sum->angular = hf_v3_add(sum->angular, hf_m3_mulv(&pose->rotation, spin));
}

static momentum momentum_of(hf_run *run)
{
    const hf_model *model = run->model;
    momentum sum = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    const double *q = run->sim->x, *v = q + model->nq;
    const hf_body_io *io = hf_sim_io(run->sim, q, v);
    hf_bodies_pose(model->sets, model->set_count, io);
    for (int i = 0; i < model->body_count; ++i) {
        const hf_body_place *body = &model->bodies[i];
        hf_pose pose = body->ops->look(body->body, body->link, io);
        add_body(&sum, &pose, body->info.mass, body->info.center, &body->info.inertia);
    }
    return sum;
}

static double distance(const momentum *a, const momentum *b)
{
    return hf_v3_norm(hf_v3_sub(a->linear, b->linear)) +
           hf_v3_norm(hf_v3_sub(a->angular, b->angular));
}

// Bodies that float, with springs of every kind between them or none.
static hf_machine floating(hf_rng *rng, bool springs)
{
    hf_machine m = hf_machine_create();
    (void)hf_machine_random_mass(&m, rng, 3);
    (void)hf_machine_random_rigid(&m, rng);
    (void)hf_machine_random_rigid(&m, rng);
    (void)hf_machine_random_tree(&m, rng, hf_rng_int(rng, 1, 5), true);
    for (int i = 0; springs && i < 6; ++i) {
        int index = hf_machine_random_coupling(
            &m, rng, i % 2 == 0 ? HF_COUPLING_POINTS : HF_COUPLING_DISTANCE, 3);
        hf_part *part = &m.parts[index];
        part->force.law = HF_LAW_SPRING;
        part->law.spring = (hf_spring_def){.stiffness = hf_rng_uniform(rng, 1.0, 20.0)};
        if (m.parts[part->on].kind == HF_PART_MASS) { // a mass has no arm: it cannot turn
            part->force.coupling.on_frame.point = hf_v3(0.0, 0.0, 0.0);
        }
        if (part->to < 0) { // nothing holds on to the world
            m.count -= 1;
        } else if (m.parts[part->to].kind == HF_PART_MASS) {
            part->force.coupling.to_frame.point = hf_v3(0.0, 0.0, 0.0);
        }
    }
    return m;
}

// Nothing acts from outside. RK4's error is of fourth order: at this step it is nearly rounding.
static void random_machines(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(41);
    for (int k = 0; k < 30; ++k) {
        hf_machine m = floating(&rng, k % 2 == 1);
        hf_run run = hf_run_open(&m, HF_METHOD_RK4, 1e-4);
        momentum start = momentum_of(&run);
        hf_energy before = hf_sim_energy(run.sim);
        double energy = before.kinetic + before.stored;
        hf_run_steps(&run, 2000);
        momentum end = momentum_of(&run);
        hf_energy after = hf_sim_energy(run.sim);
        hf_check_below(distance(&end, &start), 1e-8, "drift of momentum", "action = reaction");
        hf_check_near(after.kinetic + after.stored, energy, 1e-9 * (1.0 + energy), "energy",
                      "nothing dissipates");
        hf_run_close(&run);
    }
}

// Trees that hang on the world, under gravity: energy alone.
static void random_pendulums(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(42);
    for (int k = 0; k < 30; ++k) {
        hf_machine m = hf_machine_create();
        m.gravity = hf_random_vector(&rng, 5.0);
        (void)hf_machine_random_tree(&m, &rng, hf_rng_int(&rng, 1, 6), false);
        (void)hf_machine_random_mass(&m, &rng, hf_rng_int(&rng, 1, 3));
        hf_run run = hf_run_open(&m, HF_METHOD_RK4, 1e-3);
        hf_run_steps(&run, 500);
        hf_energy energy = hf_sim_energy(run.sim);
        hf_check_below(fabs(energy.residual), 1e-8 * energy.turnover, "residual",
                       "nothing dissipates");
        hf_check_near(energy.input, 0.0, 0.0, "input", "nothing is put in");
        hf_check_near(energy.dissipated, 0.0, 0.0, "dissipated", "nothing dissipates");
        hf_run_close(&run);
    }
}

// ------------------------------------------------------------------------------------------------
// The ledger

static double wave(void *context, double t)
{
    (void)context;
    return 3.0 * sin(7.0 * t);
}

static double place(void *context, double t)
{
    (void)context;
    return 0.2 * sin(4.0 * t);
}

// Everything smooth: springs, dampers, forces, a driven end, a tumbling body, a pendulum.
static hf_machine smooth(void)
{
    hf_rng rng = hf_rng_create(43);
    hf_machine m = hf_machine_create();
    m.gravity.z = -9.81;
    int push = hf_add_function(&m, "push!", wave), motion = hf_add_function(&m, "place!", place);
    int a = hf_add_mass(&m, "a!", 1.0, 0.3, 0.0);
    hf_part *end = hf_machine_add(&m, HF_PART_DRIVEN, "end!");
    end->signals[0] = motion;
    int end_index = hf_machine_index(&m, end);
    hf_add_force(&m, "spring!", HF_LAW_SPRING, a, end_index)->law.spring =
        (hf_spring_def){.stiffness = 50.0, .damping = 1.0};
    hf_add_force(&m, "shake!", HF_LAW_FORCE, a, -1)->signals[0] = push;
    int body = hf_machine_random_rigid(&m, &rng);
    int link = hf_machine_random_tree(&m, &rng, 3, false);
    hf_part *tie = hf_add_force(&m, "tie!", HF_LAW_SPRING, body, link);
    tie->force.coupling = hf_coupling_def_default(HF_COUPLING_POINTS);
    tie->law.spring = (hf_spring_def){.stiffness = 20.0, .damping = 0.5};
    return m;
}

// The largest residual seen in a second.
static double residual(double step, hf_energy *energy)
{
    hf_machine m = smooth();
    hf_run run = hf_run_open(&m, HF_METHOD_RK4, step);
    double largest = 0.0;
    for (int i = 1; i <= 25; ++i) {
        hf_run_to(&run, 0.04 * i);
        *energy = hf_sim_energy(run.sim);
        largest = fmax(largest, fabs(energy->residual));
    }
    hf_run_close(&run);
    return largest;
}

static void ledger_of_smooth_machines(void **state)
{
    (void)state;
    hf_energy energy;
    double coarse = residual(4e-3, &energy), fine = residual(2e-3, &energy);
    assert_true(energy.dissipated > 0.01 && fabs(energy.input) > 0.01);
    hf_check_below(3.5, log2(coarse / fine), "order of the residual", "RK4: four or more");
    double small = residual(5e-4, &energy);
    hf_check_below(small, 1e-9 * energy.turnover, "residual", "a small step");
}

// ------------------------------------------------------------------------------------------------
// Friction takes

static hf_level random_level(hf_rng *rng, int dim, bool per_normal)
{
    double kinetic = per_normal ? hf_rng_uniform(rng, 0.1, 1.0) : hf_rng_log_uniform(rng, 0.1, 5.0);
    hf_level level = per_normal ? hf_level_coefficient(kinetic) : hf_level_coulomb(kinetic);
    int kind = hf_rng_int(rng, 0, 3);
    for (int side = 0; side < 2; ++side) {
        level.peak[side] *= kind == 1 || kind == 2 ? 1.5 : 1.0;
        level.stribeck[side] = kind == 2 ? 0.2 : 0.0;
        level.viscous[side] = kind == 3 ? 0.3 : 0.0;
    }
    if (dim == 1 && hf_rng_bool(rng)) {
        level.kinetic[HF_BACK] *= 1.3;
        level.peak[HF_BACK] *= 1.3;
    }
    return level;
}

static void add_rubbing(hf_machine *m, hf_rng *rng)
{
    int dim = hf_rng_int(rng, 1, 3);
    int mass = hf_machine_random_mass(m, rng, dim);
    bool dahl = hf_rng_int(rng, 0, 2) == 0;
    hf_part *rub = hf_add_force(m, "rub", dahl ? HF_LAW_DAHL : HF_LAW_STICTION, mass, -1);
    rub->force.coupling.dim = dim;
    bool per_normal = hf_rng_bool(rng);
    hf_level level = random_level(rng, dim, per_normal);
    rub->force.normal.value.constant = hf_rng_uniform(rng, 0.5, 3.0);
    if (dahl) {
        // A bristle follows a level that changes only with its own motion: constant ones here.
        rub->law.dahl.level = per_normal ? hf_level_coefficient(0.4) : hf_level_coulomb(0.8);
        rub->law.dahl.stiffness = hf_rng_log_uniform(rng, 10.0, 50.0); // T |v| K/F << 2
    } else {
        rub->law.stiction.level = level;
        rub->law.stiction.stiffness = hf_rng_log_uniform(rng, 100.0, 5e3);
        rub->law.stiction.damping = hf_rng_log_uniform(rng, 1.0, 20.0);
    }
    hf_part *pull = hf_add_force(m, "pull", HF_LAW_SPRING, mass, -1);
    pull->force.coupling.dim = dim;
    pull->law.spring.stiffness = hf_rng_log_uniform(rng, 1.0, 100.0);
}

static void add_landing(hf_machine *m, hf_rng *rng)
{
    int body = hf_machine_random_rigid(m, rng);
    m->parts[body].rigid.position.z = 0.25;
    hf_part *floor = hf_add_force(m, "floor", HF_LAW_CONTACT, body, -1);
    floor->force.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    floor->force.coupling.radius = 0.2;
    floor->law.contact.stiffness = hf_rng_log_uniform(rng, 1e3, 1e4);
    floor->law.contact.damping = hf_rng_log_uniform(rng, 2.0, 20.0);
    floor->law.contact.friction = random_level(rng, 2, true);
}

// The level of a force where it slips now, with the regime and the normal force it has.
static double level_now(const hf_sim *sim, int i)
{
    const hf_model *model = sim->model;
    const hf_force_place *force = &model->forces[i];
    const double *dy = sim->k + model->nq + model->nv + force->y;
    bool contact = force->law == HF_LAW_CONTACT;
    int dim = contact ? 2 : force->dim;
    const double *rate = sim->rate + force->row + (contact ? 1 : 0);
    const double *f = sim->force + force->row + (contact ? 1 : 0);
    double speed = 0.0;
    for (int k = 0; k < dim; ++k) {
        double slip = force->law == HF_LAW_DAHL ? rate[k] : rate[k] - dy[k];
        speed += slip * slip;
    }
    const hf_level *level = force->law == HF_LAW_DAHL ? &((const hf_dahl_def *)force->def)->level
                            : contact ? &((const hf_contact_def *)force->def)->friction
                                      : &((const hf_stiction_def *)force->def)->level;
    double sense = force->law == HF_LAW_DAHL ? rate[0] : f[0];
    double normal = contact ? sim->normal[i] : hf_normal_for(sim, force);
    return hf_level_at(level, dim == 1 && sense < 0.0 ? HF_BACK : HF_FORTH, sqrt(speed), normal,
                       hf_mode_regime(sim->mode_before[i]));
}

static void check_force(const hf_sim *sim, int i)
{
    const hf_force_place *force = &sim->model->forces[i];
    bool contact = force->law == HF_LAW_CONTACT;
    double size = hf_length(contact ? 2 : force->dim, sim->force + force->row + (contact ? 1 : 0));
    // Dahl's flow keeps the bound; so nearly does Runge-Kutta's, but not Euler's.
    hf_method_type method = hf_sim_method(sim).type;
    if (force->law == HF_LAW_DAHL && method != HF_METHOD_RK4 && method != HF_METHOD_RK4_TAU) {
        return;
    }
    double slack = force->law == HF_LAW_DAHL ? 1e-3 : 1e-12;
    hf_check_below(size, level_now(sim, i) * (1.0 + slack) + 1e-12, force->info->name,
                   "|force| <= level");
}

static void check_friction(hf_run *run, int steps)
{
    const hf_model *model = run->model;
    int w0 = model->nq + model->nv + model->ny;
    double before[64] = {0};
    assert_true(model->force_count <= 64);
    for (int s = 0; s < steps; ++s) {
        hf_run_steps(run, 1);
        (void)hf_sim_energy(run->sim); // evaluates at the new state
        for (int i = 0; i < model->force_count; ++i) {
            const hf_force_place *force = &model->forces[i];
            if (force->info == NULL || !force->info->friction) {
                continue;
            }
            double work = run->sim->x[w0 + i];
            if (!(work >= before[i])) {
                fail_msg("force '%s' gave back %g J in a step", force->name, before[i] - work);
            }
            before[i] = work;
            check_force(run->sim, i);
        }
    }
}

static void friction_takes_energy(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(44);
    for (int k = 0; k < 24; ++k) {
        hf_machine m = hf_machine_create();
        m.gravity = (hf_vec3){0.3, -0.2, -9.81};
        for (int i = 0; i < 4; ++i) {
            add_rubbing(&m, &rng);
        }
        add_landing(&m, &rng);
        hf_run run = hf_run_open(&m, (hf_method_type)(k % 4), 2e-4);
        check_friction(&run, 2500);
        hf_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_machines),
        cmocka_unit_test(random_pendulums),
        cmocka_unit_test(ledger_of_smooth_machines),
        cmocka_unit_test(friction_takes_energy),
    };
    return hf_run_tests(tests);
}
