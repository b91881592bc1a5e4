// SPDX-License-Identifier: Apache-2.0
// What the readers of several formats share: titles, turns, inertias, meshes that collide.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "robots/dae.h"
#include "robots/robot.h"

bool hf_robot_set_title(hf_robot *robot, const char *title)
{
    bool part = robot->options.part;
    robot->title = title;
    robot->options.part = false; // the tree's own name has no prefix
    robot->name = hf_robot_name(robot, &robot->names,
                                robot->options.name != NULL ? robot->options.name : title, "robot");
    robot->options.part = part;
    return robot->name != NULL;
}

hf_quat hf_robot_from_rpy(double roll, double pitch, double yaw)
{
    hf_quat x = hf_quat_from_axis_angle((hf_vec3){1, 0, 0}, roll),
            y = hf_quat_from_axis_angle((hf_vec3){0, 1, 0}, pitch),
            z = hf_quat_from_axis_angle((hf_vec3){0, 0, 1}, yaw);
    return hf_quat_mul(z, hf_quat_mul(y, x));
}

hf_quat hf_robot_from_z(hf_vec3 z)
{
    double length = hf_v3_norm(z);
    z = hf_v3_scale(1.0 / length, z);
    hf_vec3 axis = hf_v3_cross((hf_vec3){0, 0, 1}, z);
    double s = hf_v3_norm(axis);
    const double along = 1e-10; // z but for rounding: any axis across it will do
    axis = s < along ? (hf_vec3){1, 0, 0} : hf_v3_scale(1.0 / s, axis);
    return hf_quat_from_axis_angle(axis, atan2(s, z.z));
}

hf_sym3 hf_robot_turned(hf_sym3 i, hf_quat turn)
{
    hf_mat3 r = hf_quat_rotation(turn);
    hf_vec3 x = hf_m3_tmulv(&r, (hf_vec3){1, 0, 0}), y = hf_m3_tmulv(&r, (hf_vec3){0, 1, 0}),
            z = hf_m3_tmulv(&r, (hf_vec3){0, 0, 1});
    hf_vec3 ix = hf_s3_mulv(&i, x), iy = hf_s3_mulv(&i, y), iz = hf_s3_mulv(&i, z);
    return (hf_sym3){hf_v3_dot(x, ix), hf_v3_dot(y, iy), hf_v3_dot(z, iz),
                     hf_v3_dot(x, iy), hf_v3_dot(x, iz), hf_v3_dot(y, iz)};
}

// ------------------------------------------------------------------------------------------------
// Inertias

// Jacobi's method ends where what is off the diagonal is below the rounding of sums that made it.
// Further turns would follow that rounding where two moments are equal, and find other axes.
enum { MOST_TURNS = 60 };
static const double OFF_DIAGONAL = 1e-13;

// Turns the axes p and q so that a[p][q] becomes zero.
static void turn_axes(double a[3][3], double axes[3][3], int p, int q)
{
    double angle = 0.5 * atan2(2.0 * a[p][q], a[q][q] - a[p][p]), c = cos(angle), s = sin(angle);
    for (int k = 0; k < 3; ++k) {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < 3; ++k) {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        x = axes[k][p];
        y = axes[k][q];
        axes[k][p] = c * x - s * y;
        axes[k][q] = s * x + c * y;
    }
}

void hf_robot_principal(const hf_sym3 *inertia, hf_quat near, double moments[3], double axes[3][3])
{
    hf_quat back = {near.w, -near.x, -near.y, -near.z};
    hf_sym3 own = hf_robot_turned(*inertia, back);
    hf_mat3 r = hf_quat_rotation(near);
    double a[3][3] = {{own.xx, own.xy, own.xz}, {own.xy, own.yy, own.yz}, {own.xz, own.yz, own.zz}};
    const double start[3][3] = {{r.xx, r.xy, r.xz}, {r.yx, r.yy, r.yz}, {r.zx, r.zy, r.zz}};
    memcpy(axes, start, sizeof start);
    for (int turn = 0; turn < MOST_TURNS; ++turn) {
        // The largest number beside the diagonal
        int p = 0, q = fabs(a[0][1]) >= fabs(a[0][2]) ? 1 : 2;
        if (fabs(a[1][2]) > fabs(a[p][q])) {
            p = 1;
            q = 2;
        }
        if (fabs(a[p][q]) <= OFF_DIAGONAL * (fabs(a[p][p]) + fabs(a[q][q]))) {
            break;
        }
        turn_axes(a, axes, p, q);
    }
    for (int i = 0; i < 3; ++i) {
        moments[i] = a[i][i];
    }
}

hf_sym3 hf_robot_from_principal(const double moments[3], double axes[3][3])
{
    double n[3][3] = {{0}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            for (int k = 0; k < 3; ++k) {
                n[i][j] += axes[i][k] * moments[k] * axes[j][k];
            }
        }
    }
    return (hf_sym3){n[0][0], n[1][1], n[2][2], n[0][1], n[0][2], n[1][2]};
}

bool hf_robot_inertia_is_off(const hf_sym3 *i)
{
    const double printed = 1e-6; // inertias of files have six digits
    double trace = i->xx + i->yy + i->zz, slack = 0.5 * trace + printed * trace;
    hf_sym3 rest = {slack - i->xx, slack - i->yy, slack - i->zz, -i->xy, -i->xz, -i->yz};
    return trace > 0.0 && !(rest.xx > 0.0 && rest.xx * rest.yy - rest.xy * rest.xy > 0.0 &&
                            hf_s3_determinant(&rest) > 0.0);
}

void hf_robot_balance(hf_sym3 *i)
{
    double mean = (i->xx + i->yy + i->zz) / 3.0;
    *i = (hf_sym3){mean, mean, mean, 0, 0, 0};
}

bool hf_robot_check_inertias(hf_robot *robot)
{
    for (size_t i = 0; i < robot->links.count; ++i) {
        hf_robot_link *link = &robot->links.items[i];
        if (!hf_robot_inertia_is_off(&link->inertia)) {
            continue;
        }
        if (robot->options.inertia == HF_ROBOT_INERTIA_REFUSE) {
            return hf_xml_fail(
                link->from, robot->error, HF_ERROR_RANGE,
                "'%.60s' has an inertia that no body can have: a principal moment above "
                "the sum of the other two",
                link->body == NULL ? link->name : link->body);
        }
        if (robot->options.inertia == HF_ROBOT_INERTIA_BALANCE) {
            hf_robot_balance(&link->inertia);
            hf_xml_mark_element(link->from, HF_FATE_OTHERWISE,
                                "its inertia, which no body can have, is balanced");
        } else {
            link->keep_inertia = true;
            hf_xml_mark_element(link->from, HF_FATE_OTHERWISE,
                                "its inertia is one that no body can have: kept");
        }
    }
    return true;
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), own = strlen(ending);
    if (length <= own) {
        return false;
    }
    for (size_t i = 0; i < own; ++i) {
        char c = name[length - own + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != ending[i]) {
            return false;
        }
    }
    return true;
}

// The box around a mesh in place of it.
static bool make_box(hf_robot *robot, const hf_xml_element *element, const char *path,
                     const char *label, hf_robot_shape *shape)
{
    hf_soup soup = {0};
    hf_error own = {0};
    if (!hf_any_soup_read(path, label, &soup, &own) || soup.point_count == 0) {
        hf_soup_free(&soup);
        return hf_xml_fail(element, robot->error, HF_ERROR_FILE, "%s",
                           own.text[0] != '\0' ? own.text : "a mesh without vertices");
    }
    hf_vec3 least = soup.points[0], most = least;
    for (size_t i = 1; i < soup.point_count; ++i) {
        hf_vec3 p = soup.points[i];
        least = (hf_vec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
        most = (hf_vec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
    }
    hf_soup_free(&soup);
    hf_vec3 s = shape->scale;
    hf_vec3 middle = {0.5 * s.x * (least.x + most.x), 0.5 * s.y * (least.y + most.y),
                      0.5 * s.z * (least.z + most.z)};
    hf_mat3 r = hf_quat_rotation(shape->turn);
    shape->center = hf_v3_add(shape->center, hf_m3_mulv(&r, middle));
    shape->size = (hf_vec3){fabs(s.x) * (most.x - least.x), fabs(s.y) * (most.y - least.y),
                            fabs(s.z) * (most.z - least.z)};
    shape->type = HF_ROBOT_BOX;
    return (shape->size.x > 0.0 && shape->size.y > 0.0 && shape->size.z > 0.0) ||
           hf_xml_fail(element, robot->error, HF_ERROR_RANGE, "a mesh without volume");
}

bool hf_robot_mesh(hf_robot *robot, hf_xml_element *element, hf_xml_attribute *attribute,
                   const char *file, hf_robot_shape *shape, bool *known)
{
    *known = false;
    // A file that can be read
    if (file == NULL || file[0] == '\0') {
        return hf_xml_fail(element, robot->error, HF_ERROR_INPUT, "a mesh needs a file");
    }
    if (!ends_with(file, ".stl") && !ends_with(file, ".obj") && !ends_with(file, ".dae")) {
        const char *why = "others would touch this mesh: only STL, OBJ and DAE files are read";
        hf_xml_mark(attribute, HF_FATE_MISSING, why);
        hf_xml_mark_element(attribute == NULL ? element : NULL, HF_FATE_MISSING, why);
        return true;
    }
    char *path = hf_robot_resolve(robot, element, attribute, file, &shape->file);
    if (path == NULL) {
        return false;
    }
    // What the options make of it
    bool boxes = robot->options.collide == HF_ROBOT_COLLIDE_BOXES;
    shape->type = HF_ROBOT_MESH;
    bool good = !boxes || make_box(robot, element, path, shape->file, shape);
    free(path);
    *known = good;
    const char *how = boxes ? "by the box around it: as asked for"
                      : robot->options.collide == HF_ROBOT_COLLIDE_PARTS
                          ? "by the convex hulls of its pieces: as asked for"
                          : "by its convex hull";
    hf_xml_mark(attribute, HF_FATE_OTHERWISE, how);
    hf_xml_mark_element(attribute == NULL ? element : NULL, HF_FATE_OTHERWISE, how);
    return good;
}
