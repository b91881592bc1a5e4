// SPDX-License-Identifier: Apache-2.0
// Tables of signals, from points and from CSV files in the model's folder.
#include "models_test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "sim/sim_data.h"
#include "spec/spec_data.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/holdfast-tables-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static void put(const char *name, const char *text)
{
    char path[200];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"good.csv", "spaces.csv", "inside", "outside",
                                        "model.yaml"};
    char path[200];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    return rmdir(folder);
}

static hf_spec *parse_table(const char *table, hf_error *error)
{
    char text[400];
    (void)snprintf(
        text, sizeof text,
        "bodies: {block: {type: mass, dim: 1, mass: 1}}\nsignals:\n  pull: {table: %s}\n", table);
    return hf_spec_parse(text, strlen(text), "model.yaml", folder, NULL, error);
}

static void check_table(const char *table, bool hold, int count, const double *times,
                        const double *values)
{
    hf_error error = {0};
    hf_spec *spec = parse_table(table, &error);
    if (spec == NULL) {
        fail_msg("%s", error.text);
    }
    const hf_signal_def *def = &spec->signals[0].def;
    assert_int_equal(def->type, HF_SIGNAL_TABLE);
    assert_int_equal(def->hold, hold);
    assert_int_equal(def->times.count, count);
    assert_int_equal(def->values.count, count);
    hf_check_near_array(def->times.values, times, count, 0, "times", "the table");
    hf_check_near_array(def->values.values, values, count, 0, "values", "the table");
    hf_spec_destroy(spec);
}

static void points(void **state)
{
    (void)state;
    check_table("{points: [[0, 1], [0.5, -2e-3], [2, 7]]}", false, 3, (double[]){0, 0.5, 2},
                (double[]){1, -2e-3, 7});
    check_table("{points: [[-1, 1]], interpolation: hold}", true, 1, (double[]){-1}, (double[]){1});
    check_table("{points: [[0, 1]], interpolation: linear}", false, 1, (double[]){0},
                (double[]){1});
}

static void csv(void **state)
{
    (void)state;
    put("good.csv", "time,tau1,tau2\n0,1,2\n0.5,-3e-1,4\n1,5,6\n");
    check_table("{file: good.csv, column: tau1}", false, 3, (double[]){0, 0.5, 1},
                (double[]){1, -0.3, 5});
    check_table("{file: ./good.csv, column: time, time: tau2, interpolation: hold}", true, 3,
                (double[]){2, 4, 6}, (double[]){0, 0.5, 1});
}

static void csv_time_must_rise(void **state)
{
    (void)state;
    put("good.csv", "time,tau1,tau2\n0,1,2\n0.5,-3e-1,4\n1,5,6\n");
    hf_error error = {0};
    assert_null(parse_table("{file: good.csv, time: tau1, column: tau2}", &error));
    assert_string_equal(error.text,
                        "good.csv:3:1: signal 'pull': times must rise, got -0.3 after 1");
}

static void csv_as_others_write_it(void **state)
{
    (void)state;
    put("spaces.csv",
        "\xEF\xBB\xBF\"t\" , \"the force\", note\r\n 0 , 1 , \"x\"\r\n1,\t2,y\r\n\r\n \r\n");
    check_table("{file: spaces.csv, time: t, column: the force}", false, 2, (double[]){0, 1},
                (double[]){1, 2});
    put("spaces.csv", "\"time\",\"a,b\",\"5\"\" pipe\"\n0,\"1\",2\n");
    check_table("{file: spaces.csv, column: '5\" pipe'}", false, 1, (double[]){0}, (double[]){2});
    check_table("{file: spaces.csv, column: 'a,b'}", false, 1, (double[]){0}, (double[]){1});
}

static void links_that_lead_out(void **state)
{
    (void)state;
    char inside[200], outside[200];
    put("good.csv", "time,f\n0,1\n");
    (void)snprintf(inside, sizeof inside, "%s/inside", folder);
    (void)snprintf(outside, sizeof outside, "%s/outside", folder);
    assert_int_equal(symlink("good.csv", inside), 0);
    assert_int_equal(symlink("/etc/passwd", outside), 0);
    check_table("{file: inside, column: f}", false, 1, (double[]){0}, (double[]){1});
    hf_error error = {0};
    assert_null(parse_table("{file: outside, column: f}", &error));
    assert_non_null(strstr(error.text, "leads out of the model's folder"));
    assert_int_equal(error.status, HF_ERROR_FILE);
}

static void texts_without_a_folder(void **state)
{
    (void)state;
    expect_error("bodies: {}\nsignals: {a: {table: {file: x.csv, column: f}}}\n",
                 "a model that is not in a file cannot name files");
}

// From a file on disk, the folder is the file's.
static void beside_the_model(void **state)
{
    (void)state;
    put("good.csv", "time,f\n0,1\n2,5\n");
    put("model.yaml", "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                      "signals: {pull: {table: {file: good.csv, column: f}}}\n");
    char path[200];
    (void)snprintf(path, sizeof path, "%s/model.yaml", folder);
    hf_error error = {0};
    hf_model *model = hf_model_load(path, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    assert_string_equal(hf_model_name(model), "model");
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    while (hf_sim_time(sim) < 0.5) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    double value = hf_sim_value(sim, hf_model_find_channel(model, "pull.value"));
    hf_check_near(value, 1 + 2 * hf_sim_time(sim), 1e-12, "pull(0.5)", "linear interpolation");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Whatever the times, a held table shows the last value at or before t: even ones, gaps, points
// that crowd at either end.
static void any_times(void **state)
{
    (void)state;
    enum { MOST = 200 };
    hf_rng rng = hf_rng_create(7);
    double times[MOST], values[MOST];
    for (int round = 0; round < 200; ++round) {
        int count = 1 + (int)(hf_rng_uniform(&rng, 0.0, 1.0) * (MOST - 1));
        double t = hf_rng_uniform(&rng, -5.0, 5.0), spread = round % 4 * 4.0;
        for (int i = 0; i < count; ++i) {
            times[i] = t;
            values[i] = i;
            t += exp(hf_rng_uniform(&rng, -spread, spread));
        }
        hf_signal_def def = {.times = {times, count}, .values = {values, count}, .hold = true};
        for (int k = 0; k < 3 * count; ++k) {
            // At each time, just before it, and between
            double at = times[k / 3], look = k % 3 == 0   ? at
                                             : k % 3 == 1 ? nextafter(at, -INFINITY)
                                                          : at + hf_rng_uniform(&rng, -3.0, 3.0);
            double want = values[0];
            for (int i = 0; i < count && times[i] <= look; ++i) {
                want = values[i];
            }
            hf_check_near(hf_table_value(&def, look), want, 0.0, "place", "looked at one by one");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tables[] = {
        cmocka_unit_test(points),
        cmocka_unit_test(any_times),
        cmocka_unit_test_setup_teardown(csv_time_must_rise, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(csv_as_others_write_it, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(links_that_lead_out, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(csv, make_folder, remove_folder),
        cmocka_unit_test(texts_without_a_folder),
        cmocka_unit_test_setup_teardown(beside_the_model, make_folder, remove_folder),
    };
    return hf_run_tests(tables);
}
