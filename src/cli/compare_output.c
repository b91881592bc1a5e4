// SPDX-License-Identifier: Apache-2.0
// The results of `holdfast compare`: table, JSON and figures.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/compare.h"
#include "report/panels.h"

enum { MOST_COLUMNS = 5, MOST_PANELS = 40, MOST_CURVES = 64, WIDEST_LABEL = 48 };

// ------------------------------------------------------------------------------------------------
// Which channels

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

// Modes and inner states say little in a figure or a table.
static bool is_plain(const char *channel)
{
    return !ends_with(channel, ".mode") && strstr(channel, ".state.") == NULL;
}

static const hf_cli_value *find_value(const hf_cli_trial *t, const char *name)
{
    for (int i = 0; i < t->value_count; ++i) {
        if (strcmp(t->values[i].name, name) == 0) {
            return &t->values[i];
        }
    }
    return NULL;
}

static const hf_cli_trial *first_that_ran(const hf_cli_comparison *c)
{
    for (int i = 0; i < c->count; ++i) {
        if (c->trials[i].created) {
            return &c->trials[i];
        }
    }
    return NULL;
}

// The names of what is shown: those asked for (groups such as block.position too), or the plain
// ones. Returns how many, -1 after a message.
static int choose_channels(const hf_cli_comparison *c, const hf_cli_list *wanted,
                           const char *names[MOST_PANELS])
{
    const hf_cli_trial *first = first_that_ran(c);
    int count = 0;
    for (int i = 0; wanted->count == 0 && i < first->value_count && count < MOST_PANELS; ++i) {
        if (is_plain(first->values[i].name)) {
            names[count++] = first->values[i].name;
        }
    }
    for (int k = 0; k < wanted->count; ++k) {
        size_t length = strlen(wanted->items[k]);
        int before = count;
        for (int i = 0; i < first->value_count && count < MOST_PANELS; ++i) {
            const char *name = first->values[i].name;
            if (strncmp(name, wanted->items[k], length) == 0 &&
                (name[length] == '\0' || name[length] == '.')) {
                names[count++] = name;
            }
        }
        if (count == before) {
            (void)hf_cli_error("the runs record no channel '%s'", wanted->items[k]);
            return -1;
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Table

static int label_width(const hf_cli_comparison *c)
{
    int width = 10;
    for (int i = 0; i < c->count; ++i) {
        int length = (int)strnlen(c->trials[i].label, WIDEST_LABEL);
        width = length > width ? length : width;
    }
    return width;
}

static const char *verdict_of(const hf_cli_trial *t)
{
    return !t->created || t->status < 0 ? "" : t->verdict.trustworthy ? "trustworthy" : "doubtful";
}

static void print_trial(const hf_cli_trial *t, int width)
{
    char drift[32] = "-";
    if (!t->created) {
        hf_cli_put(stdout, "  %-*s not run: %s\n", width, t->label, t->error.text);
        return;
    }
    if (t->status < 0) {
        hf_cli_put(stdout, "  %-*s %-20s %9g failed after t = %g s\n", width, t->label,
                   hf_method_name(t->used.type), t->used.step, t->end);
        return;
    }
    if (!isnan(t->drift)) {
        (void)snprintf(drift, sizeof drift, "%.4g", t->drift);
    }
    hf_cli_put(stdout, "  %-*s %-20s %9g %13s %8lld %13.6g %12.3g %12lld %9.3g ", width, t->label,
               hf_method_name(t->used.type), t->used.step, drift, t->chatter,
               hf_cli_shown(t->largest_force), hf_cli_shown(t->energy.residual),
               t->stats.evaluations, t->cpu_seconds);
    hf_cli_paint(stdout, t->verdict.trustworthy ? HF_CLI_GOOD : HF_CLI_DOUBT);
    (void)fputs(verdict_of(t), stdout);
    hf_cli_paint(stdout, HF_CLI_PLAIN);
    (void)putchar('\n');
}

static void print_finals(const hf_cli_comparison *c, int width)
{
    // As many columns as fit
    const char *names[MOST_PANELS];
    const hf_cli_list all = {0};
    int count = choose_channels(c, &all, names);
    int shown = count < MOST_COLUMNS ? count : MOST_COLUMNS;
    (void)printf("\n%-*s %10s", width + 2, "Final values", "time [s]");
    for (int i = 0; i < shown; ++i) {
        (void)printf(" %18.18s", names[i]);
    }
    (void)printf("\n");
    // A line for each run that ended
    for (int k = 0; k < c->count; ++k) {
        const hf_cli_trial *t = &c->trials[k];
        if (!t->created || t->status < 0) {
            continue;
        }
        hf_cli_put(stdout, "  %-*s %10g", width, t->label, t->end);
        for (int i = 0; i < shown; ++i) {
            const hf_cli_value *value = find_value(t, names[i]);
            if (value == NULL) {
                (void)printf(" %18s", "-");
            } else {
                (void)printf(" %18.10g", hf_cli_shown(value->value));
            }
        }
        (void)printf("\n");
    }
    if (shown < count) {
        (void)printf("  and %d more channels (--json prints all)\n", count - shown);
    }
}

static void print_notes(const hf_cli_comparison *c)
{
    for (int i = 0; i < c->count; ++i) {
        const hf_cli_trial *t = &c->trials[i];
        if (t->created && t->status < 0) {
            hf_cli_put(stdout, "%s: failed: %s\n", t->label, t->error.text);
        }
        if (t->created && !t->verdict.trustworthy) {
            hf_cli_put(stdout, "%s: doubtful: %s\n", t->label, t->verdict.why);
        }
    }
}

// "drift [rad/s]": the unit that the drifts of all runs have; of unlike ones that of SI.
static void drift_title(const hf_cli_comparison *c, char *title, size_t size)
{
    const char *unit = "";
    for (int i = 0; i < c->count; ++i) {
        const char *own = c->trials[i].drift_unit;
        if (own[0] != '\0' && unit[0] != '\0' && strcmp(own, unit) != 0) {
            (void)snprintf(title, size, "drift [SI]");
            return;
        }
        unit = own[0] != '\0' ? own : unit;
    }
    (void)snprintf(title, size, "drift [%s]", unit[0] == '\0' ? "m/s" : unit);
}

void hf_cli_compare_table(const hf_cli_comparison *c)
{
    int width = label_width(c);
    char drift[24];
    drift_title(c, drift, sizeof drift);
    hf_cli_put(stdout, "%s: %d runs\n\n", c->model, c->count);
    (void)printf("%-*s %-20s %9s %13s %8s %13s %12s %12s %9s %s\n", width + 2, "Run", "method",
                 "step [s]", drift, "chatter", "largest force", "residual [J]", "evaluations",
                 "time [s]", "verdict");
    for (int i = 0; i < c->count; ++i) {
        print_trial(&c->trials[i], width);
    }
    print_finals(c, width);
    (void)printf("\n");
    print_notes(c);
}

// ------------------------------------------------------------------------------------------------
// JSON

static void write_forces(hf_json *json, const hf_cli_trial *t)
{
    hf_json_begin(json, "laws");
    for (int i = 0; i < t->force_count; ++i) {
        const hf_cli_force_result *force = &t->forces[i];
        hf_json_begin(json, force->name);
        hf_json_number(json, "drift", force->hold.drift);
        hf_json_number(json, "longest_stick_seconds", force->hold.held);
        hf_json_count(json, "chatter", force->hold.chatter);
        hf_json_number(json, "stick_seconds", force->stats.stick_seconds);
        hf_json_number(json, "slip_seconds", force->stats.slip_seconds);
        hf_json_count(json, "transitions", force->stats.transitions);
        hf_json_number(json, "dissipated", force->stats.dissipated);
        hf_json_number(json, "largest_force", force->stats.largest_force);
        hf_json_end(json);
    }
    hf_json_end(json);
}

static void write_trial(hf_json *json, const hf_cli_trial *t)
{
    hf_json_begin(json, t->label);
    // How it went, and by which method
    hf_json_text(json, "status",
                 !t->created ? "not run" : (t->status < 0 ? "failed" : "completed"));
    hf_json_text(json, "message", t->status < 0 ? t->error.text : "");
    hf_json_text(json, "verdict", verdict_of(t));
    hf_json_text(json, "why", t->verdict.why);
    hf_json_text(json, "method", hf_method_name(t->used.type));
    hf_json_number(json, "step", t->used.step);
    // What it reported
    if (t->created) {
        hf_json_number(json, "time", t->end);
        hf_json_number(json, "drift", t->drift);
        hf_json_count(json, "chatter", t->chatter);
        hf_json_number(json, "largest_force", t->largest_force);
        hf_json_number(json, "energy_residual", t->energy.residual);
        hf_json_number(json, "energy_turnover", t->energy.turnover);
        hf_json_count(json, "steps", t->stats.steps);
        hf_json_count(json, "evaluations", t->stats.evaluations);
        hf_json_number(json, "cpu_seconds", t->cpu_seconds);
        hf_json_number(json, "largest_stable_step", t->smallest_stable_step);
        write_forces(json, t);
        hf_json_begin(json, "final");
        for (int i = 0; i < t->value_count; ++i) {
            hf_json_number(json, t->values[i].name, t->values[i].value);
        }
        hf_json_end(json);
    }
    hf_json_end(json);
}

void hf_cli_compare_json(const hf_cli_comparison *c)
{
    hf_json json = {.file = stdout};
    hf_json_begin(&json, NULL);
    hf_json_text(&json, "model", c->model);
    hf_json_text(&json, "version", HF_VERSION);
    hf_json_begin(&json, "runs");
    for (int i = 0; i < c->count; ++i) {
        write_trial(&json, &c->trials[i]);
    }
    hf_json_end(&json);
    hf_json_end(&json);
}

// ------------------------------------------------------------------------------------------------
// CSV

static void write_number(FILE *file, double value)
{
    char text[HF_NUMBER_SIZE];
    (void)hf_number_format(value, text);
    (void)fprintf(file, ",%s", text);
}

static void write_rows(const hf_cli_comparison *c, FILE *file)
{
    const hf_cli_trial *first = first_that_ran(c);
    (void)fputs("run,status,verdict,method,step,time,drift,chatter,largest_force,energy_residual,"
                "evaluations,cpu_seconds",
                file);
    for (int i = 0; i < first->value_count; ++i) {
        (void)fputc(',', file);
        hf_csv_write_text(file, first->values[i].name);
    }
    (void)fputc('\n', file);
    for (int k = 0; k < c->count; ++k) {
        const hf_cli_trial *t = &c->trials[k];
        hf_csv_write_text(file, t->label);
        (void)fprintf(file, ",%s,%s,%s",
                      !t->created ? "not run" : (t->status < 0 ? "failed" : "completed"),
                      verdict_of(t), hf_method_name(t->used.type));
        write_number(file, t->used.step);
        const double numbers[] = {
            t->end,           t->drift,           (double)t->chatter,
            t->largest_force, t->energy.residual, (double)t->stats.evaluations,
            t->cpu_seconds};
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
            write_number(file, t->created ? numbers[i] : (double)NAN);
        }
        for (int i = 0; i < first->value_count; ++i) {
            const hf_cli_value *value = find_value(t, first->values[i].name);
            write_number(file, value == NULL ? (double)NAN : value->value);
        }
        (void)fputc('\n', file);
    }
}

int hf_cli_compare_csv(const hf_cli_comparison *c, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        (void)hf_cli_error("%s: cannot create: %s", path, strerror(errno));
        return HF_CLI_FAILED;
    }
    write_rows(c, file);
    bool good = ferror(file) == 0;
    if (fclose(file) != 0 || !good) {
        (void)hf_cli_error("%s: cannot write: %s", path, strerror(errno));
        return HF_CLI_FAILED;
    }
    return HF_CLI_DONE;
}

// ------------------------------------------------------------------------------------------------
// Figure

typedef struct picture {
    hf_panel panels[MOST_PANELS];
    hf_curve curves[MOST_PANELS][MOST_CURVES];
    char labels[MOST_PANELS][HF_CLI_NAME_SIZE + 32];
    const char *names[MOST_PANELS]; // of channels
    int channels;
} picture;

static hf_curve curve_of(const hf_cli_trial *t, const char *channel, const char *name)
{
    const hf_cli_value *value = find_value(t, channel);
    if (value == NULL) {
        return (hf_curve){.name = ""};
    }
    return (hf_curve){.name = name, .x = t->time, .y = value->curve, .count = (size_t)t->samples};
}

static int draw_overlaid(const hf_cli_comparison *c, picture *p)
{
    const hf_cli_trial *first = first_that_ran(c);
    for (int i = 0; i < p->channels; ++i) {
        int curves = 0;
        for (int k = 0; k < c->count && curves < MOST_CURVES; ++k) {
            if (c->trials[k].created && c->trials[k].status >= 0) { // else it has no scale
                p->curves[i][curves++] = curve_of(&c->trials[k], p->names[i], c->trials[k].label);
            }
        }
        const hf_cli_value *value = find_value(first, p->names[i]);
        (void)snprintf(p->labels[i], sizeof p->labels[i], value->unit[0] == '\0' ? "%s" : "%s [%s]",
                       p->names[i], value->unit);
        p->panels[i] = (hf_panel){.title = "",
                                  .x_label = i == p->channels - 1 ? "time [s]" : "",
                                  .y_label = p->labels[i],
                                  .curves = p->curves[i],
                                  .curve_count = curves};
    }
    return p->channels;
}

static int draw_separate(const hf_cli_comparison *c, picture *p)
{
    int panels = 0;
    for (int k = 0; k < c->count && panels < MOST_PANELS; ++k) {
        const hf_cli_trial *t = &c->trials[k];
        if (!t->created) {
            continue;
        }
        for (int i = 0; i < p->channels; ++i) {
            p->curves[panels][i] = curve_of(t, p->names[i], p->names[i]);
        }
        p->panels[panels] = (hf_panel){.title = t->label,
                                       .x_label = "time [s]",
                                       .y_label = "",
                                       .curves = p->curves[panels],
                                       .curve_count = p->channels};
        ++panels;
    }
    return panels;
}

int hf_cli_compare_figure(const hf_cli_comparison *c, const char *path, const hf_cli_list *channels,
                          bool separate)
{
    picture *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return hf_cli_error("out of memory");
    }
    p->channels = choose_channels(c, channels, p->names);
    if (p->channels == 0) {
        (void)hf_cli_error("the runs record nothing to draw");
    }
    hf_status status = HF_ERROR_INPUT;
    hf_error error = {0};
    if (p->channels > 0) {
        int panels = separate ? draw_separate(c, p) : draw_overlaid(c, p);
        const hf_panels_def def = {.output = path,
                                   .title = separate ? c->model : "",
                                   .columns = separate && panels > 1 ? 2 : 1,
                                   .one_key = true,
                                   .panels = p->panels,
                                   .panel_count = panels};
        status = hf_panels_draw(&def, &error);
        if (status != HF_OK) {
            hf_cli_report(&error);
        }
    }
    free(p);
    return status == HF_OK ? HF_CLI_DONE
                           : (status == HF_ERROR_INPUT ? HF_CLI_USAGE : HF_CLI_FAILED);
}
