/* SPDX-License-Identifier: Apache-2.0
 * A thousand mixed bodies for three colliders. The same header for C and C++. */
#ifndef HF_BENCH_COLLIDE_H
#define HF_BENCH_COLLIDE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { CROWD_BODIES = 1000, CROWD_FRAMES = 60 };

typedef enum crowd_kind { CROWD_SPHERE, CROWD_BOX, CROWD_CAPSULE, CROWD_CYLINDER } crowd_kind;

/* Sizes: a box's lengths; radius and length of the others, a capsule's without its ends [m]. */
typedef struct crowd_body {
    crowd_kind kind;
    double size[3];
    double position[3];
    double turn[4]; /* w x y z */
    double velocity[3], spin[3];
} crowd_body;

/* What a collider found in all frames, and the processor time it took. */
typedef struct crowd_result {
    long long pairs, points; /* that touch */
    double seconds;
} crowd_result;

/* The bodies a frame later: the same course for every collider. */
void crowd_move(crowd_body *bodies);
double crowd_now(void); /* processor time [s] */

crowd_result crowd_ode(crowd_body *bodies);
crowd_result crowd_ode_look(const crowd_body *bodies, int pairs[][2], int count);
crowd_result crowd_bullet(crowd_body *bodies);

/* What is found of these pairs, without a search for them; moves the bodies. */
typedef crowd_result (*crowd_look)(const crowd_body *bodies, int pairs[][2], int count);
void crowd_kinds(crowd_body *bodies, crowd_look other); /* NULL: alone */

#ifdef __cplusplus
}
#endif
#endif
