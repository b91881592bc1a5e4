// SPDX-License-Identifier: Apache-2.0
// The tree against closed forms and against the laws of mechanics.
#include "tree_scenes.h"

#include <math.h>
#include <string.h>

// H v' + c = u of the two-link arm with H = [[a+b+2c cos, b+c cos], [., b]].  NUMBERS.md,
// [Kikuuwe2008]
static void test_two_link_arm(void **state)
{
    (void)state;
    const double a = 0.06, b = 0.015, c = 0.0225;
    hf_rng rng = hf_rng_create(11);
    for (int t = 0; t < 200; t++) {
        static tree_scene s;
        double dv[2], general[2], h[4];
        tree_scene_arm(&s);
        assert_true(s.tree.planar);
        for (int k = 0; k < 2; k++) {
            s.q[k] = hf_rng_uniform(&rng, -10, 10);
            s.v[k] = hf_rng_uniform(&rng, -5, 5);
            s.u[k] = hf_rng_uniform(&rng, -1, 1);
        }
        double cosine = c * cos(s.q[1]), sine = c * sin(s.q[1]);
        double want_h[4] = {a + b + 2 * cosine, b + cosine, b + cosine, b};
        hf_tree_mass_matrix(&s.tree, s.q, s.work, h);
        hf_check_near_array(h, want_h, 4, 1e-15, "H", "closed form");

        double r0 = s.u[0] + sine * s.v[1] * (2 * s.v[0] + s.v[1]);
        double r1 = s.u[1] - sine * s.v[0] * s.v[0];
        double det = want_h[0] * want_h[3] - want_h[1] * want_h[2];
        double want[2] = {(b * r0 - want_h[1] * r1) / det, (want_h[0] * r1 - want_h[1] * r0) / det};
        hf_tree_forward(&s.tree, s.q, s.v, s.u, NULL, s.gravity, s.work, dv);
        hf_tree_forward_general(&s.tree, s.q, s.v, s.u, NULL, s.gravity, s.work, general);
        double allowance = 1e-13 * (1.0 + fabs(want[0]) + fabs(want[1]));
        hf_check_near_array(dv, want, 2, allowance, "dv", "closed form");
        hf_check_near_array(general, want, 2, allowance, "dv, general", "closed form");
    }
}

// A pendulum about y with gravity along -z, its center l below the pivot at zero:
//   (I + m l^2 + armature) q'' = u - m g l sin q
static void test_pendulum(void **state)
{
    (void)state;
    const double m = 0.7, l = 0.4, inertia = 0.02, armature = 0.005, g = 9.81;
    for (int k = -20; k <= 20; k++) {
        static tree_scene s;
        double dv;
        memset(&s, 0, sizeof s);
        s.links[0] = (hf_tree_link){.type = HF_JOINT_REVOLUTE,
                                    .parent = -1,
                                    .axis = {0, 1, 0},
                                    .tilt = hf_m3_identity(),
                                    .mass = m,
                                    .center = {0, 0, -l},
                                    .inertia = {.xx = 1.0, .yy = inertia, .zz = 2.0, .xz = 0.5},
                                    .armature = armature};
        tree_scene_prepare(&s, 1);
        s.q[0] = 0.2 * k;
        s.v[0] = 3.0;
        s.u[0] = 0.3;
        hf_vec3 gravity = {0, 5.0, -g}; // the part along the axis does nothing
        double want = (0.3 - m * g * l * sin(s.q[0])) / (inertia + m * l * l + armature);
        hf_tree_forward(&s.tree, s.q, s.v, s.u, NULL, gravity, s.work, &dv);
        hf_check_near(dv, want, 1e-13 * (1 + fabs(want)), "pendulum's dv", "closed form");
        hf_tree_forward_general(&s.tree, s.q, s.v, s.u, NULL, gravity, s.work, &dv);
        hf_check_near(dv, want, 1e-13 * (1 + fabs(want)), "pendulum's dv, general", "closed form");
        double potential = hf_tree_potential(&s.tree, s.q, gravity, s.work);
        hf_check_near(potential, -m * g * l * cos(s.q[0]), 1e-14, "potential", "-m g l cos q");
    }
}

// A pole (mass m, center l up at zero, inertia I about it) on a cart M along x, turning about y:
//   (M + m) x'' + m l cos q q'' - m l sin q q'^2 = u0
//   m l cos q x'' + (I + m l^2) q'' - m g l sin q = u1
static void test_cart_pole(void **state)
{
    (void)state;
    const double cart = 1.3, m = 0.4, l = 0.5, inertia = 0.03, g = 9.81;
    hf_rng rng = hf_rng_create(12);
    for (int t = 0; t < 100; t++) {
        static tree_scene s;
        double dv[2];
        memset(&s, 0, sizeof s);
        s.links[0] = (hf_tree_link){.type = HF_JOINT_PRISMATIC,
                                    .parent = -1,
                                    .axis = {1, 0, 0},
                                    .tilt = hf_m3_identity(),
                                    .mass = cart};
        s.links[1] = (hf_tree_link){.type = HF_JOINT_REVOLUTE,
                                    .parent = 0,
                                    .axis = {0, 1, 0},
                                    .tilt = hf_m3_identity(),
                                    .mass = m,
                                    .center = {0, 0, l},
                                    .inertia = {.yy = inertia}};
        tree_scene_prepare(&s, 2);
        assert_true(s.tree.planar);
        for (int k = 0; k < 2; k++) {
            s.q[k] = hf_rng_uniform(&rng, -4, 4);
            s.v[k] = hf_rng_uniform(&rng, -4, 4);
            s.u[k] = hf_rng_uniform(&rng, -4, 4);
        }
        double sine = sin(s.q[1]), cross = m * l * cos(s.q[1]), j = inertia + m * l * l;
        double r0 = s.u[0] + m * l * sine * s.v[1] * s.v[1], r1 = s.u[1] + m * g * l * sine;
        double det = (cart + m) * j - cross * cross;
        double want[2] = {(j * r0 - cross * r1) / det, ((cart + m) * r1 - cross * r0) / det};
        hf_tree_forward(&s.tree, s.q, s.v, s.u, NULL, hf_v3(0, 0, -g), s.work, dv);
        hf_check_near_array(dv, want, 2, 1e-12, "cart and pole's dv", "closed form");
    }
}

// One free link is a rigid body: m (p' + w x c)' = f + m g, Euler's equations about its center.
static void test_free_link_is_rigid_body(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(13);
    for (int t = 0; t < 200; t++) {
        static tree_scene s;
        hf_pose pose;
        double dv[6];
        tree_scene_random(&s, &rng, 1, false, true);
        memset(s.u, 0, sizeof s.u);
        const hf_tree_link *link = &s.links[0];
        hf_tree_forward(&s.tree, s.q, s.v, s.u, s.external, s.gravity, s.work, dv);
        hf_tree_poses(&s.tree, s.q, s.v, &pose);

        // In link axes, about the center.
        hf_wrench e = s.external[0];
        hf_vec3 f = hf_m3_tmulv(&pose.rotation, e.force), c = link->center;
        hf_vec3 torque = hf_v3_sub(hf_m3_tmulv(&pose.rotation, e.torque), hf_v3_cross(c, f));
        hf_vec3 w = hf_v3(s.v[3], s.v[4], s.v[5]);
        hf_vec3 gyro = hf_v3_cross(w, hf_s3_mulv(&link->inertia, w));
        hf_sym3 inverse = hf_s3_inverse(&link->inertia);
        hf_vec3 alpha = hf_s3_mulv(&inverse, hf_v3_sub(torque, gyro));
        hf_vec3 acc = hf_v3_axpy(hf_m3_tmulv(&pose.rotation, s.gravity), 1.0 / link->mass, f);
        acc = hf_v3_sub(acc, hf_v3_cross(alpha, c)); // of the center to that of the origin
        acc = hf_v3_sub(acc, hf_v3_cross(w, hf_v3_cross(w, c)));
        acc = hf_m3_mulv(&pose.rotation, acc);
        acc = hf_m3_tmulv(&link->tilt, acc);
        double want[6] = {acc.x, acc.y, acc.z, alpha.x, alpha.y, alpha.z};
        double scale = 1.0 + hf_v3_norm(alpha) + hf_v3_norm(acc);
        hf_check_near_array(dv, want, 6, 1e-11 * scale, "free link's dv", "rigid body");
    }
}

// A fixed joint makes two links one: replacing it by a single link changes nothing.
static void test_fixed_joint_merges(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(14);
    for (int t = 0; t < 100; t++) {
        static tree_scene s, one;
        double dv[TREE_MAX_NV], want[TREE_MAX_NV];
        tree_scene_random(&s, &rng, 3, false, false);
        s.links[1].parent = 0;
        s.links[2].parent = 1;
        s.links[2].type = HF_JOINT_FIXED;
        s.links[2].armature = 0.0;
        tree_scene_prepare(&s, 3);
        hf_tree_normalize(&s.tree, s.q);
        one = s;
        const hf_tree_link *a = &s.links[1], *b = &s.links[2];
        hf_tree_link *both = &one.links[1];
        hf_vec3 cb = hf_v3_add(b->offset, hf_m3_mulv(&b->tilt, b->center));
        both->mass = a->mass + b->mass;
        both->center =
            hf_v3_scale(1.0 / both->mass, hf_v3_axpy(hf_v3_scale(a->mass, a->center), b->mass, cb));
        hf_sym3 turned = hf_s3_rotated(&b->tilt, &b->inertia);
        hf_sym3 ia =
            hf_rigid_inertia_at(a->mass, hf_v3_sub(a->center, both->center), &a->inertia).inertia;
        hf_sym3 ib = hf_rigid_inertia_at(b->mass, hf_v3_sub(cb, both->center), &turned).inertia;
        both->inertia = hf_s3_add(&ia, &ib);
        tree_scene_prepare(&one, 2);
        hf_tree_forward(&s.tree, s.q, s.v, s.u, NULL, s.gravity, s.work, dv);
        hf_tree_forward(&one.tree, s.q, s.v, s.u, NULL, s.gravity, one.work, want);
        double scale = 1.0;
        for (int k = 0; k < one.tree.nv; k++)
            scale = fmax(scale, fabs(want[k]));
        hf_check_near_array(dv, want, one.tree.nv, 1e-10 * scale, "dv", "one merged link");
    }
}

// A spherical joint with and without massless links in between: three revolute joints about z, y, x
// turn a link as a ball does.
static void test_massless_links(void **state)
{
    (void)state;
    static tree_scene s;
    hf_rng rng = hf_rng_create(15);
    for (int t = 0; t < 100; t++) {
        double dv[3], u[3];
        tree_scene_random(&s, &rng, 3, false, false);
        static const hf_vec3 axes[3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
        for (int i = 0; i < 3; i++) {
            hf_tree_link *l = &s.links[i];
            l->type = HF_JOINT_REVOLUTE;
            l->parent = i - 1;
            l->axis = axes[i];
            l->tilt = hf_m3_identity();
            l->armature = 0.0;
            if (i < 2) {
                l->offset = hf_v3(0, 0, 0);
                l->mass = 0.0;
                l->inertia = (hf_sym3){0};
            }
        }
        tree_scene_prepare(&s, 3);
        s.q[1] = hf_rng_uniform(&rng, -1.2, 1.2); // away from where the outer axes meet
        hf_tree_forward(&s.tree, s.q, s.v, s.u, s.external, s.gravity, s.work, dv);
        hf_tree_inverse(&s.tree, s.q, s.v, dv, s.external, s.gravity, s.work, u);
        double scale = 1.0 + fabs(dv[0]) + fabs(dv[1]) + fabs(dv[2]);
        hf_check_near_array(u, s.u, 3, 1e-11 * scale, "u", "u given to hf_tree_forward");
    }
}

// d/dt kinetic = u.v + power of the wrenches + power of gravity, along q' and v'.
static void test_power(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(16);
    for (int t = 0; t < 200; t++) {
        static tree_scene s;
        hf_pose poses[TREE_MAX_LINKS];
        double dq[TREE_MAX_NQ], dv[TREE_MAX_NV], q[TREE_MAX_NQ], v[TREE_MAX_NV], kinetic[2],
            potential[2], power = 0.0, turnover = 1.0;
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 1, TREE_MAX_LINKS), t % 2 == 1, false);
        hf_tree_forward(&s.tree, s.q, s.v, s.u, s.external, s.gravity, s.work, dv);
        hf_tree_q_rate(&s.tree, s.q, s.v, dq);
        const double h = 1e-5;
        for (int side = 0; side < 2; side++) {
            double step = side ? h : -h;
            for (int k = 0; k < s.tree.nq; k++)
                q[k] = s.q[k] + step * dq[k];
            for (int k = 0; k < s.tree.nv; k++)
                v[k] = s.v[k] + step * dv[k];
            kinetic[side] = hf_tree_kinetic(&s.tree, q, v, s.work);
            potential[side] = hf_tree_potential(&s.tree, q, s.gravity, s.work);
        }
        for (int k = 0; k < s.tree.nv; k++) {
            power += s.u[k] * s.v[k];
            turnover += fabs(dv[k]);
        }
        hf_tree_poses(&s.tree, s.q, s.v, poses);
        for (int i = 0; i < s.tree.link_count; i++)
            power += hf_v3_dot(s.external[i].force, poses[i].velocity) +
                     hf_v3_dot(s.external[i].torque, poses[i].spin);
        double got = (kinetic[1] - kinetic[0] + potential[1] - potential[0]) / (2 * h);
        // h^2/6 times a third derivative that grows with the accelerations.
        hf_check_near(got, power, 1e-9 * turnover * turnover * (1 + kinetic[0]), "rate of energy",
                      "power of forces and wrenches");
    }
}

// Energy error after 0.1 s of a floating tree at this step.
static double energy_error(const tree_scene *start, int steps, double *momentum_error)
{
    static tree_scene s;
    s = *start;
    s.tree.links = s.links;
    double before = hf_tree_kinetic(&s.tree, s.q, s.v, s.work);
    hf_spatial p0 = tree_scene_momentum(&s);
    for (int k = 0; k < steps; k++)
        tree_scene_rk4(&s, 0.1 / steps);
    hf_spatial p1 = tree_scene_momentum(&s);
    double scale = 1.0 + hf_v3_norm(p0.linear) + hf_v3_norm(p0.angular);
    *momentum_error = (hf_v3_norm(hf_v3_sub(p1.linear, p0.linear)) +
                       hf_v3_norm(hf_v3_sub(p1.angular, p0.angular))) /
                      scale;
    return fabs(hf_tree_kinetic(&s.tree, s.q, s.v, s.work) - before);
}

// Floating random trees keep momentum and energy; energy's error is of fourth order.
static void test_conservation(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(17);
    double coarse = 0.0, fine = 0.0;
    for (int t = 0; t < 20; t++) {
        static tree_scene s;
        double momentum;
        tree_scene_random(&s, &rng, hf_rng_int(&rng, 2, 6), false, true);
        memset(s.u, 0, sizeof s.u);
        s.gravity = hf_v3(0, 0, 0);
        for (int i = 0; i < s.tree.link_count; i++)
            s.links[i].armature = 0.0; // a rotor turns without taking part in the momentum
        tree_scene_prepare(&s, s.tree.link_count);
        coarse += energy_error(&s, 100, &momentum);
        fine += energy_error(&s, 200, &momentum);
        hf_check_below(momentum, 1e-8, "drift of momentum, h = 0.5 ms", "conservation");
        energy_error(&s, 1600, &momentum);
        hf_check_below(momentum, 1e-10, "drift of momentum, h = 62.5 us", "conservation");
    }
    hf_check_near(log2(coarse / fine), 4.5, 0.7, "order of the energy's error", "RK4: 4 to 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_link_arm),
        cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_cart_pole),
        cmocka_unit_test(test_free_link_is_rigid_body),
        cmocka_unit_test(test_fixed_joint_merges),
        cmocka_unit_test(test_massless_links),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_conservation),
    };
    return hf_run_tests(tests);
}
