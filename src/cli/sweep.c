// SPDX-License-Identifier: Apache-2.0
// holdfast sweep
#include "cli/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/examples.h"
#include "cli/model_source.h"
#include "cli/nlp.h"
#include "cli/progress.h"
#include "cli/recording.h"
#include "cli/stop.h"
#include "record/table.h"

enum { MOST_WORDS = 1000 };

// What a definition points to.
typedef struct job {
    const hf_cli_sweep_options *options;
    hf_sweep_def def;
    hf_variants all_variants;
    char *variant_text, *method_text;
    const char *variants[MOST_WORDS], *methods[MOST_WORDS];
    char label[160];
    hf_cli_progress progress;
    double start; // [s]
} job;

// ------------------------------------------------------------------------------------------------
// Options

static bool split(const char *text, char **copy, const char **words, int *count)
{
    *copy = strdup(text);
    *count = 0;
    for (char *word = *copy; word != NULL && *count < MOST_WORDS;) {
        char *comma = strchr(word, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        words[(*count)++] = word;
        word = comma == NULL ? NULL : comma + 1;
    }
    if (*copy == NULL) {
        (void)hf_cli_error("out of memory");
    }
    return *copy != NULL;
}

// A word of a list, or -1 after a message.
static int choose(const char *option, const char *word, const char *const *words, int count)
{
    for (int i = 0; i < count; ++i) {
        if (strcmp(word, words[i]) == 0) {
            return i;
        }
    }
    char list[100] = "";
    for (int i = 0; i < count; ++i) {
        size_t length = strlen(list);
        (void)snprintf(list + length, sizeof list - length, "%s%s",
                       i == 0           ? ""
                       : i + 1 == count ? " or "
                                        : ", ",
                       words[i]);
    }
    (void)hf_cli_usage_error("sweep", "--%s: expected %s, not '%s'", option, list, word);
    return -1;
}

static bool read_choices(job *j)
{
    static const char *const designs[] = {"random", "lhs", "sobol"};
    static const char *const indices[] = {"sobol", "morris"};
    const hf_cli_sweep_options *o = j->options;
    if (o->indices != NULL) {
        int k = choose("indices", o->indices, indices, 2);
        j->def.indices = k == 0 ? HF_SWEEP_SOBOL_INDICES : HF_SWEEP_MORRIS;
        j->def.design = k == 0 ? HF_SWEEP_SOBOL : HF_SWEEP_RANDOM;
        if (k < 0) {
            return false;
        }
    }
    if (o->design != NULL) {
        int k = choose("design", o->design, designs, 3);
        j->def.design = (hf_sweep_design)(k < 0 ? 0 : k);
        if (k < 0) {
            return false;
        }
    }
    if (o->samples == 0 && (o->design != NULL || o->seed > 0)) {
        (void)hf_cli_usage_error("sweep", "--%s is of random axes, and goes with --samples",
                                 o->design != NULL ? "design" : "seed");
        return false;
    }
    return true;
}

// More jobs than any machine runs, and an int.
enum { MOST_SHARDS = 999999999 };

static bool read_shard(job *j)
{
    const char *text = j->options->shard;
    if (text == NULL) {
        return true;
    }
    char *end = NULL;
    long shard = strtol(text, &end, 10), shards = *end == '/' ? strtol(end + 1, &end, 10) : 0;
    bool good = *end == '\0' && shards >= 1 && shards <= MOST_SHARDS && shard >= 1;
    j->def.shard = good ? (int)shard : 0;
    j->def.shards = good ? (int)shards : 0;
    if (!good || shard > shards) {
        (void)hf_cli_usage_error("sweep", "--shard: expected I/N with 1 <= I <= N, not '%s'", text);
        return false;
    }
    return true;
}

static bool read_variants(job *j)
{
    const hf_cli_sweep_options *o = j->options;
    if (o->variants == NULL) {
        return true;
    }
    if (strcmp(o->variants, "all") != 0) {
        j->def.variants = j->variants;
        return split(o->variants, &j->variant_text, j->variants, &j->def.variant_count);
    }
    if (!hf_cli_load_variants(o->model, &j->all_variants)) {
        return false;
    }
    if (j->all_variants.count == 0) {
        (void)hf_cli_usage_error("sweep", "--variants all: the model has no variants");
        return false;
    }
    j->def.variants = (const char *const *)j->all_variants.names;
    j->def.variant_count = j->all_variants.count;
    return true;
}

static bool read_methods(job *j)
{
    const hf_cli_sweep_options *o = j->options;
    if (o->methods == NULL) {
        return true;
    }
    j->def.methods = j->methods;
    if (!split(o->methods, &j->method_text, j->methods, &j->def.method_count)) {
        return false;
    }
    for (int i = 0; i < j->def.method_count; ++i) {
        if (!hf_cli_know_method("sweep", "methods", j->methods[i])) {
            return false;
        }
    }
    return true;
}

static bool read_model(job *j)
{
    const char *word = j->options->model;
    if (!hf_cli_know_model(word)) {
        return false;
    }
    const hf_cli_example *example = hf_cli_example_find(word);
    if (example == NULL) {
        j->def.model = word;
        return true;
    }
    (void)snprintf(j->label, sizeof j->label, "%s.yaml", word);
    j->def.text = (const char *)example->text;
    j->def.length = example->length;
    j->def.label = j->label;
    return true;
}

static bool make_def(job *j)
{
    const hf_cli_sweep_options *o = j->options;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    hf_sweep_def *d = &j->def;
    *d = hf_sweep_def_default();
    // What is varied, watched and recorded
    d->vary = o->vary.items, d->vary_count = o->vary.count;
    d->of = o->of.items, d->of_count = o->of.count;
    d->sets = o->sets.items, d->set_count = o->sets.count;
    d->cases = o->cases;
    d->samples = o->samples;
    d->seed = o->seed > 0 ? (unsigned long long)o->seed : 1;
    d->regimes = o->regimes, d->energy = o->energy;
    d->after = isnan(o->after) ? 0.0 : o->after;
    d->duration = o->duration;
    d->every = o->every > 0 ? o->every : 1;
    d->recordings = o->recordings;
    d->output = o->output;
    d->resume = o->resume, d->collect = o->collect;
    d->jobs = o->jobs > 0 && o->jobs < 100000 ? (int)o->jobs : (cores > 0 ? (int)cores : 1);
    d->tables[0] = hf_cli_nlp_methods();
    d->stop_wanted = hf_cli_stop_wanted;
    d->context = j;
    // What has to be read or chosen
    if (o->output == NULL) {
        (void)hf_cli_usage_error("sweep",
                                 "the table's name is missing: -o OUT.h5, OUT.csv or OUT.parquet");
        return false;
    }
    return read_model(j) && read_choices(j) && read_shard(j) && read_variants(j) && read_methods(j);
}

// ------------------------------------------------------------------------------------------------
// Running

static void on_case(void *context, const hf_sweep_progress *p)
{
    job *j = context;
    long long ran = p->done - p->kept, all = p->cases - p->kept;
    char text[120];
    if (!(hf_cli_now() >= j->progress.next)) {
        return;
    }
    double rate = (double)ran / (hf_cli_now() - j->start);
    (void)snprintf(text, sizeof text, "%lld of %lld cases, %.3g/s, %lld failed, %lld doubtful",
                   p->done, p->cases, rate, p->failed, p->doubtful);
    hf_cli_progress_show(&j->progress, (double)ran / (double)all, text);
}

static int finish(const job *j, const hf_sweep *sweep, double seconds)
{
    const hf_cli_sweep_options *o = j->options;
    hf_sweep_progress p = hf_sweep_get_progress(sweep);
    hf_error error = {0};
    // A part of a sweep leaves the table to others
    if (j->def.shards > 0) {
        if (!o->quiet) {
            hf_cli_put(stdout,
                       "shard %d/%d: %lld cases, %lld failed, %lld doubtful, in %.3g s; when all "
                       "shards are done, --collect makes %s of them\n",
                       j->def.shard, j->def.shards, p.done, p.failed, p.doubtful, seconds,
                       o->output);
        }
        return HF_CLI_DONE;
    }
    // What the table tells
    bool show = (!o->quiet || o->json) && !hf_is_parquet_name(o->output);
    if (!show && !o->quiet) { // such tables are not read back
        hf_cli_put(stdout, "%s: %lld cases in %.3g s, %lld failed, %lld doubtful\n", o->output,
                   p.cases, seconds, p.failed, p.doubtful);
    }
    hf_table *table = show ? hf_table_read(o->output, &error) : NULL;
    if (show && table == NULL) {
        hf_cli_report(&error);
        return HF_CLI_FAILED;
    }
    // as JSON or as text
    if (o->json) {
        hf_cli_sweep_print_json(o->output, table);
    } else if (show) {
        hf_cli_put(stdout, "%s: %lld cases in %.3g s", o->output, p.cases, seconds);
        hf_cli_put(stdout, p.kept > 0 ? " (%lld of them before)\n" : "\n", p.kept);
        hf_cli_sweep_print(o->output, table);
    }
    hf_table_destroy(table);
    return o->strict && p.failed + p.doubtful > 0 ? HF_CLI_FAILED : HF_CLI_DONE;
}

static int run_sweep(job *j, hf_sweep *sweep, hf_cli_sweep_engine *engine, bool silent)
{
    const hf_cli_sweep_options *o = j->options;
    hf_error error = {0};
    hf_cli_catch_signals();
    j->start = hf_cli_now();
    j->progress = hf_cli_progress_begin(!o->quiet && !silent);
    hf_status status = engine(sweep, &error);
    hf_cli_progress_end(&j->progress);
    if (silent) {
        return status < 0 ? HF_CLI_FAILED : HF_CLI_DONE;
    }
    if (status == HF_INTERRUPTED) {
        hf_sweep_progress p = hf_sweep_get_progress(sweep);
        hf_cli_put(stderr,
                   "holdfast: interrupted: %lld of %lld cases are kept; the same command with "
                   "--resume goes on\n",
                   p.done, p.cases);
        return HF_CLI_FAILED;
    }
    if (status < 0) {
        hf_cli_report(&error);
        return status == HF_ERROR_INPUT ? HF_CLI_USAGE : HF_CLI_FAILED;
    }
    return finish(j, sweep, hf_cli_now() - j->start);
}

int hf_cli_sweep(const hf_cli_sweep_options *options, hf_cli_sweep_engine *engine, bool silent)
{
    job *j = calloc(1, sizeof *j);
    if (j == NULL) {
        return hf_cli_error("out of memory");
    }
    j->options = options;
    int code = HF_CLI_USAGE;
    if (make_def(j)) {
        hf_error error = {0};
        j->def.on_case = silent ? NULL : on_case;
        hf_sweep *sweep = hf_sweep_create(&j->def, &error);
        if (sweep == NULL) {
            hf_cli_report(&error);
        } else {
            code = run_sweep(j, sweep, engine, silent);
        }
        hf_sweep_destroy(sweep);
    }
    hf_variants_free(&j->all_variants);
    free(j->variant_text);
    free(j->method_text);
    free(j);
    return code;
}

// ------------------------------------------------------------------------------------------------
// The command

static const char about[] =
    "Runs one machine many times with other numbers and keeps a row of a table for each run, on\n"
    "all cores. NAME is a parameter ('holdfast parameters'), one of the model's own parameters,\n"
    "or a path as --set takes it. VALUES are\n"
    "  1:20:96            96 numbers from 1 to 20        log:0.1:10:32   in equal ratios\n"
    "  1,2,5              these numbers or texts\n"
    "  uniform:0:1  loguniform:0.1:10  normal:MEAN:DEVIATION  lognormal:MEDIAN:DEVIATION\n"
    "                     random: with --samples\n"
    "Axes are crossed; random ones vary together. EXPR is kept of every run:\n"
    "  final(X) mean(X) rms(X) max(X) min(X) first(X) count(X) period(X) amplitude(X)\n"
    "  stick(F) slip(F) open(F) transitions(F) largest(F) of a force, ledger\n"
    "A failed run is a row with its message. What is finished is kept at once: after Ctrl-C or a\n"
    "crash --resume goes on, and the table is the same to the bit.\n"
    "With a TABLE in place of MODEL: prints what it holds, or runs a case of it again.\n";
static const char after[] =
    "\nExamples:\n"
    "  holdfast sweep block.yaml --vary floor.level.coulomb=1:20:96 --of "
    "'max(abs(block.velocity))' "
    "\\\n"
    "      --of block.position -o out.h5\n"
    "  holdfast sweep brake.yaml --vary mu=normal:0.35:0.05 --samples 10000 --design lhs -o mc.h5\n"
    "  holdfast sweep model.yaml --vary a=uniform:0:1 --vary b=uniform:0:1 --indices sobol \\\n"
    "      --samples 1024 --of 'max(x.position)' -o s.h5\n"
    "  holdfast sweep out.h5 --rerun 17 -o run.h5\n"
    "  holdfast plot out.h5 --x floor.level.coulomb --y block.position -o out.svg\n";

static void prepare(void *options)
{
    hf_cli_sweep_options *o = options;
    o->after = o->duration = (double)NAN;
}

static int start(void *options, const hf_cli_list *operands)
{
    hf_cli_sweep_options *o = options;
    o->model = operands->items[0];
    if (hf_cli_is_table_name(o->model)) {
        return hf_cli_sweep_table(o);
    }
    const char *of_table = o->csv != NULL       ? "csv"
                           : o->parquet != NULL ? "parquet"
                           : o->repeat != NULL  ? "rerun"
                                                : NULL;
    if (of_table != NULL) {
        return hf_cli_usage_error("sweep",
                                  "--%s is for the table of a sweep that was made before, and "
                                  "'%.200s' is not one; a new table is what -o says",
                                  of_table, o->model);
    }
    return hf_cli_sweep(o, hf_sweep_run, false);
}

#define AT(member) offsetof(hf_cli_sweep_options, member)
static const hf_cli_option table[] = {
    {"vary", 0, "NAME=VALUES", "what varies; may be repeated", HF_CLI_LIST, AT(vary),
     HF_CLI_WORD_ANY, NULL},
    {"variants", 0, "VS", "variants of the model, with commas between them; or all", HF_CLI_TEXT,
     AT(variants), HF_CLI_WORD_ANY, NULL},
    {"methods", 0, "MS", "methods, with commas between them", HF_CLI_TEXT, AT(methods),
     HF_CLI_WORD_METHODS, NULL},
    {"cases", 0, "FILE", "a CSV file of cases: a column for each name", HF_CLI_TEXT, AT(cases),
     HF_CLI_WORD_FILE, NULL},
    {"samples", 0, "N", "samples of random axes", HF_CLI_COUNT, AT(samples), HF_CLI_WORD_ANY, NULL},
    {"design", 0, "D", "how samples are spread: random, lhs or sobol", HF_CLI_TEXT, AT(design),
     HF_CLI_WORD_ANY, NULL},
    {"seed", 0, "N", "of random axes; 1 unless given", HF_CLI_COUNT, AT(seed), HF_CLI_WORD_ANY,
     NULL},
    {"indices", 0, "KIND", "sensitivity to random axes: sobol or morris", HF_CLI_TEXT, AT(indices),
     HF_CLI_WORD_ANY, NULL},
    {"of", 0, "[NAME=]EXPR", "what is kept of a run; may be repeated", HF_CLI_LIST, AT(of),
     HF_CLI_WORD_ANY, NULL},
    {"regimes", 0, NULL, "keep the parts of the time in stick, slip and open", HF_CLI_FLAG,
     AT(regimes), HF_CLI_WORD_ANY, NULL},
    {"energy", 0, NULL, "keep the energies at the end", HF_CLI_FLAG, AT(energy), HF_CLI_WORD_ANY,
     NULL},
    {"after", 0, "T", "expressions see the run from this time on [s]", HF_CLI_NUMBER, AT(after),
     HF_CLI_WORD_ANY, NULL},
    {"every", 0, "N", "expressions and recordings see every N-th step", HF_CLI_COUNT, AT(every),
     HF_CLI_WORD_ANY, NULL},
    {"duration", 0, "D", "how long to simulate [s]", HF_CLI_NUMBER, AT(duration), HF_CLI_WORD_ANY,
     NULL},
    {"set", 0, "P=V", "give the value V to the model's entry P; may be repeated", HF_CLI_LIST,
     AT(sets), HF_CLI_WORD_ANY, NULL},
    {"recordings", 0, "DIR", "record every case into this folder", HF_CLI_TEXT, AT(recordings),
     HF_CLI_WORD_FOLDER, NULL},
    {"output", 'o', "FILE", "the table: FILE.h5, .csv or .parquet; with --rerun: the recording",
     HF_CLI_TEXT, AT(output), HF_CLI_WORD_FILE, NULL},
    {"csv", 0, "FILE", "of a TABLE: write it as CSV too", HF_CLI_TEXT, AT(csv), HF_CLI_WORD_FILE,
     NULL},
    {"parquet", 0, "FILE", "of a TABLE: write it as Apache Parquet too", HF_CLI_TEXT, AT(parquet),
     HF_CLI_WORD_FILE, NULL},
    {"jobs", 0, "N", "threads; as many as there are cores unless given", HF_CLI_COUNT, AT(jobs),
     HF_CLI_WORD_ANY, NULL},
    {"shard", 0, "I/N", "run part I of N alone, for job arrays", HF_CLI_TEXT, AT(shard),
     HF_CLI_WORD_ANY, NULL},
    {"resume", 0, NULL, "go on with what an earlier start or shards have finished", HF_CLI_FLAG,
     AT(resume), HF_CLI_WORD_ANY, NULL},
    {"collect", 0, NULL, "make the table of finished shards; run nothing", HF_CLI_FLAG, AT(collect),
     HF_CLI_WORD_ANY, NULL},
    {"rerun", 0, "K", "of a TABLE: run case K again, to the same bits", HF_CLI_TEXT, AT(repeat),
     HF_CLI_WORD_ANY, NULL},
    {"json", 0, NULL, "print what came of it as one JSON object", HF_CLI_FLAG, AT(json),
     HF_CLI_WORD_ANY, NULL},
    {"quiet", 'q', NULL, "no summary, no progress bar", HF_CLI_FLAG, AT(quiet), HF_CLI_WORD_ANY,
     NULL},
    {"strict", 0, NULL, "end with 1 when a case failed or cannot be trusted", HF_CLI_FLAG,
     AT(strict), HF_CLI_WORD_ANY, NULL},
};
#undef AT

const hf_cli_command hf_cli_command_sweep = {
    .name = "sweep",
    .phrase = "run a machine many times with other numbers, into one table",
    .usage = "MODEL --vary NAME=VALUES [--of EXPR] -o OUT.h5 [options] | TABLE [--rerun K]",
    .about = about,
    .after = after,
    HF_CLI_ONE_MODEL,
    HF_CLI_OPTIONS(table),
    .size = sizeof(hf_cli_sweep_options),
    .prepare = prepare,
    .start = start,
};
