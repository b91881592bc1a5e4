// SPDX-License-Identifier: Apache-2.0
// The options of `holdfast run`, and what they change in a model.
#include "cli/run_options.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/model_source.h"
#include "cli/report.h"
#include "record/format.h"

static const char about[] =
    "Simulates a machine and says what happened: steps, time, where the energy went, how long "
    "each\n"
    "friction stuck and slipped, and the final values. MODEL is a model file (its name ends in\n"
    ".yaml or has a '/') or the name of an example ('holdfast examples' lists them).\n";
static const char after[] =
    "\nEnds with 0 when the run came to its end, 1 when it failed or was interrupted (what was\n"
    "recorded is kept), 2 when the command line or the model is wrong, 3 with --strict when\n"
    "something of a robot's file is not represented.\n\n"
    "Examples:\n"
    "  holdfast run rolling-sphere -o sphere.h5\n"
    "  holdfast run arm.yaml --set bodies.block.mass=2 --step 1e-4 --json\n"
    "  holdfast run go1.xml --start home --duration 10\n";

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino && S_ISREG(first.st_mode);
}

static bool check(const hf_cli_run_options *o)
{
    // Files
    if (o->output != NULL && o->input != NULL && is_same_file(o->input, o->output)) {
        (void)hf_cli_usage_error("run", "--output: '%s' is the file that --input reads", o->output);
        return false;
    }
    if (o->output != NULL && o->json && hf_is_standard_stream(o->output)) {
        (void)hf_cli_usage_error("run", "--json: standard output is taken by --output -");
        return false;
    }
    if (o->output != NULL && hf_file_format_of(o->output) == HF_FILE_UNKNOWN) {
        (void)hf_cli_usage_error("run", "--output: '%s' must end in .csv, .h5 or .hdf5, or be -",
                                 o->output);
        return false;
    }
    if (o->report != NULL && !hf_cli_page_check_name("run", o->report)) {
        return false;
    }
    if (o->verify && (o->realtime || o->from != NULL)) {
        (void)hf_cli_usage_error("run",
                                 "--verify: runs from the start, and not on the clock: it "
                                 "does not go with --%s",
                                 o->realtime ? "realtime" : "from");
        return false;
    }
    if (o->verify && o->no_verify) {
        (void)hf_cli_usage_error("run", "--verify and --no-verify exclude each other");
        return false;
    }
    if (o->every > 1 && o->output == NULL && o->report == NULL) {
        (void)hf_cli_usage_error("run", "--every is of what -o or --report records: give one");
        return false;
    }
    // Numbers and names
    if (!isnan(o->step) && !(o->step > 0.0)) {
        (void)hf_cli_usage_error("run", "--step: expected a positive number, not %g", o->step);
        return false;
    }
    if ((!isnan(o->rtol) && !(o->rtol > 0.0)) || (!isnan(o->atol) && !(o->atol > 0.0))) {
        (void)hf_cli_usage_error("run", "--%s: expected a positive number, not %g",
                                 !isnan(o->rtol) && !(o->rtol > 0.0) ? "rtol" : "atol",
                                 !isnan(o->rtol) && !(o->rtol > 0.0) ? o->rtol : o->atol);
        return false;
    }
    if (o->method != NULL && !hf_cli_know_method("run", "method", o->method)) {
        return false;
    }
    if (!isnan(o->duration) && !(o->duration >= 0.0)) {
        (void)hf_cli_usage_error("run", "--duration: expected a number from 0 up, not %g",
                                 o->duration);
        return false;
    }
    return true;
}

// The options of single keys of the method are changes of these keys, after the others.
static void add_keys(hf_cli_run_options *o)
{
    if (o->family != NULL) {
        (void)snprintf(o->keys[0], sizeof o->keys[0], "method.family=%.40s", o->family);
        o->sets.items[o->sets.count++] = o->keys[0];
    }
    if (!isnan(o->rtol)) {
        (void)snprintf(o->keys[1], sizeof o->keys[1], "method.rtol=%.17g", o->rtol);
        o->sets.items[o->sets.count++] = o->keys[1];
    }
    if (!isnan(o->atol)) {
        (void)snprintf(o->keys[2], sizeof o->keys[2], "method.atol=%.17g", o->atol);
        o->sets.items[o->sets.count++] = o->keys[2];
    }
}

bool hf_cli_run_check(hf_cli_run_options *options)
{
    bool valid = check(options);
    if (valid) {
        add_keys(options);
    }
    return valid;
}

static void prepare(void *options)
{
    hf_cli_run_options *o = options;
    o->step = o->duration = o->rtol = o->atol = (double)NAN;
    o->every = o->dump_every = o->dump_above = 1;
}

#define TARGET(member) offsetof(hf_cli_run_options, member)

static const hf_cli_option table[] = {
    {"output", 'o', "FILE", "record the run to FILE.csv or FILE.h5, or to standard output: -",
     HF_CLI_TEXT, TARGET(output), HF_CLI_WORD_RECORDING,
     "The file can be read at any time; after a kill it lacks at most the last second. On "
     "standard\n"
     "output each row of CSV is there as soon as it is made, and no summary is printed: with\n"
     "--input - a program in any language can drive the run, a line to and a line from each step."},
    {"save", 0, "FILE", "write the state at the end of the run to FILE", HF_CLI_TEXT, TARGET(save),
     HF_CLI_WORD_FILE, "Also when the run was interrupted; not when it failed."},
    {"from", 0, "FILE", "go on from a state that --save wrote", HF_CLI_TEXT, TARGET(from),
     HF_CLI_WORD_FILE,
     "The model, method and step must be the same. The run ends at the same time as one from the\n"
     "start, and has the same bits as one that was never interrupted."},
    {"report", 0, "PAGE", "show the run in one HTML page, PAGE.html", HF_CLI_TEXT, TARGET(report),
     HF_CLI_WORD_PAGE, NULL},
    {"variant", 0, "V", "run this variant of the model", HF_CLI_TEXT, TARGET(variant),
     HF_CLI_WORD_ANY, "One of the sets of changes under its key variants."},
    {"input", 0, "FILE",
     "values of the model's inputs: FILE.csv with a column of time and one for\n"
     "each input, or - for standard input, one line a step",
     HF_CLI_TEXT, TARGET(input), HF_CLI_WORD_FILE,
     "A recording holds each value until the next. A line of standard input has the values in the\n"
     "order of the inputs, or name=value. After the end the last values stay."},
    {"realtime", 0, NULL, "step on the clock, and tell how late steps began", HF_CLI_FLAG,
     TARGET(realtime), HF_CLI_WORD_ANY,
     "Each step begins at its own time on the monotonic clock. A step does not wait for a line of\n"
     "standard input."},
    {"method", 0, "M", "method in place of the model's; keys that it does not take are left out",
     HF_CLI_TEXT, TARGET(method), HF_CLI_WORD_METHOD,
     "The model is read as if its file named the method; --set method.KEY=VALUE comes after."},
    {"step", 0, "T", "step of the method; of an adaptive one: between records [s]", HF_CLI_NUMBER,
     TARGET(step), HF_CLI_WORD_ANY,
     "If it is too large for a stiff law, a warning gives the largest stable step."},
    {"family", 0, "F", "how an adaptive method integrates", HF_CLI_TEXT, TARGET(family),
     HF_CLI_WORD_FAMILY, NULL},
    {"rtol", 0, "R", "relative tolerance of an adaptive method", HF_CLI_NUMBER, TARGET(rtol),
     HF_CLI_WORD_ANY, NULL},
    {"atol", 0, "A", "absolute tolerance of an adaptive method", HF_CLI_NUMBER, TARGET(atol),
     HF_CLI_WORD_ANY, NULL},
    {"duration", 0, "D", "how long to simulate [s]", HF_CLI_NUMBER, TARGET(duration),
     HF_CLI_WORD_ANY, NULL},
    {"set", 0, "P=V",
     "give the value V to the model's entry P, such as bodies.block.mass;\n"
     "may be repeated",
     HF_CLI_LIST, TARGET(sets), HF_CLI_WORD_ANY,
     "The path consists of keys, names of list items and indices from 0, joined by points."},
    {"sensitivity", 0, "P",
     "record derivatives by P: a parameter, initial.BODY.position,\n"
     "initial.BODY.velocity or input.SIGNAL; may be repeated",
     HF_CLI_LIST, TARGET(sensitivity), HF_CLI_WORD_ANY,
     "Every channel that is recorded, but modes, gets a column d(CHANNEL)/d(P). A pattern with *\n"
     "means all entries that it fits, as in fit --free. Exact through stops, break-aways and\n"
     "impacts under method switch."},
    HF_CLI_ROBOT_ROWS(hf_cli_run_options),
    {"every", 0, "N", "record every N-th step; the first and the last state always", HF_CLI_COUNT,
     TARGET(every), HF_CLI_WORD_ANY, NULL},
    {"dump", 0, "FOLDER", "write the friction-contact problems of each step to FOLDER", HF_CLI_TEXT,
     TARGET(dump), HF_CLI_WORD_FOLDER,
     "To FOLDER/step-NNNNNNNN.hdf5, in FCLIB's format: holdfast fc3d reads them. Steps that the\n"
     "reactions of the step before solved are left out."},
    {"dump-every", 0, "N", "of every N-th step only", HF_CLI_COUNT, TARGET(dump_every),
     HF_CLI_WORD_ANY, NULL},
    {"dump-above", 0, "N", "only what took N iterations or more; 1 by default", HF_CLI_COUNT,
     TARGET(dump_above), HF_CLI_WORD_ANY, NULL},
    {"strict", 0, NULL, "end with 1 when the run cannot be trusted", HF_CLI_FLAG, TARGET(strict),
     HF_CLI_WORD_ANY,
     "The verdict stands in the first line of the summary: the energy ledger off by more than 2 "
     "%,\n"
     "a step that is not stable, contacts that were not solved, places that depend on the step. A "
     "robot of whose file something "
     "is\n"
     "not represented is not run, and the status is 3."},
    {"no-verify", 0, NULL, "do not compare the run with one of another step", HF_CLI_FLAG,
     TARGET(no_verify), HF_CLI_WORD_ANY,
     "By default the machine runs a second time beside, with twice the step (adaptive methods: "
     "ten\n"
     "times the tolerances), and the verdict says to what part of their way places are right. "
     "Where\n"
     "places differ by more than 4 % it runs once more with half the step (a tenth of the\n"
     "tolerances), and if they still do, the verdict is doubtful. Neither is run with -q but for\n"
     "--json, --strict and --report; on the clock; from a saved state; and for other programs "
     "(-)."},
    {"verify", 0, NULL, "compare the run with one of half the step, whatever twice the step says",
     HF_CLI_FLAG, TARGET(verify), HF_CLI_WORD_ANY,
     "Of adaptive methods: of a tenth of their tolerances. It costs twice as much as the run."},
    {"json", 0, NULL, "print the summary as one JSON object", HF_CLI_FLAG, TARGET(json),
     HF_CLI_WORD_ANY, NULL},
    {"quiet", 'q', NULL, "print no summary and no progress", HF_CLI_FLAG, TARGET(quiet),
     HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_run = {
    .name = "run",
    .phrase = "simulate a machine and say what happened",
    .usage = "MODEL [-o FILE.csv|FILE.h5] [options]",
    .about = about,
    .after = after,
    HF_CLI_ONE_MODEL,
    HF_CLI_OPTIONS(table),
    .size = sizeof(hf_cli_run_options),
    .prepare = prepare,
    .start = hf_cli_run,
};

// Duration within this many steps of a whole number of steps counts as whole: 0.3 / 0.1 is not 3.
static const double STEP_TOLERANCE = 1e-6;
// Larger counts of steps are not whole numbers of doubles any more.
static const double MOST_STEPS = 9e15;

bool hf_cli_make_plan(const hf_cli_run_options *options, const hf_model *model, hf_cli_plan *plan)
{
    *plan = (hf_cli_plan){.sim = hf_cli_sim_def(model), .duration = hf_model_duration(model)};
    if (!isnan(options->duration)) {
        plan->duration = options->duration;
    }
    double step = plan->sim.method.step;
    double steps = plan->duration / step;
    if (!(steps < MOST_STEPS)) {
        (void)hf_cli_error("%g s in steps of %g s are more steps than can be counted",
                           plan->duration, step);
        return false;
    }
    plan->steps = (long long)round(steps);
    if (plan->steps == 0 && plan->duration > 0.0) {
        (void)hf_cli_error("the step (%g s) is larger than the duration (%g s)", step,
                           plan->duration);
        return false;
    }
    if (!(fabs(steps - round(steps)) <= STEP_TOLERANCE)) {
        hf_cli_warning("duration %g s is not a whole number of steps of %g s: the run ends at %g s",
                       plan->duration, step, (double)plan->steps * step);
        plan->duration = (double)plan->steps * step;
    }
    return true;
}
