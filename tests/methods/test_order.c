// SPDX-License-Identifier: Apache-2.0
// Measured orders: 4 for RK4 on smooth machines, with jumps of inputs anywhere, and on the tau = 0
// element in stick; 1 for the methods with tau and for Euler's.
#include <math.h>
#include <stdio.h>

#include "run.h"
#include "sim/sim_data.h"

static void check_order(const hf_machine *machine, hf_method_type type, double h, double end,
                        double wanted, const char *what)
{
    double order = hf_measured_order(machine, type, h, end);
    char quantity[100];
    snprintf(quantity, sizeof quantity, "order of %s on %s", hf_method_name(type), what);
    hf_check_near(order, wanted, 0.3, quantity, "its theory");
}

// ------------------------------------------------------------------------------------------------
// Machines

static hf_machine chain(void)
{
    hf_machine m = hf_machine_create();
    int before = -1;
    for (int i = 0; i < 4; ++i) {
        int mass = hf_add_mass(&m, "m", 1.0 + 0.3 * i, 0.1 * i, i == 0 ? 1.0 : 0.0);
        hf_part *spring = hf_add_force(&m, "spring", HF_LAW_SPRING, mass, before);
        spring->law.spring = (hf_spring_def){.stiffness = 40.0 + 7.0 * i, .damping = 0.5};
        before = mass;
    }
    return m;
}

static hf_machine pendulum_tree(uint64_t seed)
{
    hf_rng rng = hf_rng_create(seed);
    hf_machine m = hf_machine_create();
    m.gravity = (hf_vec3){1.0, 0.0, -9.81};
    (void)hf_machine_random_tree(&m, &rng, 4, false);
    (void)hf_machine_random_tree(&m, &rng, 3, true);
    return m;
}

static hf_machine tumbling(void)
{
    hf_machine m = hf_machine_create();
    hf_part *body = hf_machine_add(&m, HF_PART_RIGID, "body!");
    body->rigid.inertia = (hf_sym3){0.02, 0.03, 0.045, 0.002, -0.001, 0.003};
    body->rigid.spin = (hf_vec3){2.0, 6.0, 1.0};
    int index = hf_machine_index(&m, body);
    hf_part *spring = hf_add_force(&m, "spring!", HF_LAW_SPRING, index, -1);
    spring->force.coupling = hf_coupling_def_default(HF_COUPLING_POINTS);
    spring->force.coupling.on_frame.point = (hf_vec3){0.2, 0.1, 0.0};
    spring->law.spring = (hf_spring_def){.stiffness = 30.0, .damping = 0.1};
    return m;
}

static double smooth_force(void *context, double t)
{
    (void)context;
    return 2.0 * sin(9.0 * t);
}

// An oscillator pushed by a table that jumps at `jump`, and by a smooth function.
static hf_machine jumping(double jump)
{
    static double times[2], values[2] = {1.0, -4.0};
    times[0] = 0.0;
    times[1] = jump;
    hf_machine m = hf_machine_create();
    int mass = hf_add_mass(&m, "m!", 1.0, 0.0, 0.0);
    hf_add_force(&m, "spring!", HF_LAW_SPRING, mass, -1)->law.spring.stiffness = 30.0;
    hf_part *table = hf_machine_add(&m, HF_PART_SIGNAL, "table!");
    table->signal.type = HF_SIGNAL_TABLE;
    table->signal.times = (hf_list){times, 2};
    table->signal.values = (hf_list){values, 2};
    table->signal.hold = true;
    int signal = hf_machine_index(&m, table), wave = hf_add_function(&m, "wave!", smooth_force);
    hf_add_force(&m, "push!", HF_LAW_FORCE, mass, -1)->signals[0] = signal;
    hf_add_force(&m, "shake!", HF_LAW_FORCE, mass, -1)->signals[0] = wave;
    return m;
}

// A block on a friction element: held (a level far above the force), or slipping all the time.
static hf_machine block(double level, double velocity, double damping)
{
    hf_machine m = hf_machine_create();
    int mass = hf_add_mass(&m, "m!", 1.0, 0.0, velocity);
    int wave = hf_add_function(&m, "wave!", smooth_force);
    hf_add_force(&m, "push!", HF_LAW_FORCE, mass, -1)->signals[0] = wave;
    hf_part *rub = hf_add_force(&m, "rub!", HF_LAW_STICTION, mass, -1);
    rub->law.stiction.level = hf_level_coulomb(level);
    rub->law.stiction.stiffness = 400.0;
    rub->law.stiction.damping = damping;
    return m;
}

// ------------------------------------------------------------------------------------------------

static void smooth_machines(void **state)
{
    (void)state;
    hf_machine m = chain();
    check_order(&m, HF_METHOD_RK4, 0.02, 1.0, 4.0, "a chain");
    check_order(&m, HF_METHOD_RK4_TAU, 0.02, 1.0, 4.0, "a chain without friction");
    check_order(&m, HF_METHOD_EULER, 2e-4, 1.0, 1.0, "a chain");
    check_order(&m, HF_METHOD_SEMI_IMPLICIT_EULER, 1e-3, 1.0, 1.0, "a chain");
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        m = pendulum_tree(seed);
        check_order(&m, HF_METHOD_RK4, 2e-3, 0.4, 4.0, "pendulum trees");
    }
    check_order(&m, HF_METHOD_EULER, 1e-4, 0.2, 1.0, "pendulum trees");
    check_order(&m, HF_METHOD_SEMI_IMPLICIT_EULER, 1e-4, 0.2, 1.0, "pendulum trees");
    m = tumbling();
    check_order(&m, HF_METHOD_RK4, 0.01, 1.0, 4.0, "a tumbling body");
    check_order(&m, HF_METHOD_EULER, 1e-4, 1.0, 1.0, "a tumbling body");
}

static void jumps_of_inputs(void **state)
{
    (void)state;
    static const double jumps[] = {
        0.5,                                                // on the grid of every step
        0.5 + 1e-13, 0.5 - 1e-13, 0.5 + 1e-15, 0.5 - 1e-15, // at it, but for rounding
        0.503,       0.5037713,                             // between
        0.50999999,  0.50000001                             // near a boundary
    };
    for (size_t i = 0; i < sizeof jumps / sizeof jumps[0]; ++i) {
        hf_machine m = jumping(jumps[i]);
        check_order(&m, HF_METHOD_RK4, 0.02, 1.0, 4.0, "a jump");
    }
    hf_machine m = jumping(0.503);
    check_order(&m, HF_METHOD_EULER, 5e-4, 1.0, 1.0, "a jump");
}

static void friction(void **state)
{
    (void)state;
    hf_machine held = block(100.0, 0.0, 5.0), slipping = block(0.5, 5.0, 5.0);
    check_order(&held, HF_METHOD_RK4, 0.01, 1.0, 4.0, "an element in stick");
    check_order(&held, HF_METHOD_RK4_TAU, 1e-3, 1.0, 1.0, "an element in stick");
    check_order(&held, HF_METHOD_EULER, 5e-4, 1.0, 1.0, "an element in stick");
    check_order(&held, HF_METHOD_SEMI_IMPLICIT_EULER, 5e-4, 1.0, 1.0, "an element in stick");
    check_order(&slipping, HF_METHOD_EULER, 1e-3, 1.0, 1.0, "an element in slip");
    check_order(&slipping, HF_METHOD_SEMI_IMPLICIT_EULER, 1e-3, 1.0, 1.0, "an element in slip");
    // In slip the force is the level, whatever tau: the body is smooth, only e is not
    check_order(&slipping, HF_METHOD_RK4, 0.01, 1.0, 4.0, "an element in slip");
}

// From slip to stick the error is of first order under every method: it goes down with the step.
static void from_slip_to_stick(void **state)
{
    (void)state;
    static const hf_method_type methods[] = {HF_METHOD_EULER, HF_METHOD_SEMI_IMPLICIT_EULER,
                                             HF_METHOD_RK4, HF_METHOD_RK4_TAU};
    hf_machine m = block(3.0, 1.0, 20.0);
    hf_run exact = hf_run_open(&m, HF_METHOD_RK4, 1e-5);
    hf_run_to(&exact, 2.0);
    double x = hf_run_value(&exact, "m.position");
    hf_run_close(&exact);
    for (int i = 0; i < 4; ++i) {
        double errors[2];
        for (int k = 0; k < 2; ++k) {
            hf_run run = hf_run_open(&m, methods[i], k == 0 ? 1e-2 : 1e-3);
            hf_run_to(&run, 2.0);
            errors[k] = fabs(hf_run_value(&run, "m.position") - x);
            hf_run_close(&run);
        }
        hf_check_below(errors[1], 0.2 * errors[0] + 1e-9, hf_method_name(methods[i]),
                       "error at a tenth of the step");
    }
}

// A whole step counts as one, whatever is cut; time is index * step.
static void time_of_steps(void **state)
{
    (void)state;
    hf_machine m = jumping(0.00123);
    hf_run run = hf_run_open(&m, HF_METHOD_RK4, 1e-3);
    for (int i = 1; i <= 5000; ++i) {
        hf_run_steps(&run, 1);
        hf_check_same_bits(hf_sim_time(run.sim), i * 1e-3, "time");
    }
    assert_int_equal(hf_sim_get_stats(run.sim).steps, 5000);
    assert_int_equal(hf_sim_get_stats(run.sim).evaluations, 4 * 5001);
    hf_run_close(&run);
}

// Quaternions of rigid bodies, balls and free joints stay of unit length.
static void quaternions(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(5);
    hf_machine m = tumbling();
    hf_part *tree = hf_machine_add(&m, HF_PART_TREE, "tree!");
    int tree_index = hf_machine_index(&m, tree);
    static const hf_joint_type types[] = {HF_JOINT_FREE, HF_JOINT_SPHERICAL};
    for (int i = 0; i < 2; ++i) {
        hf_part *joint = hf_machine_add(&m, HF_PART_JOINT, i == 0 ? "hull!" : "ball!");
        joint->joint = hf_joint_def_default(types[i]);
        joint->joint.mass = 1.0;
        joint->joint.inertia = hf_random_inertia(&rng, 1.0, 0.5);
        joint->joint.velocity[i == 0 ? 3 : 0] = 12.0;
        joint->joint.velocity[i == 0 ? 4 : 1] = 7.0;
        joint->tree = tree_index;
        joint->parent = i == 0 ? -1 : tree_index + 1;
    }
    static const char *const names[] = {"body", "tree.hull", "tree.ball"};
    for (int method = HF_METHOD_EULER; method <= HF_METHOD_RK4_TAU; ++method) {
        hf_run run = hf_run_open(&m, (hf_method_type)method, 1e-3);
        for (int i = 0; i < 1000; ++i) {
            hf_run_steps(&run, 1);
            for (int k = 0; k < 3; ++k) {
                hf_body body = hf_model_find_body(run.model, names[k]);
                const double *q = hf_sim_position(run.sim, body) + (k == 2 ? 0 : 3);
                double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
                hf_check_near(norm, 1.0, 1e-15, "length of the quaternion", names[k]);
            }
        }
        hf_run_close(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_machines), cmocka_unit_test(jumps_of_inputs),
        cmocka_unit_test(friction),        cmocka_unit_test(from_slip_to_stick),
        cmocka_unit_test(time_of_steps),   cmocka_unit_test(quaternions),
    };
    return hf_run_tests(tests);
}
