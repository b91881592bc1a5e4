// SPDX-License-Identifier: Apache-2.0
// How bodies are shown.
#include <math.h>

#include "base/error.h"
#include "spec/spec_data.h"

hf_draw hf_draw_default(void)
{
    return (hf_draw){.type = HF_DRAW_AUTO, .turn = {.w = 1.0}, .color = -1};
}

static hf_status check_mesh(const hf_draw_mesh *mesh, const char *name, hf_error *error)
{
    hf_status status = HF_OK;
    bool good = mesh->points != NULL && mesh->corners != NULL && mesh->point_count > 0 &&
                mesh->triangle_count > 0;
    for (int i = 0; good && status == HF_OK && i < mesh->point_count; ++i) {
        status = hf_check_numbers(&mesh->points[i].x, 3, "body", name, "draw: points", error);
    }
    for (int i = 0; good && i < 3 * mesh->triangle_count; ++i) {
        good = mesh->corners[i] >= 0 && mesh->corners[i] < mesh->point_count;
    }
    return good ? status
                : hf_error_at(error, HF_ERROR_INPUT, hf_at_member("body", name, "draw"),
                              "draw: triangles need points, and corners that are among them");
}

static hf_status check(const hf_spec *spec, hf_body body, const hf_draw *draw, hf_error *error)
{
    // Which sizes must be positive, by type.
    static const bool needs[HF_DRAW_MESH + 1][3] = {
        [HF_DRAW_SPHERE] = {true, false, false},  [HF_DRAW_BOX] = {true, true, true},
        [HF_DRAW_CYLINDER] = {true, false, true}, [HF_DRAW_CAPSULE] = {true, false, true},
        [HF_DRAW_ELLIPSOID] = {true, true, true},
    };
    if (body.id < 1 || (size_t)body.id > spec->body_count) {
        return hf_error_set(error, HF_ERROR_INPUT, "draw: no such body");
    }
    const char *name = spec->bodies[body.id - 1].name;
    if ((unsigned)draw->type > HF_DRAW_MESH || draw->color < -1 || draw->color > 0xffffff) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("body", name, "draw"),
                           "draw: unknown type or color");
    }
    const double sizes[3] = {draw->size.x, draw->size.y, draw->size.z};
    for (int i = 0; i < 3; ++i) {
        if (needs[draw->type][i] && (!(sizes[i] > 0.0) || !isfinite(sizes[i]))) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("body", name, "draw"),
                               "draw: sizes must be positive, got %g", sizes[i]);
        }
    }
    HF_TRY(hf_check_numbers(&draw->center.x, 3, "body", name, "draw: center", error));
    HF_TRY(hf_check_unit_quat(&draw->turn.w, "body", name, "draw: orientation", error));
    return draw->type == HF_DRAW_MESH ? check_mesh(&draw->mesh, name, error) : HF_OK;
}

bool hf_draw_keep(hf_arena *arena, hf_draw *draw)
{
    hf_draw_mesh *mesh = &draw->mesh;
    if (draw->type != HF_DRAW_MESH) {
        *mesh = (hf_draw_mesh){0};
        return true;
    }
    mesh->points =
        hf_arena_copy(arena, mesh->points, (size_t)mesh->point_count, sizeof *mesh->points);
    mesh->corners = hf_arena_copy(arena, mesh->corners, 3 * (size_t)mesh->triangle_count,
                                  sizeof *mesh->corners);
    return mesh->points != NULL && mesh->corners != NULL;
}

hf_status hf_spec_set_draw(hf_spec *spec, hf_body body, const hf_draw *draw, hf_error *error)
{
    hf_draw kept = *draw;
    HF_TRY(check(spec, body, draw, error));
    if (!hf_draw_keep(&spec->arena, &kept)) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    spec->bodies[body.id - 1].draw = kept;
    return HF_OK;
}

hf_status hf_spec_add_draw(hf_spec *spec, hf_body body, const hf_draw *draw, hf_error *error)
{
    hf_draw kept = *draw;
    HF_TRY(check(spec, body, draw, error));
    hf_spec_body *b = &spec->bodies[body.id - 1];
    if (draw->type == HF_DRAW_AUTO || draw->type == HF_DRAW_NONE) {
        return HF_OK;
    }
    if (b->figure_count == b->figure_capacity) {
        int capacity = 2 * b->figure_capacity + 4;
        hf_draw *grown = hf_arena_alloc(&spec->arena, (size_t)capacity, sizeof *grown);
        if (grown == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        for (int i = 0; i < b->figure_count; ++i) {
            grown[i] = b->figures[i];
        }
        b->figures = grown;
        b->figure_capacity = capacity;
    }
    if (!hf_draw_keep(&spec->arena, &kept)) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    b->figures[b->figure_count++] = kept;
    return HF_OK;
}
