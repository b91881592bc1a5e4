// SPDX-License-Identifier: Apache-2.0
// An impact that reaches bodies at rest on others. Newton's restitution at all contacts at once,
//   u_N+ >= -e u_N-
// asks nothing of a contact that rests: of a row of balls that is struck at one end all but the
// first go on together. Blows spread instead [Smith2012]: pairs of bodies of which some contact
// approaches are reflected, without friction and with restitution 1; others then approach, and so
// on until none does. The speeds u_S >= 0 with which contacts part in the end take the place of
// -u_N-:
//   u_N+ >= e u_S
// Where the first reflection leaves nothing that approaches, this is Newton's rule: a box that
// strikes with one edge and rests on another is one pair with its floor. Newton's rule stays, too,
// where a later reflection is one by what cannot move: the ground carries the blow away, and what
// stands on it does not begin to hop. Energy: with one e, and without friction,
// v+ = (1 - e) v(e = 0) + e v_S, and v_S has the energy from before.
#ifndef HF_SOLVERS_SMALL_SPREAD_H
#define HF_SOLVERS_SMALL_SPREAD_H

#include <stdbool.h>

// Contacts beyond which the speeds of a row of blows are not found.
enum { HF_SPREAD_MOST = 400 };

// Arrays of the caller's, all by contact but `reached`.
typedef struct hf_spread {
    int count;
    double *u;       // speed before, < 0: it approaches; NAN: it takes no part
    int *pair;       // the first contact between the same two bodies
    int *set;        // the set of bodies that contacts join
    double *reached; // by set, zero: then the number of reflections that reached it; -1: the
                     // ground, or a set that is to be left alone
    double *goal, *r;
    int *struck;    // these: scratch
    double fastest; // approach that counts: speeds far below it are rounding
    // The bodies: their velocities begin with no change.
    void *bodies;
    double (*moved)(const void *bodies, int contact);        // what impulses changed of its speed
    void (*push)(void *bodies, int contact, double impulse); // along its normal
    double (*weight)(const void *bodies, int contact);       // W_NN: what a push of 1 changes of it
    bool (*grounded)(const void *bodies, int contact);       // one of its two cannot move
} hf_spread;

// Reflects until nothing approaches. False: not found. Contact i then parts with u[i] + moved(i).
bool hf_spread_blows(const hf_spread *spread);

// Whether what contact i parts with is another speed than Newton's rule has.
static inline bool hf_spread_changes(const hf_spread *spread, int i)
{
    return spread->u[i] == spread->u[i] && spread->reached[spread->set[i]] > 1.0;
}

// What contact i parts with; 0: nothing but rounding.
double hf_spread_parts(const hf_spread *spread, int i);

#endif
