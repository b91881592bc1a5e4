// SPDX-License-Identifier: Apache-2.0
// What the logs tell and what they do not: by name, with the experiment that would tell.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fit/fit_data.h"
#include "fit/spectrum.h"

enum { SENTENCE = 700, PHRASE = 240 };

// Moving a parameter by its whole size must change the sum of squares by this many variances, or
// the logs do not see it.
static const double LEAST_SEEN = 1e-3;
// Width of the secants that show what is exactly collinear, over that of the search.
static const double FINE = 1e-3;
// Parts of a direction that are named.
static const double LEAST_PART = 0.2;
// Noise hardly ever goes so many deviations from one end to the other.
static const double MOST_NOISE = 10.0;
// A step that moves a number by more than this part of its deviation is reported.
static const double STEP_SHARE = 0.5;
// Half the step takes half of a first-order error away: the whole is twice what it moves. Stops and
// break-aways make every method of fixed steps one of first order. Where the whole is beyond the
// interval and beyond this part of the number the step is too coarse.
static const double WHOLE_SHIFT = 2.0, COARSE_PART = 0.01;

bool hf_fit_say(hf_fit *fit, const char *format, ...)
{
    char text[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char **larger =
        realloc((void *)fit->messages, ((size_t)fit->message_count + 2) * sizeof *larger);
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    fit->messages = larger == NULL ? fit->messages : larger;
    if (larger == NULL || copy == NULL) {
        free(copy);
        fit->unsaid = true;
        return false;
    }
    fit->messages[fit->message_count++] = memcpy(copy, text, size);
    return true;
}

// What experiment tells about a parameter, by words in its name.
static const char *experiment(const char *name)
{
    static const struct {
        const char *word, *advice;
    } table[] = {
        {"stribeck", "record slow passages, from standstill up to a few times the Stribeck speed"},
        {"static", "record break-aways: ramp the force slowly from rest until it moves"},
        {"viscous", "record constant speeds over the whole range, fast ones too"},
        {"damping", "record constant speeds over the whole range, fast ones too"},
        {"coulomb", "record motion in both directions, with reversals"},
        {"kinetic", "record motion in both directions, with reversals"},
        {"level", "record motion in both directions, with reversals"},
        {"friction", "record motion in both directions, with reversals and with other loads"},
        {"mass", "record strong accelerations, or motion with a known mass added"},
        {"inertia", "record strong accelerations"},
        {"armature", "record strong accelerations"},
        {"stiffness", "record small reversals below break-away"},
        {"delay", "record steps of the input"},
        {"gravity", "record slow motion through positions that gravity loads differently"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        if (strstr(name, table[i].word) != NULL) {
            return table[i].advice;
        }
    }
    return "record motion in which it matters, or fix it";
}

// ------------------------------------------------------------------------------------------------
// Parameters one by one

static void find_bounds_and_unseen(hf_fit *fit)
{
    int u = fit->unknown_count;
    for (int i = 0; i < u; ++i) {
        hf_fit_unknown *unknown = &fit->unknowns[i];
        const hf_fit_parameter *p = &fit->parameters[unknown->parameter];
        double slope = p->prior_deviation > 0.0
                           ? (p->logarithmic ? fit->x[i] : fit->scales[i]) / p->prior_deviation
                           : 0.0;
        double known = fit->normal[i * u + i];
        unknown->finding = HF_FIT_FOUND;
        if (!(known > LEAST_SEEN)) {
            unknown->finding = HF_FIT_UNSEEN;
            unknown->error = unknown->half_width = INFINITY;
        } else if (slope * slope > 0.5 * known) {
            unknown->finding = HF_FIT_FROM_PRIOR;
        } else if (unknown->value <= unknown->low) {
            unknown->finding = HF_FIT_AT_LOW;
        } else if (unknown->value >= unknown->high) {
            unknown->finding = HF_FIT_AT_HIGH;
        }
    }
}

// Numbers without a unit have no space behind them either.
static const char *space_before(const char *unit)
{
    return unit[0] == '\0' ? "" : " ";
}

static void say_findings(hf_fit *fit)
{
    for (int i = 0; i < fit->unknown_count; ++i) {
        hf_fit_unknown *u = &fit->unknowns[i];
        switch (u->finding) {
        case HF_FIT_UNSEEN:
            (void)hf_fit_say(fit,
                             "%s: no matched channel depends on it in these logs; its value %s. To "
                             "know it, %s.",
                             u->name, u->value == u->start ? "is the first guess" : "says nothing",
                             experiment(u->name));
            break;
        case HF_FIT_AT_LOW:
        case HF_FIT_AT_HIGH:
            (void)hf_fit_say(fit,
                             "%s: it ended at its %s bound, %g%s%s; the logs want %s. Widen the "
                             "bound, or ask whether the model has what the machine has.",
                             u->name, u->finding == HF_FIT_AT_LOW ? "lower" : "upper", u->value,
                             space_before(u->unit), u->unit,
                             u->finding == HF_FIT_AT_LOW ? "less" : "more");
            break;
        case HF_FIT_WEAK:
            (void)hf_fit_say(fit,
                             "%s: these logs hardly tell it: %.3g +- %.2g%s%s (95 %%)%s. To know "
                             "it, %s.",
                             u->name, u->value, u->half_width, space_before(u->unit), u->unit,
                             fabs(u->value) > 30.0 * fabs(u->start) && u->start != 0.0
                                 ? ", and the search ran far from the first guess"
                                 : "",
                             experiment(u->name));
            break;
        case HF_FIT_FOUND:
        case HF_FIT_TOGETHER:
        case HF_FIT_FROM_PRIOR:
            break;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Combinations

// Size of a unit of u in values.
static double size_of(const hf_fit *fit, int i)
{
    return fit->parameters[fit->unknowns[i].parameter].logarithmic ? fit->x[i] : fit->scales[i];
}

// A direction in which nothing changes. Of two parameters: the combination that is known, that
// with constant value along it.
// `effect` has the parts that change what was measured, against each other: a number that is large
// beside others moves by a small part of itself and takes part all the same.
static void say_direction(hf_fit *fit, const double *direction, const double *effect)
{
    char names[PHRASE] = "", parts[PHRASE] = "";
    int count = 0, members[2] = {0};
    size_t used = 0, filled = 0;
    // Which numbers take part
    for (int i = 0; i < fit->unknown_count; ++i) {
        if (fmax(fabs(direction[i]), fabs(effect[i])) < LEAST_PART) {
            continue;
        }
        if (count < 2) {
            members[count] = i;
        }
        int more = snprintf(names + used, sizeof names - used, "%s%s", count == 0 ? "" : ", ",
                            fit->unknowns[i].name);
        used += more > 0 && (size_t)more < sizeof names - used ? (size_t)more : 0;
        more =
            snprintf(parts + filled, sizeof parts - filled, "%s%s by %+.3g", count == 0 ? "" : ", ",
                     fit->unknowns[i].name, direction[i] * size_of(fit, i));
        filled += more > 0 && (size_t)more < sizeof parts - filled ? (size_t)more : 0;
        fit->unknowns[i].finding = HF_FIT_TOGETHER;
        fit->unknowns[i].error = fit->unknowns[i].half_width = INFINITY;
        ++count;
    }
    names[used] = parts[filled] = '\0';
    // What can be said of two, or of more
    if (count == 2) {
        int a = members[0], b = members[1];
        double factor = -direction[a] * size_of(fit, a) / (direction[b] * size_of(fit, b));
        (void)hf_fit_say(fit,
                         "%s and %s cannot be told apart by these logs; only %s %c %.4g * %s is "
                         "known: %.5g. Fix one of them.",
                         fit->unknowns[a].name, fit->unknowns[b].name, fit->unknowns[a].name,
                         factor < 0.0 ? '-' : '+', fabs(factor), fit->unknowns[b].name,
                         fit->x[a] + factor * fit->x[b]);
    } else if (count > 2) {
        (void)hf_fit_say(fit,
                         "%s cannot be told apart by these logs: changing %s together changes "
                         "nothing that was measured. Fix one of them.",
                         names, parts);
    }
}

// Directions of zero eigenvalues of the normal matrix, scaled to a unit diagonal.
static hf_status find_combinations(hf_fit *fit, hf_error *error)
{
    int u = fit->unknown_count;
    size_t size = (size_t)u * (size_t)u;
    double *room = calloc(2 * size + 3 * (size_t)u + 1, sizeof *room);
    if (room == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    double *scaled = room, *vectors = room + size, *values = vectors + size;
    double *scale = values + u, *direction = scale + u;
    // Wide secants of different widths blur what is exactly the same
    hf_fit_normal normal = {.count = u, .matrix = vectors, .descent = values};
    hf_status status = hf_fit_differentiate(fit, FINE * fit->def.secant,
                                            (hf_fit_part){.end = fit->def.log_count}, error);
    status = status == HF_OK ? hf_fit_normal_build(fit, 0.0, &normal, error) : status;
    if (status != HF_OK) {
        free(room);
        return status;
    }
    // Scaled to a unit diagonal
    for (int i = 0; i < u; ++i) {
        bool seen = fit->unknowns[i].finding != HF_FIT_UNSEEN && vectors[i * u + i] > LEAST_SEEN;
        scale[i] = seen ? 1.0 / sqrt(vectors[i * u + i]) : 0.0;
    }
    for (int i = 0; i < u; ++i) {
        for (int j = 0; j < u; ++j) {
            scaled[i * u + j] = i == j ? 1.0 : vectors[i * u + j] * scale[i] * scale[j];
        }
    }
    // Directions that change nothing
    hf_spectrum(scaled, u, values, vectors);
    for (int k = 0; k < u && values[k] <= HF_SPECTRUM_ZERO * values[u - 1]; ++k) {
        double largest = 0.0, strongest = 0.0;
        for (int i = 0; i < u; ++i) {
            direction[i] = vectors[k * u + i] * scale[i];
            largest = fmax(largest, fabs(direction[i]));
            strongest = fmax(strongest, fabs(vectors[k * u + i]));
        }
        for (int i = 0; i < u; ++i) {
            direction[i] /= largest;
            vectors[k * u + i] /= strongest;
        }
        say_direction(fit, direction, vectors + k * u);
    }
    free(room);
    return HF_OK;
}

// Found, but with an interval wider than the value itself.
static void find_weak(hf_fit *fit)
{
    for (int i = 0; i < fit->unknown_count; ++i) {
        hf_fit_unknown *u = &fit->unknowns[i];
        hf_fit_kind kind = fit->parameters[u->parameter].kind;
        bool may_be_zero = kind == HF_FIT_OFFSET || kind == HF_FIT_DELAY;
        double size = may_be_zero ? fmax(fabs(u->value), fit->scales[i]) : fabs(u->value);
        if (u->finding == HF_FIT_FOUND && !(u->half_width < size)) {
            u->finding = HF_FIT_WEAK;
        }
    }
    for (int i = 0; i < fit->unknown_count; ++i) {
        for (int j = 0; j < i; ++j) {
            double r = hf_fit_correlation(fit, i, j);
            if (fabs(r) > 0.95 && fit->unknowns[i].finding == HF_FIT_FOUND &&
                fit->unknowns[j].finding == HF_FIT_FOUND) {
                (void)hf_fit_say(fit, "%s and %s are hard to tell apart: correlation %.3f.",
                                 fit->unknowns[j].name, fit->unknowns[i].name, r);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Channels

// Whether a channel that was measured in this range shows noise alone: the machine sticks in every
// segment, and what was measured goes no farther than noise does.
static bool is_noise(const hf_fit *fit, int match, double range)
{
    double noise = 0.0;
    for (int t = 0; t < fit->def.log_count; ++t) {
        const hf_fit_track *track = &fit->tracks[t];
        const double *y = track->simulated + match * track->rows;
        for (int s = 0; s < track->segment_count; ++s) {
            for (long long k = track->first[s]; k < track->first[s + 1]; ++k) {
                if (y[k] != y[track->first[s]]) {
                    return false;
                }
            }
        }
        noise = fmax(noise, hf_fit_get_error(fit, t, match, false).rms);
    }
    return range <= MOST_NOISE * noise;
}

// A position that stays within a few steps of its sensor in every log.
static void say_still(hf_fit *fit)
{
    for (int m = 0; m < fit->def.match_count; ++m) {
        double range = 0.0, step = INFINITY;
        if (fit->places[m].home != HF_IN_POSITIONS) {
            continue;
        }
        for (int t = 0; t < fit->def.log_count; ++t) {
            const double *y = fit->tracks[t].measured + m * fit->tracks[t].rows;
            double low = y[0], high = y[0];
            for (long long k = 1; k < fit->tracks[t].rows; ++k) {
                low = fmin(low, y[k]);
                high = fmax(high, y[k]);
                double d = fabs(y[k] - y[k - 1]);
                step = d > 0.0 ? fmin(step, d) : step;
            }
            range = fmax(range, high - low);
        }
        if (!(range > 4.0 * step) || is_noise(fit, m, range)) {
            (void)hf_fit_say(fit,
                             "%s never moves in these logs: its friction is above what ever acts "
                             "on it, and can only be said to be larger. To know it, break it "
                             "away.",
                             fit->matches[m].channel);
        }
    }
}

static void say_gaps(hf_fit *fit)
{
    for (int t = 0; t < fit->track_count; ++t) {
        const hf_fit_track *track = &fit->tracks[t];
        if (track->gaps > 0) {
            (void)hf_fit_say(fit,
                             "%s has %d gap%s, of up to %.3g s (at %.6g s): segments begin behind "
                             "%s, and a run over the whole log does not know what the inputs did "
                             "there.",
                             track->log->name, track->gaps, track->gaps == 1 ? "" : "s",
                             track->widest_gap, track->log->time[0] + track->gap_at,
                             track->gaps == 1 ? "it" : "them");
        }
    }
}

static double mean_relative(const hf_fit *fit, int match, int first, int end)
{
    double sum = 0.0;
    for (int t = first; t < end; ++t) {
        sum += hf_fit_get_error(fit, t, match, false).rms;
    }
    return sum / (end - first);
}

static int say_validation(hf_fit *fit)
{
    int worse = 0;
    for (int m = 0; m < fit->def.match_count && fit->def.validation_count > 0; ++m) {
        double train = mean_relative(fit, m, 0, fit->def.log_count);
        double other = mean_relative(fit, m, fit->def.log_count, fit->track_count);
        if (!(other <= 2.0 * train)) {
            (void)hf_fit_say(fit,
                             "%s: the rms error is %.3g on logs that were not fitted to, %.3g on "
                             "the others: what was fitted does not carry over well.",
                             fit->matches[m].channel, other, train);
            ++worse;
        }
    }
    return worse;
}

static void say_memory(hf_fit *fit)
{
    double ratio = 0.0;
    int worst = 0;
    for (int i = 0; i < fit->unknown_count; ++i) {
        double r = fit->unknowns[i].error / fit->unknowns[i].white;
        if (isfinite(r) && r > ratio) {
            ratio = r;
            worst = i;
        }
    }
    if (ratio > 2.0) {
        (void)hf_fit_say(fit,
                         "Residuals have a memory: the model misses something that lasts. Error "
                         "bars that ignore it would be %.1f times too small for %s.",
                         ratio, fit->unknowns[worst].name);
    }
}

// Whether the step moves a number out of its interval and far, by all that a step of zero would do.
static bool is_coarse(const hf_fit *fit, int unknown)
{
    const hf_fit_unknown *u = &fit->unknowns[unknown];
    double whole = WHOLE_SHIFT * fabs(fit->shifts[unknown]);
    double size = fmax(fabs(u->value), fit->scales[unknown]);
    return u->finding == HF_FIT_FOUND && whole > u->half_width && whole > COARSE_PART * size;
}

// Numbers that the step of the method moves by a good part of their deviations: what is fitted is
// the stepped machine.
static void say_step(hf_fit *fit)
{
    for (int i = 0; i < fit->unknown_count; ++i) {
        const hf_fit_unknown *u = &fit->unknowns[i];
        if (u->finding == HF_FIT_FOUND && fabs(fit->shifts[i]) > STEP_SHARE * u->error) {
            (void)hf_fit_say(fit,
                             "%s: half the step of the method (or a tenth of its tolerance) would "
                             "make it %.6g, %.3g standard deviations away: choose a smaller step.",
                             u->name, u->value + fit->shifts[i], fabs(fit->shifts[i]) / u->error);
        }
    }
}

// ------------------------------------------------------------------------------------------------

// A try that is as good as the best with another value of a number: farther than its interval and
// than what the difference of their costs explains. -1: none.
static int find_twin(const hf_fit *fit, int best, int *unknown)
{
    const double widths = 3.0, deviations = 2.0, as_good = 0.02;
    const hf_fit_try *b = &fit->tries[best];
    for (int k = 0; k < fit->try_count; ++k) {
        const hf_fit_try *t = &fit->tries[k];
        if (!(t->cost <= (1.0 + as_good) * b->cost)) {
            continue;
        }
        for (int i = 0; i < fit->unknown_count; ++i) {
            const hf_fit_unknown *u = &fit->unknowns[i];
            double far = widths * u->half_width + deviations * sqrt(t->cost - b->cost) * u->white;
            if (u->finding == HF_FIT_FOUND && fabs(t->to[i] - b->to[i]) > far) {
                *unknown = i;
                return k;
            }
        }
    }
    return -1;
}

// Whether several first guesses agree, and what evolution added. False: nothing confirms the valley
// in which the search ended.
static bool say_tries(hf_fit *fit)
{
    // How many came to the same end
    int agree = 0, best = hf_fit_best_try(fit, &agree), evolved = 0, unknown = 0;
    for (int i = 0; i < fit->try_count; ++i) {
        evolved += fit->tries[i].way == HF_FIT_EVOLVED;
    }
    if (fit->try_count < 2 || best < 0) {
        return true;
    }
    // The first that applies
    int twin = find_twin(fit, best, &unknown);
    if (twin >= 0) {
        const hf_fit_unknown *u = &fit->unknowns[unknown];
        (void)hf_fit_say(
            fit,
            "Another valley is as good: there %s is %.6g, not %.6g%s%s. Record a motion "
            "that tells them apart.",
            u->name, fit->tries[twin].to[unknown], fit->tries[best].to[unknown],
            space_before(u->unit), u->unit);
    } else if (evolved == 0 && agree > 1) {
        (void)hf_fit_say(fit, "%d of %d first guesses ended in the same valley.", agree,
                         fit->try_count);
    } else if (evolved == 0) {
        (void)hf_fit_say(fit,
                         "No two of %d first guesses ended in the same valley, and this is the "
                         "best of them: there may be a better one yet. Try more, or shorter "
                         "segments.",
                         fit->try_count);
    } else if (fit->tries[best].way == HF_FIT_EVOLVED) {
        (void)hf_fit_say(fit,
                         "First guesses ended in different valleys; evolution (CMA-ES) found a "
                         "better one, from which it went on.");
    } else {
        (void)hf_fit_say(fit,
                         "First guesses ended in different valleys, and evolution (CMA-ES) found "
                         "no better one: there may be a better one yet.");
    }
    return twin < 0 && agree > 1;
}

// Says that the step is beyond the stable one of a force: the fitted numbers then describe the
// instability and not the machine.
static bool say_unstable(hf_fit *fit)
{
    char name[PHRASE];
    double step = 0.0, largest = 0.0;
    if (!hf_fit_is_unstable(fit, name, sizeof name, &step, &largest)) {
        return false;
    }
    (void)hf_fit_say(fit,
                     "The step of the method, %g s, is larger than the largest stable step of "
                     "'%s', %.3g s: what was fitted is not the machine. Choose a smaller step.",
                     step, name, largest);
    return true;
}

// Names of the numbers for which `is` holds, with commas. Returns how many.
static int list_names(const hf_fit *fit, bool (*is)(const hf_fit *, int), char *names, size_t room)
{
    int count = 0;
    size_t used = 0;
    names[0] = '\0';
    for (int i = 0; i < fit->unknown_count; ++i) {
        if (is(fit, i)) {
            int more = snprintf(names + used, room - used, "%s%s", count == 0 ? "" : ", ",
                                fit->unknowns[i].name);
            used += more > 0 && (size_t)more < room - used ? (size_t)more : 0;
            names[used] = '\0';
            ++count;
        }
    }
    return count;
}

static bool is_undetermined(const hf_fit *fit, int unknown)
{
    hf_fit_finding finding = fit->unknowns[unknown].finding;
    return finding != HF_FIT_FOUND && finding != HF_FIT_FROM_PRIOR;
}

static void verdict(hf_fit *fit, int worse, bool confirmed, bool unstable, hf_fit_same same)
{
    // What is not known, and what the step moves
    char names[PHRASE], moved[PHRASE];
    int doubtful = list_names(fit, is_undetermined, names, sizeof names);
    int coarse = list_names(fit, is_coarse, moved, sizeof moved);
    // The first that applies
    if (fit->stopped) {
        (void)hf_fit_say(fit, "Not finished: the search was stopped; these are the best numbers "
                              "so far.");
    } else if (!fit->converged) {
        (void)hf_fit_say(fit, "Doubtful: the search did not converge within %d iterations.",
                         fit->def.iterations);
    } else if (unstable) {
        (void)hf_fit_say(fit, "Doubtful: the simulation is unstable with its step.");
    } else if (doubtful > 0) {
        (void)hf_fit_say(fit, "Doubtful: %d of %d parameters are not determined by these logs: %s.",
                         doubtful, fit->unknown_count, names);
    } else if (coarse > 0) {
        (void)hf_fit_say(fit,
                         "Doubtful: the step of the method is too coarse: it moves %d of %d "
                         "parameters out of their intervals: %s.",
                         coarse, fit->unknown_count, moved);
    } else if (same.fitted) {
        (void)hf_fit_say(fit, "Doubtful: a log counts twice.");
    } else if (worse > 0) {
        (void)hf_fit_say(fit, "Doubtful: converged, but worse on logs that were not fitted to.");
    } else if (!confirmed) {
        (void)hf_fit_say(fit, "Doubtful: converged, but no second first guess came to the same "
                              "numbers: this may be a wrong valley.");
    } else {
        (void)hf_fit_say(fit,
                         "Trustworthy: the search converged%s, and these logs determine all %d "
                         "parameters%s.",
                         fit->try_count > 1 ? "" : " from its one first guess", fit->unknown_count,
                         fit->def.validation_count > 0 && !same.judging
                             ? "; logs that were not fitted to agree"
                             : " (no log was kept to validate)");
    }
}

hf_status hf_fit_judge(hf_fit *fit, hf_error *error)
{
    for (int i = 0; i < fit->message_count; ++i) {
        free(fit->messages[i]);
    }
    fit->message_count = 0;
    fit->unsaid = false;
    // What is known of each number, and what is to be said of the logs
    find_bounds_and_unseen(fit);
    HF_TRY(find_combinations(fit, error));
    find_weak(fit);
    say_findings(fit);
    bool confirmed = say_tries(fit);
    say_still(fit);
    say_gaps(fit);
    hf_fit_say_idle_inputs(fit);
    hf_fit_say_own(fit);
    hf_fit_same same = hf_fit_say_same(fit);
    int worse = say_validation(fit);
    say_memory(fit);
    say_step(fit);
    bool unstable = say_unstable(fit);
    // The verdict goes first
    verdict(fit, worse, confirmed, unstable, same);
    if (fit->message_count > 1) {
        char *last = fit->messages[fit->message_count - 1];
        memmove((void *)(fit->messages + 1), (const void *)fit->messages,
                (size_t)(fit->message_count - 1) * sizeof *fit->messages);
        fit->messages[0] = last;
    }
    return fit->unsaid ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory") : HF_OK;
}
