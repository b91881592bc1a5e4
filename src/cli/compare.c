// SPDX-License-Identifier: Apache-2.0
// holdfast compare
#include "cli/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/model_source.h"
#include "cli/report.h"

enum { MOST_TRIALS = 1000, MOST_WORDS = 200 };

typedef struct compare_options {
    const char *model, *laws, *methods, *steps;
    const char *figure, *csv, *report;
    double duration;
    hf_cli_list sets, forces, channels;
    long long jobs;
    bool json, strict, separate;
} compare_options;

// Words between separators that stand outside of brackets.
typedef struct words {
    char *text; // a copy, cut
    const char *items[MOST_WORDS];
    int count;
} words;

// A law and its parameters, cut out of "karnopp:threshold=0.01".
typedef struct law_word {
    const char *whole; // for labels
    words parts;
} law_word;

typedef struct plan {
    compare_options options;
    words law_words, method_words, step_words;
    law_word *laws;
    int law_count;
    hf_variants variants;
    hf_cli_comparison comparison;
} plan;

// ------------------------------------------------------------------------------------------------
// Words

static bool split(const char *text, char separator, words *out)
{
    *out = (words){.text = strdup(text)};
    if (out->text == NULL) {
        (void)hf_cli_error("out of memory");
        return false;
    }
    int depth = 0;
    char *start = out->text;
    for (char *c = out->text;; ++c) {
        depth += *c == '[' || *c == '{' ? 1 : (*c == ']' || *c == '}' ? -1 : 0);
        bool end = *c == '\0';
        if (!end && !(*c == separator && depth == 0)) {
            continue;
        }
        if (out->count == MOST_WORDS) {
            (void)hf_cli_error("more than %d words in '%.60s...'", MOST_WORDS, text);
            return false;
        }
        *c = '\0';
        out->items[out->count++] = start;
        if (end) {
            return true;
        }
        start = c + 1;
    }
}

// "all" stands for every friction law.
static bool list_all_laws(words *out)
{
    char text[1000] = "";
    size_t length = 0;
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)i);
        if (law != NULL && law->kind == HF_KIND_FRICTION) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       length == 0 ? "" : ",", law->name);
        }
    }
    return split(text, ',', out);
}

static bool read_laws(plan *p)
{
    const char *text = p->options.laws;
    if (text == NULL) {
        return true;
    }
    if (!(strcmp(text, "all") == 0 ? list_all_laws(&p->law_words)
                                   : split(text, ',', &p->law_words))) {
        return false;
    }
    p->laws = calloc((size_t)p->law_words.count, sizeof *p->laws);
    if (p->laws == NULL) {
        (void)hf_cli_error("out of memory");
        return false;
    }
    for (int i = 0; i < p->law_words.count; ++i) {
        law_word *law = &p->laws[p->law_count++];
        law->whole = p->law_words.items[i];
        if (!split(law->whole, ':', &law->parts)) {
            return false;
        }
        if (law->parts.items[0][0] == '\0') {
            (void)hf_cli_usage_error("compare", "--laws: expected LAW,LAW..., not '%s'", text);
            return false;
        }
    }
    return true;
}

static bool read_methods(plan *p)
{
    for (int i = 0; i < p->method_words.count; ++i) {
        if (!hf_cli_know_method("compare", "methods", p->method_words.items[i])) {
            return false;
        }
    }
    return true;
}

static bool read_steps(plan *p)
{
    for (int i = 0; i < p->step_words.count; ++i) {
        double step = 0.0;
        if (!hf_cli_read_number(p->step_words.items[i], &step) || !(step > 0.0)) {
            (void)hf_cli_usage_error("compare", "--steps: expected positive numbers, not '%s'",
                                     p->step_words.items[i]);
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Trials

static void add_label(hf_cli_trial *t, const char *word)
{
    size_t length = strlen(t->label);
    (void)snprintf(t->label + length, sizeof t->label - length, "%s%s", length == 0 ? "" : " ",
                   word);
}

static void describe_trial(const plan *p, int what, int method, int step, hf_cli_trial *t)
{
    const compare_options *o = &p->options;
    *t = (hf_cli_trial){.model = o->model,
                        .overrides = {.items = o->sets.items, .count = o->sets.count},
                        .step = (double)NAN,
                        .duration = o->duration};
    if (p->law_count > 0) {
        const law_word *law = &p->laws[what];
        t->law = (hf_law_change){.law = law->parts.items[0],
                                 .parameters = law->parts.items + 1,
                                 .parameter_count = law->parts.count - 1,
                                 .forces = o->forces.items,
                                 .force_count = o->forces.count};
        add_label(t, law->whole);
    } else if (p->variants.count > 0) {
        t->overrides.variant = p->variants.names[what];
        add_label(t, p->variants.names[what]);
    }
    if (p->method_words.count > 0) {
        t->method = p->method_words.items[method];
    }
    if (p->method_words.count > 1 || t->label[0] == '\0') {
        add_label(t, t->method == NULL ? "" : t->method);
    }
    if (p->step_words.count > 0) {
        (void)hf_cli_read_number(p->step_words.items[step], &t->step);
    }
    if (p->step_words.count > 1) {
        add_label(t, p->step_words.items[step]);
    }
}

static bool make_trials(plan *p)
{
    // What is compared must be said
    int whats = p->law_count > 0 ? p->law_count : p->variants.count;
    bool nothing = whats == 0 && p->method_words.count == 0 && p->step_words.count == 0;
    if (nothing) {
        (void)hf_cli_usage_error("compare", "nothing to compare: the model has no variants; give "
                                            "--laws, --methods or --steps");
        return false;
    }
    if (p->options.forces.count > 0 && p->law_count == 0) {
        (void)hf_cli_usage_error("compare", "--force says which forces --laws changes: give both");
        return false;
    }
    // Every combination of law or variant, method and step
    whats = whats == 0 ? 1 : whats;
    int methods = p->method_words.count == 0 ? 1 : p->method_words.count;
    int steps = p->step_words.count == 0 ? 1 : p->step_words.count;
    long long count = (long long)whats * methods * steps;
    if (count > MOST_TRIALS) {
        (void)hf_cli_error("%lld runs are more than %d", count, MOST_TRIALS);
        return false;
    }
    p->comparison.trials = calloc((size_t)count, sizeof *p->comparison.trials);
    if (p->comparison.trials == NULL) {
        (void)hf_cli_error("out of memory");
        return false;
    }
    // described one by one
    for (int w = 0; w < whats; ++w) {
        for (int m = 0; m < methods; ++m) {
            for (int s = 0; s < steps; ++s) {
                describe_trial(p, w, m, s, &p->comparison.trials[p->comparison.count++]);
            }
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// The command

static bool make_plan(plan *p)
{
    const compare_options *o = &p->options;
    p->comparison.model = o->model;
    return hf_cli_know_model(o->model) && read_laws(p) &&
           (o->methods == NULL || split(o->methods, ',', &p->method_words)) && read_methods(p) &&
           (o->steps == NULL || split(o->steps, ',', &p->step_words)) && read_steps(p) &&
           (p->law_count > 0 || hf_cli_load_variants(o->model, &p->variants)) && make_trials(p);
}

static bool all_trustworthy(const hf_cli_comparison *c)
{
    for (int i = 0; i < c->count; ++i) {
        const hf_cli_trial *t = &c->trials[i];
        if (!t->created || t->status < 0 || !t->verdict.trustworthy) {
            return false;
        }
    }
    return true;
}

static int show(const plan *p)
{
    const hf_cli_comparison *c = &p->comparison;
    const compare_options *o = &p->options;
    int ran = 0, code = HF_CLI_DONE;
    for (int i = 0; i < c->count; ++i) {
        ran += c->trials[i].created ? 1 : 0;
    }
    if (ran == 0) { // what is wrong with all of them is wrong with the first
        hf_cli_report(&c->trials[0].error);
        return HF_CLI_USAGE;
    }
    for (int i = 0; i < c->count; ++i) {
        hf_cli_tell_dropped(c->trials[i].method, c->trials[i].dropped);
    }
    if (o->json) {
        hf_cli_compare_json(c);
    } else {
        hf_cli_compare_table(c);
    }
    if (o->csv != NULL) {
        code = hf_cli_compare_csv(c, o->csv);
    }
    if (o->figure != NULL && code == HF_CLI_DONE) {
        code = hf_cli_compare_figure(c, o->figure, &o->channels, o->separate);
    }
    return code == HF_CLI_DONE && o->strict && !all_trustworthy(c) ? HF_CLI_FAILED : code;
}

static int run_all(plan *p)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    hf_cli_compare_page page = {.path = p->options.report};
    int code = hf_cli_compare_page_begin(&page, &p->comparison);
    if (code != HF_CLI_DONE) {
        (void)hf_cli_compare_page_end(&page, &p->comparison, false);
        return code;
    }
    long long threads = p->options.jobs > 0 ? p->options.jobs : (cores > 0 ? cores : 1);
    hf_cli_trials_run(p->comparison.trials, p->comparison.count,
                      (int)(threads < MOST_TRIALS ? threads : MOST_TRIALS));
    code = show(p);
    int drawn = hf_cli_compare_page_end(&page, &p->comparison, code != HF_CLI_USAGE);
    return drawn == HF_CLI_DONE ? code : drawn;
}

static void free_plan(plan *p)
{
    for (int i = 0; i < p->comparison.count; ++i) {
        hf_cli_trial_free(&p->comparison.trials[i]);
    }
    for (int i = 0; i < p->law_count; ++i) {
        free(p->laws[i].parts.text);
    }
    free(p->comparison.trials);
    free(p->laws);
    free(p->law_words.text);
    free(p->method_words.text);
    free(p->step_words.text);
    hf_variants_free(&p->variants);
    free(p);
}

static const char about[] =
    "Runs the same machine under several friction laws, methods and steps, in parallel, and\n"
    "prints what each makes of it. Without --laws it runs the variants of the model. A LAW may "
    "have\n"
    "parameters, LAW:KEY=VALUE:KEY=VALUE; what the machine's law and LAW have in common (level,\n"
    "stiffness, damping) stays, all else is LAW's default. 'all' stands for every friction law.\n";
static const char after[] =
    "\ndrift    how fast the machine creeps where friction should hold it: the slope of the\n"
    "         displacement over the second half of the longest stick; the worst friction force\n"
    "chatter  steps in stick in which a friction force turns round and jumps by more than half\n"
    "         of its largest size, again and again\n"
    "time     of the processor\n"
    "verdict  trustworthy by the run's own checks, or doubtful: the reasons stand below the table\n"
    "         (run compares its answer with another step, too)\n\n"
    "Examples:\n"
    "  holdfast compare spring-pull\n"
    "  holdfast compare two-link-arm --laws stiction,dahl,lugre --methods rk4,rk4-tau\n"
    "  holdfast compare block.yaml --laws coulomb,karnopp:threshold=0.01 --methods discrete \\\n"
    "      --steps 1e-3,1e-4 -o laws.svg --report laws.html\n";

static void prepare(void *options)
{
    ((compare_options *)options)->duration = (double)NAN;
}

// What will be written, before anything runs. False after a message.
static bool check_names(const compare_options *o)
{
    if (o->figure == NULL && (o->channels.count > 0 || o->separate)) {
        (void)hf_cli_usage_error("compare", "--%s says what -o draws: give -o FIG.svg too",
                                 o->separate ? "separate" : "channel");
        return false;
    }
    return (o->report == NULL || hf_cli_page_check_name("compare", o->report)) &&
           (o->figure == NULL || hf_cli_figure_check_name("compare", o->figure));
}

static int start(void *options, const hf_cli_list *operands)
{
    plan *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return hf_cli_error("out of memory");
    }
    p->options = *(compare_options *)options;
    p->options.model = operands->items[0];
    int code = check_names(&p->options) && make_plan(p) ? run_all(p) : HF_CLI_USAGE;
    free_plan(p);
    return code;
}

static const hf_cli_option table[] = {
    {"laws", 0, "LAWS", "friction laws, with commas between them", HF_CLI_TEXT,
     offsetof(compare_options, laws), HF_CLI_WORD_LAWS, NULL},
    {"methods", 0, "MS", "methods, with commas between them; the model's unless given", HF_CLI_TEXT,
     offsetof(compare_options, methods), HF_CLI_WORD_METHODS, NULL},
    {"steps", 0, "TS", "steps [s], with commas between them; the model's unless given", HF_CLI_TEXT,
     offsetof(compare_options, steps), HF_CLI_WORD_ANY, NULL},
    {"force", 0, "NAME", "change the law of this friction force only; may be repeated", HF_CLI_LIST,
     offsetof(compare_options, forces), HF_CLI_WORD_ANY, NULL},
    {"duration", 0, "D", "how long to simulate [s]", HF_CLI_NUMBER,
     offsetof(compare_options, duration), HF_CLI_WORD_ANY, NULL},
    {"set", 0, "P=V", "give the value V to the model's entry P; may be repeated", HF_CLI_LIST,
     offsetof(compare_options, sets), HF_CLI_WORD_ANY, NULL},
    {"output", 'o', "FIG", "draw all runs over each other: FIG.svg, FIG.png or FIG.pdf",
     HF_CLI_TEXT, offsetof(compare_options, figure), HF_CLI_WORD_FIGURE, NULL},
    {"channel", 0, "C", "draw this recorded channel only; may be repeated", HF_CLI_LIST,
     offsetof(compare_options, channels), HF_CLI_WORD_ANY, NULL},
    {"separate", 0, NULL, "draw one panel for each run instead", HF_CLI_FLAG,
     offsetof(compare_options, separate), HF_CLI_WORD_ANY, NULL},
    {"report", 0, "PAGE", "show all runs over each other in one HTML page, PAGE.html", HF_CLI_TEXT,
     offsetof(compare_options, report), HF_CLI_WORD_PAGE, NULL},
    {"csv", 0, "FILE", "write the table to FILE", HF_CLI_TEXT, offsetof(compare_options, csv),
     HF_CLI_WORD_FILE, NULL},
    {"jobs", 0, "N", "runs at a time; as many as there are cores unless given", HF_CLI_COUNT,
     offsetof(compare_options, jobs), HF_CLI_WORD_ANY, NULL},
    {"json", 0, NULL, "print the table as one JSON object", HF_CLI_FLAG,
     offsetof(compare_options, json), HF_CLI_WORD_ANY, NULL},
    {"strict", 0, NULL, "end with 1 when a run cannot be trusted, failed or did not run",
     HF_CLI_FLAG, offsetof(compare_options, strict), HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_compare = {
    .name = "compare",
    .phrase = "run a machine under several laws, methods and steps",
    .usage = "MODEL [--laws LAWS] [--methods MS] [--steps TS] [options]",
    .about = about,
    .after = after,
    HF_CLI_ONE_MODEL,
    HF_CLI_OPTIONS(table),
    .size = sizeof(compare_options),
    .prepare = prepare,
    .start = start,
};
