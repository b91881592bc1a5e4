// SPDX-License-Identifier: Apache-2.0
// Methods of sims: state, parameters, what came of the run, dynamics.
#include "ext.h"

#include <stdlib.h>
#include <string.h>

static hf_py_sim *of(PyObject *self)
{
    return (hf_py_sim *)self;
}

static PyObject *none(void)
{
    Py_INCREF(Py_None);
    return Py_None;
}

// ------------------------------------------------------------------------------------------------
// State

static PyObject *save(PyObject *object, PyObject *unused)
{
    hf_py_sim *self = of(object);
    (void)unused;
    if (!hf_py_enter(self)) {
        return NULL;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)hf_sim_save_size(self->sim));
    if (bytes != NULL) {
        hf_sim_save(self->sim, PyBytes_AsString(bytes));
    }
    hf_py_leave(self);
    return bytes;
}

static PyObject *restore(PyObject *object, PyObject *args)
{
    hf_py_sim *self = of(object);
    const char *bytes;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "y#", &bytes, &size) || !hf_py_enter(self)) {
        return NULL;
    }
    hf_error error = {0};
    hf_status status = hf_sim_restore(self->sim, bytes, (size_t)size, &error);
    hf_py_leave(self);
    return status < 0 ? hf_py_raise(&error) : none();
}

// _set_state(body id, array, velocity?)
static PyObject *set_state(PyObject *object, PyObject *args)
{
    hf_py_sim *self = of(object);
    int id, velocity;
    PyObject *array;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "iOp", &id, &array, &velocity)) {
        return NULL;
    }
    hf_body_slots slots = hf_model_body_slots(hf_sim_model(self->sim), (hf_body){id});
    if (!hf_py_doubles(array, false, velocity ? slots.velocity_count : slots.position_count,
                       "state", &view)) {
        return NULL;
    }
    hf_error error = {0};
    hf_status status = HF_ERROR_STATE;
    bool inside = hf_py_enter(self);
    if (inside) {
        status = velocity ? hf_sim_set_velocity(self->sim, (hf_body){id}, view.buf, &error)
                          : hf_sim_set_position(self->sim, (hf_body){id}, view.buf, &error);
        hf_py_leave(self);
    }
    PyBuffer_Release(&view);
    return !inside ? NULL : status < 0 ? hf_py_raise(&error) : none();
}

// Strings of a list, which keeps them. NULL with an exception set.
static const char **names_of(PyObject *list, Py_ssize_t count)
{
    const char **names = calloc((size_t)count + 1, sizeof *names);
    bool good = names != NULL;
    for (Py_ssize_t i = 0; good && i < count; ++i) {
        PyObject *item = PySequence_GetItem(list, i);
        names[i] = item == NULL ? NULL : PyUnicode_AsUTF8AndSize(item, NULL);
        Py_XDECREF(item);
        good = names[i] != NULL;
    }
    if (!good) {
        free((void *)names);
        return PyErr_Occurred() ? NULL : (const char **)PyErr_NoMemory();
    }
    return names;
}

// _set_parameters(names, array, own): the first `own` names are the file's own, which is read
// again.
static PyObject *set_parameters(PyObject *object, PyObject *args)
{
    hf_py_sim *self = of(object);
    PyObject *list, *array;
    Py_buffer view;
    int own;
    if (!PyArg_ParseTuple(args, "OOi", &list, &array, &own)) {
        return NULL;
    }
    Py_ssize_t count = PySequence_Size(list);
    if (count < 0 || !hf_py_doubles(array, false, count, "parameters", &view)) {
        return NULL;
    }
    const char **names = names_of(list, count);
    hf_error error = {0};
    hf_status status = HF_OK;
    bool good = names != NULL && hf_py_enter(self);
    if (good) {
        status = hf_py_put_parameters((hf_py_model *)self->model, self->sim, names, view.buf,
                                      (int)count, own, &error);
        hf_py_leave(self);
    }
    PyBuffer_Release(&view);
    free((void *)names);
    return !good ? NULL : status < 0 ? hf_py_raise(&error) : none();
}

hf_status hf_py_put_parameters(const hf_py_model *model, hf_sim *sim, const char *const *names,
                               const double *values, int count, int own, hf_error *error)
{
    if (own == 0) {
        return hf_sim_set_parameters(sim, names, values, count, error);
    }
    hf_model *again = hf_py_read_again(model, names, values, own, error);
    hf_status status =
        again == NULL ? error->status
                      : hf_sim_set_model(sim, again, names + own, values + own, count - own, error);
    hf_model_destroy(again);
    return status;
}

static bool add_parameter(void *context, const hf_parameter *p)
{
    PyObject *item = Py_BuildValue("(ssd)", p->name, p->unit, p->value);
    bool good = item != NULL && PyList_Append(context, item) == 0;
    Py_XDECREF(item);
    return good;
}

// Parameters as they are now.
static PyObject *parameters(PyObject *object, PyObject *unused)
{
    (void)unused;
    if (!hf_py_may_read(of(object))) {
        return NULL;
    }
    PyObject *list = hf_py_own_parameters(hf_sim_model(of(object)->sim));
    if (list != NULL) {
        hf_model_parameters(hf_sim_model(of(object)->sim), add_parameter, list);
        if (PyErr_Occurred()) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

// ------------------------------------------------------------------------------------------------
// What came of the run

static PyObject *energy(PyObject *object, PyObject *unused)
{
    (void)unused;
    if (!hf_py_may_read(of(object))) {
        return NULL;
    }
    hf_energy e = hf_sim_energy(of(object)->sim);
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "kinetic", e.kinetic, "potential",
                         e.potential, "stored", e.stored, "input", e.input, "dissipated",
                         e.dissipated, "start", e.start, "residual", e.residual, "turnover",
                         e.turnover);
}

static PyObject *stats(PyObject *object, PyObject *unused)
{
    (void)unused;
    if (!hf_py_may_read(of(object))) {
        return NULL;
    }
    hf_sim_stats s = hf_sim_get_stats(of(object)->sim);
    return Py_BuildValue(
        "{s:L,s:L,s:d,s:d,s:L,s:L,s:L,s:i,s:i,s:d,s:i,s:d,s:L,s:L,s:d,s:L,s:L}", "steps", s.steps,
        "evaluations", s.evaluations, "largest_penetration", s.largest_penetration,
        "largest_opening", s.largest_opening, "internal_steps", s.internal_steps, "restarts",
        s.restarts, "events", s.events, "contacts", s.contacts, "iterations", s.iterations,
        "residual", s.residual, "most_contacts", s.most_contacts, "worst_residual",
        s.worst_residual, "unsolved_steps", s.unsolved_steps, "unmet_steps", s.unmet_steps,
        "worst_unmet", s.worst_unmet, "room_used", s.room_used, "room_missed", s.room_missed);
}

static PyObject *force_stats(PyObject *object, PyObject *args)
{
    int id;
    if (!PyArg_ParseTuple(args, "i", &id) || !hf_py_may_read(of(object))) {
        return NULL;
    }
    hf_force_stats f = hf_sim_force_stats(of(object)->sim, (hf_force){id});
    return Py_BuildValue("{s:d,s:d,s:d,s:L,s:d,s:d,s:d}", "stick_seconds", f.stick_seconds,
                         "slip_seconds", f.slip_seconds, "open_seconds", f.open_seconds,
                         "transitions", f.transitions, "dissipated", f.dissipated, "input", f.input,
                         "largest_force", f.largest_force);
}

static PyObject *verdict(PyObject *object, PyObject *unused)
{
    (void)unused;
    if (!hf_py_may_read(of(object))) {
        return NULL;
    }
    hf_verdict v = hf_sim_verdict(of(object)->sim);
    return Py_BuildValue("(Oss)", v.trustworthy ? Py_True : Py_False, v.why, v.within);
}

// Contacts of the last step, as bytes of the dtype holdfast.contact_dtype.
static PyObject *contacts(PyObject *object, PyObject *unused)
{
    (void)unused;
    hf_py_sim *self = of(object);
    if (!hf_py_may_read(self)) {
        return NULL;
    }
    typedef struct row {
        int force, on, to, regime;
        double point[3], normal[3], push[3], gap;
    } row;
    int count = hf_sim_contacts(self->sim, NULL, 0);
    hf_contact_view *views = malloc(((size_t)count + 1) * sizeof *views);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((size_t)count * sizeof(row)));
    if (views == NULL || bytes == NULL) {
        free(views);
        Py_XDECREF(bytes);
        return PyErr_NoMemory();
    }
    (void)hf_sim_contacts(self->sim, views, count);
    char *to = PyBytes_AsString(bytes);
    for (int i = 0; i < count; ++i) {
        const hf_contact_view *v = &views[i];
        const row r = {v->force.id - 1,
                       v->on.id - 1,
                       v->to.id - 1,
                       (int)v->regime,
                       {v->point.x, v->point.y, v->point.z},
                       {v->normal.x, v->normal.y, v->normal.z},
                       {v->push.x, v->push.y, v->push.z},
                       v->gap};
        memcpy(to + (size_t)i * sizeof r, &r, sizeof r);
    }
    free(views);
    return bytes;
}

// ------------------------------------------------------------------------------------------------
// Dynamics

// _rate(state or None, smooth, out)
static PyObject *rate(PyObject *object, PyObject *args)
{
    hf_py_sim *self = of(object);
    PyObject *state, *out;
    Py_buffer from, to;
    int smooth;
    if (!PyArg_ParseTuple(args, "OpO", &state, &smooth, &out) || !hf_py_may_read(self)) {
        return NULL;
    }
    int n = hf_sim_state_size(self->sim);
    if (!hf_py_doubles(out, true, n, "out", &to)) {
        return NULL;
    }
    bool given = state != Py_None;
    bool good = !given || hf_py_doubles(state, false, n, "state", &from);
    hf_error error = {0};
    hf_status status = HF_OK;
    good = good && hf_py_enter(self);
    if (good) {
        status = hf_sim_rate(self->sim, given ? from.buf : NULL, smooth, to.buf, &error);
        hf_py_leave(self);
    }
    if (given && (good || !PyErr_Occurred())) {
        PyBuffer_Release(&from);
    }
    PyBuffer_Release(&to);
    return !good ? NULL : status < 0 ? hf_py_raise(&error) : none();
}

// _linearize(smooth, a, b), at the present state
static PyObject *linearize(PyObject *object, PyObject *args)
{
    hf_py_sim *self = of(object);
    PyObject *a, *b;
    Py_buffer to_a, to_b;
    int smooth;
    if (!PyArg_ParseTuple(args, "pOO", &smooth, &a, &b) || !hf_py_may_read(self)) {
        return NULL;
    }
    int n = hf_sim_state_size(self->sim), m = hf_model_input_count(hf_sim_model(self->sim));
    if (!hf_py_doubles(a, true, (Py_ssize_t)n * n, "a", &to_a)) {
        return NULL;
    }
    if (!hf_py_doubles(b, true, (Py_ssize_t)n * m, "b", &to_b)) {
        PyBuffer_Release(&to_a);
        return NULL;
    }
    hf_error error = {0};
    bool inside = hf_py_enter(self);
    hf_status status = HF_OK;
    if (inside) {
        status = hf_sim_linearize(self->sim, NULL, smooth, to_a.buf, to_b.buf, &error);
        hf_py_leave(self);
    }
    PyBuffer_Release(&to_a);
    PyBuffer_Release(&to_b);
    return !inside ? NULL : status < 0 ? hf_py_raise(&error) : none();
}

static PyObject *tree_size(PyObject *object, PyObject *args)
{
    int tree;
    if (!PyArg_ParseTuple(args, "i", &tree) || !hf_py_may_read(of(object))) {
        return NULL;
    }
    hf_tree_size size = hf_sim_tree_size(of(object)->sim, (hf_tree){tree});
    return Py_BuildValue("(iii)", size.links, size.coordinates, size.velocities);
}

// _tree(what, tree, input, out): 0 M; 1 u from v'; 2 v' from u, at the present state
static PyObject *tree(PyObject *object, PyObject *args)
{
    int what, id;
    PyObject *given, *out;
    Py_buffer from, to;
    if (!PyArg_ParseTuple(args, "iiOO", &what, &id, &given, &out) || !hf_py_may_read(of(object))) {
        return NULL;
    }
    hf_sim *sim = of(object)->sim;
    int n = hf_sim_tree_size(sim, (hf_tree){id}).velocities;
    if (!hf_py_doubles(given, false, what == 0 ? 0 : n, "input", &from)) {
        return NULL;
    }
    if (!hf_py_doubles(out, true, what == 0 ? (Py_ssize_t)n * n : n, "out", &to)) {
        PyBuffer_Release(&from);
        return NULL;
    }
    if (what == 0) {
        hf_sim_mass_matrix(sim, (hf_tree){id}, NULL, to.buf);
    } else if (what == 1) {
        hf_sim_inverse_dynamics(sim, (hf_tree){id}, NULL, NULL, from.buf, to.buf);
    } else {
        hf_sim_forward_dynamics(sim, (hf_tree){id}, NULL, NULL, from.buf, to.buf);
    }
    PyBuffer_Release(&from);
    PyBuffer_Release(&to);
    return none();
}

// _jacobian(tree, link, x, y, z, out)
static PyObject *jacobian(PyObject *object, PyObject *args)
{
    int id, link;
    hf_vec3 p;
    PyObject *out;
    Py_buffer to;
    if (!PyArg_ParseTuple(args, "iidddO", &id, &link, &p.x, &p.y, &p.z, &out) ||
        !hf_py_may_read(of(object))) {
        return NULL;
    }
    hf_sim *sim = of(object)->sim;
    int n = hf_sim_tree_size(sim, (hf_tree){id}).velocities;
    if (!hf_py_doubles(out, true, 6 * (Py_ssize_t)n, "out", &to)) {
        return NULL;
    }
    hf_sim_point_jacobian(sim, (hf_tree){id}, NULL, (hf_body){link}, p, to.buf);
    PyBuffer_Release(&to);
    return none();
}

static PyObject *pose(PyObject *object, PyObject *args)
{
    int id;
    if (!PyArg_ParseTuple(args, "i", &id) || !hf_py_may_read(of(object))) {
        return NULL;
    }
    hf_vec3 p;
    hf_quat q;
    hf_sim_pose(of(object)->sim, (hf_body){id}, &p, &q);
    return Py_BuildValue("(ddddddd)", p.x, p.y, p.z, q.w, q.x, q.y, q.z);
}

static PyObject *method(PyObject *object, PyObject *unused)
{
    (void)unused;
    if (!hf_py_may_read(of(object))) {
        return NULL;
    }
    hf_method_def m = hf_sim_method(of(object)->sim);
    return Py_BuildValue("(sd)", hf_method_name(m.type), m.step);
}

PyMethodDef hf_py_dynamics[] = {
    {"save", save, METH_NOARGS,
     "save()\n--\n\nEverything that the future depends on, as bytes for restore()."},
    {"restore", restore, METH_VARARGS,
     "restore(state)\n--\n\nContinues from save() of a sim of the same machine and method."},
    {"_set_state", set_state, METH_VARARGS, NULL},
    {"_set_parameters", set_parameters, METH_VARARGS, NULL},
    {"_parameters", parameters, METH_NOARGS, NULL},
    {"_energy", energy, METH_NOARGS, NULL},
    {"_stats", stats, METH_NOARGS, NULL},
    {"_force_stats", force_stats, METH_VARARGS, NULL},
    {"_verdict", verdict, METH_NOARGS, NULL},
    {"_contacts", contacts, METH_NOARGS, NULL},
    {"_rate", rate, METH_VARARGS, NULL},
    {"_linearize", linearize, METH_VARARGS, NULL},
    {"_tree_size", tree_size, METH_VARARGS, NULL},
    {"_tree", tree, METH_VARARGS, NULL},
    {"_jacobian", jacobian, METH_VARARGS, NULL},
    {"_pose", pose, METH_VARARGS, NULL},
    {"_method", method, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};
