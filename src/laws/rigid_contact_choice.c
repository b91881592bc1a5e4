// SPDX-License-Identifier: Apache-2.0
// Stiffness, damping and exponents of a rigid contact from restitution, mass and step.
#include <holdfast/laws/rigid_contact_choice.h>

#include <holdfast/laws/prox.h>

#include <math.h>

#define SMALLEST_DESIGN 0.005
// A restitution this near to the wanted one counts as equal: bounces are forecast to no more
// digits.
#define AS_WISHED 1e-3

// Without a largest step: how deep an impact may go, at most and by the smallest length of the
// bodies, and how many times less the weight alone.
#define MOST_DEPTH  1e-3
#define DEPTH_SHARE 0.01
#define REST_SHARE  10.0
// How deep the weight goes between shapes, at least [m].
#define LEAST_DEPTH 1e-6
// g/(w v): what gravity may take of a rebound at impact_speed.
#define GRAVITY_SHARE 0.01
// Where contacts close together, the stiffness of the others acts on each of them too: the corners
// of a box, a sphere in a heap of others, or a brick in a wall.
#define CROWD 2.0
#define HEAP  4.0
#define PILE  12.0
// w_t beta_t of friction in stick: damped to 0.7 of critical.
#define TANGENT_DAMPING 1.4
// Its frequency in contacts with little restitution, by that of the normal's filter.
#define TANGENT_SHARE 0.7
// The same, by the rate K beta/M at which a dull contact's normal force rises. Damped so, friction
// rises as 1.4 w_t t: faster than N it would begin to slide on what still gets its load, and go on
// where the static level is above the kinetic one.
#define RISE_SHARE 0.6
// What the weight moves it along the surface, at least: tolerances can tell it from nothing [m].
#define LEAST_GIVE 1e-7

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

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// Where a method chooses its steps: an undamped impact goes v/w deep, the weight g/w^2.
static double machine_frequency(const hf_rigid_contact_def *def, const hf_contact_site *site)
{
    double depth = MOST_DEPTH;
    if (site->size > 0.0)
        depth = smaller(depth, DEPTH_SHARE * site->size);
    double speed = larger(def->impact_speed, site->speed);
    double w = larger(speed / depth, hf_sqrt(REST_SHARE * site->gravity / depth));
    // Thin shapes: a weight that lies no deeper than positions err is not held, but shaken
    if (site->dullest > 0.0 && site->gravity > 0.0)
        w = smaller(w, hf_sqrt(site->gravity / LEAST_DEPTH));
    return larger(w, site->gravity / (GRAVITY_SHARE * def->impact_speed));
}

// ------------------------------------------------------------------------------------------------
// Schemes: their limits are in the header; those of forward Euler fall with the damping, (1 - r),
// down to w T = 0.2/4

static void step_euler(hf_impact_rate *rate, const void *impact, double h, const double slope[3],
                       double x[3])
{
    (void)rate, (void)impact;
    for (int i = 0; i < 3; i++)
        x[i] += h * slope[i];
}

static void step_semi_implicitly(hf_impact_rate *rate, const void *impact, double h,
                                 const double slope[3], double x[3])
{
    (void)rate, (void)impact;
    double velocity = x[1] + h * slope[1];
    x[0] += h * velocity;
    x[1] = velocity;
    x[2] += h * slope[2];
}

static void step_rk4(hf_impact_rate *rate, const void *impact, double h, const double k1[3],
                     double x[3])
{
    double k2[3], k3[3], k4[3], y[3];
    for (int i = 0; i < 3; i++)
        y[i] = x[i] + 0.5 * h * k1[i];
    rate(impact, y, k2);
    for (int i = 0; i < 3; i++)
        y[i] = x[i] + 0.5 * h * k2[i];
    rate(impact, y, k3);
    for (int i = 0; i < 3; i++)
        y[i] = x[i] + h * k3[i];
    rate(impact, y, k4);
    for (int i = 0; i < 3; i++)
        x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
}

static const hf_contact_steps STEPS[HF_CONTACT_SCHEME_COUNT] = {
    [HF_CONTACT_RK4] = {.frequency = 0.25,
                        .filter = 1.5,
                        .dullest = SMALLEST_DESIGN,
                        .liveliest = 1.0,
                        .step = step_rk4},
    [HF_CONTACT_EULER] = {.frequency = 0.1,
                          .filter = 0.45,
                          .damping = 0.2,
                          .dullest = 0.05,
                          .liveliest = 0.85,
                          .crowd_is_damps = true,
                          .first_order = true,
                          .step = step_euler},
    // Its limit hardly falls with the stiffness of a crowd.
    [HF_CONTACT_SEMI_IMPLICIT] = {.frequency = 0.25,
                                  .filter = 0.43,
                                  .dullest = 0.05,
                                  .liveliest = 1.0,
                                  .most_crowd = HEAP,
                                  .first_order = true,
                                  .step = step_semi_implicitly},
    [HF_CONTACT_ADAPTIVE] = {.dullest = SMALLEST_DESIGN, .liveliest = 1.0, .step = step_rk4},
};

static const hf_contact_steps *steps_of(const hf_contact_site *site)
{
    return site->steps != NULL ? site->steps : &STEPS[site->scheme];
}

// The stiffness that acts at a contact, by its own.
static double crowd_of(const hf_contact_site *site)
{
    double crowd = site->neighbours == 0   ? 1.0
                   : site->neighbours < 10 ? CROWD
                   : site->neighbours < 50 ? HEAP
                                           : PILE;
    double most = steps_of(site)->most_crowd;
    return most > 0.0 ? smaller(crowd, most) : crowd;
}

// Largest natural frequency at which the step is stable.
static double largest_frequency(const hf_rigid_contact_def *def, double ratio,
                                const hf_contact_site *site)
{
    const hf_contact_steps *steps = steps_of(site);
    if (site->scheme == HF_CONTACT_ADAPTIVE)
        return machine_frequency(def, site);
    double limit = smaller(steps->filter * hf_sqrt(ratio), steps->frequency);
    if (steps->damping > 0.0)
        limit = smaller(limit, steps->damping * (1.0 - ratio));
    limit /= site->step;
    double crowd = crowd_of(site);
    return limit / (steps->crowd_is_damps ? crowd : hf_sqrt(crowd));
}

// Friction in stick is to hold, whatever the restitution. Where steps are given its frequency is
// the largest that they bear: that of the normal of a contact with little restitution is a third to
// a tenth of it, and what sticks would swing by g/w^2, 13 mm under discrete at 1 ms. A body of
// several solids may have four points with each.
//
// A contact with little restitution takes its impact within sqrt(alpha beta), much shorter than
// 1/w: N is then as large as M v w/sqrt(alpha/beta). Friction must come up to mu N as fast, or it
// would hold less than that all through the impact. Where steps are given they do not bear it, and
// their ledger tells.
static double tangent_frequency(const hf_rigid_contact_def *def, const hf_contact_site *site,
                                double w)
{
    const hf_contact_steps *steps = steps_of(site);
    // Limits of own steps are of the normal; forward Euler's friction would slide while N rises
    if (site->steps != NULL || site->scheme == HF_CONTACT_EULER)
        return w;
    if (site->scheme != HF_CONTACT_ADAPTIVE) {
        double crowd = crowd_of(site), solids = site->solids > 1 ? site->solids : 1.0;
        double most = steps->frequency / site->step / solids / hf_sqrt(crowd);
        return larger(w, smaller(most, RISE_SHARE * w * w * def->damping_time));
    }
    double ratio = def->filter_time / def->damping_time;
    double fast = w * (TANGENT_SHARE / hf_sqrt(ratio) - 1.0);
    if (site->gravity > 0.0)
        fast = smaller(fast, hf_sqrt(site->gravity / LEAST_GIVE));
    return larger(w, fast);
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
    const hf_contact_steps *steps;
} impact;

typedef struct rebound {
    double speed; // outward at zero gap; 0: it stays
    double depth, seconds;
} rebound;

// x = (p, p', e): [Xiong2013] (27) by mass. Returns the contact's part of the acceleration.
static double push_and_rate(const impact *m, const double x[3], double dx[3])
{
    double open = -x[2] / m->beta, closed = -(x[0] + x[2]) / m->alpha;
    double push = closed > open ? m->acceleration * (x[2] + m->beta * closed) : 0.0;
    dx[0] = x[1];
    dx[1] = push - m->gravity;
    dx[2] = closed > open ? closed : open;
    return push;
}

static void impact_rate(const void *now, const double x[3], double dx[3])
{
    (void)push_and_rate(now, x, dx);
}

// An impact at `speed` that begins `phase` of a step before the gap closes.
static rebound bounce(const impact *m, double speed, double phase)
{
    double x[3] = {phase * m->step * speed, -speed, 0.0}, slope[3];
    double longest = 40.0 / hf_sqrt(m->acceleration) + 10.0 * m->step; // contacts last about 3/w
    const double steps = 1e6; // a forecast that takes more is of a step far too short to matter
    int most = (int)(longest / m->step < steps ? longest / m->step : steps);
    rebound out = {0.0, 0.0, 0.0};
    bool touched = false;
    for (int n = 0; n < most && x[1] - x[1] == 0.0; n++) {
        double push = push_and_rate(m, x, slope);
        touched = touched || push > 0.0;
        out.depth = -x[0] > out.depth ? -x[0] : out.depth;
        if (touched && push == 0.0 && x[1] > 0.0) {
            // where it leaves it is still below the surface, and gravity takes its share
            double square = x[1] * x[1] + 2.0 * m->gravity * x[0];
            out.speed = square > 0.0 ? hf_sqrt(square) : 0.0;
            out.seconds = n * m->step;
            return out;
        }
        m->steps->step(impact_rate, m, m->step, slope, x);
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
                .step = fine_step(def, w),
                .steps = &STEPS[HF_CONTACT_RK4]};
    return bounce(&m, def->impact_speed, 0.5);
}

// Impacts that fall anywhere in a step, by the site's own steps.
enum { PHASES = 16 };
static double phase_bounce(const hf_rigid_contact_def *def, const hf_contact_site *site, int phase)
{
    impact m = {.acceleration = def->stiffness / site->mass,
                .alpha = def->filter_time,
                .beta = def->damping_time,
                .gravity = site->gravity,
                .step = site->step,
                .steps = steps_of(site)};
    return bounce(&m, def->impact_speed, (phase + 0.5) / PHASES).speed / def->impact_speed;
}

static double mean_bounce(const hf_rigid_contact_def *def, const hf_contact_site *site)
{
    double sum = 0.0;
    for (int i = 0; i < PHASES; i++)
        sum += phase_bounce(def, site, i) / PHASES;
    return sum;
}

// ------------------------------------------------------------------------------------------------
// Choice

// The normal's numbers that are not given, for a contact of this restitution without gravity.
static void choose_normal(hf_rigid_contact_def *def, const hf_contact_site *site,
                          double restitution, bool stiffness_given, bool times_given)
{
    const hf_contact_steps *l = steps_of(site);
    double ratio = 1.0, k = 1.0, dullest = larger(l->dullest, site->dullest);
    if (times_given)
        ratio = def->filter_time / def->damping_time;
    else
        hf_rigid_contact_design(larger(dullest, smaller(restitution, l->liveliest)), &ratio, &k);
    if (!stiffness_given) {
        double w = largest_frequency(def, ratio, site);
        double weight = site->mass * site->gravity;
        double wanted = def->penetration > 0.0 ? weight / def->penetration : 0.0;
        double most = site->mass * w * w;
        bool allowed = wanted < most || site->scheme == HF_CONTACT_ADAPTIVE;
        def->stiffness = wanted > 0.0 && allowed ? wanted : most;
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
    // Gravity's share, and the steps': the restitution e0 without them that gives the wanted one
    // with them, by bisection
    bool steps = steps_of(site)->first_order;
    double wish = def->restitution, speed = def->impact_speed;
    double low = steps ? 0.0 : wish, high = 1.0;
    bool compensate =
        !times_given && (steps || (site->gravity > 0.0 && wish >= SMALLEST_DESIGN && wish < 1.0));
    for (int i = 0; i < 14 && compensate; i++) {
        double middle = i == 0 ? wish : 0.5 * (low + high);
        choose_normal(def, site, middle, stiffness_given, false);
        double e = steps ? mean_bounce(def, site) : exact_bounce(def, site).speed / speed;
        double off = e - wish;
        if (hf_abs(off) < AS_WISHED)
            break;
        *(off < 0.0 ? &low : &high) = middle;
    }
    if (times_given) {
        // two equal times are a spring without loss, whatever an integration makes of it
        double e = exact_bounce(def, site).speed / speed;
        def->restitution = def->filter_time == def->damping_time || e > 1.0 ? 1.0 : e;
    }
    double w = tangent_frequency(def, site, hf_sqrt(def->stiffness / site->mass));
    choose_tangent(def, dim, site, stiffness_given, times_given, w);
}

// ------------------------------------------------------------------------------------------------
// Forecast and judgement

hf_contact_forecast hf_rigid_contact_forecast(const hf_rigid_contact_def *def,
                                              const hf_contact_site *site)
{
    double w = hf_sqrt(def->stiffness / site->mass), speed = def->impact_speed;
    rebound exact = exact_bounce(def, site);
    hf_contact_forecast f = {.exact = exact.speed / speed,
                             .impact_depth = exact.depth,
                             .rest_depth = site->gravity / (w * w),
                             .frequency = w,
                             .frequency_step = w * site->step,
                             .contact_seconds = exact.seconds};
    if (site->scheme == HF_CONTACT_ADAPTIVE) {
        f.restitution = f.exact;
        return f;
    }
    f.restitution = mean_bounce(def, site);
    double center = steps_of(site)->first_order ? f.restitution : f.exact;
    for (int i = 0; i < PHASES; i++)
        f.spread = larger(f.spread, hf_abs(phase_bounce(def, site, i) - center));
    return f;
}

// Whether the restitution is delivered at this step, wherever the impact falls.
static bool delivers(const hf_rigid_contact_def *wished, const hf_rigid_contact_def *def,
                     const hf_contact_site *site, const hf_contact_forecast *f)
{
    bool wish = !(wished->damping_time > 0.0 && wished->filter_time > 0.0);
    double target = wish ? def->restitution : f->exact;
    double center = steps_of(site)->first_order ? f->restitution : f->exact;
    return hf_abs(center - target) + f->spread <= HF_RESTITUTION_TOLERANCE;
}

static hf_contact_verdict judge_at(const hf_rigid_contact_def *wished, int dim,
                                   const hf_contact_site *site)
{
    hf_rigid_contact_def def = *wished;
    hf_rigid_contact_choose(&def, dim, site);
    hf_contact_forecast f = hf_rigid_contact_forecast(&def, site);
    const double rounding = 1e-9; // of K = weight/depth and back
    bool wish = wished->penetration > 0.0;
    double most = wish ? wished->penetration * (1 + rounding) : HF_SUNK_SHARE * site->size;
    bool shallow = most == 0.0 || f.rest_depth <= most;
    return (hf_contact_verdict){.restitution = delivers(wished, &def, site, &f),
                                .penetration = shallow};
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
