// SPDX-License-Identifier: Apache-2.0
#include <holdfast/laws/rigid_contact_choice.h>

#include <holdfast/laws/prox.h>

#include <math.h>

// Limits of RK4, in w T and in w T/sqrt(r): see the header.
#define FREQUENCY_STEP 0.25
#define FILTER_STEP    1.5
// Where contacts close together, each feels the others' stiffness too: the corners of a box, or a
// sphere in a heap of others.
#define CROWD 2.0
#define HEAP  4.0
// w_t beta_t of friction in stick: damped to 0.7 of critical.
#define TANGENT_DAMPING 1.4
#define SMALLEST_DESIGN 0.005

void hf_rigid_contact_design(double restitution, double *ratio, double *k)
{
    double e = restitution < SMALLEST_DESIGN ? SMALLEST_DESIGN : restitution;
    double s = hf_sqrt(e);
    double r = e * (0.26163 + s * (0.18793 + s * (0.51665 + s * (-0.41320 + s * 0.44616))));
    if (e > 0.9995 || r > 1.0)
        r = 1.0;
    double q = hf_sqrt(r);
    *ratio = r;
    *k = (0.51341 + q * (0.40878 + q * (0.04886 + q * (-0.09907 + q * 0.0337)))) / q;
}

// Largest natural frequency that the step bears.
static double largest_frequency(double ratio, const hf_contact_site *site)
{
    double filter = FILTER_STEP * hf_sqrt(ratio);
    double limit = (filter < FREQUENCY_STEP ? filter : FREQUENCY_STEP) / site->step;
    double crowd = site->neighbours == 0 ? 1.0 : (site->neighbours < 10 ? CROWD : HEAP);
    return limit / hf_sqrt(crowd);
}

static void choose_tangent(hf_rigid_contact_def *def, int dim, const hf_contact_site *site,
                           bool stiffness_given, bool times_given, double frequency)
{
    if (def->tangent_stiffness == 0.0)
        def->tangent_stiffness =
            stiffness_given ? def->stiffness : site->tangent_mass * frequency * frequency;
    double w = hf_sqrt(def->tangent_stiffness / site->tangent_mass);
    if (def->tangent_damping_time == 0.0)
        def->tangent_damping_time = times_given ? def->damping_time : TANGENT_DAMPING / w;
    if (dim < 6)
        return;
    if (def->spin_stiffness == 0.0)
        def->spin_stiffness = site->spin_inertia * w * w;
    if (def->rolling_stiffness == 0.0)
        def->rolling_stiffness = site->rolling_inertia * w * w;
}

// ------------------------------------------------------------------------------------------------
// The impact itself, integrated

typedef struct impact {
    double acceleration; // K/M
    double alpha, beta, gravity, step;
} impact;

typedef struct rebound {
    double speed; // outward at zero gap; 0: it stays
    double depth, seconds;
} rebound;

// x = (p, p', e): [Xiong2013] (27) by mass. Returns the contact's part of the acceleration.
static double impact_rate(const impact *m, const double x[3], double dx[3])
{
    double open = -x[2] / m->beta, closed = -(x[0] + x[2]) / m->alpha;
    double push = closed > open ? m->acceleration * (x[2] + m->beta * closed) : 0.0;
    dx[0] = x[1];
    dx[1] = push - m->gravity;
    dx[2] = closed > open ? closed : open;
    return push;
}

static void impact_step(const impact *m, double x[3], const double k1[3])
{
    double k2[3], k3[3], k4[3], y[3], h = m->step;
    for (int i = 0; i < 3; i++)
        y[i] = x[i] + 0.5 * h * k1[i];
    (void)impact_rate(m, y, k2);
    for (int i = 0; i < 3; i++)
        y[i] = x[i] + 0.5 * h * k2[i];
    (void)impact_rate(m, y, k3);
    for (int i = 0; i < 3; i++)
        y[i] = x[i] + h * k3[i];
    (void)impact_rate(m, y, k4);
    for (int i = 0; i < 3; i++)
        x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
}

// An impact at `speed` that begins `phase` of a step before the gap closes.
static rebound bounce(const impact *m, double speed, double phase)
{
    double x[3] = {phase * m->step * speed, -speed, 0.0}, slope[3];
    double longest = 40.0 / hf_sqrt(m->acceleration) + 10.0 * m->step; // contacts last about 3/w
    int most = (int)(longest / m->step < 1e6 ? longest / m->step : 1e6);
    rebound out = {0.0, 0.0, 0.0};
    bool touched = false;
    for (int n = 0; n < most && x[1] - x[1] == 0.0; n++) {
        double push = impact_rate(m, x, slope);
        touched = touched || push > 0.0;
        out.depth = -x[0] > out.depth ? -x[0] : out.depth;
        if (touched && push == 0.0 && x[1] > 0.0) {
            // where it leaves it is still below the surface, and gravity takes its share
            double square = x[1] * x[1] + 2.0 * m->gravity * x[0];
            out.speed = square > 0.0 ? hf_sqrt(square) : 0.0;
            out.seconds = n * m->step;
            return out;
        }
        impact_step(m, x, slope);
    }
    return out;
}

// A step that sees everything there is.
static double fine_step(const hf_rigid_contact_def *def, double w)
{
    double fastest = w / hf_sqrt(def->filter_time / def->damping_time);
    return 0.02 / (fastest > w ? fastest : w);
}

static rebound exact_bounce(const hf_rigid_contact_def *def, const hf_contact_site *site)
{
    double w = hf_sqrt(def->stiffness / site->mass);
    impact m = {.acceleration = w * w,
                .alpha = def->filter_time,
                .beta = def->damping_time,
                .gravity = site->gravity,
                .step = fine_step(def, w)};
    return bounce(&m, def->impact_speed, 0.5);
}

// ------------------------------------------------------------------------------------------------
// Choice

// The normal's numbers that are not given, for a contact of this restitution without gravity.
static void choose_normal(hf_rigid_contact_def *def, const hf_contact_site *site,
                          double restitution, bool stiffness_given, bool times_given)
{
    double ratio = 1.0, k = 1.0;
    if (times_given)
        ratio = def->filter_time / def->damping_time;
    else
        hf_rigid_contact_design(restitution, &ratio, &k);
    if (!stiffness_given) {
        double w = largest_frequency(ratio, site);
        double weight = site->mass * site->gravity;
        double wanted = def->penetration > 0.0 ? weight / def->penetration : 0.0;
        double most = site->mass * w * w;
        def->stiffness = wanted > 0.0 && wanted < most ? wanted : most;
    }
    if (!times_given) {
        def->damping_time = k / hf_sqrt(def->stiffness / site->mass);
        def->filter_time = ratio * def->damping_time;
    }
}

void hf_rigid_contact_choose(hf_rigid_contact_def *def, int dim, const hf_contact_site *site)
{
    bool stiffness_given = def->stiffness > 0.0;
    bool times_given = def->damping_time > 0.0 && def->filter_time > 0.0;
    choose_normal(def, site, def->restitution, stiffness_given, times_given);
    // Gravity's share: the restitution e0 without it that gives the wish with it, by bisection
    double low = def->restitution, high = 1.0, speed = def->impact_speed;
    bool compensate = !times_given && site->gravity > 0.0 && low >= SMALLEST_DESIGN && low < 1.0;
    for (int i = 0; i < 14 && compensate; i++) {
        double middle = i == 0 ? low : 0.5 * (low + high);
        choose_normal(def, site, middle, stiffness_given, false);
        double off = exact_bounce(def, site).speed / speed - def->restitution;
        if (hf_abs(off) < 1e-3)
            break;
        *(off < 0.0 ? &low : &high) = middle;
    }
    if (times_given) {
        // two equal times are a spring without loss, whatever an integration makes of it
        double e = exact_bounce(def, site).speed / speed;
        def->restitution = def->filter_time == def->damping_time || e > 1.0 ? 1.0 : e;
    }
    double w = hf_sqrt(def->stiffness / site->mass);
    choose_tangent(def, dim, site, stiffness_given, times_given, w);
}

// ------------------------------------------------------------------------------------------------
// Forecast and judgement

hf_contact_forecast hf_rigid_contact_forecast(const hf_rigid_contact_def *def,
                                              const hf_contact_site *site)
{
    enum { PHASES = 16 };
    double w = hf_sqrt(def->stiffness / site->mass), speed = def->impact_speed;
    impact m = {.acceleration = w * w,
                .alpha = def->filter_time,
                .beta = def->damping_time,
                .gravity = site->gravity,
                .step = site->step};
    rebound exact = exact_bounce(def, site);
    hf_contact_forecast f = {.exact = exact.speed / speed,
                             .impact_depth = exact.depth,
                             .rest_depth = site->gravity / (w * w),
                             .frequency = w,
                             .frequency_step = w * site->step,
                             .contact_seconds = exact.seconds};
    for (int i = 0; i < PHASES; i++) {
        double e = bounce(&m, speed, (i + 0.5) / PHASES).speed / speed;
        f.restitution += e / PHASES;
        double off = hf_abs(e - f.exact);
        f.spread = off > f.spread ? off : f.spread;
    }
    return f;
}

// Whether the restitution is delivered at this step, wherever the impact falls.
static bool delivers(const hf_rigid_contact_def *wished, const hf_rigid_contact_def *def,
                     const hf_contact_forecast *f)
{
    bool wish = !(wished->damping_time > 0.0 && wished->filter_time > 0.0);
    double target = wish ? def->restitution : f->exact;
    return hf_abs(f->exact - target) + f->spread <= HF_RESTITUTION_TOLERANCE;
}

static hf_contact_verdict judge_at(const hf_rigid_contact_def *wished, int dim,
                                   const hf_contact_site *site)
{
    hf_rigid_contact_def def = *wished;
    hf_rigid_contact_choose(&def, dim, site);
    hf_contact_forecast f = hf_rigid_contact_forecast(&def, site);
    // rounding of K = weight/depth and back
    bool shallow = !(wished->penetration > 0.0) || f.rest_depth <= wished->penetration * (1 + 1e-9);
    return (hf_contact_verdict){.restitution = delivers(wished, &def, &f), .penetration = shallow};
}

hf_contact_verdict hf_rigid_contact_judge(const hf_rigid_contact_def *wished, int dim,
                                          const hf_contact_site *site)
{
    hf_contact_verdict verdict = judge_at(wished, dim, site);
    if (verdict.restitution && verdict.penetration) {
        verdict.best_step = site->step;
        return verdict;
    }
    hf_contact_site other = *site;
    for (int i = 0; i < 60 && verdict.best_step == 0.0; i++) {
        other.step *= 0.75;
        hf_contact_verdict v = judge_at(wished, dim, &other);
        verdict.best_step = v.restitution && v.penetration ? other.step : 0.0;
    }
    return verdict;
}
