// SPDX-License-Identifier: Apache-2.0
// Contacts of what turns fast. Arms and normals of the beginning of a step are behind those of its
// middle by half of its turn; a force at such an arm has a torque along the spin, of a sign that
// does not change: a spinning top is lifted, or laid down, by the step. Of pairs that turn by more
// than HF_TS_TURN in a step the contact is therefore that of the middle of the step,
//   n, arms and gap at q + h/2 v,        the gap at the beginning := gap - h/2 n.u
// which is that of the middle also of second order in the turn. Others keep their bits.
#include <math.h>

#include "methods/timestep/timestep.h"

bool hf_ts_turns(const hf_timestep *ts, int pose, double h)
{
    return h * hf_v3_norm(ts->motion.pose_spin[pose]) > HF_TS_TURN;
}

void hf_ts_turn_poses(hf_sim *sim, double h)
{
    hf_timestep *ts = hf_timestep_of(sim);
    ts->attempt.traits.turning = false;
    for (int i = 1; i < sim->model->pose_count && !ts->attempt.traits.turning; ++i) {
        ts->attempt.traits.turning = hf_ts_turns(ts, i, h);
    }
    for (int i = 0; i < sim->model->pose_count && ts->attempt.traits.turning; ++i) {
        hf_pose *pose = &ts->motion.pose_middle[i];
        hf_vec3 spin = ts->motion.pose_spin[i];
        double rate = hf_v3_norm(spin);
        *pose = sim->poses[i];
        pose->velocity = ts->motion.pose_velocity[i];
        pose->spin = spin;
        pose->position = hf_v3_axpy(pose->position, 0.5 * h, pose->velocity);
        if (rate > 0.0) {
            hf_quat turn = hf_quat_from_axis_angle(hf_v3_scale(1.0 / rate, spin), 0.5 * h * rate);
            hf_mat3 r = hf_quat_rotation(turn);
            pose->rotation = hf_m3_mul(&r, &sim->poses[i].rotation);
        }
    }
}

static bool same_vector(hf_vec3 a, hf_vec3 b)
{
    const double rounding = 1e-9; // of its size
    return hf_v3_norm(hf_v3_sub(a, b)) <= rounding * hf_v3_norm(a);
}

bool hf_ts_same_contact(const hf_contact_point *point, const hf_contact_place *other)
{
    const hf_contact_place *place = &point->place;
    return same_vector(place->n, other->n) &&
           (point->on == 0 || same_vector(place->on_arm, other->on_arm)) &&
           (point->to == 0 || same_vector(place->to_arm, other->to_arm));
}

void hf_ts_take_back(const hf_timestep *ts, hf_contact_point *point, double h)
{
    hf_contact_place *place = &point->place;
    hf_vec3 rate = hf_v3_sub(hf_velocity_at(&ts->motion.pose_middle[point->on], place->on_arm),
                             hf_velocity_at(&ts->motion.pose_middle[point->to], place->to_arm));
    place->gap -= 0.5 * h * hf_v3_dot(place->n, rate);
}
