// SPDX-License-Identifier: Apache-2.0
// Timestep and switch: cylinders that land on cylinders, off their middles. Two caps have a lens in
// common; what stands within it stays, and what does not tips over its end, as a box over an edge
// that is as far away. Boxes turned against each other have up to eight corners in common.
#include <hf_machine.h>

#include <math.h>

// A body that falls on a fixed one of the same size, with its middle at a distance from the other's
// in a direction; after `end` seconds.
typedef struct landing {
    const char *shape;
    double off, angle, yaw, above, restitution;
} landing;

typedef struct place {
    double x, y, z, speed;
} place;

static place land(const landing *l, const char *method, double end)
{
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\nmethod: {%s}\nbodies:\n"
                   "  low: {type: static, shape: {%s}}\n"
                   "  top: {type: rigid, mass: 1, inertia: [0.004, 0.004, 0.004],\n"
                   "    position: [%.17g, %.17g, %.17g], velocity: [0, 0, %g],\n"
                   "    orientation: {axis: [0, 0, 1], angle: %.17g}, shape: {%s}}\nforces:\n"
                   "  - {name: c, type: collide, among: all, friction: 0.4, restitution: %g}\n",
                   method, l->shape, l->off * cos(l->angle), l->off * sin(l->angle), 0.2 + l->above,
                   l->above > 0.0 ? -0.5 : 0.0, l->yaw, l->shape, l->restitution);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, end);
    place at = {value_of(sim, "top.position.x"), value_of(sim, "top.position.y"),
                value_of(sim, "top.position.z"), fabs(value_of(sim, "top.velocity.z"))};
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return at;
}

#define EXACT "type: switch, step: 0.01"
#define STEPS "type: timestep, step: 2.5e-4"

#define EDGE "box over an edge"
#define CAN  "type: cylinder, radius: 0.1, length: 0.2"
#define BOX  "type: box, size: [0.2, 0.2, 0.2]"

// Over the end of the lens, 0.1 m from the lower one's middle, as over the edge of a box.
static void tips_over_the_end(void **state)
{
    (void)state;
    const double off = 0.14, angles[] = {0.0, 0.3, 0.7853981633974483, 1.1, 2.9};
    for (int e = 0; e < 2; ++e) {
        double restitution = e == 0 ? 0.0 : 0.3;
        landing box = {BOX, off, 0.0, 0.0, 0.001, restitution};
        place edge = land(&box, EXACT, 0.25);
        for (int i = 0; i < 10; ++i) {
            landing can = {CAN, off, angles[i / 2], 0.4, 0.001, restitution};
            place at = land(&can, i % 2 == 0 ? STEPS : EXACT, 0.25);
            // Steps: first order
            hf_check_near(hypot(at.x, at.y), edge.x, i % 2 == 0 ? 5e-4 : 1e-5, "way", EDGE);
            hf_check_near(atan2(at.y, at.x), angles[i / 2], 1e-3, "direction", "where it began");
            hf_check_near(at.z, edge.z, i % 2 == 0 ? 1e-3 : 2e-5, "z", EDGE);
        }
    }
}

// Its middle is over the other one: it stays, to the bit in the end.
static void stays_within(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(71);
    for (int i = 0; i < 24; ++i) {
        landing can = {CAN,
                       hf_rng_uniform(&rng, 0.0, 0.096),
                       hf_rng_uniform(&rng, 0.0, 6.28),
                       hf_rng_uniform(&rng, 0.0, 6.28),
                       i % 2 == 0 ? 0.0 : 0.002,
                       0.0};
        place at = land(&can, i % 4 < 2 ? STEPS : EXACT, 2.0);
        hf_check_near(at.z, 0.2, 1e-5, "z", "stands on the other one");
        hf_check_below(at.speed, 1e-15, "speed", "at rest");
        hf_check_near(hypot(at.x, at.y), can.off, 2e-3, "way", "where it began");
    }
}

// A box turned by 45 degrees, whose middle is near a corner of what both have in common, over the
// middle of a side of the lower one.
static void turned_box_stays(void **state)
{
    (void)state;
    for (int i = 0; i < 8; ++i) {
        landing box = {
            BOX, 0.097, 1.5707963267948966 * (i % 4), 0.7853981633974483, i < 4 ? 0.0 : 0.002, 0.0};
        place at = land(&box, STEPS, 2.0);
        hf_check_near(at.z, 0.2, 1e-5, "z", "stands on the other one");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tips_over_the_end),
                                       cmocka_unit_test(stays_within),
                                       cmocka_unit_test(turned_box_stays)};
    return hf_run_tests(tests);
}
