// SPDX-License-Identifier: Apache-2.0
// What `check` says of shapes that were drawn or put together: where they are, what they weigh, and
// how much larger a hull is than what it replaces.
#include "cli/shapes.h"

#include <stdio.h>

#include "cli/cli.h"

enum { MOST_SHAPES = 60 };

// A hull that is larger than what was drawn by more than this part is another solid.
#define OTHER 0.02

static void print_shape(const hf_shape_def *def)
{
    const hf_shape *s = &def->shape;
    char size[120] = "";
    if (s->type == HF_SHAPE_MESH) {
        hf_mesh_info info = hf_mesh_get_info(s->mesh);
        int used = snprintf(size, sizeof size, ", drawn about [%g, %g, %g] m", info.center.x,
                            info.center.y, info.center.z);
        if (info.drawn_volume > 0.0 && used > 0 && (size_t)used < sizeof size) {
            (void)snprintf(size + used, sizeof size - (size_t)used, ", hull ratio %.4g",
                           info.volume / info.drawn_volume);
        }
    } else if (s->type == HF_SHAPE_TRIANGLES) {
        hf_triangles_info info = hf_triangles_get_info(s->triangles);
        (void)snprintf(size, sizeof size, ", %d triangles, %s, center of mass [%g, %g, %g] m",
                       info.triangles, info.closed ? "closed" : "open", info.center.x,
                       info.center.y, info.center.z);
    }
    (void)printf("  %-20s %s at [%g, %g, %g] m, %g m^3%s\n", def->name, hf_shape_name(s->type),
                 def->center.x, def->center.y, def->center.z, hf_shape_volume(*s), size);
}

static bool is_worth_telling(const hf_body_info *info)
{
    bool told = info->shape_count > 1;
    for (int i = 0; i < info->shape_count; ++i) {
        hf_shape_type type = info->shapes[i].shape.type;
        told = told || type == HF_SHAPE_MESH || type == HF_SHAPE_TRIANGLES;
    }
    return told;
}

void hf_cli_print_shapes(const hf_model *model)
{
    int bodies = hf_model_get_info(model).bodies, shown = 0;
    for (int id = 1; id <= bodies && shown < MOST_SHAPES; ++id) {
        hf_body_info info = hf_model_body_info(model, (hf_body){id});
        if (!is_worth_telling(&info)) {
            continue;
        }
        if (shown == 0) {
            (void)printf("\nShapes, in the frames of their bodies\n");
        }
        for (int i = 0; i < info.shape_count && shown < MOST_SHAPES; ++i, ++shown) {
            print_shape(&info.shapes[i]);
        }
        if (info.mass > 0.0) {
            (void)printf("  %-20s %g kg about [%g, %g, %g] m; inertia %g, %g, %g, xy %g, xz %g, yz "
                         "%g kg m^2\n",
                         info.name, info.mass, info.center.x, info.center.y, info.center.z,
                         info.inertia.xx, info.inertia.yy, info.inertia.zz, info.inertia.xy,
                         info.inertia.xz, info.inertia.yz);
        }
    }
    hf_cli_warn_hulls(model);
}

void hf_cli_warn_hulls(const hf_model *model)
{
    int bodies = hf_model_get_info(model).bodies;
    for (int id = 1; id <= bodies; ++id) {
        hf_body_info info = hf_model_body_info(model, (hf_body){id});
        for (int i = 0; i < info.shape_count; ++i) {
            const hf_shape *s = &info.shapes[i].shape;
            if (s->type != HF_SHAPE_MESH) {
                continue;
            }
            hf_mesh_info mesh = hf_mesh_get_info(s->mesh);
            if (mesh.drawn_volume > 0.0 && mesh.volume > (1.0 + OTHER) * mesh.drawn_volume) {
                hf_cli_warning(
                    "'%s' touches with its convex hull, which has %.3g times the volume of "
                    "what is drawn; parts: true cuts it, type: triangles takes it as it is",
                    info.shapes[i].name, mesh.volume / mesh.drawn_volume);
            }
        }
    }
}
