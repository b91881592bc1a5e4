// SPDX-License-Identifier: Apache-2.0
// Where two solids touch: the routine of the pair's shapes, with the pair in a fixed order.
#include "shapes/touch.h"

// Which of a pair comes first.
static int rank(hf_shape_type type)
{
    static const int ranks[HF_SHAPE_TYPE_COUNT] = {
        [HF_SHAPE_SPHERE] = 0,   [HF_SHAPE_CAPSULE] = 1,   [HF_SHAPE_BOX] = 2,
        [HF_SHAPE_CYLINDER] = 3, [HF_SHAPE_CONE] = 4,      [HF_SHAPE_ELLIPSOID] = 5,
        [HF_SHAPE_MESH] = 6,     [HF_SHAPE_TRIANGLES] = 7, [HF_SHAPE_PLANE] = 8};
    return ranks[type];
}

static void find_ordered(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                         hf_meeting *touch)
{
    if (b->type == HF_SHAPE_PLANE) {
        hf_touch_plane(a, b, place, margin, touch);
    } else if (b->type == HF_SHAPE_SPHERE || b->type == HF_SHAPE_CAPSULE) {
        hf_touch_round(a, b, place, margin, touch);
    } else if (a->type == HF_SHAPE_SPHERE && b->type == HF_SHAPE_BOX) {
        hf_touch_sphere_box(a, b, place, margin, touch);
    } else if (a->type == HF_SHAPE_SPHERE && b->type == HF_SHAPE_CYLINDER) {
        hf_touch_sphere_cylinder(a, b, place, margin, touch);
    } else if (a->type == HF_SHAPE_BOX && b->type == HF_SHAPE_BOX) {
        hf_touch_boxes(a, b, place, margin, touch);
    } else {
        hf_touch_convex(a, b, place, margin, touch);
    }
}

void hf_touch_find(const hf_solid *a, const hf_solid *b, double margin, hf_meeting *touch)
{
    hf_vec3 place = hf_v3_sub(a->center, b->center);
    touch->count = 0;
    touch->way = hf_v3(0.0, 0.0, 0.0);
    if (rank(a->type) <= rank(b->type)) {
        find_ordered(a, b, place, margin, touch);
        return;
    }
    find_ordered(b, a, hf_v3_scale(-1.0, place), margin, touch);
    touch->way = hf_v3_scale(-1.0, touch->way);
    for (int i = 0; i < touch->count; ++i) {
        hf_touch_point *p = &touch->points[i];
        p->n = hf_v3_scale(-1.0, p->n);
        p->place = hf_v3_add(p->place, place);
    }
}

static int find_surface(const hf_solid *a, const hf_solid *b, double margin, hf_touch_point *points)
{
    return b->type == HF_SHAPE_PLANE
               ? hf_touch_triangles_plane(a, b, margin, points, HF_SURFACE_POINTS)
               : hf_touch_triangles(a, b, margin, points, HF_SURFACE_POINTS);
}

int hf_touch_points(const hf_solid *a, const hf_solid *b, double margin, hf_touch_point *points)
{
    if (a->type != HF_SHAPE_TRIANGLES && b->type != HF_SHAPE_TRIANGLES) {
        hf_meeting touch;
        hf_touch_find(a, b, margin, &touch);
        for (int i = 0; i < touch.count; ++i) {
            points[i] = touch.points[i];
        }
        return touch.count;
    }
    if (rank(a->type) <= rank(b->type)) {
        return find_surface(a, b, margin, points);
    }
    hf_vec3 place = hf_v3_sub(a->center, b->center);
    int count = find_surface(b, a, margin, points);
    for (int i = 0; i < count; ++i) {
        points[i].n = hf_v3_scale(-1.0, points[i].n);
        points[i].place = hf_v3_add(points[i].place, place);
    }
    return count;
}
