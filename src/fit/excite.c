// SPDX-License-Identifier: Apache-2.0
// hf_excite: checks what is wanted and searches the input whose log tells the parameters best.
#include <holdfast/excite.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"
#include "math/dense.h"

enum { MOST_PARAMETERS = 32, MOST_HARMONICS = 64, MOST_LIMITS = 32, MOST_MATCHES = 16 };

// Secants for the derivatives, over a parameter's value, as wide as kinks ask for.
static const double SECANT = 1e-2;
// The part of a period over which the input swells and dies away.
static const double SWELL = 0.1;
// How far coefficients are changed at first, and between what; 1.3 and 0.93 hold one success in
// five.
static const double FIRST_CHANGE = 0.5, LEAST_CHANGE = 0.02, GROWTH = 1.3, DECAY = 0.93;
// Samples of an excitation: more would not fit into memory. Rounding of their count.
static const double MOST_SAMPLES = 1e7, COUNT_ROUNDING = 1e-9;
static const double TWO_PI = 6.283185307179586;

// An input, and what came of it.
typedef struct candidate {
    double coefficients[2 * MOST_HARMONICS]; // a_k, b_k
    double reach;                            // 0 to 1: of what the limits of the input allow
    double broken;                           // the most that a limit was passed by, over its width
    int worst;                               // that limit
    double loss;                             // -log det M or trace M^-1; INFINITY: M is singular
    double variances[MOST_PARAMETERS];       // of parameters over their values
    double low[MOST_LIMITS], high[MOST_LIMITS];
} candidate;

struct hf_excite {
    hf_excite_def def;
    double values[MOST_PARAMETERS], steps[MOST_PARAMETERS];
    hf_model *models[1 + 2 * MOST_PARAMETERS]; // as it is, then below and above each value
    hf_sim *sims[1 + 2 * MOST_PARAMETERS];
    int count; // of them
    hf_signal input;
    hf_channel matches[MOST_MATCHES], limits[MOST_LIMITS];
    bool *moves; // by body: its state is set where segments begin
    long long rows, segment_rows;
    double *time, *u;
    candidate best, sine;
};

hf_excite_def hf_excite_def_default(void)
{
    return (hf_excite_def){.duration = 20.0,
                           .period = 5.0,
                           .harmonics = 8,
                           .interval = 0.01,
                           .segment = 1.0,
                           .trials = 300,
                           .seed = 1};
}

void hf_excite_destroy(hf_excite *e)
{
    for (int i = 0; e != NULL && i < e->count; ++i) {
        hf_sim_destroy(e->sims[i]);
        hf_model_destroy(e->models[i]);
    }
    if (e != NULL) {
        free(e->moves);
        free(e->time);
        free(e->u);
    }
    free(e);
}

// ------------------------------------------------------------------------------------------------
// The input

// Its samples: the series over its largest value, between the limits.
static void make_input(hf_excite *e, const candidate *c)
{
    const hf_excite_def *def = &e->def;
    double largest = 0.0, middle = 0.5 * (def->low + def->high), half = def->high - middle;
    double swell = SWELL * def->period;
    for (long long i = 0; i < e->rows; ++i) {
        double t = e->time[i], sum = 0.0;
        for (int k = 0; k < def->harmonics; ++k) {
            double phase = TWO_PI * (k + 1) * t / def->period;
            sum += c->coefficients[2 * k] * cos(phase) + c->coefficients[2 * k + 1] * sin(phase);
        }
        e->u[i] = sum * fmin(1.0, fmin(t, fmax(0.0, def->duration - t)) / swell);
        largest = fmax(largest, fabs(e->u[i]));
    }
    for (long long i = 0; i < e->rows; ++i) {
        e->u[i] = middle + (largest > 0.0 ? c->reach * half * e->u[i] / largest : 0.0);
    }
}

// ------------------------------------------------------------------------------------------------
// What a log of it would tell

// The others begin a segment where the machine is.
static hf_status begin_segment(hf_excite *e, hf_error *error)
{
    int bodies = hf_model_get_info(e->models[0]).bodies;
    for (int i = 1; i < e->count; ++i) {
        for (int b = 1; b <= bodies; ++b) {
            hf_body body = {b};
            if (!e->moves[b - 1]) {
                continue;
            }
            HF_TRY(hf_sim_set_position(e->sims[i], body, hf_sim_position(e->sims[0], body), error));
            HF_TRY(hf_sim_set_velocity(e->sims[i], body, hf_sim_velocity(e->sims[0], body), error));
        }
    }
    return HF_OK;
}

static void note_limits(hf_excite *e, candidate *c)
{
    for (int k = 0; k < e->def.limit_count; ++k) {
        const hf_excite_limit *limit = &e->def.limits[k];
        double value = hf_sim_value(e->sims[0], e->limits[k]);
        c->low[k] = fmin(c->low[k], value);
        c->high[k] = fmax(c->high[k], value);
        double beyond = fmax(limit->low - value, value - limit->high);
        double part = beyond / (limit->high - limit->low);
        if (part > c->broken) {
            c->broken = part;
            c->worst = k;
        }
    }
}

// Adds a sample to M: the derivatives of every match by the parameters over their values.
static void add_sample(hf_excite *e, double *m)
{
    int n = e->def.parameter_count;
    for (int k = 0; k < e->def.match_count; ++k) {
        double row[MOST_PARAMETERS];
        for (int i = 0; i < n; ++i) {
            double below = hf_sim_value(e->sims[1 + 2 * i], e->matches[k]);
            double above = hf_sim_value(e->sims[2 + 2 * i], e->matches[k]);
            row[i] = (above - below) / (2.0 * e->steps[i]) * fabs(e->values[i]) /
                     e->def.matches[k].deviation;
        }
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                m[i * n + j] += row[i] * row[j];
            }
        }
    }
}

// The loss of M, and the variances that it gives.
static void judge(const hf_excite *e, const double *m, candidate *c)
{
    size_t n = (size_t)e->def.parameter_count;
    double l[MOST_PARAMETERS * MOST_PARAMETERS], inverse[MOST_PARAMETERS * MOST_PARAMETERS];
    memcpy(l, m, n * n * sizeof *l);
    bool regular = hf_cholesky(l, n) && hf_dense_invert(m, n, inverse);
    double sum = 0.0, logarithm = 0.0;
    for (size_t i = 0; i < n; ++i) {
        c->variances[i] = regular ? inverse[i * n + i] : INFINITY;
        sum += c->variances[i];
        logarithm -= regular ? 2.0 * log(l[i * n + i]) : 0.0;
    }
    c->loss = !regular ? INFINITY : e->def.criterion == HF_EXCITE_A ? sum : logarithm;
    c->loss = isfinite(c->loss) ? c->loss : INFINITY;
}

// Simulates an input. The limits of the machine come first: where one is broken nothing else
// counts, and the derivatives are not looked at.
static hf_status try_input(hf_excite *e, candidate *c, hf_error *error)
{
    double m[MOST_PARAMETERS * MOST_PARAMETERS] = {0};
    // Beginning
    make_input(e, c);
    c->broken = 0.0;
    c->loss = INFINITY;
    for (int k = 0; k < e->def.limit_count; ++k) {
        c->low[k] = INFINITY;
        c->high[k] = -INFINITY;
    }
    for (int i = 0; i < e->count; ++i) {
        hf_sim_reset(e->sims[i]);
    }
    // Sample by sample
    for (long long row = 0; row < e->rows; ++row) {
        if (row % e->segment_rows == 0 && row > 0) {
            HF_TRY(begin_segment(e, error));
        }
        bool within = !(c->broken > 0.0);
        for (int i = 0; i < (within ? e->count : 1); ++i) {
            hf_sim_set_input(e->sims[i], e->input, e->u[row]);
            if (row > 0) {
                HF_TRY(hf_sim_advance(e->sims[i], e->time[row], false, error));
            }
        }
        note_limits(e, c);
        if (within && row % e->segment_rows != 0) {
            add_sample(e, m);
        }
    }
    if (!(c->broken > 0.0)) {
        judge(e, m, c);
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// The search

static bool is_better(const candidate *a, const candidate *b)
{
    return a->broken != b->broken ? a->broken < b->broken : a->loss < b->loss;
}

// The best plain sine: each harmonic, with as much reach as the limits leave it.
static hf_status try_sines(hf_excite *e, hf_error *error)
{
    enum { HALVINGS = 6 };
    e->sine = (candidate){.broken = INFINITY, .loss = INFINITY};
    for (int k = 0; k < e->def.harmonics; k = 2 * k + 1) {
        candidate c = {.reach = 1.0};
        c.coefficients[2 * k + 1] = 1.0;
        double step = 0.5;
        for (int i = 0; i < HALVINGS; ++i, step *= 0.5) {
            HF_TRY(try_input(e, &c, error));
            if (is_better(&c, &e->sine)) {
                e->sine = c;
            }
            if (c.reach == 1.0 && !(c.broken > 0.0)) {
                break;
            }
            c.reach += c.broken > 0.0 ? -step : step;
        }
    }
    return HF_OK;
}

static hf_status search(hf_excite *e, hf_error *error)
{
    unsigned long long random = e->def.seed * 0x9e3779b97f4a7c15ull + 1;
    double change = FIRST_CHANGE;
    e->best = e->sine;
    // Changes of what is best so far, which are kept when they are better
    for (int trial = 0; trial < e->def.trials; ++trial) {
        candidate c = e->best;
        double size = 0.0;
        for (int k = 0; k < 2 * e->def.harmonics; ++k) {
            c.coefficients[k] += change * hf_fit_random(&random);
            size = fmax(size, fabs(c.coefficients[k]));
        }
        for (int k = 0; k < 2 * e->def.harmonics && size > 0.0; ++k) {
            c.coefficients[k] /= size;
        }
        c.reach = fmin(1.0, fmax(0.05, c.reach * (1.0 + change * hf_fit_random(&random))));
        // Wider changes after a success, narrower ones otherwise
        HF_TRY(try_input(e, &c, error));
        bool better = is_better(&c, &e->best);
        e->best = better ? c : e->best;
        change = fmin(1.0, fmax(LEAST_CHANGE, change * (better ? GROWTH : DECAY)));
        if (e->def.progress != NULL &&
            !e->def.progress(e->def.progress_context, trial + 1, e->best.loss)) {
            break;
        }
    }
    make_input(e, &e->best);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Creation

static hf_status check(const hf_excite_def *def, hf_error *error)
{
    // Numbers of the definition
    const struct {
        bool good;
        const char *text;
    } rules[] = {
        {def->make != NULL && def->input != NULL, "an input and a machine must be given"},
        {def->parameter_count >= 1 && def->parameter_count <= MOST_PARAMETERS,
         "1 to 32 numbers must be free"},
        {def->match_count >= 1 && def->match_count <= MOST_MATCHES,
         "1 to 16 channels must be measured"},
        {def->low < def->high && isfinite(def->high - def->low),
         "the input needs limits, the lower below the upper"},
        {def->limit_count >= 0 && def->limit_count <= MOST_LIMITS, "at most 32 limits"},
        {def->harmonics >= 1 && def->harmonics <= MOST_HARMONICS, "1 to 64 harmonics"},
        {def->period > 0.0 && def->duration >= def->period && isfinite(def->duration),
         "the duration must not be below the period, nor the period 0"},
        {def->interval > 0.0 && def->duration / def->interval <= MOST_SAMPLES &&
             def->interval < def->period / (2.0 * def->harmonics),
         "the interval between samples must be above 0 and below half of the fastest period"},
        {def->segment >= 2.0 * def->interval, "segments must have two samples at least"},
        {def->trials >= 1, "at least one trial"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
        if (!rules[i].good) {
            return hf_error_set(error, HF_ERROR_RANGE, "excite: %s", rules[i].text);
        }
    }
    // Each channel
    for (int i = 0; i < def->match_count; ++i) {
        if (!(def->matches[i].deviation > 0.0)) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "excite: the deviation of '%.100s' must be above 0",
                                def->matches[i].channel);
        }
    }
    for (int i = 0; i < def->limit_count; ++i) {
        if (!(def->limits[i].low < def->limits[i].high)) {
            return hf_error_set(error, HF_ERROR_RANGE, "excite: the limits of '%.100s' are empty",
                                def->limits[i].channel);
        }
    }
    return HF_OK;
}

// The machine as it is, and with each number smaller and larger.
static hf_status make_sims(hf_excite *e, hf_error *error)
{
    const hf_excite_def *def = &e->def;
    // Values and steps
    for (int i = 0; i < def->parameter_count; ++i) {
        const hf_fit_parameter *p = &def->parameters[i];
        if (p->kind != HF_FIT_MODEL || p->start == 0.0) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "excite: '%.100s' needs a first guess other than 0", p->name);
        }
        e->values[i] = p->start;
        e->steps[i] = SECANT * fabs(p->start);
    }
    // Sims
    for (int i = 0; i <= 2 * def->parameter_count; ++i) {
        double values[MOST_PARAMETERS];
        memcpy(values, e->values, sizeof values);
        if (i > 0) {
            values[(i - 1) / 2] += i % 2 == 1 ? -e->steps[(i - 1) / 2] : e->steps[(i - 1) / 2];
        }
        hf_spec *spec = def->make(def->context, values, error);
        e->models[i] = spec == NULL ? NULL : hf_model_compile(spec, error);
        hf_spec_destroy(spec);
        e->count = i + 1;
        if (e->models[i] == NULL) {
            return HF_ERROR_INPUT;
        }
        hf_sim_def sim = hf_sim_def_default(e->models[i]);
        memcpy(sim.methods, def->methods, sizeof sim.methods);
        e->sims[i] = hf_sim_create(e->models[i], &sim, error);
        if (e->sims[i] == NULL) {
            return HF_ERROR_INPUT;
        }
    }
    return HF_OK;
}

static hf_status find_channel(const hf_model *model, const char *name, hf_channel *channel,
                              hf_error *error)
{
    *channel = hf_model_find_channel(model, name);
    return channel->id != 0 ? HF_OK
                            : hf_error_set(error, HF_ERROR_NAME,
                                           "excite: the model has no channel '%.100s'", name);
}

static hf_status find_names(hf_excite *e, hf_error *error)
{
    const hf_model *model = e->models[0];
    e->input = hf_model_find_signal(model, e->def.input);
    if (e->input.id == 0 || hf_model_signal_info(model, e->input).type != HF_SIGNAL_INPUT) {
        return hf_error_set(error, HF_ERROR_NAME, "excite: the model has no input '%.100s'",
                            e->def.input);
    }
    for (int i = 0; i < e->def.match_count; ++i) {
        HF_TRY(find_channel(model, e->def.matches[i].channel, &e->matches[i], error));
    }
    for (int i = 0; i < e->def.limit_count; ++i) {
        HF_TRY(find_channel(model, e->def.limits[i].channel, &e->limits[i], error));
    }
    return HF_OK;
}

// Times of samples, and which bodies can be set.
static hf_status make_room(hf_excite *e, hf_error *error)
{
    int bodies = hf_model_get_info(e->models[0]).bodies;
    e->rows = (long long)floor(e->def.duration / e->def.interval + COUNT_ROUNDING) + 1;
    e->segment_rows = (long long)fmax(2.0, round(e->def.segment / e->def.interval));
    e->time = calloc((size_t)e->rows, sizeof *e->time);
    e->u = calloc((size_t)e->rows, sizeof *e->u);
    e->moves = calloc((size_t)bodies + 1, sizeof *e->moves);
    if (e->time == NULL || e->u == NULL || e->moves == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for %lld samples", e->rows);
    }
    for (long long i = 0; i < e->rows; ++i) {
        e->time[i] = (double)i * e->def.interval;
    }
    for (int b = 1; b <= bodies; ++b) {
        hf_error unseen;
        hf_body body = {b};
        e->moves[b - 1] = hf_model_body_slots(e->models[0], body).velocity_count > 0 &&
                          hf_sim_set_position(e->sims[0], body, hf_sim_position(e->sims[0], body),
                                              &unseen) == HF_OK;
    }
    return HF_OK;
}

hf_excite *hf_excite_create(const hf_excite_def *def, hf_error *error)
{
    hf_excite *e = calloc(1, sizeof *e);
    hf_error local = {0};
    error = error == NULL ? &local : error;
    if (e == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    // The search
    e->def = *def;
    hf_status status = check(def, error);
    status = status == HF_OK ? make_sims(e, error) : status;
    status = status == HF_OK ? find_names(e, error) : status;
    status = status == HF_OK ? make_room(e, error) : status;
    status = status == HF_OK ? try_sines(e, error) : status;
    status = status == HF_OK ? search(e, error) : status;
    // What was found must be within the limits, and tell something
    if (status == HF_OK && e->best.broken > 0.0) {
        const hf_excite_limit *limit = &def->limits[e->best.worst];
        status = hf_error_set(error, HF_ERROR_RANGE,
                              "no input was found within the limits: '%.100s' goes from %g to %g, "
                              "and %g to %g are allowed",
                              limit->channel, e->best.low[e->best.worst],
                              e->best.high[e->best.worst], limit->low, limit->high);
    } else if (status == HF_OK && !isfinite(e->best.loss)) {
        status = hf_error_set(error, HF_ERROR_CONVERGENCE,
                              "no input within the limits tells these numbers apart by what is "
                              "measured: fewer of them, or more channels");
    }
    if (status != HF_OK) {
        hf_excite_destroy(e);
        return NULL;
    }
    return e;
}

// ------------------------------------------------------------------------------------------------
// What was found

long long hf_excite_rows(const hf_excite *e)
{
    return e->rows;
}

const double *hf_excite_times(const hf_excite *e)
{
    return e->time;
}

const double *hf_excite_input(const hf_excite *e)
{
    return e->u;
}

static double deviation(const hf_excite *e, const candidate *c, int parameter)
{
    return c->broken > 0.0 ? INFINITY : sqrt(c->variances[parameter]) * fabs(e->values[parameter]);
}

double hf_excite_deviation(const hf_excite *e, int parameter)
{
    return deviation(e, &e->best, parameter);
}

double hf_excite_sine_deviation(const hf_excite *e, int parameter)
{
    return deviation(e, &e->sine, parameter);
}

void hf_excite_reached(const hf_excite *e, int limit, double *low, double *high)
{
    *low = e->best.low[limit];
    *high = e->best.high[limit];
}
