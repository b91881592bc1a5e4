// SPDX-License-Identifier: Apache-2.0
// One machine with every kind of body, joint, coupling, law, level and signal.
#include <math.h>

#include "machines.h"

static const double TABLE_TIMES[] = {0.0, 0.0205, 0.1}, TABLE_VALUES[] = {0.0, 2.0, -1.0};
static const double HOLD_TIMES[] = {0.0, 0.03, 0.0555}, HOLD_VALUES[] = {0.5, -1.5, 1.0};
static const double SPEEDS[] = {0.0, 0.05, 0.5}, LEVELS[] = {0.8, 0.5, 0.6};
static const double JUMPS[] = {0.0405};

static double jumping(void *context, double t)
{
    (void)context;
    return t < 0.0405 ? 3.0 * t : cos(20.0 * t);
}

static double wave(void *context, double t)
{
    (void)context;
    return 0.3 * sin(8.0 * t);
}

static double wave_rate(void *context, double t)
{
    (void)context;
    return 2.4 * cos(8.0 * t);
}

static int add_signal(hf_machine *m, const char *name, hf_signal_def def)
{
    hf_part *part = hf_machine_add(m, HF_PART_SIGNAL, name);
    part->signal = def;
    return hf_machine_index(m, part);
}

static int add_mass(hf_machine *m, const char *name, int dim, double mass)
{
    hf_part *part = hf_machine_add(m, HF_PART_MASS, name);
    part->mass.dim = dim;
    part->mass.mass = mass;
    part->mass.position[0] = 0.1;
    part->mass.velocity[dim - 1] = 0.3;
    return hf_machine_index(m, part);
}

static int add_rigid(hf_machine *m, const char *name, hf_vec3 position, hf_vec3 velocity)
{
    hf_part *part = hf_machine_add(m, HF_PART_RIGID, name);
    part->rigid.position = position;
    part->rigid.velocity = velocity;
    part->rigid.inertia = (hf_sym3){0.02, 0.025, 0.03, 0.001, -0.002, 0.003};
    part->rigid.spin = (hf_vec3){0.5, -1.0, 2.0};
    return hf_machine_index(m, part);
}

static int add_driven(hf_machine *m, const char *name, int motion, int rate, bool by_velocity)
{
    hf_part *part = hf_machine_add(m, HF_PART_DRIVEN, name);
    part->signals[0] = motion;
    part->rate_signals[0] = rate;
    part->driven.by_velocity = by_velocity;
    part->driven.has_rate = rate >= 0;
    return hf_machine_index(m, part);
}

static int add_joint(hf_machine *m, const char *name, int tree, int parent, hf_joint_type type)
{
    hf_part *part = hf_machine_add(m, HF_PART_JOINT, name);
    part->joint = hf_joint_def_default(type);
    part->joint.offset = (hf_vec3){0.2, 0.1, -0.05};
    part->joint.axis = (hf_vec3){0.1, 0.2, 1.0};
    part->joint.mass = 0.7;
    part->joint.center = (hf_vec3){0.1, 0.02, 0.03};
    part->joint.inertia = (hf_sym3){0.01, 0.02, 0.025, 0.001, 0.0, 0.0};
    if (hf_joint_velocities(type) > 0) {
        part->joint.velocity[0] = 0.4;
    }
    part->tree = tree;
    part->parent = parent;
    return hf_machine_index(m, part);
}

static hf_part *add_force(hf_machine *m, const char *name, hf_law_type law, hf_coupling_type type,
                          int on, int to)
{
    hf_part *part = hf_machine_add(m, HF_PART_FORCE, name);
    part->force.coupling = hf_coupling_def_default(type);
    part->force.coupling.on_frame.point = (hf_vec3){0.05, 0.0, 0.02};
    part->force.law = law;
    part->on = on;
    part->to = to;
    const hf_law_info *info = hf_law_info_get(law);
    if (info != NULL) {
        info->set_default(&part->law);
    }
    return part;
}

static hf_part *add_stiction(hf_machine *m, const char *name, int on, int to, int dim,
                             hf_level level)
{
    hf_part *part = add_force(m, name, HF_LAW_STICTION, HF_COUPLING_COORDINATE, on, to);
    part->force.coupling.dim = dim;
    part->law.stiction.level = level;
    part->law.stiction.stiffness = 2000.0;
    part->law.stiction.damping = 5.0;
    return part;
}

static hf_level static_above_kinetic(double peak, double kinetic)
{
    hf_level level = hf_level_coulomb(kinetic);
    level.peak[HF_FORTH] = level.peak[HF_BACK] = peak;
    return level;
}

static hf_level stribeck(void)
{
    hf_level level = static_above_kinetic(1.0, 0.6);
    level.stribeck[HF_FORTH] = level.stribeck[HF_BACK] = 0.1;
    level.viscous[HF_FORTH] = level.viscous[HF_BACK] = 0.2;
    return level;
}

static hf_level asymmetric(void)
{
    hf_level level = hf_level_coulomb(0.4);
    level.kinetic[HF_BACK] = level.peak[HF_BACK] = 0.7;
    return level;
}

static hf_level table(void)
{
    hf_level level = hf_level_coulomb(0.0);
    level.table_speed = (hf_list){SPEEDS, 3};
    level.table_level = (hf_list){LEVELS, 3};
    return level;
}

typedef struct bodies {
    int input, held, ramp, jump, load;
    int a, b, c, ball, box, belt, end, hand;
    int base, slide, knee, plate, tip, drone;
} bodies;

static bodies add_bodies(hf_machine *m)
{
    bodies n = {0};
    n.input = add_signal(m, "input!", (hf_signal_def){.type = HF_SIGNAL_INPUT, .value = 0.5});
    n.ramp = add_signal(m, "ramp!",
                        (hf_signal_def){.type = HF_SIGNAL_TABLE,
                                        .times = {TABLE_TIMES, 3},
                                        .values = {TABLE_VALUES, 3}});
    n.held = add_signal(m, "held!",
                        (hf_signal_def){.type = HF_SIGNAL_TABLE,
                                        .times = {HOLD_TIMES, 3},
                                        .values = {HOLD_VALUES, 3},
                                        .hold = true});
    n.jump = add_signal(
        m, "jump!",
        (hf_signal_def){.type = HF_SIGNAL_FUNCTION, .function = jumping, .jumps = {JUMPS, 1}});
    n.load = add_signal(m, "load!", (hf_signal_def){.type = HF_SIGNAL_CONSTANT, .value = 3.0});
    hf_signal_def function = {.type = HF_SIGNAL_FUNCTION, .function = wave};
    int place = add_signal(m, "wave!", function);
    function.function = wave_rate;
    int speed = add_signal(m, "wave-rate!", function);
    n.a = add_mass(m, "a!", 1, 1.0);
    n.b = add_mass(m, "b!", 2, 0.8);
    n.c = add_mass(m, "c!", 3, 1.2);
    n.ball = add_rigid(m, "ball!", (hf_vec3){0.0, 0.0, 0.099}, (hf_vec3){0.4, 0.2, 0.0});
    n.box = add_rigid(m, "box!", (hf_vec3){1.0, 0.5, 1.0}, (hf_vec3){0.0, 0.0, 0.1});
    n.belt = add_driven(m, "belt!", n.input, -1, true);
    n.end = add_driven(m, "end!", place, -1, false);
    n.hand = add_driven(m, "hand!", place, speed, false);
    int arm = hf_machine_index(m, hf_machine_add(m, HF_PART_TREE, "arm!"));
    n.base = add_joint(m, "base!", arm, -1, HF_JOINT_REVOLUTE);
    n.slide = add_joint(m, "slide!", arm, n.base, HF_JOINT_PRISMATIC);
    n.knee = add_joint(m, "knee!", arm, n.slide, HF_JOINT_SPHERICAL);
    n.plate = add_joint(m, "plate!", arm, n.base, HF_JOINT_PLANAR);
    n.tip = add_joint(m, "tip!", arm, n.knee, HF_JOINT_FIXED);
    int drone = hf_machine_index(m, hf_machine_add(m, HF_PART_TREE, "drone!"));
    n.drone = add_joint(m, "hull!", drone, -1, HF_JOINT_FREE);
    return n;
}

static void add_friction(hf_machine *m, const bodies *n)
{
    hf_part *grip = add_force(m, "grip!", HF_LAW_SPRING, HF_COUPLING_COORDINATE, n->a, n->end);
    grip->law.spring.stiffness = 50.0;
    grip->law.spring.damping = 0.5;
    int grip_index = hf_machine_index(m, grip);
    (void)add_stiction(m, "rub-a!", n->a, -1, 1, hf_level_coulomb(0.5));
    (void)add_stiction(m, "jerky!", n->a, n->belt, 1, static_above_kinetic(1.5, 0.7));
    (void)add_stiction(m, "rub-b!", n->b, -1, 2, stribeck());
    (void)add_stiction(m, "rub-slide!", n->slide, -1, 1, table());
    (void)add_stiction(m, "rub-plate!", n->plate, -1, 3, hf_level_coulomb(0.2));
    (void)add_stiction(m, "one-way!", n->base, -1, 1, asymmetric());
    add_stiction(m, "loaded!", n->a, n->hand, 1, hf_level_coefficient(0.3))->normal = n->load;
    add_stiction(m, "gripped!", n->b, -1, 1, hf_level_coefficient(0.3))->normal = grip_index;
    hf_part *fixed_load = add_stiction(m, "pressed!", n->slide, -1, 1, hf_level_coefficient(0.2));
    fixed_load->force.normal.value.constant = 2.0;
    hf_part *dahl = add_force(m, "dahl!", HF_LAW_DAHL, HF_COUPLING_COORDINATE, n->c, -1);
    dahl->force.coupling.dim = 3;
    dahl->law.dahl.stiffness = 500.0;
    hf_part *lugre = add_force(m, "lugre!", HF_LAW_LUGRE, HF_COUPLING_COORDINATE, n->base, -1);
    lugre->law.lugre.level = stribeck();
    lugre->law.lugre.stiffness = 300.0;
    lugre->law.lugre.damping = 1.0;
    hf_part *bearing = add_force(m, "bearing!", HF_LAW_STICTION, HF_COUPLING_SPIN, n->ball, n->box);
    bearing->law.stiction.level = hf_level_coulomb(0.01);
    bearing->law.stiction.stiffness = 5.0;
    bearing->law.stiction.damping = 0.01;
}

static void add_space(hf_machine *m, const bodies *n)
{
    hf_part *floor = add_force(m, "floor!", HF_LAW_CONTACT, HF_COUPLING_PLANE, n->ball, -1);
    floor->force.coupling.radius = 0.1;
    floor->law.contact.stiffness = 2e4;
    floor->law.contact.damping = 20.0;
    hf_part *deck = add_force(m, "deck!", HF_LAW_CONTACT, HF_COUPLING_PLANE, n->box, n->drone);
    deck->force.coupling.to_frame.point.z = 1.3;
    deck->law.contact.stiffness = 5e3;
    deck->law.contact.damping = 5.0;
    hf_part *tie = add_force(m, "tie!", HF_LAW_SPRING, HF_COUPLING_POINTS, n->c, n->ball);
    tie->law.spring.stiffness = 30.0;
    tie->law.spring.damping = 0.2;
    hf_part *rope = add_force(m, "rope!", HF_LAW_SPRING, HF_COUPLING_DISTANCE, n->box, n->tip);
    rope->law.spring.stiffness = 40.0;
    rope->law.spring.rest = 0.3;
    hf_part *hinge = add_force(m, "hinge!", HF_LAW_JOINT, HF_COUPLING_FRAMES, n->drone, n->box);
    hinge->law.joint_law = (hf_joint_law_def){.stiffness = 300.0,
                                              .damping = 2.0,
                                              .bend_stiffness = 2.0,
                                              .bend_damping = 0.02,
                                              .level = hf_level_coulomb(0.05),
                                              .friction_stiffness = 10.0,
                                              .friction_damping = 0.05};
    add_force(m, "push!", HF_LAW_FORCE, HF_COUPLING_COORDINATE, n->a, -1)->signals[0] = n->input;
    add_force(m, "motor!", HF_LAW_FORCE, HF_COUPLING_COORDINATE, n->base, -1)->signals[0] = n->jump;
    hf_part *wind = add_force(m, "wind!", HF_LAW_FORCE, HF_COUPLING_COORDINATE, n->b, -1);
    wind->force.coupling.dim = 2;
    wind->signals[0] = n->held;
    wind->signals[1] = n->ramp;
    hf_part *twist = add_force(m, "twist!", HF_LAW_FORCE, HF_COUPLING_SPIN, n->drone, -1);
    twist->force.values[2].constant = 0.02;
}

hf_machine hf_machine_rich(void)
{
    hf_machine machine = hf_machine_create();
    machine.method = (hf_method_def){.type = HF_METHOD_RK4_TAU, .step = 1e-3};
    machine.gravity = (hf_vec3){0.0, 0.1, -9.81};
    bodies n = add_bodies(&machine);
    add_friction(&machine, &n);
    add_space(&machine, &n);
    return machine;
}
