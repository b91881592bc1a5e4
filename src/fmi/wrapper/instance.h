// SPDX-License-Identifier: Apache-2.0
// An instance of an FMU: what the functions of FMI 2 and FMI 3 have in common.
//
// Nothing here is global, prints or ends the program; instances are independent of each other, in
// several threads too. The machine's own clock begins at 0 when the host's is at `start`.
#ifndef HF_FMI_WRAPPER_INSTANCE_H
#define HF_FMI_WRAPPER_INSTANCE_H

#include <holdfast/sim.h>

#include "fmi/variables.h"

// As fmi2Status and fmi3Status count.
typedef enum hf_fmu_status {
    HF_FMU_OK,
    HF_FMU_WARNING,
    HF_FMU_DISCARD,
    HF_FMU_ERROR,
    HF_FMU_FATAL
} hf_fmu_status;

typedef enum hf_fmu_log { HF_FMU_LOG_EVENT, HF_FMU_LOG_WARNING, HF_FMU_LOG_ERROR } hf_fmu_log;

// What an instance is about, as bits of the sets of modes in which a function may be called.
typedef enum hf_fmu_mode {
    HF_FMU_INSTANTIATED = 1,
    HF_FMU_INITIALIZING = 2,
    HF_FMU_STEPPING = 4,
    HF_FMU_TERMINATED = 8,
    HF_FMU_FAILED = 16, // a step or an initialization failed: it can be read, reset and restored
    HF_FMU_ANY = 31
} hf_fmu_mode;

enum { HF_FMU_MOST_ORDER = 4 }; // of derivatives of inputs

typedef struct hf_fmu hf_fmu;

// The host, as the functions of its version of FMI see it.
typedef struct hf_fmu_host {
    void (*log)(const hf_fmu *fmu, hf_fmu_status status, const char *category, const char *text);
    void *environment;
    void (*logger)(void); // its callback, of the type of its version
} hf_fmu_host;

struct hf_fmu {
    hf_fmu_host host;
    char *name;
    bool logs_events;
    // The machine. `built` are the parameters of `model`, `live` those of the sim.
    hf_fmu_manifest manifest;
    hf_fmu_variables variables;
    hf_model_file *file;
    hf_model *model;
    hf_sim *sim;
    double *parameters, *built, *live;
    double *inputs, *slopes; // slopes: HF_FMU_MOST_ORDER of each input
    bool sloped;             // one of them is not zero
    // The experiment
    hf_fmu_mode mode;
    double start, stop, time; // on the host's clock; stop: INFINITY when there is none [s]
    long long judged;         // steps after which the verdict is computed next
    bool doubted;             // a doubt was reported
};

// Reads the resources and makes the machine. NULL after a message to the host.
hf_fmu *hf_fmu_create(const hf_fmu_host *host, const char *name, const char *token,
                      const char *resources, bool logs_events);
void hf_fmu_destroy(hf_fmu *fmu); // NULL is allowed

// Tells the host. Returns `status`.
hf_fmu_status hf_fmu_tell(const hf_fmu *fmu, hf_fmu_status status, hf_fmu_log what,
                          const char *format, ...) HF_PRINTF(4, 5);
// An error with the library's text.
hf_fmu_status hf_fmu_tell_error(const hf_fmu *fmu, const char *function, const hf_error *error);
// Whether `function` may be called in this mode; tells if not.
bool hf_fmu_allows(const hf_fmu *fmu, const char *function, unsigned modes);
// Which categories are logged: those of the list, or with an empty list all.
hf_fmu_status hf_fmu_set_logging(hf_fmu *fmu, bool on, const char *const *categories, size_t count);

// machine.c
// Makes the machine what parameters and inputs say, if they have changed. HF_FMU_ERROR: reported.
hf_fmu_status hf_fmu_settle(hf_fmu *fmu, const char *function);
// A sim of its own, at the start, with the present parameters.
HF_NODISCARD hf_status hf_fmu_make_sim(hf_fmu *fmu, hf_error *error);

// values.c
hf_fmu_status hf_fmu_get(hf_fmu *fmu, const char *function, const unsigned *references,
                         size_t count, double *values);
hf_fmu_status hf_fmu_set(hf_fmu *fmu, const char *function, const unsigned *references,
                         size_t count, const double *values);
// The derivative of this order of an input, until the end of the next step.
hf_fmu_status hf_fmu_set_slope(hf_fmu *fmu, const char *function, unsigned reference, int order,
                               double value);

// run.c
hf_fmu_status hf_fmu_setup(hf_fmu *fmu, const char *function, double start, bool ends, double stop);
hf_fmu_status hf_fmu_enter(hf_fmu *fmu, const char *function); // initialization mode
hf_fmu_status hf_fmu_leave(hf_fmu *fmu, const char *function); // initialization mode
hf_fmu_status hf_fmu_step(hf_fmu *fmu, const char *function, double point, double step);
hf_fmu_status hf_fmu_terminate(hf_fmu *fmu, const char *function);
hf_fmu_status hf_fmu_reset(hf_fmu *fmu, const char *function);
// Tells a doubt about the run so far, once.
void hf_fmu_judge(hf_fmu *fmu);

// state.c: a state is a block of bytes that may be kept anywhere.
typedef struct hf_fmu_state hf_fmu_state;
hf_fmu_status hf_fmu_save(hf_fmu *fmu, const char *function, hf_fmu_state **state);
hf_fmu_status hf_fmu_restore(hf_fmu *fmu, const char *function, const hf_fmu_state *state);
size_t hf_fmu_state_size(const hf_fmu_state *state);
hf_fmu_status hf_fmu_state_write(const hf_fmu *fmu, const char *function, const hf_fmu_state *state,
                                 void *bytes, size_t size);
hf_fmu_status hf_fmu_state_read(hf_fmu *fmu, const char *function, const void *bytes, size_t size,
                                hf_fmu_state **state);

#endif
