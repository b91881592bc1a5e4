// SPDX-License-Identifier: Apache-2.0
// Tests that show what one friction law does: sweeps, hysteresis, break-away, drift.
#include "cli/characterize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "cli/rig.h"

static const double PI = 3.14159265358979323846;
static const double LARGEST_STEP = 1e-4; // [s]
// Speeds of the steady force: from this part of the largest one up, so that slow ones are seen too.
static const double DECADES = 1e3;
// The step of a load that grows, of the time in which it reaches the level.
static const double LOAD_STEP = 1e-3;

// ------------------------------------------------------------------------------------------------
// Curves

static hf_cli_series *add_series(hf_cli_character *c, hf_cli_test test, const char *name)
{
    hf_cli_series *s = &c->series[test][c->counts[test]++];
    (void)snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

static hf_status add_point(hf_cli_series *s, double x, double y, hf_error *error)
{
    if (s->count == s->capacity) {
        size_t room_x = s->capacity, room_y = s->capacity;
        double *xs = hf_grow(s->x, s->count, &room_x, sizeof *xs);
        s->x = xs == NULL ? s->x : xs;
        double *ys = xs == NULL ? NULL : hf_grow(s->y, s->count, &room_y, sizeof *ys);
        s->y = ys == NULL ? s->y : ys;
        if (ys == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        s->capacity = room_x < room_y ? room_x : room_y;
    }
    s->x[s->count] = x;
    s->y[s->count++] = y;
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Tests

// The force that the law's own numbers promise in sliding, under a normal force of 1 N.
static double promised_level(const hf_cli_character *c, double speed)
{
    double level = 0.0, elements = 0.0, factor = 1.0;
    for (int i = 0; i < c->law->param_count; ++i) {
        const hf_param *param = &c->law->params[i];
        const void *member = (const char *)c->def + param->offset;
        if (param->kind == HF_PARAM_LEVEL) {
            double value = hf_level_at(member, HF_FORTH, speed, 1.0, HF_REGIME_SLIP);
            *(strcmp(param->name, "factor") == 0 ? &factor : &level) = value;
        } else if (param->kind == HF_PARAM_LIST && strcmp(param->name, "levels") == 0) {
            const hf_list *list = member;
            for (int k = 0; k < list->count; ++k) {
                elements += list->values[k];
            }
        }
    }
    level = level > 0.0 ? level : elements * factor;
    return level > 0.0 ? level : 1.0;
}

static bool is_per_normal(const hf_cli_character *c)
{
    for (int i = 0; i < c->law->param_count; ++i) {
        const void *member = (const char *)c->def + c->law->params[i].offset;
        if (c->law->params[i].kind == HF_PARAM_LEVEL && ((const hf_level *)member)->per_normal) {
            return true;
        }
    }
    return false;
}

// A step in which explicit Euler resolves a bristle of length `reach` at a speed. Laws that are
// computed once a step have none.
static double step_at(const hf_cli_character *c, double speed)
{
    return c->moved == NULL ? LARGEST_STEP : fmin(LARGEST_STEP, 0.2 * c->reach / speed);
}

static hf_status steady_force(const hf_cli_character *c, double speed, double *force,
                              hf_error *error)
{
    hf_cli_rig rig;
    hf_status status = hf_cli_rig_open(&rig, c, true, step_at(c, speed), error);
    double time = fmax(0.3, 25.0 * c->reach / speed);
    long long steps = (long long)ceil(time / rig.step);
    for (long long k = 0; k < steps && status == HF_OK; ++k) {
        status = hf_cli_rig_move(&rig, speed, error);
    }
    *force = status == HF_OK ? hf_cli_rig_force(&rig) : 0.0;
    hf_cli_rig_close(&rig);
    return status;
}

static hf_status test_stribeck(hf_cli_character *c, hf_error *error)
{
    enum { POINTS = 25 };
    hf_cli_series *s = add_series(c, HF_CLI_TEST_STRIBECK, "steady");
    c->least = INFINITY;
    for (int i = 0; i < POINTS; ++i) {
        double speed = c->speed * pow(DECADES, (double)i / (POINTS - 1) - 1.0), force = 0.0;
        HF_TRY(steady_force(c, speed, &force, error));
        HF_TRY(add_point(s, speed, force, error));
        c->least = fmin(c->least, force);
        c->fast = force;
    }
    if (is_per_normal(c)) { // the load is the machine's
        double scale = c->fast / promised_level(c, c->speed);
        c->level *= scale > 0.0 ? scale : 1.0;
        c->reach *= scale > 0.0 && c->stiffness > 0.0 ? scale : 1.0;
    }
    return HF_OK;
}

static hf_status test_map(hf_cli_character *c, hf_error *error)
{
    const double period = 1.0;
    hf_cli_series *s = add_series(c, HF_CLI_TEST_MAP, "1 Hz");
    hf_cli_rig rig;
    hf_status status = hf_cli_rig_open(&rig, c, true, step_at(c, c->speed), error);
    long long steps = (long long)ceil(1.25 * period / rig.step), stride = 1 + steps / 800;
    for (long long k = 1; k <= steps && status == HF_OK; ++k) {
        double time = (double)k * rig.step, speed = c->speed * sin(2.0 * PI * time / period);
        status = hf_cli_rig_move(&rig, speed, error);
        if (status == HF_OK && time >= 0.25 * period && k % stride == 0) {
            status = add_point(s, hf_cli_rig_speed(&rig), hf_cli_rig_force(&rig), error);
        }
    }
    hf_cli_rig_close(&rig);
    return status;
}

static hf_status test_presliding(hf_cli_character *c, hf_error *error)
{
    // In lengths of presliding: the second half turns where the first half did, backwards.
    static const double turns[] = {3.0, -2.4, 1.8, -1.2, 0.7, -0.3, 0.7, -1.2, 1.8, -2.4, 3.0};
    enum { TURNS = sizeof turns / sizeof *turns };
    const double speed = 10.0 * c->reach; // a length in 0.1 s
    hf_cli_series *s = add_series(c, HF_CLI_TEST_PRESLIDING, "");
    double at_turn[TURNS] = {0.0}, from = 0.0;
    hf_cli_rig rig;
    hf_status status = hf_cli_rig_open(&rig, c, true, LARGEST_STEP, error);
    for (int i = 0; i < TURNS && status == HF_OK; ++i) {
        long long steps = llround(fabs(turns[i] - from) * c->reach / speed / rig.step);
        for (long long k = 1; k <= steps && status == HF_OK; ++k) {
            status = hf_cli_rig_move(&rig, turns[i] > from ? speed : -speed, error);
            if (status == HF_OK && (k % 20 == 0 || k == steps)) {
                status = add_point(s, hf_cli_rig_position(&rig), hf_cli_rig_force(&rig), error);
            }
        }
        at_turn[i] = status == HF_OK ? hf_cli_rig_force(&rig) : 0.0;
        from = turns[i];
    }
    c->closure = 0.0;
    for (int i = 0; i < TURNS / 2; ++i) {
        c->closure = fmax(c->closure, fabs(at_turn[i] - at_turn[TURNS - 1 - i]));
    }
    hf_cli_rig_close(&rig);
    return status;
}

// The force at `speed` on the way up or down along a closed curve.
static double force_at(const hf_cli_series *s, double speed, bool rising)
{
    for (size_t i = 1; i < s->count; ++i) {
        double a = s->x[i - 1] - speed, b = s->x[i] - speed;
        if ((rising ? a < 0.0 && b >= 0.0 : a >= 0.0 && b < 0.0)) {
            double part = a / (a - b);
            return s->y[i - 1] + part * (s->y[i] - s->y[i - 1]);
        }
    }
    return (double)NAN;
}

static hf_status test_lag(hf_cli_character *c, hf_error *error)
{
    static const double rates[HF_CLI_SERIES] = {10.0, 50.0, 250.0}; // [rad/s]
    const double mean = 0.2 * c->speed;
    c->lag = 0.0;
    c->lag_rate = rates[0];
    // A swing about a mean speed, at each rate: one period to settle, one to record
    for (int i = 0; i < HF_CLI_SERIES; ++i) {
        char name[40];
        (void)snprintf(name, sizeof name, "%g rad/s", rates[i]);
        hf_cli_series *s = add_series(c, HF_CLI_TEST_LAG, name);
        hf_cli_rig rig;
        double period = 2.0 * PI / rates[i];
        double step = fmin(step_at(c, 1.9 * mean), period / 400.0);
        hf_status status = hf_cli_rig_open(&rig, c, true, step, error);
        long long swing = (long long)ceil(period / rig.step);
        long long settle = (long long)ceil(fmax(period, 0.3) / rig.step), stride = 1 + swing / 200;
        for (long long k = 1; k <= settle + swing && status == HF_OK; ++k) {
            double phase = rates[i] * rig.step * (double)(k - settle);
            status = hf_cli_rig_move(&rig, mean * (1.0 + 0.9 * sin(phase)), error);
            if (status == HF_OK && k >= settle && (k - settle) % stride == 0) {
                status = add_point(s, hf_cli_rig_speed(&rig), hf_cli_rig_force(&rig), error);
            }
        }
        hf_cli_rig_close(&rig);
        HF_TRY(status);
        // How far the force on the way up differs from that on the way down, at the same speed
        for (int part = 1; part < 10; ++part) {
            double speed = mean * (0.1 + 0.18 * part);
            double lag = fabs(force_at(s, speed, true) - force_at(s, speed, false));
            if (lag > c->lag) {
                c->lag = lag;
                c->lag_rate = rates[i];
            }
        }
    }
    return HF_OK;
}

// The largest force before the slider has moved ten lengths of presliding under a rising load.
static hf_status break_away(const hf_cli_character *c, double rate, double *force, hf_error *error)
{
    hf_cli_rig rig;
    double time = 20.0 * c->level / rate; // a law that holds more ends here
    hf_status status =
        hf_cli_rig_open(&rig, c, false, fmin(LARGEST_STEP, LOAD_STEP * c->level / rate), error);
    long long steps = (long long)ceil(time / rig.step);
    *force = 0.0;
    for (long long k = 1; k <= steps && status == HF_OK; ++k) {
        status = hf_cli_rig_push(&rig, rate * rig.step * (double)k, error);
        if (status != HF_OK || hf_cli_rig_position(&rig) > 10.0 * c->reach) {
            break;
        }
        *force = fmax(*force, hf_cli_rig_force(&rig));
    }
    hf_cli_rig_close(&rig);
    return status;
}

static hf_status test_break_away(hf_cli_character *c, hf_error *error)
{
    enum { POINTS = 9 };
    hf_cli_series *s = add_series(c, HF_CLI_TEST_BREAKAWAY, "break-away");
    for (int i = 0; i < POINTS; ++i) {
        double rate = 0.5 * c->level * pow(10.0, 3.0 * i / (POINTS - 1)), force = 0.0;
        HF_TRY(break_away(c, rate, &force, error));
        HF_TRY(add_point(s, rate, force, error));
    }
    c->slow_rate = s->x[0];
    c->slow_away = s->y[0];
    c->fast_rate = s->x[POINTS - 1];
    c->fast_away = s->y[POINTS - 1];
    return HF_OK;
}

// Mean displacement over whole periods of the oscillation, early and late: elastic motion does not
// change it.
static hf_status test_drift(hf_cli_character *c, hf_error *error)
{
    const double rise = 0.5, period = 0.06; // of the load, of its oscillation [s]
    const int early = 15, late = 60;        // periods
    hf_cli_series *s = add_series(c, HF_CLI_TEST_DRIFT, "");
    hf_cli_rig rig;
    hf_status status = hf_cli_rig_open(&rig, c, false, LARGEST_STEP, error);
    long long swing = (long long)ceil(period / rig.step), begin = (long long)ceil(rise / rig.step);
    long long steps = begin + swing * late, stride = 1 + steps / 1500;
    double first = 0.0, last = 0.0;
    for (long long k = 1; k <= steps && status == HF_OK; ++k) {
        double phase = 2.0 * PI * (double)(k - begin) / (double)swing;
        double load = 0.6 * fmin(1.0, (double)k / (double)begin);
        load += k <= begin ? 0.0 : 0.35 * sin(phase);
        status = hf_cli_rig_push(&rig, c->level * load, error);
        double position = status == HF_OK ? hf_cli_rig_position(&rig) : 0.0;
        long long nth = (k - begin - 1) / swing;
        first += k > begin && nth == early ? position / (double)swing : 0.0;
        last += k > begin && nth == late - 1 ? position / (double)swing : 0.0;
        if (status == HF_OK && k % stride == 0) {
            status = add_point(s, rig.step * (double)k, position, error);
        }
    }
    c->drift = (last - first) / (rig.step * (double)swing * (late - 1 - early));
    hf_cli_rig_close(&rig);
    return status;
}

// ------------------------------------------------------------------------------------------------
// The law

static void learn(hf_cli_character *c)
{
    const double shortest = 1e-9, standard = 1e-5; // [m]
    double damping = 0.0;
    hf_force friction = hf_model_find_force(c->model, "friction");
    c->def = hf_model_force_info(c->model, friction).def;
    c->level = INFINITY;
    for (int i = 0; i <= 100; ++i) {
        c->level = fmin(c->level, promised_level(c, 0.01 * i * c->speed));
    }
    if (c->law->linear != NULL && !c->law->needs_applied) {
        c->law->linear(c->def, 0, &c->stiffness, &damping);
    }
    c->reach = c->stiffness > 0.0 ? fmax(shortest, c->level / c->stiffness) : standard;
}

hf_status hf_cli_characterize(const char *law, const char *const *parameters, int parameter_count,
                              double speed, hf_cli_character *c, hf_error *error)
{
    *c = (hf_cli_character){.law = hf_law_info_find(law), .speed = speed};
    HF_TRY(hf_cli_rig_compile(law, parameters, parameter_count, false, &c->model, error));
    if (!c->law->needs_applied) {
        HF_TRY(hf_cli_rig_compile(law, parameters, parameter_count, true, &c->moved, error));
    }
    learn(c);
    static hf_status (*const tests[])(hf_cli_character *, hf_error *) = {
        test_stribeck, test_map, test_presliding, test_lag, test_break_away, test_drift};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; ++i) {
        HF_TRY(tests[i](c, error));
    }
    return HF_OK;
}

void hf_cli_character_free(hf_cli_character *c)
{
    for (int test = 0; test < HF_CLI_TEST_COUNT; ++test) {
        for (int i = 0; i < HF_CLI_SERIES; ++i) {
            free(c->series[test][i].x);
            free(c->series[test][i].y);
        }
    }
    hf_model_destroy(c->model);
    hf_model_destroy(c->moved);
    *c = (hf_cli_character){0};
}
