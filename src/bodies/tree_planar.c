// SPDX-License-Identifier: Apache-2.0
// Forward dynamics of a tree whose joints all move in one plane: tree_forward.c in three dimensions
// instead of six. What acts out of the plane is carried by the joints.
//
// Motions are (alpha, a_x, a_y), forces (torque, f_x, f_y), at the link's origin, in axes common to
// all links; an inertia is [J b_x b_y; b_x m_xx m_xy; b_y m_xy m_yy]. Turns about one normal
// commute: no velocity term has a torque. The axes are the plane's or, in a chain, those that the
// first link has at the moment: then its angle matters only to gravity and wrenches.
#include "base/error.h"
#include "bodies/tree_internal.h"

typedef struct plane_vec {
    double x, y;
} plane_vec;

// Angle from the common axes (its cosine and sine) and angular velocity.
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

// The common axes in the world.
typedef struct plane_axes {
    hf_vec3 x, y, normal;
} plane_axes;

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

static const plane_turn ALIGNED = {1.0, 0.0, 0.0};

// (x, y) turned. aligned: by no angle, a constant where this is inlined.
HF_INLINE plane_vec turned(plane_turn turn, bool aligned, double x, double y)
{
    if (aligned)
        return (plane_vec){x, y};
    return (plane_vec){turn.cosine * x - turn.sine * y, turn.sine * x + turn.cosine * y};
}

// Place and velocity terms c of a link on another; aligned: the other has no angle.
HF_INLINE plane_turn move_link(const hf_tree_link *link, hf_joint_type type, const double *q,
                               const double *v, plane_turn parent, bool aligned, plane_link *a)
{
    const hf_tree_plane_link *l = &link->plane;
    plane_turn turn = parent;
    plane_vec r = turned(parent, aligned, l->offset_x, l->offset_y);
    double square = parent.spin * parent.spin;
    a->bias = (plane_vec){-square * r.x, -square * r.y};
    if (type == HF_JOINT_REVOLUTE) {
        double s, c;
        hf_sincos(l->sign * q[0], &s, &c);
        plane_vec x = turned(parent, aligned, c, s);
        turn = (plane_turn){x.x, x.y, parent.spin + l->sign * v[0]};
    } else if (type == HF_JOINT_PRISMATIC) {
        plane_vec n = turned(parent, aligned, l->axis_x, l->axis_y);
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
HF_INLINE plane_load own_load(const hf_tree_plane_link *l, plane_turn turn, bool aligned)
{
    plane_vec h = turned(turn, aligned, l->moment_x, l->moment_y);
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

HF_INLINE plane_load take_wrench(const plane_axes *axes, const hf_wrench *w, plane_load f)
{
    f.torque -= hf_v3_dot(w->torque, axes->normal);
    f.fx -= hf_v3_dot(w->force, axes->x);
    f.fy -= hf_v3_dot(w->force, axes->y);
    return f;
}

// What gravity adds to the ground's acceleration.
HF_INLINE plane_motion ground_motion(const plane_axes *axes, hf_vec3 gravity)
{
    return (plane_motion){0.0, -hf_v3_dot(gravity, axes->x), -hf_v3_dot(gravity, axes->y)};
}

// The axes of a root that turned by `angle`.
static plane_axes turned_axes(const plane_axes *axes, double angle)
{
    double s, c;
    hf_sincos(angle, &s, &c);
    return (plane_axes){hf_v3_axpy(hf_v3_scale(c, axes->x), s, axes->y),
                        hf_v3_axpy(hf_v3_scale(c, axes->y), -s, axes->x), axes->normal};
}

// A chain: what passes from link to link stays in registers. turns: all joints are revolute, a
// constant where this is inlined.
HF_INLINE void forward_serial(const hf_tree_model *tree, plane_axes *axes, bool turns,
                              const double *q, const double *v, const double *u,
                              const hf_wrench *external, hf_vec3 gravity, plane_link *all,
                              double *dv)
{
    int count = tree->link_count;
    const hf_tree_link *links = tree->links;
    plane_motion motion = ground_motion(axes, gravity);
    plane_turn turn = ALIGNED;
    // Axes turn with the first link, so that its own rotation drops out
    if (turns || links[0].type == HF_JOINT_REVOLUTE) {
        turn.spin = links[0].plane.sign * v[0];
        if (external || motion.ax != 0.0 || motion.ay != 0.0) {
            *axes = turned_axes(axes, links[0].plane.sign * q[0]);
            motion = ground_motion(axes, gravity);
        }
    }
    all[0].turn = turn;
    all[0].direction = (plane_vec){links[0].plane.axis_x, links[0].plane.axis_y};
    // Outwards: how the links move
    for (int i = 1; i < count; i++) {
        const hf_tree_link *link = &links[i];
        hf_joint_type type = turns ? HF_JOINT_REVOLUTE : link->type;
        if (i == 1)
            turn = move_link(link, type, q + link->q, v + link->v, turn, true, &all[i]);
        else
            turn = move_link(link, type, q + link->q, v + link->v, turn, false, &all[i]);
    }
    // Inwards: what each link and all beyond it oppose to motion
    plane_load load = own_load(&links[count - 1].plane, turn, false);
    for (int i = count - 1;; i--) {
        if (external)
            load = take_wrench(axes, &external[i], load);
        load = eliminate(&links[i], turns ? HF_JOINT_REVOLUTE : links[i].type, u, load, &all[i]);
        if (i == 0)
            break;
        load = hand_down(&all[i], load);
        if (i == 1)
            load = add(load, own_load(&links[0].plane, all[0].turn, true));
        else
            load = add(load, own_load(&links[i - 1].plane, all[i - 1].turn, false));
    }
    // Outwards: accelerations
    for (int i = 0; i < count; i++) {
        if (i > 0)
            motion = carried(&all[i], motion);
        motion =
            accelerate(&links[i], turns ? HF_JOINT_REVOLUTE : links[i].type, &all[i], motion, dv);
    }
}

// A root moves as on a parent without angle and spin.
static void move_branch(const hf_tree_link *link, const double *q, const double *v, plane_link *all,
                        plane_link *a)
{
    if (link->parent >= 0)
        move_link(link, link->type, q, v, all[link->parent].turn, false, a);
    else
        move_link(link, link->type, q, v, ALIGNED, true, a);
    a->load = own_load(&link->plane, a->turn, false);
}

static void forward_branched(const hf_tree_model *tree, const plane_axes *axes, const double *q,
                             const double *v, const double *u, const hf_wrench *external,
                             hf_vec3 gravity, plane_link *all, double *dv)
{
    plane_motion ground = ground_motion(axes, gravity);
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        move_branch(link, q + link->q, v + link->v, all, &all[i]);
    }
    for (int i = tree->link_count - 1; i >= 0; i--) {
        const hf_tree_link *link = &tree->links[i];
        plane_load load = all[i].load;
        if (external)
            load = take_wrench(axes, &external[i], load);
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
    HF_ASSERT(work != NULL);
    plane_link *all = (plane_link *)work;
    plane_axes axes = {tree->plane_x, tree->plane_y, tree->plane_normal};
    if (!tree->serial)
        forward_branched(tree, &axes, q, v, u, external, gravity, all, dv);
    else if (tree->turns_only)
        forward_serial(tree, &axes, true, q, v, u, external, gravity, all, dv);
    else
        forward_serial(tree, &axes, false, q, v, u, external, gravity, all, dv);
}
