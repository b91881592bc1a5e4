// SPDX-License-Identifier: Apache-2.0
// Warns when the step is too long for the stiffness and damping of the laws.
#include "cli/advice.h"

#include <math.h>
#include <stdio.h>

#include "cli/cli.h"

enum { MOST_CHECKED = 2000, MOST_WARNINGS = 5 };

void hf_cli_force_label(const hf_sim *sim, hf_force force, char *label, size_t size)
{
    (void)snprintf(label, size, "%s '%s'",
                   hf_sim_force_stats(sim, force).friction ? "friction" : "force",
                   hf_model_force_name(hf_sim_model(sim), force));
}

static void warn(const hf_sim *sim, hf_force force, double largest)
{
    char label[160];
    hf_cli_force_label(sim, force, label, sizeof label);
    hf_method_def method = hf_sim_method(sim);
    if (largest > 0.0) {
        hf_cli_warning("%s: step %g s is larger than the largest stable step %.3g s", label,
                       method.step, largest);
    } else {
        hf_cli_warning("%s: the method %s is unstable at any step", label,
                       hf_method_name(method.type));
    }
}

hf_cli_advice hf_cli_advise(hf_sim *sim)
{
    hf_cli_advice advice = {.stability.largest_step = INFINITY,
                            .total = hf_model_get_info(hf_sim_model(sim)).forces};
    int stride = 1 + (advice.total - 1) / MOST_CHECKED;
    for (int id = 1; id <= advice.total; id += stride) {
        hf_force force = {id};
        hf_stability stability = hf_sim_stability(sim, force);
        advice.checked += 1;
        if (stability.largest_step < advice.stability.largest_step) {
            advice.force = force;
            advice.stability = stability;
        }
        if (hf_sim_method(sim).step > stability.largest_step) {
            advice.too_large += 1;
            if (advice.too_large <= MOST_WARNINGS) {
                warn(sim, force, stability.largest_step);
            }
        }
    }
    if (advice.too_large > MOST_WARNINGS) {
        hf_cli_warning("and %d more%s", advice.too_large - MOST_WARNINGS,
                       stride > 1 ? " of those looked at" : "");
    }
    return advice;
}
