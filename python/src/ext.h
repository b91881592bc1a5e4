// SPDX-License-Identifier: Apache-2.0
// The extension module holdfast._holdfast, by Python's limited API (3.11 and later). It wraps
// models and sims one to one; what is convenient is Python, in holdfast/.
#ifndef HF_PYTHON_EXT_H
#define HF_PYTHON_EXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <holdfast/models.h>
#include <holdfast/sim.h>

// What a model was read from; text NULL: nothing.
typedef struct hf_py_source {
    hf_model_file *file; // parsed; NULL: the model cannot be read again
    char *variant, *method;
    char **items; // changes, "PATH=VALUE"
    int count;
    double step; // [s]; 0: the text's
} hf_py_source;

typedef struct hf_py_model {
    PyObject_HEAD hf_model *model;
    hf_py_source source;
} hf_py_model;

// The same text with other values of its own `parameters:`; NULL with the error filled. Needs no
// lock of the interpreter.
hf_model *hf_py_read_again(const hf_py_model *self, const char *const *names, const double *values,
                           int count, hf_error *error);
// [(name, unit, value)] of the file's own parameters.
PyObject *hf_py_own_parameters(const hf_model *model);
// Sets parameters of a live sim; the first `own` of them are the file's own.
hf_status hf_py_put_parameters(const hf_py_model *model, hf_sim *sim, const char *const *names,
                               const double *values, int count, int own, hf_error *error);

// A sim's memory, which views and inputs use too: owned by a capsule.
typedef struct hf_py_core {
    hf_sim *sim;
    PyObject *model; // which the sim needs
    bool busy;       // a thread is inside, without the interpreter's lock
    bool in_update;  // and calls a controller: reading and inputs are allowed
} hf_py_core;

typedef struct hf_py_sim {
    PyObject_HEAD PyObject *model; // an hf_py_model
    PyObject *handle;              // the capsule of core: views refer to it, not to this
    hf_py_core *core;
    hf_sim *sim; // of core
    hf_controller_def *controllers;
    PyObject *updates; // list of the controllers' callables
    PyObject *events;  // list of (time, force id, from, to); NULL: not kept
    hf_event *news;    // events since they were last put into the list
    size_t news_count, news_room;
    long long lost; // events that there was no memory for
} hf_py_sim;

// Types, made by the module's init.
int hf_py_add_model(PyObject *module);
int hf_py_add_sim(PyObject *module);
int hf_py_add_view(PyObject *module);
int hf_py_add_inputs(PyObject *module);

// Raises holdfast.Error with what *error says. Returns NULL.
PyObject *hf_py_raise(const hf_error *error);
// An object of the module, borrowed; NULL with an exception set.
PyObject *hf_py_lookup(const char *name);

// Strings of a sequence, which must stay as long as they are used; to be freed. NULL with an
// exception set.
const char **hf_py_strings(PyObject *sequence, Py_ssize_t *count);

// A contiguous array of doubles of at least `count` numbers; false with an exception set. Release
// with PyBuffer_Release.
bool hf_py_doubles(PyObject *object, bool writable, Py_ssize_t count, const char *what,
                   Py_buffer *view);
// The same of C ints.
bool hf_py_ints(PyObject *object, const char *what, Py_buffer *view);

// A read-only window on memory of `owner`, which it keeps alive: the buffer protocol.
PyObject *hf_py_view(PyObject *owner, const double *numbers, Py_ssize_t count);

// Enters and leaves a sim for work without the interpreter's lock. False, with an exception set,
// when another thread is inside or the sim is gone.
bool hf_py_enter(hf_py_sim *self);
void hf_py_leave(hf_py_sim *self);
// The same for what controllers may do too: reading, and setting inputs.
bool hf_py_may_read(const hf_py_sim *self);
// The exception of a call that ended with `status`, or that a controller raised. NULL.
PyObject *hf_py_failed(const hf_error *error);
// The end of the `count`-th step from here: a multiple of the step.
double hf_py_step_end(const hf_sim *sim, int count);

// Seconds of a clock; and whether it is time to look at signals after step i of a loop that began
// then: a twentieth of a second is over. Slow steps are asked one by one.
double hf_py_now(void);
bool hf_py_is_late(long long i, double begin);

// Where channels are, to be freed (NULL: no memory); the number of one, without an evaluation where
// the state itself has it.
hf_channel_slot *hf_py_slots(const hf_model *model, const int *ids, Py_ssize_t count);
double hf_py_channel(hf_sim *sim, const hf_channel_slot *slot, int id);

// Fills a method's definition from a name (NULL: the model's), a step (NaN: the model's) and a
// dict of its keys (NULL: none).
bool hf_py_method(const hf_model *model, const char *name, double step, PyObject *keys,
                  hf_method_def *method);

// Functions of the module and methods of sims in files of their own.
PyObject *hf_py_run(PyObject *self, PyObject *args);
PyObject *hf_py_write_page(PyObject *module, PyObject *args);
PyObject *hf_py_rollout(PyObject *module, PyObject *args);
PyObject *hf_py_sweep(PyObject *module, PyObject *args);
PyObject *hf_py_fit(PyObject *module, PyObject *args);
PyObject *hf_py_law_eval(PyObject *module, PyObject *args);
PyObject *hf_py_law_list(PyObject *module, PyObject *unused);
extern PyMethodDef hf_py_dynamics[];

#endif
