// SPDX-License-Identifier: Apache-2.0
// Forward dynamics of four planar chains that are alike, side by side: tree_planar.c in lanes. The
// operations are those of one chain, in the same order, so the bits of each are the same.
#include "bodies/tree_internal.h"
#include "laws/batch.h"
#include "math/lanes.h"
#include "math/sincos.h"

typedef hf_four hf_plane_number;

// Coordinates of the four chains, `step` numbers apart.
typedef struct plane_in {
    const double *at;
    int step;
} plane_in;

typedef struct plane_out {
    double *at;
    int step;
} plane_out;

typedef struct plane_axes {
    hf_vec3 x, y, normal;
} plane_axes;

HF_INLINE hf_four plane_number(double x)
{
    return (hf_four){x, x, x, x};
}

HF_INLINE hf_four plane_take(plane_in in, int i)
{
    const double *at = in.at + i;
    return (hf_four){at[0], at[in.step], at[2 * in.step], at[3 * in.step]};
}

HF_INLINE void plane_give(plane_out out, int i, hf_four x)
{
    for (int k = 0; k < HF_TREE_LANES; ++k) {
        out.at[i + k * out.step] = x[k];
    }
}

HF_INLINE hf_four choose(hf_four_mask first, hf_four a, hf_four b)
{
    return (hf_four)((first & (hf_four_mask)a) | (~first & (hf_four_mask)b));
}

// hf_sincos_own, number by number.
HF_INLINE void plane_sincos(hf_four angle, hf_four *s, hf_four *c)
{
    hf_four_mask near = (angle <= HF_SINCOS_MOST) & (angle >= -HF_SINCOS_MOST);
    if ((near[0] & near[1] & near[2] & near[3]) == 0) {
        for (int k = 0; k < HF_TREE_LANES; ++k) {
            double sine, cosine;
            hf_sincos_own(angle[k], &sine, &cosine);
            (*s)[k] = sine;
            (*c)[k] = cosine;
        }
        return;
    }
    hf_four sum = angle * HF_SINCOS_TWO_BY_PI + HF_SINCOS_WHOLE, n = sum - HF_SINCOS_WHOLE, a, b;
    HF_SINCOS_KERNEL(hf_four, angle, n, a, b);
    // The quarter of the circle: which is which, and their signs
    const int sign = 62;
    hf_four_mask bits = (hf_four_mask)sum, odd = -(bits & 1);
    *s = (hf_four)((hf_four_mask)choose(odd, b, a) ^ ((bits & 2) << sign));
    *c = (hf_four)((hf_four_mask)choose(odd, a, b) ^ (((bits + 1) & 2) << sign));
}

// No wrench acts on chains in lanes.
HF_INLINE plane_axes plane_turned_axes(const plane_axes *axes, hf_four s, hf_four c)
{
    (void)s;
    (void)c;
    return *axes;
}

#include "bodies/tree_plane.h"

bool hf_tree_has_lanes(const hf_tree_model *tree)
{
    return tree->planar && tree->serial && tree->turns_only &&
           tree->link_count <= HF_TREE_LANE_LINKS;
}

HF_BATCH_BODY void forward(const hf_tree_model *tree, const hf_tree_lanes *lanes, hf_vec3 gravity,
                           double *dv)
{
    plane_link all[HF_TREE_LANE_LINKS];
    plane_axes axes = {tree->plane_x, tree->plane_y, tree->plane_normal};
    forward_serial(tree, &axes, true, (plane_in){lanes->q, lanes->q_step},
                   (plane_in){lanes->v, lanes->v_step}, (plane_in){lanes->u, lanes->v_step}, NULL,
                   gravity, all, (plane_out){dv, lanes->v_step});
}

HF_BATCH(hf_tree_forward_lanes, forward,
         (const hf_tree_model *tree, const hf_tree_lanes *lanes, hf_vec3 gravity, double *dv),
         (tree, lanes, gravity, dv))
