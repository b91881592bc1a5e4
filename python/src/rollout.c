// SPDX-License-Identifier: Apache-2.0
// Rollouts: n runs of one model in threads, each with its own inputs, parameters and start. A run
// is one thread's from its beginning to its end, so that results do not depend on how many there
// are. Small machines run WIDTH at a time, side by side in one sim (holdfast/batch.h).
#include <holdfast/batch.h>

#include "ext.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Runs in one sim: enough to spread the bookkeeping of a step, few enough for the nearest cache.
enum { WIDTH = 16, WIDEST = 64 }; // WIDEST: coordinates of a machine that runs side by side

typedef struct rollout {
    const hf_model *model;
    hf_method_def method;
    long long runs, samples; // of each run
    long long every;         // steps from sample to sample
    const int *ids;          // channels that are kept
    hf_channel_slot *slots;  // where they are
    Py_ssize_t count;
    const int *signals; // inputs that are given
    Py_ssize_t signal_count;
    const double *inputs; // [runs][samples][signals]; NULL: none
    const char **names;   // of parameters
    Py_ssize_t name_count;
    int own; // the first so many are the file's own parameters
    const hf_py_model *read;
    const double *parameters; // [runs][names]
    const double *states;     // [runs][q and v]; NULL: the model's
    double *out;              // [runs][samples][count]
    int *status;              // [runs]: hf_status
    long long width;          // runs that are taken at a time
    const char *alone;        // why runs go one by one; NULL: side by side
    char reason[HF_ERROR_TEXT_SIZE];
    atomic_llong next;    // run to take
    atomic_bool stopped;  // the caller wants no more
    atomic_int alive;     // threads
    pthread_mutex_t lock; // of what follows
    long long failed;     // first run that failed, or -1
    hf_error error;       // of it
} rollout;

// Where run `lane` of a batch has a body; without a batch, the sim is its own.
static hf_body body_of(const hf_batch *batch, int lane, int id)
{
    hf_body body = {id};
    return batch == NULL ? body : hf_batch_body(batch, lane, body);
}

static hf_status put_state(const rollout *r, hf_sim *sim, const hf_batch *batch, int lane,
                           const double *state, hf_error *error)
{
    hf_model_info info = hf_model_get_info(r->model);
    for (int id = 1; id <= info.bodies; ++id) {
        hf_body body = body_of(batch, lane, id);
        hf_body_slots at = hf_model_body_slots(r->model, (hf_body){id});
        if (hf_model_body_info(r->model, (hf_body){id}).type == HF_BODY_DRIVEN) {
            continue;
        }
        hf_status status = at.position_count > 0
                               ? hf_sim_set_position(sim, body, state + at.position, error)
                               : HF_OK;
        if (status == HF_OK && at.velocity_count > 0) {
            status = hf_sim_set_velocity(sim, body, state + info.coordinates + at.velocity, error);
        }
        if (status < 0) {
            return status;
        }
    }
    return HF_OK;
}

// One run, from a sim at t = 0.
static hf_status make_run(const rollout *r, hf_sim *sim, long long run, hf_error *error)
{
    hf_model_info info = hf_model_get_info(r->model);
    hf_status status = HF_OK;
    if (r->name_count > 0) {
        status = hf_py_put_parameters(r->read, sim, r->names, r->parameters + run * r->name_count,
                                      (int)r->name_count, r->own, error);
    }
    if (status == HF_OK && r->states != NULL) {
        status = put_state(r, sim, NULL, 0, r->states + run * (info.coordinates + info.velocities),
                           error);
    }
    for (long long k = 0; k < r->samples && status >= 0; ++k) {
        const double *u =
            r->inputs == NULL ? NULL : r->inputs + (run * r->samples + k) * r->signal_count;
        for (Py_ssize_t i = 0; u != NULL && i < r->signal_count; ++i) {
            if (k == 0 || u[i] != u[i - r->signal_count]) { // it holds what was set
                hf_sim_set_input(sim, (hf_signal){r->signals[i]}, u[i]);
            }
        }
        for (long long i = 0; i < r->every && status >= 0; ++i) {
            if (atomic_load(&r->stopped)) {
                return HF_INTERRUPTED;
            }
            status = hf_sim_step(sim, error);
        }
        double *row = r->out + (run * r->samples + k) * r->count;
        for (Py_ssize_t i = 0; i < r->count && status >= 0; ++i) {
            row[i] = hf_py_channel(sim, &r->slots[i], r->ids[i]);
        }
    }
    return status;
}

// ------------------------------------------------------------------------------------------------
// Side by side

// WIDTH runs in one sim, with the channels that are kept of each: run by run.
typedef struct lanes {
    hf_batch *batch;
    hf_sim *sim;
    int *ids;
    hf_channel_slot *slots;
    const double **places; // of channels that lie in the sim's state; NULL: computed
    hf_signal *signals;    // of each run's inputs
} lanes;

static void end_lanes(lanes *l)
{
    hf_batch_destroy(l->batch);
    free(l->ids);
    free(l->slots);
    free((void *)l->places);
    free(l->signals);
    *l = (lanes){0};
}

// False: the machine does not fit, or something is kept that runs do not have each for itself;
// `why` says which. Asked of a batch of one run, which costs little.
static bool fits_lanes(const rollout *r, char why[HF_ERROR_TEXT_SIZE])
{
    hf_sim_def def = hf_sim_def_default(r->model);
    hf_error error = {.text = "a channel of the whole machine is recorded"};
    def.method = r->method;
    hf_batch *one = hf_batch_create(r->model, &def, 1, &error);
    bool good = one != NULL;
    for (Py_ssize_t i = 0; good && i < r->count; ++i) {
        good = hf_batch_channel(one, 0, (hf_channel){r->ids[i]}).id != 0;
    }
    hf_batch_destroy(one);
    (void)snprintf(why, HF_ERROR_TEXT_SIZE, "%s", error.text);
    return good;
}

// False: out of memory.
static bool begin_lanes(const rollout *r, lanes *l)
{
    hf_sim_def def = hf_sim_def_default(r->model);
    def.method = r->method;
    size_t channels = (size_t)(WIDTH * r->count) + 1, inputs = (size_t)(WIDTH * r->signal_count);
    *l = (lanes){.batch = hf_batch_create(r->model, &def, WIDTH, NULL),
                 .ids = calloc(channels, sizeof *l->ids),
                 .places = calloc(channels, sizeof *l->places),
                 .signals = calloc(inputs + 1, sizeof *l->signals)};
    bool good = l->batch != NULL && l->ids != NULL && l->places != NULL && l->signals != NULL;
    for (Py_ssize_t i = 0; good && i < WIDTH * r->count; ++i) {
        l->ids[i] =
            hf_batch_channel(l->batch, (int)(i / r->count), (hf_channel){r->ids[i % r->count]}).id;
        good = l->ids[i] != 0;
    }
    for (size_t i = 0; good && i < inputs; ++i) {
        size_t each = (size_t)r->signal_count;
        l->signals[i] =
            hf_batch_signal(l->batch, (int)(i / each), (hf_signal){r->signals[i % each]});
    }
    if (good) {
        l->sim = hf_batch_sim(l->batch);
        l->slots = hf_py_slots(hf_sim_model(l->sim), l->ids, WIDTH * r->count);
    }
    if (l->slots == NULL) {
        end_lanes(l);
    }
    return l->slots != NULL;
}

// Parameters of all runs, compiled once.
static hf_status put_lane_parameters(const rollout *r, const lanes *l, long long first,
                                     hf_error *error)
{
    enum { NAME_SIZE = 400 };
    size_t count = (size_t)(WIDTH * r->name_count);
    char(*marked)[NAME_SIZE] = calloc(count, sizeof *marked);
    const char **names = calloc(count, sizeof *names);
    hf_status status = marked == NULL || names == NULL ? HF_ERROR_MEMORY : HF_OK;
    for (size_t i = 0; i < count && status == HF_OK; ++i) {
        size_t each = (size_t)r->name_count;
        names[i] = marked[i];
        status = hf_batch_parameter(l->batch, (int)(i / each), r->names[i % each], marked[i],
                                    sizeof *marked);
    }
    if (status == HF_OK) {
        status = hf_sim_set_parameters(l->sim, names, r->parameters + first * r->name_count,
                                       (int)count, error);
    }
    free((void *)names);
    free(marked);
    return status;
}

static void put_lane_inputs(const rollout *r, const lanes *l, long long first, long long k)
{
    for (int lane = 0; r->inputs != NULL && lane < WIDTH; ++lane) {
        const double *u = r->inputs + ((first + lane) * r->samples + k) * r->signal_count;
        const hf_signal *signals = l->signals + lane * r->signal_count;
        for (Py_ssize_t i = 0; i < r->signal_count; ++i) {
            if (k == 0 || u[i] != u[i - r->signal_count]) {
                hf_sim_set_input(l->sim, signals[i], u[i]);
            }
        }
    }
}

// Where the sim has what is kept; other parameters may have moved it.
static void find_places(const rollout *r, const lanes *l)
{
    const double *q = hf_sim_positions(l->sim), *v = hf_sim_velocities(l->sim);
    for (Py_ssize_t i = 0; i < WIDTH * r->count; ++i) {
        l->places[i] = l->slots[i].home == HF_IN_POSITIONS    ? q + l->slots[i].index
                       : l->slots[i].home == HF_IN_VELOCITIES ? v + l->slots[i].index
                                                              : NULL;
    }
}

static void keep_lanes(const rollout *r, const lanes *l, long long first, long long k)
{
    for (int lane = 0; lane < WIDTH; ++lane) {
        double *row = r->out + ((first + lane) * r->samples + k) * r->count;
        const double *const *places = l->places + lane * r->count;
        const int *ids = l->ids + lane * r->count;
        for (Py_ssize_t i = 0; i < r->count; ++i) {
            row[i] = places[i] != NULL ? *places[i] : hf_sim_value(l->sim, (hf_channel){ids[i]});
        }
    }
}

// WIDTH runs at once. An error: one of them failed, or the machine does not take its parameters
// side by side; none of what was kept counts.
static hf_status make_lanes(const rollout *r, const lanes *l, long long first)
{
    hf_model_info info = hf_model_get_info(r->model);
    hf_error error = {0};
    hf_status status = r->name_count == 0 ? HF_OK : put_lane_parameters(r, l, first, &error);
    hf_sim_reset(l->sim);
    for (int lane = 0; r->states != NULL && lane < WIDTH && status == HF_OK; ++lane) {
        const double *state = r->states + (first + lane) * (info.coordinates + info.velocities);
        status = put_state(r, l->sim, l->batch, lane, state, &error);
    }
    find_places(r, l);
    for (long long k = 0; k < r->samples && status >= 0; ++k) {
        put_lane_inputs(r, l, first, k);
        for (long long i = 0; i < r->every && status >= 0; ++i) {
            if (atomic_load(&r->stopped)) {
                return HF_INTERRUPTED;
            }
            status = hf_sim_step(l->sim, &error);
        }
        if (status >= 0) {
            keep_lanes(r, l, first, k);
        }
    }
    return status < 0 ? status : HF_OK;
}

// How many runs are taken at a time, and why only one. A batch that cannot be made says so itself.
static void choose_width(rollout *r)
{
    hf_model_info info = hf_model_get_info(r->model);
    r->width = 1;
    if (r->runs < WIDTH) {
        r->alone = "there are fewer than 16 runs";
    } else if (info.coordinates + info.velocities > WIDEST) {
        r->alone = "the machine has more than 64 coordinates and velocities";
    } else if (r->own > 0) {
        r->alone = "the file's own parameters make another machine of each run";
    } else if (!fits_lanes(r, r->reason)) {
        r->alone = r->reason;
    } else {
        r->width = WIDTH;
    }
}

// ------------------------------------------------------------------------------------------------
// Threads

static void note(rollout *r, long long run, const hf_error *error)
{
    (void)pthread_mutex_lock(&r->lock);
    if (r->failed < 0 || run < r->failed) {
        r->failed = run;
        r->error = *error;
    }
    (void)pthread_mutex_unlock(&r->lock);
}

// Rows of a run from its beginning: nothing is known of them.
static void forget(const rollout *r, long long run)
{
    for (long long i = 0; i < r->samples * r->count; ++i) {
        r->out[run * r->samples * r->count + i] = (double)NAN;
    }
}

// One run in a sim of its own, *sim, which is made where there is none.
static void make_alone(rollout *r, hf_sim **sim, long long run)
{
    hf_sim_def def = hf_sim_def_default(r->model);
    hf_error error = {0};
    def.method = r->method;
    // A sim with parameters of its own is not used again
    if (*sim == NULL || r->name_count > 0) {
        hf_sim_destroy(*sim);
        *sim = hf_sim_create(r->model, &def, &error);
    } else {
        hf_sim_reset(*sim);
    }
    hf_status status = *sim == NULL ? HF_ERROR_MEMORY : make_run(r, *sim, run, &error);
    r->status[run] = (int)status;
    if (status < 0) {
        note(r, run, &error);
    }
}

static void *work(void *context)
{
    rollout *r = context;
    hf_sim *sim = NULL;
    lanes l = {0};
    bool wide = r->width > 1 && begin_lanes(r, &l);
    while (!atomic_load(&r->stopped)) {
        long long run = atomic_fetch_add(&r->next, r->width), end = run + r->width;
        if (run >= r->runs) {
            break;
        }
        bool whole = wide && end <= r->runs;
        hf_status status = whole ? make_lanes(r, &l, run) : HF_ERROR_UNSUPPORTED;
        // Alone: where one fails, the others go on, and each has its own message
        for (; status != HF_OK && run < end && run < r->runs && !atomic_load(&r->stopped); ++run) {
            if (whole) {
                forget(r, run);
            }
            make_alone(r, &sim, run);
        }
    }
    end_lanes(&l);
    hf_sim_destroy(sim);
    atomic_fetch_sub(&r->alive, 1);
    return NULL;
}

// Waits for the threads, with a look at signals every 20 ms. False with an exception set.
static bool wait_for(rollout *r)
{
    bool good = true;
    while (atomic_load(&r->alive) > 0) {
        const struct timespec pause = {0, 1000000};
        Py_BEGIN_ALLOW_THREADS
            for (int i = 0; i < 20 && atomic_load(&r->alive) > 0; ++i) {
                (void)nanosleep(&pause, NULL);
            }
        Py_END_ALLOW_THREADS
        if (good && PyErr_CheckSignals() < 0) {
            good = false;
            atomic_store(&r->stopped, true);
        }
    }
    return good;
}

static bool run_threads(rollout *r, int threads)
{
    pthread_t *ids = calloc((size_t)threads, sizeof *ids);
    int started = 0;
    if (ids == NULL) {
        PyErr_NoMemory();
        return false;
    }
    atomic_store(&r->alive, threads);
    while (started < threads && pthread_create(&ids[started], NULL, work, r) == 0) {
        ++started;
    }
    atomic_fetch_sub(&r->alive, threads - started);
    if (started == 0) {
        PyErr_SetString(PyExc_RuntimeError, "no thread could be started");
    }
    bool good = started > 0 && wait_for(r);
    for (int i = 0; i < started; ++i) {
        (void)pthread_join(ids[i], NULL);
    }
    free(ids);
    return good;
}

// ------------------------------------------------------------------------------------------------
// Arguments

typedef struct arguments {
    PyObject *model, *keys, *ids, *signals, *inputs, *names, *parameters, *states, *out, *status;
    const char *method;
    double step;
    int threads;
} arguments;

enum { BUFFERS = 7 };

// What became of each run: int32 that can be written.
static bool get_status(PyObject *object, Py_ssize_t runs, Py_buffer *view)
{
    if (PyObject_GetBuffer(object, view, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) < 0) {
        return false;
    }
    if (view->len < runs * (Py_ssize_t)sizeof(int)) {
        PyErr_SetString(PyExc_ValueError, "status: expected an int32 for each run");
        PyBuffer_Release(view);
        return false;
    }
    return true;
}

// Buffers of all arrays; how many were taken is in *held. False with an exception set.
static bool take_arrays(rollout *r, const arguments *a, Py_buffer *buffers, int *held)
{
    hf_model_info info = hf_model_get_info(r->model);
    Py_ssize_t runs = (Py_ssize_t)r->runs, samples = (Py_ssize_t)r->samples;
#define TAKE(call)                                                                                 \
    do {                                                                                           \
        if (!(call))                                                                               \
            return false;                                                                          \
        *held += 1;                                                                                \
    } while (0)
    TAKE(hf_py_ints(a->ids, "channels", &buffers[*held]));
    r->ids = buffers[*held - 1].buf;
    r->count = buffers[*held - 1].len / (Py_ssize_t)sizeof(int);
    TAKE(hf_py_ints(a->signals, "signals", &buffers[*held]));
    r->signals = buffers[*held - 1].buf;
    r->signal_count = buffers[*held - 1].len / (Py_ssize_t)sizeof(int);
    TAKE(hf_py_doubles(a->out, true, runs * samples * r->count, "out", &buffers[*held]));
    r->out = buffers[*held - 1].buf;
    TAKE(get_status(a->status, runs, &buffers[*held]));
    r->status = buffers[*held - 1].buf;
    if (a->inputs != Py_None) {
        TAKE(hf_py_doubles(a->inputs, false, runs * samples * r->signal_count, "inputs",
                           &buffers[*held]));
        r->inputs = buffers[*held - 1].buf;
    }
    if (r->name_count > 0) {
        TAKE(hf_py_doubles(a->parameters, false, runs * r->name_count, "parameters",
                           &buffers[*held]));
        r->parameters = buffers[*held - 1].buf;
    }
    if (a->states != Py_None) {
        TAKE(hf_py_doubles(a->states, false, runs * (info.coordinates + info.velocities), "states",
                           &buffers[*held]));
        r->states = buffers[*held - 1].buf;
    }
#undef TAKE
    return true;
}

static bool take_names(rollout *r, PyObject *names)
{
    r->name_count = PySequence_Size(names);
    r->names = r->name_count < 0 ? NULL : calloc((size_t)r->name_count + 1, sizeof *r->names);
    for (Py_ssize_t i = 0; r->names != NULL && i < r->name_count; ++i) {
        PyObject *item = PySequence_GetItem(names, i);
        r->names[i] = item == NULL ? NULL : PyUnicode_AsUTF8AndSize(item, NULL);
        Py_XDECREF(item);
        if (r->names[i] == NULL) {
            return false;
        }
    }
    return r->names != NULL;
}

// rollout(model, method, step, keys, runs, samples, every, ids, signals, inputs, names, parameters,
// states, threads, out, status, own) -> (run, text) of the first that failed, or (-1, ""), and why
// runs went one by one, or None
PyObject *hf_py_rollout(PyObject *module, PyObject *args)
{
    arguments a;
    rollout r = {.failed = -1};
    Py_buffer buffers[BUFFERS];
    int held = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OzdOLLLOOOOOOiOOi", &a.model, &a.method, &a.step, &a.keys, &r.runs,
                          &r.samples, &r.every, &a.ids, &a.signals, &a.inputs, &a.names,
                          &a.parameters, &a.states, &a.threads, &a.out, &a.status, &r.own)) {
        return NULL;
    }
    r.read = (hf_py_model *)a.model;
    r.model = r.read->model;
    bool good = hf_py_method(r.model, a.method, a.step, a.keys, &r.method) &&
                take_names(&r, a.names) && take_arrays(&r, &a, buffers, &held) &&
                (r.slots = hf_py_slots(r.model, r.ids, r.count)) != NULL &&
                pthread_mutex_init(&r.lock, NULL) == 0;
    if (good) {
        choose_width(&r);
        good = run_threads(&r, a.threads < 1 ? 1 : a.threads);
        (void)pthread_mutex_destroy(&r.lock);
    }
    while (held > 0) {
        PyBuffer_Release(&buffers[--held]);
    }
    free((void *)r.names);
    free(r.slots);
    if (!good) {
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    return Py_BuildValue("(Lsz)", r.failed, r.error.text, r.alone);
}
