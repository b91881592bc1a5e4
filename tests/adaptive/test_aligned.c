// SPDX-License-Identifier: Apache-2.0
// Shapes that meet exactly along a line or at the end of an edge, under switch: models that people
// write are aligned. The motion depends continuously on where a body starts, so that the same body
// shifted by 1 um must end near by; there features meet in general position.
#include <holdfast/contact.h>

#include "adaptive_test.h"

#define ALONG_Y "orientation: {axis: [1, 0, 0], angle: 1.5707963267948966}"
#define ALONG_X "orientation: {axis: [0, 1, 0], angle: 1.5707963267948966}"

// What falls on what, and where it starts above it. Each meets in the middle of the other, or end
// to end.
typedef struct meeting {
    const char *name, *low, *top;
    hf_vec3 at; // [m]
} meeting;

static const meeting MEETINGS[] = {
    {"sphere at the end of an edge",
     "type: box, size: [0.2, 0.2, 0.2]",
     "type: sphere, radius: 0.1",
     {0.15, 0.1, 0.2}},
    {"sphere at a corner, on the diagonal",
     "type: box, size: [0.2, 0.2, 0.2]",
     "type: sphere, radius: 0.1",
     {0.15, 0.15, 0.2}},
    {"capsule along an edge",
     "type: box, size: [0.2, 0.2, 0.2]",
     "type: capsule, radius: 0.1, length: 0.1, " ALONG_Y,
     {0.15, 0.0, 0.2}},
    {"capsule along an edge of its length",
     "type: box, size: [0.2, 0.2, 0.2]",
     "type: capsule, radius: 0.1, length: 0.2, " ALONG_Y,
     {0.15, 0.0, 0.2}},
    {"capsule across the end of an edge",
     "type: box, size: [0.2, 0.2, 0.2]",
     "type: capsule, radius: 0.1, length: 0.2, " ALONG_X,
     {0.25, 0.0, 0.2}},
    {"edge along a capsule",
     "type: capsule, radius: 0.1, length: 0.4, " ALONG_Y,
     "type: box, size: [0.1, 0.04, 0.04]",
     {0.06, 0.0, 0.12}},
    {"edge along a barrel",
     "type: cylinder, radius: 0.1, length: 0.5, " ALONG_Y,
     "type: box, size: [0.1, 0.04, 0.04]",
     {0.06, 0.0, 0.12}},
    {"capsules side by side",
     "type: capsule, radius: 0.1, length: 0.4, " ALONG_Y,
     "type: capsule, radius: 0.1, length: 0.2, " ALONG_Y,
     {0.05, 0.0, 0.2}},
    {"capsules end to end",
     "type: capsule, radius: 0.1, length: 0.2, " ALONG_Y,
     "type: capsule, radius: 0.1, length: 0.2, " ALONG_Y,
     {0.05, 0.0, 0.2}},
    {"capsule and sphere at its end",
     "type: capsule, radius: 0.1, length: 0.2, " ALONG_Y,
     "type: sphere, radius: 0.1",
     {0.05, 0.1, 0.2}},
    {"barrels side by side",
     "type: cylinder, radius: 0.1, length: 0.4, " ALONG_Y,
     "type: cylinder, radius: 0.1, length: 0.2, " ALONG_Y,
     {0.05, 0.0, 0.2}},
    {"barrel on a capsule",
     "type: capsule, radius: 0.1, length: 0.4, " ALONG_Y,
     "type: cylinder, radius: 0.1, length: 0.2, " ALONG_Y,
     {0.05, 0.0, 0.2}},
};
enum { COUNT = sizeof MEETINGS / sizeof *MEETINGS };

// Where it is after 0.25 s.
static hf_vec3 fall(const meeting *m, double aside)
{
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "gravity: [0, 0, -9.81]\n"
                   "method: {type: switch, step: 0.01, rtol: 1e-8, atol: 1e-10}\nbodies:\n"
                   "  low: {type: static, shape: {%s}}\n"
                   "  top: {type: rigid, mass: 1, shape: {%s}, position: [%.17g, %.17g, %.17g]}\n"
                   "forces:\n  - {name: touch, type: collide, among: all, friction: 0.4}\n",
                   m->low, m->top, m->at.x + aside, m->at.y + 0.7 * aside, m->at.z);
    hf_model *model = model_of(text);
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 0.25);
    hf_vec3 at = {value_of(sim, "top.position.x"), value_of(sim, "top.position.y"),
                  value_of(sim, "top.position.z")};
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return at;
}

static void aligned_as_beside(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT; ++i) {
        const meeting *m = &MEETINGS[i];
        hf_vec3 exact = fall(m, 0.0), beside = fall(m, 1e-6);
        hf_check_near(exact.x, beside.x, 1e-4, m->name, "x of the same, 1 um aside");
        hf_check_near(exact.y, beside.y, 1e-4, m->name, "y of the same, 1 um aside");
        hf_check_near(exact.z, beside.z, 1e-4, m->name, "z of the same, 1 um aside");
        // It was not free: that would be 0.31 m
        hf_check_near(exact.z, m->at.z, 0.30, m->name, "where it began");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(aligned_as_beside)};
    return hf_run_tests(tests);
}
