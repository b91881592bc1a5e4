// SPDX-License-Identifier: Apache-2.0
// Numbers for rigid-contact from wanted behaviour: K, beta and alpha from a restitution, a depth
// and a step.
//
// In contact a mass M obeys alpha s^3 + s^2 + w^2 beta s + w^2 = 0, w = sqrt(K/M), so that without
// gravity its restitution is a function of r = alpha/beta and k = beta w alone. For a wanted e the
// largest r that reaches it is taken; there e does not depend on M to first order. The map (r,
// k)(e) is a fit to integrated impacts, within 4e-4 of e for 0.002 < e < 0.995.
//
// RK4 delivers it within 0.004, wherever in a step the impact falls, while
//   w T <= 0.25  and  w T/sqrt(r) <= 1.5.
// Euler's methods are first-order in an impact: it rebounds too much under forward Euler, too
// little under the semi-implicit method, but hardly depends on where in a step it begins. So the
// numbers are those of the contact whose rebound by the method's own steps is the wanted one. At
// most half of what is stable is taken, and a design of 0.05 at least, because less is soft:
//   semi-implicit   w T/sqrt(r) <= 0.43
//   forward         w T/sqrt(r) <= 0.45  and  w T <= 0.2 (1 - r), r <= 0.74
// Forward Euler makes energy of a spring without loss, at any step. Any other method tells its own
// limits and how it steps (hf_contact_steps).
//
// Gravity g lowers the restitution by about g/(w v) at an impact speed v, more for small e. So
// under gravity the numbers are those of a livelier contact, whose restitution at impact_speed is
// the wanted one: faster impacts rebound a little more, slower ones less. Only where g/(w v) is
// large, a stiffer contact and with it a smaller step is needed.
//
// A method that chooses its steps has no step to be stable at. There w is what the machine asks
// for: an undamped impact at impact_speed, or at the speed of the start, goes 1 mm deep at most and
// 1 % of the smallest length of the bodies, the weight a tenth of that, and g/(w v) <= 0.01.
#ifndef HOLDFAST_LAWS_RIGID_CONTACT_CHOICE_H
#define HOLDFAST_LAWS_RIGID_CONTACT_CHOICE_H

#include <holdfast/laws/rigid_contact.h>

#ifdef __cplusplus
extern "C" {
#endif

// How the method that runs advances a contact.
typedef enum hf_contact_scheme {
    HF_CONTACT_RK4,           // Runge-Kutta of order 4
    HF_CONTACT_EULER,         // forward Euler
    HF_CONTACT_SEMI_IMPLICIT, // velocities first, then positions with them
    HF_CONTACT_ADAPTIVE,      // to a tolerance: `step` is for recording alone
    HF_CONTACT_SCHEME_COUNT
} hf_contact_scheme;

// x' of an impact, x = (gap, its rate, state of the contact), as a method calls it.
typedef void hf_impact_rate(const void *impact, const double x[3], double dx[3]);

// How a method takes its steps in a contact, and the stiffest contact that it can step. w: natural
// frequency of the contact, T: step, r = alpha/beta.
typedef struct hf_contact_steps {
    double frequency;    // w T at most
    double filter;       // w T/sqrt(r) at most
    double damping;      // w T/(1 - r) at most; 0: no limit
    double dullest;      // smallest restitution of a design that it can step
    double liveliest;    // and of the liveliest
    double most_crowd;   // of the stiffness of neighbours, how many times its own counts; 0: all
    bool crowd_is_damps; // neighbours count by their damping, else by their stiffness
    bool first_order; // its error in a rebound is of the order of T: numbers are chosen against it
    // One step of h seconds, x to x; `slope` is x' at its beginning.
    void (*step)(hf_impact_rate *rate, const void *impact, double h, const double slope[3],
                 double x[3]);
} hf_contact_steps;

// Where a contact acts. Masses are effective ones, 1/m = J M^-1 J'; infinite where nothing
// moves.
typedef struct hf_contact_site {
    double mass;            // along the normal, > 0 [kg]
    double tangent_mass;    // the smaller of the tangents', > 0 [kg]
    double spin_inertia;    // about the normal, > 0 [kg m^2]
    double rolling_inertia; // the smaller about the tangents, > 0 [kg m^2]
    double gravity;         // what presses the contact together at rest, >= 0 [m/s^2]
    double step;            // of the method, > 0 [s]
    int neighbours;         // contacts that may close together with this one, >= 0
    hf_contact_scheme scheme;
    // The restitution of the dullest design that is wanted, >= 0; 0: any. Less is soft, which piles
    // do not bear.
    double dullest;
    double size;  // the smallest length of the bodies, >= 0 [m]; 0: not known
    double speed; // HF_CONTACT_ADAPTIVE: how fast the bodies approach at the start, >= 0 [m/s]
    // Steps that are none of the schemes; NULL: those of `scheme`.
    const hf_contact_steps *steps;
    int solids; // between shapes: those of the body that has most; 0: not known
} hf_contact_site;

// r and k for a wanted restitution; exact at 1, the smallest used is 0.005.
HF_API void hf_rigid_contact_design(double restitution, double *ratio, double *k);

// Fills in what *def leaves to be chosen. Never fails: what cannot be had at this step is
// approached. Where both times are given, none is wanted: `restitution` becomes what K, alpha and
// beta deliver at impact_speed, which is what methods without them (switch, timestep, nlp) take.
HF_API void hf_rigid_contact_choose(hf_rigid_contact_def *def, int dim,
                                    const hf_contact_site *site);

// What a contact with chosen numbers will do.
typedef struct hf_contact_forecast {
    double restitution;     // at impact_speed, mean over impacts that fall anywhere in a step [-]
    double spread;          // largest distance of one of them from `exact`; of methods of first
                            // order, whose numbers are chosen for the mean, from the mean [-]
    double exact;           // with a step that goes to zero, under gravity [-]
    double impact_depth;    // largest at impact_speed [m]
    double rest_depth;      // under the weight that rests on it [m]
    double frequency;       // w [rad/s]
    double frequency_step;  // w T [-]
    double contact_seconds; // how long the impact lasts [s]
} hf_contact_forecast;

// What *def does at this site, by impacts that are integrated with the method's own steps. Does not
// allocate.
HF_API hf_contact_forecast hf_rigid_contact_forecast(const hf_rigid_contact_def *def,
                                                     const hf_contact_site *site);

// How far a delivered restitution may be from the wanted one [-].
#define HF_RESTITUTION_TOLERANCE 0.01
// How deep a body may sink at rest, by its smallest length [-].
#define HF_SUNK_SHARE 0.02

// What of the wanted values is delivered.
typedef struct hf_contact_verdict {
    bool restitution; // within HF_RESTITUTION_TOLERANCE, wherever the impact falls
    // Depth at rest at most the wanted one, or HF_SUNK_SHARE of `size` where none is wanted
    bool penetration;
    double best_step; // largest step found at which all are delivered [s]; 0: none
} hf_contact_verdict;

// Whether the numbers chosen from `wished` for this site deliver what it wants. Does not allocate.
HF_API hf_contact_verdict hf_rigid_contact_judge(const hf_rigid_contact_def *wished, int dim,
                                                 const hf_contact_site *site);

#ifdef __cplusplus
}
#endif
#endif
