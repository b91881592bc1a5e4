// SPDX-License-Identifier: Apache-2.0
// The summary of a run as JSON.
#include "base/json.h"
#include "cli/choices.h"
#include "cli/contacts.h"
#include "cli/loops.h"
#include "cli/nlp.h"
#include "cli/summary.h"
#include "record/scene.h"
#include "sim/method_info.h"

enum { NAME_SIZE = 512 };

static void write_solver(hf_json *json, const hf_method_def *method, const hf_sim_stats *stats)
{
    hf_json_begin(json, "solver");
    hf_json_text(json, "method", hf_fc3d_method_name((hf_fc3d_method)method->solver));
    hf_json_number(json, "theta", method->theta);
    hf_json_number(json, "tolerance", method->tolerance);
    hf_json_number(json, "penetration", method->penetration);
    hf_json_number(json, "worst_residual", stats->worst_residual);
    hf_json_count(json, "unsolved_steps", stats->unsolved_steps);
    hf_json_count(json, "unmet_steps", stats->unmet_steps);
    hf_json_number(json, "worst_unmet", stats->worst_unmet);
    hf_json_count(json, "most_contacts", stats->most_contacts);
    hf_json_count(json, "iterations", stats->solver_iterations);
    hf_json_count(json, "most_iterations", stats->most_iterations);
    hf_json_count(json, "most_turns", stats->most_turns);
    hf_json_count(json, "free_steps", stats->free_steps);
    hf_json_count(json, "warm_steps", stats->warm_steps);
    hf_json_begin(json, "steps");
    for (int i = 0; i < HF_FC3D_METHOD_COUNT; ++i) {
        hf_json_count(json, hf_fc3d_method_name((hf_fc3d_method)i), stats->solved_by[i]);
    }
    hf_json_end(json);
    hf_json_number(json, "largest_correction", stats->largest_correction);
    hf_json_count(json, "lowered_impacts", stats->lowered_impacts);
    hf_json_count(json, "cut_steps", stats->cut_steps);
    hf_json_count(json, "passages", stats->passages);
    hf_json_end(json);
}

static void write_head(hf_json *json, const hf_cli_outcome *o)
{
    hf_method_def method = hf_sim_method(o->sim);
    hf_sim_stats stats = hf_sim_get_stats(o->sim);
    // The verdict, and why
    hf_json_text(json, "status", o->status);
    hf_json_text(json, "message", o->message);
    hf_verdict verdict = *o->verdict;
    hf_json_begin(json, "verdict");
    hf_json_text(json, "verdict", verdict.trustworthy ? "trustworthy" : "doubtful");
    hf_json_text(json, "why", verdict.why);
    if (verdict.within[0] != '\0') {
        hf_json_text(json, "within", verdict.within);
    }
    hf_json_number(json, "ledger", verdict.ledger);
    hf_json_flag(json, "compared", verdict.compared);
    hf_json_end(json);
    hf_cli_verify_write(json, o->verify);
    // The run
    hf_json_text(json, "model", o->model_word);
    hf_json_text(json, "title", hf_model_name(hf_sim_model(o->sim)));
    hf_json_text(json, "version", HF_VERSION);
    hf_json_text(json, "method", hf_method_name(method.type));
    hf_json_number(json, "step", method.step);
    hf_json_number(json, "duration", o->duration);
    hf_json_number(json, "time", hf_sim_time(o->sim));
    hf_json_count(json, "steps", stats.steps);
    hf_json_count(json, "evaluations", stats.evaluations);
    // What the method tells of itself
    if (hf_method_is_adaptive(method.type)) {
        hf_json_text(json, "family", hf_family_name(method.family));
        hf_json_number(json, "rtol", method.rtol);
        hf_json_number(json, "atol", method.atol);
        hf_json_count(json, "observations", stats.observations);
        hf_json_count(json, "internal_steps", stats.internal_steps);
        hf_json_count(json, "error_failures", stats.error_failures);
        hf_json_count(json, "solve_failures", stats.solve_failures);
        hf_json_count(json, "restarts", stats.restarts);
        hf_json_count(json, "events", stats.events);
        hf_json_count(json, "chatter_events", stats.chatter_events);
    }
    if (hf_method_key_find(hf_method_info_get(method.type), "solver") != NULL) {
        write_solver(json, &method, &stats);
    }
    // How long it took, and what was recorded
    hf_json_number(json, "wall_seconds", o->wall_seconds);
    hf_json_number(json, "real_time_factor", hf_cli_real_time_factor(o));
    hf_json_number(json, "largest_penetration", stats.largest_penetration);
    if (o->output != NULL) {
        hf_json_text(json, "output", o->output);
        hf_json_count(json, "samples", o->samples);
    }
}

static void write_timing(hf_json *json, const hf_cli_timing *timing)
{
    hf_json_begin(json, "clock");
    hf_json_count(json, "steps", timing->steps);
    hf_json_count(json, "missed", timing->missed);
    hf_json_number(json, "late_median", timing->median);
    hf_json_number(json, "late_99_percent", timing->most);
    hf_json_number(json, "late_most", timing->latest);
    hf_json_end(json);
}

static void write_sizes(hf_json *json, const hf_model *model)
{
    hf_model_info info = hf_model_get_info(model);
    hf_json_begin(json, "machine");
    hf_json_count(json, "bodies", info.bodies);
    hf_json_count(json, "trees", info.trees);
    hf_json_count(json, "forces", info.forces);
    hf_json_count(json, "signals", info.signals);
    hf_json_count(json, "coordinates", info.coordinates);
    hf_json_count(json, "velocities", info.velocities);
    hf_json_count(json, "law_states", info.law_states);
    hf_json_end(json);
}

static void write_energy(hf_json *json, hf_sim *sim)
{
    hf_energy e = hf_sim_energy(sim);
    hf_json_begin(json, "energy");
    hf_json_energy(json, &e);
    hf_json_number(json, "relative_residual", hf_cli_relative_residual(&e));
    hf_json_end(json);
}

// Friction laws as "laws", everything else as "forces".
static void write_forces(hf_json *json, hf_sim *sim, const char *key, bool friction)
{
    const hf_model *model = hf_sim_model(sim);
    int count = hf_model_get_info(model).forces;
    hf_json_begin(json, key);
    for (int id = 1; id <= count; ++id) {
        hf_force_stats s = hf_sim_force_stats(sim, (hf_force){id});
        if (s.friction != friction) {
            continue;
        }
        hf_json_begin(json, hf_model_force_name(model, (hf_force){id}));
        hf_json_force_stats(json, &s);
        hf_json_end(json);
    }
    hf_json_end(json);
}

static void write_events(hf_json *json, const hf_cli_outcome *o)
{
    if (o->events->kept == 0) {
        return;
    }
    hf_json_begin_list(json, "event_list");
    for (int i = 0; i < o->events->kept; ++i) {
        const hf_event *event = &o->events->items[i];
        hf_json_begin(json, NULL);
        hf_json_number(json, "time", event->time);
        hf_json_text(json, "force", hf_model_force_name(hf_sim_model(o->sim), event->force));
        hf_json_count(json, "from", event->from);
        hf_json_count(json, "to", event->to);
        hf_json_end(json);
    }
    hf_json_end_list(json);
}

static void write_final(hf_json *json, hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    hf_json_begin(json, "final");
    hf_json_number(json, "time", hf_sim_time(sim));
    for (int i = 0; i < hf_model_record_count(model); ++i) {
        hf_channel channel = hf_model_record_channel(model, i);
        char name[NAME_SIZE];
        hf_model_channel_name(model, channel, name, sizeof name);
        hf_json_number(json, name, hf_sim_value(sim, channel));
    }
    hf_json_end(json);
}

void hf_cli_print_json(const hf_cli_outcome *outcome)
{
    hf_json json = {.file = stdout};
    hf_json_begin(&json, NULL);
    write_head(&json, outcome);
    if (outcome->timing != NULL) {
        write_timing(&json, outcome->timing);
    }
    write_sizes(&json, hf_sim_model(outcome->sim));
    write_energy(&json, outcome->sim);
    write_forces(&json, outcome->sim, "laws", true);
    write_forces(&json, outcome->sim, "forces", false);
    if (hf_cli_contacts_have_numbers(hf_sim_method(outcome->sim).type)) {
        hf_cli_write_choices(&json, hf_sim_model(outcome->sim));
    }
    hf_cli_write_loops(&json, outcome->sim);
    hf_sim_stats stats = hf_sim_get_stats(outcome->sim);
    hf_cli_write_nlp(&json, &stats);
    write_events(&json, outcome);
    write_final(&json, outcome->sim);
    hf_json_end(&json);
}
