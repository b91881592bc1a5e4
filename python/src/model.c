// SPDX-License-Identifier: Apache-2.0
// Model: a compiled machine.
#include "ext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hf_model *model_of(PyObject *self)
{
    return ((hf_py_model *)self)->model;
}

// ------------------------------------------------------------------------------------------------
// Creation

const char **hf_py_strings(PyObject *sequence, Py_ssize_t *count)
{
    *count = PySequence_Size(sequence);
    const char **strings = *count < 0 ? NULL : calloc((size_t)*count + 1, sizeof *strings);
    for (Py_ssize_t i = 0; strings != NULL && i < *count; ++i) {
        PyObject *item = PySequence_GetItem(sequence, i);
        strings[i] = item == NULL ? NULL : PyUnicode_AsUTF8AndSize(item, NULL);
        Py_XDECREF(item); // the sequence keeps it
        if (strings[i] == NULL) {
            free((void *)strings);
            return NULL;
        }
    }
    if (strings == NULL && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return strings;
}

static char *copy_of(const char *text)
{
    return text == NULL ? NULL : strdup(text);
}

static void source_free(hf_py_source *s)
{
    for (int i = 0; s->items != NULL && i < s->count; ++i) {
        free(s->items[i]);
    }
    free(s->items);
    hf_model_file_destroy(s->file);
    free(s->variant);
    free(s->method);
    *s = (hf_py_source){0};
}

// What a model was read from, to read it again. False with the error filled, or out of memory.
static bool source_keep(hf_py_source *s, const char *text, size_t length, const char *label,
                        const char *folder, const hf_overrides *o, hf_error *error)
{
    *s = (hf_py_source){.file = hf_model_file_parse(text, length, label, folder, NULL, error),
                        .variant = copy_of(o->variant),
                        .method = copy_of(o->method),
                        .items = calloc((size_t)o->count + 1, sizeof *s->items),
                        .step = o->step};
    bool good = s->file != NULL && s->items != NULL && (o->variant == NULL || s->variant != NULL) &&
                (o->method == NULL || s->method != NULL);
    for (; good && s->count < o->count; ++s->count) {
        s->items[s->count] = strdup(o->items[s->count]);
        good = s->items[s->count] != NULL;
    }
    return good;
}

// The number of the file's own parameter of this name; -1: there is none.
static int find_own(const hf_model *model, const char *name)
{
    for (int i = 0; i < hf_model_parameter_count(model); ++i) {
        if (strcmp(hf_model_parameter(model, i).name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static hf_model *outside(const hf_parameter_def *p, double value, hf_error *error)
{
    *error = (hf_error){.status = HF_ERROR_RANGE};
    (void)snprintf(error->text, sizeof error->text,
                   "parameter '%.100s': %g is outside of its range, %g to %g (in SI units)",
                   p->name, value, p->low, p->high);
    return NULL;
}

// Where a name is not one of the file's: those it has.
static hf_model *unknown(const hf_model *model, const char *name, hf_error *error)
{
    char list[300] = "none";
    for (int i = 0; i < hf_model_parameter_count(model); ++i) {
        size_t used = i == 0 ? 0 : strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ",
                       hf_model_parameter(model, i).name);
    }
    *error = (hf_error){.status = HF_ERROR_NAME};
    (void)snprintf(error->text, sizeof error->text,
                   "the model has no parameter '%.100s'; its own are %s, and those of components "
                   "have a dot in their name",
                   name, list);
    return NULL;
}

hf_model *hf_py_read_again(const hf_py_model *self, const char *const *names, const double *values,
                           int count, hf_error *error)
{
    enum { ROOM = 200 };
    for (int i = 0; i < count; ++i) {
        int own = find_own(self->model, names[i]);
        if (own < 0) {
            return unknown(self->model, names[i], error);
        }
        hf_parameter_def p = hf_model_parameter(self->model, own);
        if (!(values[i] >= p.low && values[i] <= p.high)) {
            return outside(&p, values[i], error);
        }
    }
    const hf_py_source *s = &self->source;
    if (s->file == NULL) {
        *error = (hf_error){.status = HF_ERROR_STATE, .text = "the model keeps no text"};
        return NULL;
    }
    const char **items = calloc((size_t)(s->count + count) + 1, sizeof *items);
    char(*own)[ROOM] = calloc((size_t)count + 1, sizeof *own);
    hf_model *model = NULL;
    if (items == NULL || own == NULL) {
        *error = (hf_error){.status = HF_ERROR_MEMORY, .text = "out of memory for a model"};
    } else {
        for (int i = 0; i < s->count; ++i) {
            items[i] = s->items[i];
        }
        // The last one of a path counts. A map without a unit: values are in SI units
        for (int i = 0; i < count; ++i) {
            (void)snprintf(own[i], ROOM, "parameters.%.140s={value: %.17g}", names[i], values[i]);
            items[s->count + i] = own[i];
        }
        const hf_overrides overrides = {.items = items,
                                        .count = s->count + count,
                                        .asker = "parameters",
                                        .step = s->step,
                                        .variant = s->variant,
                                        .method = s->method};
        model = hf_model_file_compile(s->file, &overrides, error);
    }
    free((void *)items);
    free(own);
    return model;
}

// Model(path, text, label, folder, items, step, variant, method): text None: reads path.
static int model_init(PyObject *object, PyObject *args, PyObject *unused)
{
    hf_py_model *self = (hf_py_model *)object;
    const char *path, *text, *label, *folder, *variant, *method;
    Py_ssize_t length, count;
    PyObject *list;
    double step;
    (void)unused;
    if (self->model != NULL) { // sims may be using it
        PyErr_SetString(PyExc_TypeError, "a model is made once");
        return -1;
    }
    if (!PyArg_ParseTuple(args, "zz#szOdzz", &path, &text, &length, &label, &folder, &list, &step,
                          &variant, &method)) {
        return -1;
    }
    const char **items = hf_py_strings(list, &count);
    if (items == NULL) {
        return -1;
    }
    const hf_overrides overrides = {.items = items,
                                    .count = (int)count,
                                    .asker = "parameters",
                                    .step = step,
                                    .variant = variant,
                                    .method = method};
    hf_error error = {0};
    hf_model *model;
    Py_BEGIN_ALLOW_THREADS
        model = text == NULL
                    ? hf_model_load_changed(path, &overrides, &error)
                    : hf_model_parse(text, (size_t)length, label, folder, &overrides, &error);
    Py_END_ALLOW_THREADS
    bool kept = model == NULL || text == NULL ||
                source_keep(&self->source, text, (size_t)length, label, folder, &overrides, &error);
    free((void *)items);
    if (model == NULL) {
        (void)hf_py_raise(&error);
        return -1;
    }
    self->model = model;
    if (!kept) {
        PyErr_NoMemory();
    }
    return kept ? 0 : -1;
}

static void model_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    hf_model_destroy(((hf_py_model *)self)->model);
    source_free(&((hf_py_model *)self)->source);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

// ------------------------------------------------------------------------------------------------
// What it is made of

// A list of `count` objects that `item` makes for 1 to count.
static PyObject *list_of(const hf_model *model, int count,
                         PyObject *(*item)(const hf_model *model, int id))
{
    PyObject *list = PyList_New(0);
    for (int id = 1; list != NULL && id <= count; ++id) {
        PyObject *object = item(model, id);
        if (object == NULL || PyList_Append(list, object) < 0) {
            Py_DECREF(list);
            list = NULL;
        }
        Py_XDECREF(object);
    }
    return list;
}

static PyObject *channel_item(const hf_model *model, int id)
{
    char name[512];
    hf_channel channel = {id};
    hf_channel_slot slot = hf_model_channel_slot(model, channel);
    hf_model_channel_name(model, channel, name, sizeof name);
    return Py_BuildValue("(ssii)", name, hf_model_channel_unit(model, channel), (int)slot.home,
                         slot.index);
}

static PyObject *model_channels(PyObject *self, PyObject *unused)
{
    (void)unused;
    return list_of(model_of(self), hf_model_channel_count(model_of(self)), channel_item);
}

static PyObject *body_item(const hf_model *model, int id)
{
    static const char *const types[] = {
#define HF_BODY(NAME, name) #name,
#include <holdfast/bodies.def>
    };
    hf_body body = {id};
    hf_body_info info = hf_model_body_info(model, body);
    hf_body_slots at = hf_model_body_slots(model, body);
    return Py_BuildValue("(ssdiiii)", info.name, types[info.type], info.mass, at.position,
                         at.position_count, at.velocity, at.velocity_count);
}

static PyObject *model_bodies(PyObject *self, PyObject *unused)
{
    (void)unused;
    return list_of(model_of(self), hf_model_get_info(model_of(self)).bodies, body_item);
}

static PyObject *force_item(const hf_model *model, int id)
{
    hf_force_info info = hf_model_force_info(model, (hf_force){id});
    return Py_BuildValue("(ssiO)", info.name, info.law, info.dim,
                         info.friction ? Py_True : Py_False);
}

static PyObject *model_forces(PyObject *self, PyObject *unused)
{
    (void)unused;
    return list_of(model_of(self), hf_model_get_info(model_of(self)).forces, force_item);
}

static PyObject *signal_item(const hf_model *model, int id)
{
    static const char *const types[] = {"constant", "table", "function", "fourier", "input"};
    hf_signal_info info = hf_model_signal_info(model, (hf_signal){id});
    return Py_BuildValue("(ss)", info.name, types[info.type]);
}

static PyObject *model_signals(PyObject *self, PyObject *unused)
{
    (void)unused;
    return list_of(model_of(self), hf_model_get_info(model_of(self)).signals, signal_item);
}

static bool add_parameter(void *context, const hf_parameter *parameter)
{
    PyObject *item = Py_BuildValue("(ssd)", parameter->name, parameter->unit, parameter->value);
    bool good = item != NULL && PyList_Append(context, item) == 0;
    Py_XDECREF(item);
    return good;
}

PyObject *hf_py_own_parameters(const hf_model *model)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < hf_model_parameter_count(model); ++i) {
        hf_parameter_def p = hf_model_parameter(model, i);
        PyObject *item = Py_BuildValue("(ssd)", p.name, p.unit == NULL ? "" : p.unit, p.value);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_DECREF(list);
            list = NULL;
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *model_parameters(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *list = hf_py_own_parameters(model_of(self));
    if (list != NULL) {
        hf_model_parameters(model_of(self), add_parameter, list);
        if (PyErr_Occurred()) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

// Ids of the channels that a name stands for, or the nearest known name.
static PyObject *model_expand(PyObject *self, PyObject *args)
{
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name)) {
        return NULL;
    }
    const hf_model *model = model_of(self);
    int count = hf_model_expand_channels(model, name, NULL, 0);
    if (count == 0) {
        char nearest[512];
        hf_model_nearest_channel(model, name, nearest, sizeof nearest);
        return PyUnicode_FromString(nearest);
    }
    hf_channel *channels = malloc((size_t)count * sizeof *channels);
    PyObject *list = channels == NULL ? PyErr_NoMemory() : PyList_New(0);
    (void)(channels != NULL && hf_model_expand_channels(model, name, channels, count));
    for (int i = 0; list != NULL && i < count; ++i) {
        PyObject *id = PyLong_FromLong(channels[i].id);
        if (id == NULL || PyList_Append(list, id) < 0) {
            Py_DECREF(list);
            list = NULL;
        }
        Py_XDECREF(id);
    }
    free(channels);
    return list;
}

static PyObject *model_records(PyObject *self, PyObject *unused)
{
    (void)unused;
    const hf_model *model = model_of(self);
    PyObject *list = PyList_New(0);
    for (int i = 0; list != NULL && i < hf_model_record_count(model); ++i) {
        PyObject *id = PyLong_FromLong(hf_model_record_channel(model, i).id);
        if (id == NULL || PyList_Append(list, id) < 0) {
            Py_DECREF(list);
            list = NULL;
        }
        Py_XDECREF(id);
    }
    return list;
}

static PyObject *model_info(PyObject *self, PyObject *unused)
{
    (void)unused;
    const hf_model *model = model_of(self);
    hf_model_info i = hf_model_get_info(model);
    hf_method_def method = hf_model_method(model);
    hf_vec3 g = hf_model_gravity(model);
    return Py_BuildValue("{s:s,s:s,s:s,s:d,s:d,s:(ddd),s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i}", //
                         "name", hf_model_name(model), "text", hf_model_text(model), "method",
                         hf_method_name(method.type), "step", method.step, "duration",
                         hf_model_duration(model), "gravity", g.x, g.y, g.z, "bodies", i.bodies,
                         "trees", i.trees, "forces", i.forces, "signals", i.signals, "coordinates",
                         i.coordinates, "velocities", i.velocities, "law_states", i.law_states,
                         "loops", i.loops, "freedoms", i.freedoms);
}

static PyObject *model_tree(PyObject *self, PyObject *args)
{
    const char *name;
    return PyArg_ParseTuple(args, "s", &name)
               ? PyLong_FromLong(hf_model_find_tree(model_of(self), name).id)
               : NULL;
}

int hf_py_add_model(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"_channels", model_channels, METH_NOARGS, "[(name, unit, home, index)], ids from 1"},
        {"_bodies", model_bodies, METH_NOARGS, "[(name, type, mass, q, nq, v, nv)]"},
        {"_forces", model_forces, METH_NOARGS, "[(name, law, dim, friction)]"},
        {"_signals", model_signals, METH_NOARGS, "[(name, type)]"},
        {"_parameters", model_parameters, METH_NOARGS, "[(name, unit, value)]"},
        {"_expand", model_expand, METH_VARARGS, "ids of a name, or the nearest name"},
        {"_records", model_records, METH_NOARGS, "ids that a run records"},
        {"_info", model_info, METH_NOARGS, "sizes and settings"},
        {"_tree", model_tree, METH_VARARGS, "id of a tree; 0: there is none"},
        {NULL, NULL, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_init, (void *)model_init},
                           {Py_tp_dealloc, (void *)model_free},
                           {Py_tp_methods, (void *)methods},
                           {0, NULL}};
    PyType_Spec spec = {.name = "holdfast._holdfast.Model",
                        .basicsize = sizeof(hf_py_model),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                        .slots = slots};
    PyObject *type = PyType_FromSpec(&spec);
    return type == NULL ? -1 : PyModule_AddObject(module, "Model", type);
}
