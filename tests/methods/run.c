// SPDX-License-Identifier: Apache-2.0
// Small machines and runs of them, for the tests of methods.
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim_data.h"

hf_run hf_run_open(const hf_machine *machine, hf_method_type type, double step)
{
    hf_error error = {0};
    hf_run run = {.model = hf_machine_compile(machine, NULL)};
    hf_sim_def def = hf_sim_def_default(run.model);
    def.method.type = type;
    def.method.step = step;
    run.sim = hf_sim_create(run.model, &def, &error);
    if (run.sim == NULL) {
        fail_msg("%s", error.text);
    }
    return run;
}

void hf_run_close(hf_run *run)
{
    hf_sim_destroy(run->sim);
    hf_model_destroy(run->model);
}

void hf_run_steps(hf_run *run, int steps)
{
    hf_error error = {0};
    for (int i = 0; i < steps; ++i) {
        if (hf_sim_step(run->sim, &error) != HF_OK) {
            fail_msg("%s", error.text);
        }
    }
}

void hf_run_to(hf_run *run, double end)
{
    double step = hf_sim_method(run->sim).step;
    hf_run_steps(run, (int)lround((end - hf_sim_time(run->sim)) / step));
}

double hf_run_value(hf_run *run, const char *name)
{
    hf_channel channel = hf_model_find_channel(run->model, name);
    if (channel.id == 0) {
        fail_msg("no channel '%s'", name);
    }
    return hf_sim_value(run->sim, channel);
}

int hf_add_mass(hf_machine *machine, const char *name, double mass, double position,
                double velocity)
{
    hf_part *part = hf_machine_add(machine, HF_PART_MASS, name);
    part->mass.dim = 1;
    part->mass.mass = mass;
    part->mass.position[0] = position;
    part->mass.velocity[0] = velocity;
    return hf_machine_index(machine, part);
}

hf_part *hf_add_force(hf_machine *machine, const char *name, hf_law_type law, int on, int to)
{
    hf_part *part = hf_machine_add(machine, HF_PART_FORCE, name);
    part->force.law = law;
    part->on = on;
    part->to = to;
    if (hf_law_info_get(law) != NULL) {
        hf_law_info_get(law)->set_default(&part->law);
    }
    return part;
}

int hf_add_function(hf_machine *machine, const char *name, double (*function)(void *, double))
{
    hf_part *part = hf_machine_add(machine, HF_PART_SIGNAL, name);
    part->signal.type = HF_SIGNAL_FUNCTION;
    part->signal.function = function;
    return hf_machine_index(machine, part);
}

double hf_measured_order(const hf_machine *machine, hf_method_type type, double h, double end)
{
    double *states[3], differences[2] = {0.0, 0.0};
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        hf_run run = hf_run_open(machine, type, h / (1 << i));
        hf_run_to(&run, end);
        count = run.model->nq + run.model->nv;
        states[i] = malloc((size_t)count * sizeof(double));
        assert_non_null(states[i]);
        memcpy(states[i], run.sim->x, (size_t)count * sizeof(double));
        hf_run_close(&run);
    }
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < count; ++k) {
            double d = states[i][k] - states[i + 1][k];
            differences[i] += d * d;
        }
    }
    for (int i = 0; i < 3; ++i) {
        free(states[i]);
    }
    return 0.5 * log2(differences[0] / differences[1]);
}
