// SPDX-License-Identifier: Apache-2.0
// holdfast run
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/models.h>
#include <holdfast/record.h>

#include "cli/account.h"
#include "cli/advice.h"
#include "cli/cli.h"
#include "cli/clock.h"
#include "cli/contacts.h"
#include "cli/dump.h"
#include "cli/falls.h"
#include "cli/input.h"
#include "cli/loops.h"
#include "cli/model_source.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/run_options.h"
#include "cli/sensitivity.h"
#include "cli/shapes.h"
#include "cli/state_file.h"
#include "cli/stop.h"
#include "cli/summary.h"
#include "cli/verify.h"
#include "record/format.h"

typedef struct run {
    hf_cli_run_options options;
    hf_cli_plan plan;
    hf_model *model;
    hf_sim *sim;
    hf_record *record; // NULL: not recorded
    hf_cli_page page;
    hf_record *pictures; // for the page alone; NULL: it is made from `record`, or not at all
    hf_cli_advice advice;
    hf_cli_input *input;             // NULL: none
    hf_cli_sensitivity *sensitivity; // NULL: none
    const hf_overrides *overrides;   // that made the model
    hf_cli_verify *verify;           // the run with another step
    hf_verdict verdict;
    hf_cli_clock clock; // of a run on the clock
    hf_cli_events events;
    int events_recorded;
    hf_cli_dump dump;
    hf_cli_falls falls;
    hf_status status; // HF_OK, HF_INTERRUPTED or an error
    hf_error error;
    long long begun; // steps of the run that it goes on from
    bool streams;    // each row is read by another program as it comes
    long long samples;
    double wall_seconds;
} run;

// Hands on the events since the last call.
static hf_status record_events(run *r, hf_error *error)
{
    hf_status status = HF_OK;
    for (; status == HF_OK && r->events_recorded < r->events.kept; ++r->events_recorded) {
        const hf_event *event = &r->events.items[r->events_recorded];
        status = r->pictures == NULL ? HF_OK : hf_record_event(r->pictures, event, error);
        if (status == HF_OK && r->record != NULL) {
            status = hf_record_event(r->record, event, error);
        }
    }
    return status;
}

static hf_status sample(run *r)
{
    if (record_events(r, &r->error) != HF_OK) {
        return r->error.status;
    }
    if (r->pictures != NULL && hf_record_sample(r->pictures, r->sim, &r->error) != HF_OK) {
        return r->error.status;
    }
    if (r->record == NULL) {
        return HF_OK;
    }
    hf_status status = hf_record_sample(r->record, r->sim, &r->error);
    r->samples += status == HF_OK ? 1 : 0;
    return status == HF_OK && r->streams ? hf_record_flush(r->record, &r->error) : status;
}

// Between samples: what was recorded does not wait longer than promised.
static hf_status poll_records(run *r)
{
    if (record_events(r, &r->error) != HF_OK) {
        return r->error.status;
    }
    hf_status status = r->pictures == NULL ? HF_OK : hf_record_poll(r->pictures, &r->error);
    return status != HF_OK || r->record == NULL ? status : hf_record_poll(r->record, &r->error);
}

// Waits for the step's time, gives it its inputs, and makes it. HF_INTERRUPTED: a signal came.
static hf_status step(run *r, long long k)
{
    if (r->options.realtime) {
        while (!hf_cli_clock_wait(&r->clock, k)) {
            if (hf_cli_stop_wanted(NULL)) {
                return HF_INTERRUPTED;
            }
        }
        hf_cli_clock_begin(&r->clock, k);
    }
    if (r->input != NULL) {
        hf_status status = hf_cli_input_apply(r->input, r->sim, &r->error);
        if (status != HF_OK || hf_cli_stop_wanted(NULL)) {
            return status != HF_OK ? status : HF_INTERRUPTED;
        }
    }
    hf_status status = hf_sim_step(r->sim, &r->error);
    if (status == HF_OK) {
        hf_cli_verify_step(r->verify, k + 1);
    }
    return status == HF_ERROR_STOPPED ? HF_INTERRUPTED : status;
}

// Steps between looks at the clock, for the progress bar.
enum { CLOCK_STEPS = 16 };

static hf_status step_through(run *r)
{
    hf_cli_progress progress = hf_cli_progress_begin(!r->options.quiet);
    hf_status status = sample(r);
    long long k = r->begun;
    bool sampled = true;
    // Steps: on the clock, where that is asked for
    if (r->options.realtime) {
        hf_cli_clock_start(&r->clock, r->plan.sim.method.step, k);
    }
    while (status == HF_OK && k < r->plan.steps && !hf_cli_stop_wanted(NULL)) {
        status = step(r, k);
        if (status != HF_OK) {
            break;
        }
        k += 1;
        status = hf_cli_dump_step(&r->dump, r->sim, &r->error);
        if (status != HF_OK) {
            break;
        }
        sampled = k % r->options.every == 0 || k == r->plan.steps;
        status = sampled ? sample(r) : poll_records(r);
        if (r->options.realtime) {
            hf_cli_clock_end(&r->clock, k - 1);
        }
        if (k % CLOCK_STEPS == 0) {
            hf_cli_progress_update(&progress, (double)k / (double)r->plan.steps,
                                   hf_sim_time(r->sim));
        }
    }
    // How it ended
    hf_cli_progress_end(&progress);
    if (status == HF_OK && r->options.realtime && k == r->plan.steps) {
        (void)hf_cli_clock_wait(&r->clock, k); // the last step's end
    }
    if (status == HF_INTERRUPTED || (status == HF_OK && k < r->plan.steps)) {
        status = HF_INTERRUPTED;
        (void)snprintf(r->error.text, sizeof r->error.text, "interrupted at t = %g s",
                       hf_sim_time(r->sim));
    }
    // The last state belongs to the recording, however the run ended.
    if (!sampled && (status == HF_INTERRUPTED || status == HF_ERROR_NOT_FINITE)) {
        hf_error unused;
        if (r->pictures != NULL) {
            (void)!hf_record_sample(r->pictures, r->sim, &unused);
        }
        if (r->record != NULL && hf_record_sample(r->record, r->sim, &unused) == HF_OK) {
            r->samples += 1;
        }
    }
    return status;
}

static void report_end(const run *r)
{
    if (r->status == HF_INTERRUPTED) {
        hf_cli_put(stderr, "holdfast: %s\n", r->error.text);
    } else if (r->status != HF_OK) {
        hf_cli_report(&r->error);
    }
    if (r->status == HF_ERROR_NOT_FINITE && r->advice.too_large > 0) {
        char label[160];
        hf_cli_force_label(r->sim, r->advice.force, label, sizeof label);
        (void)fprintf(
            stderr,
            "holdfast: likely cause: the step, %g s, is too large for %s, which is stable "
            "up to %.3g s\n",
            hf_sim_method(r->sim).step, label, r->advice.stability.largest_step);
    }
}

static void print_outcome(const run *r)
{
    if ((r->options.quiet && !r->options.json) || r->streams) {
        return;
    }
    const hf_cli_timing timing = hf_cli_clock_timing(&r->clock);
    const hf_cli_outcome outcome = {
        .timing = r->options.realtime ? &timing : NULL,
        .model_word = r->options.model,
        .sim = r->sim,
        .duration = r->plan.duration,
        .wall_seconds = r->wall_seconds,
        .status = r->status == HF_OK ? "completed"
                                     : (r->status == HF_INTERRUPTED ? "interrupted" : "failed"),
        .message = r->status == HF_OK ? "" : r->error.text,
        .output = r->options.output,
        .samples = r->samples,
        .events = &r->events,
        .verify = r->verify,
        .verdict = &r->verdict,
    };
    if (r->options.json) {
        hf_cli_print_json(&outcome);
    } else {
        hf_cli_print_summary(&outcome);
    }
}

static bool open_record(run *r, const char *path, hf_record **record)
{
    hf_record_def def = hf_record_def_default(r->model);
    def.duration = r->plan.duration;
    hf_cli_sensitivity_columns(r->sensitivity, &def);
    *record = hf_record_create(path, r->sim, &def, &r->error);
    if (*record == NULL) {
        hf_cli_report(&r->error);
    }
    return *record != NULL;
}

static void close_record(run *r, hf_record *record)
{
    hf_error closing = {0};
    if (record != NULL) {
        hf_record_set_verdict(record, &r->verdict);
    }
    hf_status closed = hf_record_close(record, &closing);
    if (closed < 0 && r->status >= 0) { // a failed write was reported by the sample already
        r->status = closed;
        r->error = closing;
    }
}

// With --strict a run that cannot be trusted has failed.
static bool is_accepted(run *r)
{
    if (!r->options.strict) {
        return true;
    }
    if (!r->verdict.trustworthy) {
        hf_cli_put(stderr, "holdfast: doubtful: %s\n", r->verdict.why);
    }
    return r->verdict.trustworthy;
}

// Why the run is not compared with another step; NULL: it is. It costs time, and is left out where
// nobody sees the verdict.
static const char *why_not_compared(const run *r)
{
    const hf_cli_run_options *o = &r->options;
    bool seen = o->json || o->strict || o->report != NULL || !(o->quiet || r->streams);
    if (o->no_verify || o->realtime || o->from != NULL) {
        return o->no_verify  ? "--no-verify"
               : o->realtime ? "it runs on the clock"
                             : "it goes on from a saved state";
    }
    if (o->verify) {
        return NULL;
    }
    if (r->input != NULL && hf_cli_input_is_live(r->input)) {
        return "its inputs come from another program (--verify repeats them)";
    }
    return seen ? NULL : o->quiet ? "--quiet" : "its rows go to another program";
}

static bool begin_verify(run *r)
{
    const hf_cli_verify_def def = {.word = r->options.model,
                                   .overrides = r->overrides,
                                   .input = r->input,
                                   .steps = r->plan.steps,
                                   .finer = r->options.verify,
                                   .why_not = why_not_compared(r)};
    if (r->input != NULL && def.why_not == NULL) {
        hf_cli_input_keep(r->input);
    }
    r->verify = hf_cli_verify_begin(&def, r->sim);
    return r->verify != NULL || (hf_cli_error("out of memory"), false);
}

// A run that failed cannot be trusted, whatever else is said of it.
static void doubt_failure(run *r)
{
    if (r->verdict.trustworthy && r->status < 0) {
        r->verdict.trustworthy = false;
        r->verdict.reasons = 1;
        (void)snprintf(r->verdict.why, sizeof r->verdict.why, "it did not reach its end");
    }
}

// By what the sim says of itself, and by the run with another step, which may still go on.
static void judge(run *r)
{
    if (r->record != NULL) {
        (void)!hf_record_flush(r->record, NULL); // a failure comes again at the close
    }
    r->verdict = hf_sim_verdict(r->sim);
    doubt_failure(r);
    hf_cli_verify_finish(r->verify, r->status == HF_OK, r->verdict.trustworthy);
    hf_cli_verify_judge(r->verify, &r->verdict);
}

// A robot without a floor falls, and its run is right: say what is missing.
static void tell_falls(run *r)
{
    double depth = 0.0;
    hf_body body = r->options.quiet ? (hf_body){0} : hf_cli_falls_find(&r->falls, r->sim, &depth);
    if (body.id != 0) {
        hf_cli_warning("'%s' fell freely, %.3g m: nothing is below it that it collides with",
                       hf_model_body_info(r->model, body).name, depth);
    }
    hf_cli_falls_end(&r->falls);
}

// The state at the end, for --from.
static void save_state(run *r)
{
    hf_error saving = {0};
    if (r->options.save == NULL || r->status < 0) {
        return;
    }
    if (hf_cli_state_save(r->options.save, r->sim, &saving) != HF_OK) {
        r->status = saving.status;
        r->error = saving;
    }
}

// Goes on from a saved state. False after a message.
static bool begin_from(run *r)
{
    if (r->options.from == NULL) {
        return true;
    }
    if (hf_cli_state_restore(r->options.from, r->sim, &r->error) != HF_OK) {
        hf_cli_report(&r->error);
        return false;
    }
    r->begun = llround(hf_sim_time(r->sim) / r->plan.sim.method.step);
    if (r->begun >= r->plan.steps) {
        (void)hf_cli_error("%s: is at t = %g s, and the run ends at %g s; see --duration",
                           r->options.from, hf_sim_time(r->sim), r->plan.duration);
        return false;
    }
    return true;
}

// Derivatives go along from the start. False after a message.
static bool begin_sensitivity(run *r, const hf_overrides *overrides)
{
    if (r->options.sensitivity.count == 0) {
        return true;
    }
    if (r->options.output == NULL && r->options.report == NULL) {
        (void)hf_cli_usage_error("run", "--sensitivity is recorded: it needs -o FILE");
        return false;
    }
    r->sensitivity =
        hf_cli_sensitivity_begin(r->options.model, overrides, r->sim, &r->options.sensitivity);
    return r->sensitivity != NULL;
}

static int run_recorded(run *r)
{
    hf_cli_falls_begin(&r->falls, r->sim);
    if (!begin_verify(r)) {
        (void)!hf_record_close(r->record, NULL);
        (void)!hf_record_close(r->pictures, NULL);
        return HF_CLI_FAILED;
    }
    double start = hf_cli_now();
    r->status = step_through(r);
    // Events since the last sample, however the run ended. A write that fails is reported at the
    // close.
    hf_error unused;
    (void)!record_events(r, &unused);
    r->wall_seconds = hf_cli_now() - start;
    judge(r);
    double end = hf_cli_now();
    close_record(r, r->record);
    close_record(r, r->pictures);
    r->wall_seconds += hf_cli_now() - end;
    save_state(r);
    doubt_failure(r);
    report_end(r);
    tell_falls(r);
    print_outcome(r);
    return r->status == HF_OK && is_accepted(r) ? HF_CLI_DONE : HF_CLI_FAILED;
}

static int run_sim(run *r)
{
    r->dump = (hf_cli_dump){
        .folder = r->options.dump, .every = r->options.dump_every, .above = r->options.dump_above};
    if (!hf_cli_dump_begin(&r->dump, r->sim)) {
        return HF_CLI_USAGE;
    }
    r->advice = hf_cli_advise(r->sim);
    hf_cli_warn_hulls(hf_sim_model(r->sim));
    hf_cli_warn_start(hf_sim_model(r->sim));
    if (hf_cli_contacts_have_numbers(hf_sim_method(r->sim).type)) {
        hf_cli_warn_contacts(r->sim);
    }
    hf_cli_catch_signals(); // before any file is made: none is left behind
    if (!hf_cli_page_begin(&r->page, r->options.report, r->options.output, r->options.model)) {
        return HF_CLI_FAILED;
    }
    int code = HF_CLI_FAILED;
    bool opened = (r->options.output == NULL || open_record(r, r->options.output, &r->record)) &&
                  (!r->page.temporary || open_record(r, r->page.recording, &r->pictures));
    if (opened) {
        code = run_recorded(r);
    } else {
        (void)!hf_record_close(r->record, NULL);
    }
    int shown = hf_cli_page_end(&r->page, opened);
    return code == HF_CLI_DONE ? shown : code;
}

static int run_model(run *r)
{
    char dropped[160] = "";
    hf_robot_options robot;
    // The machine, as the options change it
    if (!hf_cli_robot_options_of("run", r->options.model, &r->options.robot, &robot)) {
        return HF_CLI_USAGE;
    }
    const hf_overrides overrides = {.items = r->options.sets.items,
                                    .count = r->options.sets.count,
                                    .method = r->options.method,
                                    .dropped = dropped,
                                    .dropped_size = sizeof dropped,
                                    .step = isnan(r->options.step) ? 0.0 : r->options.step,
                                    .variant = r->options.variant,
                                    .robot = &robot};
    r->overrides = &overrides;
    r->model = hf_cli_load_model(r->options.model, &overrides);
    if (r->model == NULL || !hf_cli_make_plan(&r->options, r->model, &r->plan)) {
        return HF_CLI_USAGE;
    }
    // What was left out is reported, and refused where that is asked for
    hf_cli_tell_dropped(r->options.method, dropped);
    bool silent = r->options.quiet || (r->options.json && !r->options.strict);
    if (hf_cli_tell_account(r->options.model, &robot, silent) > 0 && r->options.strict) {
        (void)hf_cli_error("%s: not run: some of it is not represented, and --strict asks for all",
                           r->options.model);
        return HF_CLI_LACKS;
    }
    // The sim, its start and its inputs
    r->plan.sim.on_event = hf_cli_keep_event;
    r->plan.sim.event_context = &r->events;
    r->plan.sim.stop_wanted = hf_cli_stop_wanted;
    r->sim = hf_sim_create(r->model, &r->plan.sim, &r->error);
    if (r->sim == NULL) {
        hf_cli_report(&r->error);
        return HF_CLI_USAGE;
    }
    int code = HF_CLI_USAGE;
    bool ready = begin_from(r) && begin_sensitivity(r, &overrides);
    if (ready && r->options.input != NULL) {
        r->input = hf_cli_input_open(r->options.input, r->model, !r->options.realtime);
    }
    if (ready && (r->options.input == NULL || r->input != NULL)) {
        code = run_sim(r);
    }
    hf_cli_verify_end(r->verify);
    hf_cli_input_close(r->input);
    hf_cli_sensitivity_end(r->sensitivity);
    hf_sim_destroy(r->sim);
    free(r->events.items);
    return code;
}

int hf_cli_run(void *options, const hf_cli_list *operands)
{
    run r = {.options = *(hf_cli_run_options *)options};
    r.options.model = operands->items[0];
    r.streams = r.options.output != NULL && hf_is_standard_stream(r.options.output);
    if (!hf_cli_run_check(&r.options)) {
        return HF_CLI_USAGE;
    }
    int code = run_model(&r);
    hf_model_destroy(r.model);
    return code;
}
