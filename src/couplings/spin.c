// SPDX-License-Identifier: Apache-2.0
// Relative spin, in world axes.
//
//   rate = w_on - w_to         spin is the derivative of no coordinates: the gap stays zero
#include "couplings/space.h"

static void psi(const void *items, int count, const hf_motion *m)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        hf_store3(m->gap + c->row, hf_v3(0.0, 0.0, 0.0));
        hf_store3(m->rate + c->row, hf_v3_sub(m->poses[c->on].spin, m->poses[c->to].spin));
    }
}

static void phi(const void *items, int count, const hf_actions *a)
{
    for (const hf_space_coupling *c = items, *end = c + count; c < end; ++c) {
        hf_vec3 torque = hf_load3(a->force + c->row);
        hf_twist(&a->wrenches[c->on], hf_v3_scale(-1.0, torque));
        hf_twist(&a->wrenches[c->to], torque);
    }
}

static void bias(const void *item, const hf_bias *b)
{
    const hf_space_coupling *c = item;
    hf_store3(b->change + c->row, hf_v3_sub(b->rates[c->on].spin, b->rates[c->to].spin));
}

static bool row_turns(const hf_coupling_def *def, const hf_body_site *sites, int row)
{
    (void)def, (void)sites, (void)row;
    return true;
}

const hf_coupling_ops hf_coupling_ops_spin = {
    .name = "spin",
    .item_size = sizeof(hf_space_coupling),
    .in_space = true,
    .on_places = true,
    .rows = 3,
    .check = hf_space_check_frames,
    .ends = hf_space_ends,
    .place = hf_space_place,
    .psi = psi,
    .phi = phi,
    .bias = bias,
    .row_name = hf_space_row_name,
    .row_turns = row_turns,
};
