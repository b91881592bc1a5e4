// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics: what enters the equations of motion linearly, by one least squares problem. The
// residual of a row of the log is a force for each coordinate,
//
//   r(theta) = M(theta; q) (a - a(theta; q, v, inputs))                                        (1)
//
// with q filtered without delay, v and a its central differences, and a(theta; ...) the machine's
// own acceleration: one step of 1 us from that state. Where r is linear in a parameter its column
// is a difference of two evaluations. Columns and residual are filtered and thinned alike, which
// leaves the problem as it is and makes residuals nearly white [Gautier1997].
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/filter.h"
#include "fit/fit_data.h"
#include "fit/spectrum.h"
#include "sim/sim_data.h"

// The step that tells an acceleration [s].
static const double MOMENT = 1e-6;
// A parameter is linear when the second difference of r is below this part of the first.
static const double STRAIGHT = 1e-5;
// A row whose velocity would be spent in so many moments stands still.
static const double NEARLY = 10.0;
// Rounding of a time, of itself, and of a count of steps, of a step.
static const double TIME_ROUNDING = 1e-12, COUNT_ROUNDING = 1e-9;
enum { MOST_COORDINATES = 16 };

// Rows of all logs, one after the other.
typedef struct rows {
    hf_fit *fit;
    int coordinates, columns; // columns: the residual, the inputs' share, and one for each unknown
    long long count, room;    // rows, a number of each coordinate
    double **column;
} rows;

// One log on an even grid.
typedef struct grid {
    long long count;
    double step;
    double *q, *v, *a; // [coordinate * count + k]
    double *inputs;    // [input * count + k]
    bool *rests;       // [k] rows that tell nothing
} grid;

static hf_status out_of_memory(hf_error *error)
{
    return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

// ------------------------------------------------------------------------------------------------
// A log on an even grid

static double at_time(const hf_fit_track *track, const double *values, double t, bool hold,
                      long long *near)
{
    while (*near + 2 < track->rows && track->time[*near + 1] <= t) {
        *near += 1;
    }
    long long k = *near;
    double part = (t - track->time[k]) / (track->time[k + 1] - track->time[k]);
    if (hold) {
        return values[part >= 1.0 ? k + 1 : k];
    }
    return values[k] + fmin(fmax(part, 0.0), 1.0) * (values[k + 1] - values[k]);
}

static void resample(const hf_fit_track *track, const double *values, double delay, bool hold,
                     const grid *g, double *out)
{
    long long near = 0;
    for (long long k = 0; k < g->count; ++k) {
        // Even times are the log's own where it has them
        double t = g->step * (double)k * (1.0 + TIME_ROUNDING) - delay;
        out[k] = at_time(track, values, fmax(t, 0.0), hold, &near);
    }
}

static void differentiate(const double *x, long long count, double step, double *out)
{
    for (long long k = 1; k + 1 < count; ++k) {
        out[k] = (x[k + 1] - x[k - 1]) / (2.0 * step);
    }
    out[0] = out[count - 1] = 0.0; // the ends are cut off
}

static void grid_free(grid *g)
{
    free(g->q);
    free(g->inputs);
    free(g->rests);
}

static hf_status grid_make(hf_fit *fit, const hf_fit_track *track, double cutoff, grid *g,
                           hf_error *error)
{
    // Room for positions, velocities and accelerations
    int n = fit->state_count / 2;
    g->count = track->rows;
    g->step = track->time[track->rows - 1] / (double)(track->rows - 1);
    size_t size = (size_t)g->count * (size_t)n;
    g->q = malloc(3 * size * sizeof *g->q);
    g->inputs = malloc((size_t)g->count * ((size_t)fit->def.input_count + 1) * sizeof *g->inputs);
    g->rests = calloc((size_t)g->count, sizeof *g->rests);
    if (g->q == NULL || g->inputs == NULL || g->rests == NULL) {
        return out_of_memory(error);
    }
    g->v = g->q + size;
    g->a = g->v + size;
    // A cutoff that the sampling rate allows
    if (cutoff > 0.0 && !(cutoff * g->step < 0.5)) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "%.200s: the cutoff of %g Hz is not below half the sampling rate, %g "
                            "Hz",
                            track->log->name, cutoff, 0.5 / g->step);
    }
    // Motion, filtered and differentiated on even steps
    for (int i = 0; i < n; ++i) {
        double *q = g->q + i * g->count;
        resample(track, track->measured + fit->states[2 * i].match * track->rows, 0.0, false, g, q);
        if (cutoff > 0.0 && !hf_filter_both_ways(q, g->count, cutoff * g->step)) {
            return out_of_memory(error);
        }
        differentiate(q, g->count, g->step, g->v + i * g->count);
        differentiate(g->v + i * g->count, g->count, g->step, g->a + i * g->count);
    }
    // Inputs on the same steps
    for (int i = 0; i < fit->def.input_count; ++i) {
        resample(track, track->inputs[i], fit->inputs[i].delay, fit->inputs[i].hold == HF_FIT_HELD,
                 g, g->inputs + i * g->count);
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Residuals of a machine

// A machine with these values and plain inputs, whose step is a moment.
static hf_sim *open_machine(const hf_fit *fit, const double *x, hf_model **model, hf_error *error)
{
    double *values = calloc(2 * (size_t)fit->def.parameter_count + 2, sizeof *values);
    hf_sim *sim = NULL;
    *model = NULL;
    if (values == NULL) {
        (void)out_of_memory(error);
        return NULL;
    }
    double *own = values + fit->def.parameter_count + 1;
    hf_fit_values(fit, 0, x, values);
    for (int p = 0, count = 0; p < fit->def.parameter_count; ++p) {
        if (fit->parameters[p].kind == HF_FIT_MODEL) {
            own[count++] = values[p];
        }
    }
    hf_spec *spec = fit->def.make(fit->def.context, own, error);
    *model = spec == NULL ? NULL : hf_model_compile(spec, error);
    if (*model != NULL) {
        hf_sim_def def = hf_sim_def_default(*model);
        memcpy(def.methods, fit->def.methods, sizeof def.methods);
        def.method = (hf_method_def){.type = HF_METHOD_DISCRETE, .step = MOMENT};
        sim = hf_sim_create(*model, &def, error);
    }
    hf_spec_destroy(spec);
    free(values);
    return sim;
}

static hf_status put_state(const hf_fit *fit, hf_sim *sim, const double *q, const double *v,
                           hf_error *error)
{
    for (int i = 0; i < fit->state_count / 2;) {
        hf_body body = fit->states[2 * i].body;
        int first = i;
        while (i < fit->state_count / 2 && fit->states[2 * i].body.id == body.id) {
            ++i;
        }
        HF_TRY(hf_sim_set_position(sim, body, q + first, error));
        HF_TRY(hf_sim_set_velocity(sim, body, v + first, error));
    }
    return HF_OK;
}

// The mass matrix, from kinetic energies of unit velocities.
static hf_status mass_matrix(const hf_fit *fit, hf_sim *sim, const double *q, int n, double *m,
                             hf_error *error)
{
    double v[MOST_COORDINATES];
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            memset(v, 0, sizeof v);
            v[i] += 1.0;
            v[j] += i == j ? 0.0 : 1.0;
            HF_TRY(put_state(fit, sim, q, v, error));
            double kinetic = hf_sim_energy(sim).kinetic;
            m[i * n + j] = i == j ? 2.0 * kinetic : kinetic;
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < i; ++j) {
            m[i * n + j] -= 0.5 * (m[i * n + i] + m[j * n + j]);
            m[j * n + i] = m[i * n + j];
        }
    }
    return HF_OK;
}

// (1) at row k of a grid; `driven` false: without the inputs. `rests`, if not NULL: whether the
// machine stands there, or is about to. Friction is then any force, and the row tells nothing.
static hf_status residual(const hf_fit *fit, hf_sim *sim, const grid *g, long long k, bool driven,
                          double *r, bool *rests, hf_error *error)
{
    int n = fit->state_count / 2;
    double q[MOST_COORDINATES], v[MOST_COORDINATES], m[MOST_COORDINATES * MOST_COORDINATES];
    double lack[MOST_COORDINATES];
    // The state of this row
    for (int i = 0; i < n; ++i) {
        q[i] = g->q[i * g->count + k];
        v[i] = g->v[i * g->count + k];
    }
    HF_TRY(mass_matrix(fit, sim, q, n, m, error));
    HF_TRY(put_state(fit, sim, q, v, error));
    // and its inputs
    for (int i = 0; i < fit->def.input_count; ++i) {
        hf_signal signal = hf_model_find_signal(hf_sim_model(sim), fit->inputs[i].signal);
        hf_sim_set_input(sim, signal, driven ? g->inputs[i * g->count + k] : 0.0);
    }
    // What acceleration a short step gives, against the measured one
    HF_TRY(hf_sim_step(sim, error));
    for (int i = 0; i < n; ++i) {
        double after = hf_sim_velocities(sim)[fit->states[2 * i + 1].slot];
        lack[i] = g->a[i * g->count + k] - (after - v[i]) / MOMENT;
        if (rests != NULL && fabs(v[i]) <= NEARLY * fabs(after - v[i])) {
            *rests = true;
        }
    }
    // as a force
    for (int i = 0; i < n; ++i) {
        r[i] = 0.0;
        for (int j = 0; j < n; ++j) {
            r[i] += m[i * n + j] * lack[j];
        }
    }
    return HF_OK;
}

// Residuals of all rows of a grid with the unknown `index` moved by `step` (-1: none), to
// out[coordinate * count + k].
static hf_status residuals(hf_fit *fit, const grid *g, int index, double step, bool driven,
                           double *out, hf_error *error)
{
    // The machine with the number moved
    double *x = malloc(((size_t)fit->unknown_count + 1) * sizeof *x), r[MOST_COORDINATES];
    if (x == NULL) {
        return out_of_memory(error);
    }
    memcpy(x, fit->x, (size_t)fit->unknown_count * sizeof *x);
    if (index >= 0) {
        x[index] += step;
    }
    hf_model *model = NULL;
    hf_sim *sim = open_machine(fit, x, &model, error);
    hf_status status = sim == NULL ? HF_ERROR_INPUT : HF_OK;
    // One that this method can take
    if (status == HF_OK &&
        (sim->model->clock_count > 0 || hf_model_get_info(model).law_states > 0)) {
        status = hf_error_set(error, HF_ERROR_UNSUPPORTED,
                              "inverse dynamics needs a machine whose inputs are its forces, and "
                              "frictions without inner states: this one has %s",
                              sim->model->clock_count > 0 ? "a sampled controller"
                                                          : "a law with states of its own");
    }
    // Row by row; at rest friction has no known value
    for (long long k = 0; k < g->count && status == HF_OK; ++k) {
        bool *rests = index < 0 && driven ? &g->rests[k] : NULL;
        status = residual(fit, sim, g, k, driven, r, rests, error);
        for (int i = 0; i < fit->state_count / 2; ++i) {
            out[i * g->count + k] = g->rests[k] ? 0.0 : r[i];
        }
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    free(x);
    return status < 0 ? status : HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Columns

// Cuts the ends off, thins, and appends what is left of every coordinate to a column.
static hf_status append(rows *s, int column, double *values, const grid *g, double trim, int every,
                        long long begin, hf_error *error)
{
    long long cut = (long long)ceil(trim / g->step - COUNT_ROUNDING), left = g->count - 2 * cut;
    long long at = begin;
    for (int i = 0; i < s->coordinates; ++i) {
        double *from = values + i * g->count + cut;
        long long kept = left < 2 ? 0 : hf_filter_thin(from, left, every);
        if (kept < 1 || at + kept > s->room) {
            return left < 2 ? hf_error_set(error, HF_ERROR_INPUT,
                                           "a log is shorter than what is cut off its ends")
                            : out_of_memory(error);
        }
        memcpy(s->column[column] + at, from, (size_t)kept * sizeof *from);
        at += kept;
    }
    s->count = at;
    return HF_OK;
}

static double norm(const double *x, long long count)
{
    double sum = 0.0;
    for (long long k = 0; k < count; ++k) {
        sum += x[k] * x[k];
    }
    return sqrt(sum);
}

// The columns of one log. linear[u]: whether r is linear in the unknown u, in this log too.
static hf_status add_log(rows *s, const grid *g, const hf_fit_inverse_def *def, bool *linear,
                         hf_error *error)
{
    hf_fit *fit = s->fit;
    long long size = g->count * s->coordinates, begin = s->count;
    // Residuals as the machine is
    double *base = malloc(3 * (size_t)size * sizeof *base);
    if (base == NULL) {
        return out_of_memory(error);
    }
    double *once = base + size, *twice = once + size;
    hf_status status = residuals(fit, g, -1, 0.0, true, base, error);
    // By each unknown, at one step and at two: is it linear?
    for (int u = 0; u < fit->unknown_count && status == HF_OK; ++u) {
        hf_fit_kind kind = fit->parameters[fit->unknowns[u].parameter].kind;
        double step = 0.25 * fit->scales[u];
        if (kind != HF_FIT_MODEL || !linear[u]) {
            linear[u] = false;
            continue;
        }
        status = residuals(fit, g, u, step, true, once, error);
        status = status == HF_OK ? residuals(fit, g, u, 2.0 * step, true, twice, error) : status;
        for (long long k = 0; k < size; ++k) {
            double bend = twice[k] - 2.0 * once[k] + base[k];
            once[k] = (once[k] - base[k]) / step;
            twice[k] = bend / step;
        }
        double slope = norm(once, size);
        linear[u] = slope > 0.0 && norm(twice, size) <= STRAIGHT * slope;
        status = status == HF_OK ? append(s, 2 + u, once, g, def->trim, def->every, begin, error)
                                 : status;
    }
    // What the inputs explain, and what is left
    if (status == HF_OK) { // The share of the inputs
        status = residuals(fit, g, -1, 0.0, false, once, error);
        for (long long k = 0; k < size; ++k) {
            once[k] -= base[k];
        }
    }
    status = status == HF_OK ? append(s, 1, once, g, def->trim, def->every, begin, error) : status;
    status = status == HF_OK ? append(s, 0, base, g, def->trim, def->every, begin, error) : status;
    free(base);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Least squares

static double dot(const double *a, const double *b, long long count)
{
    double sum = 0.0;
    for (long long k = 0; k < count; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

static hf_status solve(rows *s, const bool *linear, hf_fit_inverse *out, hf_error *error)
{
    hf_fit *fit = s->fit;
    int place[HF_FIT_MOST_INVERSE], n = 0;
    // Those that enter linearly
    for (int u = 0; u < fit->unknown_count; ++u) {
        if (linear[u]) {
            place[n++] = u;
        }
    }
    double *h = calloc(2 * (size_t)n * (size_t)n + (size_t)n + 1, sizeof *h);
    if (h == NULL) {
        return out_of_memory(error);
    }
    double *inverse = h + n * n, *g = inverse + n * n;
    // Normal equations
    for (int i = 0; i < n; ++i) {
        g[i] = -dot(s->column[2 + place[i]], s->column[0], s->count);
        for (int j = 0; j < n; ++j) {
            h[i * n + j] = dot(s->column[2 + place[i]], s->column[2 + place[j]], s->count);
        }
    }
    double condition = 0.0;
    hf_status status = n == 0 ? HF_OK : hf_spectrum_invert(h, n, inverse, &condition, error);
    if (status == HF_OK) {
        // Values, what is left, and white deviations
        for (int i = 0; i < n; ++i) {
            double step = dot(inverse + i * n, g, n);
            out->values[place[i]] += step;
            for (long long k = 0; k < s->count; ++k) {
                s->column[0][k] += s->column[2 + place[i]][k] * step;
            }
        }
        double left = norm(s->column[0], s->count);
        double variance = left * left / (double)(s->count - n);
        for (int i = 0; i < n; ++i) {
            out->deviations[place[i]] = sqrt(variance * inverse[i * n + i]);
        }
        out->relative = left / norm(s->column[1], s->count);
        out->rows = s->count;
        out->linear = n;
    }
    free(h);
    return status;
}

static hf_status check(const hf_fit *fit, const hf_fit_inverse_def *def, hf_error *error)
{
    if (!(def->cutoff >= 0.0) || !(def->trim >= 0.0) || def->every < 1 || def->every > 1000) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "expected a cutoff >= 0 Hz, a trim >= 0 s, every 1 to 1000");
    }
    if (fit->unknown_count > HF_FIT_MOST_INVERSE || fit->state_count / 2 > MOST_COORDINATES) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "inverse dynamics takes %d unknowns and %d coordinates at most",
                            HF_FIT_MOST_INVERSE, MOST_COORDINATES);
    }
    for (int i = 0; i < fit->state_count; i += 2) {
        if (fit->states[i].match < 0) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "inverse dynamics needs the position of every coordinate, and "
                                "coordinate %d is not measured",
                                i / 2 + 1);
        }
    }
    return HF_OK;
}

hf_status hf_fit_run_inverse(hf_fit *fit, const hf_fit_inverse_def *def, hf_fit_inverse *out,
                             hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    *out = (hf_fit_inverse){0};
    // What is asked for, and values to begin with
    HF_TRY(check(fit, def, error));
    bool linear[HF_FIT_MOST_INVERSE];
    for (int u = 0; u < fit->unknown_count; ++u) {
        linear[u] = true;
        out->values[u] = fit->x[u];
        out->deviations[u] = (double)NAN;
    }
    // A column for each unknown, over all logs
    rows s = {.fit = fit, .coordinates = fit->state_count / 2, .columns = fit->unknown_count + 2};
    for (int t = 0; t < fit->def.log_count; ++t) {
        s.room += fit->tracks[t].rows * s.coordinates;
    }
    s.column = calloc((size_t)s.columns, sizeof *s.column);
    hf_status status = s.column == NULL ? out_of_memory(error) : HF_OK;
    for (int i = 0; i < s.columns && status == HF_OK; ++i) {
        s.column[i] = calloc((size_t)s.room + 1, sizeof **s.column);
        status = s.column[i] == NULL ? out_of_memory(error) : HF_OK;
    }
    // Filled log by log
    for (int t = 0; t < fit->def.log_count && status == HF_OK; ++t) {
        grid g = {0};
        status = grid_make(fit, &fit->tracks[t], def->cutoff, &g, error);
        status = status == HF_OK ? add_log(&s, &g, def, linear, error) : status;
        grid_free(&g);
    }
    // Solved, and taken over where that is wanted
    status = status == HF_OK ? solve(&s, linear, out, error) : status;
    for (int u = 0; u < fit->unknown_count && status == HF_OK && def->apply; ++u) {
        const hf_fit_unknown *unknown = &fit->unknowns[u];
        fit->x[u] = fmin(fmax(out->values[u], unknown->low), unknown->high);
        fit->unknowns[u].start = fit->x[u];
    }
    for (int i = 0; i < s.columns && s.column != NULL; ++i) {
        free(s.column[i]);
    }
    free((void *)s.column);
    return status;
}
