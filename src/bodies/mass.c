// SPDX-License-Identifier: Apache-2.0
// Point masses: p' = v, v' = f/M + g.                                             [Kikuuwe2008] (7)
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "bodies/bodies.h"

hf_mass_def hf_mass_def_default(void)
{
    return (hf_mass_def){.dim = 3, .axes = {0, 1, 2}, .mass = 1.0};
}

hf_body hf_spec_add_mass(hf_spec *spec, const hf_mass_def *def, hf_error *error)
{
    return hf_spec_put_body(spec, HF_BODY_MASS, def, def->name, error);
}

static hf_status mass_check(const hf_spec *spec, const void *def, const char *name, hf_error *error)
{
    const hf_mass_def *d = def;
    (void)spec;
    HF_TRY(hf_check_axes(d->dim, d->axes, "mass", name, error));
    HF_TRY(hf_check_mass(d->mass, false, "mass", name, error));
    HF_TRY(hf_check_numbers(d->position, d->dim, "mass", name, "position", error));
    return hf_check_numbers(d->velocity, d->dim, "mass", name, "velocity", error);
}

static bool mass_number(void *def, int k, hf_body_number *number)
{
    number->name = "mass";
    number->unit = "kg";
    number->at = &((hf_mass_def *)def)->mass;
    return k == 0;
}

static void mass_size(const void *def, int *nq, int *nv)
{
    *nq = *nv = ((const hf_mass_def *)def)->dim;
}

static bool mass_lay(const void *def, const hf_body_spot *spot, void *body)
{
    const hf_mass_def *d = def;
    const double gravity[3] = {spot->gravity.x, spot->gravity.y, spot->gravity.z};
    hf_mass *m = body;
    *m = (hf_mass){.point = hf_point_at(spot, d->dim, d->axes),
                   .mass = d->mass,
                   .inverse_mass = 1.0 / d->mass,
                   .root = sqrt(d->mass)};
    m->inverse_root = 1.0 / m->root;
    for (int k = 0; k < d->dim; ++k) {
        m->gravity[k] = gravity[d->axes[k]];
    }
    return true;
}

static void mass_start(const void *def, double *q, double *v)
{
    const hf_mass_def *d = def;
    memcpy(q, d->position, (size_t)d->dim * sizeof *q);
    memcpy(v, d->velocity, (size_t)d->dim * sizeof *v);
}

static void mass_info(const void *def, hf_body_info *info)
{
    const hf_mass_def *d = def;
    info->dim = d->dim;
    memcpy(info->axes, d->axes, sizeof info->axes);
    info->mass = d->mass;
}

static void mass_pose(const void *bodies, int count, const hf_body_io *io)
{
    const hf_mass *masses = bodies;
    for (int i = 0; i < count; ++i) {
        if (masses[i].point.pose >= 0) {
            io->poses[masses[i].point.pose] = hf_point_pose(&masses[i].point, io->q, io->v);
        }
    }
}

static void mass_gather(const void *bodies, int count, const hf_body_io *io)
{
    const hf_mass *masses = bodies;
    for (int i = 0; i < count; ++i) {
        if (masses[i].point.pose >= 0) {
            hf_point_gather(&masses[i].point, io->wrenches, io->u);
        }
    }
}

static void mass_rate(const void *bodies, int count, const hf_body_io *io, double *dq, double *dv)
{
    const hf_mass *masses = bodies;
    const double *v = io->v, *u = io->u;
    for (int i = 0; i < count; ++i) {
        const hf_mass *m = &masses[i];
        int first_q = m->point.q, first_v = m->point.v;
        for (int k = 0; k < m->point.dim; ++k) {
            dq[first_q + k] = v[first_v + k];
            dv[first_v + k] = u[first_v + k] * m->inverse_mass + m->gravity[k];
        }
    }
}

static void mass_q_rate(const void *bodies, int count, const double *q, const double *v, double *dq)
{
    const hf_mass *masses = bodies;
    (void)q;
    for (int i = 0; i < count; ++i) {
        const hf_point *point = &masses[i].point;
        for (int k = 0; k < point->dim; ++k) {
            dq[point->q + k] = v[point->v + k];
        }
    }
}

static void mass_energy(const void *bodies, int count, const hf_body_io *io, double *kinetic,
                        double *potential)
{
    const hf_mass *masses = bodies;
    double moving = 0.0, high = 0.0;
    for (int i = 0; i < count; ++i) {
        const hf_mass *m = &masses[i];
        for (int k = 0; k < m->point.dim; ++k) {
            double q = io->q[m->point.q + k], v = io->v[m->point.v + k];
            moving += 0.5 * m->mass * v * v;
            high -= m->mass * m->gravity[k] * q;
        }
    }
    *kinetic += moving;
    *potential += high;
}

static void mass_clear(const void *body, const hf_body_io *io)
{
    const hf_point *point = &((const hf_mass *)body)->point;
    memset(io->u + point->v, 0, (size_t)point->dim * sizeof *io->u);
    if (point->pose >= 0) {
        io->wrenches[point->pose] = (hf_wrench){0};
    }
}

static void mass_respond(const void *body, const hf_body_io *io, double *dv)
{
    const hf_mass *m = body;
    if (m->point.pose >= 0) {
        hf_point_gather(&m->point, io->wrenches, io->u);
    }
    for (int k = m->point.v; k < m->point.v + m->point.dim; ++k) {
        dv[k] = io->u[k] * m->inverse_mass;
    }
}

static void mass_answer(const void *body, const hf_body_io *io, const double *f, double *a)
{
    const hf_mass *m = body;
    (void)io;
    for (int k = 0; k < m->point.dim; ++k) {
        a[k] = f[k] * m->inverse_mass;
    }
}

static void mass_load(const void *body, const hf_body_io *io, double *f)
{
    const hf_point *point = &((const hf_mass *)body)->point;
    if (point->pose >= 0) {
        hf_point_gather(point, io->wrenches, io->u);
    }
    memcpy(f, io->u + point->v, (size_t)point->dim * sizeof *f);
}

static void mass_half(const void *body, const double *l, const double *j, double *y)
{
    const hf_mass *m = body;
    (void)l;
    for (int k = 0; k < m->point.dim; ++k) {
        y[k] = m->inverse_root * j[k];
    }
}

static void mass_weigh(const void *body, const hf_body_io *io, const double *l, const double *v,
                       double *s)
{
    const hf_mass *m = body;
    (void)io, (void)l;
    for (int k = 0; k < m->point.dim; ++k) {
        s[k] = m->root * v[k];
    }
}

static void mass_unweigh(const void *body, const double *l, const double *s, double *v)
{
    const hf_mass *m = body;
    (void)l;
    for (int k = 0; k < m->point.dim; ++k) {
        v[k] += m->inverse_root * s[k];
    }
}

// A point has no turns: torques do nothing.
static void mass_rows(const void *body, const hf_body_io *io, const hf_body_push *push,
                      const double *l, double *rows, size_t stride, double *scratch)
{
    const hf_mass *m = body;
    double scale = l == NULL ? push->sign : push->sign * m->inverse_root;
    (void)io, (void)scratch;
    for (int r = 0; r < push->count && push->force != NULL; ++r, rows += stride) {
        const double f[3] = {push->force[r].x, push->force[r].y, push->force[r].z};
        for (int k = 0; k < m->point.dim; ++k) {
            rows[k] += scale * f[m->point.axes[k]];
        }
    }
}

static hf_pose mass_look(const void *body, int link, const hf_body_io *io)
{
    (void)link;
    return hf_point_pose(&((const hf_mass *)body)->point, io->q, io->v);
}

const hf_body_ops hf_mass_ops = {.type = HF_BODY_MASS,
                                 .name = "mass",
                                 .bytes = sizeof(hf_mass),
                                 .accelerates = true,
                                 .shifts = 3,
                                 .in_axes = true,
                                 .coordinates = true,
                                 .def_size = sizeof(hf_mass_def),
                                 .check = mass_check,
                                 .number = mass_number,
                                 .size = mass_size,
                                 .lay = mass_lay,
                                 .start = mass_start,
                                 .info = mass_info,
                                 .pose = mass_pose,
                                 .gather = mass_gather,
                                 .rate = mass_rate,
                                 .q_rate = mass_q_rate,
                                 .energy = mass_energy,
                                 .clear = mass_clear,
                                 .respond = mass_respond,
                                 .answer = mass_answer,
                                 .load = mass_load,
                                 .half = mass_half,
                                 .weigh = mass_weigh,
                                 .unweigh = mass_unweigh,
                                 .rows = mass_rows,
                                 .look = mass_look};
