// SPDX-License-Identifier: Apache-2.0
// Armstrong's seven-parameter model. Equations: armstrong.h.
#include <holdfast/laws/armstrong.h>

#include "check.h"
#include "element.h"
#include "info.h"
#include "parallel.h"

_Static_assert(sizeof(hf_armstrong) == sizeof(double[7 + HF_ARMSTRONG_SAMPLES]),
               "the state is an array of numbers");

enum { STATES = 7 + HF_ARMSTRONG_SAMPLES };

// Switching functions: of the slide, and of the clock that takes samples of the velocity.
enum { MODE, CLOCK, SWITCHES };

typedef union numbers {
    hf_armstrong state;
    double flat[STATES];
} numbers;

static hf_armstrong state_of(const double *y)
{
    numbers n;
    for (int i = 0; i < STATES; i++)
        n.flat[i] = y[i];
    return n.state;
}

hf_armstrong_def hf_armstrong_def_default(void)
{
    hf_level level = hf_level_coulomb(1.0);
    level.peak[0] = level.peak[1] = 1.5;
    level.stribeck[0] = level.stribeck[1] = 0.01;
    return (hf_armstrong_def){.level = level, .stiffness = 1e5, .lag = 5e-3, .dwell = 0.1};
}

hf_status hf_armstrong_def_check(const hf_armstrong_def *def, int dim, hf_fault *fault)
{
    hf_status status = hf_check_level("level", &def->level, dim, fault);
    if (status != HF_OK)
        return status;
    if (def->level.table_speed.count > 0)
        status = hf_fault_set(fault, "table", "is not for this law, whose curve is its own", 0.0);
    else if (def->level.shape != 2.0)
        status =
            hf_fault_set(fault, "shape", "must be 2: the curve is the law's own", def->level.shape);
    for (int side = 0; side < 2 && status == HF_OK; side++)
        if (def->level.peak[side] > def->level.kinetic[side])
            status = hf_check_positive("stribeck_velocity", def->level.stribeck[side], fault);
    if (status != HF_OK) {
        fault->within = "level";
        return status;
    }
    status = hf_check_positive("stiffness", def->stiffness, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("lag", def->lag, fault);
    if (status == HF_OK)
        status = hf_check_not_negative("dwell", def->dwell, fault);
    return status;
}

// v(t - lag) from the samples, straight between them.
static double delayed(const hf_armstrong_def *def, const hf_armstrong *s, double now)
{
    if (!(def->lag > 0.0) || !(s->spacing > 0.0))
        return now;
    double place = (def->lag - s->age) / s->spacing;
    if (place <= 0.0) // between now and the newest sample
        return s->age > 0.0 ? now + (s->samples[0] - now) * (def->lag / s->age) : s->samples[0];
    int last = HF_ARMSTRONG_SAMPLES - 1;
    if (place >= last)
        return s->samples[last];
    int i = (int)place;
    return s->samples[i] + (s->samples[i + 1] - s->samples[i]) * (place - i);
}

// 1/(1 + (v(t - lag)/vs)^2)
static double stribeck_part(const hf_armstrong_def *def, const hf_armstrong *s, int side, double v)
{
    double vs = def->level.stribeck[side];
    if (!(vs > 0.0))
        return 1.0;
    double x = delayed(def, s, v) / vs;
    return 1.0 / (1.0 + x * x);
}

static double scale_of(const hf_armstrong_def *def, double normal)
{
    return def->level.per_normal ? normal : 1.0;
}

static double slide_level(const hf_armstrong_def *def, const hf_armstrong *s, int side, double v,
                          double normal)
{
    double rise = (def->level.peak[side] - def->level.kinetic[side]) * s->rise;
    return scale_of(def, normal) *
               (def->level.kinetic[side] + rise * stribeck_part(def, s, side, v)) +
           def->level.viscous[side] * hf_abs(v);
}

static double breakaway_level(const hf_armstrong_def *def, const hf_armstrong *s, int side,
                              double normal)
{
    double kinetic = def->level.kinetic[side];
    return scale_of(def, normal) * (kinetic + (def->level.peak[side] - kinetic) * s->rise);
}

// S/Sinf after the time in stick.
static double risen(const hf_armstrong_def *def, const hf_armstrong *s)
{
    return def->dwell > 0.0 ? s->begun + (1.0 - s->begun) * s->stuck / (s->stuck + def->dwell)
                            : 1.0;
}

// The slide ends: it sticks with the force that it had.
static void stick(const hf_armstrong_def *def, hf_armstrong *s, double normal)
{
    int side = s->mode < 0.0 ? HF_BACK : HF_FORTH;
    s->deflection = s->mode * slide_level(def, s, side, 0.0, normal) / def->stiffness;
    s->begun = s->rise = s->rise * stribeck_part(def, s, side, 0.0);
    s->stuck = 0.0;
    s->mode = 0.0;
}

// The state between located switches.
static hf_armstrong piece_of(const hf_law_in *in)
{
    hf_armstrong s = state_of(in->y);
    s.mode = in->modes[MODE];
    return s;
}

static double force_of(const hf_armstrong_def *def, const hf_armstrong *s, double v, double normal)
{
    if (s->mode == 0.0)
        return hf_level_is_open(&def->level, normal) ? 0.0 : def->stiffness * s->deflection;
    int side = s->mode < 0.0 ? HF_BACK : HF_FORTH;
    return s->mode * slide_level(def, s, side, v, normal);
}

void hf_armstrong_eval(const hf_armstrong_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    (void)dim;
    hf_armstrong s = in->modes ? piece_of(in) : state_of(in->y);
    double v = in->rate[0];
    bool slides = s.mode != 0.0;
    out->force[0] = force_of(def, &s, v, in->normal);
    for (int i = 0; i < STATES; i++)
        out->dy[i] = 0.0; // the rest changes between steps
    if (!slides)
        out->dy[0] = v;
    if (in->modes) { // time passes
        out->dy[offsetof(hf_armstrong, stuck) / sizeof(double)] = slides ? 0.0 : 1.0;
        out->dy[offsetof(hf_armstrong, age) / sizeof(double)] = 1.0;
    }
    out->regime = hf_regime_of(&def->level, in->normal, slides);
    out->stored = 0.5 * def->stiffness * s.deflection * s.deflection;
    out->dissipated = slides ? out->force[0] * v : 0.0;
    out->normal = 0.0;
}

// How far apart samples are to be [s].
static double spacing_of(const hf_armstrong_def *def)
{
    return def->lag / (HF_ARMSTRONG_SAMPLES - 2);
}

// Puts a velocity into the memory, whose samples are `spacing` apart.
static void keep(hf_armstrong *s, double v, double spacing)
{
    bool first = !(s->spacing > 0.0);
    for (int i = HF_ARMSTRONG_SAMPLES - 1; i > 0; i--)
        s->samples[i] = first ? v : s->samples[i - 1];
    s->samples[0] = v;
    s->spacing = spacing;
    s->age = 0.0;
}

// The velocity of a step's end, where a sample is due.
static void remember(const hf_armstrong_def *def, hf_armstrong *s, double v, double step)
{
    double wanted = spacing_of(def);
    if (!(s->spacing > 0.0) || !(s->age < wanted - 0.5 * step))
        keep(s, v, step > wanted ? step : wanted);
}

// The switch, at the end of a step that ended with velocity v.
static void change_mode(const hf_armstrong_def *def, hf_armstrong *s, double v, double normal,
                        double step)
{
    if (s->mode != 0.0) {
        if (!(s->mode * v > 0.0))
            stick(def, s, normal);
        return;
    }
    s->stuck += step;
    s->rise = risen(def, s);
    double spring = def->stiffness * s->deflection;
    int side = spring < 0.0 ? HF_BACK : HF_FORTH;
    if (spring * v > 0.0 && hf_abs(spring) >= breakaway_level(def, s, side, normal)) {
        s->mode = v < 0.0 ? -1.0 : 1.0;
        s->deflection = 0.0;
    }
}

double hf_armstrong_step(const hf_armstrong_def *def, hf_armstrong *state, double velocity,
                         double step)
{
    if (state->mode == 0.0)
        state->deflection += step * velocity;
    state->age += step;
    change_mode(def, state, velocity, 1.0, step);
    double force = force_of(def, state, velocity, 1.0);
    remember(def, state, velocity, step);
    return force;
}

HF_LAW_GLUE(armstrong, STATES)

static void accept(const void *def, int dim, const hf_law_in *in, double *y)
{
    (void)dim;
    numbers n = {.state = state_of(y)};
    n.state.age += in->step;
    change_mode(def, &n.state, in->rate[0], in->normal, in->step);
    remember(def, &n.state, in->rate[0], in->step);
    for (int i = 0; i < STATES; i++)
        y[i] = n.flat[i];
}

static int switch_count(const void *def, int dim)
{
    (void)def;
    (void)dim;
    return SWITCHES;
}

static void switches(const void *def_, int dim, const hf_law_in *in, hf_law_switch *functions)
{
    const hf_armstrong_def *def = def_;
    (void)dim;
    hf_armstrong s = piece_of(in);
    double v = in->rate[0], spring = def->stiffness * hf_abs(s.deflection);
    bool back = s.deflection < 0.0;
    s.rise = s.mode != 0.0 ? s.rise : risen(def, &s);
    double limit = breakaway_level(def, &s, back ? HF_BACK : HF_FORTH, in->normal);
    functions[MODE] = s.mode != 0.0
                          ? hf_switch_to_stick(in, s.mode * v)
                          : hf_switch_to_slip(in, def->stiffness, spring, limit, back ? -v : v);
    // The first sample is due at once
    double wanted = spacing_of(def), left = s.spacing > 0.0 ? wanted - s.age : -wanted;
    functions[CLOCK] =
        (hf_law_switch){.value = def->lag > 0.0 ? left : 1.0, .margin = 0.5 * wanted};
}

static void change(const void *def_, int dim, const hf_law_in *in, const bool *fallen,
                   double *modes, double *y)
{
    const hf_armstrong_def *def = def_;
    (void)dim;
    numbers n = {.state = state_of(y)};
    hf_armstrong *s = &n.state;
    s->mode = modes[MODE];
    if (fallen[MODE] && s->mode != 0.0) {
        stick(def, s, in->normal);
    } else if (fallen[MODE]) {
        s->rise = risen(def, s);
        s->mode = s->deflection < 0.0 ? -1.0 : 1.0;
        s->deflection = 0.0;
    }
    if (fallen[CLOCK])
        keep(s, in->rate[0], spacing_of(def));
    modes[MODE] = s->mode;
    for (int i = 0; i < STATES; i++)
        y[i] = n.flat[i];
}

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const hf_armstrong_def *law = def;
    (void)axis;
    *stiffness = law->stiffness;
    *damping = 0.0;
}

static const hf_param params[] = {
    HF_PARAM(hf_armstrong_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_armstrong_def, stiffness, "stiffness", "N/m", "stiffness in stick",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_armstrong_def, lag, "lag", "s", "delay of friction behind velocity",
             HF_PARAM_NUMBER),
    HF_PARAM(hf_armstrong_def, dwell, "dwell", "s", "time in which the static level rises by half",
             HF_PARAM_NUMBER),
};

const hf_law_info hf_armstrong_info = {
    HF_LAW_LINE(armstrong),
    .source = "Armstrong-Helouvry et al. 1994",
    .kind = HF_KIND_FRICTION,
    .min_dim = 1,
    .max_dim = 1,
    .friction = true,
    HF_PARAMS(params),
    HF_LAW_GLUED(armstrong),
    .accept = accept,
    .linear = linear,
    .switch_count = switch_count,
    .switches = switches,
    .change = change,
};
