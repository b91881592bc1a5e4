// SPDX-License-Identifier: Apache-2.0
// holdfast law
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/number.h"
#include "cli/characterize.h"
#include "cli/cli.h"
#include "cli/report.h"
#include "report/panels.h"

static bool is_friction(const hf_law_info *law)
{
    return law != NULL && law->kind == HF_KIND_FRICTION;
}

static int print_list(void)
{
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)i);
        if (is_friction(law)) {
            (void)printf("%-22s %s\n%-22s   %s; %s\n", law->name, law->phrase, "", law->source,
                         law->max_dim == 1 ? "1 dimension" : "1 to 3 dimensions");
        }
    }
    return HF_CLI_DONE;
}

static int unknown_law(const char *name)
{
    const char *names[HF_LAW_TYPE_COUNT];
    int count = 0;
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)i);
        if (is_friction(law)) {
            names[count++] = law->name;
        }
    }
    const char *nearest = hf_nearest_name(name, names, count);
    return hf_cli_error("there is no friction law '%s'%s%s%s; 'holdfast law --list' lists them",
                        name, nearest == NULL ? "" : " (did you mean '",
                        nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)");
}

// ------------------------------------------------------------------------------------------------
// Table

static void show_level(const hf_level *level, char *text, size_t size)
{
    int length = snprintf(text, size, "%g", level->kinetic[HF_FORTH]);
    if (level->table_speed.count > 0) {
        (void)snprintf(text, size, "a table of %d points", level->table_speed.count);
    } else if (level->peak[HF_FORTH] > level->kinetic[HF_FORTH] && length > 0) {
        (void)snprintf(text + length, size - (size_t)length, ", %g at rest", level->peak[HF_FORTH]);
    }
}

static void show_list(const hf_list *list, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "[");
    for (int i = 0; i < list->count && length + 24 < size; ++i) {
        length += (size_t)snprintf(text + length, size - length, "%s%g", i == 0 ? "" : ", ",
                                   list->values[i]);
    }
    (void)snprintf(text + length, size - length, "]");
}

static void print_parameters(const hf_cli_character *c)
{
    for (int i = 0; i < c->law->param_count; ++i) {
        const hf_param *param = &c->law->params[i];
        const void *member = (const char *)c->def + param->offset;
        char value[100] = "";
        switch (param->kind) {
        case HF_PARAM_LEVEL:
            show_level(member, value, sizeof value);
            break;
        case HF_PARAM_LIST:
            show_list(member, value, sizeof value);
            break;
        case HF_PARAM_FLAG:
            (void)snprintf(value, sizeof value, "%s", *(const bool *)member ? "true" : "false");
            break;
        case HF_PARAM_COUNT:
            (void)snprintf(value, sizeof value, "%d", *(const int *)member);
            break;
        case HF_PARAM_NUMBER:
        case HF_PARAM_AUTO:
            (void)snprintf(value, sizeof value, "%g", *(const double *)member);
            break;
        }
        (void)printf("  %-14s %s %s   %s\n", param->name, value, param->unit, param->meaning);
    }
}

static void print_table(const hf_cli_character *c)
{
    (void)printf("%s: %s\n  source         %s\n", c->law->name, c->law->phrase, c->law->source);
    print_parameters(c);
    (void)printf("\nMeasured\n");
    (void)printf("  steady force   %.6g N at the least, %.6g N at %g m/s\n", c->least, c->fast,
                 c->speed);
    (void)printf("  presliding     %s%.4g m; loops close to %.3g N\n",
                 c->stiffness > 0.0 ? "" : "no stiffness, looked at over ", c->reach, c->closure);
    (void)printf("  break-away     %.6g N at %.3g N/s, %.6g N at %.3g N/s\n", c->slow_away,
                 c->slow_rate, c->fast_away, c->fast_rate);
    (void)printf("  lag            %.4g N between coming and going, at %g rad/s\n", c->lag,
                 c->lag_rate);
    (void)printf("  drift          %.3g m/s under a load of %.4g N that hums by %.4g N\n", c->drift,
                 0.6 * c->level, 0.35 * c->level);
}

// ------------------------------------------------------------------------------------------------
// Figure and CSV

typedef struct test_text {
    const char *word; // in the CSV
    const char *title, *x_label, *y_label;
    bool log_x;
    double x_scale, y_scale; // of the figure
} test_text;

static const test_text texts[HF_CLI_TEST_COUNT] = {
    [HF_CLI_TEST_MAP] = {"map", "force over velocity, to and fro", "velocity [m/s]", "force [N]",
                         false, 1.0, 1.0},
    [HF_CLI_TEST_PRESLIDING] = {"presliding", "presliding: loops within loops", "displacement [um]",
                                "force [N]", false, 1e6, 1.0},
    [HF_CLI_TEST_STRIBECK] = {"stribeck", "steady sliding", "velocity [m/s]", "force [N]", true,
                              1.0, 1.0},
    [HF_CLI_TEST_LAG] = {"lag", "lag behind a velocity that swings", "velocity [m/s]", "force [N]",
                         false, 1.0, 1.0},
    [HF_CLI_TEST_BREAKAWAY] = {"break-away", "break-away", "rate of the load [N/s]", "force [N]",
                               true, 1.0, 1.0},
    [HF_CLI_TEST_DRIFT] = {"drift", "under a load that hums below the level", "time [s]",
                           "displacement [um]", false, 1.0, 1e6},
};

static int draw(const hf_cli_character *c, const char *path)
{
    hf_curve curves[HF_CLI_TEST_COUNT][HF_CLI_SERIES];
    hf_panel panels[HF_CLI_TEST_COUNT];
    for (int test = 0; test < HF_CLI_TEST_COUNT; ++test) {
        for (int i = 0; i < c->counts[test]; ++i) {
            const hf_cli_series *s = &c->series[test][i];
            curves[test][i] = (hf_curve){.name = c->counts[test] > 1 ? s->name : "",
                                         .x = s->x,
                                         .y = s->y,
                                         .count = s->count,
                                         .points = texts[test].log_x};
        }
        panels[test] = (hf_panel){.title = texts[test].title,
                                  .x_label = texts[test].x_label,
                                  .y_label = texts[test].y_label,
                                  .x_scale = texts[test].x_scale,
                                  .y_scale = texts[test].y_scale,
                                  .log_x = texts[test].log_x,
                                  .curves = curves[test],
                                  .curve_count = c->counts[test]};
    }
    const hf_panels_def def = {.output = path,
                               .title = c->law->name,
                               .columns = 2,
                               .panels = panels,
                               .panel_count = HF_CLI_TEST_COUNT};
    hf_error error = {0};
    hf_status status = hf_panels_draw(&def, &error);
    if (status != HF_OK) {
        hf_cli_report(&error);
    }
    return status == HF_OK ? HF_CLI_DONE
                           : (status == HF_ERROR_INPUT ? HF_CLI_USAGE : HF_CLI_FAILED);
}

static int write_csv(const hf_cli_character *c, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        (void)hf_cli_error("%s: cannot create: %s", path, strerror(errno));
        return HF_CLI_FAILED;
    }
    (void)fputs("test,curve,x,y\n", file);
    for (int test = 0; test < HF_CLI_TEST_COUNT; ++test) {
        for (int i = 0; i < c->counts[test]; ++i) {
            const hf_cli_series *s = &c->series[test][i];
            for (size_t k = 0; k < s->count; ++k) {
                char x[HF_NUMBER_SIZE], y[HF_NUMBER_SIZE];
                (void)hf_number_format(s->x[k], x);
                (void)hf_number_format(s->y[k], y);
                (void)fprintf(file, "%s,%s,%s,%s\n", texts[test].word, s->name, x, y);
            }
        }
    }
    bool good = ferror(file) == 0;
    if (fclose(file) != 0 || !good) {
        (void)hf_cli_error("%s: cannot write: %s", path, strerror(errno));
        return HF_CLI_FAILED;
    }
    return HF_CLI_DONE;
}

// ------------------------------------------------------------------------------------------------
// The command

typedef struct law_options {
    hf_cli_list sets, operands;
    const char *figure, *csv;
    double speed;
    bool list;
} law_options;

static int characterize(const law_options *o)
{
    const char *name = o->operands.items[0];
    if (!is_friction(hf_law_info_find(name))) {
        return unknown_law(name);
    }
    hf_error error = {0};
    hf_cli_character character;
    int code = HF_CLI_USAGE;
    hf_status status =
        hf_cli_characterize(name, o->sets.items, o->sets.count, o->speed, &character, &error);
    if (status != HF_OK) {
        hf_cli_report(&error);
        code = status == HF_ERROR_NOT_FINITE ? HF_CLI_FAILED : HF_CLI_USAGE;
    } else {
        print_table(&character);
        code = o->csv == NULL ? HF_CLI_DONE : write_csv(&character, o->csv);
        if (code == HF_CLI_DONE && o->figure != NULL) {
            code = draw(&character, o->figure);
        }
    }
    hf_cli_character_free(&character);
    return code;
}

static int run_law(const law_options *o)
{
    if (o->list && o->operands.count > 0) {
        return hf_cli_usage_error("law", "--list lists all laws: give no NAME");
    }
    if (o->list && (o->sets.count > 0 || o->figure != NULL || o->csv != NULL)) {
        return hf_cli_usage_error("law", "--list lists all laws, and tests none: --set, -o and "
                                         "--csv do not go with it");
    }
    if (o->list) {
        return print_list();
    }
    if (o->operands.count == 0) {
        return hf_cli_usage_error("law", "NAME is missing: holdfast law NAME, or --list");
    }
    if (!(o->speed > 0.0)) {
        return hf_cli_usage_error("law", "--velocity: expected a positive number, not %g",
                                  o->speed);
    }
    return characterize(o);
}

static void prepare(void *options)
{
    ((law_options *)options)->speed = 0.1;
}

static int start(void *options, const hf_cli_list *operands)
{
    law_options *o = options;
    o->operands = *operands;
    bool named = o->figure == NULL || hf_cli_figure_check_name("law", o->figure);
    return named ? run_law(o) : HF_CLI_USAGE;
}

static const hf_cli_option table[] = {
    {"set", 0, "K=V", "give the law's parameter K the value V; may be repeated", HF_CLI_LIST,
     offsetof(law_options, sets), HF_CLI_WORD_ANY, NULL},
    {"velocity", 0, "V", "the largest velocity to look at [m/s]; 0.1 unless given", HF_CLI_NUMBER,
     offsetof(law_options, speed), HF_CLI_WORD_ANY, NULL},
    {"output", 'o', "FIG", "draw all tests: FIG.svg, FIG.png or FIG.pdf", HF_CLI_TEXT,
     offsetof(law_options, figure), HF_CLI_WORD_FIGURE, NULL},
    {"csv", 0, "FILE", "write all curves to FILE", HF_CLI_TEXT, offsetof(law_options, csv),
     HF_CLI_WORD_FILE, NULL},
    {"list", 0, NULL, "list the friction laws and end", HF_CLI_FLAG, offsetof(law_options, list),
     HF_CLI_WORD_ANY, NULL},
};

const hf_cli_command hf_cli_command_law = {
    .name = "law",
    .phrase = "characterize a friction law alone",
    .usage = "NAME [--set K=V]... [-o FIG.svg] [--csv FILE] | --list",
    .about = "Shows what a friction law does by itself: force over velocity to and fro, "
             "presliding with\n"
             "loops within loops, steady sliding (the Stribeck curve), lag, break-away "
             "against the rate of\n"
             "the load, and drift under a load that hums below the level.\n",
    .after = "\nExamples:\n"
             "  holdfast law lugre -o lugre.svg\n"
             "  holdfast law gms --set 'level={kinetic: 1, static: 1.5, stribeck_velocity: "
             "0.01}' -o gms.svg\n",
    .operand = "NAME",
    .most = 1,
    .first = HF_CLI_WORD_LAW,
    .others = HF_CLI_WORD_LAW,
    HF_CLI_OPTIONS(table),
    .size = sizeof(law_options),
    .prepare = prepare,
    .start = start,
};
