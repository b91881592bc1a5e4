// SPDX-License-Identifier: Apache-2.0
// Forward dynamics of a tree whose joints all move in one plane: tree_forward.c in three dimensions
// instead of six. What acts out of the plane is carried by the joints.
//
// Motions are (alpha, a_x, a_y), forces (torque, f_x, f_y), at the link's origin in the plane's
// axes, which do not turn; an inertia is [J b_x b_y; b_x m_xx m_xy; b_y m_xy m_yy]. Turns about one
// normal commute: no velocity term has a torque.
#include "bodies/tree_internal.h"

typedef struct plane_vec {
    double x, y;
} plane_vec;

// Angle in the world (its cosine and sine) and angular velocity.
typedef struct plane_turn {
    double cosine, sine, spin;
} plane_turn;

// f = I a + p
typedef struct plane_load {
    double j, bx, by, mxx, mxy, myy; // I
    double torque, fx, fy;           // p
} plane_load;

typedef struct plane_motion {
    double alpha, ax, ay;
} plane_motion;

typedef struct plane_link {
    plane_turn turn;
    plane_vec lever;                   // from the parent's origin
    plane_vec bias;                    // c
    plane_vec direction;               // of a shift
    double column, column_x, column_y; // U/d
    double excess;                     // e/d
    // Only for trees that branch: the link's and its children's load, and the acceleration.
    plane_load load;
    plane_motion motion;
} plane_link;

size_t hf_tree_planar_work_size(const hf_tree_model *tree)
{
    return (size_t)tree->link_count * (sizeof(plane_link) / sizeof(double));
}

HF_INLINE plane_vec turned(plane_turn turn, double x, double y)
{
    return (plane_vec){turn.cosine * x - turn.sine * y, turn.sine * x + turn.cosine * y};
}

// A link on the world: nothing moves its lever.
HF_INLINE plane_turn move_root(const hf_tree_link *link, hf_joint_type type, const double *q,
                               const double *v, plane_link *a)
{
    const hf_tree_plane_link *l = &link->plane;
    plane_turn turn = {1.0, 0.0, 0.0};
    if (type == HF_JOINT_REVOLUTE) {
        hf_sincos(l->sign * q[0], &turn.sine, &turn.cosine);
        turn.spin = l->sign * v[0];
    }
    a->turn = turn;
    a->direction = (plane_vec){l->axis_x, l->axis_y};
    return turn;
}

// Place and velocity terms c of a link on another.
HF_INLINE plane_turn move_link(const hf_tree_link *link, hf_joint_type type, const double *q,
                               const double *v, plane_turn parent, plane_link *a)
{
    const hf_tree_plane_link *l = &link->plane;
    plane_turn turn = parent;
    plane_vec r = turned(parent, l->offset_x, l->offset_y);
    double square = parent.spin * parent.spin;
    a->bias = (plane_vec){-square * r.x, -square * r.y};
    if (type == HF_JOINT_REVOLUTE) {
        double s, c;
        hf_sincos(l->sign * q[0], &s, &c);
        plane_vec x = turned(parent, c, s);
        turn = (plane_turn){x.x, x.y, parent.spin + l->sign * v[0]};
    } else if (type == HF_JOINT_PRISMATIC) {
        plane_vec n = turned(parent, l->axis_x, l->axis_y);
        double twice = 2.0 * parent.spin * v[0];
        r = (plane_vec){r.x + n.x * q[0], r.y + n.y * q[0]};
        a->bias = (plane_vec){-twice * n.y - square * r.x, twice * n.x - square * r.y};
        a->direction = n;
    }
    a->turn = turn;
    a->lever = r;
    return turn;
}

// The link's own I and p.
HF_INLINE plane_load own_load(const hf_tree_plane_link *l, plane_turn turn)
{
    plane_vec h = turned(turn, l->moment_x, l->moment_y);
    double square = turn.spin * turn.spin;
    return (plane_load){.j = l->inertia,
                        .bx = -h.y,
                        .by = h.x,
                        .mxx = l->mass,
                        .mxy = 0.0,
                        .myy = l->mass,
                        .torque = 0.0,
                        .fx = -square * h.x,
                        .fy = -square * h.y};
}

HF_INLINE plane_load add(plane_load a, plane_load b)
{
    return (plane_load){.j = a.j + b.j,
                        .bx = a.bx + b.bx,
                        .by = a.by + b.by,
                        .mxx = a.mxx + b.mxx,
                        .mxy = a.mxy + b.mxy,
                        .myy = a.myy + b.myy,
                        .torque = a.torque + b.torque,
                        .fx = a.fx + b.fx,
                        .fy = a.fy + b.fy};
}

// (1) of tree_forward.c for S = (1, 0, 0). With k = armature/d: J - J J/d = k J, b - b J/d = k b.
HF_INLINE plane_load eliminate_turn(const hf_tree_plane_link *l, double u, plane_load f,
                                    plane_link *a)
{
    double inverse = 1.0 / (f.j + l->armature);
    double keep = l->armature * inverse;
    double kj = f.j * inverse, kx = f.bx * inverse, ky = f.by * inverse;
    double e = l->sign * u - f.torque;
    a->column = kj;
    a->column_x = kx;
    a->column_y = ky;
    a->excess = e * inverse;
    return (plane_load){.j = f.j * keep,
                        .bx = f.bx * keep,
                        .by = f.by * keep,
                        .mxx = f.mxx - f.bx * kx,
                        .mxy = f.mxy - f.bx * ky,
                        .myy = f.myy - f.by * ky,
                        .torque = f.torque + kj * e,
                        .fx = f.fx + kx * e,
                        .fy = f.fy + ky * e};
}

// (1) for S = (0, n).
HF_INLINE plane_load eliminate_shift(const hf_tree_plane_link *l, double u, plane_load f,
                                     plane_link *a)
{
    plane_vec n = a->direction;
    double uj = f.bx * n.x + f.by * n.y;
    double ux = f.mxx * n.x + f.mxy * n.y, uy = f.mxy * n.x + f.myy * n.y;
    double inverse = 1.0 / (n.x * ux + n.y * uy + l->armature);
    double e = u - (n.x * f.fx + n.y * f.fy);
    double kj = uj * inverse, kx = ux * inverse, ky = uy * inverse;
    a->column = kj;
    a->column_x = kx;
    a->column_y = ky;
    a->excess = e * inverse;
    return (plane_load){.j = f.j - uj * kj,
                        .bx = f.bx - uj * kx,
                        .by = f.by - uj * ky,
                        .mxx = f.mxx - ux * kx,
                        .mxy = f.mxy - ux * ky,
                        .myy = f.myy - uy * ky,
                        .torque = f.torque + kj * e,
                        .fx = f.fx + kx * e,
                        .fy = f.fy + ky * e};
}

// (2): what the parent takes.
HF_INLINE plane_load hand_down(const plane_link *a, plane_load f)
{
    plane_vec r = a->lever, c = a->bias;
    double fx = f.fx + (f.mxx * c.x + f.mxy * c.y), fy = f.fy + (f.mxy * c.x + f.myy * c.y);
    double bx = f.bx + (r.x * f.mxy - r.y * f.mxx), by = f.by + (r.x * f.myy - r.y * f.mxy);
    return (plane_load){.j = f.j + (r.x * (f.by + by) - r.y * (f.bx + bx)),
                        .bx = bx,
                        .by = by,
                        .mxx = f.mxx,
                        .mxy = f.mxy,
                        .myy = f.myy,
                        .torque = (f.torque + (f.bx * c.x + f.by * c.y)) + (r.x * fy - r.y * fx),
                        .fx = fx,
                        .fy = fy};
}

// The part of (3) that the parent's motion gives.
HF_INLINE plane_motion carried(const plane_link *a, plane_motion parent)
{
    return (plane_motion){parent.alpha, parent.ax + (a->bias.x - parent.alpha * a->lever.y),
                          parent.ay + (a->bias.y + parent.alpha * a->lever.x)};
}

// The rest of (3).
HF_INLINE plane_motion accelerate(const hf_tree_link *link, hf_joint_type type, const plane_link *a,
                                  plane_motion m, double *dv)
{
    if (type == HF_JOINT_FIXED)
        return m;
    double rate = a->excess - (a->column * m.alpha + (a->column_x * m.ax + a->column_y * m.ay));
    if (type == HF_JOINT_REVOLUTE) {
        m.alpha += rate;
        dv[link->v] = link->plane.sign * rate;
    } else {
        m.ax += a->direction.x * rate;
        m.ay += a->direction.y * rate;
        dv[link->v] = rate;
    }
    return m;
}

HF_INLINE plane_load eliminate(const hf_tree_link *link, hf_joint_type type, const double *u,
                               plane_load f, plane_link *a)
{
    if (type == HF_JOINT_REVOLUTE)
        return eliminate_turn(&link->plane, u[link->v], f, a);
    if (type == HF_JOINT_PRISMATIC)
        return eliminate_shift(&link->plane, u[link->v], f, a);
    return f;
}

HF_INLINE plane_load take_wrench(const hf_tree_model *tree, const hf_wrench *w, plane_load f)
{
    f.torque -= hf_v3_dot(w->torque, tree->plane_normal);
    f.fx -= hf_v3_dot(w->force, tree->plane_x);
    f.fy -= hf_v3_dot(w->force, tree->plane_y);
    return f;
}

// A chain: what passes from link to link stays in registers. turns: all joints are revolute, a
// constant where this is inlined.
HF_INLINE void forward_serial(const hf_tree_model *tree, bool turns, const double *q,
                              const double *v, const double *u, const hf_wrench *external,
                              plane_motion motion, plane_link *all, double *dv)
{
    int count = tree->link_count;
    const hf_tree_link *links = tree->links;
    plane_turn turn = {1.0, 0.0, 0.0};
    for (int i = 0; i < count; i++) {
        const hf_tree_link *link = &links[i];
        hf_joint_type type = turns ? HF_JOINT_REVOLUTE : link->type;
        if (i == 0)
            turn = move_root(link, type, q + link->q, v + link->v, &all[i]);
        else
            turn = move_link(link, type, q + link->q, v + link->v, turn, &all[i]);
    }
    plane_load load = own_load(&links[count - 1].plane, turn);
    for (int i = count - 1;; i--) {
        if (external)
            load = take_wrench(tree, &external[i], load);
        load = eliminate(&links[i], turns ? HF_JOINT_REVOLUTE : links[i].type, u, load, &all[i]);
        if (i == 0)
            break;
        load = add(hand_down(&all[i], load), own_load(&links[i - 1].plane, all[i - 1].turn));
    }
    for (int i = 0; i < count; i++) {
        if (i > 0)
            motion = carried(&all[i], motion);
        motion =
            accelerate(&links[i], turns ? HF_JOINT_REVOLUTE : links[i].type, &all[i], motion, dv);
    }
}

static void forward_branched(const hf_tree_model *tree, const double *q, const double *v,
                             const double *u, const hf_wrench *external, plane_motion ground,
                             plane_link *all, double *dv)
{
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        if (link->parent >= 0)
            move_link(link, link->type, q + link->q, v + link->v, all[link->parent].turn, &all[i]);
        else
            move_root(link, link->type, q + link->q, v + link->v, &all[i]);
        all[i].load = own_load(&link->plane, all[i].turn);
    }
    for (int i = tree->link_count - 1; i >= 0; i--) {
        const hf_tree_link *link = &tree->links[i];
        plane_load load = all[i].load;
        if (external)
            load = take_wrench(tree, &external[i], load);
        load = eliminate(link, link->type, u, load, &all[i]);
        if (link->parent >= 0) {
            plane_load *sum = &all[link->parent].load;
            *sum = add(*sum, hand_down(&all[i], load));
        }
    }
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        plane_motion motion =
            link->parent >= 0 ? carried(&all[i], all[link->parent].motion) : ground;
        all[i].motion = accelerate(link, link->type, &all[i], motion, dv);
    }
}

void hf_tree_forward_planar(const hf_tree_model *tree, const double *q, const double *v,
                            const double *u, const hf_wrench *external, hf_vec3 gravity,
                            double *work, double *dv)
{
    plane_link *all = (plane_link *)work;
    plane_motion ground = {0.0, -hf_v3_dot(gravity, tree->plane_x),
                           -hf_v3_dot(gravity, tree->plane_y)};
    if (!tree->serial)
        forward_branched(tree, q, v, u, external, ground, all, dv);
    else if (tree->turns_only)
        forward_serial(tree, true, q, v, u, external, ground, all, dv);
    else
        forward_serial(tree, false, q, v, u, external, ground, all, dv);
}
