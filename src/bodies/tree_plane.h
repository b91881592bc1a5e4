// SPDX-License-Identifier: Apache-2.0
// What tree_planar.c says of a planar tree, for numbers (hf_plane_number) that are doubles, or four
// of them side by side: four trees that are alike. Who includes this has declared before:
//
//   hf_plane_number, plane_number(x)   the type, and x as one
//   plane_in, plane_take(in, i)        arrays of coordinates, and their i-th
//   plane_out, plane_give(out, i, x)   where rates go
//   plane_sincos(angle, &s, &c)
//   plane_axes, plane_turned_axes      the common axes; where no wrench acts nothing asks for them
#ifndef HF_BODIES_TREE_PLANE_H
#define HF_BODIES_TREE_PLANE_H

typedef struct plane_vec {
    hf_plane_number x, y;
} plane_vec;

// Angle from the common axes (its cosine and sine) and angular velocity.
typedef struct plane_turn {
    hf_plane_number cosine, sine, spin;
} plane_turn;

// f = I a + p
typedef struct plane_load {
    hf_plane_number j, bx, by, mxx, mxy, myy; // I
    hf_plane_number torque, fx, fy;           // p
} plane_load;

typedef struct plane_motion {
    hf_plane_number alpha, ax, ay;
} plane_motion;

typedef struct plane_link {
    plane_turn turn;
    plane_vec lever;                            // from the parent's origin
    plane_vec bias;                             // c
    plane_vec direction;                        // of a shift
    hf_plane_number column, column_x, column_y; // U/d
    hf_plane_number excess;                     // e/d
    // Only for trees that branch: the link's and its children's load, and the acceleration.
    plane_load load;
    plane_motion motion;
} plane_link;

HF_INLINE plane_turn aligned_turn(void)
{
    return (plane_turn){plane_number(1.0), plane_number(0.0), plane_number(0.0)};
}

// A fixed joint has none.
HF_INLINE hf_plane_number coordinate(plane_in in, int i, hf_joint_type type)
{
    return type == HF_JOINT_FIXED ? plane_number(0.0) : plane_take(in, i);
}

// (x, y) turned. aligned: by no angle, a constant where this is inlined.
HF_INLINE plane_vec turned(plane_turn turn, bool aligned, hf_plane_number x, hf_plane_number y)
{
    if (aligned)
        return (plane_vec){x, y};
    return (plane_vec){turn.cosine * x - turn.sine * y, turn.sine * x + turn.cosine * y};
}

// Place and velocity terms c of a link on another; aligned: the other has no angle.
HF_INLINE plane_turn move_link(const hf_tree_link *link, hf_joint_type type, hf_plane_number q,
                               hf_plane_number v, plane_turn parent, bool aligned, plane_link *a)
{
    const hf_tree_plane_link *l = &link->plane;
    plane_turn turn = parent;
    plane_vec r = turned(parent, aligned, plane_number(l->offset_x), plane_number(l->offset_y));
    hf_plane_number square = parent.spin * parent.spin;
    a->bias = (plane_vec){-square * r.x, -square * r.y};
    if (type == HF_JOINT_REVOLUTE) {
        hf_plane_number s, c;
        plane_sincos(l->sign * q, &s, &c);
        plane_vec x = turned(parent, aligned, c, s);
        turn = (plane_turn){x.x, x.y, parent.spin + l->sign * v};
    } else if (type == HF_JOINT_PRISMATIC) {
        plane_vec n = turned(parent, aligned, plane_number(l->axis_x), plane_number(l->axis_y));
        hf_plane_number twice = 2.0 * parent.spin * v;
        r = (plane_vec){r.x + n.x * q, r.y + n.y * q};
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
    plane_vec h = turned(turn, aligned, plane_number(l->moment_x), plane_number(l->moment_y));
    hf_plane_number square = turn.spin * turn.spin;
    return (plane_load){.j = plane_number(l->inertia),
                        .bx = -h.y,
                        .by = h.x,
                        .mxx = plane_number(l->mass),
                        .mxy = plane_number(0.0),
                        .myy = plane_number(l->mass),
                        .torque = plane_number(0.0),
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
HF_INLINE plane_load eliminate_turn(const hf_tree_plane_link *l, hf_plane_number u, plane_load f,
                                    plane_link *a)
{
    hf_plane_number inverse = 1.0 / (f.j + l->armature);
    hf_plane_number keep = l->armature * inverse;
    hf_plane_number kj = f.j * inverse, kx = f.bx * inverse, ky = f.by * inverse;
    hf_plane_number e = l->sign * u - f.torque;
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
HF_INLINE plane_load eliminate_shift(const hf_tree_plane_link *l, hf_plane_number u, plane_load f,
                                     plane_link *a)
{
    plane_vec n = a->direction;
    hf_plane_number uj = f.bx * n.x + f.by * n.y;
    hf_plane_number ux = f.mxx * n.x + f.mxy * n.y, uy = f.mxy * n.x + f.myy * n.y;
    hf_plane_number inverse = 1.0 / (n.x * ux + n.y * uy + l->armature);
    hf_plane_number e = u - (n.x * f.fx + n.y * f.fy);
    hf_plane_number kj = uj * inverse, kx = ux * inverse, ky = uy * inverse;
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
    hf_plane_number fx = f.fx + (f.mxx * c.x + f.mxy * c.y),
                    fy = f.fy + (f.mxy * c.x + f.myy * c.y);
    hf_plane_number bx = f.bx + (r.x * f.mxy - r.y * f.mxx),
                    by = f.by + (r.x * f.myy - r.y * f.mxy);
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
                                  plane_motion m, plane_out dv)
{
    if (type == HF_JOINT_FIXED)
        return m;
    hf_plane_number rate =
        a->excess - (a->column * m.alpha + (a->column_x * m.ax + a->column_y * m.ay));
    if (type == HF_JOINT_REVOLUTE) {
        m.alpha += rate;
        plane_give(dv, link->v, link->plane.sign * rate);
    } else {
        m.ax += a->direction.x * rate;
        m.ay += a->direction.y * rate;
        plane_give(dv, link->v, rate);
    }
    return m;
}

HF_INLINE plane_load eliminate(const hf_tree_link *link, hf_joint_type type, plane_in u,
                               plane_load f, plane_link *a)
{
    if (type == HF_JOINT_REVOLUTE)
        return eliminate_turn(&link->plane, plane_take(u, link->v), f, a);
    if (type == HF_JOINT_PRISMATIC)
        return eliminate_shift(&link->plane, plane_take(u, link->v), f, a);
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
    return (plane_motion){plane_number(0.0), plane_number(-hf_v3_dot(gravity, axes->x)),
                          plane_number(-hf_v3_dot(gravity, axes->y))};
}

// The same in the axes of a root that turned: x' = c x + s y, y' = c y - s x.
HF_INLINE plane_motion turned_ground(const plane_axes *axes, hf_plane_number s, hf_plane_number c,
                                     hf_vec3 gravity)
{
    hf_vec3 x = axes->x, y = axes->y;
    hf_plane_number ax = gravity.x * (c * x.x + s * y.x) + gravity.y * (c * x.y + s * y.y) +
                         gravity.z * (c * x.z + s * y.z);
    hf_plane_number ay = gravity.x * (c * y.x + -s * x.x) + gravity.y * (c * y.y + -s * x.y) +
                         gravity.z * (c * y.z + -s * x.z);
    return (plane_motion){plane_number(0.0), -ax, -ay};
}

// A chain: what passes from link to link stays in registers. turns: all joints are revolute, a
// constant where this is inlined.
HF_INLINE void forward_serial(const hf_tree_model *tree, plane_axes *axes, bool turns, plane_in q,
                              plane_in v, plane_in u, const hf_wrench *external, hf_vec3 gravity,
                              plane_link *all, plane_out dv)
{
    int count = tree->link_count;
    const hf_tree_link *links = tree->links;
    plane_motion motion = ground_motion(axes, gravity);
    plane_turn turn = aligned_turn();
    // Axes turn with the first link, so that its own rotation drops out
    if (turns || links[0].type == HF_JOINT_REVOLUTE) {
        turn.spin = links[0].plane.sign * plane_take(v, 0);
        bool pulls = hf_v3_dot(gravity, axes->x) != 0.0 || hf_v3_dot(gravity, axes->y) != 0.0;
        if (external || pulls) {
            hf_plane_number s, c;
            plane_sincos(links[0].plane.sign * plane_take(q, 0), &s, &c);
            motion = turned_ground(axes, s, c, gravity);
            if (external)
                *axes = plane_turned_axes(axes, s, c);
        }
    }
    all[0].turn = turn;
    all[0].direction =
        (plane_vec){plane_number(links[0].plane.axis_x), plane_number(links[0].plane.axis_y)};
    // Outwards: how the links move
    for (int i = 1; i < count; i++) {
        const hf_tree_link *link = &links[i];
        hf_joint_type type = turns ? HF_JOINT_REVOLUTE : link->type;
        hf_plane_number at = coordinate(q, link->q, type), speed = coordinate(v, link->v, type);
        if (i == 1)
            turn = move_link(link, type, at, speed, turn, true, &all[i]);
        else
            turn = move_link(link, type, at, speed, turn, false, &all[i]);
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

#endif
