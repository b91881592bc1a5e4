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

// The common axes in the world.
typedef struct plane_axes {
    hf_vec3 x, y, normal;
} plane_axes;

// Numbers are doubles, arrays are arrays.
typedef double hf_plane_number;
typedef const double *plane_in;
typedef double *plane_out;

HF_INLINE double plane_number(double x)
{
    return x;
}

HF_INLINE double plane_take(plane_in in, int i)
{
    return in[i];
}

HF_INLINE void plane_give(plane_out out, int i, double x)
{
    out[i] = x;
}

HF_INLINE void plane_sincos(double angle, double *s, double *c)
{
    hf_sincos_own(angle, s, c);
}

// The axes of a root that turned.
HF_INLINE plane_axes plane_turned_axes(const plane_axes *axes, double s, double c)
{
    return (plane_axes){hf_v3_axpy(hf_v3_scale(c, axes->x), s, axes->y),
                        hf_v3_axpy(hf_v3_scale(c, axes->y), -s, axes->x), axes->normal};
}

#include "bodies/tree_plane.h"

size_t hf_tree_planar_work_size(const hf_tree_model *tree)
{
    return (size_t)tree->link_count * (sizeof(plane_link) / sizeof(double));
}

// A root moves as on a parent without angle and spin.
static void move_branch(const hf_tree_link *link, double q, double v, plane_link *all,
                        plane_link *a)
{
    if (link->parent >= 0)
        move_link(link, link->type, q, v, all[link->parent].turn, false, a);
    else
        move_link(link, link->type, q, v, aligned_turn(), true, a);
    a->load = own_load(&link->plane, a->turn, false);
}

static void forward_branched(const hf_tree_model *tree, const plane_axes *axes, const double *q,
                             const double *v, const double *u, const hf_wrench *external,
                             hf_vec3 gravity, plane_link *all, double *dv)
{
    plane_motion ground = ground_motion(axes, gravity);
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        move_branch(link, coordinate(q, link->q, link->type), coordinate(v, link->v, link->type),
                    all, &all[i]);
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
