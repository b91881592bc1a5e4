// SPDX-License-Identifier: Apache-2.0
// Bodies of the caller's own kinds: M(q) v' = f(q, v) + u with q' = v, from the functions of an
// hf_body_kind. They have coordinates and no place in space.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "bodies/bodies.h"
#include "math/dense.h"

enum { MOST = HF_BODY_KIND_MOST };

// Two sides of a mass matrix are the same when they differ by this part of its diagonal: rounding.
#define SAME_SIDES 1e-12

hf_body hf_spec_add_body(hf_spec *spec, const hf_body_def *def, hf_error *error)
{
    return hf_spec_put_body(spec, HF_BODY_OWN, def, def->name, error);
}

// What a kind of the caller's own must have.
static hf_status check_kind(const hf_body_def *def, const char *name, hf_error *error)
{
    const hf_body_kind *kind = def->kind;
    if (kind == NULL || kind->name == NULL || kind->axes == NULL || kind->mass == NULL ||
        (kind->def_size > 0 && def->def == NULL)) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "body '%s': its kind must have a name, axes and a mass, and the body "
                            "the definition that the kind asks for",
                            name);
    }
    if (kind->coordinates < 1 || kind->coordinates > MOST) {
        return hf_error_set(error, HF_ERROR_RANGE,
                            "body '%s': kind '%s' has %d coordinates, 1 to %d can be", name,
                            kind->name, kind->coordinates, MOST);
    }
    return HF_OK;
}

// M at the start must be symmetric and positive definite.
static hf_status check_kind_mass(const hf_body_def *def, const char *name, hf_error *error)
{
    double m[MOST * MOST] = {0.0};
    const double zeros[MOST] = {0.0};
    size_t n = (size_t)def->kind->coordinates;
    bool good = true;
    def->kind->mass(def->def, def->position == NULL ? zeros : def->position, m);
    // Both sides alike, then Cholesky
    for (size_t i = 0; i < n; ++i) {
        for (size_t k = 0; k < i; ++k) {
            // As far as it was computed the same way on both sides.
            good = good && fabs(m[i * n + k] - m[k * n + i]) <=
                               SAME_SIDES * (fabs(m[i * n + i]) + fabs(m[k * n + k]));
        }
    }
    return good && hf_cholesky(m, n)
               ? HF_OK
               : hf_error_set(error, HF_ERROR_RANGE,
                              "body '%s': the mass matrix of kind '%s' is not symmetric and "
                              "positive definite at the start",
                              name, def->kind->name);
}

static hf_status own_check(const hf_spec *spec, const void *def, const char *name, hf_error *error)
{
    const hf_body_def *d = def;
    (void)spec;
    HF_TRY(check_kind(d, name, error));
    int n = d->kind->coordinates;
    HF_TRY(hf_check_numbers(d->position, d->position == NULL ? 0 : n, "body", name, "position",
                            error));
    HF_TRY(hf_check_numbers(d->velocity, d->velocity == NULL ? 0 : n, "body", name, "velocity",
                            error));
    return check_kind_mass(d, name, error);
}

// `numbers` or zeros, kept. NULL: out of memory.
static const double *keep_numbers(hf_arena *arena, const double *numbers, int count)
{
    return numbers == NULL ? hf_arena_alloc(arena, (size_t)count, sizeof *numbers)
                           : hf_arena_copy(arena, numbers, (size_t)count, sizeof *numbers);
}

static bool own_keep(hf_arena *arena, void *def)
{
    hf_body_def *d = def;
    size_t size = d->kind->def_size;
    d->position = keep_numbers(arena, d->position, d->kind->coordinates);
    d->velocity = keep_numbers(arena, d->velocity, d->kind->coordinates);
    d->def = size > 0 ? hf_arena_copy(arena, d->def, 1, size) : d->def;
    return d->position != NULL && d->velocity != NULL && (size == 0 || d->def != NULL);
}

static void own_size(const void *def, int *nq, int *nv)
{
    *nq = *nv = ((const hf_body_def *)def)->kind->coordinates;
}

static bool own_lay(const void *def, const hf_body_spot *spot, void *body)
{
    const hf_body_def *d = def;
    hf_own_body *own = body;
    *own = (hf_own_body){.kind = d->kind,
                         .q = spot->q,
                         .v = spot->v,
                         .n = d->kind->coordinates,
                         .gravity = spot->gravity};
    if (d->kind->def_size == 0) {
        return true;
    }
    own->def = hf_arena_copy(spot->arena, d->def, 1, d->kind->def_size);
    return own->def != NULL;
}

static void own_start(const void *def, double *q, double *v)
{
    const hf_body_def *d = def;
    size_t size = (size_t)d->kind->coordinates * sizeof *q;
    memcpy(q, d->position, size);
    memcpy(v, d->velocity, size);
}

static void own_info(const void *def, hf_body_info *info)
{
    (void)def, (void)info;
}

static const char *own_axis(const void *body, int axis)
{
    return ((const hf_own_body *)body)->kind->axes[axis];
}

static const char *own_unit(const void *body, int axis, bool rate)
{
    const hf_body_kind *kind = ((const hf_own_body *)body)->kind;
    const char *const *units = rate ? kind->rate_units : kind->units;
    return units != NULL ? units[axis] : rate ? "m/s" : "m";
}

// L of M(q); false: not positive definite.
static bool factor_at(const hf_own_body *own, const double *q, double *l)
{
    own->kind->mass(own->def, q + own->q, l);
    return hf_cholesky(l, (size_t)own->n);
}

// a = M^-1 f; not a number where M is not positive definite, which ends the run.
static void accelerate(const hf_own_body *own, const double *q, const double *f, double *a)
{
    double l[MOST * MOST];
    size_t n = (size_t)own->n;
    bool good = factor_at(own, q, l);
    for (size_t k = 0; k < n && !good; ++k) {
        a[k] = NAN;
    }
    if (good) {
        hf_cholesky_lower(l, n, f, a);
        hf_cholesky_upper(l, n, a, a);
    }
}

static void own_rate(const void *bodies, int count, const hf_body_io *io, double *dq, double *dv)
{
    for (const hf_own_body *own = bodies, *end = own + count; own < end; ++own) {
        double f[MOST] = {0.0};
        if (own->kind->force != NULL) {
            own->kind->force(own->def, io->q + own->q, io->v + own->v, own->gravity, f);
        }
        for (int k = 0; k < own->n; ++k) {
            f[k] += io->u[own->v + k];
            dq[own->q + k] = io->v[own->v + k];
        }
        accelerate(own, io->q, f, dv + own->v);
    }
}

static void own_q_rate(const void *bodies, int count, const double *q, const double *v, double *dq)
{
    (void)q;
    for (const hf_own_body *own = bodies, *end = own + count; own < end; ++own) {
        memcpy(dq + own->q, v + own->v, (size_t)own->n * sizeof *dq);
    }
}

static void own_energy(const void *bodies, int count, const hf_body_io *io, double *kinetic,
                       double *potential)
{
    for (const hf_own_body *own = bodies, *end = own + count; own < end; ++own) {
        double m[MOST * MOST];
        const double *v = io->v + own->v;
        own->kind->mass(own->def, io->q + own->q, m);
        for (int i = 0; i < own->n; ++i) {
            for (int k = 0; k < own->n; ++k) {
                *kinetic += 0.5 * v[i] * m[i * own->n + k] * v[k];
            }
        }
        if (own->kind->potential != NULL) {
            *potential += own->kind->potential(own->def, io->q + own->q, own->gravity);
        }
    }
}

static void own_clear(const void *body, const hf_body_io *io)
{
    const hf_own_body *own = body;
    memset(io->u + own->v, 0, (size_t)own->n * sizeof *io->u);
}

static void own_respond(const void *body, const hf_body_io *io, double *dv)
{
    const hf_own_body *own = body;
    accelerate(own, io->q, io->u + own->v, dv + own->v);
}

static void own_answer(const void *body, const hf_body_io *io, const double *f, double *a)
{
    accelerate(body, io->q, f, a);
}

static void own_load(const void *body, const hf_body_io *io, double *f)
{
    const hf_own_body *own = body;
    memcpy(f, io->u + own->v, (size_t)own->n * sizeof *f);
}

static size_t own_factor_size(const void *body)
{
    size_t n = (size_t)((const hf_own_body *)body)->n;
    return n * n;
}

static bool own_factor(const void *body, const hf_body_io *io, double *l)
{
    return factor_at(body, io->q, l);
}

static void own_half(const void *body, const double *l, const double *j, double *y)
{
    hf_cholesky_lower(l, (size_t)((const hf_own_body *)body)->n, j, y);
}

static void own_weigh(const void *body, const hf_body_io *io, const double *l, const double *v,
                      double *s)
{
    (void)io;
    hf_cholesky_weigh(l, (size_t)((const hf_own_body *)body)->n, v, s);
}

static void own_unweigh(const void *body, const double *l, const double *s, double *v)
{
    const hf_own_body *own = body;
    double x[MOST];
    hf_cholesky_upper(l, (size_t)own->n, s, x);
    for (int k = 0; k < own->n; ++k) {
        v[k] += x[k];
    }
}

static hf_pose own_look(const void *body, int link, const hf_body_io *io)
{
    (void)body, (void)link, (void)io;
    return (hf_pose){.rotation = hf_m3_identity()};
}

const hf_body_ops hf_own_ops = {.type = HF_BODY_OWN,
                                .name = "own",
                                .bytes = sizeof(hf_own_body),
                                .accelerates = true,
                                .coordinates = true,
                                .unplaced = true,
                                .shifts = HF_BODY_KIND_MOST,
                                .def_size = sizeof(hf_body_def),
                                .check = own_check,
                                .keep = own_keep,
                                .size = own_size,
                                .lay = own_lay,
                                .start = own_start,
                                .info = own_info,
                                .axis = own_axis,
                                .unit = own_unit,
                                .rate = own_rate,
                                .q_rate = own_q_rate,
                                .energy = own_energy,
                                .clear = own_clear,
                                .respond = own_respond,
                                .answer = own_answer,
                                .load = own_load,
                                .factor_size = own_factor_size,
                                .factor = own_factor,
                                .half = own_half,
                                .weigh = own_weigh,
                                .unweigh = own_unweigh,
                                .look = own_look};
