// SPDX-License-Identifier: Apache-2.0
// Gains that an actuator inherits from actuators of another kind. All kinds share one set of
// defaults, and their gains are the same numbers under different names:
//
//              gainprm[0]   biasprm[1]   biasprm[2]         dynprm[0]
//   position   kp           -kp          -kv, or dampratio  timeconst
//   velocity   kv           0            -kv
//   cylinder   area         bias[1]      bias[2]            timeconst
//
// so that <position/> after <default><general gainprm="7"/></default> has kp 7.
#include <string.h>

#include "robots/mjcf/mjcf.h"

static const char *const GAINS[] = {"fixed", "affine", "muscle", "user", "dcmotor"};
static const char *const BIASES[] = {"none", "affine", "muscle", "user", "dcmotor"};
static const char *const DYNAMICS[] = {"none",   "integrator", "filter", "filterexact",
                                       "muscle", "user",       "dcmotor"};

bool hf_mjcf_general_gains(hf_mjcf *m, const hf_mjcf_view *view, hf_mjcf_gains *g)
{
    return hf_mjcf_word(m, view, "gaintype", GAINS, 5, &g->gain_type) &&
           hf_mjcf_word(m, view, "biastype", BIASES, 5, &g->bias_type) &&
           hf_mjcf_word(m, view, "dyntype", DYNAMICS, 7, &g->dynamics) &&
           hf_mjcf_numbers(m, view, "gainprm", 1, 10, g->gain, NULL) &&
           hf_mjcf_numbers(m, view, "biasprm", 1, 10, g->bias, NULL) &&
           hf_mjcf_numbers(m, view, "dynprm", 1, 10, g->tau, NULL);
}

static bool position_gains(hf_mjcf *m, const hf_mjcf_view *view, hf_mjcf_gains *g, bool integrates)
{
    double kv = 0.0, ratio = 0.0;
    int damped = 0, by_ratio = 0, filtered = 0;
    if (!hf_mjcf_number(m, view, "kp", &g->gain[0]) ||
        !hf_mjcf_numbers(m, view, "kv", 1, 1, &kv, &damped) ||
        !hf_mjcf_numbers(m, view, "dampratio", 1, 1, &ratio, &by_ratio) ||
        !hf_mjcf_numbers(m, view, "timeconst", 1, 1, &g->tau[0], &filtered) ||
        !hf_mjcf_number(m, view, "inheritrange", &g->inherit)) {
        return false;
    }
    g->bias[1] = -g->gain[0];
    g->bias[2] = by_ratio > 0 ? ratio : damped > 0 ? -kv : g->bias[2];
    g->dynamics = integrates ? 1 : filtered > 0 ? (g->tau[0] == 0.0 ? 0 : 3) : g->dynamics;
    g->gain_type = 0, g->bias_type = 1;
    return true;
}

static bool cylinder_gains(hf_mjcf *m, const hf_mjcf_view *view, hf_mjcf_gains *g)
{
    double diameter = 0.0;
    int round = 0;
    if (!hf_mjcf_number(m, view, "timeconst", &g->tau[0]) ||
        !hf_mjcf_number(m, view, "area", &g->gain[0]) ||
        !hf_mjcf_numbers(m, view, "diameter", 1, 1, &diameter, &round) ||
        !hf_mjcf_numbers(m, view, "bias", 3, 3, g->bias, NULL)) {
        return false;
    }
    if (round > 0) {
        g->gain[0] = 3.14159265358979323846 / 4.0 * diameter * diameter;
    }
    g->dynamics = 2, g->gain_type = 0, g->bias_type = 1;
    return true;
}

// What one element sets, over what was set before.
static bool set_gains(hf_mjcf *m, hf_xml_element *element, hf_mjcf_gains *g)
{
    const hf_mjcf_view view = {element, {{element}, 1}};
    const char *tag = element->name;
    // Kinds with several numbers
    if (strcmp(tag, "general") == 0) {
        return hf_mjcf_general_gains(m, &view, g);
    }
    if (strcmp(tag, "position") == 0 || strcmp(tag, "intvelocity") == 0) {
        return position_gains(m, &view, g, tag[0] == 'i');
    }
    if (strcmp(tag, "cylinder") == 0) {
        return cylinder_gains(m, &view, g);
    }
    // Kinds with one gain, or none
    if (strcmp(tag, "adhesion") == 0) {
        g->gain_type = 0, g->bias_type = 0;
        return hf_mjcf_number(m, &view, "gain", &g->gain[0]);
    }
    if (strcmp(tag, "motor") == 0) {
        g->gain[0] = 1.0;
        g->gain_type = g->bias_type = g->dynamics = 0;
    } else if (strcmp(tag, "velocity") == 0) {
        memset(g->bias, 0, sizeof g->bias);
        g->gain_type = g->dynamics = 0, g->bias_type = 1;
        if (!hf_mjcf_number(m, &view, "kv", &g->gain[0])) {
            return false;
        }
        g->bias[2] = -g->gain[0];
    } else if (strcmp(tag, "damper") == 0) {
        double kv = 0.0;
        memset(g->gain, 0, sizeof g->gain);
        g->gain_type = 1, g->bias_type = g->dynamics = 0;
        if (!hf_mjcf_number(m, &view, "kv", &kv)) {
            return false;
        }
        g->gain[2] = -kv;
    }
    return true;
}

bool hf_mjcf_inherit_gains(hf_mjcf *m, hf_mjcf_view *view, hf_mjcf_gains *gains)
{
    int own = 1;
    *gains = (hf_mjcf_gains){.gain = {1.0}, .tau = {1.0}};
    while (own < view->levels.count &&
           strcmp(view->levels.items[own]->name, view->element->name) == 0) {
        ++own;
    }
    for (int i = view->levels.count - 1; i >= own; --i) {
        if (!set_gains(m, view->levels.items[i], gains)) {
            return false;
        }
    }
    view->levels.count = own;
    return true;
}
