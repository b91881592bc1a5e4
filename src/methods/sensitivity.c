// SPDX-License-Identifier: Apache-2.0
// Sims on both sides of a number, and what they tell of a channel's derivative.
#include "methods/sensitivity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/parameter.h>

#include "base/error.h"
#include "methods/adaptive/info.h"
#include "sim/method_info.h"

// Steps of differences, over a number's size, and the least size that a number other than 0 has.
static const double PART = 1e-6, LEAST_SIZE = 1e-3;

void hf_sensitivity_fail(hf_sensitivity *se, const char *format, ...)
{
    char text[300];
    if (se->failure.status != HF_OK) {
        return;
    }
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    (void)hf_error_at(&se->failure, HF_ERROR_STATE, hf_at_time(se->sim->core->time, NULL, NULL),
                      "derivatives end at t = %.9g s: %s", se->sim->core->time, text);
}

// ------------------------------------------------------------------------------------------------
// What has derivatives

static hf_status refuse(hf_error *error, const hf_force_place *force, const char *why)
{
    return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_law(force->name, "sensitivity", "law"),
                       "no derivatives: force '%s' %s", force->name, why);
}

// Whether a force has a derivative by the state wherever its method has no event.
static hf_status admit_force(const hf_sim *sim, const hf_force_place *force, hf_error *error)
{
    bool located = hf_method_info_get(sim->core->method.type)->locates_events;
    bool exact = located && force->exact != HF_EXACT_NONE;
    if (force->item == NULL && force->ops->needs_collider) {
        return refuse(error, force, "is of contacts that are found as the machine runs");
    }
    if (hf_force_is_held(force) && !exact) {
        return refuse(error, force,
                      "has a static level above its kinetic one, and this method breaks it away at "
                      "the end of a step: the derivative of the steps is not the machine's; choose "
                      "method switch with law coulomb");
    }
    if (force->info != NULL && force->info->leaps != NULL && force->info->leaps(force->def)) {
        return refuse(
            error, force,
            "jumps at a condition on the motion (a comparison, sign, floor), and no event "
            "is located there; min, max, abs and sat have derivatives");
    }
    bool adaptive = sim->plugged != NULL && sim->plugged->vary != NULL;
    if (adaptive && force->info != NULL && force->info->switches != NULL) {
        return refuse(error, force, "has a memory that switches, which is not followed");
    }
    if (adaptive && force->ops->contact && !exact) {
        return refuse(error, force,
                      "jumps where its bodies touch, and no event is located there; choose method "
                      "switch with a rigid contact");
    }
    return HF_OK;
}

hf_status hf_sensitivity_admit(const hf_sim *sim, hf_error *error)
{
    const hf_model *model = sim->model;
    if (sim->core->step_index != 0 || sim->core->time != 0.0) {
        return hf_error_set(error, HF_ERROR_STATE,
                            "derivatives begin with the run: the sim is at t = %g s already",
                            sim->core->time);
    }
    if (sim->sensitivity != NULL) {
        return hf_error_set(error, HF_ERROR_STATE, "the sim has a sensitivity already");
    }
    if (sim->controller_count > 0 || model->swarm_count > 0) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED, "no derivatives: the machine has %s",
                            model->swarm_count > 0 ? "a swarm" : "controllers of the program");
    }
    for (int i = 0; i < model->force_count; ++i) {
        HF_TRY(admit_force(sim, &model->forces[i], error));
    }
    for (int i = 0; i < model->signal_count; ++i) {
        const hf_signal_def *signal = &model->signals[i].def;
        if (signal->type == HF_SIGNAL_CHANNELS && signal->leaps) {
            return hf_error_set(
                error, HF_ERROR_UNSUPPORTED,
                "no derivatives: signal '%s' jumps at a condition on the motion (a "
                "comparison, sign, floor, a table that holds, enable), and no event "
                "is located there; min, max, abs and sat have derivatives",
                signal->name);
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Making the sims

// Time-stepping leaves an error of its tolerance in each step, which differences over PART would
// make a million times larger: beside the number steps are solved to this, close to rounding.
static const double FINE_TOLERANCE = 1e-13;

static hf_sim *make_sim(const hf_sim *sim, const hf_model *model, hf_error *error)
{
    hf_sim_def def = hf_sim_def_default(model);
    def.method = sim->method_given;
    if (def.method.type == HF_METHOD_TIMESTEP) {
        def.method.tolerance = fmin(sim->core->method.tolerance, FINE_TOLERANCE);
    }
    def.methods[0] = sim->plugged;
    return hf_sim_create(model, &def, error);
}

static double step_of(const hf_sensitivity_term *term, double size)
{
    return term->step > 0.0 ? term->step
                            : PART * (size == 0.0 ? 1.0 : fmax(LEAST_SIZE, fabs(size)));
}

// The machine with another value of a parameter.
static hf_model *make_model(const hf_model *model, const char *name, double value, hf_error *error)
{
    hf_spec *spec = hf_spec_copy(model->spec);
    hf_model *out = NULL;
    if (spec == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    } else if (hf_spec_set_parameter(spec, name, value, error) == HF_OK) {
        out = hf_model_compile(spec, error);
    }
    hf_spec_destroy(spec);
    return out;
}

// Where in the state an initial number is; -1 with an error: there is none that is free.
static int slot_of(const hf_sim *sim, const hf_sensitivity_term *term, hf_error *error)
{
    const hf_model *model = sim->model;
    hf_coordinate c = term->coordinate;
    if (c.body.id < 1 || c.body.id > model->body_count) {
        (void)hf_error_set(error, HF_ERROR_NAME, "no derivative: there is no such coordinate");
        return -1;
    }
    const hf_body_place *place = &model->bodies[c.body.id - 1];
    if (c.axis < 0 || c.axis >= place->nv || place->nq != place->nv ||
        model->drive_at[place->v + c.axis] >= 0) {
        (void)hf_error_set(error, HF_ERROR_UNSUPPORTED,
                           "no derivative by the initial state of '%s': it is driven, or turns "
                           "freely in space",
                           model->body_names[c.body.id - 1]);
        return -1;
    }
    return term->kind == HF_BY_POSITION ? place->q + c.axis : model->nq + place->v + c.axis;
}

// Models on both sides, and how far they are.
static hf_status find_models(hf_sensitivity *se, hf_beside *b, const hf_model *models[HF_BESIDES],
                             hf_error *error)
{
    const hf_sensitivity_term *term = &b->term;
    const hf_model *model = se->sim->model;
    models[HF_BELOW] = models[HF_ABOVE] = model;
    if (term->kind == HF_BY_MODEL) {
        if (term->below == NULL || term->above == NULL || !(term->step > 0.0)) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "a derivative by models needs two of them and a step > 0");
        }
        models[HF_BELOW] = term->below;
        models[HF_ABOVE] = term->above;
        b->step = term->step;
    } else if (term->kind == HF_BY_PARAMETER) {
        double now = 0.0;
        HF_TRY(hf_model_get_parameter(model, term->name == NULL ? "" : term->name, &now, error));
        b->step = step_of(term, now);
        for (int side = 0; side < HF_BESIDES; ++side) {
            double value = now + (side == HF_ABOVE ? b->step : -b->step);
            models[side] = b->own[side] = make_model(model, term->name, value, error);
            if (b->own[side] == NULL) {
                return HF_ERROR_INPUT;
            }
        }
    }
    return HF_OK;
}

// Whether the sims beside have the same numbers in the same places.
static bool is_alike(const hf_sim *sim, const hf_sim *other)
{
    bool alike = other->size == sim->size && other->saved_size == sim->saved_size &&
                 other->model->n == sim->model->n &&
                 other->model->force_count == sim->model->force_count;
    for (int i = 0; alike && i < sim->model->force_count; ++i) {
        alike = sim->model->forces[i].id == other->model->forces[i].id;
    }
    for (int i = 0; alike && i < sim->model->clock_count; ++i) {
        alike = sim->samplers[i].period == other->samplers[i].period;
    }
    return alike;
}

static hf_status make_beside(hf_sensitivity *se, hf_beside *b, hf_error *error)
{
    const hf_sensitivity_term *term = &b->term;
    const hf_model *models[HF_BESIDES];
    HF_TRY(find_models(se, b, models, error));
    // The number itself, where it is not the model's
    bool initial = term->kind == HF_BY_POSITION || term->kind == HF_BY_VELOCITY;
    int slot = initial ? slot_of(se->sim, term, error) : 0;
    if (slot < 0) {
        return error == NULL ? HF_ERROR_NAME : error->status;
    }
    if (term->kind == HF_BY_INPUT &&
        (term->input.id < 1 || term->input.id > se->sim->model->signal_count ||
         se->sim->model->signals[term->input.id - 1].def.type != HF_SIGNAL_INPUT)) {
        return hf_error_set(error, HF_ERROR_NAME, "no derivative: there is no such input");
    }
    if (initial) {
        b->step = step_of(term, fmax(1.0, fabs(se->sim->x[slot])));
    } else if (term->kind == HF_BY_INPUT) {
        int at = se->sim->model->signals[term->input.id - 1].slot;
        b->step = step_of(term, fmax(1.0, fabs(se->sim->inputs[at])));
    }
    // Both sims
    for (int side = 0; side < HF_BESIDES; ++side) {
        b->sims[side] = make_sim(se->sim, models[side], error);
        if (b->sims[side] == NULL) {
            return error == NULL ? HF_ERROR_INPUT : error->status;
        }
        if (!is_alike(se->sim, b->sims[side])) {
            return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                                "no derivative: the machine has another layout, or other times of "
                                "samples, for a slightly different value");
        }
        memcpy(b->sims[side]->x, initial ? se->sim->x : b->sims[side]->x,
               (size_t)se->sim->model->n * sizeof(double));
        if (initial) {
            b->sims[side]->x[slot] += side == HF_ABOVE ? b->step : -b->step;
        }
        b->sims[side]->fresh = false;
    }
    return HF_OK;
}

hf_sensitivity *hf_sensitivity_create(hf_sim *sim, const hf_sensitivity_term *terms, int count,
                                      hf_error *error)
{
    if (hf_sensitivity_admit(sim, error) < 0) {
        return NULL;
    }
    // Memory
    hf_sensitivity *se = calloc(1, sizeof *se);
    size_t room = (size_t)(count > 0 ? count : 1), n = (size_t)sim->model->n;
    if (se != NULL) {
        se->sim = sim;
        se->besides = calloc(room, sizeof *se->besides);
        se->states = n > SIZE_MAX / sizeof(double) / room ? NULL : calloc(room * n, sizeof(double));
    }
    if (se == NULL || se->besides == NULL || se->states == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %d derivatives", count);
        hf_sensitivity_destroy(se);
        return NULL;
    }
    // The sims
    hf_status status = HF_OK;
    se->base = make_sim(sim, sim->model, error);
    status = se->base == NULL ? HF_ERROR_MEMORY : HF_OK;
    for (int i = 0; i < count && status == HF_OK; ++i) {
        se->besides[i].term = terms[i];
        se->besides[i].s = se->states + (size_t)i * n;
        se->count = i + 1;
        status = make_beside(se, &se->besides[i], error);
    }
    if (status == HF_OK && sim->plugged != NULL && sim->plugged->vary != NULL) {
        status = sim->plugged->vary(se, error);
    }
    if (status != HF_OK) {
        hf_sensitivity_destroy(se);
        return NULL;
    }
    sim->sensitivity = se;
    return se;
}

void hf_sensitivity_destroy(hf_sensitivity *se)
{
    if (se == NULL) {
        return;
    }
    if (se->sim->plugged != NULL && se->sim->plugged->vary_end != NULL) {
        se->sim->plugged->vary_end(se);
    }
    for (int i = 0; i < se->count; ++i) {
        for (int side = 0; side < HF_BESIDES; ++side) {
            hf_sim_destroy(se->besides[i].sims[side]);
            hf_model_destroy(se->besides[i].own[side]);
        }
    }
    hf_sim_destroy(se->base);
    se->sim->sensitivity = se->sim->sensitivity == se ? NULL : se->sim->sensitivity;
    free(se->besides);
    free(se->states);
    free(se);
}

// ------------------------------------------------------------------------------------------------
// Going along

void hf_sensitivity_copy_inputs(hf_sensitivity *se)
{
    HF_ASSERT(se->base != NULL);
    const hf_model *model = se->sim->model;
    for (int k = 0; k < model->signal_count; ++k) {
        if (model->signals[k].def.type != HF_SIGNAL_INPUT) {
            continue;
        }
        int slot = model->signals[k].slot;
        se->base->inputs[slot] = se->sim->inputs[slot];
        for (int i = 0; i < se->count; ++i) {
            const hf_beside *b = &se->besides[i];
            bool moved = b->term.kind == HF_BY_INPUT && b->term.input.id == k + 1;
            for (int side = 0; side < HF_BESIDES; ++side) {
                double shift = side == HF_ABOVE ? b->step : -b->step;
                hf_sim_set_input(b->sims[side], (hf_signal){k + 1},
                                 se->sim->inputs[slot] + (moved ? shift : 0.0));
            }
        }
    }
}

// Whether a contact or stop has closed at a speed: steps do not tell when.
static const char *struck(const hf_sim *sim)
{
    for (int i = 0; i < sim->model->force_count; ++i) {
        if (sim->tallies[i].impact > 0.0) {
            return sim->model->forces[i].name;
        }
    }
    return NULL;
}

// A sim beside the number goes on to a time; steps that cannot be solved as finely as that are
// solved to the run's own tolerance.
static hf_status follow(hf_sim *other, const hf_sim *sim, hf_error *error)
{
    double given = sim->core->method.tolerance;
    if (sim->plugged != NULL && sim->plugged->lead != NULL) {
        sim->plugged->lead(sim, other);
    }
    hf_status status = hf_sim_advance(other, sim->core->time, false, error);
    if (status == HF_ERROR_CONVERGENCE && other->core->method.tolerance < given) {
        other->core->method.tolerance = given;
        status = hf_sim_advance(other, sim->core->time, false, error);
    }
    return status;
}

void hf_sensitivity_step(hf_sim *sim)
{
    hf_sensitivity *se = sim->sensitivity;
    hf_error error = {0};
    if (sim->plugged != NULL && sim->plugged->vary != NULL) {
        return; // it has carried them along
    }
    const char *name = struck(sim);
    if (name != NULL) {
        hf_sensitivity_fail(
            se,
            "'%s' was struck, and steps of a fixed length do not locate the impact; "
            "choose method switch",
            name);
    }
    for (int i = 0; i < se->count && se->failure.status == HF_OK; ++i) {
        for (int side = 0; side < HF_BESIDES; ++side) {
            hf_sim *other = se->besides[i].sims[side];
            if (follow(other, sim, &error) < 0) {
                hf_sensitivity_fail(
                    se, "for a slightly different value the machine does not run: %s", error.text);
            }
        }
    }
    se->known = sim->core->time;
}

long long hf_sensitivity_loose_steps(const hf_sensitivity *se)
{
    const hf_method_table *plugged = se->sim->plugged;
    long long most = 0;
    for (int i = 0; i < 2 * se->count && plugged != NULL && plugged->loose != NULL; ++i) {
        long long here = plugged->loose(se->besides[i / 2].sims[i % 2]);
        most = here > most ? here : most;
    }
    return most;
}

// ------------------------------------------------------------------------------------------------
// Channels

static bool is_mode(const hf_model *model, hf_channel channel)
{
    return model->channels[channel.id - 1].quantity == HF_QUANTITY_MODE;
}

hf_status hf_sim_sensitivity(hf_sim *sim, const hf_channel *channels, int count, double *values,
                             hf_error *error)
{
    hf_sensitivity *se = sim->sensitivity;
    if (se == NULL) {
        return hf_error_set(error, HF_ERROR_STATE, "the sim carries no derivatives along");
    }
    // Whether there are any
    bool begun = sim->core->step_index > 0 || sim->core->time > 0.0;
    if (se->failure.status == HF_OK && begun && se->known != sim->core->time) {
        hf_sensitivity_fail(se, "the sim was restored or reset");
    }
    if (se->failure.status != HF_OK) {
        if (error != NULL) {
            *error = se->failure;
        }
        return se->failure.status;
    }
    // Differences of the sims beside
    if (!begun) {
        hf_sensitivity_copy_inputs(se);
    }
    for (int i = 0; i < se->count; ++i) {
        const hf_beside *b = &se->besides[i];
        for (int side = 0; side < HF_BESIDES; ++side) {
            if (begun && sim->plugged != NULL && sim->plugged->vary_show != NULL) {
                sim->plugged->vary_show(se, i, side);
            }
            for (int k = 0; k < count; ++k) {
                double *value = &values[(size_t)k * (size_t)se->count + (size_t)i];
                double now = is_mode(sim->model, channels[k])
                                 ? 0.0
                                 : hf_sim_value(b->sims[side], channels[k]) / (2.0 * b->step);
                *value = side == HF_BELOW ? -now : *value + now;
            }
        }
    }
    return HF_OK;
}
