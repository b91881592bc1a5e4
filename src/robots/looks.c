// SPDX-License-Identifier: Apache-2.0
// How links look: the visual shapes of the file, for the report's 3-D view. They act on nothing, so
// one that cannot be read is left out.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "robots/dae.h"
#include "robots/robot.h"
#include "robots/write.h"

enum { MOST_BYTES = 32 << 20 }; // of a mesh's file

long hf_robot_color(const char *rgba)
{
    double n[4] = {0, 0, 0, 1};
    if (rgba == NULL || hf_xml_numbers(rgba, 3, 4, n) < 3 || !(n[3] > 0.0)) {
        return -1;
    }
    long color = 0;
    for (int i = 0; i < 3; ++i) {
        color = 256 * color + lround(255.0 * fmin(fmax(n[i], 0.0), 1.0));
    }
    return color;
}

// Whether a file can be read and has triangles.
static bool is_readable(const char *path, const char *label)
{
    struct stat about;
    hf_soup soup = {0};
    hf_error ignored = {0};
    if (stat(path, &about) != 0 || about.st_size > MOST_BYTES) {
        return false;
    }
    bool good = hf_any_soup_read(path, label, &soup, &ignored) && soup.triangle_count > 0;
    hf_soup_free(&soup);
    return good;
}

// A file that another look has is known to be readable.
static bool is_known(const hf_robot *robot, const char *file)
{
    for (size_t i = 0; i < robot->looks.count; ++i) {
        const char *other = robot->looks.items[i].shape.file;
        if (other != NULL && strcmp(other, file) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_size(const hf_robot_shape *s)
{
    bool round = s->type == HF_ROBOT_SPHERE, box = s->type == HF_ROBOT_BOX,
         tube = s->type == HF_ROBOT_CAPSULE || s->type == HF_ROBOT_CYLINDER ||
                s->type == HF_ROBOT_CONE,
         mesh = s->type == HF_ROBOT_MESH;
    hf_vec3 n = mesh ? s->scale : s->size;
    if (mesh) {
        return n.x * n.y * n.z != 0.0 && isfinite(n.x + n.y + n.z);
    }
    return n.x > 0.0 && (round || n.z > 0.0) && (round || tube || n.y > 0.0) &&
           (round || tube || box || s->type == HF_ROBOT_ELLIPSOID) && isfinite(n.x + n.y + n.z);
}

bool hf_robot_add_look(hf_robot *robot, hf_robot_look look, const char *file)
{
    if (robot->options.no_looks || look.shape.link < 0 || !has_size(&look.shape)) {
        return true;
    }
    if (look.shape.type == HF_ROBOT_MESH) {
        hf_error *own = robot->error, ignored = {0};
        robot->error = &ignored;
        char *path = file == NULL
                         ? NULL
                         : hf_robot_resolve(robot, look.shape.from, NULL, file, &look.shape.file);
        robot->error = own;
        bool good = path != NULL &&
                    (is_known(robot, look.shape.file) || is_readable(path, look.shape.file));
        free(path);
        if (!good) {
            return true;
        }
    }
    void *grown = hf_grow(robot->looks.items, robot->looks.count, &robot->looks.capacity,
                          sizeof *robot->looks.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(robot);
    }
    robot->looks.items = grown;
    robot->looks.items[robot->looks.count++] = look;
    return true;
}

static void put_figure(hf_text_out *out, const hf_robot *robot, const hf_robot_look *look)
{
    const hf_robot_shape *s = &look->shape;
    hf_put_solid(out, robot, s);
    if (s->type != HF_ROBOT_SPHERE && !hf_is_unturned(s->turn)) {
        hf_put(out, ", orientation: ");
        hf_put_quat(out, s->turn);
    }
    if (s->center.x != 0.0 || s->center.y != 0.0 || s->center.z != 0.0) {
        hf_put(out, ", center: ");
        hf_put_vec3(out, s->center);
    }
    if (look->color >= 0) {
        char color[32];
        (void)snprintf(color, sizeof color, ", color: \"#%06lx\"", (unsigned long)look->color);
        hf_put(out, color);
    }
    hf_put(out, "}");
}

// Whether it is of this link; a mesh that the model's folder does not have is left out.
static bool is_shown(const hf_robot *robot, const hf_robot_look *look, int link)
{
    const char *file = look->shape.type == HF_ROBOT_MESH ? look->shape.file : NULL;
    return look->shape.link == link && (file == NULL || hf_robot_file_name(robot, file)[0] != '/');
}

void hf_put_looks(hf_text_out *out, const hf_robot *robot, int link)
{
    bool only = false, mesh = false;
    int count = 0;
    for (size_t i = 0; i < robot->looks.count; ++i) {
        const hf_robot_look *look = &robot->looks.items[i];
        bool shown = is_shown(robot, look, link);
        only = only || (look->only && shown);
        mesh = mesh || (look->shape.type == HF_ROBOT_MESH && shown);
    }
    for (size_t i = 0; i < robot->looks.count && (only || mesh); ++i) {
        const hf_robot_look *look = &robot->looks.items[i];
        if (is_shown(robot, look, link) && !(only && look->spare)) {
            hf_put(out, count++ == 0 ? ",\n          draw: [" : ",\n            ");
            put_figure(out, robot, look);
        }
    }
    hf_put(out, count > 0 ? "]" : "");
}
