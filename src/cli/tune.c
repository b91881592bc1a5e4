// SPDX-License-Identifier: Apache-2.0
// holdfast tune: what contacts and frictions chose, what they will do, and what to change.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <holdfast/sim.h>

#include "cli/cli.h"
#include "cli/contacts.h"
#include "cli/model_command.h"
#include "sim/method_info.h"

static const char *origin(double wished)
{
    return wished == 0.0 ? "chosen" : "given";
}

static void print_step(const char *label, double step)
{
    if (step == 0.0) {
        (void)printf("  %-22s none: unstable at any step\n", label);
    } else if (isfinite(step)) {
        (void)printf("  %-22s %.4g s\n", label, step);
    } else {
        (void)printf("  %-22s any\n", label);
    }
}

static void print_numbers(const hf_contact_report *r, int dim)
{
    const hf_rigid_contact_def *d = &r->chosen, *w = &r->wished;
    (void)printf("  %-22s %.6g N/m (%s)\n", "stiffness", d->stiffness, origin(w->stiffness));
    (void)printf("  %-22s %.6g s (%s)\n", "damping_time", d->damping_time, origin(w->damping_time));
    (void)printf("  %-22s %.6g s (%s)\n", "filter_time", d->filter_time, origin(w->filter_time));
    (void)printf("  %-22s %.6g N/m (%s)\n", "tangent_stiffness", d->tangent_stiffness,
                 origin(w->tangent_stiffness));
    (void)printf("  %-22s %.6g s (%s)\n", "tangent_damping_time", d->tangent_damping_time,
                 origin(w->tangent_damping_time));
    if (dim == 6) {
        (void)printf("  %-22s %.6g Nm/rad (%s)\n", "spin_stiffness", d->spin_stiffness,
                     origin(w->spin_stiffness));
        (void)printf("  %-22s %.6g Nm/rad (%s)\n", "rolling_stiffness", d->rolling_stiffness,
                     origin(w->rolling_stiffness));
    }
}

// What stands against the wanted values: a step that is not stable, or one that does not give them.
static void contact_verdict(const hf_contact_report *r, double largest_step, char *text,
                            size_t size)
{
    hf_cli_contact_shortfall(r, text, size);
    if (r->site.scheme != HF_CONTACT_ADAPTIVE && !(r->site.step <= largest_step)) {
        (void)snprintf(text, size,
                       "the step, %g s, is too large: take %.3g s, or leave the %s open",
                       r->site.step, 0.7 * largest_step, "numbers of this contact");
    }
}

// Methods with exact contacts have no stiffness.
static void print_rigid(const hf_contact_report *r)
{
    (void)printf("  %-22s %.4g at any speed (%s)\n", "restitution", r->chosen.restitution,
                 r->wished.damping_time > 0.0 ? "what the numbers given deliver" : "as wanted");
    (void)printf("  %-22s rigid: stiffness and times have no influence\n", "verdict");
}

static void print_contact(const hf_contact_report *r, int dim, double largest_step)
{
    const hf_contact_forecast *f = &r->forecast;
    char shortfall[360];
    contact_verdict(r, largest_step, shortfall, sizeof shortfall);
    // The mass it acts on, and what was wanted
    (void)printf("  %-22s %.6g kg along the normal, %.6g kg along the surface\n", "effective mass",
                 r->site.mass, r->site.tangent_mass);
    if (r->wished.damping_time == 0.0) {
        (void)printf("  %-22s restitution %g at %g m/s\n", "wanted", r->wished.restitution,
                     r->wished.impact_speed);
    }
    if (r->wished.penetration > 0.0) {
        (void)printf("  %-22s penetration at most %g m at rest\n", "wanted", r->wished.penetration);
    }
    // What was chosen, and what comes of it
    print_numbers(r, dim);
    (void)printf("  %-22s %.4f at %g m/s (+- %.4f by where in a step the impact falls)\n",
                 "restitution", f->restitution, r->chosen.impact_speed, f->spread);
    (void)printf("  %-22s %.3g m at rest, %.3g m in an impact of %g m/s, which lasts %.3g s\n",
                 "penetration", f->rest_depth, f->impact_depth, r->chosen.impact_speed,
                 f->contact_seconds);
    // Whether the step can follow it
    if (r->site.scheme == HF_CONTACT_ADAPTIVE) {
        (void)printf("  %-22s %.4g rad/s\n", "frequency", f->frequency);
    } else {
        (void)printf("  %-22s %.3g%s\n", "frequency x step", f->frequency_step,
                     r->site.scheme == HF_CONTACT_RK4 ? " (at most 0.3 for a true restitution)"
                                                      : "");
        print_step("largest stable step", largest_step);
    }
    if (r->start_depth > HF_CLI_NO_DEPTH) {
        (void)printf("  %-22s the bodies begin %.3g m deep in each other\n", "start",
                     r->start_depth);
    }
    // The verdict
    const char *fine =
        r->site.scheme == HF_CONTACT_ADAPTIVE ? "as wanted" : "as wanted at this step";
    (void)printf("  %-22s %s\n", "verdict", shortfall[0] == '\0' ? fine : shortfall);
}

// Any other law: held, it is a spring-damper on its mass.
static void print_other(const hf_sim *sim, const hf_stability *s)
{
    double step = hf_sim_method(sim).step;
    if (isfinite(s->effective_mass)) {
        (void)printf("  %-22s %.6g kg (kg m^2 where it turns)\n", "effective mass",
                     s->effective_mass);
    }
    (void)printf("  %-22s %.6g N/m, damping %.6g Ns/m\n", "stiffness", s->stiffness, s->damping);
    (void)printf("  %-22s %.3g\n", "frequency x step",
                 sqrt(s->stiffness / s->effective_mass) * step);
    if (s->stiffness > 0.0 && s->damping > 0.0) {
        const hf_method_info *info = hf_method_info_get(hf_sim_method(sim).type);
        char limit[60] = "no limit";
        if (info->slip_steps > 0.0) {
            (void)snprintf(limit, sizeof limit, "below %.4g", info->slip_steps);
        }
        (void)printf("  %-22s %.3g (%s for %s in slip)\n", "step K/B",
                     step * s->stiffness / s->damping, limit, info->name);
    }
    print_step("largest stable step", s->largest_step);
    if (step > s->largest_step) {
        (void)printf("  %-22s the step, %g s, is too large: take %.3g s, a stiffness %.2g times "
                     "as large, or a method that runs it at this step\n",
                     "verdict", step, 0.7 * s->largest_step,
                     0.5 * s->largest_step * s->largest_step / (step * step));
    } else {
        (void)printf("  %-22s stable at this step\n", "verdict");
    }
}

static void print_force(hf_sim *sim, hf_force force)
{
    const hf_model *model = hf_sim_model(sim);
    hf_force_info info = hf_model_force_info(model, force);
    hf_contact_report report;
    if (info.info == NULL || info.info->kind == HF_KIND_SPRING ||
        info.info->kind == HF_KIND_CONTROLLER) {
        return;
    }
    hf_stability stability = hf_sim_stability(sim, force);
    bool contact = hf_model_contact(model, force, &report);
    (void)printf("\n%s '%s', law %s\n", contact ? "contact" : "friction", info.name, info.law);
    if (contact && !hf_cli_contacts_have_numbers(hf_sim_method(sim).type)) {
        print_rigid(&report);
    } else if (contact) {
        print_contact(&report, info.coupling.turning ? 6 : info.dim, stability.largest_step);
    } else {
        print_other(sim, &stability);
    }
}

static int look(const char *word, const hf_overrides *overrides, hf_sim *sim)
{
    (void)overrides;
    const hf_model *model = hf_sim_model(sim);
    hf_method_def method = hf_sim_method(sim);
    const char *name = hf_model_name(model);
    hf_cli_put(stdout, "%s: method %s, step %g s\n", name[0] == '\0' ? word : name,
               hf_method_name(method.type), method.step);
    int forces = hf_model_get_info(model).forces;
    for (int id = 1; id <= forces; ++id) {
        print_force(sim, (hf_force){id});
    }
    return HF_CLI_DONE;
}

static int start(void *options, const hf_cli_list *operands)
{
    return hf_cli_look_at_model(operands->items[0], options, look);
}

const hf_cli_command hf_cli_command_tune = {
    .name = "tune",
    .phrase = "explain the numbers of contacts and frictions",
    .usage = "MODEL [--set P=V]...",
    .about =
        "Explains the numbers of every contact and friction: the mass that it feels, what was\n"
        "chosen for it, the restitution and penetration to expect, how its frequency stands\n"
        "to the step, and what to change where a wanted value cannot be met at this step.\n",
    .after = "\nTry another step with --set method.step=1e-4.\n",
    HF_CLI_ONE_MODEL,
    .options = &hf_cli_set_option,
    .option_count = 1,
    .size = sizeof(hf_cli_model_options),
    .start = start,
};
