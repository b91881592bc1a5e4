// SPDX-License-Identifier: Apache-2.0
// Public robots with their own servos, friction, limits and contacts: processor time of a step of
// 1 ms at rest and while all inputs move, and creep at rest, beside MuJoCo in the same run.
//   HOLDFAST_DATA=FOLDER bench-robots           all of them
//   HOLDFAST_DATA=FOLDER bench-robots NAME [SETTLE REST MOVE [mujoco]]
//                                               one, Holdfast (or MuJoCo) alone, for so many
//                                               steps, for profiles
#include "robots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/contact.h>
#include <holdfast/models.h>
#include <holdfast/robots.h>

#include "../bench.h"

enum { REPEATS = 3, MOST = 200 };

static const hf_bench_phases ALL = {HF_BENCH_SETTLE, HF_BENCH_REST, HF_BENCH_MOVE};

static const hf_bench_robot ROBOTS[] = {
    {"ur5e", "universal_robots_ur5e", "ur5e.xml", "scene.xml", "home", 5.0, 0.3, false, 0.0},
    {"iiwa14", "kuka_iiwa_14", "iiwa14.xml", "scene.xml", "home", 5.0, 0.3, false, 1.5},
    {"go1 standing", "unitree_go1", "go1.xml", "scene.xml", "home", 0.0, 0.1, false, 12.0},
    {"g1 standing", "unitree_g1", "g1.xml", "scene.xml", "stand", 0.0, 0.02, false, 25.0},
    {"g1 lying", "unitree_g1", "g1.xml", "scene.xml", "stand", 0.0, 0.1, true, 40.0},
    {"shadow hand", "shadow_hand", "right_hand.xml", "scene_right.xml", NULL, 0.0, 0.1, false,
     20.0},
    {"cassie", "agility_cassie", "cassie.xml", "scene.xml", "home", 0.0, 0.5, false, 0.0},
};

double hf_bench_input(const hf_bench_robot *robot, int k, double start, double t)
{
    return start + robot->amplitude * sin(2.0 * t + 0.7 * k);
}

typedef struct machine {
    hf_model *model;
    hf_sim *sim;
    double start[MOST];
    int inputs;
} machine;

static void close_machine(machine *m)
{
    hf_sim_destroy(m->sim);
    hf_model_destroy(m->model);
}

// Where the inputs start, in the order of the actuators: as the robot's model file has them.
static bool read_start(machine *m, const hf_bench_robot *robot, const char *folder)
{
    static const char mark[] = ": {input: ";
    hf_error error = {0};
    hf_robot_options options = hf_robot_options_default();
    options.start = robot->key;
    options.collide = HF_ROBOT_COLLIDE_NONE;
    char path[800];
    (void)snprintf(path, sizeof path, "%s/%s/%s", folder, robot->folder, robot->robot);
    hf_robot *read = hf_robot_read(path, &options, &error);
    const char *at = read == NULL ? NULL : hf_robot_model(read);
    for (int i = 0; i < m->inputs && at != NULL; ++i) {
        at = strstr(at, mark);
        m->start[i] = at == NULL ? 0.0 : strtod(at + sizeof mark - 1, NULL);
        at = at == NULL ? NULL : at + sizeof mark;
    }
    hf_robot_destroy(read);
    return at != NULL || m->inputs == 0;
}

static bool open_machine(machine *m, const hf_bench_robot *robot, const char *folder)
{
    hf_error error = {0};
    char text[1000], key[60] = "", place[120] = "", friction[120] = "";
    if (robot->key != NULL) {
        (void)snprintf(key, sizeof key, ", start: %s", robot->key);
    }
    if (robot->lying) {
        (void)snprintf(place, sizeof place,
                       ", position: [0, 0, 0.25], orientation: [0.7071067811865476, 0, "
                       "-0.7071067811865476, 0]");
    }
    if (robot->friction > 0.0) {
        (void)snprintf(friction, sizeof friction,
                       "joints: {\"robot.*joint*\": {friction: {law: coulomb, level: %g}}}\n",
                       robot->friction);
    }
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\nmethod: {type: timestep, step: %g}\nduration: 1\n"
                   "bodies: {robot: {type: robot, file: %s/%s%s%s}}\n%s",
                   HF_BENCH_STEP, robot->folder, robot->scene, key, place, friction);
    *m = (machine){.model = hf_model_parse(text, strlen(text), robot->name, folder, NULL, &error)};
    hf_sim_def def = m->model == NULL ? (hf_sim_def){0} : hf_sim_def_default(m->model);
    def.methods[0] = hf_contact_methods();
    m->sim = m->model == NULL ? NULL : hf_sim_create(m->model, &def, &error);
    if (m->sim == NULL) {
        fprintf(stderr, "bench-robots: %s\n", error.text);
        close_machine(m);
        return false;
    }
    m->inputs = hf_model_input_count(m->model);
    m->inputs = m->inputs < MOST ? m->inputs : MOST;
    return read_start(m, robot, folder);
}

// Processor time of a step [us]; negative when one fails.
static double run(machine *m, const hf_bench_robot *robot, int steps, bool moving)
{
    hf_error error;
    double start = hf_bench_now();
    for (int i = 0; i < steps; ++i) {
        for (int k = 0; k < m->inputs && moving; ++k) {
            hf_sim_set_input(m->sim, hf_model_input(m->model, k),
                             hf_bench_input(robot, k, m->start[k], i * HF_BENCH_STEP));
        }
        if (hf_sim_step(m->sim, &error) < 0) {
            fprintf(stderr, "bench-robots: %s\n", error.text);
            return -1.0;
        }
    }
    return steps > 0 ? 1e6 * (hf_bench_now() - start) / steps : 0.0;
}

static bool measure(const hf_bench_robot *robot, const char *folder, hf_bench_phases steps,
                    hf_bench_times *times)
{
    machine m;
    double before[MOST] = {0.0};
    if (!open_machine(&m, robot, folder)) {
        return false;
    }
    int count = hf_model_get_info(m.model).coordinates;
    count = count < MOST ? count : MOST;
    double settle = run(&m, robot, steps.settle, false);
    memcpy(before, hf_sim_positions(m.sim), (size_t)count * sizeof *before);
    times->rest = settle < 0.0 ? -1.0 : run(&m, robot, steps.rest, false);
    times->creep = 0.0;
    for (int i = 0; i < count; ++i) {
        times->creep = fmax(times->creep, fabs(hf_sim_positions(m.sim)[i] - before[i]));
    }
    times->move = times->rest < 0.0 ? -1.0 : run(&m, robot, steps.move, true);
    close_machine(&m);
    return times->move >= 0.0;
}

static hf_bench_times least(hf_bench_times a, hf_bench_times b)
{
    return (hf_bench_times){fmin(a.rest, b.rest), fmin(a.move, b.move), fmax(a.creep, b.creep)};
}

static int run_one(const char *name, const char *folder, hf_bench_phases steps, bool mujoco)
{
    bool (*one)(const hf_bench_robot *, const char *, hf_bench_phases, hf_bench_times *) = measure;
#ifdef HF_BENCH_MUJOCO
    one = mujoco ? hf_bench_robot_mujoco : measure;
#else
    (void)mujoco;
#endif
    for (size_t i = 0; i < sizeof ROBOTS / sizeof *ROBOTS; ++i) {
        hf_bench_times t;
        if (strcmp(ROBOTS[i].name, name) == 0) {
            bool good = one(&ROBOTS[i], folder, steps, &t);
            printf("%s: at rest %.2f us, moving %.2f us, creep %.3g\n", name, t.rest, t.move,
                   t.creep);
            return good ? 0 : 1;
        }
    }
    fprintf(stderr, "bench-robots: there is no robot '%s'\n", name);
    return 1;
}

int main(int count, char **arguments)
{
    const char *data = getenv("HOLDFAST_DATA");
    char folder[600];
    if (data == NULL) {
        printf("bench-robots: skipped, HOLDFAST_DATA is not set\n");
        return 0;
    }
    (void)snprintf(folder, sizeof folder, "%s/robots", data);
    if (count == 2 || count == 5 || count == 6) {
        hf_bench_phases given = ALL;
        if (count >= 5) {
            given = (hf_bench_phases){(int)strtol(arguments[2], NULL, 10),
                                      (int)strtol(arguments[3], NULL, 10),
                                      (int)strtol(arguments[4], NULL, 10)};
        }
        return run_one(arguments[1], folder, given,
                       count == 6 && strcmp(arguments[5], "mujoco") == 0);
    }
    printf("%-14s %21s %21s %23s\n", "", "at rest [us a step]", "moving [us a step]",
           "creep in 10 s");
    printf("%-14s %10s %10s %10s %10s %11s %11s\n", "", "Holdfast", "MuJoCo", "Holdfast", "MuJoCo",
           "Holdfast", "MuJoCo");
    for (size_t i = 0; i < sizeof ROBOTS / sizeof *ROBOTS; ++i) {
        const hf_bench_robot *robot = &ROBOTS[i];
        hf_bench_times own = {HUGE_VAL, HUGE_VAL, 0.0}, other = own, one;
        bool beside = false;
        for (int k = 0; k < REPEATS; ++k) {
            if (!measure(robot, folder, ALL, &one)) {
                return 1;
            }
            own = least(own, one);
#ifdef HF_BENCH_MUJOCO
            if (!hf_bench_robot_mujoco(robot, folder, ALL, &one)) {
                return 1;
            }
            other = least(other, one);
            beside = true;
#endif
        }
        printf("%-14s %10.2f %10.2f %10.2f %10.2f %11.3g %11.3g%s\n", robot->name, own.rest,
               beside ? other.rest : NAN, own.move, beside ? other.move : NAN, own.creep,
               beside ? other.creep : NAN, beside ? "" : "   (MuJoCo was not found)");
        char name[100], limit[40] = "-";
        (void)snprintf(name, sizeof name, "robots: %s at rest", robot->name);
        if (robot->aim > 0.0) {
            (void)snprintf(limit, sizeof limit, "<= %g", robot->aim);
        }
        hf_bench_result(name, own.rest, "us/step", limit);
    }
    return 0;
}
