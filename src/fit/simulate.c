// SPDX-License-Identifier: Apache-2.0
// Simulating a log: the machine runs through it once; where a segment begins its state is set to
// the segment's start. Inner states of laws and memories of controllers go on across segments, as
// they do in the machine.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/crew.h"
#include "base/error.h"
#include "fit/fit_data.h"
#include "sim/method_info.h"

// The machine of a log: its inputs are tables of the log's columns, delayed.
static hf_model *make_model(const hf_fit *fit, const hf_fit_track *track, const double *values,
                            hf_error *error)
{
    double *model_values = calloc((size_t)fit->def.parameter_count + 1, sizeof *model_values);
    double *delays = calloc((size_t)fit->def.input_count + 1, sizeof *delays);
    double *times = calloc((size_t)track->rows, sizeof *times);
    hf_spec *spec = NULL;
    hf_model *model = NULL;
    if (model_values == NULL || delays == NULL || times == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        goto done;
    }
    // The machine itself
    int count = 0;
    for (int p = 0; p < fit->def.parameter_count; ++p) {
        if (fit->parameters[p].kind == HF_FIT_MODEL) {
            model_values[count++] = values[p];
        } else if (fit->parameters[p].kind == HF_FIT_DELAY) {
            delays[fit->parameters[p].target] += values[p];
        }
    }
    spec = fit->def.make(fit->def.context, model_values, error);
    // Its inputs
    hf_status status = spec == NULL ? HF_ERROR_INPUT : HF_OK;
    for (int i = 0; i < fit->def.input_count && status == HF_OK; ++i) {
        const hf_fit_input *input = &fit->inputs[i];
        for (long long k = 0; k < track->rows; ++k) {
            times[k] = track->time[k] + input->delay + delays[i];
        }
        status = hf_spec_set_table(spec, hf_spec_find_signal(spec, input->signal),
                                   (hf_list){times, (int)track->rows},
                                   (hf_list){track->inputs[i], (int)track->rows},
                                   input->hold == HF_FIT_HELD, input->hold == HF_FIT_SMOOTH, error);
    }
    model = status == HF_OK ? hf_model_compile(spec, error) : NULL;
done:
    hf_spec_destroy(spec);
    free(model_values);
    free(delays);
    free(times);
    return model;
}

// Sets the state to a segment's start, body by body. What the start does not give stays as it is,
// and is noted in it.
static hf_status begin_segment(const hf_fit *fit, hf_sim *sim, double *start, hf_error *error)
{
    enum { MOST = 16 };
    for (int i = 0; i < fit->state_count;) {
        hf_body body = fit->states[i].body;
        hf_body_slots slots = hf_model_body_slots(hf_sim_model(sim), body);
        double q[MOST], v[MOST];
        memcpy(q, hf_sim_position(sim, body), (size_t)slots.position_count * sizeof *q);
        memcpy(v, hf_sim_velocity(sim, body), (size_t)slots.velocity_count * sizeof *v);
        for (; i < fit->state_count && fit->states[i].body.id == body.id; ++i) {
            double *now = (fit->states[i].velocity ? v : q) + fit->states[i].axis;
            if (isnan(start[i]) && !fit->def.fixed_starts) {
                start[i] = *now;
            }
            *now = isnan(start[i]) ? *now : start[i];
        }
        HF_TRY(hf_sim_set_position(sim, body, q, error));
        HF_TRY(hf_sim_set_velocity(sim, body, v, error));
    }
    return HF_OK;
}

// The force that a sampled controller holds from now on. Under methods whose forces belong to steps
// its channel still shows that of the step that ended here.
static bool held_force(const hf_fit *fit, hf_sim *sim, int match, double *value)
{
    const hf_channel_place *place = &sim->model->channels[fit->channels[match].id - 1];
    if (place->quantity != HF_QUANTITY_FORCE) {
        return false;
    }
    const hf_force_place *force = &sim->model->forces[place->component];
    if (force->info == NULL || force->info->sample == NULL || force->memory_count == 0) {
        return false;
    }
    hf_sim_refresh(sim, hf_method_first_tau(sim->core->method.type, sim->core->method.step));
    *value = 0.0 - sim->force[force->row + place->axis];
    return true;
}

static double look(const hf_fit *fit, hf_sim *sim, int match)
{
    double held = 0.0;
    switch (fit->places[match].home) {
    case HF_IN_POSITIONS:
        return hf_sim_positions(sim)[fit->places[match].index];
    case HF_IN_VELOCITIES:
        return hf_sim_velocities(sim)[fit->places[match].index];
    case HF_IN_VALUES:
        break;
    }
    return held_force(fit, sim, match, &held) ? held : hf_sim_value(sim, fit->channels[match]);
}

// Row by row. A controller's sample that is due at a row's time is taken before the row is read,
// as the machine's own log has it.
static hf_status run_rows(const hf_fit *fit, const hf_fit_track *track, hf_sim *sim,
                          const long long *first, int segments, double *starts, double *out,
                          hf_error *error)
{
    bool samples = hf_sim_model(sim)->clock_count > 0 || sim->controller_count > 0;
    for (int s = 0; s < segments; ++s) {
        for (long long k = first[s]; k < first[s + 1]; ++k) {
            HF_TRY(hf_sim_advance(sim, track->time[k], false, error));
            if (k == first[s]) {
                HF_TRY(
                    begin_segment(fit, sim, starts + (size_t)s * (size_t)fit->state_count, error));
            }
            if (samples) {
                HF_TRY(hf_schedule_meet(sim, error));
            }
            for (int m = 0; m < fit->def.match_count; ++m) {
                out[m * track->rows + k] = look(fit, sim, m);
            }
        }
    }
    return HF_OK;
}

// Scales and offsets of sensors.
static void measure(const hf_fit *fit, const hf_fit_track *track, const double *values, double *out)
{
    for (int p = 0; p < fit->def.parameter_count; ++p) {
        hf_fit_kind kind = fit->parameters[p].kind;
        if (kind == HF_FIT_SCALE) {
            double *channel = out + fit->parameters[p].target * track->rows;
            for (long long k = 0; k < track->rows; ++k) {
                channel[k] *= values[p];
            }
        }
    }
    for (int p = 0; p < fit->def.parameter_count; ++p) {
        if (fit->parameters[p].kind == HF_FIT_OFFSET) {
            double *channel = out + fit->parameters[p].target * track->rows;
            for (long long k = 0; k < track->rows; ++k) {
                channel[k] += values[p];
            }
        }
    }
}

// A sim of a log's machine, with the objects that it refers to.
typedef struct rig {
    double *values;
    hf_model *model;
    hf_fit_attendance attendance;
    bool attended;
    hf_sim *sim;
} rig;

static void rig_end(const hf_fit *fit, rig *r)
{
    hf_sim_destroy(r->sim);
    if (r->attended && fit->def.leave != NULL) {
        fit->def.leave(fit->def.context, &r->attendance);
    }
    hf_model_destroy(r->model);
    free(r->values);
}

// The machine of a log with these numbers. sim NULL: it cannot be had.
static rig rig_begin(const hf_fit *fit, int track_index, const double *x, hf_error *error)
{
    rig r = {.values = calloc((size_t)fit->def.parameter_count + 1, sizeof *r.values)};
    if (r.values == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return r;
    }
    hf_fit_values(fit, track_index, x, r.values);
    r.model = make_model(fit, &fit->tracks[track_index], r.values, error);
    r.attended = r.model != NULL && fit->def.attend != NULL;
    // Those who attend to the run have their say before it begins
    if (r.model == NULL || (r.attended && fit->def.attend(fit->def.context, r.model, track_index,
                                                          r.values, &r.attendance, error) < 0)) {
        return r;
    }
    hf_sim_def def = hf_sim_def_default(r.model);
    memcpy(def.methods, fit->def.methods, sizeof def.methods);
    if (fit->halved) { // the step of adaptive methods is when they are looked at
        bool adaptive = hf_method_info_get(def.method.type)->is_adaptive;
        def.method.step *= adaptive ? 1.0 : 0.5;
        def.method.rtol *= adaptive ? 0.1 : 1.0;
        def.method.atol *= adaptive ? 0.1 : 1.0;
    }
    def.controllers = r.attendance.controllers;
    def.controller_count = r.attendance.count;
    r.sim = hf_sim_create(r.model, &def, error);
    return r;
}

hf_status hf_fit_simulate(const hf_fit *fit, int track_index, const double *x,
                          const long long *first, int segments, double *starts, double *out,
                          hf_error *error)
{
    const hf_fit_track *track = &fit->tracks[track_index];
    rig r = rig_begin(fit, track_index, x, error);
    // All segments, and what instruments make of them
    hf_status status = r.sim == NULL
                           ? (error->status < 0 ? error->status : HF_ERROR_INPUT)
                           : run_rows(fit, track, r.sim, first, segments, starts, out, error);
    if (status >= 0) {
        measure(fit, track, r.values, out);
    }
    rig_end(fit, &r);
    return status < 0 ? status : HF_OK;
}

bool hf_fit_is_unstable(const hf_fit *fit, char *name, size_t room, double *step, double *largest)
{
    hf_error error = {0};
    int worst = 0;
    rig r = rig_begin(fit, 0, fit->x, &error);
    *largest = INFINITY;
    if (r.sim != NULL) {
        *step = hf_sim_method(r.sim).step;
        for (int id = 1; id <= hf_model_get_info(r.model).forces; ++id) {
            double here = hf_sim_stability(r.sim, (hf_force){id}).largest_step;
            if (*step > here && here < *largest) {
                *largest = here;
                worst = id;
            }
        }
    }
    if (worst > 0) {
        (void)snprintf(name, room, "%s", hf_model_force_name(r.model, (hf_force){worst}));
    }
    rig_end(fit, &r);
    return worst > 0;
}

void hf_fit_say_idle_inputs(hf_fit *fit)
{
    hf_error error = {0};
    rig r = rig_begin(fit, 0, fit->x, &error);
    // Those that logs give are tables by now; a program's controllers may set the others
    for (int i = 0; r.model != NULL && !r.attended && i < r.model->signal_count; ++i) {
        const hf_signal_def *signal = &r.model->signals[i].def;
        if (signal->type == HF_SIGNAL_INPUT) {
            (void)hf_fit_say(fit,
                             "The input '%s' of the model is given by no column: it stays as the "
                             "model has it.",
                             signal->name);
        }
    }
    rig_end(fit, &r);
}

// ------------------------------------------------------------------------------------------------
// Several logs at once

typedef struct batch {
    hf_fit *fit;
    const double *x;
    bool trial;
    hf_status *statuses;
    hf_error *errors;
} batch;

static bool simulate_one(void *context, int worker, long long piece)
{
    int index = (int)piece;
    (void)worker;
    batch *b = context;
    hf_fit_track *track = &b->fit->tracks[index];
    b->statuses[index] =
        hf_fit_simulate(b->fit, index, b->x, track->first, track->segment_count,
                        b->trial ? track->trial : track->starts,
                        b->trial ? track->predicted : track->simulated, &b->errors[index]);
    return true;
}

bool hf_fit_simulate_all(hf_fit *fit, const double *x, bool trial, int tracks, hf_error *error)
{
    batch b = {.fit = fit, .x = x, .trial = trial};
    b.statuses = calloc((size_t)tracks + 1, sizeof *b.statuses);
    b.errors = calloc((size_t)tracks + 1, sizeof *b.errors);
    bool good = b.statuses != NULL && b.errors != NULL;
    if (good) {
        hf_crew crew = {.count = tracks, .work = simulate_one, .context = &b};
        (void)hf_crew_run(&crew, fit->def.threads);
        fit->simulations += tracks;
    } else {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    for (int i = 0; i < tracks && good; ++i) {
        good = b.statuses[i] == HF_OK;
        if (!good) {
            *error = b.errors[i];
        }
    }
    free(b.statuses);
    free(b.errors);
    return good;
}

static bool run_one_free(void *context, int worker, long long piece)
{
    int index = (int)piece;
    (void)worker;
    hf_fit *fit = context;
    hf_fit_track *track = &fit->tracks[index];
    const long long whole[2] = {0, track->rows};
    hf_error error = {0};
    memcpy(track->trial, track->starts, (size_t)fit->state_count * sizeof *track->trial);
    track->free_ran = hf_fit_simulate(fit, index, fit->x, whole, 1, track->trial, track->free_run,
                                      &error) == HF_OK;
    return true;
}

void hf_fit_run_free(hf_fit *fit)
{
    hf_crew crew = {.count = fit->track_count, .work = run_one_free, .context = fit};
    (void)hf_crew_run(&crew, fit->def.threads);
    fit->simulations += fit->track_count;
}
