// SPDX-License-Identifier: Apache-2.0
// Warns where contacts do not get the restitution or penetration that was asked for.
#include "cli/contacts.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "sim/method_info.h"

enum { MOST_WARNINGS = 5, MOST_LOOKED_AT = 200 };

void hf_cli_contact_shortfall(const hf_contact_report *r, char *text, size_t size)
{
    char what[200] = "", remedy[120], step[60] = "";
    if (r->site.scheme != HF_CONTACT_ADAPTIVE) {
        (void)snprintf(step, sizeof step, " at a step of %g s", r->site.step);
    }
    // Which wish is not met
    bool sinks = !r->verdict.penetration && r->wished.penetration == 0.0;
    if (sinks) {
        (void)snprintf(what, sizeof what,
                       "it sinks in %.3g m at rest%s, %.2g of the bodies' smallest length",
                       r->forecast.rest_depth, step, r->forecast.rest_depth / r->site.size);
    } else if (!r->verdict.penetration) {
        (void)snprintf(what, sizeof what,
                       "penetration %.3g m cannot be had%s: the nearest is %.3g m",
                       r->wished.penetration, step, r->forecast.rest_depth);
    } else if (!r->verdict.restitution) {
        bool wish = r->wished.damping_time == 0.0;
        double wanted = wish ? r->wished.restitution : r->forecast.exact;
        (void)snprintf(what, sizeof what,
                       "restitution %.3g at %g m/s cannot be had%s: the nearest is "
                       "%.3g (+- %.2g)",
                       wanted, r->wished.impact_speed, step, r->forecast.restitution,
                       r->forecast.spread);
    }
    // What would help
    if (r->verdict.best_step > 0.0) {
        (void)snprintf(remedy, sizeof remedy, "; a step of %.2g s %s", r->verdict.best_step,
                       sinks ? "does not" : "gives it");
    } else {
        (void)snprintf(remedy, sizeof remedy, "; no step that was tried %s",
                       sinks ? "does better" : "gives it");
    }
    (void)snprintf(text, size, "%s%s", what, what[0] == '\0' ? "" : remedy);
}

bool hf_cli_contacts_have_numbers(hf_method_type method)
{
    return !hf_method_info_get(method)->exact;
}

void hf_cli_warn_contacts(const hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    bool numbers = hf_cli_contacts_have_numbers(hf_sim_method(sim).type);
    int forces = hf_model_get_info(model).forces, looked_at = 0, warnings = 0;
    for (int id = 1; id <= forces && looked_at < MOST_LOOKED_AT && warnings < MOST_WARNINGS; ++id) {
        hf_contact_report report;
        char text[360];
        if (!hf_model_contact(model, (hf_force){id}, &report)) {
            continue;
        }
        const char *name = hf_model_force_name(model, (hf_force){id});
        ++looked_at;
        hf_cli_contact_shortfall(&report, text, sizeof text);
        if (numbers && text[0] != '\0') {
            hf_cli_warning("contact '%s': %s", name, text);
            ++warnings;
        }
        if (report.start_depth > HF_CLI_NO_DEPTH) {
            hf_cli_warning("contact '%s': the bodies begin %.3g m deep in each other", name,
                           report.start_depth);
            ++warnings;
        }
    }
}
