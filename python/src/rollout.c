// SPDX-License-Identifier: Apache-2.0
// Rollouts: n runs of one model in threads, each with its own inputs, parameters and start. A run
// is one thread's from its beginning to its end, so that results do not depend on how many there
// are.
#include "ext.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    atomic_llong next;        // run to take
    atomic_bool stopped;      // the caller wants no more
    atomic_int alive;         // threads
    pthread_mutex_t lock;     // of what follows
    long long failed;         // first run that failed, or -1
    hf_error error;           // of it
} rollout;

static hf_status put_state(hf_sim *sim, const double *state, hf_error *error)
{
    const hf_model *model = hf_sim_model(sim);
    hf_model_info info = hf_model_get_info(model);
    for (int id = 1; id <= info.bodies; ++id) {
        hf_body body = {id};
        hf_body_slots at = hf_model_body_slots(model, body);
        if (hf_model_body_info(model, body).type == HF_BODY_DRIVEN) {
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
        status = put_state(sim, r->states + run * (info.coordinates + info.velocities), error);
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
            status = hf_sim_step(sim, error);
        }
        double *row = r->out + (run * r->samples + k) * r->count;
        for (Py_ssize_t i = 0; i < r->count && status >= 0; ++i) {
            row[i] = hf_py_channel(sim, &r->slots[i], r->ids[i]);
        }
        if ((k & 63) == 63 && atomic_load(&r->stopped)) {
            return HF_INTERRUPTED;
        }
    }
    return status;
}

static void note(rollout *r, long long run, const hf_error *error)
{
    (void)pthread_mutex_lock(&r->lock);
    if (r->failed < 0 || run < r->failed) {
        r->failed = run;
        r->error = *error;
    }
    (void)pthread_mutex_unlock(&r->lock);
}

static void *work(void *context)
{
    rollout *r = context;
    hf_sim_def def = hf_sim_def_default(r->model);
    def.method = r->method;
    hf_error error = {0};
    hf_sim *sim = NULL;
    while (!atomic_load(&r->stopped)) {
        long long run = atomic_fetch_add(&r->next, 1);
        if (run >= r->runs) {
            break;
        }
        // A sim with parameters of its own is not used again
        if (sim == NULL || r->name_count > 0) {
            hf_sim_destroy(sim);
            sim = hf_sim_create(r->model, &def, &error);
        } else {
            hf_sim_reset(sim);
        }
        hf_status status = sim == NULL ? HF_ERROR_MEMORY : make_run(r, sim, run, &error);
        r->status[run] = (int)status;
        if (status < 0) {
            note(r, run, &error);
        }
    }
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
// states, threads, out, status, own) -> None, or (run, text) of the first that failed
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
    if (r.failed >= 0) {
        return Py_BuildValue("(Ls)", r.failed, r.error.text);
    }
    Py_INCREF(Py_None);
    return Py_None;
}
