// SPDX-License-Identifier: Apache-2.0
// Figures of several runs over each other, and of tables of sweeps: what is drawn, and what is
// refused.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hf_test.h"
#include <holdfast/report.h>

enum { SAMPLES = 200, CHANNELS = 2 };

typedef struct scene {
    hf_recording recording;
    char *names[CHANNELS], *units[CHANNELS];
    double time[SAMPLES], numbers[CHANNELS][SAMPLES], *values[CHANNELS];
} scene;

static void invent(scene *s, char *first, char *second, double size)
{
    *s = (scene){.names = {first, second}, .units = {"m", ""}};
    for (int i = 0; i < SAMPLES; ++i) {
        s->time[i] = 0.01 * i;
        s->numbers[0][i] = size * sin(s->time[i] * 5.0);
        s->numbers[1][i] = size * cos(s->time[i] * 5.0);
    }
    for (int k = 0; k < CHANNELS; ++k) {
        s->values[k] = s->numbers[k];
    }
    s->recording = (hf_recording){.channel_count = CHANNELS,
                                  .samples = SAMPLES,
                                  .names = s->names,
                                  .units = s->units,
                                  .time = s->time,
                                  .values = s->values,
                                  .title = "",
                                  .model_text = "",
                                  .scene = "",
                                  .summary = ""};
}

static char *read_figure(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1 << 22, 1);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 22) - 1, file) > 0);
    (void)fclose(file);
    assert_int_equal(unlink(path), 0);
    return text;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *c = strstr(text, part); c != NULL; c = strstr(c + 1, part)) {
        ++count;
    }
    return count;
}

#define FIGURE "/tmp/holdfast-plot-runs-test.svg"

static void several_runs(void **state)
{
    (void)state;
    static scene a, b;
    invent(&a, "ball.position", "floor.mode", 1.0);
    invent(&b, "ball.position", "floor.mode", 2.0);
    hf_page_run runs[2] = {{&a.recording, "slow"}, {&b.recording, "fast"}};
    const char *const channels[] = {"ball.position", "floor.mode"};
    hf_plot_def def = {
        .output = FIGURE, .channels = channels, .channel_count = 2, .title = "two runs"};
    hf_error error = {0};
    assert_int_equal(hf_plot_runs(runs, 2, &def, &error), HF_OK);
    char *svg = read_figure(FIGURE);
    // A panel for each channel, a curve for each run; units where there are some
    assert_int_equal(count_of(svg, "<g id=\"gnuplot_plot_"), 4);
    assert_non_null(strstr(svg, ">ball.position [m]<"));
    assert_non_null(strstr(svg, ">floor.mode<"));
    assert_int_equal(count_of(svg, ">time [s]<"), 1);
    // One above the other: a figure of two is higher than one of one, and not wider
    double sides[2][2];
    for (int k = 0; k < 2; ++k) {
        def.channel_count = k + 1;
        assert_int_equal(hf_plot_runs(runs, 2, &def, &error), HF_OK);
        char *figure = read_figure(FIGURE);
        const char *at = strstr(figure, " width=\"");
        assert_non_null(at);
        sides[k][0] = strtod(at + strlen(" width=\""), NULL);
        at = strstr(figure, " height=\"");
        assert_non_null(at);
        sides[k][1] = strtod(at + strlen(" height=\""), NULL);
        free(figure);
    }
    hf_check_near(sides[1][0], sides[0][0], 0.0, "width", "of one panel");
    assert_true(sides[1][1] > 1.2 * sides[0][1]);
    assert_int_equal(count_of(svg, "slow"), count_of(svg, "fast"));
    assert_true(count_of(svg, "slow") > 0);
    assert_non_null(strstr(svg, "two runs"));
    free(svg);
    // Over another channel, whatever its place
    for (int x = 0; x < 2; ++x) {
        def.x = channels[x];
        def.channels = channels + 1 - x;
        def.channel_count = 1;
        assert_int_equal(hf_plot_runs(runs, 2, &def, &error), HF_OK);
        svg = read_figure(FIGURE);
        assert_null(strstr(svg, "time [s]"));
        assert_non_null(strstr(svg, x == 0 ? ">ball.position [m]<" : ">floor.mode<"));
        free(svg);
    }
}

enum { MANY = 65 }; // one more than a figure shows
static void what_runs_lack(void **state)
{
    (void)state;
    static scene a, b;
    invent(&a, "ball.position", "floor.mode", 1.0);
    invent(&b, "ball.velocity", "floor.mode", 2.0);
    hf_page_run runs[MANY];
    for (int i = 0; i < MANY; ++i) {
        runs[i] = (hf_page_run){i == 1 ? &b.recording : &a.recording, i == 1 ? "second" : "first"};
    }
    const char *const channels[] = {"ball.position"};
    hf_plot_def def = {.output = FIGURE, .channels = channels, .channel_count = 1};
    hf_error error = {0};
    assert_int_equal(hf_plot_runs(runs, 2, &def, &error), HF_ERROR_NAME);
    assert_non_null(strstr(error.text, "second has no channel 'ball.position'"));
    def.x = "ball.position";
    def.channels = (const char *const[]){"floor.mode"};
    assert_int_equal(hf_plot_runs(runs, 2, &def, &error), HF_ERROR_NAME);
    assert_non_null(strstr(error.text, "second has no channel 'ball.position'"));
    def.x = NULL;
    assert_int_equal(hf_plot_runs(runs, 0, &def, &error), HF_ERROR_RANGE);
    assert_int_equal(hf_plot_runs(runs, MANY, &def, &error), HF_ERROR_RANGE);
    assert_non_null(strstr(error.text, "65 runs in one figure"));
    assert_int_not_equal(access(FIGURE, F_OK), 0); // nothing is left behind
}

// ------------------------------------------------------------------------------------------------

enum { ROWS = 6 };

static hf_table table_of(hf_table_column *columns, int count)
{
    static char *fact_names[1] = {"title"}, *facts[1] = {"a sweep"};
    return (hf_table){.rows = ROWS,
                      .column_count = count,
                      .columns = columns,
                      .fact_count = 1,
                      .fact_names = fact_names,
                      .facts = facts};
}

static void points_of_a_table(void **state)
{
    (void)state;
    double steps[ROWS] = {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
    double errors[ROWS] = {1.0, 2.0, (double)NAN, 3.0, 5.0, 4.0};
    double shade[ROWS] = {0.0, 1.0, 2.0, 3.0, 4.0, 5.0};
    char *texts[ROWS] = {"rk4", "euler", "rk4", "rk4", "euler", "verlet"};
    hf_table_column columns[] = {{"step", "s", "vary", steps, NULL},
                                 {"error", "m", "out", errors, NULL},
                                 {"shade", "", "out", shade, NULL},
                                 {"method", "", "vary", NULL, texts}};
    hf_table table = table_of(columns, 4);
    assert_int_equal(hf_table_find(&table, "error"), 1);
    assert_int_equal(hf_table_find(&table, "none"), -1);
    hf_error error = {0};
    hf_table_plot_def def = {.output = FIGURE, .x = "step", .y = "error"};
    assert_int_equal(hf_table_plot(&table, &def, &error), HF_OK);
    char *svg = read_figure(FIGURE);
    // Five of six rows have numbers in both
    static const char point[] = "<use xlink:href='#gpPt6' transform='translate(";
    assert_int_equal(count_of(svg, point), 5);
    // Steps in equal ratios: decades are equally wide, and the one without a number is left out
    static const int decades[5] = {0, 1, 3, 4, 5};
    double first = 0.0, wide = 0.0;
    const char *at = svg;
    for (int i = 0; i < 5; ++i) {
        at = strstr(at, point) + strlen(point);
        double x = strtod(at, NULL);
        first = i == 0 ? x : first;
        wide = i == 1 ? x - first : wide;
        hf_check_near(x, first + decades[i] * wide, 0.1, "place of a point", "logarithmic axis");
    }
    assert_non_null(strstr(svg, ">step [s]<"));
    assert_non_null(strstr(svg, ">error [m]<"));
    assert_non_null(strstr(svg, "a sweep"));
    free(svg);
    // Words have places, and a third column is a colour
    def = (hf_table_plot_def){
        .output = FIGURE, .x = "method", .y = "error", .colour = "shade", .title = "by method"};
    assert_int_equal(hf_table_plot(&table, &def, &error), HF_OK);
    svg = read_figure(FIGURE);
    assert_int_equal(count_of(svg, ">rk4<"), 1);
    assert_int_equal(count_of(svg, ">verlet<"), 1);
    assert_non_null(strstr(svg, "shade"));
    assert_non_null(strstr(svg, "by method"));
    free(svg);
    // What there is not
    def.y = "eror";
    assert_int_equal(hf_table_plot(&table, &def, &error), HF_ERROR_NAME);
    assert_non_null(strstr(error.text, "eror"));
    def.y = "error";
    def.x = "stp";
    assert_int_equal(hf_table_plot(&table, &def, &error), HF_ERROR_NAME);
    assert_non_null(strstr(error.text, "stp"));
    def.x = "step";
    def.output = "/nowhere/at/all.svg";
    assert_int_equal(hf_table_plot(&table, &def, &error), HF_ERROR_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_runs),
        cmocka_unit_test(what_runs_lack),
        cmocka_unit_test(points_of_a_table),
    };
    return hf_run_tests(tests);
}
