// SPDX-License-Identifier: Apache-2.0
// Loops: equations between two frames that close a chain of bodies. Their rows, rates and
// Jacobians.
#include "bodies/loop.h"

#include "math/turn.h"

// Which axes of `to` and `on` the turning rows multiply, in the order of the rows.
static const int TURN_AXES[3][2] = {{0, 2}, {1, 2}, {1, 0}};

typedef struct layout {
    int shifts, turns;
} layout;

static layout layout_of(hf_loop_type type)
{
    switch (type) {
    case HF_LOOP_REVOLUTE:
        return (layout){3, 2};
    case HF_LOOP_FIXED:
        return (layout){3, 3};
    case HF_LOOP_PRISMATIC:
        return (layout){2, 3};
    case HF_LOOP_DISTANCE:
    case HF_LOOP_RATIO:
        return (layout){1, 0};
    case HF_LOOP_POINT:
    case HF_LOOP_SPHERICAL:
    case HF_LOOP_TYPE_COUNT:
        break;
    }
    return (layout){3, 0};
}

int hf_loop_rows_of(hf_loop_type type)
{
    layout l = layout_of(type);
    return l.shifts + l.turns;
}

bool hf_loop_row_turns(hf_loop_type type, int k)
{
    return k >= layout_of(type).shifts;
}

const char *hf_loop_row_name(hf_loop_type type, int k)
{
    static const char *const shifts[] = {"x", "y", "z"};
    static const char *const turns[] = {"turn y", "turn x", "turn z"};
    layout l = layout_of(type);
    if (k < 0 || k >= l.shifts + l.turns) {
        return "";
    }
    if (type == HF_LOOP_DISTANCE || type == HF_LOOP_RATIO) {
        return type == HF_LOOP_RATIO ? "sum" : "length";
    }
    return k < l.shifts ? shifts[k] : turns[k - l.shifts];
}

void hf_loop_rows_at(const hf_loop_joint *loop, const hf_pose *on, const hf_pose *to,
                     hf_loop_rows *rows)
{
    static const hf_vec3 zero = {0.0, 0.0, 0.0};
    static const hf_mat3 world = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    layout l = layout_of(loop->type);
    hf_mat3 on_axes = hf_m3_mul(&on->rotation, &loop->on_turn);
    hf_mat3 to_axes = hf_m3_mul(&to->rotation, &loop->to_turn);
    rows->count = l.shifts + l.turns;
    rows->on_arm = hf_m3_mulv(&on->rotation, loop->on_point);
    rows->to_arm = hf_m3_mulv(&to->rotation, loop->to_point);
    hf_vec3 apart = hf_v3_sub(on->position, to->position);
    hf_vec3 d = hf_v3_add(apart, hf_v3_sub(rows->on_arm, rows->to_arm));
    double distance = hf_v3_norm(d);
    if (loop->type == HF_LOOP_PRISMATIC) { // the axes of `to` turn about its own origin
        rows->to_arm = hf_v3_add(apart, rows->on_arm);
    }
    // Distances: along an axis of `to`, of the world, or from point to point
    for (int k = 0; k < l.shifts; ++k) {
        const hf_mat3 *axes = loop->type == HF_LOOP_PRISMATIC ? &to_axes : &world;
        rows->force[k] = loop->type == HF_LOOP_DISTANCE
                             ? hf_v3_scale(distance > 0.0 ? 1.0 / distance : 0.0, d)
                             : hf_m3_column(axes, k);
        rows->torque[k] = zero;
        rows->phi[k] = hf_v3_dot(rows->force[k], d) - loop->length;
    }
    // (a.b)' = (w_on - w_to).(b x a), a fixed in `to`, b in `on`
    for (int k = 0; k < l.turns; ++k) {
        hf_vec3 a = hf_m3_column(&to_axes, TURN_AXES[k][0]),
                b = hf_m3_column(&on_axes, TURN_AXES[k][1]);
        rows->force[l.shifts + k] = zero;
        rows->torque[l.shifts + k] = hf_v3_cross(b, a);
        rows->phi[l.shifts + k] = hf_v3_dot(a, b);
    }
}

// Second derivative of a vector that turns with a body: alpha x a + w x (w x a)
static hf_vec3 turned_twice(hf_vec3 alpha, hf_vec3 w, hf_vec3 a)
{
    return hf_v3_add(hf_v3_cross(alpha, a), hf_v3_cross(w, hf_v3_cross(w, a)));
}

void hf_loop_accelerations(const hf_loop_joint *loop, const hf_pose *on, const hf_pose *to,
                           const hf_pose_rate *on_rate, const hf_pose_rate *to_rate, double *out)
{
    layout l = layout_of(loop->type);
    hf_vec3 a = hf_m3_mulv(&on->rotation, loop->on_point);
    hf_vec3 b = hf_m3_mulv(&to->rotation, loop->to_point);
    hf_vec3 d = hf_v3_add(hf_v3_sub(on->position, to->position), hf_v3_sub(a, b));
    hf_vec3 rate = hf_v3_sub(hf_v3_add(on->velocity, hf_v3_cross(on->spin, a)),
                             hf_v3_add(to->velocity, hf_v3_cross(to->spin, b)));
    hf_vec3 second =
        hf_v3_sub(hf_v3_add(on_rate->velocity, turned_twice(on_rate->spin, on->spin, a)),
                  hf_v3_add(to_rate->velocity, turned_twice(to_rate->spin, to->spin, b)));
    hf_mat3 on_axes = hf_m3_mul(&on->rotation, &loop->on_turn);
    hf_mat3 to_axes = hf_m3_mul(&to->rotation, &loop->to_turn);
    if (loop->type == HF_LOOP_DISTANCE) { // n.d'' + (|d'|^2 - (n.d')^2)/|d|
        double distance = hf_v3_norm(d), scale = distance > 0.0 ? 1.0 / distance : 0.0;
        hf_vec3 n = hf_v3_scale(scale, d);
        double along = hf_v3_dot(n, rate);
        out[0] = hf_v3_dot(n, second) + scale * (hf_v3_dot(rate, rate) - along * along);
    } else if (loop->type == HF_LOOP_PRISMATIC) { // e.d'' + 2 e'.d' + e''.d
        for (int k = 0; k < 2; ++k) {
            hf_vec3 e = hf_m3_column(&to_axes, k);
            out[k] = hf_v3_dot(e, second) + 2.0 * hf_v3_dot(hf_v3_cross(to->spin, e), rate) +
                     hf_v3_dot(turned_twice(to_rate->spin, to->spin, e), d);
        }
    } else {
        out[0] = second.x;
        out[1] = second.y;
        out[2] = second.z;
    }
    for (int k = 0; k < l.turns; ++k) { // a''.b + 2 a'.b' + a.b''
        hf_vec3 u = hf_m3_column(&to_axes, TURN_AXES[k][0]),
                v = hf_m3_column(&on_axes, TURN_AXES[k][1]);
        out[l.shifts + k] = hf_v3_dot(turned_twice(to_rate->spin, to->spin, u), v) +
                            2.0 * hf_v3_dot(hf_v3_cross(to->spin, u), hf_v3_cross(on->spin, v)) +
                            hf_v3_dot(u, turned_twice(on_rate->spin, on->spin, v));
    }
}

// By Horner's scheme for G and its derivatives, P = x G.
void hf_loop_polynomial(const double p[HF_LOOP_POWERS], double x, double out[3])
{
    double value = 0.0, slope = 0.0, half = 0.0; // G, G', G''/2
    for (int k = HF_LOOP_POWERS - 1; k >= 0; --k) {
        half = half * x + slope;
        slope = slope * x + value;
        value = value * x + p[k];
    }
    out[0] = x * value;
    out[1] = value + x * slope;
    out[2] = 2.0 * (slope + x * half);
}
