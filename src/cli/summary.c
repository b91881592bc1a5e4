// SPDX-License-Identifier: Apache-2.0
// The summary of a run as text, beginning with its verdict.
#include "cli/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/choices.h"
#include "cli/cli.h"
#include "cli/contacts.h"
#include "cli/loops.h"
#include "cli/nlp.h"
#include "sim/method_info.h"

enum { MOST_LAWS = 40, MOST_CHANNELS = 60, MOST_EVENTS = 20, LONGEST_NAME = 40, NAME_SIZE = 512 };

double hf_cli_real_time_factor(const hf_cli_outcome *outcome)
{
    double time = hf_sim_time(outcome->sim);
    return outcome->wall_seconds > 0.0 ? time / outcome->wall_seconds : INFINITY;
}

double hf_cli_relative_residual(const hf_energy *energy)
{
    if (!isfinite(energy->residual) || !isfinite(energy->turnover)) {
        return INFINITY;
    }
    return energy->residual == 0.0 ? 0.0 : fabs(energy->residual) / energy->turnover;
}

// How well the contacts of the steps were solved, and by what.
static void print_solver(const hf_method_def *method, const hf_sim_stats *stats)
{
    (void)printf(
        "  solver       %s, tolerance %g: worst residual %.2g, %lld of %lld steps above the "
        "tolerance\n",
        hf_fc3d_method_name((hf_fc3d_method)method->solver), method->tolerance,
        stats->worst_residual, stats->unsolved_steps, stats->steps);
    (void)printf("  contacts     %d at most; steps: %lld without, %lld solved by the last step's "
                 "reactions",
                 stats->most_contacts, stats->free_steps, stats->warm_steps);
    for (int i = 0; i < HF_FC3D_METHOD_COUNT; ++i) {
        if (stats->solved_by[i] > 0) {
            (void)printf(", %lld by %s", stats->solved_by[i],
                         hf_fc3d_method_name((hf_fc3d_method)i));
        }
    }
    (void)printf("; %lld iterations, %d at most\n", stats->solver_iterations,
                 stats->most_iterations);
    if (stats->unmet_steps > 0) {
        (void)printf("  implicit     forces of %lld steps are not what their laws say, by %.2g of "
                     "them at worst\n",
                     stats->unmet_steps, stats->worst_unmet);
    }
    if (stats->most_turns > 0) {
        (void)printf(
            "  bounds       loaded by reactions, or in three coordinates: %d turns at most\n",
            stats->most_turns);
    }
}

// How far the run can be trusted, and by what.
static void print_verdict(const hf_verdict *verdict)
{
    hf_cli_paint(stdout, verdict->trustworthy ? HF_CLI_GOOD : HF_CLI_DOUBT);
    (void)fputs(verdict->trustworthy ? "trustworthy" : "doubtful", stdout);
    hf_cli_paint(stdout, HF_CLI_PLAIN);
    if (!verdict->trustworthy) {
        hf_cli_put(stdout, ": %s\n", verdict->why);
        return;
    }
    if (verdict->within[0] != '\0') {
        hf_cli_put(stdout, " within %s%s", verdict->within, verdict->compared ? "" : ",");
    }
    (void)fputs(verdict->compared ? "\n" : " by its own checks; not compared with another step\n",
                stdout);
}

static void print_head(const hf_cli_outcome *o)
{
    const hf_model *model = hf_sim_model(o->sim);
    const char *name = hf_model_name(model);
    hf_method_def method = hf_sim_method(o->sim);
    const hf_method_info *about = hf_method_info_get(method.type);
    hf_sim_stats stats = hf_sim_get_stats(o->sim);
    hf_model_info info = hf_model_get_info(model);
    // The verdict, and why
    hf_cli_put(stdout, "%s: %s, ", name[0] == '\0' ? o->model_word : name, o->status);
    print_verdict(o->verdict);
    if (o->message[0] != '\0') {
        hf_cli_put(stdout, "  %s\n", o->message);
    }
    // The machine and the method
    (void)printf("  machine      %d %s, %d %s, %d %s, %d %s\n", info.bodies,
                 info.bodies == 1 ? "body" : "bodies", info.forces,
                 info.forces == 1 ? "force" : "forces", info.coordinates,
                 info.coordinates == 1 ? "coordinate" : "coordinates", info.law_states,
                 info.law_states == 1 ? "law state" : "law states");
    (void)printf("  method       %s, step %g s\n", hf_method_name(method.type), method.step);
    if (hf_method_is_adaptive(method.type)) {
        (void)printf("  integrator   %s, rtol %g, atol %g: %lld internal steps, %lld failed error "
                     "tests, %lld restarts\n",
                     hf_family_name(method.family), method.rtol, method.atol, stats.internal_steps,
                     stats.error_failures, stats.restarts);
    }
    if (about->locates_events) {
        (void)printf("  events       %lld, of which %lld ended an accumulation\n", stats.events,
                     stats.chatter_events);
    }
    if (hf_method_key_find(about, "solver") != NULL) {
        print_solver(&method, &stats);
    }
    hf_cli_print_nlp(&stats);
    // How long it took
    (void)printf("  simulated    %g s of %g s: %lld steps, %lld evaluations\n", hf_sim_time(o->sim),
                 o->duration, stats.steps, stats.evaluations);
    (void)printf("  wall time    %.4g s, %.4g times real time\n", o->wall_seconds,
                 hf_cli_real_time_factor(o));
    hf_cli_verify_print(o->verify);
    if (o->timing != NULL) {
        (void)printf("  clock        %lld of %lld steps missed their deadline; steps began %.3g us "
                     "late (median), %.3g us (99 %%), %.3g us (most)\n",
                     o->timing->missed, o->timing->steps, 1e6 * o->timing->median,
                     1e6 * o->timing->most, 1e6 * o->timing->latest);
    }
    // What was recorded, and what contacts did
    if (o->output != NULL) {
        hf_cli_put(stdout, "  recorded     %lld samples in %s\n", o->samples, o->output);
    }
    if (stats.largest_penetration > 0.0) {
        (void)printf("  penetration  %.4g m at most\n", stats.largest_penetration);
    }
    if (stats.largest_correction > 0.0) {
        (void)printf("  correction   %.4g m or rad at most, to take back penetration\n",
                     stats.largest_correction);
    }
    if (stats.lowered_impacts > 0) {
        (void)printf(
            "  impacts      %lld with less restitution than asked for, which would have made "
            "energy\n",
            stats.lowered_impacts);
    }
    if (stats.cut_steps > 0) {
        (void)printf("  cut steps    %lld, in which bodies would have gone through each other\n",
                     stats.cut_steps);
    }
    hf_cli_print_openings(o->sim);
}

static void print_energy(const hf_cli_outcome *o)
{
    hf_energy e = hf_sim_energy(o->sim);
    const struct {
        const char *name;
        double value;
    } rows[] = {{"at the start", e.start}, {"kinetic", e.kinetic}, {"potential", e.potential},
                {"stored", e.stored},      {"input", e.input},     {"dissipated", e.dissipated}};
    (void)printf("\nEnergy [J]\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        (void)printf("  %-12s %14.7g\n", rows[i].name, hf_cli_shown(rows[i].value));
    }
    (void)printf("  %-12s %14.3g  ", "residual", hf_cli_shown(e.residual));
    if (isfinite(hf_cli_relative_residual(&e))) {
        (void)printf("(%.2g of the %.4g J turned over)\n", hf_cli_relative_residual(&e),
                     e.turnover);
    } else {
        (void)printf("(energies left the finite numbers)\n");
    }
}

static int widest(int width, const char *name)
{
    size_t length = strnlen(name, LONGEST_NAME);
    return (int)length > width ? (int)length : width;
}

static void print_laws(const hf_cli_outcome *o)
{
    const hf_model *model = hf_sim_model(o->sim);
    int forces = hf_model_get_info(model).forces, width = 10, count = 0;
    // How many frictions, and how wide their names are
    for (int id = 1; id <= forces; ++id) {
        if (hf_sim_force_stats(o->sim, (hf_force){id}).friction) {
            count += 1;
            width = widest(width, hf_model_force_name(model, (hf_force){id}));
        }
    }
    if (count == 0) {
        return;
    }
    // A line for each, as far as they fit
    (void)printf("\n%-*s %11s %11s %11s %11s %11s %13s\n", width + 2, "Friction", "stick [s]",
                 "slip [s]", "open [s]", "transitions", "heat [J]", "largest force");
    int printed = 0;
    for (int id = 1; id <= forces && printed < MOST_LAWS; ++id) {
        hf_force_stats s = hf_sim_force_stats(o->sim, (hf_force){id});
        if (s.friction) {
            printed += 1;
            (void)printf("  %-*s %11.5g %11.5g %11.5g %11lld %11.5g %13.5g\n", width,
                         hf_model_force_name(model, (hf_force){id}), s.stick_seconds,
                         s.slip_seconds, s.open_seconds, s.transitions, hf_cli_shown(s.dissipated),
                         hf_cli_shown(s.largest_force));
        }
    }
    if (printed < count) {
        (void)printf("  and %d more (--json prints all)\n", count - printed);
    }
}

static bool is_controller(const hf_model *model, hf_force force)
{
    const hf_law_info *law = hf_model_force_info(model, force).info;
    return law != NULL && law->kind == HF_KIND_CONTROLLER;
}

static void print_controllers(const hf_cli_outcome *o)
{
    const hf_model *model = hf_sim_model(o->sim);
    int forces = hf_model_get_info(model).forces, width = 10, printed = 0;
    for (int id = 1; id <= forces; ++id) {
        if (is_controller(model, (hf_force){id})) {
            width = widest(width, hf_model_force_name(model, (hf_force){id}));
        }
    }
    for (int id = 1; id <= forces && printed < MOST_LAWS; ++id) {
        if (!is_controller(model, (hf_force){id})) {
            continue;
        }
        if (printed == 0) {
            (void)printf("\n%-*s %14s %13s %13s\n", width + 2, "Controller", "at limits [s]",
                         "work in [J]", "largest force");
        }
        hf_force_stats s = hf_sim_force_stats(o->sim, (hf_force){id});
        (void)printf("  %-*s %14.5g %13.5g %13.5g\n", width,
                     hf_model_force_name(model, (hf_force){id}), s.slip_seconds,
                     hf_cli_shown(s.input), hf_cli_shown(s.largest_force));
        printed += 1;
    }
}

static void print_events(const hf_cli_outcome *o)
{
    const hf_model *model = hf_sim_model(o->sim);
    int shown = o->events->kept < MOST_EVENTS ? o->events->kept : MOST_EVENTS;
    if (shown > 0) {
        (void)printf("\nEvents\n");
    }
    for (int i = 0; i < shown; ++i) {
        const hf_event *event = &o->events->items[i];
        (void)printf("  %14.10g s  %s %s\n", event->time, hf_model_force_name(model, event->force),
                     hf_cli_event_word(event));
    }
    if (shown < o->events->count) {
        (void)printf("  and %lld more%s\n", o->events->count - shown,
                     shown < o->events->kept ? " (--json prints all)" : "");
    }
}

static void print_final(const hf_cli_outcome *o)
{
    const hf_model *model = hf_sim_model(o->sim);
    int channels = hf_model_record_count(model), width = 10;
    int shown = channels < MOST_CHANNELS ? channels : MOST_CHANNELS;
    char name[NAME_SIZE];
    for (int i = 0; i < shown; ++i) {
        hf_model_channel_name(model, hf_model_record_channel(model, i), name, sizeof name);
        width = widest(width, name);
    }
    (void)printf("\nFinal values\n  %-*s %16.10g s\n", width, "time", hf_sim_time(o->sim));
    for (int i = 0; i < shown; ++i) {
        hf_channel channel = hf_model_record_channel(model, i);
        hf_model_channel_name(model, channel, name, sizeof name);
        (void)printf("  %-*s %16.10g %s\n", width, name,
                     hf_cli_shown(hf_sim_value(o->sim, channel)),
                     hf_model_channel_unit(model, channel));
    }
    if (shown < channels) {
        (void)printf("  and %d more (--json prints all)\n", channels - shown);
    }
}

void hf_cli_print_summary(const hf_cli_outcome *outcome)
{
    print_head(outcome);
    print_energy(outcome);
    print_laws(outcome);
    print_controllers(outcome);
    if (hf_cli_contacts_have_numbers(hf_sim_method(outcome->sim).type)) {
        hf_cli_print_choices(hf_sim_model(outcome->sim));
    }
    print_events(outcome);
    print_final(outcome);
}
