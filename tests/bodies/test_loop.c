// SPDX-License-Identifier: Apache-2.0
// Rows of loops: their rates and second derivatives against differences along random motions.
#include <math.h>
#include <stdio.h>

#include "bodies/loop.h"
#include "hf_test.h"

static hf_vec3 random_vector(hf_rng *rng)
{
    return hf_v3(hf_rng_uniform(rng, -1.0, 1.0), hf_rng_uniform(rng, -1.0, 1.0),
                 hf_rng_uniform(rng, -1.0, 1.0));
}

static hf_mat3 random_rotation(hf_rng *rng)
{
    return hf_quat_rotation(hf_quat_normalized(
        (hf_quat){hf_rng_normal(rng), hf_rng_normal(rng), hf_rng_normal(rng), hf_rng_normal(rng)}));
}

typedef struct motion {
    hf_pose pose;
    hf_pose_rate rate;
} motion;

static motion random_motion(hf_rng *rng)
{
    return (motion){.pose = {.rotation = random_rotation(rng),
                             .position = random_vector(rng),
                             .velocity = random_vector(rng),
                             .spin = random_vector(rng)},
                    .rate = {.velocity = random_vector(rng), .spin = random_vector(rng)}};
}

// Where it is after t, to second order: the rotation vector is w t + w' t^2/2.
static hf_pose pose_after(const motion *m, double t)
{
    hf_vec3 turn = hf_v3_axpy(hf_v3_scale(t, m->pose.spin), 0.5 * t * t, m->rate.spin);
    hf_vec3 shift = hf_v3_axpy(hf_v3_scale(t, m->pose.velocity), 0.5 * t * t, m->rate.velocity);
    double angle = hf_v3_norm(turn);
    hf_mat3 by =
        angle == 0.0 ? hf_m3_identity() : hf_quat_rotation(hf_quat_from_axis_angle(turn, angle));
    return (hf_pose){.rotation = hf_m3_mul(&by, &m->pose.rotation),
                     .position = hf_v3_add(m->pose.position, shift)};
}

static void check_row(const hf_loop_joint *loop, const motion *on, const motion *to, int k)
{
    const double h = 3e-4;
    double phi[3], second[HF_LOOP_MAX_ROWS];
    hf_loop_rows rows;
    char what[80];
    for (int i = 0; i < 3; ++i) {
        hf_pose a = pose_after(on, (i - 1) * h), b = pose_after(to, (i - 1) * h);
        hf_loop_rows_at(loop, &a, &b, &rows);
        phi[i] = rows.phi[k];
    }
    hf_loop_rows_at(loop, &on->pose, &to->pose, &rows);
    assert_int_equal(rows.count, hf_loop_rows_of(loop->type));
    hf_vec3 v = hf_v3_sub(hf_v3_add(on->pose.velocity, hf_v3_cross(on->pose.spin, rows.on_arm)),
                          hf_v3_add(to->pose.velocity, hf_v3_cross(to->pose.spin, rows.to_arm)));
    hf_vec3 w = hf_v3_sub(on->pose.spin, to->pose.spin);
    double rate = hf_v3_dot(rows.force[k], v) + hf_v3_dot(rows.torque[k], w);
    (void)snprintf(what, sizeof what, "%s, row %s: rate", hf_loop_type_name(loop->type),
                   hf_loop_row_name(loop->type, k));
    hf_check_near(rate, (phi[2] - phi[0]) / (2.0 * h), 2e-6, what, "differences");
    hf_loop_accelerations(loop, &on->pose, &to->pose, &on->rate, &to->rate, second);
    (void)snprintf(what, sizeof what, "%s, row %s: second derivative",
                   hf_loop_type_name(loop->type), hf_loop_row_name(loop->type, k));
    hf_check_near(second[k], (phi[2] - 2.0 * phi[1] + phi[0]) / (h * h), 2e-5, what, "differences");
}

static void test_derivatives(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(11);
    for (int type = 0; type < HF_LOOP_TYPE_COUNT; ++type) {
        for (int sample = 0; sample < 50; ++sample) {
            hf_loop_joint loop = {.type = (hf_loop_type)type,
                                  .on_point = random_vector(&rng),
                                  .to_point = random_vector(&rng),
                                  .on_turn = random_rotation(&rng),
                                  .to_turn = random_rotation(&rng),
                                  .length = type == HF_LOOP_DISTANCE ? 0.7 : 0.0};
            motion on = random_motion(&rng), to = random_motion(&rng);
            on.pose.position.x += 4.0; // a rod has no direction at length zero
            for (int k = 0; k < hf_loop_rows_of(loop.type); ++k) {
                check_row(&loop, &on, &to, k);
            }
        }
    }
}

// Frames that coincide close every loop; each row opens with the shift or turn it is named after.
static void test_closed(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(12);
    for (int type = 0; type < HF_LOOP_TYPE_COUNT; ++type) {
        hf_mat3 turn = random_rotation(&rng);
        hf_vec3 point = random_vector(&rng);
        hf_loop_joint loop = {.type = (hf_loop_type)type,
                              .on_point = point,
                              .to_point = point,
                              .on_turn = turn,
                              .to_turn = turn};
        motion on = random_motion(&rng);
        hf_loop_rows rows;
        hf_loop_rows_at(&loop, &on.pose, &on.pose, &rows);
        for (int k = 0; k < rows.count; ++k) {
            hf_check_near(rows.phi[k], 0.0, 1e-15, "phi", "frames coincide");
            bool turns = hf_loop_row_name(loop.type, k)[0] == 't';
            assert_int_equal(hf_loop_row_turns(loop.type, k), turns);
        }
    }
}

// The names that reactions, recordings and messages show.
static void rows_have_names(void **state)
{
    (void)state;
    static const struct {
        hf_loop_type type;
        const char *names[7]; // then ""
    } kinds[] = {
        {HF_LOOP_DISTANCE, {"length", ""}},
        {HF_LOOP_RATIO, {"sum", ""}},
        {HF_LOOP_POINT, {"x", "y", "z", ""}},
        {HF_LOOP_REVOLUTE, {"x", "y", "z", "turn y", "turn x", ""}},
        {HF_LOOP_PRISMATIC, {"x", "y", "turn y", "turn x", "turn z", ""}},
        {HF_LOOP_FIXED, {"x", "y", "z", "turn y", "turn x", "turn z", ""}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
        assert_string_equal(hf_loop_row_name(kinds[i].type, -1), "");
        for (int k = 0; k == 0 || kinds[i].names[k - 1][0] != '\0'; ++k) {
            assert_string_equal(hf_loop_row_name(kinds[i].type, k), kinds[i].names[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_have_names),
                                       cmocka_unit_test(test_derivatives),
                                       cmocka_unit_test(test_closed)};
    return hf_run_tests(tests);
}
