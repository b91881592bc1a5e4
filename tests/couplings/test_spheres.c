// SPDX-License-Identifier: Apache-2.0
// Two spheres: how the reference of their tangents is carried. Spheres that turn together about
// their normal, as one rigid body, carry it along; when one turns alone it goes half as far.
#include <math.h>

#include "couplings/contact.h"
#include "hf_test.h"

static void reference_turns_with_the_mean_spin(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(51);
    for (int i = 0; i < 200; ++i) {
        hf_vec3 n = {hf_rng_normal(&rng), hf_rng_normal(&rng), hf_rng_normal(&rng)};
        n = hf_v3_scale(1.0 / hf_v3_norm(n), n);
        double one = hf_rng_uniform(&rng, -5.0, 5.0), two = hf_rng_uniform(&rng, -5.0, 5.0);
        double radius = hf_rng_uniform(&rng, 0.1, 1.0), seconds = 0.1;
        hf_pose on = {.position = n, .rotation = hf_m3_identity(), .spin = hf_v3_scale(one, n)};
        hf_pose to = {.rotation = hf_m3_identity(), .spin = hf_v3_scale(two, n)};
        const hf_sphere a = {.pose = &on, .radius = radius}, b = {.pose = &to, .radius = radius};
        hf_vec3 start = hf_v3_cross(n, (hf_vec3){0.3, -0.5, 0.8});
        start = hf_v3_scale(1.0 / hf_v3_norm(start), start);
        hf_vec3 end = hf_spheres_turn(&a, &b, start, seconds);
        double angle = 0.5 * (one + two) * seconds; // about n, by the right hand
        hf_vec3 want =
            hf_v3_axpy(hf_v3_scale(cos(angle), start), sin(angle), hf_v3_cross(n, start));
        hf_check_near(hf_v3_norm(hf_v3_sub(end, want)), 0.0, 1e-12, "reference", "mean spin");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reference_turns_with_the_mean_spin)};
    return hf_run_tests(tests);
}
