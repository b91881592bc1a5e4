// SPDX-License-Identifier: Apache-2.0
#include "cli/contacts.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum { MOST_WARNINGS = 5, MOST_LINES = 20, MOST_LOOKED_AT = 200 };

static bool chose_something(const hf_contact_report *r)
{
    return r->wished.stiffness == 0.0 || r->wished.damping_time == 0.0 ||
           r->wished.filter_time == 0.0;
}

void hf_cli_contact_shortfall(const hf_contact_report *r, char *text, size_t size)
{
    char what[200] = "", remedy[120];
    if (!r->verdict.penetration) {
        (void)snprintf(what, sizeof what,
                       "penetration %.3g m cannot be had at a step of %g s: the nearest is %.3g m",
                       r->wished.penetration, r->site.step, r->forecast.rest_depth);
    } else if (!r->verdict.restitution) {
        bool wish = r->wished.damping_time == 0.0;
        double wanted = wish ? r->wished.restitution : r->forecast.exact;
        (void)snprintf(what, sizeof what,
                       "restitution %.3g at %g m/s cannot be had at a step of %g s: the nearest is "
                       "%.3g (+- %.2g)",
                       wanted, r->wished.impact_speed, r->site.step, r->forecast.restitution,
                       r->forecast.spread);
    }
    if (r->verdict.best_step > 0.0) {
        (void)snprintf(remedy, sizeof remedy, "; a step of %.2g s gives it", r->verdict.best_step);
    } else {
        (void)snprintf(remedy, sizeof remedy, "; no step that was tried gives it");
    }
    (void)snprintf(text, size, "%s%s", what, what[0] == '\0' ? "" : remedy);
}

void hf_cli_warn_contacts(const hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    double step = hf_sim_method(sim).step, chosen_for = hf_model_method(model).step;
    int forces = hf_model_get_info(model).forces, looked_at = 0, warnings = 0;
    bool chosen = false;
    for (int id = 1; id <= forces && looked_at < MOST_LOOKED_AT && warnings < MOST_WARNINGS; ++id) {
        hf_contact_report report;
        char text[360];
        if (!hf_model_contact(model, (hf_force){id}, &report)) {
            continue;
        }
        const char *name = hf_model_force_name(model, (hf_force){id});
        ++looked_at;
        chosen = chosen || chose_something(&report);
        hf_cli_contact_shortfall(&report, text, sizeof text);
        if (text[0] != '\0') {
            hf_cli_warning("contact '%s': %s", name, text);
            ++warnings;
        }
        if (report.start_depth > 0.0) {
            hf_cli_warning("contact '%s': the bodies begin %.3g m deep in each other", name,
                           report.start_depth);
            ++warnings;
        }
    }
    if (chosen && step > chosen_for * (1.0 + 1e-9)) {
        hf_cli_warning("contacts chose their numbers for a step of %g s, and this one is %g s; "
                       "--set method.step=%g lets them choose anew",
                       chosen_for, step, step);
    }
}

void hf_cli_print_choices(const hf_model *model)
{
    int forces = hf_model_get_info(model).forces, lines = 0;
    for (int id = 1; id <= forces; ++id) {
        hf_contact_report r;
        if (hf_model_force_info(model, (hf_force){id}).type != HF_LAW_RIGID_CONTACT ||
            lines > MOST_LINES || !hf_model_contact(model, (hf_force){id}, &r) ||
            !chose_something(&r)) {
            continue;
        }
        if (lines == 0) {
            (void)printf("\n%-16s %12s %14s %13s %12s\n", "Chosen", "stiff. [N/m]",
                         "damp. time [s]", "filter [s]", "restitution");
        }
        if (lines++ == MOST_LINES) {
            (void)printf("  and more; 'holdfast tune' explains each\n");
            continue;
        }
        (void)printf("  %-14s %12.5g %14.4g %13.4g %12.3f\n",
                     hf_model_force_name(model, (hf_force){id}), r.chosen.stiffness,
                     r.chosen.damping_time, r.chosen.filter_time, r.forecast.restitution);
    }
}
