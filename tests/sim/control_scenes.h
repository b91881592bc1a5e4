// SPDX-License-Identifier: Apache-2.0
// Position loops for the tests of controllers.
#ifndef HF_TESTS_CONTROL_SCENES_H
#define HF_TESTS_CONTROL_SCENES_H

#include <hf_test.h>
#include <holdfast/holdfast.h>

#include <math.h>
#include <string.h>

// A mass of 2 kg, a controller on it, and an input signal "target" for its reference.
typedef struct hf_loop_scene {
    hf_pid_def pid;
    double position, velocity; // at t = 0
    bool by_input;             // the force is the input "force" instead of the controller
    bool with_spring;
} hf_loop_scene;

#define HF_LOOP_MASS 2.0

static inline hf_model *loop_model(const hf_loop_scene *scene)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "cart";
    mass.dim = 1;
    mass.mass = HF_LOOP_MASS;
    mass.position[0] = scene->position;
    mass.velocity[0] = scene->velocity;
    hf_body body = hf_spec_add_mass(spec, &mass, &error);
    hf_signal_def target = hf_signal_def_default();
    target.name = scene->by_input ? "force" : "target";
    target.type = HF_SIGNAL_INPUT;
    target.value = 0.0;
    hf_signal signal = hf_spec_add_signal(spec, &target, &error);
    hf_force_def force = hf_force_def_default();
    force.name = "motor";
    force.coupling.on_coordinate = (hf_coordinate){body, 0};
    force.coupling.dim = 1;
    force.law = HF_LAW_FORCE;
    if (!scene->by_input) {
        hf_force_use_pid(&force, &scene->pid);
    }
    force.values[0].signal = signal;
    assert_int_not_equal(hf_spec_add_force(spec, &force, &error).id, 0);
    if (scene->with_spring) {
        hf_spring_def spring = hf_spring_def_default();
        spring.stiffness = 60.0;
        spring.damping = 0.4;
        hf_force_def wall = hf_force_def_default();
        wall.name = "wall";
        wall.coupling.on_coordinate = (hf_coordinate){body, 0};
        wall.coupling.dim = 1;
        hf_force_use_spring(&wall, &spring);
        assert_int_not_equal(hf_spec_add_force(spec, &wall, &error).id, 0);
    }
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static inline hf_sim *loop_sim(const hf_model *model, hf_method_type type, double step)
{
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = type, .step = step};
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static inline void loop_step(hf_sim *sim)
{
    hf_error error = {0};
    if (hf_sim_step(sim, &error) < 0) {
        fail_msg("%s", error.text);
    }
}

static inline void loop_end(hf_sim *sim)
{
    hf_model *model = (hf_model *)hf_sim_model(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static inline hf_coordinate loop_cart(void)
{
    return (hf_coordinate){{1}, 0};
}

static inline hf_signal loop_target(void)
{
    return (hf_signal){1};
}

// The digital loop computed by hand: motion under a constant force from sample to sample is exact.
typedef struct hf_loop_oracle {
    hf_pid_def pid;
    double target;
    long long count;         // samples taken
    double at, x, v, u;      // time, motion and command at the last sample
    double integral, before; // I(n+1), e(n)
} hf_loop_oracle;

static inline void oracle_motion(const hf_loop_oracle *o, double t, double *x, double *v)
{
    double h = t - o->at;
    *x = o->x + h * o->v + 0.5 * h * h * o->u / HF_LOOP_MASS;
    *v = o->v + h * o->u / HF_LOOP_MASS;
}

// Goes on to time t, with all samples up to and at t.
static inline void oracle_advance(hf_loop_oracle *o, double t)
{
    while ((double)o->count * o->pid.period <= t * (1.0 + 1e-14)) {
        double x, v, now = (double)o->count * o->pid.period;
        oracle_motion(o, now, &x, &v);
        double error = o->target - x, rate = -v;
        if (o->pid.differences) {
            rate = o->count == 0 ? 0.0 : (error - o->before) / o->pid.period;
        }
        double w =
            o->pid.bias + o->pid.proportional * error + o->pid.derivative * rate + o->integral;
        double u = fmin(o->pid.high, fmax(o->pid.low, w));
        double back = o->pid.integral > 0.0 && u != w ? (u - w) / hf_pid_anti_windup(&o->pid) : 0.0;
        o->integral += o->pid.period * (o->pid.integral * error + back);
        o->before = error;
        o->at = now;
        o->x = x;
        o->v = v;
        o->u = u;
        o->count += 1;
    }
}

#endif
