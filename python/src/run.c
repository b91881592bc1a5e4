// SPDX-License-Identifier: Apache-2.0
// Recorded runs, and their pages.
#include "ext.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <holdfast/report.h>

#include "record/scene.h"

// Numbers that grow.
typedef struct column {
    char *bytes;
    size_t used, room;
} column;

static void *extend(column *c, size_t size)
{
    if (c->bytes == NULL || c->used + size > c->room) { // never NULL, also for nothing at all
        size_t room = c->room == 0 ? 4096 : 2 * c->room;
        room = room < c->used + size ? 2 * (c->used + size) : room;
        char *grown = realloc(c->bytes, room);
        if (grown == NULL) {
            return NULL;
        }
        c->bytes = grown;
        c->room = room;
    }
    c->used += size;
    return c->bytes + c->used - size;
}

typedef struct recorder {
    hf_sim *sim;
    const int *ids;         // of channels
    hf_channel_slot *slots; // where they are
    Py_ssize_t count;
    column time, data;
    hf_frame_plan plan;
    double next_frame;
    column frame_time, poses, forces, contacts, energy;
} recorder;

static bool sample(recorder *r)
{
    double *time = extend(&r->time, sizeof *time);
    double *row = extend(&r->data, (size_t)r->count * sizeof *row);
    if (time == NULL || row == NULL) {
        return false;
    }
    *time = hf_sim_time(r->sim);
    for (Py_ssize_t i = 0; i < r->count; ++i) {
        row[i] = hf_py_channel(r->sim, &r->slots[i], r->ids[i]);
    }
    return true;
}

static bool picture(recorder *r)
{
    if (!r->plan.wanted || hf_sim_time(r->sim) < r->next_frame) {
        return true;
    }
    const hf_frame_plan *plan = &r->plan;
    hf_frame_rows rows = {
        .poses = extend(&r->poses, (size_t)plan->bodies * HF_FRAME_POSE_COLUMNS * sizeof(float)),
        .forces = extend(&r->forces, (size_t)plan->forces * HF_FRAME_FORCE_COLUMNS * sizeof(float)),
        .contacts = extend(&r->contacts,
                           (size_t)plan->contacts * HF_FRAME_CONTACT_COLUMNS * sizeof(float))};
    double *time = extend(&r->frame_time, sizeof *time);
    double *energy = extend(&r->energy, sizeof rows.energy);
    if (rows.poses == NULL || rows.forces == NULL || rows.contacts == NULL || time == NULL ||
        energy == NULL) {
        return false;
    }
    hf_frame_fill(r->sim, plan, &rows);
    *time = rows.time;
    memcpy(energy, rows.energy, sizeof rows.energy);
    // Half a step early is in time
    double half = 0.5 * hf_sim_method(r->sim).step;
    do {
        r->next_frame += plan->interval > 0.0 ? plan->interval : INFINITY;
    } while (r->next_frame <= rows.time + half);
    return true;
}

static void free_columns(recorder *r)
{
    column *const all[] = {&r->time,   &r->data,     &r->frame_time, &r->poses,
                           &r->forces, &r->contacts, &r->energy};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        free(all[i]->bytes);
    }
    free(r->slots);
}

// ------------------------------------------------------------------------------------------------
// The run

typedef struct plan {
    double until;
    long long every; // steps from sample to sample
    bool stop_at_event;
    PyObject *progress; // called with the time now and then, or None
} plan;

// Steps for about a twentieth of a second. HF_ERROR_MEMORY with an empty text: no room to record.
static hf_status run_some(recorder *r, const plan *p, long long *index, bool *there,
                          hf_error *error)
{
    double begin = hf_py_now(), step = hf_sim_method(r->sim).step;
    hf_status status = HF_OK;
    for (int i = 0; status == HF_OK && !*there; ++i) {
        double goal = hf_py_step_end(r->sim, 1);
        *there = !(goal < p->until - 1e-9 * step);
        status = *there || p->stop_at_event
                     ? hf_sim_advance(r->sim, *there ? p->until : goal, p->stop_at_event, error)
                     : hf_sim_step(r->sim, error);
        *index += 1;
        bool due = *index % p->every == 0 || *there || status == HF_EVENT;
        if (status >= 0 && ((due && !sample(r)) || !picture(r))) {
            error->text[0] = '\0';
            return HF_ERROR_MEMORY;
        }
        if (hf_py_is_late(i, begin)) {
            break;
        }
    }
    return status;
}

// Whether the run goes on: signals and progress. False with an exception set.
static bool look_around(const recorder *r, const plan *p)
{
    if (PyErr_CheckSignals() < 0) {
        return false;
    }
    if (p->progress == Py_None) {
        return true;
    }
    PyObject *result = PyObject_CallFunction(p->progress, "d", hf_sim_time(r->sim));
    Py_XDECREF(result);
    return result != NULL;
}

static PyObject *bytes_of(const column *c)
{
    return PyBytes_FromStringAndSize(c->used == 0 ? "" : c->bytes, (Py_ssize_t)c->used);
}

// (time, data, event?, scene, summary, (frame time, poses, forces, contacts, energy, 3 counts))
static PyObject *result_of(recorder *r, const plan *p, bool event, double wall)
{
    char *scene = r->plan.wanted ? hf_scene_text(r->sim, &r->plan, p->until) : NULL;
    hf_verdict verdict = hf_sim_verdict(r->sim);
    char *summary = hf_summary_text(r->sim, true, wall, &verdict);
    PyObject *result = Py_BuildValue(
        "(NNOss(NNNNNiii))", bytes_of(&r->time), bytes_of(&r->data), event ? Py_True : Py_False,
        scene == NULL ? "" : scene, summary == NULL ? "" : summary, bytes_of(&r->frame_time),
        bytes_of(&r->poses), bytes_of(&r->forces), bytes_of(&r->contacts), bytes_of(&r->energy),
        r->plan.bodies, r->plan.forces, r->plan.contacts);
    free(scene);
    free(summary);
    return result;
}

// _run(until, ids, every, stop_at_event, pictures, progress) -> (result, error or None): an error
// in the middle comes beside what was recorded up to there.
PyObject *hf_py_run(PyObject *object, PyObject *args)
{
    hf_py_sim *self = (hf_py_sim *)object;
    PyObject *ids;
    Py_buffer view;
    int stop, pictures;
    plan p;
    if (!PyArg_ParseTuple(args, "dOLppO", &p.until, &ids, &p.every, &stop, &pictures,
                          &p.progress) ||
        !hf_py_ints(ids, "channels", &view)) {
        return NULL;
    }
    if (!isfinite(p.until) || p.every < 1) {
        PyErr_SetString(PyExc_ValueError, "until must be finite, and every at least 1");
        PyBuffer_Release(&view);
        return NULL;
    }
    if (!hf_py_enter(self)) {
        PyBuffer_Release(&view);
        return NULL;
    }
    p.stop_at_event = stop != 0;
    recorder r = {.sim = self->sim,
                  .ids = view.buf,
                  .count = view.len / (Py_ssize_t)sizeof(int),
                  .plan =
                      hf_frame_plan_make(self->sim, fmax(0.0, p.until - hf_sim_time(self->sim))),
                  .next_frame = hf_sim_time(self->sim)};
    r.plan.wanted = r.plan.wanted && pictures;
    r.slots = hf_py_slots(hf_sim_model(self->sim), r.ids, r.count);
    hf_error error = {0};
    long long index = 0;
    double begin = hf_py_now();
    bool good = r.slots != NULL && sample(&r) && picture(&r),
         there = !(hf_sim_time(self->sim) < p.until);
    hf_status status = good ? HF_OK : HF_ERROR_MEMORY;
    while (status == HF_OK && !there && good) {
        Py_BEGIN_ALLOW_THREADS
            status = run_some(&r, &p, &index, &there, &error);
        Py_END_ALLOW_THREADS
        good = status < 0 || look_around(&r, &p);
    }
    // A controller's exception, or an interrupt, ends the run and leaves the sim where it is
    PyObject *result = NULL;
    if (status == HF_ERROR_MEMORY && error.text[0] == '\0') {
        result = PyErr_NoMemory();
    } else if (good && !PyErr_Occurred()) {
        result = result_of(&r, &p, status == HF_EVENT, hf_py_now() - begin);
    }
    hf_py_leave(self);
    PyBuffer_Release(&view);
    free_columns(&r);
    if (result == NULL || status >= 0) {
        return result == NULL ? NULL : Py_BuildValue("(NO)", result, Py_None);
    }
    PyObject *type, *exception, *trace;
    (void)hf_py_raise(&error);
    PyErr_Fetch(&type, &exception, &trace);
    PyErr_NormalizeException(&type, &exception, &trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return Py_BuildValue("(NN)", result, exception);
}

// ------------------------------------------------------------------------------------------------
// The page

enum { PAGE_BUFFERS = 7 };

// One run: a tuple (label, title, model text, names, units, scene, summary, time, data (channel by
// channel), frame time, poses, forces, contacts, energy, bodies, forces, contacts).
typedef struct page_run {
    hf_recording recording;
    Py_buffer buffers[PAGE_BUFFERS];
    int held;
    char **names, **units;
    double **values;
} page_run;

static bool take_names(PyObject *list, char **to, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject *item = PySequence_GetItem(list, i);
        to[i] = item == NULL ? NULL : (char *)(size_t)PyUnicode_AsUTF8AndSize(item, NULL);
        Py_XDECREF(item);
        if (to[i] == NULL) {
            return false;
        }
    }
    return true;
}

static bool fill_run(page_run *run, PyObject *item, const char **label)
{
    hf_recording *r = &run->recording;
    PyObject *names, *units, *objects[PAGE_BUFFERS];
    if (!PyArg_ParseTuple(item, "sssOOssOOOOOOOiii", label, &r->title, &r->model_text, &names,
                          &units, &r->scene, &r->summary, &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &objects[5], &objects[6], &r->frames.bodies,
                          &r->frames.forces, &r->frames.contacts)) {
        return false;
    }
    for (; run->held < PAGE_BUFFERS; ++run->held) {
        if (PyObject_GetBuffer(objects[run->held], &run->buffers[run->held], PyBUF_SIMPLE) < 0) {
            return false;
        }
    }
    Py_ssize_t count = PySequence_Size(names);
    r->channel_count = (int)count;
    r->samples = run->buffers[0].len / (Py_ssize_t)sizeof(double);
    r->time = run->buffers[0].buf;
    r->names = run->names = calloc((size_t)count + 1, sizeof *run->names);
    r->units = run->units = calloc((size_t)count + 1, sizeof *run->units);
    r->values = run->values = calloc((size_t)count + 1, sizeof *run->values);
    if (count < 0 || r->names == NULL || r->units == NULL || r->values == NULL) {
        PyErr_NoMemory();
        return false;
    }
    if (run->buffers[1].len < count * r->samples * (Py_ssize_t)sizeof(double)) {
        PyErr_SetString(PyExc_ValueError, "fewer numbers than channels times samples");
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        r->values[i] = (double *)run->buffers[1].buf + i * r->samples;
    }
    r->frames.count = run->buffers[2].len / (Py_ssize_t)sizeof(double);
    r->frames.time = run->buffers[2].buf;
    r->frames.poses = run->buffers[3].buf;
    r->frames.forces_at = run->buffers[4].buf;
    r->frames.contacts_at = run->buffers[5].buf;
    r->frames.energy = run->buffers[6].buf;
    return take_names(names, r->names, count) && take_names(units, r->units, count);
}

// write_page(path, [runs])
PyObject *hf_py_write_page(PyObject *module, PyObject *args)
{
    const char *path;
    PyObject *list;
    (void)module;
    if (!PyArg_ParseTuple(args, "sO", &path, &list)) {
        return NULL;
    }
    Py_ssize_t count = PySequence_Size(list);
    page_run *runs = count < 0 ? NULL : calloc((size_t)count + 1, sizeof *runs);
    hf_page_run *pages = count < 0 ? NULL : calloc((size_t)count + 1, sizeof *pages);
    bool good = runs != NULL && pages != NULL;
    for (Py_ssize_t i = 0; good && i < count; ++i) {
        PyObject *item = PySequence_GetItem(list, i);
        good = item != NULL && fill_run(&runs[i], item, &pages[i].label);
        Py_XDECREF(item); // the list keeps it
        pages[i].recording = &runs[i].recording;
    }
    hf_error error = {0};
    hf_status status = HF_OK;
    if (good) {
        Py_BEGIN_ALLOW_THREADS
            status = hf_page_write(path, pages, (int)count, &error);
        Py_END_ALLOW_THREADS
    }
    for (Py_ssize_t i = 0; runs != NULL && i < count; ++i) {
        for (int k = 0; k < runs[i].held; ++k) {
            PyBuffer_Release(&runs[i].buffers[k]);
        }
        free(runs[i].names);
        free(runs[i].units);
        free(runs[i].values);
    }
    free(runs);
    free(pages);
    if (!good) {
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    if (status < 0) {
        return hf_py_raise(&error);
    }
    Py_INCREF(Py_None);
    return Py_None;
}
