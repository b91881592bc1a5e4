// SPDX-License-Identifier: Apache-2.0
// The two-link arm with joint friction: steps per second, drift under the torques of [Kikuuwe2008]
// (28), and MuJoCo beside it where that was found. usage: bench-arm                        measure
// everything
//        bench-arm METHOD STEPS [driven]  take STEPS steps and end, for instruction counters
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/sim.h>

#include "../bench.h"
#include "arm.h"
#include "scenes.h"

#define STEP 1e-4 // as in [Kikuuwe2008] [s]

static hf_sim *arm_sim(const hf_model *model, hf_method_type method)
{
    hf_error error;
    hf_sim_def def = hf_sim_def_default(model);
    def.method = (hf_method_def){.type = method, .step = STEP};
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fprintf(stderr, "bench-arm: %s\n", error.text);
        exit(1);
    }
    return sim;
}

static void take_step(hf_sim *sim)
{
    hf_error error;
    if (hf_sim_step(sim, &error) < 0) {
        fprintf(stderr, "bench-arm: %s\n", error.text);
        exit(1);
    }
}

// Back to t = 0, with a speed of both joints [rad/s].
static void restart(hf_sim *sim, double speed)
{
    const hf_model *model = hf_sim_model(sim);
    hf_error error;
    hf_sim_reset(sim);
    if (hf_sim_set_velocity(sim, hf_model_find_body(model, "arm.shoulder"), &speed, &error) ||
        hf_sim_set_velocity(sim, hf_model_find_body(model, "arm.elbow"), &speed, &error)) {
        fprintf(stderr, "bench-arm: %s\n", error.text);
        exit(1);
    }
}

// Seconds per step from t = 0.
static double time_steps(hf_sim *sim, double speed, long steps)
{
    enum { REPETITIONS = 15 };
    hf_bench_parts parts = hf_bench_parts_start();
    for (int r = 0; r < REPETITIONS; r++) {
        restart(sim, speed);
        for (int part = 0; part < HF_BENCH_PARTS; part++) {
            double start = hf_bench_now();
            for (long i = 0; i < steps / HF_BENCH_PARTS; i++)
                take_step(sim);
            hf_bench_part(&parts, part, hf_bench_now() - start);
        }
    }
    return hf_bench_parts_sum(&parts) / (double)steps;
}

typedef struct holdfast_arm {
    hf_sim *sim;
    hf_coordinate joints[2];
} holdfast_arm;

static void step_arm(void *simulator, arm_state *state)
{
    holdfast_arm *arm = simulator;
    take_step(arm->sim);
    state->time = hf_sim_time(arm->sim);
    for (int i = 0; i < 2; i++) {
        state->q[i] = hf_sim_q(arm->sim, arm->joints[i]);
        state->v[i] = hf_sim_v(arm->sim, arm->joints[i]);
    }
}

static double largest_drift(hf_arm_friction friction)
{
    hf_model *model = hf_scene_two_link_arm(friction, true);
    holdfast_arm arm = {.sim = arm_sim(model, HF_METHOD_RK4_TAU),
                        .joints = {hf_model_find_coordinate(model, "arm.shoulder"),
                                   hf_model_find_coordinate(model, "arm.elbow")}};
    double drift[2];
    arm_drift(step_arm, &arm, drift);
    printf("arm drift, %-9s rk4-tau  T = %g s: %12.3e %12.3e rad/s\n",
           friction == HF_ARM_LUGRE ? "LuGre" : "stiction", STEP, drift[0], drift[1]);
    hf_sim_destroy(arm.sim);
    hf_model_destroy(model);
    return fmax(fabs(drift[0]), fabs(drift[1]));
}

// Returns the seconds per step of the arm alone.
static double measure_method(hf_method_type method, const char *limit)
{
    const char *name = hf_method_name(method);
    char label[64];
    hf_model *alone = hf_scene_two_link_arm(HF_ARM_STICTION, false);
    hf_sim *sim = arm_sim(alone, method);
    // Sliding: from 6 rad/s the joints stop after about 0.8 s.
    double slip = time_steps(sim, 6.0, 5000), stick = time_steps(sim, 0.0, 50000);
    hf_sim_destroy(sim);
    hf_model_destroy(alone);

    hf_model *driven = hf_scene_two_link_arm(HF_ARM_STICTION, true);
    sim = arm_sim(driven, method);
    double whole = time_steps(sim, 0.0, 100000);
    hf_sim_destroy(sim);
    hf_model_destroy(driven);

    printf("arm %-8s %7.1f ns per step sliding, %7.1f stuck, %7.1f in Simulation II with its "
           "torques\n",
           name, 1e9 * slip, 1e9 * stick, 1e9 * whole);
    (void)snprintf(label, sizeof label, "two-link arm, %s, sliding", name);
    hf_bench_result(label, 1.0 / slip, "steps/s", limit);
    (void)snprintf(label, sizeof label, "two-link arm, %s, stuck", name);
    hf_bench_result(label, 1.0 / stick, "steps/s", limit);
    (void)snprintf(label, sizeof label, "Simulation II, %s, torques included", name);
    hf_bench_result(label, 1.0 / whole, "steps/s", limit);
    return whole;
}

#ifdef HF_BENCH_MUJOCO
static int compare(double ours)
{
    static const struct {
        const char *name;
        arm_mujoco_case which;
    } cases[] = {{"Euler, T = 0.1 ms", {ARM_MUJOCO_EULER, STEP, false}},
                 {"RK4, T = 0.1 ms", {ARM_MUJOCO_RK4, STEP, false}},
                 {"Euler, T = 1 ms", {ARM_MUJOCO_EULER, 1e-3, false}},
                 {"Euler, T = 0.1 ms, hardest friction", {ARM_MUJOCO_EULER, STEP, true}},
                 {"Euler, T = 1 ms, hardest friction", {ARM_MUJOCO_EULER, 1e-3, true}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arm_mujoco_result result;
        char label[96];
        if (arm_mujoco(HF_BENCH_ARM_XML, &cases[i].which, &result) != 0)
            return 1;
        printf("arm MuJoCo %-36s %7.1f ns per step, drift %10.3e %10.3e rad/s\n", cases[i].name,
               1e9 * result.seconds_per_step, result.drift[0], result.drift[1]);
        (void)snprintf(label, sizeof label, "MuJoCo step / ours; MuJoCo %s", cases[i].name);
        hf_bench_result(label, result.seconds_per_step / ours, "times", "-");
        (void)snprintf(label, sizeof label, "drift; MuJoCo %s", cases[i].name);
        hf_bench_result(label, fmax(fabs(result.drift[0]), fabs(result.drift[1])), "rad/s", "-");
    }
    return 0;
}
#endif

static int count(const char *method_name, const char *steps_text, bool driven)
{
    hf_method_type method = hf_method_find(method_name);
    long steps = strtol(steps_text, NULL, 10);
    if (method == HF_METHOD_COUNT || steps < 1) {
        fprintf(stderr, "usage: bench-arm [METHOD STEPS [driven]]\n");
        return 2;
    }
    hf_model *model = hf_scene_two_link_arm(HF_ARM_STICTION, driven);
    hf_sim *sim = arm_sim(model, method);
    for (long i = 0; i < steps; i++)
        take_step(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return count(argv[1], argc > 2 ? argv[2] : "", argc > 3 && strcmp(argv[3], "driven") == 0);
    (void)measure_method(HF_METHOD_RK4, ">= 1e6");
    double ours = measure_method(HF_METHOD_RK4_TAU, ">= 1e6");
    hf_bench_result("drift; Holdfast stiction, rk4-tau, T = 0.1 ms", largest_drift(HF_ARM_STICTION),
                    "rad/s", "<= 1e-9");
    hf_bench_result("drift; Holdfast LuGre, rk4-tau, T = 0.1 ms", largest_drift(HF_ARM_LUGRE),
                    "rad/s", "-");
#ifdef HF_BENCH_MUJOCO
    return compare(ours);
#else
    (void)ours;
    printf("MuJoCo was not found: nothing to compare with (Debian: libmujoco-dev)\n");
    return 0;
#endif
}
