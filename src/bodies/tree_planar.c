// SPDX-License-Identifier: Apache-2.0
// Forward dynamics of a tree whose joints all move in one plane: tree_forward.c in three dimensions
// instead of six. What acts out of the plane is carried by the joints.
//
// Motions are (alpha, a_x, a_y), forces (torque, f_x, f_y), at the link's origin in the plane's
// axes, which do not turn; an inertia is [J b_x b_y; b_x m_xx m_xy; b_y m_xy m_yy]. Turns about one
// normal commute with it: no velocity term has a torque.
#include "bodies/tree_internal.h"

typedef struct planar_link {
    double cosine, sine; // of the link's angle in the world
    double spin;
    double lever_x, lever_y; // from the parent's origin
    double bias_x, bias_y;   // c
    double j, bx, by, mxx, mxy, myy;
    double torque, fx, fy; // p
    double direction_x, direction_y;
    double column, column_x, column_y; // U/d
    double rest;                       // e/d
    double alpha, ax, ay;
} planar_link;

size_t hf_tree_planar_work_size(const hf_tree_model *tree)
{
    return (size_t)tree->link_count * (sizeof(planar_link) / sizeof(double));
}

// What a root hangs on.
static const planar_link WORLD = {.cosine = 1.0};

static inline void move_link(const hf_tree_link *link, const double *q, const double *v,
                             const planar_link *parent, planar_link *a)
{
    const hf_tree_plane_link *l = &link->plane;
    double cp = parent->cosine, sp = parent->sine, wp = parent->spin;
    double rx = cp * l->offset_x - sp * l->offset_y, ry = sp * l->offset_x + cp * l->offset_y;
    double c = cp, s = sp, w = wp;
    double coriolis_x = 0.0, coriolis_y = 0.0;
    if (link->type == HF_JOINT_REVOLUTE) {
        double sq, cq;
        hf_sincos(l->sign * q[0], &sq, &cq);
        c = cp * cq - sp * sq;
        s = sp * cq + cp * sq;
        w = wp + l->sign * v[0];
    } else if (link->type == HF_JOINT_PRISMATIC) {
        double nx = cp * l->axis_x - sp * l->axis_y, ny = sp * l->axis_x + cp * l->axis_y;
        rx += nx * q[0];
        ry += ny * q[0];
        coriolis_x = -2.0 * wp * ny * v[0];
        coriolis_y = 2.0 * wp * nx * v[0];
        a->direction_x = nx;
        a->direction_y = ny;
    }
    double hx = c * l->moment_x - s * l->moment_y, hy = s * l->moment_x + c * l->moment_y;
    a->cosine = c;
    a->sine = s;
    a->spin = w;
    a->lever_x = rx;
    a->lever_y = ry;
    a->bias_x = coriolis_x - wp * wp * rx;
    a->bias_y = coriolis_y - wp * wp * ry;
    a->j = l->inertia;
    a->bx = -hy;
    a->by = hx;
    a->mxx = a->myy = l->mass;
    a->mxy = 0.0;
    a->torque = 0.0;
    a->fx = -w * w * hx;
    a->fy = -w * w * hy;
}

// (1) of tree_forward.c for S = (1, 0, 0). With a = armature/d: J - J J/d = a J, b - b J/d = a b.
static inline void eliminate_turn(const hf_tree_plane_link *l, double u, planar_link *a)
{
    double inverse = 1.0 / (a->j + l->armature);
    double keep = l->armature * inverse;
    double kx = a->bx * inverse, ky = a->by * inverse;
    double e = l->sign * u - a->torque;
    a->column = a->j * inverse;
    a->column_x = kx;
    a->column_y = ky;
    a->rest = e * inverse;
    a->mxx -= a->bx * kx;
    a->mxy -= a->bx * ky;
    a->myy -= a->by * ky;
    a->torque += a->column * e;
    a->fx += kx * e;
    a->fy += ky * e;
    a->j *= keep;
    a->bx *= keep;
    a->by *= keep;
}

// (1) for S = (0, n).
static inline void eliminate_shift(const hf_tree_plane_link *l, double u, planar_link *a)
{
    double nx = a->direction_x, ny = a->direction_y;
    double uj = a->bx * nx + a->by * ny;
    double ux = a->mxx * nx + a->mxy * ny, uy = a->mxy * nx + a->myy * ny;
    double inverse = 1.0 / (nx * ux + ny * uy + l->armature);
    double e = u - (nx * a->fx + ny * a->fy);
    double kj = uj * inverse, kx = ux * inverse, ky = uy * inverse;
    a->column = kj;
    a->column_x = kx;
    a->column_y = ky;
    a->rest = e * inverse;
    a->torque += kj * e;
    a->fx += kx * e;
    a->fy += ky * e;
    a->j -= uj * kj;
    a->bx -= uj * kx;
    a->by -= uj * ky;
    a->mxx -= ux * kx;
    a->mxy -= ux * ky;
    a->myy -= uy * ky;
}

// (2)
static inline void hand_to_parent(const planar_link *a, planar_link *parent)
{
    double rx = a->lever_x, ry = a->lever_y, cx = a->bias_x, cy = a->bias_y;
    double fx = a->fx + (a->mxx * cx + a->mxy * cy), fy = a->fy + (a->mxy * cx + a->myy * cy);
    double bx = a->bx + (rx * a->mxy - ry * a->mxx), by = a->by + (rx * a->myy - ry * a->mxy);
    parent->torque += a->torque + (a->bx * cx + a->by * cy) + (rx * fy - ry * fx);
    parent->fx += fx;
    parent->fy += fy;
    parent->j += a->j + (rx * (a->by + by) - ry * (a->bx + bx));
    parent->bx += bx;
    parent->by += by;
    parent->mxx += a->mxx;
    parent->mxy += a->mxy;
    parent->myy += a->myy;
}

// (3)
static inline void accelerate_link(const hf_tree_link *link, const planar_link *parent,
                                   planar_link *a, double *dv)
{
    double alpha = parent->alpha;
    double ax = parent->ax + (a->bias_x - alpha * a->lever_y);
    double ay = parent->ay + (a->bias_y + alpha * a->lever_x);
    if (link->type != HF_JOINT_FIXED) {
        double rate = a->rest - (a->column * alpha + (a->column_x * ax + a->column_y * ay));
        if (link->type == HF_JOINT_REVOLUTE) {
            alpha += rate;
            dv[0] = link->plane.sign * rate;
        } else {
            ax += a->direction_x * rate;
            ay += a->direction_y * rate;
            dv[0] = rate;
        }
    }
    a->alpha = alpha;
    a->ax = ax;
    a->ay = ay;
}

void hf_tree_forward_planar(const hf_tree_model *tree, const double *q, const double *v,
                            const double *u, const hf_wrench *external, hf_vec3 gravity,
                            double *work, double *dv)
{
    planar_link *all = (planar_link *)work;
    planar_link ground = WORLD;
    ground.ax = -hf_v3_dot(gravity, tree->plane_x);
    ground.ay = -hf_v3_dot(gravity, tree->plane_y);
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        move_link(link, q + link->q, v + link->v, link->parent >= 0 ? &all[link->parent] : &ground,
                  &all[i]);
        if (external) {
            all[i].torque -= hf_v3_dot(external[i].torque, tree->plane_normal);
            all[i].fx -= hf_v3_dot(external[i].force, tree->plane_x);
            all[i].fy -= hf_v3_dot(external[i].force, tree->plane_y);
        }
    }
    for (int i = tree->link_count - 1; i >= 0; i--) {
        const hf_tree_link *link = &tree->links[i];
        if (link->type == HF_JOINT_REVOLUTE)
            eliminate_turn(&link->plane, u[link->v], &all[i]);
        else if (link->type == HF_JOINT_PRISMATIC)
            eliminate_shift(&link->plane, u[link->v], &all[i]);
        if (link->parent >= 0)
            hand_to_parent(&all[i], &all[link->parent]);
    }
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        accelerate_link(link, link->parent >= 0 ? &all[link->parent] : &ground, &all[i],
                        dv + link->v);
    }
}
