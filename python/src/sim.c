// SPDX-License-Identifier: Apache-2.0
// Sim: one run of a model. Steps are made without the interpreter's lock.
#include "ext.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/method_info.h"

#define HANDLE "holdfast.sim"

static hf_py_sim *of(PyObject *self)
{
    return (hf_py_sim *)self;
}

bool hf_py_enter(hf_py_sim *self)
{
    if (self->sim == NULL || self->core->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        self->sim == NULL ? "the sim was not created"
                                          : "the sim is being advanced: by another thread, or "
                                            "a controller calls what it may not");
        return false;
    }
    self->core->busy = true;
    return true;
}

void hf_py_leave(hf_py_sim *self)
{
    self->core->busy = false;
}

bool hf_py_may_read(const hf_py_sim *self)
{
    if (self->sim == NULL || (self->core->busy && !self->core->in_update)) {
        PyErr_SetString(PyExc_RuntimeError, self->sim == NULL
                                                ? "the sim was not created"
                                                : "the sim is being advanced by another thread");
        return false;
    }
    return true;
}

PyObject *hf_py_failed(const hf_error *error)
{
    return PyErr_Occurred() ? NULL : hf_py_raise(error);
}

// ------------------------------------------------------------------------------------------------
// Creation

// A key's number from an object: a number, a bool, or the name of a choice.
static bool key_value(const hf_method_key *key, PyObject *object, double *value)
{
    if (PyUnicode_Check(object) && key->choice != NULL) {
        const char *word = PyUnicode_AsUTF8AndSize(object, NULL);
        for (int i = 0; word != NULL && i < key->choice_count; ++i) {
            if (key->choice(i) != NULL && strcmp(key->choice(i), word) == 0) {
                *value = i;
                return true;
            }
        }
        if (word != NULL) {
            PyErr_Format(PyExc_ValueError, "method: '%s' is no %s", word, key->name);
        }
        return false;
    }
    *value = PyFloat_AsDouble(object);
    return !(*value == -1.0 && PyErr_Occurred());
}

static bool set_keys(hf_method_def *method, PyObject *keys)
{
    const hf_method_info *info = hf_method_info_get(method->type);
    PyObject *name, *object;
    Py_ssize_t place = 0;
    while (keys != NULL && keys != Py_None && PyDict_Next(keys, &place, &name, &object)) {
        const char *word = PyUnicode_AsUTF8AndSize(name, NULL);
        const hf_method_key *key = word == NULL ? NULL : hf_method_key_find(info, word);
        double value;
        if (key == NULL) {
            if (word != NULL) {
                PyErr_Format(PyExc_TypeError, "method %s has no key '%s'", info->name, word);
            }
            return false;
        }
        if (!key_value(key, object, &value)) {
            return false;
        }
        hf_method_key_set(key, method, value);
    }
    return true;
}

bool hf_py_method(const hf_model *model, const char *name, double step, PyObject *keys,
                  hf_method_def *method)
{
    *method = hf_model_method(model);
    if (name != NULL) {
        hf_method_type type = hf_method_find(name);
        if (type == HF_METHOD_COUNT) {
            char known[256] = "";
            size_t used = 0;
            for (int k = 0; k < (int)HF_METHOD_COUNT && used < sizeof known; ++k) {
                used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                         k == 0 ? "" : ", ", hf_method_name((hf_method_type)k));
            }
            PyErr_Format(PyExc_ValueError, "there is no method '%s'; there are %s", name, known);
            return false;
        }
        if (type != method->type) {
            *method = (hf_method_def){.type = type, .step = method->step};
        }
    }
    method->step = isnan(step) ? method->step : step;
    return set_keys(method, keys);
}

// An event, within a step and without the interpreter's lock.
static void keep_event(void *context, const hf_event *event)
{
    hf_py_sim *self = context;
    if (self->news_count == self->news_room) {
        size_t room = self->news_room == 0 ? 64 : 2 * self->news_room;
        hf_event *grown = realloc(self->news, room * sizeof *grown);
        if (grown == NULL) {
            self->lost += 1;
            return;
        }
        self->news = grown;
        self->news_room = room;
    }
    self->news[self->news_count++] = *event;
}

// A controller in Python: called with the sim. Its exception stays set and ends the step.
typedef struct controller {
    hf_py_sim *self;
    PyObject *update;
} controller;

static hf_status call_update(void *context, hf_sim *sim, hf_error *error)
{
    const controller *c = context;
    (void)sim;
    PyGILState_STATE lock = PyGILState_Ensure();
    bool before = c->self->core->in_update;
    c->self->core->in_update = true;
    PyObject *result = PyObject_CallFunctionObjArgs(c->update, (PyObject *)c->self, NULL);
    c->self->core->in_update = before;
    Py_XDECREF(result);
    PyGILState_Release(lock);
    if (result == NULL) {
        *error = (hf_error){.status = HF_ERROR_INPUT, .text = "a controller raised an exception"};
        return HF_ERROR_INPUT;
    }
    return HF_OK;
}

// Controllers from a list of (period, callable). False with an exception set.
static bool make_controllers(hf_py_sim *self, PyObject *list, Py_ssize_t *count)
{
    *count = list == Py_None ? 0 : PySequence_Size(list);
    if (*count <= 0) {
        return *count == 0;
    }
    // The definitions, and behind them what they are called with
    self->controllers = calloc((size_t)*count, sizeof *self->controllers + sizeof(controller));
    self->updates = PyList_New(0);
    if (self->controllers == NULL || self->updates == NULL) {
        PyErr_NoMemory();
        return false;
    }
    controller *contexts = (controller *)(void *)(self->controllers + *count);
    for (Py_ssize_t i = 0; i < *count; ++i) {
        PyObject *item = PySequence_GetItem(list, i), *update = NULL;
        double period;
        bool good = item != NULL && PyArg_ParseTuple(item, "dO", &period, &update) &&
                    PyList_Append(self->updates, update) == 0;
        Py_XDECREF(item);
        if (!good) {
            return false;
        }
        contexts[i] = (controller){self, update};
        self->controllers[i] = (hf_controller_def){period, call_update, &contexts[i]};
    }
    return true;
}

// The last user of a sim's memory is gone.
static void release_sim(PyObject *capsule)
{
    hf_py_core *core = PyCapsule_GetPointer(capsule, HANDLE);
    hf_sim_destroy(core->sim);
    Py_XDECREF(core->model);
    free(core);
}

// Sim(model, method, step, keys, controllers, events, room)
static int sim_init(PyObject *object, PyObject *args, PyObject *unused)
{
    hf_py_sim *self = of(object);
    PyObject *model, *keys, *list;
    const char *name;
    double step;
    int events;
    Py_ssize_t room;
    (void)unused;
    if (self->sim != NULL) {
        PyErr_SetString(PyExc_TypeError, "a sim is created once");
        return -1;
    }
    PyObject *type = hf_py_lookup("Model");
    if (type == NULL || !PyArg_ParseTuple(args, "O!zdOOpn", (PyTypeObject *)type, &model, &name,
                                          &step, &keys, &list, &events, &room)) {
        return -1;
    }
    const hf_model *compiled = ((hf_py_model *)model)->model;
    Py_ssize_t count;
    hf_sim_def def = hf_sim_def_default(compiled);
    if (!hf_py_method(compiled, name, step, keys, &def.method) ||
        !make_controllers(self, list, &count)) {
        return -1;
    }
    def.controllers = self->controllers;
    def.controller_count = (int)count;
    if (room < 0) {
        PyErr_SetString(PyExc_ValueError, "room must be 0 or more bytes");
        return -1;
    }
    def.room = (size_t)room;
    if (events) {
        def.on_event = keep_event;
        def.event_context = self;
        self->events = PyList_New(0);
    }
    hf_error error = {0};
    self->sim = hf_sim_create(compiled, &def, &error);
    if (self->sim == NULL) {
        (void)hf_py_raise(&error);
        return -1;
    }
    self->core = calloc(1, sizeof *self->core);
    self->handle = self->core == NULL ? NULL : PyCapsule_New(self->core, HANDLE, release_sim);
    if (self->handle == NULL) {
        hf_sim_destroy(self->sim);
        free(self->core);
        self->sim = NULL;
        return -1;
    }
    Py_INCREF(model);
    Py_INCREF(model);
    *self->core = (hf_py_core){.sim = self->sim, .model = model};
    self->model = model;
    return 0;
}

static int sim_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(of(object)->model);
    Py_VISIT(of(object)->updates);
    Py_VISIT(of(object)->events);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

// Controllers are not called any more: nothing but views uses the sim's memory from here on.
static int sim_clear(PyObject *object)
{
    hf_py_sim *self = of(object);
    self->sim = NULL;
    Py_CLEAR(self->handle);
    Py_CLEAR(self->updates);
    Py_CLEAR(self->events);
    Py_CLEAR(self->model);
    return 0;
}

static void sim_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    (void)sim_clear(object);
    free(of(object)->controllers);
    free(of(object)->news);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

// ------------------------------------------------------------------------------------------------
// Time goes on

static PyObject *sim_step(PyObject *object, PyObject *unused)
{
    hf_py_sim *self = of(object);
    hf_error error;
    hf_status status;
    (void)unused;
    if (!hf_py_enter(self)) {
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
        status = hf_sim_step(self->sim, &error);
    Py_END_ALLOW_THREADS
    hf_py_leave(self);
    if (status < 0) {
        return hf_py_failed(&error);
    }
    Py_INCREF(Py_None);
    return Py_None;
}

double hf_py_now(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool hf_py_is_late(long long i, double begin)
{
    enum { ASKED_EACH = 64 };
    return (i < ASKED_EACH || i % ASKED_EACH == 0) && hf_py_now() - begin > 0.05;
}

static PyObject *sim_steps(PyObject *object, PyObject *args)
{
    hf_py_sim *self = of(object);
    long long count;
    hf_error error = {0};
    hf_status status = HF_OK;
    if (!PyArg_ParseTuple(args, "L", &count)) {
        return NULL;
    }
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "a number of steps is not negative");
        return NULL;
    }
    if (!hf_py_enter(self)) {
        return NULL;
    }
    while (count > 0 && status >= 0) {
        double begin = hf_py_now();
        Py_BEGIN_ALLOW_THREADS
            bool late = false;
            for (long long i = 0; count > 0 && !late && status >= 0; ++i, --count) {
                status = hf_sim_step(self->sim, &error);
                late = hf_py_is_late(i, begin);
            }
        Py_END_ALLOW_THREADS
        if (status >= 0 && PyErr_CheckSignals() < 0) {
            hf_py_leave(self);
            return NULL;
        }
    }
    hf_py_leave(self);
    if (status < 0) {
        return hf_py_failed(&error);
    }
    Py_INCREF(Py_None);
    return Py_None;
}

double hf_py_step_end(const hf_sim *sim, int count)
{
    double step = hf_sim_method(sim).step;
    return (floor(hf_sim_time(sim) / step + 1e-9) + count) * step;
}

static PyObject *sim_advance(PyObject *object, PyObject *args)
{
    hf_py_sim *self = of(object);
    double until;
    int stop;
    hf_error error = {0};
    hf_status status = HF_OK;
    if (!PyArg_ParseTuple(args, "dp", &until, &stop) || !hf_py_enter(self)) {
        return NULL;
    }
    if (!isfinite(until)) {
        hf_py_leave(self);
        PyErr_Format(PyExc_ValueError, "the time to advance to must be finite");
        return NULL;
    }
    // As many steps at a time as take some hundredths of a second, up to the end of one: an
    // interrupt is seen in between
    enum { MOST_AT_ONCE = 1 << 16 };
    bool there = false;
    for (int some = 1; !there && status == HF_OK;) {
        double next = hf_py_step_end(self->sim, some), begin = hf_py_now();
        there = !(next < until);
        Py_BEGIN_ALLOW_THREADS
            status = hf_sim_advance(self->sim, there ? until : next, stop != 0, &error);
        Py_END_ALLOW_THREADS
        bool fast = hf_py_now() - begin < 0.02;
        some = fast && some < MOST_AT_ONCE ? 2 * some : !fast && some > 1 ? some / 2 : some;
        if (status >= 0 && PyErr_CheckSignals() < 0) {
            hf_py_leave(self);
            return NULL;
        }
    }
    hf_py_leave(self);
    return status < 0 ? hf_py_failed(&error) : PyBool_FromLong(status == HF_EVENT);
}

static PyObject *sim_reset(PyObject *object, PyObject *unused)
{
    hf_py_sim *self = of(object);
    (void)unused;
    if (!hf_py_enter(self)) {
        return NULL;
    }
    hf_sim_reset(self->sim);
    self->news_count = 0;
    hf_py_leave(self);
    if (self->events != NULL && PyList_SetSlice(self->events, 0, PyList_Size(self->events), NULL)) {
        return NULL;
    }
    Py_INCREF(Py_None);
    return Py_None;
}

// ------------------------------------------------------------------------------------------------
// Looking

static PyObject *sim_time(PyObject *object, void *unused)
{
    (void)unused;
    return of(object)->sim == NULL ? PyFloat_FromDouble(0.0)
                                   : PyFloat_FromDouble(hf_sim_time(of(object)->sim));
}

static PyObject *sim_events(PyObject *object, void *unused)
{
    hf_py_sim *self = of(object);
    (void)unused;
    if (self->events == NULL) {
        return PyList_New(0);
    }
    for (size_t i = 0; i < self->news_count; ++i) {
        const hf_event *e = &self->news[i];
        PyObject *item = Py_BuildValue("(diii)", e->time, e->force.id, e->from, e->to);
        if (item == NULL || PyList_Append(self->events, item) < 0) {
            Py_XDECREF(item);
            return NULL;
        }
        Py_DECREF(item);
    }
    self->news_count = 0;
    Py_INCREF(self->events);
    return self->events;
}

// A view of q, v, y or all channels.
static PyObject *sim_view(PyObject *object, PyObject *args)
{
    hf_py_sim *self = of(object);
    int which;
    if (!PyArg_ParseTuple(args, "i", &which) || !hf_py_may_read(self)) {
        return NULL;
    }
    const hf_model *model = hf_sim_model(self->sim);
    hf_model_info info = hf_model_get_info(model);
    switch (which) {
    case 0:
        return hf_py_view(self->handle, hf_sim_values(self->sim), hf_model_channel_count(model));
    case 1:
        return hf_py_view(self->handle, hf_sim_positions(self->sim), info.coordinates);
    case 2:
        return hf_py_view(self->handle, hf_sim_velocities(self->sim), info.velocities);
    default:
        return hf_py_view(self->handle, hf_sim_law_states(self->sim), info.law_states);
    }
}

// Fills the array of all channels anew.
static PyObject *sim_refresh(PyObject *object, PyObject *unused)
{
    (void)unused;
    if (!hf_py_may_read(of(object))) {
        return NULL;
    }
    (void)hf_sim_values(of(object)->sim);
    Py_INCREF(Py_None);
    return Py_None;
}

static PyObject *sim_value(PyObject *object, PyObject *args)
{
    int id;
    if (!PyArg_ParseTuple(args, "i", &id) || !hf_py_may_read(of(object))) {
        return NULL;
    }
    return PyFloat_FromDouble(hf_sim_value(of(object)->sim, (hf_channel){id}));
}

hf_channel_slot *hf_py_slots(const hf_model *model, const int *ids, Py_ssize_t count)
{
    hf_channel_slot *slots = calloc((size_t)count + 1, sizeof *slots);
    for (Py_ssize_t i = 0; slots != NULL && i < count; ++i) {
        slots[i] = hf_model_channel_slot(model, (hf_channel){ids[i]});
    }
    return slots;
}

double hf_py_channel(hf_sim *sim, const hf_channel_slot *slot, int id)
{
    return slot->home == HF_IN_POSITIONS    ? hf_sim_positions(sim)[slot->index]
           : slot->home == HF_IN_VELOCITIES ? hf_sim_velocities(sim)[slot->index]
                                            : hf_sim_value(sim, (hf_channel){id});
}

// _inputs({name: id}): the mapping of its input signals
static PyObject *sim_inputs(PyObject *object, PyObject *args)
{
    PyObject *ids, *type = hf_py_lookup("Inputs");
    if (type == NULL || !PyArg_ParseTuple(args, "O!", &PyDict_Type, &ids)) {
        return NULL;
    }
    return PyObject_CallFunctionObjArgs(type, of(object)->handle, ids, NULL);
}

int hf_py_add_sim(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"step", sim_step, METH_NOARGS,
         "step()\n--\n\nAdvances by one step of the method, without the interpreter's lock."},
        {"_steps", sim_steps, METH_VARARGS, NULL},
        {"_advance", sim_advance, METH_VARARGS, NULL},
        {"_run", hf_py_run, METH_VARARGS, NULL},
        {"reset", sim_reset, METH_NOARGS,
         "reset()\n--\n\nBack to t = 0 and the initial state; events are forgotten."},
        {"_view", sim_view, METH_VARARGS, NULL},
        {"_refresh", sim_refresh, METH_NOARGS, NULL},
        {"_value", sim_value, METH_VARARGS, NULL},
        {"_inputs", sim_inputs, METH_VARARGS, NULL},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef members[] = {{"time", sim_time, NULL, "Time [s].", NULL},
                                    {"_events", sim_events, NULL, NULL, NULL},
                                    {NULL, NULL, NULL, NULL, NULL}};
    PyType_Slot slots[] = {{Py_tp_init, (void *)sim_init},
                           {Py_tp_dealloc, (void *)sim_free},
                           {Py_tp_traverse, (void *)sim_traverse},
                           {Py_tp_clear, (void *)sim_clear},
                           {Py_tp_methods, (void *)methods},
                           {Py_tp_getset, (void *)members},
                           {0, NULL}};
    PyType_Spec spec = {.name = "holdfast._holdfast.Sim",
                        .basicsize = sizeof(hf_py_sim),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                        .slots = slots};
    PyObject *type = PyType_FromSpec(&spec);
    if (type == NULL) {
        return -1;
    }
    // What is in dynamics.c, by the same type
    for (PyMethodDef *m = hf_py_dynamics; m->ml_name != NULL; ++m) {
        PyObject *method = PyDescr_NewMethod((PyTypeObject *)type, m);
        int status = method == NULL ? -1 : PyObject_SetAttrString(type, m->ml_name, method);
        Py_XDECREF(method);
        if (status < 0) {
            Py_DECREF(type);
            return -1;
        }
    }
    return PyModule_AddObject(module, "Sim", type);
}
