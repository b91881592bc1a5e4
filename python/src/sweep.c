// SPDX-License-Identifier: Apache-2.0
// Sweeps: the C library's, on all cores and without the interpreter's lock. Tables are CSV.
#include "ext.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <holdfast/sweep.h>

typedef struct texts {
    const char **items; // they live as long as the objects
    Py_ssize_t count;
} texts;

// The texts of a tuple; false with an exception set.
static bool take_texts(PyObject *tuple, texts *t)
{
    t->count = PyTuple_Size(tuple);
    if (t->count < 0) {
        return false;
    }
    t->items = calloc((size_t)t->count + 1, sizeof *t->items);
    if (t->items == NULL) {
        (void)PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < t->count; ++i) {
        t->items[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL);
        if (t->items[i] == NULL) {
            return false;
        }
    }
    return true;
}

typedef struct watch {
    pthread_t caller;
    atomic_bool stopped; // Ctrl-C: an exception is set
} watch;

// Signals of Python are its main thread's, which works on cases too.
static bool stop_wanted(void *context)
{
    watch *w = context;
    if (pthread_equal(pthread_self(), w->caller) && !atomic_load(&w->stopped)) {
        PyGILState_STATE state = PyGILState_Ensure();
        if (PyErr_CheckSignals() != 0) {
            atomic_store(&w->stopped, true);
        }
        PyGILState_Release(state);
    }
    return atomic_load(&w->stopped);
}

static PyObject *run(const hf_sweep_def *def, watch *w)
{
    hf_error error = {0};
    hf_status status = HF_OK;
    Py_BEGIN_ALLOW_THREADS
        ;
        hf_sweep *sweep = hf_sweep_create(def, &error);
        status = sweep == NULL ? HF_ERROR_INPUT : hf_sweep_run(sweep, &error);
        hf_sweep_destroy(sweep);
    Py_END_ALLOW_THREADS;
    if (atomic_load(&w->stopped)) {
        return NULL; // the exception is set
    }
    if (status != HF_OK) {
        return hf_py_raise(&error);
    }
    Py_INCREF(Py_None);
    return Py_None;
}

// sweep(text, label, folder, sets, vary, of, variants, methods, samples, design, indices, seed,
// regimes, energy, after, duration, every, jobs, output, resume) -> None
PyObject *hf_py_sweep(PyObject *module, PyObject *args)
{
    enum { LISTS = 5 };
    PyObject *lists[LISTS];
    texts t[LISTS] = {{0}};
    hf_sweep_def d = hf_sweep_def_default();
    Py_ssize_t length = 0;
    int design = 0, indices = 0, regimes = 0, energy = 0, resume = 0;
    watch w = {.caller = pthread_self()};
    (void)module;
    if (!PyArg_ParseTuple(args, "s#szO!O!O!O!O!LiiKppddLisp", &d.text, &length, &d.label, &d.folder,
                          &PyTuple_Type, &lists[0], &PyTuple_Type, &lists[1], &PyTuple_Type,
                          &lists[2], &PyTuple_Type, &lists[3], &PyTuple_Type, &lists[4], &d.samples,
                          &design, &indices, &d.seed, &regimes, &energy, &d.after, &d.duration,
                          &d.every, &d.jobs, &d.output, &resume)) {
        return NULL;
    }
    bool good = true;
    for (int i = 0; i < LISTS && good; ++i) {
        good = take_texts(lists[i], &t[i]);
    }
    PyObject *result = NULL;
    if (good) {
        d.length = (size_t)length;
        d.sets = t[0].items, d.set_count = (int)t[0].count;
        d.vary = t[1].items, d.vary_count = (int)t[1].count;
        d.of = t[2].items, d.of_count = (int)t[2].count;
        d.variants = t[3].items, d.variant_count = (int)t[3].count;
        d.methods = t[4].items, d.method_count = (int)t[4].count;
        d.design = (hf_sweep_design)design;
        d.indices = (hf_sweep_indices)indices;
        d.regimes = regimes != 0, d.energy = energy != 0, d.resume = resume != 0;
        d.stop_wanted = stop_wanted;
        d.context = &w;
        result = run(&d, &w);
    }
    for (int i = 0; i < LISTS; ++i) {
        free((void *)t[i].items);
    }
    return result;
}
