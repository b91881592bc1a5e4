// SPDX-License-Identifier: Apache-2.0
// Inputs: the input signals of a sim by name. In C, because a controller sets one in every step.
#include "ext.h"

typedef struct inputs_object {
    PyObject_HEAD PyObject *handle; // of the sim
    hf_py_core *core;
    PyObject *ids;    // {name: id}
    PyObject *values; // {name: what was set last}
} inputs_object;

static int inputs_init(PyObject *object, PyObject *args, PyObject *unused)
{
    inputs_object *self = (inputs_object *)object;
    PyObject *handle, *ids;
    (void)unused;
    if (self->handle != NULL || !PyArg_ParseTuple(args, "OO!", &handle, &PyDict_Type, &ids)) {
        return -1;
    }
    self->core = PyCapsule_GetPointer(handle, "holdfast.sim");
    self->values = self->core == NULL ? NULL : PyDict_New();
    if (self->values == NULL) {
        return -1;
    }
    Py_INCREF(handle);
    Py_INCREF(ids);
    self->handle = handle;
    self->ids = ids;
    return 0;
}

static void inputs_free(PyObject *object)
{
    inputs_object *self = (inputs_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    Py_XDECREF(self->handle);
    Py_XDECREF(self->ids);
    Py_XDECREF(self->values);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *unknown(const inputs_object *self, PyObject *name)
{
    PyObject *keys = PyDict_Keys(self->ids);
    if (keys != NULL && !PyErr_Occurred()) {
        PyErr_Format(PyExc_KeyError, "no input %R; there are %S", name, keys);
    }
    Py_XDECREF(keys);
    return NULL;
}

static int inputs_set(PyObject *object, PyObject *name, PyObject *value)
{
    const inputs_object *self = (inputs_object *)object;
    if (value == NULL) {
        PyErr_SetString(PyExc_TypeError, "inputs cannot be deleted");
        return -1;
    }
    PyObject *id = PyDict_GetItemWithError(self->ids, name);
    if (id == NULL) {
        (void)unknown(self, name);
        return -1;
    }
    double number = PyFloat_AsDouble(value);
    if (number == -1.0 && PyErr_Occurred()) {
        return -1;
    }
    if (self->core->busy && !self->core->in_update) {
        PyErr_SetString(PyExc_RuntimeError, "the sim is being advanced by another thread");
        return -1;
    }
    hf_sim_set_input(self->core->sim, (hf_signal){(int)PyLong_AsLong(id)}, number);
    return PyDict_SetItem(self->values, name, value);
}

static PyObject *inputs_get(PyObject *object, PyObject *name)
{
    const inputs_object *self = (inputs_object *)object;
    PyObject *value = PyDict_GetItemWithError(self->values, name);
    if (value == NULL && PyDict_GetItemWithError(self->ids, name) == NULL) {
        return unknown(self, name);
    }
    value = value == NULL ? Py_None : value;
    Py_INCREF(value);
    return value;
}

static Py_ssize_t inputs_length(PyObject *object)
{
    return PyDict_Size(((inputs_object *)object)->ids);
}

static PyObject *inputs_iter(PyObject *object)
{
    return PyObject_GetIter(((inputs_object *)object)->ids);
}

// update({name: value})
static PyObject *inputs_update(PyObject *object, PyObject *values)
{
    PyObject *name, *value;
    Py_ssize_t place = 0;
    if (!PyDict_Check(values)) {
        PyErr_SetString(PyExc_TypeError, "update takes a dict");
        return NULL;
    }
    while (PyDict_Next(values, &place, &name, &value)) {
        if (inputs_set(object, name, value) < 0) {
            return NULL;
        }
    }
    Py_INCREF(Py_None);
    return Py_None;
}

int hf_py_add_inputs(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"update", inputs_update, METH_O, "update(values)\n--\n\nSets several."},
        {NULL, NULL, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_init, (void *)inputs_init},
                           {Py_tp_dealloc, (void *)inputs_free},
                           {Py_tp_methods, (void *)methods},
                           {Py_tp_iter, (void *)inputs_iter},
                           {Py_mp_length, (void *)inputs_length},
                           {Py_mp_subscript, (void *)inputs_get},
                           {Py_mp_ass_subscript, (void *)inputs_set},
                           {Py_tp_doc, (void *)"The input signals of a sim, by name: "
                                               "s.inputs[\"motor\"] = 1.5."},
                           {0, NULL}};
    PyType_Spec spec = {.name = "holdfast._holdfast.Inputs",
                        .basicsize = sizeof(inputs_object),
                        .flags = Py_TPFLAGS_DEFAULT,
                        .slots = slots};
    PyObject *type = PyType_FromSpec(&spec);
    return type == NULL ? -1 : PyModule_AddObject(module, "Inputs", type);
}
