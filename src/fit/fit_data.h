// SPDX-License-Identifier: Apache-2.0
// What hf_fit holds, and how its files share the work.
//
// Unknowns are searched in a scaled form u: value = scale * u, or exp(u) for logarithmic ones.
// Derivatives, normal equations and covariances below are in u unless they say otherwise.
#ifndef HF_FIT_FIT_DATA_H
#define HF_FIT_FIT_DATA_H

#include <holdfast/fit.h>

#include "base/arena.h"

// A number of the state that segments begin with: a coordinate or its velocity.
typedef struct hf_fit_state {
    hf_body body;
    int axis; // within the body's position or velocity
    bool velocity;
    int slot;     // in hf_sim_positions or hf_sim_velocities
    int match;    // that measures it; -1: none
    double scale; // its size, for steps [m, rad, m/s, rad/s]
} hf_fit_state;

// A log as the fit sees it. Arrays of rows by match: [match * rows + row].
typedef struct hf_fit_track {
    const hf_fit_log *log;
    long long rows;
    double *time;    // from 0 [s]
    double **inputs; // [input][rows]
    double *measured, *simulated, *free_run;
    double *guess; // [rows][states]: of the state, from what was measured; NaN: unknown
    int segment_count;
    long long *first;  // [segment_count + 1]: rows
    double *starts;    // [segment][states]
    double *trial;     // the same, of a step that is tried
    bool *asleep;      // [segment]: it counts for nothing for a while (outliers.c); NULL: none
    double *predicted; // simulated, of a step that is tried
    // Derivatives of `simulated`, a column an unknown and then a state; NULL: zero
    double **columns;
    bool ran, free_ran; // simulated, free_run are there
    double usual_step;  // median of the times between rows [s]
    int gaps;           // that a segment begins behind
    double widest_gap;  // of them [s]
    double gap_at;      // when it begins [s]
    double *own;        // [parameter]: of a log that judges, with what it has for itself; or NULL
} hf_fit_track;

// Normal equations: unknowns alone, after the starts are eliminated.
typedef struct hf_fit_normal {
    int count;       // unknowns
    double *matrix;  // [count][count]
    double *descent; // minus half the gradient
} hf_fit_normal;

struct hf_fit {
    hf_arena arena;
    hf_fit_def def;
    hf_fit_input *inputs;
    hf_fit_match *matches;
    hf_fit_parameter *parameters;
    hf_channel *channels;    // [match]
    hf_channel_slot *places; // [match]
    int track_count;         // logs, then validation logs
    hf_fit_track *tracks;
    int state_count;
    hf_fit_state *states;
    int unknown_count;
    hf_fit_unknown *unknowns;
    double *scales;     // [unknown]
    double *deviations; // [match]
    double *x;          // [unknown]: the present values, in their units
    double segment;     // of the present stage [s]
    // What came of it
    double cost;
    bool converged, stopped;
    int iterations;
    long long simulations;
    double *covariance;  // [unknown][unknown], of values: the one that is reported
    double *normal;      // [unknown][unknown], in u, at the end
    double *shifts;      // [unknown], of values: what half the step of the method adds to them
    bool differentiated; // columns of all tracks are those of the result, for hf_fit_sensitivity
    bool closely;        // searches try steps with settled starts, too (search.c)
    bool halved;         // simulations take half the step, or a tenth of the tolerance
    double condition;
    int blocks; // of the sandwich
    int message_count, message_room;
    bool unsaid; // memory ran out for a message
    char **messages;
    hf_fit_progress news;
    hf_fit_try *tries; // [try_room]
    int try_count, try_room;
};

// problem.c ---------------------------------------------------------------------------------------
// The values that a log's machine has, all parameters in their order.
void hf_fit_values(const hf_fit *fit, int track, const double *x, double *values);

// cut.c -------------------------------------------------------------------------------------------
// Cuts the logs into segments of this length, each beginning at its guess, and at gaps.
hf_status hf_fit_cut(hf_fit *fit, double length, hf_error *error);
hf_status hf_fit_find_usual_step(hf_fit_track *track, hf_error *error);

// same.c ------------------------------------------------------------------------------------------
// Whether logs with the same rows are fitted to, and whether one of them judges.
typedef struct hf_fit_same {
    bool fitted, judging;
} hf_fit_same;
// Tells of logs that are given more than once.
hf_fit_same hf_fit_say_same(hf_fit *fit);

// columns.c ---------------------------------------------------------------------------------------
// Evaluates an expression of a log's columns for every row. `what` begins the error's text.
hf_status hf_fit_column(const hf_fit_log *log, const char *expression, const char *what,
                        double *values, hf_error *error);
// Slope of a column at a row, by the parabola that fits best around it.
double hf_fit_slope(const double *time, const double *values, long long rows, long long row);

// simulate.c --------------------------------------------------------------------------------------
// Simulates a log with these values of unknowns. Starts that are NaN become what the run had there.
hf_status hf_fit_simulate(const hf_fit *fit, int track, const double *x, const long long *first,
                          int segments, double *starts, double *out, hf_error *error);
// All logs that are fitted to, from `starts` or `trial`; false: a run failed. On threads.
bool hf_fit_simulate_all(hf_fit *fit, const double *x, bool trial, int tracks, hf_error *error);
// Whether the method's step is too large for a force of the machine with the present numbers: its
// name, the step, and the largest one for it.
bool hf_fit_is_unstable(const hf_fit *fit, char *name, size_t room, double *step, double *largest);
// Tells of inputs of the model that no log gives.
void hf_fit_say_idle_inputs(hf_fit *fit);
// Free runs of all logs, from their first starts.
void hf_fit_run_free(hf_fit *fit);

// jacobian.c --------------------------------------------------------------------------------------
// Which columns of which tracks.
typedef struct hf_fit_part {
    int first, end; // tracks
    bool starts_only;
} hf_fit_part;
// Fills these columns at the present values. `width`: of the secants of unknowns.
hf_status hf_fit_differentiate(hf_fit *fit, double width, hf_fit_part part, hf_error *error);
// After a step of the unknowns (in u) that was accepted, so that `trial` and `predicted` are what
// was before: the nearest derivatives that would have foreseen what it did, segment by segment,
//   J += (dy - J d) d' / (d' d)    with d the step of unknowns and starts     [Broyden1965] (4.5)
hf_status hf_fit_update(hf_fit *fit, const double *step, hf_error *error);
// The same in one segment. `step` NULL: of the starts alone. `off` has room for a row's number
// each.
void hf_fit_update_segment(const hf_fit *fit, hf_fit_track *track, int segment, const double *step,
                           double *off);
// The value of an unknown that is `step` in u from x, within its bounds, and the step that it made.
double hf_fit_moved(const hf_fit *fit, int unknown, double x, double step, double *made);

// starts.c ----------------------------------------------------------------------------------------
// Finds the starts of all segments of the tracks that only judge, with the unknowns as they are.
hf_status hf_fit_settle(hf_fit *fit, hf_error *error);
// The same for the tracks that are fitted to. An error where the machine does not run.
hf_status hf_fit_settle_logs(hf_fit *fit, hf_error *error);
// Friction makes several valleys of a start: on either side of a standstill. Tries other starts and
// keeps what is better: the state in which the segment before ended, the measured one, and that at
// a standstill. *changed: whether something was.
typedef enum hf_fit_others {
    HF_FIT_CONTINUED,
    HF_FIT_MEASURED,
    HF_FIT_STILL,
    HF_FIT_OTHERS
} hf_fit_others;
// Other starts for all segments of a track: where the segment before ended, and standstill for the
// first. False: the machine does not run.
bool hf_fit_continue(hf_fit *fit, int track, double *starts, hf_error *failure);
hf_status hf_fit_rejoin(hf_fit *fit, hf_fit_others kind, bool *changed, hf_error *error);
hf_status hf_fit_rejoin_track(hf_fit *fit, int track, hf_fit_others kind, bool *changed,
                              hf_error *error);

// normal.c ----------------------------------------------------------------------------------------
// Loss of a residual over its deviation, and the weight that it has in the normal equations.
double hf_fit_loss_value(const hf_fit *fit, double z);
double hf_fit_loss_weight(const hf_fit *fit, double z);
// The sum of losses of a track (segments that sleep left out), of `simulated` or `predicted`; and
// of priors.
double hf_fit_track_cost(const hf_fit *fit, const hf_fit_track *track, const double *simulated);
double hf_fit_prior_cost(const hf_fit *fit, const double *x);
double hf_fit_cost(const hf_fit *fit, const double *x, bool trial);
// Normal equations with `damping` times their diagonal added; starts are eliminated.
hf_status hf_fit_normal_build(const hf_fit *fit, double damping, hf_fit_normal *normal,
                              hf_error *error);
// What one segment adds to them, without damping.
hf_status hf_fit_normal_segment(const hf_fit *fit, const hf_fit_track *track, int segment,
                                hf_fit_normal *normal, hf_error *error);
// The steps of the starts that belong to a step of the unknowns, added to `starts` into `trial`.
// *promise: what the starts could take off the cost by themselves.
hf_status hf_fit_normal_starts(hf_fit *fit, double damping, const double *step, double *promise,
                               hf_error *error);

// The same in one segment: what moves its starts to where they fit best; false: it stays.
bool hf_fit_segment_step(const hf_fit *fit, const hf_fit_track *track, int segment, double damping,
                         double *step);
double hf_fit_segment_cost(const hf_fit *fit, const hf_fit_track *track, int segment,
                           const double *simulated);

// search.c ----------------------------------------------------------------------------------------
// Levenberg-Marquardt from the present values, in the present segments.
hf_status hf_fit_search(hf_fit *fit, double width, int iterations, hf_error *error);
// Tells the caller how it stands. False: it is to end.
bool hf_fit_tell(hf_fit *fit);

// kept.c ------------------------------------------------------------------------------------------
// What a search changes. False: out of memory; hf_fit_drop in any case.
typedef struct hf_fit_kept {
    double *x, **starts, **simulated;
    double cost;
    bool converged;
} hf_fit_kept;
bool hf_fit_keep(const hf_fit *fit, hf_fit_kept *kept);
void hf_fit_put_back(hf_fit *fit, const hf_fit_kept *kept);
void hf_fit_drop(const hf_fit *fit, hf_fit_kept *kept);

// outliers.c --------------------------------------------------------------------------------------
// Segments that fit far worse than the others may have starts in a wrong valley, which draws the
// numbers to itself: finds the numbers without them, other starts with these numbers, and the
// numbers from all. Kept where it is better; *better: whether it was.
hf_status hf_fit_reconsider(hf_fit *fit, bool *better, hf_error *error);

// guesses.c ---------------------------------------------------------------------------------------
// The best of several first guesses becomes the present values.
hf_status hf_fit_guess(hf_fit *fit, hf_error *error);
// The best try; -1: none ran. *agree: how many ended where it did.
int hf_fit_best_try(const hf_fit *fit, int *agree);
// Notes a try from the values `from`, which ended at the present ones with the present cost, or
// with `failure`.
hf_status hf_fit_note_try(hf_fit *fit, hf_fit_way way, const double *from, const hf_error *failure,
                          hf_error *error);

// evolve.c ----------------------------------------------------------------------------------------
// CMA-ES around the present values, which become the best found.
hf_status hf_fit_evolve(hf_fit *fit, int evaluations, hf_error *error);

// run.c -------------------------------------------------------------------------------------------
// One stage, from the present values: search, deviations, search again.
hf_status hf_fit_run_stage(hf_fit *fit, int stage, hf_error *error);
// Uniform in -1 to 1 (xorshift64*).
double hf_fit_random(unsigned long long *state);

// result.c ----------------------------------------------------------------------------------------
// How many residuals of `simulated` are independent of each other.
double hf_fit_independent(const hf_fit *fit);

// covariance.c ------------------------------------------------------------------------------------
hf_status hf_fit_covariance(hf_fit *fit, hf_error *error);

// freedom.c ---------------------------------------------------------------------------------------
// Neighbouring blocks of a log count by this for each other [NeweyWest1987].
#define HF_FIT_NEIGHBOUR 0.5
enum { HF_FIT_MOST_BLOCKS = 1000 };
// Blocks of residuals, in u.
typedef struct hf_fit_blocks {
    int unknowns, count;
    const double *h, *inverse; // [u][u]: H of all, and its inverse
    const double *parts;       // [block][u][u]: of H
    const bool *follows;       // [block]: the block before it is of the same log
} hf_fit_blocks;
// Degrees of freedom of an unknown's variance, and by which factor it is too large where residuals
// have no memory. False: out of memory.
bool hf_fit_freedom(const hf_fit_blocks *blocks, int unknown, double *freedom, double *excess);
// The 97.5 % quantile of Student's distribution with these degrees of freedom, 0.1 and more.
double hf_fit_student(double freedom);

// own.c -------------------------------------------------------------------------------------------
// Finds what a log that only judges has for itself (hf_fit_track.own), and the starts with it.
hf_status hf_fit_find_own(hf_fit *fit, int track, hf_error *error);
void hf_fit_say_own(hf_fit *fit);

// judge.c -----------------------------------------------------------------------------------------
// What is known and what is not: findings and messages.
hf_status hf_fit_judge(hf_fit *fit, hf_error *error);
// Adds a sentence; false when out of memory.
bool hf_fit_say(hf_fit *fit, const char *format, ...) HF_PRINTF(2, 3);

#endif
