// SPDX-License-Identifier: Apache-2.0
// holdfast fit: from options to a definition.
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fit.h"
#include "cli/model_source.h"

static bool wrong(const char *option, const char *text, const char *expected)
{
    (void)hf_cli_usage_error("fit", "--%s %s: expected %s", option, text, expected);
    return false;
}

static bool too_many(const char *option)
{
    (void)hf_cli_usage_error("fit", "--%s: more than %d", option, HF_CLI_FIT_MOST);
    return false;
}

// Splits "NAME=EXPRESSION" into two texts of the plan; NULL after a message.
static char (*split(hf_cli_fit_plan *plan, const char *option, const char *text,
                    const char *expected))[HF_CLI_FIT_TEXT]
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0' || strlen(text) >= HF_CLI_FIT_TEXT) {
        (void)wrong(option, text, expected);
        return NULL;
    }
    if (plan->text_count >= 2 * HF_CLI_FIT_MOST) {
        (void)too_many(option);
        return NULL;
    }
    char(*pair)[HF_CLI_FIT_TEXT] = plan->texts[plan->text_count++];
    (void)snprintf(pair[0], HF_CLI_FIT_TEXT, "%.*s", (int)(equals - text), text);
    (void)snprintf(pair[1], HF_CLI_FIT_TEXT, "%s", equals + 1);
    return pair;
}

// Takes "MARK NUMBER" off the end of a text. False when it does not end so.
static bool take_suffix(char *text, char mark, double *number)
{
    char *at = strrchr(text, mark);
    if (at == NULL || !hf_cli_read_number(at + 1, number)) {
        return false;
    }
    *at = '\0';
    return true;
}

// A parameter of its own: delay, offset or scale.
static bool add_parameter(hf_cli_fit_plan *plan, hf_fit_kind kind, int target, const char *word,
                          const char *of, const char *unit, double start, bool per_log)
{
    if (plan->name_count >= HF_CLI_FIT_MOST ||
        plan->def.parameter_count >= HF_CLI_FIT_MOST_PARAMETERS) {
        return too_many(word);
    }
    char *name = plan->names[plan->name_count++];
    (void)snprintf(name, HF_CLI_FIT_TEXT, "%s.%.300s", word, of);
    plan->parameters[plan->def.parameter_count++] = (hf_fit_parameter){.name = name,
                                                                       .unit = unit,
                                                                       .kind = kind,
                                                                       .target = target,
                                                                       .start = start,
                                                                       .low = -INFINITY,
                                                                       .high = INFINITY,
                                                                       .per_log = per_log};
    return true;
}

// ------------------------------------------------------------------------------------------------
// Inputs and matches

static bool read_input(hf_cli_fit_plan *plan, const char *text, hf_fit_hold hold, bool *free_delay)
{
    char(*pair)[HF_CLI_FIT_TEXT] =
        split(plan, "input", text, "SIGNAL=COLUMN, SIGNAL=EXPRESSION, perhaps with @DELAY");
    if (pair == NULL || plan->def.input_count >= HF_CLI_FIT_MOST) {
        return pair != NULL && too_many("input");
    }
    hf_fit_input *input = &plan->inputs[plan->def.input_count++];
    *input = (hf_fit_input){.signal = pair[0], .expression = pair[1], .hold = hold};
    char *at = strrchr(pair[1], '@');
    *free_delay = at != NULL && strcmp(at, "@free") == 0;
    if (*free_delay) {
        *at = '\0';
    } else if (at != NULL && !take_suffix(pair[1], '@', &input->delay)) {
        return wrong("input", text, "a delay in seconds or 'free' behind @");
    }
    return true;
}

static bool read_match(hf_cli_fit_plan *plan, const char *text)
{
    char(*pair)[HF_CLI_FIT_TEXT] =
        split(plan, "match", text, "CHANNEL=COLUMN or CHANNEL=EXPRESSION, perhaps with :DEVIATION");
    if (pair == NULL || plan->def.match_count >= HF_CLI_FIT_MOST) {
        return pair != NULL && too_many("match");
    }
    hf_fit_match *match = &plan->matches[plan->def.match_count++];
    *match = (hf_fit_match){.channel = pair[0], .expression = pair[1]};
    bool given = take_suffix(pair[1], ':', &match->deviation);
    return !given || match->deviation > 0.0 || wrong("match", text, "a deviation above 0");
}

static int find_match(const hf_cli_fit_plan *plan, const char *channel)
{
    for (int i = 0; i < plan->def.match_count; ++i) {
        if (strcmp(plan->matches[i].channel, channel) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_sensors(hf_cli_fit_plan *plan, const hf_cli_list *list, const char *word,
                         hf_fit_kind kind, bool per_log)
{
    for (int i = 0; i < list->count; ++i) {
        int match = find_match(plan, list->items[i]);
        if (match < 0) {
            return wrong(word, list->items[i], "a channel that --match names");
        }
        if (!add_parameter(plan, kind, match, word, list->items[i], "",
                           kind == HF_FIT_SCALE ? 1.0 : 0.0, per_log)) {
            return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Free numbers

// "LOW..HIGH"; either may be left out.
static bool read_bounds(const char *text, hf_fit_parameter *p)
{
    const char *dots = strstr(text, "..");
    char low[64];
    if (dots == NULL || (size_t)(dots - text) >= sizeof low) {
        return false;
    }
    (void)snprintf(low, sizeof low, "%.*s", (int)(dots - text), text);
    return (low[0] == '\0' || hf_cli_read_number(low, &p->low)) &&
           (dots[2] == '\0' || hf_cli_read_number(dots + 2, &p->high)) && p->low < p->high;
}

static bool read_free(hf_cli_fit_plan *plan, char *word, bool logarithmic, bool lenient)
{
    hf_error error = {0};
    // NAME or NAME=LOW..HIGH
    char *equals = strchr(word, '=');
    const char *bounds = equals == NULL ? NULL : equals + 1;
    if (equals != NULL) {
        *equals = '\0';
    }
    hf_fit_parameter *first = plan->parameters + plan->def.parameter_count;
    int room = HF_CLI_FIT_MOST_PARAMETERS - plan->def.parameter_count;
    int count = hf_fit_machine_free(plan->machine, word, first, room, &error);
    // What laws of another name do not have is left out, not refused
    for (int i = 0; i < count && lenient; ++i) { // laws leave numbers at 0 that have no size
        bool known = first[i].start != 0.0 || isfinite(first[i].high) || bounds != NULL;
        first[i].typical = known ? first[i].typical : 1.0;
    }
    if (count == 0 && lenient && error.status == HF_ERROR_NAME) {
        return true;
    }
    if (count == 0) {
        hf_cli_report(&error);
        return false;
    }
    // Bounds and scale
    for (int i = 0; i < count; ++i) {
        first[i].logarithmic = logarithmic && first[i].start > 0.0 && first[i].low >= 0.0;
        if (bounds != NULL && !read_bounds(bounds, &first[i])) {
            return wrong("free", bounds, "bounds LOW..HIGH");
        }
        first[i].start = fmin(fmax(first[i].start, first[i].low), first[i].high);
    }
    plan->def.parameter_count += count;
    plan->model_count = plan->def.parameter_count;
    return true;
}

static bool read_frees(hf_cli_fit_plan *plan, const hf_cli_fit_options *o)
{
    for (int i = 0; i < o->frees.count; ++i) {
        char text[4096], *rest = NULL;
        if (strlen(o->frees.items[i]) >= sizeof text) {
            return wrong("free", o->frees.items[i], "fewer letters");
        }
        (void)snprintf(text, sizeof text, "%s", o->frees.items[i]);
        for (char *word = strtok_r(text, ", ", &rest); word != NULL;
             word = strtok_r(NULL, ", ", &rest)) {
            if (!read_free(plan, word, o->logarithmic, o->lenient)) {
                return false;
            }
        }
    }
    return true;
}

// "NAME=VALUE:DEVIATION"
static bool read_prior(hf_cli_fit_plan *plan, const char *text)
{
    const char *expected = "NAME=VALUE:DEVIATION of a free number";
    char(*pair)[HF_CLI_FIT_TEXT] = split(plan, "prior", text, expected);
    double deviation = 0.0, value = 0.0;
    if (pair == NULL) {
        return false;
    }
    if (!take_suffix(pair[1], ':', &deviation) || !(deviation > 0.0) ||
        !hf_cli_read_number(pair[1], &value)) {
        return wrong("prior", text, expected);
    }
    bool found = false;
    for (int i = 0; i < plan->def.parameter_count; ++i) {
        if (fnmatch(pair[0], plan->parameters[i].name, 0) == 0) {
            plan->parameters[i].prior = value;
            plan->parameters[i].prior_deviation = deviation;
            found = true;
        }
    }
    return found || wrong("prior", text, expected);
}

// A free number of which each log has its own.
static bool read_each_log(hf_cli_fit_plan *plan, const char *name)
{
    bool found = false;
    for (int i = 0; i < plan->def.parameter_count; ++i) {
        if (fnmatch(name, plan->parameters[i].name, 0) == 0) {
            plan->parameters[i].per_log = true;
            found = true;
        }
    }
    return found || wrong("each-log", name, "the name of a free number");
}

// ------------------------------------------------------------------------------------------------
// Settings

static bool read_segments(hf_cli_fit_plan *plan, const char *text)
{
    char copy[256], *rest = NULL;
    if (text == NULL) {
        return true;
    }
    plan->def.stage_count = 0;
    (void)snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok_r(copy, ", ", &rest); word != NULL;
         word = strtok_r(NULL, ", ", &rest)) {
        double length = INFINITY;
        if (plan->def.stage_count >= HF_FIT_MOST_STAGES ||
            (strcmp(word, "all") != 0 && !(hf_cli_read_number(word, &length) && length > 0.0))) {
            return wrong("segments", text, "lengths in seconds or 'all', at most 8 of them");
        }
        plan->def.segments[plan->def.stage_count++] = length;
    }
    return plan->def.stage_count > 0 || wrong("segments", text, "lengths in seconds or 'all'");
}

static int choose(const char *option, const char *text, const char *const *words, int count)
{
    for (int i = 0; i < count; ++i) {
        if (text == NULL || strcmp(text, words[i]) == 0) {
            return i;
        }
    }
    (void)hf_cli_usage_error("fit", "--%s %s: expected %s, %s or %s", option, text, words[0],
                             words[1], words[2]);
    return -1;
}

static bool read_settings(hf_cli_fit_plan *plan, const hf_cli_fit_options *o)
{
    static const char *const losses[] = {"squares", "soft-l1", "huber"};
    int loss = choose("loss", o->loss, losses, 3);
    if (loss < 0 || !read_segments(plan, o->segments)) {
        return false;
    }
    hf_fit_def *def = &plan->def;
    def->loss = (hf_fit_loss)loss;
    def->loss_scale = isnan(o->loss_scale) ? def->loss_scale : o->loss_scale;
    def->starts = o->starts > 0 ? (int)o->starts : def->starts;
    def->evaluations = o->evolve > 0 ? (int)o->evolve : def->evaluations;
    def->iterations = o->iterations > 0 ? (int)o->iterations : def->iterations;
    def->seed = o->seed > 0 ? (unsigned long long)o->seed : def->seed;
    def->fixed_starts = o->fixed;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    def->threads = o->jobs > 0 ? (int)o->jobs : cores > 0 ? (int)cores : 1;
    return true;
}

// ------------------------------------------------------------------------------------------------

// "FILE", or "FILE:NAME=NUMBER,NAME=NUMBER": numbers that hold for the whole log.
static hf_fit_log *read_log(const char *word, hf_error *error)
{
    char path[2 * HF_CLI_FIT_TEXT], *rest = NULL;
    // What is behind the file's name
    const char *equals = strchr(word, '=');
    const char *colon = equals == NULL ? NULL : equals;
    while (colon != NULL && colon > word && *colon != ':') {
        --colon;
    }
    bool more = colon != NULL && *colon == ':';
    (void)snprintf(path, sizeof path, "%.*s", more ? (int)(colon - word) : (int)strlen(word), word);
    // The log, with columns of constant numbers
    hf_fit_log *log = hf_cli_fit_read_log(path, error);
    if (log == NULL || !more) {
        return log;
    }
    (void)snprintf(path, sizeof path, "%s", colon + 1);
    for (char *item = strtok_r(path, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(item, '=');
        double number = 0.0;
        if (value == NULL || value == item || !hf_cli_read_number(value + 1, &number)) {
            (void)wrong("log", word, "FILE:NAME=NUMBER,...");
            *error = (hf_error){0};
            hf_fit_log_destroy(log);
            return NULL;
        }
        *value = '\0';
        if (hf_fit_log_add(log, item, number, error) != HF_OK) {
            hf_fit_log_destroy(log);
            return NULL;
        }
    }
    return log;
}

static bool read_logs(hf_cli_fit_plan *plan, const hf_cli_fit_options *o)
{
    hf_error error = {0};
    if (o->logs.count + o->validations.count > HF_CLI_FIT_MOST) {
        return too_many("log");
    }
    for (int i = 0; i < o->logs.count + o->validations.count; ++i) {
        const char *path =
            i < o->logs.count ? o->logs.items[i] : o->validations.items[i - o->logs.count];
        plan->logs[plan->log_count] = read_log(path, &error);
        if (plan->logs[plan->log_count++] == NULL) {
            if (error.status < 0) {
                hf_cli_report(&error);
            }
            return false;
        }
    }
    plan->def.logs = (const hf_fit_log *const *)plan->logs;
    plan->def.log_count = o->logs.count;
    plan->def.validation_count = o->validations.count;
    return true;
}

static bool read_machine(hf_cli_fit_plan *plan, const char *model, const hf_cli_fit_options *o)
{
    const hf_overrides overrides = {
        .items = o->sets.items, .count = o->sets.count, .variant = o->variant, .law = o->law};
    hf_error error = {0};
    plan->machine = hf_cli_fit_machine(model, &overrides, &error);
    if (plan->machine == NULL) {
        if (error.status < 0) {
            hf_cli_report(&error);
        }
        return false;
    }
    plan->def.make = hf_fit_machine_make;
    plan->def.context = plan->machine;
    hf_cli_methods(plan->def.methods);
    return true;
}

bool hf_cli_fit_plan_make(hf_cli_fit_plan *plan, const char *model, const hf_cli_fit_options *o)
{
    static const char *const holds[] = {"held", "linear", "smooth"};
    bool free_delays[HF_CLI_FIT_MOST] = {false};
    int hold = choose("hold", o->hold, holds, 3);
    plan->def = hf_fit_def_default();
    plan->def.parameter_count = plan->def.input_count = plan->def.match_count = 0;
    // Model, logs and settings
    if (hold < 0 || !read_settings(plan, o) || !read_machine(plan, model, o) ||
        !read_logs(plan, o) || !read_frees(plan, o)) {
        return false;
    }
    // What goes in and what is compared
    for (int i = 0; i < o->inputs.count; ++i) {
        if (i >= HF_CLI_FIT_MOST ||
            !read_input(plan, o->inputs.items[i], (hf_fit_hold)hold, &free_delays[i])) {
            return false;
        }
    }
    for (int i = 0; i < o->matches.count; ++i) {
        if (!read_match(plan, o->matches.items[i])) {
            return false;
        }
    }
    // Delays and sensors
    for (int i = 0; i < plan->def.input_count; ++i) {
        if (free_delays[i] && !add_parameter(plan, HF_FIT_DELAY, i, "delay", plan->inputs[i].signal,
                                             "s", 0.0, false)) {
            return false;
        }
    }
    if (!read_sensors(plan, &o->offsets, "offset", HF_FIT_OFFSET, o->per_log) ||
        !read_sensors(plan, &o->scales, "scale", HF_FIT_SCALE, o->per_log)) {
        return false;
    }
    for (int i = 0; i < o->priors.count; ++i) {
        if (!read_prior(plan, o->priors.items[i])) {
            return false;
        }
    }
    for (int i = 0; i < o->each_logs.count; ++i) {
        if (!read_each_log(plan, o->each_logs.items[i])) {
            return false;
        }
    }
    plan->def.inputs = plan->inputs;
    plan->def.matches = plan->matches;
    plan->def.parameters = plan->parameters;
    return true;
}

void hf_cli_fit_plan_free(hf_cli_fit_plan *plan)
{
    for (int i = 0; i < plan->log_count; ++i) {
        hf_fit_log_destroy(plan->logs[i]);
    }
    hf_fit_machine_destroy(plan->machine);
    hf_document_free(&plan->documents);
    hf_arena_free(&plan->arena);
    free(plan);
}
