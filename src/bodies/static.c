// SPDX-License-Identifier: Apache-2.0
// Scenery: a pose and no state.
#include "base/error.h"
#include "bodies/bodies.h"

hf_static_def hf_static_def_default(void)
{
    return (hf_static_def){.orientation = {.w = 1.0}, .shape = {.type = HF_SHAPE_PLANE}};
}

hf_body hf_spec_add_static(hf_spec *spec, const hf_static_def *def, hf_error *error)
{
    return hf_spec_put_body(spec, HF_BODY_STATIC, def, def->name, error);
}

static hf_status static_check(const hf_spec *spec, const void *def, const char *name,
                              hf_error *error)
{
    static const char what[] = "static body";
    const hf_static_def *d = def;
    (void)spec;
    HF_TRY(hf_check_numbers(&d->position.x, 3, what, name, "position", error));
    HF_TRY(hf_check_unit_quat(&d->orientation.w, what, name, "orientation", error));
    HF_TRY(hf_check_numbers(&d->shape_center.x, 3, what, name, "shape center", error));
    return hf_check_shape(&d->shape, what, name, error);
}

static bool static_keep(hf_arena *arena, void *def)
{
    return hf_shape_keep(arena, &((hf_static_def *)def)->shape);
}

static void static_size(const void *def, int *nq, int *nv)
{
    (void)def;
    *nq = *nv = 0;
}

static bool static_lay(const void *def, const hf_body_spot *spot, void *body)
{
    const hf_static_def *d = def;
    *(hf_static_body *)body = (hf_static_body){
        .pose = spot->pose,
        .place = {.rotation = hf_quat_rotation(d->orientation), .position = d->position}};
    return true;
}

static void static_start(const void *def, double *q, double *v)
{
    (void)def, (void)q, (void)v;
}

static void static_info(const void *def, hf_body_info *info)
{
    const hf_static_def *d = def;
    info->shape = d->shape;
    info->shape_center = d->shape_center;
}

static void static_still(const void *bodies, int count, hf_pose *poses)
{
    const hf_static_body *statics = bodies;
    for (int i = 0; i < count; ++i) {
        poses[statics[i].pose] = statics[i].place;
    }
}

static hf_pose static_look(const void *body, int link, const hf_body_io *io)
{
    (void)link;
    return io->poses[((const hf_static_body *)body)->pose];
}

const hf_body_ops hf_static_ops = {.type = HF_BODY_STATIC,
                                   .name = "static",
                                   .bytes = sizeof(hf_static_body),
                                   .scenery = true,
                                   .always_posed = true,
                                   .shaped = true,
                                   .def_size = sizeof(hf_static_def),
                                   .check = static_check,
                                   .keep = static_keep,
                                   .size = static_size,
                                   .lay = static_lay,
                                   .start = static_start,
                                   .info = static_info,
                                   .still = static_still,
                                   .look = static_look};
