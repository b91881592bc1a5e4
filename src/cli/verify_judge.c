// SPDX-License-Identifier: Apache-2.0
// What companions say of a run: verify.h. Places are compared, not velocities: a velocity that is
// wrong for long moves its place, and one that is off for an instant, at an impact that falls into
// another step, is no error. What slides on something that moves itself shows little in its place:
// the heats of frictions and contacts are compared too, at the end.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/verify_data.h"

// Answers that may be farther from the truth than this part of the way are doubtful.
#define MOST_APART 0.04
// A way is at least this part of the longest of its unit: what hardly moves beside the others is
// measured by them. And this part of the longest distance from zero of its unit: what moves less
// stands.
#define LEAST_WAY 0.05
#define ROUNDING  1e-6
// A way of an orientation is at least this: the turn of a body that stands, by the give of its
// contacts, is measured by a degree.
#define LEAST_TURN 0.01
// A heat is measured by this part of all work at least, and by what the largest force
// of it takes over the way that is rounding.
#define LEAST_HEAT 1e-3
// What slides for so many steps or fewer, as it is put down, holds.
#define STILL_STEPS 8.0
// Smaller parts are not told: rounding takes part in them.
#define LEAST_TOLD 1e-5
// What a step is proposed for.
#define WISHED 0.01
// Orders that are believed [-]. Below the least there is none; the most is that of rk4.
#define LEAST_ORDER 0.5
#define MOST_ORDER  4.0
// A coarser companion farther away than this part of the way says nothing of the order.
#define LOST 0.5

enum { MOST_MODES = 3 };

// ------------------------------------------------------------------------------------------------
// Numbers

// From zero for b NULL. Four numbers are an orientation: a and -a are the same.
static double distance(const double *a, const double *b, int count)
{
    double apart = 0.0, across = 0.0;
    for (int i = 0; i < count; ++i) {
        double d = a[i] - (b == NULL ? 0.0 : b[i]), s = a[i] + (b == NULL ? 0.0 : b[i]);
        apart += d * d;
        across += s * s;
    }
    return sqrt(count == 4 ? fmin(apart, across) : apart);
}

static bool is_heat(const hf_cli_place *p)
{
    return p->count == 0;
}

// What a heat is measured by at least.
static double least_heat(const hf_cli_verify *v, const hf_cli_companion *c, int force)
{
    double farthest = 0.0;
    for (int i = 0; i < v->place_count && !is_heat(&v->places[i]); ++i) {
        farthest = fmax(farthest, c->apart[i].size);
    }
    double most = hf_sim_force_stats(v->sim, (hf_force){force + 1}).largest_force;
    return fmax(LEAST_HEAT * c->work, ROUNDING * most * farthest);
}

// The difference of a place as a part of its way.
static double share_of(const hf_cli_verify *v, const hf_cli_companion *c, int place)
{
    const hf_cli_apart *a = &c->apart[place];
    int kind = v->places[place].kind;
    double way = fmax(fmax(a->way, LEAST_WAY * c->longest[kind]), ROUNDING * c->farthest[kind]);
    way = v->places[place].count == 4 ? fmax(way, LEAST_TURN) : way;
    way = is_heat(&v->places[place]) ? fmax(way, least_heat(v, c, v->places[place].first)) : way;
    return a->off > 0.0 ? a->off / way : 0.0;
}

// How much of the error of the run the difference to a companion may hide: (2), (3) in verify.h. Of
// tolerances e the error is C e, and what a tenth of them differs by is 0.9 C e.
static double factor_of(const hf_cli_verify *v, const hf_cli_companion *c)
{
    return !c->finer ? 1.0 : v->adaptive ? 1.0 / 0.9 : 2.0;
}

// Heats at the last even instant, which all have: how far they are apart, and how large. What holds
// throughout has the heat of its give alone: where it is at the end says all.
static void compare_heats(const hf_cli_verify *v, hf_cli_companion *c)
{
    double still = v->adaptive ? 0.0 : STILL_STEPS * v->method.step;
    for (int i = 0; i < v->place_count && c->kept >= v->even && v->kept >= v->even; ++i) {
        const hf_cli_place *p = &v->places[i];
        if (is_heat(p)) {
            const hf_cli_heat *mine = &v->heats[p->first], *its = &c->heats[p->first];
            double size = fmax(fabs(mine->energy), fabs(its->energy));
            double off = fmax(mine->slip, its->slip) > still ? fabs(mine->energy - its->energy) : 0;
            double at = v->method.step * (double)hf_cli_verify_instant(v, v->even - 1);
            c->apart[i] = (hf_cli_apart){.off = off, .at = at, .way = size, .size = size};
        }
    }
}

void hf_cli_verify_compare(const hf_cli_verify *v, hf_cli_companion *c)
{
    double step = v->method.step;
    int count = c->kept < v->kept ? c->kept : v->kept;
    // How far places are apart, and how far they went
    for (int k = 0; k < count; ++k) {
        size_t row = (size_t)k * (size_t)v->coordinates;
        for (int i = 0; i < v->place_count && !is_heat(&v->places[i]); ++i) {
            const hf_cli_place *p = &v->places[i];
            hf_cli_apart *apart = &c->apart[i];
            const double *a = v->mine + row + p->first, *b = c->places + row + p->first;
            const double *start = v->mine + p->first;
            double off = distance(a, b, p->count);
            if (off > apart->off) {
                apart->off = off;
                apart->at = step * (double)hf_cli_verify_instant(v, k);
            }
            double way = fmax(distance(a, start, p->count), distance(b, start, p->count));
            apart->way = fmax(apart->way, way);
            apart->size = fmax(apart->size, distance(a, NULL, p->count));
        }
    }
    compare_heats(v, c);
    for (int i = 0; i < v->place_count; ++i) {
        int kind = v->places[i].kind;
        c->longest[kind] = fmax(c->longest[kind], c->apart[i].way);
        c->farthest[kind] = fmax(c->farthest[kind], c->apart[i].size);
    }
    // The worst of them; a heat where all places agree
    for (int i = 0; i < v->place_count; ++i) {
        double share = share_of(v, c, i);
        bool agree = factor_of(v, c) * c->share <= MOST_APART;
        if ((c->worst < 0 || share > c->share) && (agree || !is_heat(&v->places[i]))) {
            c->worst = i;
            c->share = share;
        }
    }
    c->within = factor_of(v, c) * c->share;
}

bool hf_cli_verify_agrees(const hf_cli_companion *c)
{
    return c->within <= MOST_APART;
}

// p of (1) by both companions at the place where the finer one is worst; NaN: not known.
static double order_of(const hf_cli_verify *v)
{
    if (v->adaptive || v->coarse.vain || v->coarse.state != HF_CLI_CAME_TO_END ||
        v->fine.state != HF_CLI_CAME_TO_END || v->fine.worst < 0) {
        return (double)NAN;
    }
    double coarse = v->coarse.apart[v->fine.worst].off, fine = v->fine.apart[v->fine.worst].off;
    return fine > 0.0 ? log2(coarse / fine) : (double)NAN;
}

// Three runs that differ by as much: half the step comes no nearer.
static bool is_without_order(const hf_cli_verify *v)
{
    return order_of(v) < LEAST_ORDER;
}

// 1, 2, 2.5 or 5 times a power of ten, at most `number`.
static double round_down(double number)
{
    double power = pow(10.0, floor(log10(number))), lead = number / power;
    return power * (lead >= 5.0 ? 5.0 : lead >= 2.5 ? 2.5 : lead >= 2.0 ? 2.0 : 1.0);
}

// The step that would be right to WISHED.
static double wanted_step(const hf_cli_verify *v)
{
    double order = order_of(v);
    bool lost =
        isnan(order) || order < LEAST_ORDER || share_of(v, &v->coarse, v->fine.worst) > LOST;
    order = lost ? 1.0 : fmin(order, MOST_ORDER);
    return round_down(v->method.step * pow(WISHED / v->fine.within, 1.0 / order));
}

// ------------------------------------------------------------------------------------------------
// Words

static const char *word_of(const hf_cli_verify *v, const hf_cli_companion *c)
{
    if (v->adaptive) {
        return c->finer ? "a tenth of the tolerances" : "ten times the tolerances";
    }
    return !c->finer        ? "twice the step"
           : c->pieces == 2 ? "half the step"
           : c->pieces == 4 ? "a quarter of the step"
           : c->pieces == 8 ? "an eighth of the step"
                            : "a sixteenth of the step";
}

static double percent(double share)
{
    return 100.0 * fmax(share, LEAST_TOLD);
}

// Whether there is a difference to speak of.
static bool is_told(const hf_cli_companion *c)
{
    return c->worst >= 0 && c->within > LEAST_TOLD;
}

// Errors of a whole way and more are no numbers any more.
static const char *within_text(double within, char text[32])
{
    if (within < 1.0) {
        (void)snprintf(text, 32, "within %.2g %%", percent(within));
    } else {
        (void)snprintf(text, 32, "off by more than its way");
    }
    return text;
}

// What to do about it.
static void put_advice(const hf_cli_verify *v, char *text, size_t size)
{
    if (is_without_order(v)) {
        int used = snprintf(text, size,
                            "the difference does not fall with the step: the motion is "
                            "chaotic, or needs far smaller steps");
        if (v->fine.within < 1.0 && used > 0 && (size_t)used < size) {
            (void)snprintf(text + used, size - (size_t)used, ", such as --step %g", wanted_step(v));
        }
    } else if (v->adaptive) {
        (void)snprintf(text, size, "--rtol %g may be enough for 1 %%",
                       round_down(v->method.rtol * WISHED / v->fine.within));
    } else {
        (void)snprintf(text, size, "--step %g may be enough for 1 %%", wanted_step(v));
    }
}

// Why it is doubtful.
static void put_doubt(const hf_cli_verify *v, char *text, size_t size)
{
    const hf_cli_companion *c = v->decides;
    if (c->state == HF_CLI_FAILED_IN_STEP) {
        (void)snprintf(text, size, "with %s it fails: %.300s", word_of(v, c), c->error.text);
        return;
    }
    const hf_cli_place *p = &v->places[c->worst];
    const hf_cli_apart *a = &c->apart[c->worst];
    char advice[160], error[40];
    put_advice(v, advice, sizeof advice);
    (void)snprintf(error, sizeof error,
                   is_heat(p)        ? "%.2g %%"
                   : c->within < 1.0 ? "%.2g %% of its way"
                                     : "more than its way",
                   percent(c->within));
    (void)snprintf(text, size, "with %s %s is %.3g%s%s away at t = %.4g s: its error may be %s; %s",
                   word_of(v, c), p->name, a->off, p->unit[0] == '\0' ? "" : " ", p->unit, a->at,
                   error, advice);
}

void hf_cli_verify_judge(const hf_cli_verify *v, hf_verdict *verdict)
{
    if (v == NULL || v->decides == NULL) {
        return;
    }
    verdict->compared = true;
    // A reason for doubt
    if (v->doubtful) {
        size_t used = strlen(verdict->why);
        char doubt[2 * HF_VERDICT_TEXT];
        put_doubt(v, doubt, sizeof doubt);
        verdict->trustworthy = false;
        verdict->reasons += 1;
        (void)snprintf(verdict->why + used, sizeof verdict->why - used, "%s%s",
                       used > 0 ? "; " : "", doubt);
        return;
    }
    // or within what the answer is right
    size_t used = strlen(verdict->within);
    (void)snprintf(verdict->within + used, sizeof verdict->within - used, "%s%.2g %% of the way",
                   used > 0 ? ", and " : "", percent(v->decides->within));
}

// Whether the mode of a friction at the end is another in the companion.
static bool differs(const hf_cli_verify *v, const hf_cli_companion *c, int force)
{
    return c->modes[force] != HF_CLI_NO_MODE &&
           hf_cli_verify_mode(v->sim, force) != c->modes[force];
}

// Both stand at the same time only if the last instant is the companion's, too.
static bool has_same_end(const hf_cli_verify *v, const hf_cli_companion *c)
{
    return c->state == HF_CLI_CAME_TO_END && c->kept == v->instants;
}

static const char *word_of_mode(double mode)
{
    return mode == 0.0 ? "sticks" : mode == 2.0 ? "is open" : "slips";
}

static void print_modes(const hf_cli_verify *v, const hf_cli_companion *c)
{
    int shown = 0, more = 0;
    for (int i = 0; i < v->forces && has_same_end(v, c); ++i) {
        if (!differs(v, c, i)) {
            continue;
        }
        if (shown == MOST_MODES) {
            more += 1;
            continue;
        }
        hf_cli_put(stdout, "%s%s %s (%s with %s)", shown++ == 0 ? "  at the end   " : ", ",
                   hf_model_force_name(v->model, (hf_force){i + 1}),
                   word_of_mode(hf_cli_verify_mode(v->sim, i)), word_of_mode(c->modes[i]),
                   word_of(v, c));
    }
    if (shown > 0) {
        (void)printf(more > 0 ? ", and %d more\n" : "\n", more);
    }
}

void hf_cli_verify_print(const hf_cli_verify *v)
{
    const hf_cli_companion *c = v->decides, *coarse = &v->coarse;
    char text[32];
    if (c == NULL) {
        hf_cli_put(stdout, "  compared     with no other step: %s\n", v->why_not);
        return;
    }
    (void)printf("  compared     with %s, %.4g s %s", word_of(v, c), c->seconds,
                 c->beside ? "beside" : "more");
    if (c->state == HF_CLI_CAME_TO_END) {
        hf_cli_put(stdout, ": %s %s", is_told(c) ? v->places[c->worst].name : "all places",
                   within_text(c->within, text));
    }
    if (c->finer && coarse->state == HF_CLI_CAME_TO_END && !coarse->vain) {
        double order = order_of(v);
        (void)printf(" (with %s %s", word_of(v, coarse), within_text(coarse->within, text));
        (void)printf(isnan(order) ? ")" : "; order %.1f)", order);
    } else if (c->finer && coarse->state == HF_CLI_FAILED_IN_STEP) {
        (void)printf(" (with %s it fails)", word_of(v, coarse));
    }
    (void)printf("\n");
    print_modes(v, c);
}

// ------------------------------------------------------------------------------------------------
// JSON

static void write_companion(hf_json *json, const char *key, const hf_cli_verify *v,
                            const hf_cli_companion *c)
{
    static const char *const words[] = {"not run", "not made", "failed", "stopped", "completed"};
    // How it ended
    hf_json_begin(json, key);
    hf_json_text(json, "with", word_of(v, c));
    hf_json_text(json, "status", c->vain ? "same steps" : words[c->state]);
    if (c->state == HF_CLI_FAILED_IN_STEP || c->state == HF_CLI_NOT_MADE) {
        hf_json_text(json, "message", c->error.text);
    }
    // How far it is from the run
    if (c->state == HF_CLI_CAME_TO_END) {
        hf_json_number(json, "within", fmax(c->within, LEAST_TOLD));
    }
    if (c->state == HF_CLI_CAME_TO_END && is_told(c)) {
        const hf_cli_apart *a = &c->apart[c->worst];
        hf_json_text(json, "place", v->places[c->worst].name);
        hf_json_number(json, "away", a->off);
        hf_json_text(json, "unit", v->places[c->worst].unit);
        hf_json_number(json, "time", a->at);
    }
    if (c->state != HF_CLI_NOT_RUN) {
        hf_json_number(json, "seconds", c->seconds);
    }
    if (has_same_end(v, c)) {
        hf_json_begin_list(json, "other_modes");
        for (int i = 0; i < v->forces; ++i) {
            if (differs(v, c, i)) {
                hf_json_text(json, NULL, hf_model_force_name(v->model, (hf_force){i + 1}));
            }
        }
        hf_json_end_list(json);
    }
    hf_json_end(json);
}

void hf_cli_verify_write(hf_json *json, const hf_cli_verify *v)
{
    const hf_cli_companion *c = v->decides;
    hf_json_begin(json, "verify");
    hf_json_flag(json, "compared", c != NULL);
    if (c == NULL) {
        hf_json_text(json, "why_not", v->why_not);
    } else {
        hf_json_text(json, "with", word_of(v, c));
        if (c->state == HF_CLI_CAME_TO_END) {
            hf_json_number(json, "within", fmax(c->within, LEAST_TOLD));
        }
    }
    double order = order_of(v);
    if (!isnan(order)) {
        hf_json_number(json, "order", order);
        hf_json_flag(json, "without_order", is_without_order(v));
    }
    if (v->coarse.state != HF_CLI_NOT_RUN) {
        write_companion(json, "coarser", v, &v->coarse);
    }
    if (v->fine.state != HF_CLI_NOT_RUN) {
        write_companion(json, "finer", v, &v->fine);
    }
    hf_json_end(json);
}
