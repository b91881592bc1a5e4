// SPDX-License-Identifier: Apache-2.0
// Every allocation of our own fails once in what stands around a run: runs side by side,
// derivatives along, friction-contact problems in files, pages, tables. Each time there is an error
// with its text, and nothing crashes or leaks.
#include <hf_test.h>
#include <holdfast/batch.h>
#include <holdfast/fclib.h>
#include <holdfast/holdfast.h>
#include <holdfast/report.h>
#include <holdfast/sensitivity.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failures.h"

#define FILE_H5  "/tmp/holdfast-failures-more.h5"
#define FILE_CSV "/tmp/holdfast-failures-more.csv"
#define PAGE     "/tmp/holdfast-failures-more.html"

static hf_model *model;
static hf_recording recording;

// Makes something and gives it back. False: it could not, and *error says why.
typedef bool (*attempt)(hf_error *error);

static void survives(attempt call, const char *what)
{
    bool hit = true;
    long long tried = 0;
    for (long long number = 1; hit; ++number, ++tried) {
        hf_error error = {0};
        long long before = hf_failures_live();
        hf_failures_arm(number);
        bool good = call(&error);
        hit = hf_failures_hit();
        hf_failures_arm(0);
        if (!hit && !good) {
            fail_msg("%s: %s", what, error.text);
        }
        if (!good && (error.status >= 0 || error.text[0] == '\0')) {
            fail_msg("%s, allocation %lld: no error is told", what, number);
        }
        if (hf_failures_live() != before) {
            fail_msg("%s, allocation %lld: %lld pieces of memory leak", what, number,
                     hf_failures_live() - before);
        }
    }
    assert_true(tried > 1); // there was something to fail
}

static bool batch(hf_error *error)
{
    hf_batch *all = hf_batch_create(model, NULL, 5, error);
    hf_batch_destroy(all);
    return all != NULL;
}

static bool derivatives(hf_error *error)
{
    hf_sim *sim = hf_sim_create(model, NULL, error);
    if (sim == NULL) {
        return false;
    }
    const hf_sensitivity_term terms[] = {{.name = "block.mass"}, {.name = "spring.stiffness"}};
    hf_sensitivity *along = hf_sensitivity_create(sim, terms, 2, error);
    bool good = along != NULL;
    for (int i = 0; i < 3 && good; ++i) {
        good = hf_sim_step(sim, error) >= 0;
    }
    hf_sensitivity_destroy(along);
    hf_sim_destroy(sim);
    return good;
}

static bool write_problem(hf_error *error)
{
    static const int start[] = {0, 1}, column[] = {0};
    static const double w[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0.1, 0}, mu[1] = {0.5};
    const hf_fc3d_problem problem = {
        .contacts = 1, .start = start, .column = column, .w = w, .q = q, .mu = mu};
    return hf_fclib_write(FILE_H5, &problem, "a title", "", (const double[]){1, 0, 0}, error) ==
           HF_OK;
}

static bool read_problem(hf_error *error)
{
    hf_fclib file = {0};
    hf_status status = hf_fclib_read(FILE_H5, &file, error);
    if (status == HF_OK) {
        hf_fclib_clear(&file);
    }
    return status == HF_OK;
}

static bool write_page(hf_error *error)
{
    const hf_page_run run = {&recording, "one"};
    hf_status status = hf_page_write(PAGE, &run, 1, error);
    // A page that is not whole is not there
    assert_int_equal(access(PAGE, F_OK) == 0, status == HF_OK);
    (void)unlink(PAGE);
    return status == HF_OK;
}

static bool table_page(hf_error *error)
{
    double numbers[3] = {1.0, 2.0, 4.0};
    char *texts[3] = {"a", "b", "a"};
    hf_table_column columns[2] = {{"x", "m", "vary", numbers, NULL}, {"y", "", "out", NULL, texts}};
    const hf_table table = {.rows = 3, .column_count = 2, .columns = columns};
    hf_status status = hf_table_page_write(PAGE, &table, "t.csv", NULL, error);
    (void)unlink(PAGE);
    return status == HF_OK;
}

static bool read_table(hf_error *error)
{
    hf_table *table = hf_table_read(FILE_CSV, error);
    hf_table_destroy(table);
    return table != NULL;
}

static bool read_recording(hf_error *error)
{
    hf_recording *read = hf_recording_read(FILE_CSV, error);
    hf_recording_destroy(read);
    return read != NULL;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void runs(void **state)
{
    (void)state;
    static const char text[] = "method: {type: rk4, step: 1e-3}\n"
                               "bodies: {block: {type: mass, dim: 1, mass: 1, position: 0.1}}\n"
                               "forces: [{name: spring, on: block, type: spring, stiffness: 90},\n"
                               "  {name: rub, on: block, type: friction, law: lugre, level: 1, "
                               "stiffness: 1e4, damping: 10}]\n";
    hf_error error = {0};
    model = hf_model_parse(text, strlen(text), "model.yaml", NULL, NULL, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    survives(batch, "runs side by side");
    survives(derivatives, "derivatives");
    hf_model_destroy(model);
}

static void files(void **state)
{
    (void)state;
    survives(write_problem, "writing a problem");
    hf_error error = {0};
    assert_true(write_problem(&error));
    survives(read_problem, "reading a problem");
    (void)unlink(FILE_H5);
    write_text(FILE_CSV, "case,mass,verdict\n0,1.5,good\n1,2.5,\"not so, good\"\n2,3.5,good\n");
    survives(read_table, "reading a table");
    write_text(FILE_CSV, "time,a,b\n0,1.5,2\n1,2.5,3\n2,3.5,4\n");
    survives(read_recording, "reading a recording");
    (void)unlink(FILE_CSV);
}

static void pages(void **state)
{
    (void)state;
    if (!hf_page_is_built()) {
        skip();
    }
    static double time[4] = {0, 1, 2, 4}, a[4] = {1, 5, 2, 3}, events[8] = {0, 1, 0, 1, 2, 1, 1, 0};
    static double *values[1] = {a};
    static char *names[1] = {"a.value"}, *units[1] = {"m"};
    recording = (hf_recording){.channel_count = 1,
                               .samples = 4,
                               .names = names,
                               .units = units,
                               .time = time,
                               .values = values,
                               .title = "",
                               .model_text = "",
                               .scene = "",
                               .summary = "",
                               .event_count = 2,
                               .events = events};
    survives(write_page, "a page");
    survives(table_page, "a page of a table");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs), cmocka_unit_test(files),
                                       cmocka_unit_test(pages)};
    return hf_run_tests(tests);
}
