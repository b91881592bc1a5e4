// SPDX-License-Identifier: Apache-2.0
// Laws as functions of arrays: force and rate of the state, one element a motion.
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include <holdfast/laws.h>

// [(name, phrase, kind is friction, needs_applied, [(parameter, unit, meaning, kind)])]
PyObject *hf_py_law_list(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    (void)module;
    (void)unused;
    for (int type = 0; list != NULL && type < HF_LAW_TYPE_COUNT; ++type) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)type);
        if (law == NULL) {
            continue;
        }
        PyObject *params = PyList_New(0);
        for (int i = 0; params != NULL && i < law->param_count; ++i) {
            const hf_param *p = &law->params[i];
            PyObject *item = Py_BuildValue("(sssi)", p->name, p->unit, p->meaning, (int)p->kind);
            if (item == NULL || PyList_Append(params, item) < 0) {
                Py_DECREF(params);
                params = NULL;
            }
            Py_XDECREF(item);
        }
        PyObject *item = params == NULL
                             ? NULL
                             : Py_BuildValue("(ssiiiN)", law->name, law->phrase, (int)law->kind,
                                             (int)law->needs_applied, law->min_dim, params);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_DECREF(list);
            list = NULL;
        }
        Py_XDECREF(item);
    }
    return list;
}

// Numbers of a level from a dict or a number.
static bool read_level(PyObject *value, hf_level *level)
{
    static const struct {
        const char *name;
        size_t offset;
        bool pair;
    } members[] = {{"kinetic", offsetof(hf_level, kinetic), true},
                   {"static", offsetof(hf_level, peak), true},
                   {"stribeck_velocity", offsetof(hf_level, stribeck), true},
                   {"viscous", offsetof(hf_level, viscous), true},
                   {"shape", offsetof(hf_level, shape), false}};
    if (!PyDict_Check(value)) {
        double number = PyFloat_AsDouble(value);
        *level = level->per_normal ? hf_level_coefficient(number) : hf_level_coulomb(number);
        return !PyErr_Occurred();
    }
    PyObject *kinetic = PyDict_GetItemString(value, "kinetic");
    *level = hf_level_coulomb(kinetic == NULL ? 0.0 : PyFloat_AsDouble(kinetic));
    PyObject *name, *item;
    Py_ssize_t place = 0;
    while (PyDict_Next(value, &place, &name, &item)) {
        const char *word = PyUnicode_AsUTF8AndSize(name, NULL);
        size_t i = 0, count = sizeof members / sizeof *members;
        while (word != NULL && i < count && strcmp(members[i].name, word) != 0) {
            ++i;
        }
        double number = PyFloat_AsDouble(item);
        if (word == NULL || PyErr_Occurred()) {
            return false;
        }
        if (i == count) {
            PyErr_Format(
                PyExc_TypeError,
                "a level has kinetic, static, stribeck_velocity, viscous and shape, not '%s'",
                word);
            return false;
        }
        double *at = (double *)(void *)((char *)level + members[i].offset);
        at[0] = number;
        if (members[i].pair) {
            at[1] = number;
        }
    }
    return true;
}

// A definition from a dict of parameters; lists point into *lists, which is freed with the
// definition. False with an exception set.
static bool read_param(const hf_law_info *law, void *def, const char *name, PyObject *value,
                       double **list)
{
    const hf_param *param = hf_law_param(law, name);
    if (param == NULL) {
        PyErr_Format(PyExc_TypeError, "law %s has no parameter '%s'", law->name, name);
        return false;
    }
    void *at = (char *)def + param->offset;
    switch (param->kind) {
    case HF_PARAM_NUMBER:
    case HF_PARAM_AUTO:
        *(double *)at = PyFloat_AsDouble(value);
        return !PyErr_Occurred();
    case HF_PARAM_LEVEL:
        return read_level(value, at);
    case HF_PARAM_FLAG:
        *(bool *)at = PyObject_IsTrue(value) == 1;
        return !PyErr_Occurred();
    case HF_PARAM_COUNT:
        *(int *)at = (int)PyLong_AsLong(value);
        return !PyErr_Occurred();
    case HF_PARAM_LIST:
        break;
    }
    Py_ssize_t count = PySequence_Size(value);
    *list = count < 0 ? NULL : calloc((size_t)count + 1, sizeof **list);
    for (Py_ssize_t i = 0; *list != NULL && i < count; ++i) {
        PyObject *item = PySequence_GetItem(value, i);
        (*list)[i] = item == NULL ? 0.0 : PyFloat_AsDouble(item);
        Py_XDECREF(item);
    }
    *(hf_list *)at = (hf_list){*list, (int)count};
    return *list != NULL && !PyErr_Occurred();
}

enum { LISTS_MOST = 16 };

typedef struct definition {
    const hf_law_info *law;
    void *def;
    double *lists[LISTS_MOST];
} definition;

static void free_definition(definition *d)
{
    for (int i = 0; i < LISTS_MOST; ++i) {
        free(d->lists[i]);
    }
    free(d->def);
}

static bool make_definition(definition *d, const char *name, PyObject *params)
{
    d->law = hf_law_info_find(name);
    if (d->law == NULL) {
        PyErr_Format(PyExc_ValueError, "there is no law '%s'", name);
        return false;
    }
    d->def = calloc(1, d->law->def_size + 64);
    if (d->def == NULL) {
        PyErr_NoMemory();
        return false;
    }
    d->law->set_default(d->def);
    PyObject *key, *value;
    Py_ssize_t place = 0;
    for (int i = 0; PyDict_Next(params, &place, &key, &value); ++i) {
        const char *word = PyUnicode_AsUTF8AndSize(key, NULL);
        if (i >= LISTS_MOST || word == NULL ||
            !read_param(d->law, d->def, word, value, &d->lists[i])) {
            return false;
        }
    }
    hf_fault fault = {0};
    if (d->law->check(d->def, 1, &fault) < 0) {
        hf_error error = {.status = HF_ERROR_RANGE, .time = -1.0};
        (void)PyOS_snprintf(error.text, sizeof error.text, "law '%s': %s%s%s %s, got %g", name,
                            fault.within == NULL ? "" : fault.within,
                            fault.within == NULL ? "" : ": ",
                            fault.member == NULL ? "definition" : fault.member,
                            fault.expected == NULL ? "is not valid" : fault.expected, fault.value);
        (void)hf_py_raise(&error);
        return false;
    }
    return true;
}

// law_eval(name, parameters, gap, rate, normal, regime, tau, state, force, dstate, mode, stored,
// heat): arrays of n, states n x state count; all None: returns the state count.
PyObject *hf_py_law_eval(PyObject *module, PyObject *args)
{
    enum { ARRAYS = 9 };
    const char *name;
    PyObject *params, *objects[ARRAYS];
    double tau;
    (void)module;
    if (!PyArg_ParseTuple(args, "sO!dOOOOOOOOO", &name, &PyDict_Type, &params, &tau, &objects[0],
                          &objects[1], &objects[2], &objects[3], &objects[4], &objects[5],
                          &objects[6], &objects[7], &objects[8])) {
        return NULL;
    }
    definition d = {0};
    Py_buffer b[ARRAYS];
    int held = 0;
    PyObject *result = NULL;
    if (make_definition(&d, name, params)) {
        int states = d.law->state_count(d.def, 1);
        Py_ssize_t n = 0;
        bool good = objects[0] != Py_None;
        for (; good && held < ARRAYS; ++held) {
            good = hf_py_doubles(objects[held], held >= 4, held == 3 || held == 5 ? n * states : n,
                                 "arrays of a law", &b[held]);
            n = held == 0 && good ? b[0].len / (Py_ssize_t)sizeof(double) : n;
            held -= good ? 0 : 1;
        }
        for (Py_ssize_t i = 0; good && i < n; ++i) {
            double *const *at = (double *const[]){b[0].buf, b[1].buf, b[2].buf, b[3].buf, b[4].buf,
                                                  b[5].buf, b[6].buf, b[7].buf, b[8].buf};
            hf_law_in in = {.gap = at[0] + i,
                            .rate = at[1] + i,
                            .normal = at[2][i],
                            .y = at[3] + i * states,
                            .tau = tau,
                            .regime = at[6][i] == 0.0 ? HF_REGIME_STICK : HF_REGIME_SLIP,
                            .step = tau};
            hf_law_out out = {.force = at[4] + i, .dy = at[5] + i * states};
            d.law->eval(d.def, 1, &in, &out);
            at[6][i] = out.regime == HF_REGIME_STICK  ? 0.0
                       : out.regime == HF_REGIME_OPEN ? 2.0
                       : *out.force < 0.0             ? -1.0
                                                      : 1.0;
            at[7][i] = out.stored;
            at[8][i] = out.dissipated;
        }
        if (good || objects[0] == Py_None) {
            result = PyLong_FromLong(states);
        }
    }
    while (held > 0) {
        PyBuffer_Release(&b[--held]);
    }
    free_definition(&d);
    return result;
}
