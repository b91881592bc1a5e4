// SPDX-License-Identifier: Apache-2.0
// Random heaps of solids, and the same heap looked at from elsewhere: turned, moved, in a mirror,
// in other units, with its bodies in another order and under other names, or twice beside itself.
#ifndef HF_TESTS_CONTACT_HEAP_VIEWS_H
#define HF_TESTS_CONTACT_HEAP_VIEWS_H

#include "contact_test.h"

enum { HEAP_MOST = 12, HEAP_TEXT = 16000 };

typedef struct heap_solid {
    int type;
    double a, b, c, mass;
    hf_vec3 place, velocity, spin;
    hf_quat turn;
    double friction; // of its surface; below zero: that of the force
    int group;       // it touches those of its own and of none; 0: none
} heap_solid;

typedef struct heap {
    heap_solid solids[HEAP_MOST];
    int count;
    int ground; // 0: a plane, 1: a box, 2: a box with a belt
    double friction, restitution, rolling;
} heap;

typedef struct heap_view {
    const char *name;
    double length, mass, time; // one of the heap's units in the view's
    hf_quat turn;
    hf_vec3 shift;  // in the view's units
    bool mirrored;  // y is -y, before the turn
    bool backwards; // bodies are declared in the opposite order
    bool renamed;   // names rise in the opposite order
    int copies;     // 1 or 2, `apart` from each other
    hf_vec3 apart;
} heap_view;

heap heap_random(hf_rng *rng, int count, int ground);
heap_view heap_view_plain(void);
// The heap's file as the view has it, with a method ("type: timestep, step: %.17g").
void heap_write(const heap *h, const heap_view *view, const char *method, double step,
                char text[HEAP_TEXT]);

// A body's motion in the heap's own units and axes: place, velocity, spin and a turned axis of it.
typedef struct heap_motion {
    hf_vec3 place, velocity, spin, axis;
} heap_motion;
heap_motion heap_motion_of(hf_sim *sim, const heap *h, const heap_view *view, int solid, int copy);

#endif
