// SPDX-License-Identifier: Apache-2.0
// The shapes of every body, that of its definition first, the others in the order of their names;
// what their surfaces are, by themselves or by their material.
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "compile/model_data.h"
#include "couplings/members.h"

static int by_name(const void *a, const void *b)
{
    const hf_shape_def *x = a, *y = b;
    return hf_name_compare(x->name, y->name);
}

static double told(double own, double other)
{
    return isnan(own) ? other : own;
}

static hf_surface surface_of(const hf_spec *spec, const hf_shape_def *def)
{
    hf_surface s = def->surface;
    if (def->material.id > 0) {
        const hf_surface *m = &spec->materials[def->material.id - 1].surface;
        s.friction = told(s.friction, m->friction);
        s.restitution = told(s.restitution, m->restitution);
        s.spin_friction = told(s.spin_friction, m->spin_friction);
        s.rolling_friction = told(s.rolling_friction, m->rolling_friction);
    }
    return s;
}

static bool turns(const hf_surface *s)
{
    return s->spin_friction > 0.0 || s->rolling_friction > 0.0;
}

static void look_at(hf_model *model, const hf_shape_def *def)
{
    const hf_surface *s = &def->surface;
    bool says = !isnan(s->friction) || !isnan(s->restitution) || !isnan(s->spin_friction) ||
                !isnan(s->rolling_friction);
    hf_vec3 v = def->belt, w = def->belt_spin;
    says = says || v.x != 0.0 || v.y != 0.0 || v.z != 0.0 || w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
    bool grain = !isnan(def->friction_across), slips = def->slip[0] > 0.0 || def->slip[1] > 0.0;
    model->surfaces_told = model->surfaces_told || says || grain || slips;
    model->surfaces_slip = model->surfaces_slip || slips;
    model->surfaces_grain = model->surfaces_grain || grain;
    model->surfaces_turn = model->surfaces_turn || turns(s);
}

// Places of the bodies' shapes in one array; those that were added follow in any order.
static void count_shapes(const hf_spec *spec, hf_body_place *places, hf_shape_def *all)
{
    for (size_t i = 0; i < spec->body_count; ++i) {
        hf_body_info *info = &places[i].info;
        info->shapes = all;
        if (info->shape.type != HF_SHAPE_POINT) {
            *all = hf_shape_def_default(info->shape.type);
            all->shape = info->shape;
            all->center = info->shape_center;
            all->name = info->name;
            info->shape_count = 1;
        }
        all += info->shape_count + spec->bodies[i].shape_count;
    }
}

hf_status hf_compile_shapes(hf_model *model, const hf_spec *spec, hf_body_place *places,
                            hf_error *error)
{
    hf_shape_def *all;
    HF_ALLOC(all, spec->body_count + spec->shape_count);
    count_shapes(spec, places, all);
    // Shapes that were added, each with its body
    for (size_t i = 0; i < spec->shape_count; ++i) {
        hf_body_info *info = &places[spec->shapes[i].body - 1].info;
        hf_shape_def *kept = (hf_shape_def *)info->shapes + info->shape_count++;
        *kept = spec->shapes[i].def;
        kept->surface = surface_of(spec, kept);
        kept->name = hf_arena_string(&model->arena, kept->name);
        if (kept->name == NULL || !hf_shape_keep(&model->arena, &kept->shape)) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        look_at(model, kept);
    }
    // In the order of their names; scenery is nothing without a shape
    for (size_t i = 0; i < spec->body_count; ++i) {
        hf_body_info *info = &places[i].info;
        int added = spec->bodies[i].shape_count;
        if (added > 1) {
            qsort((hf_shape_def *)info->shapes + (info->shape_count - added), (size_t)added,
                  sizeof *info->shapes, by_name);
        }
        if (places[i].ops->scenery && info->shape_count == 0) {
            return hf_error_at(error, HF_ERROR_INPUT,
                               hf_at_member("static body", info->name, "shape"),
                               "it needs a shape");
        }
    }
    // Surfaces of pairs
    for (size_t i = 0; i < spec->pair_count; ++i) {
        model->surfaces_told = true;
        model->surfaces_turn = model->surfaces_turn || turns(&spec->pairs[i].surface);
    }
    return HF_OK;
}

// Shapes of a body, a surface of triangles for as many as it has points more.
static long long room_of(const hf_body_info *info)
{
    long long room = info->shape_count;
    for (int i = 0; i < info->shape_count; ++i) {
        room += info->shapes[i].shape.type == HF_SHAPE_TRIANGLES ? 3 : 0;
    }
    return room;
}

// So many near pairs for each member, and not more than there are.
int hf_model_pairs(const hf_model *model, const hf_coupling_def *def)
{
    long long usual = 0, before = 0, all = 0, most = INT_MAX / 64;
    for (int i = 0; i < def->member_count; ++i) {
        long long room = room_of(&model->bodies[def->members[i].id - 1].info);
        long long count = room > 0 ? room : 1;
        usual += HF_PAIRS_A_MEMBER * count;
        all = all < most ? all + before * count : most;
        before += count;
    }
    if (def->member_count == 2 || all < usual) {
        usual = all;
    }
    return def->capacity > 0 ? def->capacity : (int)(usual < most ? usual : most);
}
