// SPDX-License-Identifier: Apache-2.0
// What came of a fit, for whoever asks.
#include <math.h>
#include <stddef.h>

#include "base/error.h"
#include "fit/fit_data.h"

// Residuals without any memory: every row counts, and nothing is divided by zero [s].
static const double LEAST_MEMORY = 1e-12;
static const double TWO_PI = 6.283185307179586;

const char *hf_fit_finding_text(hf_fit_finding finding)
{
    switch (finding) {
    case HF_FIT_FOUND:
        return "by the logs";
    case HF_FIT_AT_LOW:
        return "at its lower bound";
    case HF_FIT_AT_HIGH:
        return "at its upper bound";
    case HF_FIT_WEAK:
        return "hardly: interval wider than the value";
    case HF_FIT_TOGETHER:
        return "not alone: only a combination is known";
    case HF_FIT_UNSEEN:
        return "not at all: nothing depends on it";
    case HF_FIT_FROM_PRIOR:
        return "by its prior";
    }
    return "";
}

hf_fit_unknown hf_fit_get_unknown(const hf_fit *fit, int index)
{
    HF_ASSERT(index >= 0 && index < fit->unknown_count);
    return fit->unknowns[index];
}

double hf_fit_correlation(const hf_fit *fit, int a, int b)
{
    int u = fit->unknown_count;
    double scale = sqrt(fit->covariance[a * u + a] * fit->covariance[b * u + b]);
    return scale > 0.0 ? fit->covariance[a * u + b] / scale : (a == b);
}

double hf_fit_deviation(const hf_fit *fit, int match)
{
    return fit->deviations[match];
}

const double *hf_fit_measured(const hf_fit *fit, int log, int match)
{
    return fit->tracks[log].measured + match * fit->tracks[log].rows;
}

const double *hf_fit_simulated(const hf_fit *fit, int log, int match, bool free_run)
{
    const hf_fit_track *track = &fit->tracks[log];
    return (free_run ? track->free_run : track->simulated) + match * track->rows;
}

const char *hf_fit_message(const hf_fit *fit, int index)
{
    return index >= 0 && index < fit->message_count ? fit->messages[index] : NULL;
}

// Time after which the autocorrelation of e = measured - simulated is below 1/e.
static double correlation_time(const double *time, const double *measured, const double *simulated,
                               long long rows)
{
    double square = 0.0;
    for (long long k = 0; k < rows; ++k) {
        double e = measured[k] - simulated[k];
        square += e * e;
    }
    double step = (time[rows - 1] - time[0]) / (double)(rows - 1);
    for (long long lag = 1; lag < rows / 2; ++lag) {
        double sum = 0.0;
        for (long long k = 0; k + lag < rows; ++k) {
            sum += (measured[k] - simulated[k]) * (measured[k + lag] - simulated[k + lag]);
        }
        if (!(sum > 0.36787944117144233 * square)) {
            return step * (double)lag;
        }
    }
    return 0.5 * (time[rows - 1] - time[0]);
}

hf_fit_error hf_fit_get_error(const hf_fit *fit, int log, int match, bool free_run)
{
    const hf_fit_track *track = &fit->tracks[log];
    const double *y = hf_fit_measured(fit, log, match);
    const double *s = hf_fit_simulated(fit, log, match, free_run);
    long long rows = track->rows;
    double nan = (double)NAN;
    hf_fit_error e = {nan, nan, nan, nan, nan, nan, nan};
    // Nothing without a run
    if (free_run ? !track->free_ran : !(track->ran || log < fit->def.log_count)) {
        return e;
    }
    // Sums over all rows
    double n = (double)rows, squares = 0.0, absolute = 0.0, largest = 0.0;
    double sum = 0.0, power = 0.0, low = y[0], high = y[0], variance = 0.0;
    for (long long k = 0; k < rows; ++k) {
        double d = y[k] - s[k];
        squares += d * d;
        absolute += fabs(d);
        largest = fmax(largest, fabs(d));
        sum += y[k];
        power += y[k] * y[k];
        low = fmin(low, y[k]);
        high = fmax(high, y[k]);
    }
    for (long long k = 0; k < rows; ++k) {
        variance += (y[k] - sum / n) * (y[k] - sum / n);
    }
    // Errors, absolute and relative
    e.rms = sqrt(squares / n);
    e.mean_absolute = absolute / n;
    e.largest = largest;
    e.relative = sqrt(squares / power);
    e.normalized = e.rms / (high - low);
    e.r2 = 1.0 - squares / variance;
    e.correlation_time = correlation_time(track->time, y, s, rows);
    return e;
}

// How many of a channel's residuals are independent: rows count as often as their memory lets them.
static double independent(const hf_fit *fit, int match)
{
    double sum = 0.0;
    for (int t = 0; t < fit->def.log_count; ++t) {
        const hf_fit_track *track = &fit->tracks[t];
        double rows = (double)track->rows, span = track->time[track->rows - 1];
        double memory = hf_fit_get_error(fit, t, match, false).correlation_time;
        sum += fmin(rows, span / fmax(2.0 * memory, LEAST_MEMORY));
    }
    return sum;
}

double hf_fit_independent(const hf_fit *fit)
{
    double sum = 0.0;
    for (int m = 0; m < fit->def.match_count; ++m) {
        sum += independent(fit, m);
    }
    return sum;
}

// Likelihood with the residuals' own variances; samples count as often as their memory lets them.
static void likelihood(const hf_fit *fit, hf_fit_summary *summary)
{
    double count = 0.0;
    for (int m = 0; m < fit->def.match_count; ++m) {
        double squares = 0.0, all = 0.0, effective = independent(fit, m);
        for (int t = 0; t < fit->def.log_count; ++t) {
            double rms = hf_fit_get_error(fit, t, m, false).rms;
            squares += rms * rms * (double)fit->tracks[t].rows;
            all += (double)fit->tracks[t].rows;
        }
        count += effective;
        summary->log_likelihood -= 0.5 * effective * (log(TWO_PI * squares / all) + 1.0);
    }
    summary->aic = 2.0 * fit->unknown_count - 2.0 * summary->log_likelihood;
    summary->bic = fit->unknown_count * log(count) - 2.0 * summary->log_likelihood;
}

hf_fit_summary hf_fit_get_summary(const hf_fit *fit)
{
    hf_fit_summary s = {.unknowns = fit->unknown_count,
                        .converged = fit->converged,
                        .segment = fit->segment,
                        .simulations = fit->simulations,
                        .iterations = fit->iterations,
                        .cost = fit->cost,
                        .condition = fit->condition};
    for (int t = 0; t < fit->def.log_count; ++t) {
        s.residuals += fit->tracks[t].rows * fit->def.match_count;
        s.segments += fit->tracks[t].segment_count;
    }
    s.start_states = fit->def.fixed_starts ? 0 : (long long)s.segments * fit->state_count;
    likelihood(fit, &s);
    return s;
}
