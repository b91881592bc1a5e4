// SPDX-License-Identifier: Apache-2.0
// Rotors: shafts, flywheels, motors. One coordinate, the angle of a shaft that turns in bearings:
//   q' = v,  J v' = u
// They have no place in space: what acts on them are torques, by coordinates and ratios.
#include <math.h>

#include "base/error.h"
#include "bodies/body.h"

typedef struct rotor {
    int q, v;
    double inertia, inverse_inertia;
    double root, inverse_root; // of the inertia: M = L L'
} rotor;

hf_rotor_def hf_rotor_def_default(void)
{
    return (hf_rotor_def){.inertia = 1.0};
}

hf_body hf_spec_add_rotor(hf_spec *spec, const hf_rotor_def *def, hf_error *error)
{
    return hf_spec_put_body(spec, HF_BODY_ROTOR, def, def->name, error);
}

static hf_status rotor_check(const hf_spec *spec, const void *def, const char *name,
                             hf_error *error)
{
    const hf_rotor_def *d = def;
    (void)spec;
    if (!(d->inertia > 0.0) || !isfinite(d->inertia)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("rotor", name, "inertia"),
                           "inertia must be positive, got %g kg m^2", d->inertia);
    }
    HF_TRY(hf_check_numbers(&d->position, 1, "rotor", name, "position", error));
    return hf_check_numbers(&d->velocity, 1, "rotor", name, "velocity", error);
}

static bool rotor_number(void *def, int k, hf_body_number *number)
{
    number->name = "inertia";
    number->unit = "kg m^2";
    number->at = &((hf_rotor_def *)def)->inertia;
    return k == 0;
}

static void rotor_size(const void *def, int *nq, int *nv)
{
    (void)def;
    *nq = *nv = 1;
}

static bool rotor_lay(const void *def, const hf_body_spot *spot, void *body)
{
    double inertia = ((const hf_rotor_def *)def)->inertia, root = sqrt(inertia);
    *(rotor *)body = (rotor){.q = spot->q,
                             .v = spot->v,
                             .inertia = inertia,
                             .inverse_inertia = 1.0 / inertia,
                             .root = root,
                             .inverse_root = 1.0 / root};
    return true;
}

static void rotor_start(const void *def, double *q, double *v)
{
    *q = ((const hf_rotor_def *)def)->position;
    *v = ((const hf_rotor_def *)def)->velocity;
}

static void rotor_info(const void *def, hf_body_info *info)
{
    info->joint = HF_JOINT_REVOLUTE;
    info->inertia.zz = ((const hf_rotor_def *)def)->inertia;
}

static const char *rotor_axis(const void *body, int axis)
{
    (void)body, (void)axis;
    return "";
}

static const char *rotor_unit(const void *body, int axis, bool rate)
{
    (void)body, (void)axis;
    return rate ? "rad/s" : "rad";
}

static void rotor_q_rate(const void *bodies, int count, const double *q, const double *v,
                         double *dq)
{
    (void)q;
    for (const rotor *r = bodies, *end = r + count; r < end; ++r) {
        dq[r->q] = v[r->v];
    }
}

static void rotor_rate(const void *bodies, int count, const hf_body_io *io, double *dq, double *dv)
{
    for (const rotor *r = bodies, *end = r + count; r < end; ++r) {
        dq[r->q] = io->v[r->v];
        dv[r->v] = io->u[r->v] * r->inverse_inertia;
    }
}

static void rotor_energy(const void *bodies, int count, const hf_body_io *io, double *kinetic,
                         double *potential)
{
    (void)potential;
    for (const rotor *r = bodies, *end = r + count; r < end; ++r) {
        *kinetic += 0.5 * r->inertia * io->v[r->v] * io->v[r->v];
    }
}

static void rotor_clear(const void *body, const hf_body_io *io)
{
    io->u[((const rotor *)body)->v] = 0.0;
}

static void rotor_respond(const void *body, const hf_body_io *io, double *dv)
{
    const rotor *r = body;
    dv[r->v] = io->u[r->v] * r->inverse_inertia;
}

static void rotor_answer(const void *body, const hf_body_io *io, const double *f, double *a)
{
    (void)io;
    *a = *f * ((const rotor *)body)->inverse_inertia;
}

static void rotor_load(const void *body, const hf_body_io *io, double *f)
{
    *f = io->u[((const rotor *)body)->v];
}

static void rotor_half(const void *body, const double *l, const double *j, double *y)
{
    (void)l;
    *y = ((const rotor *)body)->inverse_root * *j;
}

static void rotor_weigh(const void *body, const hf_body_io *io, const double *l, const double *v,
                        double *s)
{
    (void)io, (void)l;
    *s = ((const rotor *)body)->root * *v;
}

static void rotor_unweigh(const void *body, const double *l, const double *s, double *v)
{
    (void)l;
    *v += ((const rotor *)body)->inverse_root * *s;
}

static hf_pose rotor_look(const void *body, int link, const hf_body_io *io)
{
    (void)body, (void)link, (void)io;
    return (hf_pose){.rotation = hf_m3_identity()};
}

const hf_body_ops hf_rotor_ops = {.type = HF_BODY_ROTOR,
                                  .name = "rotor",
                                  .bytes = sizeof(rotor),
                                  .accelerates = true,
                                  .coordinates = true,
                                  .unplaced = true,
                                  .def_size = sizeof(hf_rotor_def),
                                  .check = rotor_check,
                                  .number = rotor_number,
                                  .size = rotor_size,
                                  .lay = rotor_lay,
                                  .start = rotor_start,
                                  .info = rotor_info,
                                  .axis = rotor_axis,
                                  .unit = rotor_unit,
                                  .rate = rotor_rate,
                                  .q_rate = rotor_q_rate,
                                  .energy = rotor_energy,
                                  .clear = rotor_clear,
                                  .respond = rotor_respond,
                                  .answer = rotor_answer,
                                  .load = rotor_load,
                                  .half = rotor_half,
                                  .weigh = rotor_weigh,
                                  .unweigh = rotor_unweigh,
                                  .look = rotor_look};
