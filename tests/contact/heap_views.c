// SPDX-License-Identifier: Apache-2.0
// Random heaps of solids as they are written for a view, and read back from it.
#include "heap_views.h"

#include <math.h>
#include <stdarg.h>

#include "math/vec.h"

static const double GRAVITY = 9.81;

static hf_vec3 random_vector(hf_rng *rng, double size)
{
    double x = hf_rng_uniform(rng, -size, size), y = hf_rng_uniform(rng, -size, size);
    double z = hf_rng_uniform(rng, -size, size);
    return hf_v3(x, y, z);
}

heap heap_random(hf_rng *rng, int count, int ground)
{
    heap h = {.count = count, .ground = ground};
    h.friction = hf_rng_uniform(rng, 0.1, 0.8);
    h.restitution = hf_rng_bool(rng) ? 0.0 : hf_rng_uniform(rng, 0.1, 0.6);
    h.rolling = hf_rng_bool(rng) ? 0.0 : 1e-3;
    for (int i = 0; i < count; ++i) {
        heap_solid *s = &h.solids[i];
        s->type = hf_rng_int(rng, 0, 5);
        s->a = hf_rng_uniform(rng, 0.02, 0.035);
        s->b = hf_rng_uniform(rng, 0.02, 0.035);
        s->c = hf_rng_uniform(rng, 0.02, 0.035);
        s->mass = hf_rng_uniform(rng, 0.1, 1.0);
        // In a loose stack, each falls on the one before
        s->place = hf_v3_add(random_vector(rng, 0.02), hf_v3(0.0, 0.0, 0.07 + 0.11 * i));
        s->velocity = hf_v3_add(random_vector(rng, 0.3), hf_v3(0.0, 0.0, -1.5));
        s->spin = random_vector(rng, 4.0);
        s->turn = hf_quat_from_axis_angle(hf_v3_add(random_vector(rng, 0.5), hf_v3(0.0, 0.0, 1.0)),
                                          hf_rng_uniform(rng, -2.0, 2.0));
        s->friction = hf_rng_bool(rng) ? -1.0 : hf_rng_uniform(rng, 0.05, 0.9);
        s->group = hf_rng_int(rng, -3, 2);
        s->group = s->group > 0 ? s->group : 0;
    }
    return h;
}

heap_view heap_view_plain(void)
{
    return (heap_view){.name = "as it is",
                       .length = 1.0,
                       .mass = 1.0,
                       .time = 1.0,
                       .turn = {1.0, 0.0, 0.0, 0.0},
                       .copies = 1};
}

// ------------------------------------------------------------------------------------------------
// From the heap to the view and back

static hf_vec3 seen(const heap_view *view, hf_vec3 v, double unit)
{
    hf_mat3 turn = hf_quat_rotation(view->turn);
    v.y = view->mirrored ? -v.y : v.y;
    return hf_v3_scale(unit, hf_m3_mulv(&turn, v));
}

// Spins and axes of turns have the sign of the mirror besides.
static hf_vec3 seen_spin(const heap_view *view, hf_vec3 w, double unit)
{
    return hf_v3_scale(view->mirrored ? -1.0 : 1.0, seen(view, w, unit));
}

static hf_quat seen_turn(const heap_view *view, hf_quat q)
{
    if (view->mirrored) {
        q = (hf_quat){q.w, -q.x, q.y, -q.z};
    }
    return hf_quat_mul(view->turn, q);
}

static hf_vec3 back(const heap_view *view, hf_vec3 v, double unit)
{
    hf_mat3 turn = hf_quat_rotation(view->turn), inverse = hf_m3_transpose(&turn);
    v = hf_v3_scale(1.0 / unit, hf_m3_mulv(&inverse, v));
    v.y = view->mirrored ? -v.y : v.y;
    return v;
}

// ------------------------------------------------------------------------------------------------

static void add(char text[HEAP_TEXT], const char *format, ...)
{
    size_t used = strlen(text);
    va_list list;
    va_start(list, format);
    int wrote = vsnprintf(text + used, HEAP_TEXT - used, format, list);
    va_end(list);
    assert_true(wrote >= 0 && (size_t)wrote < HEAP_TEXT - used);
}

static void add_vector(char text[HEAP_TEXT], const char *key, hf_vec3 v)
{
    add(text, ", %s: [%.17g, %.17g, %.17g]", key, v.x, v.y, v.z);
}

static void add_turn(char text[HEAP_TEXT], hf_quat q)
{
    add(text, ", orientation: [%.17g, %.17g, %.17g, %.17g]", q.w, q.x, q.y, q.z);
}

static void add_shape(char text[HEAP_TEXT], const heap_solid *s, double unit)
{
    double a = s->a * unit, b = s->b * unit, c = s->c * unit;
    switch (s->type) {
    case 0:
        add(text, "type: sphere, radius: %.17g", a);
        break;
    case 1:
        add(text, "type: box, size: [%.17g, %.17g, %.17g]", 2.0 * a, 2.0 * b, 2.0 * c);
        break;
    case 2:
        add(text, "type: capsule, radius: %.17g, length: %.17g", a, b);
        break;
    case 3:
        add(text, "type: cylinder, radius: %.17g, length: %.17g", a, 2.0 * b);
        break;
    case 4:
        add(text, "type: ellipsoid, radii: [%.17g, %.17g, %.17g]", a, b, c);
        break;
    default:
        add(text, "type: cone, radius: %.17g, length: %.17g", a, 2.0 * b);
        break;
    }
}

static void name_of(const heap *h, const heap_view *view, int solid, int copy, char name[16])
{
    int number = view->renamed ? h->count - 1 - solid : solid;
    (void)snprintf(name, 16, "%c%d", copy == 0 ? 'b' : 'c', number);
}

static void add_ground(char text[HEAP_TEXT], const heap *h, const heap_view *view, int copy)
{
    double unit = view->length, edge = 2.0 * unit;
    hf_vec3 place = hf_v3_scale((double)copy, view->apart);
    if (h->ground != 0) {
        place.z -= 0.05;
    }
    add(text, "  %s: {type: static", copy == 0 ? "ground" : "beside");
    add_vector(text, "position", hf_v3_add(view->shift, seen(view, place, unit)));
    add_turn(text, seen_turn(view, (hf_quat){1.0, 0.0, 0.0, 0.0}));
    if (h->ground == 0) {
        add(text, ", shape: {type: plane}}\n");
        return;
    }
    add(text, ", shape: {type: box, size: [%.17g, %.17g, %.17g]", edge, edge, 0.1 * unit);
    if (h->ground == 2) {
        // In the body's frame, which the mirror leaves: its y alone is turned round
        double speed = 0.3 * unit / view->time;
        add(text, ", surface_velocity: [%.17g, %.17g, 0]", speed, view->mirrored ? -speed : speed);
    }
    add(text, "}}\n");
}

static void add_body(char text[HEAP_TEXT], const heap *h, const heap_view *view, int solid,
                     int copy)
{
    const heap_solid *s = &h->solids[solid];
    char name[16];
    hf_vec3 place = hf_v3_axpy(s->place, (double)copy, view->apart);
    name_of(h, view, solid, copy, name);
    add(text, "  %s: {type: rigid, mass: %.17g, shape: {", name, s->mass * view->mass);
    add_shape(text, s, view->length);
    if (s->friction >= 0.0) {
        add(text, ", friction: %.17g", s->friction);
    }
    if (s->group > 0) {
        add(text, ", group: g%d, touches: [default, g%d]", s->group, s->group);
    }
    add(text, "}");
    add_vector(text, "position", hf_v3_add(view->shift, seen(view, place, view->length)));
    add_vector(text, "velocity", seen(view, s->velocity, view->length / view->time));
    add_vector(text, "angular_velocity", seen_spin(view, s->spin, 1.0 / view->time));
    add_turn(text, seen_turn(view, s->turn));
    add(text, "}\n");
}

void heap_write(const heap *h, const heap_view *view, const char *method, double step,
                char text[HEAP_TEXT])
{
    text[0] = '\0';
    hf_vec3 down = seen(view, hf_v3(0.0, 0.0, -GRAVITY), view->length / (view->time * view->time));
    add(text, "method: {%s, step: %.17g}\n", method, step * view->time);
    add(text, "gravity: [%.17g, %.17g, %.17g]\nbodies:\n", down.x, down.y, down.z);
    for (int copy = 0; copy < view->copies; ++copy) {
        // A plane has no end: one is enough
        if (copy == 0 || h->ground != 0) {
            add_ground(text, h, view, copy);
        }
        for (int i = 0; i < h->count; ++i) {
            add_body(text, h, view, view->backwards ? h->count - 1 - i : i, copy);
        }
    }
    double arm = h->rolling * view->length;
    add(text,
        "forces:\n  - {name: touch, type: collide, among: all, friction: %.17g, restitution: "
        "%.17g, rolling_friction: %.17g, spin_friction: %.17g}\n",
        h->friction, h->restitution, arm, arm);
}

heap_motion heap_motion_of(hf_sim *sim, const heap *h, const heap_view *view, int solid, int copy)
{
    char name[16];
    name_of(h, view, solid, copy, name);
    hf_body body = hf_model_find_body(hf_sim_model(sim), name);
    assert_true(body.id != 0);
    hf_vec3 place;
    hf_quat turn;
    hf_sim_pose(sim, body, &place, &turn);
    const double *v = hf_sim_velocity(sim, body);
    hf_mat3 rotation = hf_quat_rotation(turn);
    hf_vec3 axis = hf_m3_mulv(&rotation, hf_v3(1.0, 0.0, 1.0));
    heap_motion m = {
        .place = back(view, hf_v3_sub(place, view->shift), view->length),
        .velocity = back(view, hf_v3(v[0], v[1], v[2]), view->length / view->time),
        .spin = back(view, hf_v3(v[3], v[4], v[5]), 1.0 / view->time),
        .axis = back(view, axis, 1.0),
    };
    m.place = hf_v3_axpy(m.place, -(double)copy, view->apart);
    m.spin = hf_v3_scale(view->mirrored ? -1.0 : 1.0, m.spin);
    return m;
}
