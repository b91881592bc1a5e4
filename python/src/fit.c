// SPDX-License-Identifier: Apache-2.0
// Fits: the C library's, on all cores and without the interpreter's lock. Python has made tuples of
// plain numbers and texts of what its caller gave (holdfast/fit.py).
#include "ext.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/fit.h>

enum { MOST = 64, MOST_LOGS = 256 };

// All that a fit needs while it runs.
typedef struct plan {
    hf_fit_machine *machine;
    hf_fit_log *logs[MOST_LOGS];
    int log_count;
    hf_fit_input inputs[MOST];
    hf_fit_match matches[MOST];
    hf_fit_parameter parameters[MOST];
    char *names[MOST]; // of parameters that are no numbers of the model
    int named, model_count;
    hf_fit_def def;
    PyObject *progress; // borrowed; NULL: none
    bool failed;        // an exception is set
} plan;

static void plan_free(plan *p)
{
    for (int i = 0; i < p->log_count; ++i) {
        hf_fit_log_destroy(p->logs[i]);
    }
    for (int i = 0; i < p->named; ++i) {
        free(p->names[i]);
    }
    hf_fit_machine_destroy(p->machine);
}

static bool raise(const hf_error *error)
{
    (void)hf_py_raise(error);
    return false;
}

static bool has_room(Py_ssize_t count, int most, const char *what)
{
    if (count > most) {
        PyErr_Format(PyExc_ValueError, "at most %d %s, got %zd", most, what, count);
    }
    return count >= 0 && count <= most;
}

// ------------------------------------------------------------------------------------------------
// Logs

// A log of columns: (name, None, time, ((column, numbers), ...)).
static hf_fit_log *log_of_columns(const char *name, PyObject *time, PyObject *columns)
{
    const char *names[MOST];
    Py_ssize_t count = PyTuple_Size(columns);
    Py_buffer view;
    if (!has_room(count, MOST, "columns of a log") || !hf_py_doubles(time, false, 2, name, &view)) {
        return NULL;
    }
    // Names, and room for as many rows as there are times
    long long rows = (long long)(view.len / (Py_ssize_t)sizeof(double));
    for (Py_ssize_t i = 0; i < count; ++i) {
        names[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(PyTuple_GetItem(columns, i), 0), NULL);
    }
    hf_fit_log *log = PyErr_Occurred() ? NULL : hf_fit_log_create(name, rows, names, (int)count);
    if (log == NULL && !PyErr_Occurred()) {
        (void)PyErr_NoMemory();
    }
    if (log != NULL) {
        memcpy(log->time, view.buf, (size_t)rows * sizeof(double));
    }
    PyBuffer_Release(&view);
    // Its columns
    for (Py_ssize_t i = 0; i < count && log != NULL; ++i) {
        PyObject *numbers = PyTuple_GetItem(PyTuple_GetItem(columns, i), 1);
        if (!hf_py_doubles(numbers, false, (Py_ssize_t)rows, names[i], &view)) {
            hf_fit_log_destroy(log);
            return NULL;
        }
        memcpy(log->columns[i], view.buf, (size_t)rows * sizeof(double));
        PyBuffer_Release(&view);
    }
    return log;
}

static bool take_logs(plan *p, PyObject *logs)
{
    Py_ssize_t count = PyTuple_Size(logs);
    if (!has_room(count, MOST_LOGS, "logs")) {
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        const char *name = NULL, *path = NULL;
        PyObject *time = NULL, *columns = NULL;
        hf_error error = {0};
        if (!PyArg_ParseTuple(PyTuple_GetItem(logs, i), "szOO", &name, &path, &time, &columns)) {
            return false;
        }
        hf_fit_log *log =
            path != NULL ? hf_fit_log_read(path, &error) : log_of_columns(name, time, columns);
        if (log == NULL) {
            return path == NULL ? false : raise(&error);
        }
        p->logs[p->log_count++] = log;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// What is fitted to what

// A parameter beside those of the model; false with an exception set.
static bool add_parameter(plan *p, const char *what, const char *of, hf_fit_parameter parameter)
{
    size_t size = strlen(what) + strlen(of) + 2;
    char *name = p->def.parameter_count < MOST ? malloc(size) : NULL;
    if (name == NULL) {
        PyErr_Format(PyExc_ValueError, "more than %d numbers are free", MOST);
        return false;
    }
    (void)snprintf(name, size, "%s %s", what, of);
    p->names[p->named++] = name;
    parameter.name = name;
    p->parameters[p->def.parameter_count++] = parameter;
    return true;
}

// Numbers of the model: (pattern, low, high, start, prior, deviation, per_log, logarithmic), NaN
// where nothing is said.
static bool take_free(plan *p, PyObject *frees)
{
    for (Py_ssize_t i = 0; i < PyTuple_Size(frees); ++i) {
        const char *pattern = NULL;
        double low, high, start, prior, deviation;
        int per_log = 0, logarithmic = 0;
        hf_error error = {0};
        if (!PyArg_ParseTuple(PyTuple_GetItem(frees, i), "sdddddpp", &pattern, &low, &high, &start,
                              &prior, &deviation, &per_log, &logarithmic)) {
            return false;
        }
        // Those that it names, with what was said of them in place of what the model says
        hf_fit_parameter *first = p->parameters + p->def.parameter_count;
        int found =
            hf_fit_machine_free(p->machine, pattern, first, MOST - p->def.parameter_count, &error);
        if (found < 1) {
            return raise(&error);
        }
        for (int k = 0; k < found; ++k) {
            first[k].low = isnan(low) ? first[k].low : low;
            first[k].high = isnan(high) ? first[k].high : high;
            first[k].start = isnan(start) ? first[k].start : start;
            first[k].prior = isnan(prior) ? first[k].prior : prior;
            first[k].prior_deviation = isnan(deviation) ? first[k].prior_deviation : deviation;
            first[k].per_log = first[k].per_log || per_log != 0;
            first[k].logarithmic = logarithmic != 0;
        }
        p->def.parameter_count += found;
    }
    p->model_count = p->def.parameter_count;
    return true;
}

// (signal, expression, hold, delay, delay is free)
static bool take_inputs(plan *p, PyObject *inputs)
{
    Py_ssize_t count = PyTuple_Size(inputs);
    if (!has_room(count, MOST, "inputs")) {
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        hf_fit_input *input = &p->inputs[i];
        int hold = 0, is_free = 0;
        if (!PyArg_ParseTuple(PyTuple_GetItem(inputs, i), "ssidp", &input->signal,
                              &input->expression, &hold, &input->delay, &is_free)) {
            return false;
        }
        input->hold = (hf_fit_hold)hold;
        // Its delay, where that is to be found
        const hf_fit_parameter delay = {.unit = "s",
                                        .kind = HF_FIT_DELAY,
                                        .target = (int)i,
                                        .low = -0.1,
                                        .high = 0.1,
                                        .typical = 0.01};
        if (is_free && !add_parameter(p, "delay of", input->signal, delay)) {
            return false;
        }
    }
    p->def.input_count = (int)count;
    return true;
}

// (channel, expression, deviation, offset is free, scale is free, each log has its own)
static bool take_matches(plan *p, PyObject *matches)
{
    Py_ssize_t count = PyTuple_Size(matches);
    if (!has_room(count, MOST, "matches")) {
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        hf_fit_match *match = &p->matches[i];
        int offset = 0, scale = 0, per_log = 0;
        if (!PyArg_ParseTuple(PyTuple_GetItem(matches, i), "ssdppp", &match->channel,
                              &match->expression, &match->deviation, &offset, &scale, &per_log)) {
            return false;
        }
        // What its sensor adds
        hf_fit_parameter own = {.kind = HF_FIT_OFFSET,
                                .target = (int)i,
                                .low = -INFINITY,
                                .high = INFINITY,
                                .per_log = per_log != 0};
        if (offset && !add_parameter(p, "offset of", match->channel, own)) {
            return false;
        }
        own.kind = HF_FIT_SCALE;
        own.start = 1.0;
        if (scale && !add_parameter(p, "scale of", match->channel, own)) {
            return false;
        }
    }
    p->def.match_count = (int)count;
    return true;
}

// ------------------------------------------------------------------------------------------------
// The run

// Ctrl-C, and the caller's own progress(iteration, rms, simulations), which ends it by False.
static bool watch(void *context, const hf_fit_progress *news)
{
    plan *p = context;
    bool going = true;
    PyGILState_STATE state = PyGILState_Ensure();
    if (PyErr_CheckSignals() != 0) {
        p->failed = true;
    }
    if (!p->failed && p->progress != NULL) {
        PyObject *answer = PyObject_CallFunction(p->progress, "idL", news->iteration, news->rms,
                                                 news->simulations);
        p->failed = answer == NULL;
        going = answer != Py_False;
        Py_XDECREF(answer);
    }
    going = going && !p->failed;
    PyGILState_Release(state);
    return going;
}

static PyObject *tell_unknowns(const hf_fit *fit, int count)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; i < count && list != NULL; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        PyObject *item =
            Py_BuildValue("(ssddddddddds)", u.name, u.unit == NULL ? "" : u.unit, u.value,
                          u.half_width, u.error, u.white, u.by_segments, u.by_logs, u.start, u.low,
                          u.high, hf_fit_finding_text(u.finding));
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *tell_correlations(const hf_fit *fit, int count)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; i < count * count && list != NULL; ++i) {
        PyObject *item = PyFloat_FromDouble(hf_fit_correlation(fit, i / count, i % count));
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *bytes_of(const double *numbers, long long count)
{
    return PyBytes_FromStringAndSize((const char *)numbers,
                                     (Py_ssize_t)count * (Py_ssize_t)sizeof(double));
}

// Of every log and channel: times, what was measured and simulated, and how far they differ.
static PyObject *tell_logs(const plan *p, const hf_fit *fit)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; i < p->log_count * p->def.match_count && list != NULL; ++i) {
        int t = i / p->def.match_count, m = i % p->def.match_count;
        long long rows = p->logs[t]->rows;
        hf_fit_error e = hf_fit_get_error(fit, t, m, false);
        hf_fit_error w = hf_fit_get_error(fit, t, m, true);
        PyObject *item = Py_BuildValue(
            "(ssiNNNN(ddddddd)(ddddddd))", p->logs[t]->name, p->matches[m].channel,
            t >= p->def.log_count, bytes_of(p->logs[t]->time, rows),
            bytes_of(hf_fit_measured(fit, t, m), rows),
            bytes_of(hf_fit_simulated(fit, t, m, false), rows),
            bytes_of(hf_fit_simulated(fit, t, m, true), rows), e.rms, e.mean_absolute, e.largest,
            e.relative, e.normalized, e.r2, e.correlation_time, w.rms, w.mean_absolute, w.largest,
            w.relative, w.normalized, w.r2, w.correlation_time);
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *tell_messages(const hf_fit *fit)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; hf_fit_message(fit, i) != NULL && list != NULL; ++i) {
        PyObject *item = PyUnicode_FromString(hf_fit_message(fit, i));
        if (item == NULL || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

// The model file with the numbers that were found; None where they cannot stand in it.
static PyObject *tell_text(const plan *p, const hf_fit *fit, int count)
{
    double values[MOST] = {0.0};
    hf_error error = {0};
    for (int i = 0; i < count; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        if (u.parameter < p->model_count) {
            values[u.parameter] = u.value;
        }
    }
    char *text = hf_fit_machine_text(p->machine, values, &error);
    PyObject *object = text == NULL ? Py_BuildValue("") : PyUnicode_FromString(text);
    free(text);
    return object;
}

static PyObject *run(plan *p)
{
    hf_error error = {0};
    hf_status status = HF_OK;
    hf_fit *fit = NULL;
    p->def.progress = watch;
    p->def.progress_context = p;
    Py_BEGIN_ALLOW_THREADS
        ;
        fit = hf_fit_create(&p->def, &error);
        status = fit == NULL ? HF_ERROR_INPUT : hf_fit_run(fit, &error);
    Py_END_ALLOW_THREADS;
    PyObject *result = NULL;
    if (!p->failed && status < 0) {
        (void)hf_py_raise(&error);
    } else if (!p->failed) {
        hf_fit_summary s = hf_fit_get_summary(fit);
        result = Py_BuildValue(
            "{sNsNsNsNsNsOsOsdsLsisisLsisdsdsdsd}", "parameters", tell_unknowns(fit, s.unknowns),
            "correlations", tell_correlations(fit, s.unknowns), "logs", tell_logs(p, fit),
            "messages", tell_messages(fit), "text", tell_text(p, fit, s.unknowns), "converged",
            s.converged ? Py_True : Py_False, "stopped",
            status == HF_INTERRUPTED ? Py_True : Py_False, "segment", s.segment, "residuals",
            s.residuals, "segments", s.segments, "iterations", s.iterations, "simulations",
            s.simulations, "unknowns", s.unknowns, "cost", s.cost, "aic", s.aic, "bic", s.bic,
            "condition", s.condition);
    }
    hf_fit_destroy(fit);
    return result;
}

// Lengths of segments [s].
static bool take_segments(plan *p, PyObject *segments)
{
    Py_ssize_t count = PyTuple_Size(segments);
    if (!has_room(count, HF_FIT_MOST_STAGES, "lengths of segments")) {
        return false;
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        p->def.segments[i] = PyFloat_AsDouble(PyTuple_GetItem(segments, i));
    }
    p->def.stage_count = (int)count;
    return !PyErr_Occurred();
}

// fit(text, label, folder, items, variant, method, step, logs, validations, inputs, matches, free,
// segments, fixed_starts, loss, loss_scale, starts, seed, iterations, jobs, progress) -> dict
PyObject *hf_py_fit(PyObject *module, PyObject *args)
{
    PyObject *items, *logs, *inputs, *matches, *frees, *segments, *progress;
    hf_overrides overrides = {0};
    const char *text, *label, *folder;
    Py_ssize_t length = 0;
    int fixed = 0, loss = 0;
    (void)module;
    plan *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return PyErr_NoMemory();
    }
    p->def = hf_fit_def_default();
    hf_fit_def *d = &p->def;
    PyObject *result = NULL;
    const char **list = NULL;
    // What was given
    if (!PyArg_ParseTuple(args, "s#szO!zzdO!iO!O!O!O!pidiKiiO", &text, &length, &label, &folder,
                          &PyTuple_Type, &items, &overrides.variant, &overrides.method,
                          &overrides.step, &PyTuple_Type, &logs, &d->validation_count,
                          &PyTuple_Type, &inputs, &PyTuple_Type, &matches, &PyTuple_Type, &frees,
                          &PyTuple_Type, &segments, &fixed, &loss, &d->loss_scale, &d->starts,
                          &d->seed, &d->iterations, &d->threads, &progress)) {
        goto done;
    }
    Py_ssize_t count = 0;
    list = hf_py_strings(items, &count);
    if (list == NULL) {
        goto done;
    }
    overrides.items = list;
    overrides.count = (int)count;
    p->progress = progress == Py_None ? NULL : progress;
    d->fixed_starts = fixed != 0;
    d->loss = (hf_fit_loss)loss;
    // The machine, and what is free of it
    hf_error error = {0};
    p->machine = hf_fit_machine_create(text, (size_t)length, label, folder, &overrides, &error);
    if (p->machine == NULL) {
        (void)hf_py_raise(&error);
        goto done;
    }
    if (take_logs(p, logs) && take_free(p, frees) && take_inputs(p, inputs) &&
        take_matches(p, matches) && take_segments(p, segments)) {
        d->make = hf_fit_machine_make;
        d->context = p->machine;
        d->logs = (const hf_fit_log *const *)p->logs;
        d->log_count = p->log_count - d->validation_count;
        d->inputs = p->inputs;
        d->matches = p->matches;
        d->parameters = p->parameters;
        result = run(p);
    }
done:
    free((void *)list);
    plan_free(p);
    free(p);
    return result;
}
