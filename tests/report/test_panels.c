// SPDX-License-Identifier: Apache-2.0
// Figures of panels: where the points of a curve are drawn, on linear and logarithmic axes, is
// where their numbers belong.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hf_test.h"
#include "report/panels.h"

enum { COUNT = 5, ROOM = 1 << 20 };

static char *draw(const hf_panel *panel)
{
    const hf_panels_def def = {
        .output = "figure.svg", .title = "", .columns = 1, .panels = panel, .panel_count = 1};
    hf_error error = {0};
    if (hf_panels_draw(&def, &error) != HF_OK) {
        if (strstr(error.text, "gnuplot") != NULL && system("gnuplot --version >/dev/null 2>&1")) {
            skip();
        }
        fail_msg("%s", error.text);
    }
    char *svg = calloc(1, ROOM);
    FILE *file = fopen("figure.svg", "r");
    assert_true(svg != NULL && file != NULL);
    assert_true(fread(svg, 1, ROOM - 1, file) > 0);
    (void)fclose(file);
    return svg;
}

// The corners of the first curve's line. Returns how many.
static int corners_of(const char *svg, double x[COUNT], double y[COUNT])
{
    const char *at = strstr(svg, "id=\"gnuplot_plot_1");
    at = at == NULL ? NULL : strstr(at, "<path");
    at = at == NULL ? NULL : strstr(at, "d='M");
    int count = 0;
    for (at = at == NULL ? NULL : at + 4; at != NULL && count < COUNT; ++count) {
        char *rest;
        x[count] = strtod(at, &rest);
        y[count] = strtod(rest + 1, &rest);
        at = *rest == '\'' ? NULL : rest + strspn(rest, " \n\tL");
    }
    return count;
}

static void points_are_where_they_belong(void **state)
{
    (void)state;
    static const struct {
        bool asks, log; // for a logarithmic axis; and gets one
        double scale;
        double x[COUNT];
    } table[] = {{false, false, 0.0, {1.0, 10.0, 30.0, 100.0, 1000.0}},
                 {true, true, 0.0, {1.0, 10.0, 30.0, 100.0, 1000.0}},
                 {true, true, 1e-3, {0.02, 0.3, 0.5, 7.0, 900.0}},
                 {false, false, 1e3, {-2.0, -1.0, 0.5, 0.7, 4.0}},
                 {true, false, 0.0, {0.0, 1.0, 10.0, 100.0, 1000.0}}, // zero has no logarithm
                 {true, false, 0.0, {-1.0, 1.0, 10.0, 100.0, 1000.0}}};
    static const double y[COUNT] = {0.0, 3.0, -1.0, 8.0, 5.0};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        const hf_curve curve = {.name = "", .x = table[k].x, .y = y, .count = COUNT};
        const hf_panel panel = {.title = "",
                                .x_label = "x",
                                .y_label = "y",
                                .x_scale = table[k].scale,
                                .y_scale = table[k].scale,
                                .log_x = table[k].asks,
                                .curves = &curve,
                                .curve_count = 1};
        char *svg = draw(&panel);
        double px[COUNT], py[COUNT], at[COUNT];
        assert_int_equal(corners_of(svg, px, py), COUNT);
        for (int i = 0; i < COUNT; ++i) {
            at[i] = table[k].log ? log(table[k].x[i]) : table[k].x[i];
        }
        for (int i = 0; i < COUNT; ++i) { // positions have two decimals
            hf_check_near((px[i] - px[0]) / (px[COUNT - 1] - px[0]),
                          (at[i] - at[0]) / (at[COUNT - 1] - at[0]), 1e-4, "place along x",
                          table[k].log ? "logarithm" : "number");
            hf_check_near((py[i] - py[0]) / (py[3] - py[0]), (y[i] - y[0]) / (y[3] - y[0]), 1e-4,
                          "place along y", "number");
        }
        assert_true(px[COUNT - 1] > px[0] + 300.0 && py[3] < py[0] - 100.0); // y goes up
        free(svg);
    }
}

int main(void)
{
    hf_work_in_own_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_where_they_belong)};
    return hf_run_tests(tests);
}
