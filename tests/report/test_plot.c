// SPDX-License-Identifier: Apache-2.0
// Figures: they hold the curves, whatever the channels are called, and long curves keep their
// peaks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hf_test.h"
#include "report/plot_internal.h"
#include "report/thin.h"
#include <holdfast/report.h>

enum { CHANNELS = 4 };

typedef struct scene {
    hf_recording recording;
    char *names[CHANNELS], *units[CHANNELS];
    double *values[CHANNELS];
    char folder[64];
    char path[128];
} scene;

static void set_name(char **to, const char *text)
{
    free(*to);
    *to = strdup(text);
    assert_non_null(*to);
}

static void scene_open(scene *s, long long samples)
{
    *s = (scene){.folder = "/tmp/holdfast-plot-XXXXXX"};
    assert_non_null(mkdtemp(s->folder));
    const char *const names[CHANNELS] = {"ball.position.x", "ball.position.y", "ball.velocity.x",
                                         "floor.mode"};
    const char *const units[CHANNELS] = {"m", "m", "m/s", ""};
    s->recording = (hf_recording){.channel_count = CHANNELS,
                                  .samples = samples,
                                  .names = s->names,
                                  .units = s->units,
                                  .values = s->values,
                                  .time = calloc((size_t)samples, sizeof(double)),
                                  .title = strdup("a ball")};
    for (int i = 0; i < CHANNELS; ++i) {
        set_name(&s->names[i], names[i]);
        set_name(&s->units[i], units[i]);
        s->values[i] = calloc((size_t)samples, sizeof(double));
        assert_non_null(s->values[i]);
        for (long long k = 0; k < samples; ++k) {
            s->recording.time[k] = (double)k / (double)samples;
            s->values[i][k] = sin(6.0 * s->recording.time[k] + i);
        }
    }
}

static void scene_close(scene *s)
{
    for (int i = 0; i < CHANNELS; ++i) {
        free(s->names[i]);
        free(s->units[i]);
        free(s->values[i]);
    }
    free(s->recording.time);
    free(s->recording.title);
    assert_int_equal(rmdir(s->folder), 0);
}

// Draws and returns the figure's bytes with a zero behind them.
static char *draw(scene *s, const char *ending, const char *const *channels, int count,
                  const char *x, size_t *size)
{
    (void)snprintf(s->path, sizeof s->path, "%s/figure%s", s->folder, ending);
    const hf_plot_def def = {
        .output = s->path, .channels = channels, .channel_count = count, .x = x};
    hf_error error = {0};
    if (hf_plot(&s->recording, &def, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    FILE *file = fopen(s->path, "rb");
    assert_non_null(file);
    char *bytes = calloc(1 << 22, 1);
    assert_non_null(bytes);
    *size = fread(bytes, 1, (1 << 22) - 1, file);
    (void)fclose(file);
    assert_int_equal(unlink(s->path), 0);
    return bytes;
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *c = strstr(text, part); c != NULL; c = strstr(c + 1, part)) {
        ++count;
    }
    return count;
}

static void svg_has_the_curves(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 500);
    size_t size = 0;
    const char *const channels[] = {"ball.position", "ball.velocity.x", "floor.mode"};
    char *svg = draw(&s, ".svg", channels, 3, NULL, &size);
    assert_non_null(strstr(svg, "<svg"));
    assert_non_null(strstr(svg, "</svg>"));
    assert_int_equal(count_of(svg, "<g id=\"gnuplot_plot_"), 4);
    for (int i = 0; i < CHANNELS; ++i) {
        assert_non_null(strstr(svg, s.names[i]));
    }
    assert_non_null(strstr(svg, "position [m]"));
    assert_non_null(strstr(svg, "velocity [m/s]"));
    assert_non_null(strstr(svg, ">mode<"));
    assert_non_null(strstr(svg, "time [s]"));
    assert_non_null(strstr(svg, "a ball"));
    assert_int_equal(count_of(svg, "position [m]"), 1); // both axes share a panel
    assert_true(count_of(svg, "\n\t\tL") > 0 || count_of(svg, " L") > 0 || size > 20000);
    free(svg);
    scene_close(&s);
}

static void other_formats(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 50);
    size_t size = 0;
    const char *const channels[] = {"ball.velocity.x"};
    char *png = draw(&s, ".png", channels, 1, "ball.position.x", &size);
    assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
    assert_true(size > 5000);
    free(png);
    char *pdf = draw(&s, ".PDF", channels, 1, NULL, &size);
    assert_memory_equal(pdf, "%PDF", 4);
    free(pdf);
    scene_close(&s);
}

static double big_endian(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return 16777216.0 * b[0] + 65536.0 * b[1] + 256.0 * b[2] + b[3];
}

// What follows a word, as `count` numbers.
static void numbers_after(const char *bytes, size_t size, const char *word, double *out, int count)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length < size; ++i) {
        if (memcmp(bytes + i, word, length) == 0) {
            char *at = (char *)bytes + i + length;
            for (int k = 0; k < count; ++k) {
                out[k] = strtod(at + strspn(at, " [\"=heigt"), &at);
            }
            return;
        }
    }
    fail_msg("no '%s'", word);
}

// A figure of one, two or many panels has the same sides in every format: points of an SVG, two
// pixels each of a PNG, a hundredth of an inch each of a PDF.
static void sides_are_the_same_in_every_format(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 3);
    const char *const channels[] = {"ball.velocity.x", "floor.mode", "ball.position"};
    double last = 0.0;
    for (int count = 1; count <= 3; ++count) {
        size_t size = 0;
        double svg[2], box[4];
        char *bytes = draw(&s, ".svg", channels, count, NULL, &size);
        numbers_after(bytes, size, " width=", svg, 2);
        free(bytes);
        assert_true(svg[0] > 100.0 && svg[1] > last);
        last = svg[1];
        bytes = draw(&s, ".png", channels, count, NULL, &size);
        hf_check_near(big_endian(bytes + 16), 2.0 * svg[0], 0.0, "width of the PNG", "SVG");
        hf_check_near(big_endian(bytes + 20), 2.0 * svg[1], 0.0, "height of the PNG", "SVG");
        free(bytes);
        bytes = draw(&s, ".pdf", channels, count, NULL, &size);
        numbers_after(bytes, size, "/MediaBox", box, 4);
        hf_check_near(box[2], 0.72 * svg[0], 1.0, "width of the PDF", "SVG");
        hf_check_near(box[3], 0.72 * svg[1], 1.0, "height of the PDF", "SVG");
        free(bytes);
    }
    scene_close(&s);
}

// A run of no sample has no figure; of one it is a point.
static void few_samples(void **state)
{
    (void)state;
    for (long long samples = 0; samples < 4; ++samples) {
        scene s;
        scene_open(&s, 4);
        s.recording.samples = samples;
        const char *const channels[] = {"ball.position"};
        if (samples == 0) {
            const hf_plot_def def = {
                .output = "none.svg", .channels = channels, .channel_count = 1};
            hf_error error = {0};
            assert_int_equal(hf_plot(&s.recording, &def, &error), HF_ERROR_INPUT);
            assert_non_null(strstr(error.text, "no samples"));
        } else {
            size_t size = 0;
            char *svg = draw(&s, ".svg", channels, 1, NULL, &size);
            assert_int_equal(count_of(svg, "<g id=\"gnuplot_plot_"), 2);
            free(svg);
        }
        scene_close(&s);
    }
}

// Names that are gnuplot commands, mark-up or SVG do nothing but stand there.
static void hostile_names(void **state)
{
    (void)state;
    const char *const names[] = {
        "x'; system 'touch HF'; '", "`touch HF`", "$(touch HF)", "@HF",
        "a\nsystem 'touch HF'\n",   "\" \\",      "{/*9 a}_b^c", "<script>&</script>",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        scene s;
        scene_open(&s, 20);
        char *before = getcwd(NULL, 0);
        assert_true(before != NULL && chdir(s.folder) == 0);
        set_name(&s.names[0], names[i]);
        set_name(&s.units[0], names[i]);
        set_name(&s.recording.title, names[i]);
        size_t size = 0;
        const char *const channels[] = {names[i]};
        char *svg = draw(&s, ".svg", channels, 1, NULL, &size);
        assert_int_equal(access("HF", F_OK), -1);
        assert_null(strstr(svg, "<script"));
        assert_int_equal(count_of(svg, "<g id=\"gnuplot_plot_"), 1);
        if (names[i][0] == '{') {
            assert_non_null(strstr(svg, "{/*9 a}_b^c"));
        }
        free(svg);
        assert_int_equal(chdir(before), 0);
        free(before);
        scene_close(&s);
    }
}

static void odd_values(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 30);
    for (int k = 0; k < 30; ++k) {
        s.values[0][k] = 3.0;                             // flat
        s.values[1][k] = (double)NAN;                     // nothing to draw
        s.values[2][k] = k == 7 ? INFINITY : (double)k;   // a gap
        s.values[3][k] = k % 2 == 0 ? 1.7e308 : -1.7e308; // a range beyond doubles
    }
    size_t size = 0;
    for (int i = 0; i < CHANNELS; ++i) {
        const char *const channels[] = {s.names[i]};
        if (i == 1 || i == 3) { // gnuplot may refuse; it must say so, and leave no figure
            (void)snprintf(s.path, sizeof s.path, "%s/figure.svg", s.folder);
            const hf_plot_def def = {.output = s.path, .channels = channels, .channel_count = 1};
            hf_error error = {0};
            bool drawn = hf_plot(&s.recording, &def, &error) == HF_OK;
            assert_true(drawn || error.text[0] != '\0');
            assert_int_equal(unlink(s.path) == 0, drawn);
        } else {
            free(draw(&s, ".svg", channels, 1, NULL, &size));
        }
    }
    scene_close(&s);
}

static void refuses(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 5);
    const struct {
        const char *output, *channel, *x, *message;
    } cases[] = {
        {"a.gif", "floor.mode", NULL, "must be .svg, .png or .pdf"},
        {"a.svg", "floor.mde", NULL, "did you mean 'floor.mode'?"},
        {"a.svg", "nothing", NULL, "it has: ball.position.x"},
        {"a.svg", "floor.mode", "ball.position", "no channel 'ball.position'"},
        {"/nowhere/a.svg", "floor.mode", NULL, "cannot create: No such file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const hf_plot_def def = {.output = cases[i].output,
                                 .channels = &cases[i].channel,
                                 .channel_count = 1,
                                 .x = cases[i].x};
        hf_error error = {0};
        assert_true(hf_plot(&s.recording, &def, &error) < 0);
        if (strstr(error.text, cases[i].message) == NULL) {
            fail_msg("expected '%s' in: %s", cases[i].message, error.text);
        }
    }
    scene_close(&s);
}

static void without_gnuplot(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 5);
    char *path = strdup(getenv("PATH"));
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    const char *channel = "floor.mode";
    const hf_plot_def def = {.output = "a.svg", .channels = &channel, .channel_count = 1};
    hf_error error = {0};
    hf_status status = hf_plot(&s.recording, &def, &error);
    assert_int_equal(setenv("PATH", path, 1), 0);
    free(path);
    assert_int_equal(status, HF_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "gnuplot"));
    assert_non_null(strstr(error.text, "not installed"));
    scene_close(&s);
}

// What gnuplot says last is what went wrong, without blanks and empty lines around it.
static void a_gnuplot_that_complains(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 5);
    char program[200], path[200];
    (void)snprintf(program, sizeof program, "%s/gnuplot", s.folder);
    FILE *file = fopen(program, "w");
    assert_non_null(file);
    (void)fputs(
        "#!/bin/sh\nprintf 'first\\n\\n \\t line 0: no such thing\\n  \\n\\n' >&2\nexit 1\n", file);
    (void)fclose(file);
    assert_int_equal(chmod(program, 0700), 0);
    char *before = strdup(getenv("PATH"));
    (void)snprintf(path, sizeof path, "%s:/bin:/usr/bin", s.folder);
    assert_int_equal(setenv("PATH", path, 1), 0);
    const char *channel = "floor.mode";
    const hf_plot_def def = {.output = "a.svg", .channels = &channel, .channel_count = 1};
    hf_error error = {0};
    hf_status status = hf_plot(&s.recording, &def, &error);
    assert_int_equal(setenv("PATH", before, 1), 0);
    free(before);
    assert_true(status < 0);
    const char *told = strstr(error.text, "gnuplot failed: line 0: no such thing");
    assert_non_null(told);
    assert_null(strstr(error.text, "first"));
    (void)remove(program);
    scene_close(&s);
}

// ------------------------------------------------------------------------------------------------
// Thinning

static void thinning_keeps_extremes(void **state)
{
    (void)state;
    enum { COUNT = 1000003 };
    double *x = calloc(COUNT, sizeof *x), *y = calloc(COUNT, sizeof *y);
    size_t *kept = calloc(HF_THIN_ROOM, sizeof *kept);
    assert_true(x != NULL && y != NULL && kept != NULL);
    hf_rng rng = hf_rng_create(5);
    for (size_t i = 0; i < COUNT; ++i) {
        x[i] = hf_rng_normal(&rng);
        y[i] = hf_rng_normal(&rng);
    }
    const size_t peaks[] = {0, 1, 400000, 777777, COUNT - 1};
    for (size_t i = 0; i < 5; ++i) {
        y[peaks[i]] = i % 2 == 0 ? 100.0 : -100.0;
        x[peaks[i] / 2 + 3] = 50.0;
    }
    y[123456] = (double)NAN;
    size_t count = hf_thin(x, y, COUNT, kept);
    assert_true(count <= HF_THIN_ROOM && count >= HF_THIN_BUCKETS);
    for (size_t i = 1; i < count; ++i) {
        assert_true(kept[i] > kept[i - 1]);
    }
    assert_int_equal(kept[0], 0);
    assert_int_equal(kept[count - 1], COUNT - 1);
    const size_t wanted[] = {0, 1, 400000, 777777, COUNT - 1, 3, 200003, 388891, 123456};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
        bool found = false;
        for (size_t k = 0; k < count; ++k) {
            found = found || kept[k] == wanted[i];
        }
        if (!found) {
            fail_msg("sample %zu is lost", wanted[i]);
        }
    }
    free(x);
    free(y);
    free(kept);
}

static void long_runs_are_thinned(void **state)
{
    (void)state;
    scene s;
    scene_open(&s, 300000);
    size_t size = 0;
    const char *const channels[] = {"ball.position.x"};
    char *svg = draw(&s, ".svg", channels, 1, NULL, &size);
    assert_true(size > 20000 && size < 600000);
    free(svg);
    scene_close(&s);
}

// What channels share a panel by: the part before an axis, or the last one.
static void quantities(void **state)
{
    (void)state;
    static const struct {
        const char *name, *quantity;
    } cases[] = {{"ball.position.x", "position"},
                 {"ball.position.12", "position"},
                 {"floor.mode", "mode"},
                 {"arm.elbow.velocity", "velocity"},
                 {"arm.tip.spin.y", "spin"},
                 {"time", "time"},
                 {"a.x", "a"},
                 {".x", "x"},
                 {"b.rate.xyz", "xyz"},
                 {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        size_t length = 99;
        const char *start = hf_plot_quantity(cases[i].name, &length);
        if (length != strlen(cases[i].quantity) || strncmp(start, cases[i].quantity, length) != 0) {
            fail_msg("'%s': got '%.*s', want '%s'", cases[i].name, (int)(length % 100), start,
                     cases[i].quantity);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities),
        cmocka_unit_test(svg_has_the_curves),
        cmocka_unit_test(other_formats),
        cmocka_unit_test(sides_are_the_same_in_every_format),
        cmocka_unit_test(few_samples),
        cmocka_unit_test(hostile_names),
        cmocka_unit_test(odd_values),
        cmocka_unit_test(refuses),
        cmocka_unit_test(without_gnuplot),
        cmocka_unit_test(a_gnuplot_that_complains),
        cmocka_unit_test(thinning_keeps_extremes),
        cmocka_unit_test(long_runs_are_thinned),
    };
    return hf_run_tests(tests);
}
