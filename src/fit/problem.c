// SPDX-License-Identifier: Apache-2.0
// What is fitted to what: the definition checked against the logs and a first machine.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"

enum { WHAT_SIZE = 160 };

hf_fit_def hf_fit_def_default(void)
{
    return (hf_fit_def){.segments = {1.0},
                        .stage_count = 1,
                        .loss_scale = 1.0,
                        .starts = 1,
                        .seed = 1,
                        .iterations = 50,
                        .secant = 0.05,
                        .threads = 1};
}

static hf_status out_of_memory(hf_error *error)
{
    return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

static double *new_numbers(hf_fit *fit, long long count)
{
    return hf_arena_alloc(&fit->arena, (size_t)count + 1, sizeof(double));
}

// ------------------------------------------------------------------------------------------------
// The definition

static hf_status check_settings(const hf_fit_def *def, hf_error *error)
{
    if (def->log_count < 1) {
        return hf_error_set(error, HF_ERROR_INPUT, "there is no log to fit to");
    }
    if (def->match_count < 1) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "no channel is matched with a column: there is nothing to compare");
    }
    if (def->parameter_count < 1) {
        return hf_error_set(error, HF_ERROR_INPUT, "nothing is free: there is nothing to fit");
    }
    if (def->stage_count < 1 || def->stage_count > HF_FIT_MOST_STAGES) {
        return hf_error_set(error, HF_ERROR_RANGE, "one to %d lengths of segments, got %d",
                            HF_FIT_MOST_STAGES, def->stage_count);
    }
    for (int i = 0; i < def->stage_count; ++i) {
        if (!(def->segments[i] > 0.0)) {
            return hf_error_set(error, HF_ERROR_RANGE, "segments must be longer than 0 s, got %g s",
                                def->segments[i]);
        }
    }
    if (!(def->loss_scale > 0.0) || !(def->secant > 0.0 && def->secant < 1.0) || def->starts < 1 ||
        def->iterations < 0) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "expected loss_scale > 0, 0 < secant < 1, starts >= 1 and iterations "
                            ">= 0");
    }
    return HF_OK;
}

static hf_status check_parameter(const hf_fit_def *def, int index, hf_error *error)
{
    const hf_fit_parameter *p = &def->parameters[index];
    // No name twice
    for (int i = 0; i < index; ++i) {
        if (strcmp(def->parameters[i].name, p->name) == 0) {
            return hf_error_set(error, HF_ERROR_INPUT, "'%.100s' is free twice", p->name);
        }
    }
    // Guess, scale and prior within their ranges
    if (!isfinite(p->start) || !(p->low < p->high) || p->start < p->low || p->start > p->high) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "'%.100s': the first guess %g is not within its bounds, %g to %g",
                            p->name, p->start, p->low, p->high);
    }
    if (p->logarithmic && !(p->start > 0.0 && p->low >= 0.0)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "'%.100s': a logarithmic scale needs positive numbers, got %g", p->name,
                            p->start);
    }
    if (p->prior_deviation < 0.0 || !isfinite(p->prior) || !isfinite(p->prior_deviation)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "'%.100s': a prior is a finite number and its "
                            "standard deviation",
                            p->name);
    }
    // What it belongs to
    int targets = p->kind == HF_FIT_DELAY                                ? def->input_count
                  : p->kind == HF_FIT_MODEL || p->kind == HF_FIT_PROGRAM ? 1
                                                                         : def->match_count;
    if (p->target < 0 || p->target >= targets) {
        return hf_error_set(error, HF_ERROR_RANGE, "'%.100s': there is no input or match %d",
                            p->name, p->target);
    }
    return HF_OK;
}

static const char *keep_text(hf_fit *fit, const char *text)
{
    return hf_arena_string(&fit->arena, text == NULL ? "" : text);
}

static bool keep_definition(hf_fit *fit, const hf_fit_def *def)
{
    hf_arena *arena = &fit->arena;
    fit->def = *def;
    fit->inputs = hf_arena_copy(arena, def->inputs, (size_t)def->input_count, sizeof *fit->inputs);
    fit->matches =
        hf_arena_copy(arena, def->matches, (size_t)def->match_count, sizeof *fit->matches);
    fit->parameters = hf_arena_copy(arena, def->parameters, (size_t)def->parameter_count,
                                    sizeof *fit->parameters);
    bool good = fit->inputs != NULL && fit->matches != NULL && fit->parameters != NULL;
    for (int i = 0; i < def->input_count && good; ++i) {
        fit->inputs[i].signal = keep_text(fit, def->inputs[i].signal);
        fit->inputs[i].expression = keep_text(fit, def->inputs[i].expression);
        good = fit->inputs[i].signal != NULL && fit->inputs[i].expression != NULL;
    }
    for (int i = 0; i < def->match_count && good; ++i) {
        fit->matches[i].channel = keep_text(fit, def->matches[i].channel);
        fit->matches[i].expression = keep_text(fit, def->matches[i].expression);
        good = fit->matches[i].channel != NULL && fit->matches[i].expression != NULL;
    }
    for (int i = 0; i < def->parameter_count && good; ++i) {
        fit->parameters[i].name = keep_text(fit, def->parameters[i].name);
        fit->parameters[i].unit = keep_text(fit, def->parameters[i].unit);
        good = fit->parameters[i].name != NULL && fit->parameters[i].unit != NULL;
    }
    return good;
}

// ------------------------------------------------------------------------------------------------
// Logs

static hf_status load_track(hf_fit *fit, hf_fit_track *track, const hf_fit_log *log,
                            hf_error *error)
{
    const hf_fit_def *def = &fit->def;
    long long rows = log->rows, all = rows * def->match_count;
    // Room for all that is compared
    track->log = log;
    track->rows = rows;
    track->time = new_numbers(fit, rows);
    track->inputs = hf_arena_alloc(&fit->arena, (size_t)def->input_count + 1, sizeof(double *));
    track->measured = new_numbers(fit, all);
    track->simulated = new_numbers(fit, all);
    track->free_run = new_numbers(fit, all);
    track->predicted = new_numbers(fit, all);
    if (track->time == NULL || track->inputs == NULL || track->measured == NULL ||
        track->simulated == NULL || track->free_run == NULL || track->predicted == NULL) {
        return out_of_memory(error);
    }
    // Times from zero, rising
    for (long long k = 0; k < rows; ++k) {
        track->time[k] = log->time[k] - log->time[0];
        if (!isfinite(track->time[k]) || (k > 0 && !(track->time[k] > track->time[k - 1]))) {
            return hf_error_set(error, HF_ERROR_RANGE, "%.200s: time must rise, row %lld does not",
                                log->name, k + 1);
        }
    }
    HF_TRY(hf_fit_find_usual_step(track, error));
    char what[WHAT_SIZE];
    // Inputs and measured channels, as expressions of the columns
    for (int i = 0; i < def->input_count; ++i) {
        (void)snprintf(what, sizeof what, "input '%.100s'", fit->inputs[i].signal);
        track->inputs[i] = new_numbers(fit, rows);
        if (track->inputs[i] == NULL) {
            return out_of_memory(error);
        }
        HF_TRY(hf_fit_column(log, fit->inputs[i].expression, what, track->inputs[i], error));
    }
    for (int m = 0; m < def->match_count; ++m) {
        (void)snprintf(what, sizeof what, "channel '%.100s'", fit->matches[m].channel);
        HF_TRY(hf_fit_column(log, fit->matches[m].expression, what, track->measured + m * rows,
                             error));
    }
    return HF_OK;
}

static hf_status load_tracks(hf_fit *fit, hf_error *error)
{
    fit->track_count = fit->def.log_count + fit->def.validation_count;
    fit->tracks = hf_arena_alloc(&fit->arena, (size_t)fit->track_count, sizeof *fit->tracks);
    if (fit->tracks == NULL) {
        return out_of_memory(error);
    }
    for (int i = 0; i < fit->track_count; ++i) {
        HF_TRY(load_track(fit, &fit->tracks[i], fit->def.logs[i], error));
    }
    return HF_OK;
}

// Root of the mean square of a matched column about its mean, over the logs that are fitted to.
static double spread(const hf_fit *fit, int match)
{
    double sum = 0.0, squares = 0.0;
    long long count = 0;
    for (int i = 0; i < fit->def.log_count; ++i) {
        const hf_fit_track *track = &fit->tracks[i];
        for (long long k = 0; k < track->rows; ++k, ++count) {
            sum += track->measured[match * track->rows + k];
        }
    }
    double mean = sum / (double)count;
    for (int i = 0; i < fit->def.log_count; ++i) {
        const hf_fit_track *track = &fit->tracks[i];
        for (long long k = 0; k < track->rows; ++k) {
            double d = track->measured[match * track->rows + k] - mean;
            squares += d * d;
        }
    }
    return sqrt(squares / (double)count);
}

// ------------------------------------------------------------------------------------------------
// The machine's channels and state

static hf_status find_channels(hf_fit *fit, const hf_model *model, hf_error *error)
{
    int count = fit->def.match_count;
    fit->channels = hf_arena_alloc(&fit->arena, (size_t)count, sizeof *fit->channels);
    fit->places = hf_arena_alloc(&fit->arena, (size_t)count, sizeof *fit->places);
    fit->deviations = new_numbers(fit, count);
    if (fit->channels == NULL || fit->places == NULL || fit->deviations == NULL) {
        return out_of_memory(error);
    }
    // Each channel by its name, once
    for (int m = 0; m < count; ++m) {
        const char *name = fit->matches[m].channel;
        fit->channels[m] = hf_model_find_channel(model, name);
        if (fit->channels[m].id == 0) {
            char nearest[120];
            hf_model_nearest_channel(model, name, nearest, sizeof nearest);
            return hf_error_set(error, HF_ERROR_NAME,
                                "the model has no channel '%.100s'%s%s%s; 'holdfast channels' "
                                "lists them",
                                name, nearest[0] == '\0' ? "" : " (did you mean '", nearest,
                                nearest[0] == '\0' ? "" : "'?)");
        }
        for (int i = 0; i < m; ++i) {
            if (fit->channels[i].id == fit->channels[m].id) {
                return hf_error_set(error, HF_ERROR_INPUT, "the channel '%.100s' is matched twice",
                                    name);
            }
        }
        // The deviation that is given, or one from its spread
        fit->places[m] = hf_model_channel_slot(model, fit->channels[m]);
        double size = spread(fit, m);
        fit->deviations[m] = fit->matches[m].deviation > 0.0 ? fit->matches[m].deviation
                             : size > 0.0                    ? 0.01 * size
                                                             : 1.0;
    }
    return HF_OK;
}

static int match_of(const hf_fit *fit, bool velocity, int slot)
{
    for (int m = 0; m < fit->def.match_count; ++m) {
        if (fit->places[m].home == (velocity ? HF_IN_VELOCITIES : HF_IN_POSITIONS) &&
            fit->places[m].index == slot) {
            return m;
        }
    }
    return -1;
}

// The numbers that a segment begins with: coordinates and velocities of all that moves by forces.
static hf_status find_states(hf_fit *fit, const hf_model *model, hf_error *error)
{
    hf_model_info info = hf_model_get_info(model);
    size_t room = 2 * (size_t)info.velocities + 1;
    fit->states = hf_arena_alloc(&fit->arena, room, sizeof *fit->states);
    if (fit->states == NULL) {
        return out_of_memory(error);
    }
    for (int id = 1; id <= info.bodies; ++id) {
        hf_body body = {id};
        hf_body_type type = hf_model_body_info(model, body).type;
        hf_body_slots slots = hf_model_body_slots(model, body);
        if (type == HF_BODY_DRIVEN || type == HF_BODY_STATIC) {
            continue;
        }
        if (slots.position_count != slots.velocity_count) {
            return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                                "body '%.100s' turns freely in space: segments begin with "
                                "coordinates of masses and of joints that turn or slide",
                                hf_model_body_name(model, body));
        }
        for (int i = 0; i < 2 * slots.position_count; ++i) {
            bool velocity = i % 2 == 1;
            int slot = i / 2 + (velocity ? slots.velocity : slots.position);
            fit->states[fit->state_count++] =
                (hf_fit_state){.body = body,
                               .axis = i / 2,
                               .velocity = velocity,
                               .slot = slot,
                               .match = match_of(fit, velocity, slot)};
        }
    }
    return HF_OK;
}

// The state at every row as far as the log tells it: velocities from positions where they are not
// measured. Sizes of states follow.
static hf_status guess_states(hf_fit *fit, hf_error *error)
{
    // From the log, or differences of it
    int n = fit->state_count;
    for (int t = 0; t < fit->track_count; ++t) {
        hf_fit_track *track = &fit->tracks[t];
        track->guess = new_numbers(fit, track->rows * n);
        if (track->guess == NULL) {
            return out_of_memory(error);
        }
        for (long long k = 0; k < track->rows * n; ++k) {
            const hf_fit_state *state = &fit->states[k % n];
            // The coordinate of a velocity stands before it
            int position = state->velocity ? fit->states[k % n - 1].match : -1;
            track->guess[k] =
                state->match >= 0 ? track->measured[state->match * track->rows + k / n]
                : position >= 0
                    ? hf_fit_slope(track->time, track->measured + position * track->rows,
                                   track->rows, k / n)
                    : (double)NAN;
        }
    }
    // How large each is
    for (int i = 0; i < n; ++i) {
        double sum = 0.0, squares = 0.0, count = 0.0;
        for (int t = 0; t < fit->def.log_count; ++t) {
            for (long long k = 0; k < fit->tracks[t].rows; ++k, count += 1.0) {
                double value = fit->tracks[t].guess[k * n + i];
                sum += value;
                squares += value * value;
            }
        }
        double size = sqrt(fmax(0.0, squares / count - sum * sum / count / count));
        fit->states[i].scale = size > 0.0 ? size : 0.1;
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Unknowns

void hf_fit_values(const hf_fit *fit, int track, const double *x, double *values)
{
    memset(values, 0, (size_t)fit->def.parameter_count * sizeof *values);
    for (int i = 0; i < fit->unknown_count; ++i) {
        const hf_fit_unknown *u = &fit->unknowns[i];
        if (u->log < 0 || u->log == track) {
            values[u->parameter] = x[i];
        } else if (track >= fit->def.log_count && fit->tracks[track].own != NULL) {
            values[u->parameter] = fit->tracks[track].own[u->parameter];
        } else if (track >= fit->def.log_count) { // of a log that only judges: the mean
            values[u->parameter] += x[i] / fit->def.log_count;
        }
    }
}

// The size of a parameter: for the width of secants and for scaling.
static double size_of(const hf_fit *fit, const hf_fit_parameter *p)
{
    if (p->typical > 0.0 || p->start != 0.0) {
        return p->typical > 0.0 ? p->typical : fabs(p->start);
    }
    if (p->kind == HF_FIT_DELAY) { // secants of half a sample
        const hf_fit_track *track = &fit->tracks[0];
        return 10.0 * track->time[track->rows - 1] / (double)(track->rows - 1);
    }
    if (p->kind == HF_FIT_OFFSET) {
        return 0.2 * spread(fit, p->target);
    }
    return p->prior_deviation > 0.0                ? p->prior_deviation
           : isfinite(p->low) && isfinite(p->high) ? 0.5 * (p->high - p->low)
                                                   : 0.0;
}

static hf_status add_unknown(hf_fit *fit, int parameter, int log, hf_error *error)
{
    const hf_fit_parameter *p = &fit->parameters[parameter];
    int index = fit->unknown_count++;
    char name[WHAT_SIZE];
    const char *base = log < 0 ? "" : strrchr(fit->tracks[log].log->name, '/');
    base = base == NULL ? fit->tracks[log].log->name : base + (base[0] == '/');
    (void)snprintf(name, sizeof name, "%.100s%s%.50s", p->name, log < 0 ? "" : "@", base);
    double size = size_of(fit, p);
    if (!(size > 0.0)) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "'%.100s' begins at 0, and nothing says how large it may be: give it "
                            "bounds, a prior or a first guess",
                            p->name);
    }
    fit->scales[index] = size;
    fit->x[index] = p->start;
    fit->unknowns[index] = (hf_fit_unknown){.name = keep_text(fit, name),
                                            .unit = p->unit,
                                            .parameter = parameter,
                                            .log = log,
                                            .start = p->start,
                                            .value = p->start,
                                            .low = p->low,
                                            .high = p->high};
    return fit->unknowns[index].name == NULL ? out_of_memory(error) : HF_OK;
}

static hf_status list_unknowns(hf_fit *fit, hf_error *error)
{
    int count = 0;
    for (int p = 0; p < fit->def.parameter_count; ++p) {
        count += fit->parameters[p].per_log ? fit->def.log_count : 1;
    }
    fit->unknowns = hf_arena_alloc(&fit->arena, (size_t)count, sizeof *fit->unknowns);
    fit->scales = new_numbers(fit, count);
    fit->x = new_numbers(fit, count);
    fit->covariance = new_numbers(fit, (long long)count * count);
    fit->normal = new_numbers(fit, (long long)count * count);
    fit->shifts = new_numbers(fit, count);
    if (fit->unknowns == NULL || fit->scales == NULL || fit->x == NULL || fit->covariance == NULL ||
        fit->shifts == NULL || fit->normal == NULL) {
        return out_of_memory(error);
    }
    for (int p = 0; p < fit->def.parameter_count; ++p) {
        int logs = fit->parameters[p].per_log ? fit->def.log_count : 1;
        for (int i = 0; i < logs; ++i) {
            HF_TRY(add_unknown(fit, p, fit->parameters[p].per_log ? i : -1, error));
        }
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------

// A first machine: it compiles, and has the signals and channels that are named.
static hf_status look_at_machine(hf_fit *fit, hf_error *error)
{
    // The machine at its first guess
    double *values = new_numbers(fit, fit->def.parameter_count);
    if (values == NULL) {
        return out_of_memory(error);
    }
    int count = 0;
    for (int p = 0; p < fit->def.parameter_count; ++p) {
        if (fit->parameters[p].kind == HF_FIT_MODEL) {
            values[count++] = fit->parameters[p].start;
        }
    }
    hf_spec *spec = fit->def.make(fit->def.context, values, error);
    hf_status status = spec == NULL ? HF_ERROR_INPUT : HF_OK;
    // Signals that are inputs, each once
    for (int i = 0; i < fit->def.input_count && status == HF_OK; ++i) {
        if (hf_spec_find_signal(spec, fit->inputs[i].signal).id == 0) {
            status = hf_error_set(error, HF_ERROR_NAME,
                                  "the model has no signal '%.100s'; an input is declared as "
                                  "'signals: {%.100s: {input: 0}}'",
                                  fit->inputs[i].signal, fit->inputs[i].signal);
        }
        for (int k = 0; k < i && status == HF_OK; ++k) {
            if (strcmp(fit->inputs[k].signal, fit->inputs[i].signal) == 0) {
                status = hf_error_set(error, HF_ERROR_INPUT, "the input '%.100s' is given twice",
                                      fit->inputs[i].signal);
            }
        }
    }
    // Channels and states
    hf_model *model = status == HF_OK ? hf_model_compile(spec, error) : NULL;
    status = status == HF_OK && model == NULL ? HF_ERROR_INPUT : status;
    status = status == HF_OK ? find_channels(fit, model, error) : status;
    status = status == HF_OK ? find_states(fit, model, error) : status;
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    return status;
}

hf_fit *hf_fit_create(const hf_fit_def *def, hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    hf_fit *fit = NULL;
    hf_status status = check_settings(def, error);
    for (int i = 0; i < def->parameter_count && status == HF_OK; ++i) {
        status = check_parameter(def, i, error);
    }
    if (status != HF_OK) {
        return NULL;
    }
    fit = calloc(1, sizeof *fit);
    if (fit == NULL || !keep_definition(fit, def)) {
        (void)out_of_memory(error);
        hf_fit_destroy(fit);
        return NULL;
    }
    if (load_tracks(fit, error) < 0 || look_at_machine(fit, error) < 0 ||
        guess_states(fit, error) < 0 || list_unknowns(fit, error) < 0 ||
        hf_fit_cut(fit, fit->def.segments[0], error) < 0) {
        hf_fit_destroy(fit);
        return NULL;
    }
    return fit;
}

void hf_fit_destroy(hf_fit *fit)
{
    if (fit == NULL) {
        return;
    }
    for (int i = 0; i < fit->message_count; ++i) {
        free(fit->messages[i]);
    }
    free((void *)fit->messages);
    hf_arena_free(&fit->arena);
    free(fit);
}
