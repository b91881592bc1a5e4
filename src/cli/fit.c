// SPDX-License-Identifier: Apache-2.0
// holdfast fit: from logs to parameters with error bars.
#include "cli/fit.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/report.h"

// Something could not be determined: the exit code besides those of every command.
enum { NOT_IDENTIFIED = 3 };

static volatile sig_atomic_t stop_wanted = 0;

static void want_stop(int number)
{
    (void)number;
    stop_wanted = 1;
}

// The second signal ends the program at once.
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = want_stop, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

// One line, over and over, if stderr is a terminal.
static bool progress(void *context, const hf_fit_progress *p)
{
    const hf_cli_fit_options *o = context;
    if (!o->quiet && isatty(STDERR_FILENO)) {
        (void)fputc('\r', stderr);
        if (o->profiled != NULL) {
            hf_cli_put(stderr, "profile of %s, ", o->profiled);
        }
        (void)fprintf(stderr,
                      "stage %d of %d, start %d of %d, iteration %d: rms %.6g deviations, %lld "
                      "simulations\033[K",
                      p->stage, p->stages, p->start, p->starts, p->iteration, p->rms,
                      p->simulations);
    }
    return stop_wanted == 0;
}

static int exit_code(const hf_fit *fit, hf_status status)
{
    hf_fit_summary summary = hf_fit_get_summary(fit);
    if (status != HF_OK || !summary.converged) {
        return HF_CLI_FAILED;
    }
    for (int i = 0; i < summary.unknowns; ++i) {
        hf_fit_finding finding = hf_fit_get_unknown(fit, i).finding;
        if (finding == HF_FIT_TOGETHER || finding == HF_FIT_UNSEEN) {
            return NOT_IDENTIFIED;
        }
    }
    return HF_CLI_DONE;
}

// First guesses by inverse dynamics, and their table.
static bool guess(const hf_cli_fit_plan *plan, const hf_cli_fit_options *o, hf_fit *fit,
                  hf_error *error)
{
    const hf_fit_log *log = plan->logs[0];
    double rate = (double)(log->rows - 1) / (log->time[log->rows - 1] - log->time[0]);
    hf_fit_inverse found;
    const hf_fit_inverse_def def = {.cutoff = isnan(o->cutoff) ? 0.1 * rate : o->cutoff,
                                    .trim = 0.05,
                                    .every = o->thin > 0 ? (int)o->thin : 1,
                                    .apply = true};
    if (hf_fit_run_inverse(fit, &def, &found, error) != HF_OK) {
        return false;
    }
    if (o->json) {
        return true;
    }
    (void)printf("Inverse dynamics, positions filtered at %g Hz: %.4f %% of the force is left in "
                 "%lld rows\n",
                 def.cutoff, 100.0 * found.relative, found.rows);
    for (int i = 0; i < hf_fit_get_summary(fit).unknowns; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        if (isnan(found.deviations[i])) {
            hf_cli_put(stdout, "  %-34s %13.6g (does not enter linearly)\n", u.name, u.start);
        } else {
            hf_cli_put(stdout, "  %-34s %13.6g, white deviation %.4g\n", u.name, found.values[i],
                       found.deviations[i]);
        }
    }
    (void)printf("\n");
    return true;
}

void hf_cli_fit_clear(const hf_cli_fit_options *o)
{
    if (!o->quiet && isatty(STDERR_FILENO)) {
        (void)fputs("\r\033[K", stderr);
    }
}

// What came out: text or JSON, profiles, a model file and a page. False after a message.
static bool tell(const hf_cli_fit_plan *plan, hf_cli_fit_options *o, hf_fit *fit, double seconds)
{
    hf_fit_summary s = hf_fit_get_summary(fit);
    hf_cli_fit_profile *profiles = NULL;
    bool wanted = o->profile || o->report != NULL, good = true;
    if (!o->json) {
        hf_cli_fit_print(plan, fit, seconds);
        (void)fflush(stdout);
    }
    if (wanted) {
        profiles = calloc((size_t)s.unknowns + 1, sizeof *profiles);
        if (profiles == NULL) {
            (void)hf_cli_error("out of memory");
            return false;
        }
        good = hf_cli_fit_find_profiles(fit, o, profiles);
        hf_cli_fit_clear(o);
    }
    if (o->json) {
        hf_cli_fit_print_json(plan, fit, o->profile ? profiles : NULL, stdout);
    } else if (o->profile) {
        hf_cli_fit_print_profiles(fit, s.cost, profiles);
    }
    good = (o->output == NULL || hf_cli_fit_write_model(plan, fit, o->output)) && good;
    good = (o->report == NULL || hf_cli_fit_write_page(plan, fit, profiles, o->report)) && good;
    free(profiles);
    return good;
}

static int run(const hf_cli_fit_plan *plan, hf_cli_fit_options *o)
{
    hf_error error = {0};
    // The problem
    hf_fit *fit = hf_fit_create(&plan->def, &error);
    if (fit == NULL) {
        hf_cli_report(&error);
        return HF_CLI_USAGE;
    }
    // Its solution, from inverse dynamics where that is asked for
    catch_signals();
    double begin = hf_cli_now();
    hf_status status = o->inverse && !guess(plan, o, fit, &error) ? error.status : HF_OK;
    status = status == HF_OK ? hf_fit_run(fit, &error) : status;
    hf_cli_fit_clear(o);
    int code = HF_CLI_FAILED;
    if (status < 0) {
        hf_cli_report(&error);
        hf_cli_fit_print_tries(fit, stderr);
    } else {
        code = exit_code(fit, status);
        code = tell(plan, o, fit, hf_cli_now() - begin) ? code : HF_CLI_FAILED;
    }
    hf_fit_destroy(fit);
    return code;
}

static void prepare(void *options)
{
    hf_cli_fit_options *o = options;
    o->loss_scale = (double)NAN;
    o->cutoff = (double)NAN;
}

// What has no effect without another option, of the command line or of the section `fit`.
static bool check_company(const hf_cli_fit_options *o)
{
    bool bends = o->loss != NULL && strcmp(o->loss, "squares") != 0;
    const struct {
        bool alone;
        const char *option, *needs;
    } table[] = {
        {!isnan(o->cutoff) && !o->inverse, "cutoff", "--inverse, whose filter it is of"},
        {o->thin > 0 && !o->inverse, "thin", "--inverse, whose rows it thins"},
        {!isnan(o->loss_scale) && !bends, "loss-scale", "--loss soft-l1 or huber"},
        {o->per_log && o->offsets.count + o->scales.count == 0, "per-log", "--offset or --scale"},
        {o->seed > 0 && o->starts < 2 && o->evolve == 0, "seed", "--starts or --evolve"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        if (table[i].alone) {
            (void)hf_cli_usage_error("fit", "--%s goes with %s", table[i].option, table[i].needs);
            return false;
        }
    }
    return true;
}

static int start(void *options, const hf_cli_list *operands)
{
    hf_cli_fit_options *o = options;
    hf_cli_fit_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return hf_cli_error("out of memory");
    }
    int code = HF_CLI_USAGE;
    bool named = o->report == NULL || hf_cli_page_check_name("fit", o->report);
    if (!named || !hf_cli_fit_section(plan, operands->items[0], o) || !check_company(o)) {
        hf_cli_fit_plan_free(plan);
        return code;
    }
    if (o->laws != NULL) {
        catch_signals();
        code = hf_cli_fit_laws(operands->items[0], o, progress);
    } else if (hf_cli_fit_plan_make(plan, operands->items[0], o)) {
        plan->def.progress = progress;
        plan->def.progress_context = o;
        code = run(plan, o);
    }
    hf_cli_fit_plan_free(plan);
    return code;
}

#define AT(member) offsetof(hf_cli_fit_options, member)

static const hf_cli_option table[] = {
    {"log", 0, "FILE", "fit to this log, CSV or HDF5; may be repeated", HF_CLI_LIST, AT(logs),
     HF_CLI_WORD_FILE, "FILE:kp=100,load=2 adds columns with these numbers in every row."},
    {"validate", 0, "FILE", "judge by this log, which is not fitted to; may be repeated",
     HF_CLI_LIST, AT(validations), HF_CLI_WORD_FILE, NULL},
    {"input", 0, "S=X", "the model's input S is the log's column X; may be repeated", HF_CLI_LIST,
     AT(inputs), HF_CLI_WORD_ANY,
     "X may be an expression of columns, such as 35.15*voltage. X@0.025 is felt 25 ms later, "
     "X@free by a delay that is fitted."},
    {"match", 0, "C=X", "the log's column X measured the channel C; may be repeated", HF_CLI_LIST,
     AT(matches), HF_CLI_WORD_ANY,
     "X may be an expression of columns. X:0.001 gives the standard deviation of its error, which "
     "is estimated otherwise."},
    {"free", 0, "P", "fit the number P, or all that fit a pattern with *; may be repeated",
     HF_CLI_LIST, AT(frees), HF_CLI_WORD_ANY,
     "P is a parameter of the model, an entry of its file as --set names it, or a name as in "
     "parameter.h. P=0..5 gives bounds, either of which may be left out. Several are separated by "
     "commas."},
    {"prior", 0, "P=V:D", "P is known to be V with the standard deviation D; may be repeated",
     HF_CLI_LIST, AT(priors), HF_CLI_WORD_ANY, NULL},
    {"offset", 0, "C", "fit a constant error of the sensor of C; may be repeated", HF_CLI_LIST,
     AT(offsets), HF_CLI_WORD_ANY, NULL},
    {"scale", 0, "C", "fit a factor of the sensor of C; may be repeated", HF_CLI_LIST, AT(scales),
     HF_CLI_WORD_ANY, NULL},
    {"per-log", 0, NULL, "offsets and scales are numbers of their own in each log", HF_CLI_FLAG,
     AT(per_log), HF_CLI_WORD_ANY, NULL},
    {"each-log", 0, "P", "each log has its own number P, which is free; may be repeated",
     HF_CLI_LIST, AT(each_logs), HF_CLI_WORD_ANY, NULL},
    {"inverse", 0, NULL, "first guesses by inverse dynamics, of what enters linearly", HF_CLI_FLAG,
     AT(inverse), HF_CLI_WORD_ANY,
     "One least squares problem on accelerations from filtered positions. The inputs must be the "
     "forces, and every coordinate must be measured."},
    {"cutoff", 0, "F", "of that filter [Hz]; a tenth of the sampling rate unless given",
     HF_CLI_NUMBER, AT(cutoff), HF_CLI_WORD_ANY, NULL},
    {"thin", 0, "N", "of its filtered rows every N-th counts; 1 unless given", HF_CLI_COUNT,
     AT(thin), HF_CLI_WORD_ANY, NULL},
    {"laws", 0, "L,L", "fit with each of these friction laws or variants, and compare them",
     HF_CLI_TEXT, AT(laws), HF_CLI_WORD_ANY,
     "L is a law that takes the place of the model's frictions, or a variant of the model. The "
     "table has errors on logs that were not fitted to (--validate; or each log is left out in "
     "turn), AIC and BIC, and which differences are within the noise. Names of --free that a law "
     "does not have are left out for it."},
    {"segments", 0, "T", "lengths of segments [s], one stage after the other; 1 unless given",
     HF_CLI_TEXT, AT(segments), HF_CLI_WORD_ANY,
     "Each segment begins at a state of its own. Short ones find the optimum from far away; 'all' "
     "is the whole log in one run. 0.5,2,all is three stages."},
    {"fixed-starts", 0, NULL, "segments begin at the measured state itself", HF_CLI_FLAG, AT(fixed),
     HF_CLI_WORD_ANY, NULL},
    {"hold", 0, "H", "inputs between samples: held (default), linear or smooth", HF_CLI_TEXT,
     AT(hold), HF_CLI_WORD_ANY, NULL},
    {"loss", 0, "L", "squares (default), soft-l1 or huber", HF_CLI_TEXT, AT(loss), HF_CLI_WORD_ANY,
     NULL},
    {"loss-scale", 0, "D", "where soft-l1 and huber bend, in deviations; 1 unless given",
     HF_CLI_NUMBER, AT(loss_scale), HF_CLI_WORD_ANY, NULL},
    {"logarithmic", 0, NULL, "search positive numbers by their logarithms", HF_CLI_FLAG,
     AT(logarithmic), HF_CLI_WORD_ANY, NULL},
    {"starts", 0, "N", "first guesses: the model's numbers and N - 1 around them", HF_CLI_COUNT,
     AT(starts), HF_CLI_WORD_ANY, NULL},
    {"evolve", 0, "N", "evaluations of CMA-ES, at most, where first guesses do not agree",
     HF_CLI_COUNT, AT(evolve), HF_CLI_WORD_ANY,
     "With --starts: where fewer than two first guesses end in the best valley. 100 for each "
     "number "
     "unless given."},
    {"seed", 0, "N", "of the first guesses; 1 unless given", HF_CLI_COUNT, AT(seed),
     HF_CLI_WORD_ANY, NULL},
    {"iterations", 0, "N", "at most, in a stage; 50 unless given", HF_CLI_COUNT, AT(iterations),
     HF_CLI_WORD_ANY, NULL},
    {"set", 0, "P=V", "give the value V to the model's entry P; may be repeated", HF_CLI_LIST,
     AT(sets), HF_CLI_WORD_ANY, NULL},
    {"output", 'o', "FILE", "write the model with the fitted numbers in place", HF_CLI_TEXT,
     AT(output), HF_CLI_WORD_FILE, NULL},
    {"report", 0, "PAGE", "write a page: measured against simulated, residuals, intervals",
     HF_CLI_TEXT, AT(report), HF_CLI_WORD_PAGE, NULL},
    {"profile", 0, NULL, "tell how the error rises with each number held off its value",
     HF_CLI_FLAG, AT(profile), HF_CLI_WORD_ANY,
     "All others are fitted anew. A side that does not rise is one that the logs do not bound."},
    {"json", 0, NULL, "print one JSON object", HF_CLI_FLAG, AT(json), HF_CLI_WORD_ANY, NULL},
    {"jobs", 0, "N", "simulations at a time; as many as there are cores unless given", HF_CLI_COUNT,
     AT(jobs), HF_CLI_WORD_ANY, NULL},
    {"quiet", 'q', NULL, "no progress", HF_CLI_FLAG, AT(quiet), HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_fit = {
    .name = "fit",
    .phrase = "find parameters of a machine from logs, with error bars",
    .usage = "MODEL --log FILE --match C=X --free P [options]",
    .about = "Finds the numbers of a model for which its simulation comes nearest to logs of the\n"
             "machine: in segments, whose starts are estimated too. Tells each number with its\n"
             "95 % interval, what the logs cannot tell, and how well logs that were not fitted to\n"
             "are met. Ends with 3 when a number cannot be determined. docs/fit.md explains.\n",
    .after =
        "\nExamples:\n"
        "  holdfast fit axis.yaml --log run.csv --input drive=35.15*voltage \\\n"
        "      --match slide.position=position --free 'bodies.slide.mass,forces.guide.level.*'\n"
        "  holdfast fit arm.yaml --log a.csv --validate b.csv --input motor=torque@free \\\n"
        "      --match arm.elbow.position=q --free 'friction' --segments 0.5,2 -o fitted.yaml\n",
    HF_CLI_ONE_MODEL,
    HF_CLI_OPTIONS(table),
    .size = sizeof(hf_cli_fit_options),
    .prepare = prepare,
    .start = start,
};
