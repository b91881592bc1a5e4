// SPDX-License-Identifier: Apache-2.0
// hf_excite: an input to run on a machine whose log would tell its parameters best. Library:
// holdfast-fit. docs/fit.md.
//
// The input is a Fourier series that swells at its beginning and dies away at its end,
//   u = middle + reach sum_k (a_k cos(2 pi k t/period) + b_k sin(2 pi k t/period)),
// within limits of itself and of channels of the simulated machine (speed, travel). The information
// of a log is M = sum J' J/deviation^2 over all samples, J the derivatives of what is measured by
// the parameters over their values, in segments that begin where the machine is: as hf_fit sees a
// log. Found by random changes of the coefficients, which are kept when M grows.
#ifndef HOLDFAST_EXCITE_H
#define HOLDFAST_EXCITE_H

#include <holdfast/fit.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hf_excite_criterion {
    HF_EXCITE_D, // the largest det M: the smallest volume of all intervals together
    HF_EXCITE_A  // the smallest trace of M^-1: the smallest sum of squared relative deviations
} hf_excite_criterion;

// What the machine must not leave.
typedef struct hf_excite_limit {
    const char *channel;
    double low, high;
} hf_excite_limit;

typedef struct hf_excite_def {
    hf_spec *(*make)(void *context, const double *values, hf_error *error); // as in hf_fit_def
    void *context;
    const hf_method_table *methods[HF_METHOD_TABLES];
    const hf_fit_parameter *parameters; // of kind HF_FIT_MODEL, at their first guesses
    int parameter_count;
    const hf_fit_match *matches; // channels that will be measured, with deviation > 0
    int match_count;
    const char *input; // the signal
    double low, high;  // its limits
    const hf_excite_limit *limits;
    int limit_count;
    double duration; // [s]
    double period;   // of the series [s]
    int harmonics;
    double interval; // between samples of the input and of what is measured [s]
    double segment;  // [s]
    hf_excite_criterion criterion;
    int trials;              // inputs to simulate
    unsigned long long seed; // of the changes
    // Called after every trial; false ends the search with the best so far. May be NULL.
    bool (*progress)(void *context, int trial, double criterion);
    void *progress_context;
} hf_excite_def;

// D, 20 s, a period of 5 s with 8 harmonics, samples at 100 Hz, segments of 1 s, 300 trials.
HF_API hf_excite_def hf_excite_def_default(void);

typedef struct hf_excite hf_excite;

// Searches. NULL on error: HF_ERROR_RANGE when no input within the limits was found, with the limit
// that was broken most. HF_ERROR_CONVERGENCE: no such input tells the parameters apart.
HF_API hf_excite *hf_excite_create(const hf_excite_def *def, hf_error *error);
HF_API void hf_excite_destroy(hf_excite *excite); // NULL is allowed

// Samples of the input that was found.
HF_API long long hf_excite_rows(const hf_excite *excite);
// [rows]: times [s] and the input there, which holds until the next.
HF_API const double *hf_excite_times(const hf_excite *excite);
HF_API const double *hf_excite_input(const hf_excite *excite);
// The standard deviation that a parameter would have after a fit to such a log, if nothing but
// white noise were in it; of this input, and of the best plain sine within the limits (INFINITY: it
// does not tell).
HF_API double hf_excite_deviation(const hf_excite *excite, int parameter);
HF_API double hf_excite_sine_deviation(const hf_excite *excite, int parameter);
// What a limit's channel reaches.
HF_API void hf_excite_reached(const hf_excite *excite, int limit, double *low, double *high);

#ifdef __cplusplus
}
#endif
#endif
