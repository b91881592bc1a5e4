// SPDX-License-Identifier: Apache-2.0
// The module, its exception, and buffers.
#include "ext.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static PyModuleDef definition;

PyObject *hf_py_lookup(const char *name)
{
    PyObject *module = PyState_FindModule(&definition);
    if (module == NULL) {
        PyErr_SetString(PyExc_RuntimeError, "holdfast._holdfast is not loaded");
        return NULL;
    }
    PyObject *object = PyObject_GetAttrString(module, name);
    Py_XDECREF(object); // the module keeps it
    return object;
}

// Sets a member of the exception; `value` is taken.
static void put(PyObject *exception, const char *name, PyObject *value)
{
    if (value == NULL || PyObject_SetAttrString(exception, name, value) < 0) {
        PyErr_Clear();
    }
    Py_XDECREF(value);
}

static PyObject *text_or_none(const char *text)
{
    if (text[0] == '\0') {
        Py_INCREF(Py_None);
        return Py_None;
    }
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

// The file of "FILE:LINE:COLUMN: ...", or "".
static PyObject *file_of(const hf_error *error)
{
    char place[40];
    (void)snprintf(place, sizeof place, ":%d:%d: ", error->line, error->column);
    const char *end = error->line > 0 ? strstr(error->text, place) : NULL;
    return PyUnicode_DecodeUTF8(error->text, end == NULL ? 0 : end - error->text, "replace");
}

PyObject *hf_py_raise(const hf_error *error)
{
    PyObject *type = hf_py_lookup("Error");
    PyObject *text = type == NULL ? NULL : text_or_none(error->text);
    PyObject *exception = text == NULL ? NULL : PyObject_CallFunctionObjArgs(type, text, NULL);
    Py_XDECREF(text);
    if (exception == NULL) {
        return NULL;
    }
    put(exception, "status", PyUnicode_FromString(hf_status_text(error->status)));
    put(exception, "code", PyLong_FromLong((long)error->status));
    put(exception, "file", file_of(error));
    put(exception, "line", PyLong_FromLong(error->line));
    put(exception, "column", PyLong_FromLong(error->column));
    put(exception, "component", text_or_none(error->component));
    put(exception, "member", text_or_none(error->member));
    put(exception, "law", text_or_none(error->law));
    put(exception, "time", PyFloat_FromDouble(error->time));
    PyErr_SetObject(type, exception);
    Py_DECREF(exception);
    return NULL;
}

// ------------------------------------------------------------------------------------------------
// Buffers

static bool get_buffer(PyObject *object, bool writable, const char *letters, size_t size,
                       const char *what, Py_buffer *view)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object, view, flags) < 0) {
        return false;
    }
    const char *format = view->format == NULL ? "B" : view->format;
    format += format[0] == '@' || format[0] == '=' ? 1 : 0;
    if (view->itemsize != (Py_ssize_t)size || format[0] == '\0' || format[1] != '\0' ||
        strchr(letters, format[0]) == NULL) {
        PyErr_Format(PyExc_TypeError, "%s: expected an array of %s, got items '%s'", what,
                     letters[0] == 'd' ? "float64" : "int32", format);
        PyBuffer_Release(view);
        return false;
    }
    return true;
}

bool hf_py_doubles(PyObject *object, bool writable, Py_ssize_t count, const char *what,
                   Py_buffer *view)
{
    if (!get_buffer(object, writable, "d", sizeof(double), what, view)) {
        return false;
    }
    if (view->len / (Py_ssize_t)sizeof(double) < count) {
        PyErr_Format(PyExc_ValueError, "%s: expected %zd numbers, got %zd", what, count,
                     view->len / (Py_ssize_t)sizeof(double));
        PyBuffer_Release(view);
        return false;
    }
    return true;
}

bool hf_py_ints(PyObject *object, const char *what, Py_buffer *view)
{
    return get_buffer(object, false, "il", sizeof(int), what, view);
}

typedef struct view_object {
    PyObject_HEAD PyObject *owner;
    double *numbers; // read-only for Python
    Py_ssize_t shape, stride;
} view_object;

static int view_get(PyObject *self, Py_buffer *buffer, int flags)
{
    view_object *view = (view_object *)self;
    if ((flags & PyBUF_WRITABLE) != 0) {
        PyErr_SetString(PyExc_BufferError, "the state of a sim is read-only");
        buffer->obj = NULL;
        return -1;
    }
    static char format[] = "d";
    *buffer =
        (Py_buffer){.buf = view->numbers,
                    .obj = self,
                    .len = view->shape * (Py_ssize_t)sizeof(double),
                    .itemsize = sizeof(double),
                    .readonly = 1,
                    .ndim = 1,
                    .format = (flags & PyBUF_FORMAT) != 0 ? format : NULL,
                    .shape = (flags & PyBUF_ND) != 0 ? &view->shape : NULL,
                    .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &view->stride : NULL};
    Py_INCREF(self);
    return 0;
}

static void view_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((view_object *)self)->owner);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

int hf_py_add_view(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, (void *)view_free},
                           {Py_bf_getbuffer, (void *)view_get},
                           {Py_tp_doc, (void *)"A read-only window on a sim's numbers."},
                           {0, NULL}};
    PyType_Spec spec = {.name = "holdfast._holdfast.View",
                        .basicsize = sizeof(view_object),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = slots};
    PyObject *type = PyType_FromSpec(&spec);
    return type == NULL ? -1 : PyModule_AddObject(module, "View", type);
}

PyObject *hf_py_view(PyObject *owner, const double *numbers, Py_ssize_t count)
{
    PyObject *type = hf_py_lookup("View");
    if (type == NULL) {
        return NULL;
    }
    allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
    view_object *view = (view_object *)allocate((PyTypeObject *)type, 0);
    if (view != NULL) {
        Py_INCREF(owner);
        view->owner = owner;
        view->numbers = (double *)numbers;
        view->shape = count;
        view->stride = sizeof(double);
    }
    return (PyObject *)view;
}

// ------------------------------------------------------------------------------------------------
// The module

static PyMethodDef functions[] = {
    {"write_page", hf_py_write_page, METH_VARARGS, "Writes recordings as one HTML page."},
    {"rollout", hf_py_rollout, METH_VARARGS, "Runs many sims of a model in threads."},
    {"sweep", hf_py_sweep, METH_VARARGS, "Runs a machine with other numbers, into a table."},
    {"fit", hf_py_fit, METH_VARARGS, "Finds numbers of a machine from logs."},
    {"law_eval", hf_py_law_eval, METH_VARARGS, "Evaluates a law for arrays of motions."},
    {"law_list", hf_py_law_list, METH_NOARGS, "Laws and their parameters."},
    {NULL, NULL, 0, NULL}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "holdfast._holdfast",
                                 .m_doc = "Holdfast's C library.", .m_size = 0,
                                 .m_methods = functions};

PyMODINIT_FUNC PyInit__holdfast(void);
PyMODINIT_FUNC PyInit__holdfast(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) {
        return NULL;
    }
    PyObject *error = PyErr_NewExceptionWithDoc(
        "holdfast.Error",
        "What Holdfast refused or could not do. The text names the place; so do the attributes\n"
        "file, line and column (of the model, 0: none), component, member, law and time, and\n"
        "status says the kind.",
        PyExc_ValueError, NULL);
    if (error == NULL || PyModule_AddObject(module, "Error", error) < 0 ||
        PyModule_AddStringConstant(module, "version", HF_VERSION) < 0 ||
        hf_py_add_view(module) < 0 || hf_py_add_model(module) < 0 || hf_py_add_sim(module) < 0 ||
        hf_py_add_inputs(module) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
