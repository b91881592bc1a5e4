// SPDX-License-Identifier: Apache-2.0
// hf_fit: from logs of a machine to parameters of its model, with error bars. docs/fit.md.
// Library: holdfast-fit.
//
// The machine is simulated over each log in segments. At the beginning of a segment its state is
// set anew, to numbers that are estimated too; the parameters are those for which the simulation
// comes nearest to what was measured. Functions allocate; threads are started by hf_fit_run only.
// The result does not depend on their number.
#ifndef HOLDFAST_FIT_H
#define HOLDFAST_FIT_H

#include <holdfast/models.h>
#include <holdfast/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------
// Logs

// Columns of numbers over rising times, by name.
typedef struct hf_fit_log {
    char *name;       // of the file, for messages
    long long rows;   // >= 2
    double *time;     // rising [s]
    int column_count; // without the time
    char **names;
    double **columns;
} hf_fit_log;

// Reads a CSV file with a line of names, of which one is `time`. Numbers must be finite and times
// rise: errors have file, line and column. NULL on error.
HF_API hf_fit_log *hf_fit_log_read(const char *path, hf_error *error);
// A log of `rows` zeros with these columns, to be filled by a program. NULL when out of memory.
HF_API hf_fit_log *hf_fit_log_create(const char *name, long long rows, const char *const *names,
                                     int column_count);
// Adds a column with this number in every row: what was the same all through the log, such as a
// gain of the drive. HF_ERROR_INPUT: there is such a column.
HF_API HF_NODISCARD hf_status hf_fit_log_add(hf_fit_log *log, const char *name, double value,
                                             hf_error *error);
HF_API void hf_fit_log_destroy(hf_fit_log *log); // NULL is allowed

// ------------------------------------------------------------------------------------------------
// What is fitted to what

// How an input goes on between two samples.
typedef enum hf_fit_hold { HF_FIT_HELD, HF_FIT_LINEAR, HF_FIT_SMOOTH } hf_fit_hold;

// A signal of the model that a log gives.
typedef struct hf_fit_input {
    const char *signal;
    const char *expression; // of the log's columns and `time`: "-35.15*voltage"
    hf_fit_hold hold;
    double delay; // the input reaches the machine so much later; may be negative [s]
} hf_fit_input;

// A channel of the model that a log has measured.
typedef struct hf_fit_match {
    const char *channel;
    const char *expression; // as above
    double deviation;       // standard deviation of its error; 0: estimated [unit of the channel]
} hf_fit_match;

// What a free parameter is.
typedef enum hf_fit_kind {
    HF_FIT_MODEL,  // a number of the machine, which `make` takes
    HF_FIT_DELAY,  // of the input `target`, added to its own [s]
    HF_FIT_OFFSET, // added to the simulated channel of the match `target`
    HF_FIT_SCALE,  // times the simulated channel of the match `target`
    HF_FIT_PROGRAM // a number that hf_fit_def.attend alone takes
} hf_fit_kind;

typedef struct hf_fit_parameter {
    const char *name;
    const char *unit; // NULL: none
    hf_fit_kind kind;
    int target;
    double start;                  // first guess
    double low, high;              // bounds; -INFINITY, INFINITY: none
    bool logarithmic;              // searched by its logarithm; needs start and low > 0
    double typical;                // its size, for steps of derivatives; 0: that of the first guess
    double prior, prior_deviation; // what is known besides the logs; 0: nothing
    // A number of its own in each log. In logs that only judge, offsets are found there, as starts
    // of segments are; other numbers are the mean of those of the fitted logs.
    bool per_log;
} hf_fit_parameter;

// How residuals count. z is a residual over its deviation, d the definition's loss_scale.
typedef enum hf_fit_loss {
    HF_FIT_SQUARES, // z^2
    HF_FIT_SOFT_L1, // 2 d^2 (sqrt(1 + (z/d)^2) - 1): like |z| beyond d
    HF_FIT_HUBER    // z^2 up to d, then 2 d |z| - d^2
} hf_fit_loss;

// How it stands, for hf_fit_def.progress.
typedef struct hf_fit_progress {
    int stage, stages; // of segment lengths, from 1
    int start, starts; // of first guesses, from 1
    int iteration;
    double rms; // of residuals over their deviations
    long long simulations;
} hf_fit_progress;

enum { HF_FIT_MOST_STAGES = 8, HF_FIT_MOST_CONTROLLERS = 8 };

// Controllers of the program in the machine of one simulation (sim.h).
typedef struct hf_fit_attendance {
    hf_controller_def controllers[HF_FIT_MOST_CONTROLLERS];
    int count;
    void *own; // whatever `leave` has to give back
} hf_fit_attendance;

typedef struct hf_fit_def {
    // The machine with these numbers of parameters of kind HF_FIT_MODEL, in their order. Called
    // from several threads. NULL on error.
    hf_spec *(*make)(void *context, const double *values, hf_error *error);
    void *context;
    // Controllers of the program, for machines whose files cannot say how they are driven: fills
    // `attendance` for one simulation of `log`, with the values of all parameters in their order.
    // Called from several threads; may be NULL. `leave` is called after the simulation.
    hf_status (*attend)(void *context, const hf_model *model, int log, const double *values,
                        hf_fit_attendance *attendance, hf_error *error);
    void (*leave)(void *context, hf_fit_attendance *attendance);
    // Methods as in hf_sim_def.
    const hf_method_table *methods[HF_METHOD_TABLES];
    const hf_fit_log *const *logs; // the first `log_count` are fitted to; must live as long as fit
    int log_count;
    int validation_count; // further logs, which only judge
    const hf_fit_input *inputs;
    int input_count;
    const hf_fit_match *matches;
    int match_count;
    const hf_fit_parameter *parameters;
    int parameter_count;
    double segments[HF_FIT_MOST_STAGES]; // lengths, one stage after the other; INFINITY: the log
    int stage_count;                     // [s]
    bool fixed_starts; // segments begin at the measured state, and nothing is estimated of it
    hf_fit_loss loss;
    double loss_scale; // in deviations
    int starts;        // first guesses: the given one, and others around it
    // Of CMA-ES, at most, where first guesses end in different valleys or do not run; 0: 100 an
    // unknown; below 0: it is not tried
    int evaluations;
    unsigned long long seed; // of these
    int iterations;          // at most, of a stage
    double secant;           // width of the secants for derivatives, over a parameter's size
    int threads;
    // Called after every iteration; false ends the search, with the best found so far. May be NULL.
    bool (*progress)(void *context, const hf_fit_progress *progress);
    void *progress_context;
} hf_fit_def;

// One stage of 1 s, squares, one start, 50 iterations, secants of 5 %, one thread; nothing else.
HF_API hf_fit_def hf_fit_def_default(void);

// ------------------------------------------------------------------------------------------------
// The fit

typedef struct hf_fit hf_fit;

// Checks everything, reads the columns and tries the machine once. All is copied but the logs.
// NULL on error.
HF_API hf_fit *hf_fit_create(const hf_fit_def *def, hf_error *error);
HF_API void hf_fit_destroy(hf_fit *fit);

// Inverse dynamics: what enters the equations of motion linearly, by one least squares problem on
// accelerations that are differentiated from filtered positions, as robots are identified. It needs
// no first guess and no simulation, and is biased where the noise of the positions is not small: a
// first guess. Every coordinate must be measured; the inputs must be the forces, so that a machine
// with a sampled controller is refused, and so is one whose frictions have inner states.
enum { HF_FIT_MOST_INVERSE = 64 };
typedef struct hf_fit_inverse_def {
    double cutoff; // of the low pass forth and back, of order 4; 0: none [Hz]
    double trim;   // cut off both ends of each log [s]
    int every;     // columns and residual are filtered alike, and every so many-th row is kept
    bool apply;    // what is found becomes the first guess
} hf_fit_inverse_def;
typedef struct hf_fit_inverse {
    double values[HF_FIT_MOST_INVERSE];     // by unknown; its first guess where it is not linear
    double deviations[HF_FIT_MOST_INVERSE]; // as if residuals had no memory; NaN: not linear
    double relative;                        // what is left of the force of the inputs [-]
    long long rows;
    int linear; // unknowns that are
} hf_fit_inverse;
HF_API HF_NODISCARD hf_status hf_fit_run_inverse(hf_fit *fit, const hf_fit_inverse_def *def,
                                                 hf_fit_inverse *out, hf_error *error);

// Searches. HF_INTERRUPTED: the caller's progress ended it. HF_ERROR_CONVERGENCE: the machine does
// not run from any first guess; the text says why. The results below are then those of the best
// numbers found.
HF_API HF_NODISCARD hf_status hf_fit_run(hf_fit *fit, hf_error *error);

// How a number was determined.
typedef enum hf_fit_finding {
    HF_FIT_FOUND,     // by the logs
    HF_FIT_AT_LOW,    // at its lower bound: the logs want less
    HF_FIT_AT_HIGH,   // at its upper bound
    HF_FIT_WEAK,      // its interval is wider than its size
    HF_FIT_TOGETHER,  // only combinations with others are known
    HF_FIT_UNSEEN,    // it changes no matched channel
    HF_FIT_FROM_PRIOR // by the prior rather than by the logs
} hf_fit_finding;
HF_API const char *hf_fit_finding_text(hf_fit_finding finding);

// What was tried, in its order: each first guess, then what evolution made of the best of them.
typedef enum hf_fit_way { HF_FIT_GIVEN, HF_FIT_AROUND, HF_FIT_EVOLVED } hf_fit_way;
HF_API const char *hf_fit_way_text(hf_fit_way way);
enum { HF_FIT_TRY_TEXT = 160 };
typedef struct hf_fit_try {
    hf_fit_way way;
    const double *from, *to;    // [unknown]: values; they live as long as fit
    double cost;                // where it ended; NaN: the machine does not run from there
    bool chosen;                // it went on from here
    char text[HF_FIT_TRY_TEXT]; // why it does not run
} hf_fit_try;
// False behind the last. There are some even if hf_fit_run failed.
HF_API bool hf_fit_get_try(const hf_fit *fit, int index, hf_fit_try *out);

// An unknown: a parameter, or one log's share of it.
typedef struct hf_fit_unknown {
    const char *name; // "offset@run2.csv" where it belongs to a log
    const char *unit;
    int parameter, log; // log -1: all
    double start, value, low, high;
    double error;       // standard deviation: the largest of the three below
    double white;       // as if residuals had no memory
    double by_segments; // sandwich over blocks of segments
    double by_logs;     // sandwich over logs; NaN: fewer than four logs
    double half_width;  // of the 95 % interval: the largest that they give with their degrees of
                        // freedom
    hf_fit_finding finding;
} hf_fit_unknown;

// How far simulation and measurement differ.
typedef struct hf_fit_error {
    double rms, mean_absolute, largest; // [unit of the channel]
    double relative;                    // ||measured - simulated|| / ||measured|| [-]
    double normalized;                  // rms over the range of what was measured [-]
    double r2;                          // part of the variance that is explained [-]
    double correlation_time; // of the residual: where its autocorrelation falls below 1/e [s]
} hf_fit_error;

typedef struct hf_fit_summary {
    int unknowns;
    bool converged;
    double segment;         // of the last stage; INFINITY: whole logs [s]
    long long residuals;    // in all logs that were fitted to
    long long start_states; // numbers estimated besides
    int segments;
    long long simulations;
    int iterations;
    double cost; // sum of losses and priors
    double log_likelihood, aic, bic;
    double condition; // of the scaled normal equations
} hf_fit_summary;

// Results of hf_fit_run. Unknowns have indices from 0 to hf_fit_summary.unknowns - 1.
HF_API hf_fit_summary hf_fit_get_summary(const hf_fit *fit);
HF_API hf_fit_unknown hf_fit_get_unknown(const hf_fit *fit, int index);
// The correlation of two unknowns, -1 to 1.
HF_API double hf_fit_correlation(const hf_fit *fit, int a, int b);
// The least cost (hf_fit_summary.cost) with an unknown held at each of these values and all others
// fitted anew, after hf_fit_run; NaN beyond its bounds and where the machine does not run. The fit
// is as before afterwards. hf_fit_def.progress is called on the way; HF_INTERRUPTED: it
// ended the search, and what is left is NaN.
HF_API HF_NODISCARD hf_status hf_fit_profile(hf_fit *fit, int unknown, const double *values,
                                             int count, double *costs, hf_error *error);
// d(simulated channel)/d(unknown) at every row of a log, after hf_fit_run: in segments whose starts
// are held, by secants that are narrow beside those of the search. `derivatives` has room for the
// log's rows. The first call simulates every log twice for each number. Zero for a number of
// another log.
HF_API HF_NODISCARD hf_status hf_fit_sensitivity(hf_fit *fit, int log, int match, int unknown,
                                                 double *derivatives, hf_error *error);
// Of a log (validation logs behind the others) and a match: in segments as fitted, and in one free
// run over the whole log from its beginning. NaN where the run failed.
HF_API hf_fit_error hf_fit_get_error(const hf_fit *fit, int log, int match, bool free_run);
// The standard deviation that a match was weighed with.
HF_API double hf_fit_deviation(const hf_fit *fit, int match);
// What was simulated at the log's times, in segments or in the free run, and what was measured;
// they live as long as fit.
HF_API const double *hf_fit_simulated(const hf_fit *fit, int log, int match, bool free_run);
HF_API const double *hf_fit_measured(const hf_fit *fit, int log, int match);

// Sentences for people, index from 0; NULL behind the last: what cannot be known and which
// experiment would tell, doubts, and the verdict as the first.
HF_API const char *hf_fit_message(const hf_fit *fit, int index);

// ------------------------------------------------------------------------------------------------
// Parameters of a model file

// A model file whose numbers are varied, for hf_fit_def.make.
typedef struct hf_fit_machine hf_fit_machine;

// `text` is a model file's; see hf_spec_parse. `overrides` come first; may be NULL.
HF_API hf_fit_machine *hf_fit_machine_create(const char *text, size_t length, const char *label,
                                             const char *folder, const hf_overrides *overrides,
                                             hf_error *error);
HF_API void hf_fit_machine_destroy(hf_fit_machine *machine);
// Frees numbers by a name or a pattern with '*': of `parameters:`, of entries of the file as --set
// names them, or as parameter.h does. Fills name, unit, start and bounds of each; returns how many
// there are of `room`, 0 on error.
HF_API int hf_fit_machine_free(hf_fit_machine *machine, const char *pattern,
                               hf_fit_parameter *parameters, int room, hf_error *error);
// hf_fit_def.make: values in the order in which they were freed.
HF_API hf_spec *hf_fit_machine_make(void *machine, const double *values, hf_error *error);
// The file with these values in place of its own, all else as it was; to be freed by the caller.
// NULL on error: a number that stands nowhere in the file is named.
HF_API char *hf_fit_machine_text(const hf_fit_machine *machine, const double *values,
                                 hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
