// SPDX-License-Identifier: Apache-2.0
// Signals of a machine: inputs as functions of time (spec.h).
#ifndef HOLDFAST_SIGNAL_H
#define HOLDFAST_SIGNAL_H

#include <holdfast/law.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_spec hf_spec;

typedef struct hf_signal {
    int id;
} hf_signal;

// A number, or a signal when signal.id is not zero.
typedef struct hf_value {
    double constant;
    hf_signal signal;
} hf_value;

typedef enum hf_signal_type {
    HF_SIGNAL_CONSTANT, // value
    HF_SIGNAL_TABLE,    // times and values
    HF_SIGNAL_FUNCTION, // the caller's function
    HF_SIGNAL_FOURIER,  // a Fourier series: value + sum over k of sines[k-1] sin(k w t) +
                        // cosines[k-1] cos(k w t), w = 2 pi frequency
    HF_SIGNAL_INPUT,    // set by hf_sim_set_input; `value` until then
    HF_SIGNAL_CHANNELS  // a function of the time and of channels: of
} hf_signal_type;

// Most channels that one signal is a function of.
enum { HF_SIGNAL_MOST_CHANNELS = 32 };

typedef struct hf_signal_def {
    const char *name;
    hf_signal_type type;
    double value;   // constant, first value of an input, or mean of a Fourier series
    hf_list times;  // table: rising [s]
    hf_list values; // table: as many
    bool hold;      // table: hold each value until the next time; else linear. The first and
                    // last values hold outside.
    bool smooth;    // table: a curve without kinks through the points (cubic Hermite, slopes by
                    // parabolas through three points); not with hold
    hf_list jumps;  // function: times at which it may jump or bend; steps are cut there [s]
    // function: value at time t [s]. `instance` is what open returned for this sim, or context when
    // open is NULL. Must be deterministic and must not allocate.
    double (*function)(void *instance, double t);
    // function: its derivative. NULL: found by differences.
    double (*rate)(void *instance, double t);
    void *context;
    void *(*open)(void *context);   // one instance per sim; NULL on failure
    void (*close)(void *instance);  // ends an instance
    void (*release)(void *context); // called once, when neither spec nor models need context
    double frequency;               // fourier: of the first harmonic, > 0 [Hz]
    hf_list sines, cosines;         // fourier: coefficients, at least one
    // function: its second derivative. NULL: found by differences of the rate.
    double (*second)(void *instance, double t);
    // function: jumps and kinks at times that are not known before. The function is smooth as long
    // as none of these switch_count numbers changes its sign. May be NULL when the count is zero.
    void (*switches)(void *instance, double t, double *values);
    int switch_count;
    // input: forces see scale times what is set, after it was brought into [low, high].
    double scale;     // 0: 1
    bool bounded;     // whether low and high count
    double low, high; // low < high
    // channels: what it is a function of, channel_count names: positions, velocities and
    // orientations of bodies, gaps, rates and states of forces, values of signals
    // ("pull.value"). Signals may not depend on each other in a circle, nor on forces. Nothing
    // whose motion is given (driven bodies) takes such a signal.
    const char *const *channels;
    int channel_count;
    // channels: value at time t [s] with these values of them. `jumps` are as of a function.
    double (*of)(void *instance, double t, const double *values);
    // channels: 1 + channel_count partial derivatives: by the time, then by each of them.
    void (*gradient)(void *instance, double t, const double *values, double *gradient);
    // channels: its value may jump where a channel changes continuously. No event is located there,
    // so that a run that goes on from it has no derivatives (sensitivity.h refuses it).
    bool leaps;
} hf_signal_def;

// A constant zero.
HF_API hf_signal_def hf_signal_def_default(void);
// Adds a signal; lists and texts are copied, `context` is not. An id of zero: the error says why.
HF_API hf_signal hf_spec_add_signal(hf_spec *spec, const hf_signal_def *def, hf_error *error);
// Puts a table in the place of an input: what the program would have set, over time. Lists are
// copied; `hold` and `smooth` are as in hf_signal_def.
HF_API HF_NODISCARD hf_status hf_spec_set_table(hf_spec *spec, hf_signal input, hf_list times,
                                                hf_list values, bool hold, bool smooth,
                                                hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
