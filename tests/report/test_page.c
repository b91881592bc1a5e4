// SPDX-License-Identifier: Apache-2.0
// The page: every number of a recording is in it, to the bit, as an independent decoder reads it;
// contacts between two bodies are summed; tables of sweeps have their words and numbers.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "hf_test.h"
#include "report/page_column.h"
#include "report/page_template.h"
#include <holdfast/report.h>

#define PAGE "/tmp/holdfast-page-test.html"

// ------------------------------------------------------------------------------------------------
// A decoder: places in the description by keys in their order, columns by element

static char *page_text(void)
{
    FILE *file = fopen(PAGE, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

// Behind the next `"key":` from `at`.
static const char *key(const char *at, const char *name)
{
    char wanted[80];
    (void)snprintf(wanted, sizeof wanted, "\"%s\":", name);
    const char *found = strstr(at, wanted);
    if (found == NULL) {
        fail_msg("no key '%s' in '%.300s'", name, at);
    }
    return found + strlen(wanted);
}

static double number(const char *at, const char *name)
{
    return strtod(key(at, name), NULL);
}

static void check_text(const char *at, const char *name, const char *wanted)
{
    const char *found = key(at, name);
    if (found[0] != '"' || strncmp(found + 1, wanted, strlen(wanted)) != 0 ||
        found[1 + strlen(wanted)] != '"') {
        fail_msg("%s: expected \"%s\", got '%.60s'", name, wanted, found);
    }
}

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);
    assert_true(c != '\0' && at != NULL);
    return (int)(at - digits);
}

// Inflated bytes of an element, `size` of them.
static unsigned char *element(const char *text, int index, size_t size)
{
    char head[60];
    (void)snprintf(head, sizeof head, "<script type=\"text/plain\" id=\"c%d\">", index);
    const char *from = strstr(text, head);
    assert_non_null(from);
    from += strlen(head);
    size_t length = strcspn(from, "<"), used = 0;
    assert_int_equal(length % 4, 0);
    unsigned char *packed = malloc(length), *bytes = malloc(size + 1);
    assert_true(packed != NULL && bytes != NULL);
    for (size_t i = 0; i < length; i += 4) {
        int have = from[i + 2] == '=' ? 1 : from[i + 3] == '=' ? 2 : 3, bits = 0;
        for (int k = 0; k < 4; ++k) {
            bits = bits << 6 | (k <= have ? digit(from[i + (size_t)k]) : 0);
        }
        for (int k = 0; k < have; ++k) {
            packed[used++] = (unsigned char)(bits >> (16 - 8 * k));
        }
    }
    uLongf there = (uLongf)size;
    assert_int_equal(uncompress(bytes, &there, packed, (uLong)used), Z_OK);
    assert_int_equal(there, size);
    free(packed);
    return bytes;
}

// Sums the differences of number i's planes.
static uint64_t next_bits(const unsigned char *planes, size_t n, size_t i, int width,
                          uint64_t before)
{
    uint64_t step = 0;
    for (int k = 0; k < width; ++k) {
        step = step << 8 | planes[(size_t)k * n + i];
    }
    return width == 4 ? (uint32_t)(before + step) : before + step;
}

// The column described at `at`, of `count` numbers, in a new array.
static double *column(const char *text, const char *at, long long count)
{
    size_t n = (size_t)count;
    double *values = malloc((n + 1) * sizeof *values);
    assert_non_null(values);
    const char *kind = key(at, "kind");
    assert_int_equal(number(at, "count"), count);
    if (strncmp(kind, "\"constant\"", 10) == 0 || strncmp(kind, "\"even\"", 6) == 0) {
        bool even = kind[1] == 'e';
        double start = number(at, even ? "start" : "value"), step = even ? number(at, "step") : 0.0;
        for (size_t i = 0; i < n; ++i) {
            values[i] = start + (double)i * step;
        }
        return values;
    }
    int width = strncmp(kind, "\"f64\"", 5) == 0 ? 8 : 4;
    double middle = width == 4 ? number(at, "middle") : 0.0;
    unsigned char *planes = element(text, (int)number(at, "element"), n * (size_t)width);
    uint64_t bits = 0;
    for (size_t i = 0; i < n; ++i) {
        bits = next_bits(planes, n, i, width, bits);
        if (width == 8) {
            memcpy(&values[i], &bits, sizeof values[i]);
        } else {
            uint32_t half = (uint32_t)bits;
            float value;
            memcpy(&value, &half, sizeof value);
            values[i] = (double)value + middle;
        }
    }
    free(planes);
    return values;
}

static void check_column(const char *text, const char *at, const double *wanted, long long stride,
                         long long count, double allowed, const char *what)
{
    double *got = column(text, at, count);
    for (long long i = 0; i < count; ++i) {
        double want = wanted[i * stride];
        if (isnan(want) ? !isnan(got[i]) : !(fabs(got[i] - want) <= allowed || got[i] == want)) {
            fail_msg("%s: number %lld is %.17g in the page, %.17g in the recording", what, i,
                     got[i], want);
        }
    }
    free(got);
}

// ------------------------------------------------------------------------------------------------
// A recording of invented numbers

enum { SAMPLES = 700, CHANNELS = 4, EVENTS = 9, FRAMES = 3, BODIES = 2, FORCES = 1 };

typedef struct invented {
    hf_recording recording;
    double time[SAMPLES], numbers[CHANNELS][SAMPLES], *values[CHANNELS];
    double events[EVENTS * HF_EVENT_COLUMNS];
    double frame_time[FRAMES], energy[FRAMES * HF_FRAME_ENERGY_COLUMNS], listed[FRAMES];
    float poses[FRAMES * BODIES * HF_FRAME_POSE_COLUMNS];
    float forces[FRAMES * FORCES * HF_FRAME_FORCE_COLUMNS];
    float list[6 * HF_FRAME_LIST_COLUMNS];
    char *names[CHANNELS], *units[CHANNELS];
} invented;

static void put_row(float *row, const float point[3], const float force[3], float regime, float on,
                    float to)
{
    memcpy(row, point, 3 * sizeof *row);
    memcpy(row + 3, force, 3 * sizeof *row);
    row[6] = regime;
    row[7] = on;
    row[8] = to;
}

static void invent(invented *r)
{
    static char *names[CHANNELS] = {"a.position", "a.\"quoted\" <b>", "still", "none"};
    static char *units[CHANNELS] = {"m", "m/s", "N", ""};
    hf_rng rng = hf_rng_create(11);
    memset(r, 0, sizeof *r);
    for (int i = 0; i < SAMPLES; ++i) {
        r->time[i] = i * 1e-3 + (i > 350 ? 0.5 : 0.0); // not even
        r->numbers[0][i] = hf_rng_normal(&rng);
        r->numbers[1][i] = i == 17 ? (double)NAN : 1e6 + 1e-3 * hf_rng_normal(&rng);
        r->numbers[2][i] = 2.5;
        r->numbers[3][i] = i % 3 == 0 ? -0.0 : ldexp(1.0, i - 400);
    }
    for (int i = 0; i < EVENTS * HF_EVENT_COLUMNS; ++i) {
        r->events[i] = hf_rng_normal(&rng);
    }
    for (int i = 0; i < FRAMES * HF_FRAME_ENERGY_COLUMNS; ++i) {
        r->energy[i] = hf_rng_normal(&rng);
    }
    for (size_t i = 0; i < sizeof r->poses / sizeof *r->poses; ++i) {
        r->poses[i] = (float)hf_rng_normal(&rng);
    }
    for (size_t i = 0; i < sizeof r->forces / sizeof *r->forces; ++i) {
        r->forces[i] = (float)hf_rng_normal(&rng);
    }
    for (int i = 0; i < FRAMES; ++i) {
        r->frame_time[i] = 0.25 * i;
    }
    // Four points of one pair, told from both sides, and one of another; then none; then one
    put_row(r->list, (float[]){0, 0, 0}, (float[]){3, 0, 0}, 1, 1, 2);
    put_row(r->list + 9, (float[]){4, 0, 0}, (float[]){0, 1, 0}, 1, 2, 1);
    put_row(r->list + 18, (float[]){1, 1, 1}, (float[]){0, 0, 7}, 1, 0, 2);
    put_row(r->list + 27, (float[]){8, 2, 0}, (float[]){0, 0, 4}, 2, 1, 2);
    put_row(r->list + 36, (float[]){0, 6, 0}, (float[]){0, 0, 1}, 2, 1, 2);
    put_row(r->list + 45, (float[]){5, 6, 7}, (float[]){0, 0, 0}, 2, 0, 1);
    r->listed[0] = 5;
    r->listed[2] = 1;
    for (int k = 0; k < CHANNELS; ++k) {
        r->values[k] = r->numbers[k];
        r->names[k] = names[k];
        r->units[k] = units[k];
    }
    r->recording = (hf_recording){.channel_count = CHANNELS,
                                  .samples = SAMPLES,
                                  .names = r->names,
                                  .units = r->units,
                                  .time = r->time,
                                  .values = r->values,
                                  .model_text = "name: </script>",
                                  .title = "the title",
                                  .scene = "",
                                  .summary = "{}",
                                  .event_count = EVENTS,
                                  .events = r->events,
                                  .frames = {.count = FRAMES,
                                             .bodies = BODIES,
                                             .forces = FORCES,
                                             .time = r->frame_time,
                                             .poses = r->poses,
                                             .forces_at = r->forces,
                                             .energy = r->energy,
                                             .listed_rows = 6,
                                             .listed = r->listed,
                                             .list = r->list}};
}

static char *written(const invented *r)
{
    hf_error error = {0};
    hf_page_run run = {.label = "one", .recording = &r->recording};
    if (hf_page_write(PAGE, &run, 1, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    return page_text();
}

// A table of floats is written column after column.
static void check_floats(const char *text, const char *at, const float *wanted, long long rows,
                         long long width, const char *what)
{
    double *got = column(text, at, rows * width);
    for (long long i = 0; i < rows * width; ++i) {
        hf_check_near(got[i % width * rows + i / width], (double)wanted[i], 0.0, what, "recording");
    }
    free(got);
}

// The page is the template with the data in place of its gap, and nothing else.
static void the_page_is_whole(void **state)
{
    (void)state;
    static const char gap[] = "<!--holdfast:data-->";
    static invented r;
    invent(&r);
    char *text = written(&r);
    size_t before = 0, size = strlen(text), length = sizeof gap - 1;
    while (memcmp(hf_page_template + before, gap, length) != 0) {
        assert_true(++before + length <= hf_page_template_size);
    }
    size_t behind = hf_page_template_size - before - length;
    assert_true(before > 100 && behind > 5 && size > before + behind);
    assert_memory_equal(text, hf_page_template, before);
    assert_memory_equal(text + size - behind, hf_page_template + before + length, behind);
    assert_memory_equal(text + before, "<script", 7);
    assert_null(strstr(text, gap));
    free(text);
    (void)unlink(PAGE);
}

static void every_number(void **state)
{
    (void)state;
    static invented r;
    invent(&r);
    char *text = written(&r);
    const char *runs = strstr(text, "<script type=\"application/json\" id=\"runs\">");
    assert_non_null(runs);
    // Nothing of a recording ends the element it is in
    assert_null(strstr(strstr(runs, "\"model\""), "name: </script>"));
    check_text(runs, "label", "one");
    check_text(runs, "title", "the title");
    assert_int_equal(number(runs, "samples"), SAMPLES);
    check_column(text, key(runs, "time"), r.time, 1, SAMPLES, 0.0, "time");
    const char *at = key(runs, "channels");
    for (int k = 0; k < CHANNELS; ++k) {
        at = key(at, "name");
        check_text(at, "unit", r.units[k]);
        check_column(text, key(at, "values"), r.numbers[k], 1, SAMPLES, 0.0, r.names[k]);
    }
    // Frames: times, poses, forces, energies
    const char *frames = key(runs, "frames");
    assert_int_equal(number(frames, "count"), FRAMES);
    assert_int_equal(number(frames, "bodies"), BODIES);
    check_column(text, key(frames, "time"), r.frame_time, 1, FRAMES, 0.0, "time of frames");
    check_floats(text, key(frames, "poses"), r.poses, FRAMES, BODIES * HF_FRAME_POSE_COLUMNS,
                 "poses");
    check_floats(text, key(frames, "forces_at"), r.forces, FRAMES, FORCES * HF_FRAME_FORCE_COLUMNS,
                 "forces");
    static const char *const energies[] = {"kinetic", "potential",  "stored",
                                           "input",   "dissipated", "residual"};
    for (int k = 0; k < HF_FRAME_ENERGY_COLUMNS; ++k) {
        check_column(text, key(key(frames, "energy"), energies[k]), r.energy + k,
                     HF_FRAME_ENERGY_COLUMNS, FRAMES, 0.0, energies[k]);
    }
    // Events
    static const char *const columns[] = {"time", "force", "from", "to"};
    const char *events = key(frames, "events");
    assert_int_equal(number(events, "all"), EVENTS);
    for (int k = 0; k < HF_EVENT_COLUMNS; ++k) {
        check_column(text, key(events, columns[k]), r.events + k, HF_EVENT_COLUMNS, EVENTS, 0.0,
                     columns[k]);
    }
    free(text);
    (void)unlink(PAGE);
}

// Forces of a pair are summed, its point is their weighted mean, and it slips where most of the
// force does.
static void pairs_are_summed(void **state)
{
    (void)state;
    static invented r;
    invent(&r);
    char *text = written(&r);
    const char *pairs = key(strstr(text, "id=\"runs\""), "pairs");
    assert_int_equal(number(pairs, "most"), 2);
    assert_int_equal(number(pairs, "stride"), 1);
    check_column(text, key(pairs, "count"), (double[]){2, 0, 1}, 1, FRAMES, 0.0,
                 "pairs of a frame");
    // Bodies 0 and 2; 1 and 2, the second of whose points was told of the other body; 0 and 1
    static const double rows[3][HF_FRAME_LIST_COLUMNS] = {
        {1, 1, 1, 0, 0, 7, 1, 0, 2},
        {(4 * 1 + 8 * 4) / 9.0, (2 * 4 + 6 * 1) / 9.0, 0, 3, -1, 5, 2, 1, 2},
        {5, 6, 7, 0, 0, 0, 1, 0, 1}};
    double *got = column(text, key(pairs, "rows"), 3LL * HF_FRAME_LIST_COLUMNS);
    for (int i = 0; i < 3 * HF_FRAME_LIST_COLUMNS; ++i) {
        hf_check_near(got[i % HF_FRAME_LIST_COLUMNS * 3 + i / HF_FRAME_LIST_COLUMNS],
                      rows[i / HF_FRAME_LIST_COLUMNS][i % HF_FRAME_LIST_COLUMNS], 1e-6, "pair",
                      "summed by hand");
    }
    free(got);
    free(text);
    (void)unlink(PAGE);
}

// A table: numbers to the bit, words in the order in which they come.
static void tables(void **state)
{
    (void)state;
    double numbers[5] = {1.5, (double)NAN, 3.25, 1e300, -7.0};
    char *texts[5] = {"low", "high", "high", "low", "middle"};
    hf_table_column columns[2] = {
        {.name = "mass", .unit = "kg", .role = "vary", .numbers = numbers},
        {.name = "verdict", .unit = "", .role = "out", .texts = texts}};
    char *fact_names[1] = {"title"}, *facts[1] = {"a sweep"};
    hf_table table = {.rows = 5,
                      .column_count = 2,
                      .columns = columns,
                      .fact_count = 1,
                      .fact_names = fact_names,
                      .facts = facts};
    hf_error error = {0};
    assert_int_equal(hf_table_page_write(PAGE, &table, "sweep.h5", "pages", &error), HF_OK);
    char *text = page_text();
    const char *at = strstr(text, "<script type=\"application/json\" id=\"table\">");
    assert_non_null(at);
    check_text(at, "title", "a sweep");
    check_text(at, "file", "sweep.h5");
    check_text(at, "runs", "pages");
    assert_non_null(strstr(at, "\"shortened\":false"));
    at = key(at, "columns");
    check_text(at, "name", "mass");
    check_text(at, "unit", "kg");
    check_text(at, "role", "vary");
    check_column(text, key(at, "numbers"), numbers, 1, 5, 0.0, "numbers of a table");
    at = key(key(at, "numbers"), "name");
    assert_non_null(strstr(at, "\"words\":[\"low\",\"high\",\"middle\"]"));
    check_column(text, key(at, "numbers"), (double[]){0, 1, 1, 0, 2}, 1, 5, 0.0, "words");
    free(text);
    (void)unlink(PAGE);
}

// Large runs keep 32 bits of what deviates from the middle: numbers near 1e6 that move by
// thousandths keep them, and what is not finite stays so.
static void shortened(void **state)
{
    (void)state;
    static invented r;
    invent(&r);
    char *description = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&description, &size), *file = fopen(PAGE, "wb");
    assert_true(memory != NULL && file != NULL);
    hf_json json = {.file = memory, .compact = true};
    hf_page_columns columns = {.file = file, .json = &json, .shorten = true};
    hf_json_begin(&json, NULL);
    for (int k = 0; k < 3; ++k) {
        hf_page_column_write(&columns, (const char *[]){"a", "b", "c"}[k], r.numbers[k], SAMPLES);
    }
    hf_page_column_write_times(&columns, "time", r.time, SAMPLES);
    hf_json_end(&json);
    assert_null(columns.trouble);
    assert_int_equal(fclose(memory), 0);
    assert_int_equal(fclose(file), 0);
    char *text = page_text();
    check_column(text, key(description, "a"), r.numbers[0], 1, SAMPLES, 1e-6, "normal numbers");
    check_column(text, key(description, "b"), r.numbers[1], 1, SAMPLES, 1e-9, "near a million");
    check_column(text, key(description, "c"), r.numbers[2], 1, SAMPLES, 0.0, "a constant");
    check_column(text, key(description, "time"), r.time, 1, SAMPLES, 0.0, "times stay whole");
    free(text);
    free(description);
    (void)unlink(PAGE);
}

// What cannot be written leaves nothing behind, and says so.
static void no_place(void **state)
{
    (void)state;
    static invented r;
    invent(&r);
    hf_error error = {0};
    hf_page_run run = {.label = "", .recording = &r.recording};
    assert_int_equal(hf_page_write("/tmp/no/such/folder/page.html", &run, 1, &error),
                     HF_ERROR_FILE);
    assert_non_null(strstr(error.text, "/tmp/no/such/folder/page.html: cannot create"));
}

int main(void)
{
    if (!hf_page_is_built()) {
        return 77; // skipped: the page needs node
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_is_whole), cmocka_unit_test(every_number),
        cmocka_unit_test(pairs_are_summed),  cmocka_unit_test(tables),
        cmocka_unit_test(shortened),         cmocka_unit_test(no_place),
    };
    return hf_run_tests(tests);
}
