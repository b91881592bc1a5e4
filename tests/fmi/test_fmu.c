// SPDX-License-Identifier: Apache-2.0
// FMUs, driven as a host drives them.
//   test-fmu drive FOLDER CSV MORE   the FMU of drive.yaml; what `holdfast run` records of it, and
//                                    of it with mass=3 kg, mu=10 % and the input 20
//   test-fmu stiff FOLDER            a spring that is too stiff for the step, whose stiffness is a
//                                    parameter k: doubtful runs, and one that fails
//   test-fmu bits FOLDER CSV N       any FMU: its outputs are what `holdfast run` records, bit by
//                                    bit, with communication steps of N steps
#include <hf_test.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"
#include "recording.h"

static fmu *opened;
static recording *plain, *changed;

static instance *make(instance *i)
{
    if (fmu_instantiate(opened, NULL, NULL, true, i) == NULL) {
        fail_msg("%s", i->log);
    }
    return i;
}

// The outputs are those of a row of the recording.
static void check_row(instance *i, const recording *r, int row)
{
    for (int k = 0; k < r->columns; ++k) {
        hf_check_same_bits(fmu_read(i, r->names[k]), r->values[row * r->columns + k], r->names[k]);
    }
}

static void run_rows(instance *i, const recording *r, int from, int to, int each)
{
    for (int row = from; row < to; row += each) {
        assert_int_equal(fmu_step(i, r->times[row], r->times[row + each] - r->times[row]),
                         STATUS_OK);
        check_row(i, r, row + each);
    }
}

// ------------------------------------------------------------------------------------------------

static void test_same_bits(void **state)
{
    (void)state;
    instance i;
    for (int each = 1; each <= 10; each += 9) {
        fmu_begin(make(&i));
        check_row(&i, plain, 0);
        run_rows(&i, plain, 0, plain->rows - 1, each);
        assert_int_equal(fmu_terminate(&i), STATUS_OK);
        assert_string_equal(i.log, "");
        fmu_free(&i);
    }
}

// A host that adds up its steps does not hit the ends of the method's steps to the bit.
static void test_summed_time(void **state)
{
    (void)state;
    instance i;
    fmu_begin(make(&i));
    double t = 0.0;
    for (int row = 1; row < plain->rows; ++row) {
        assert_int_equal(fmu_step(&i, t, 0.001), STATUS_OK);
        t += 0.001;
        check_row(&i, plain, row);
    }
    assert_true(t != 1.0);
    hf_check_same_bits(fmu_read(&i, "time"), t, "time");
    fmu_free(&i);
}

// Steps of the host that are no multiples of the method's, and shorter ones.
static void test_odd_steps(void **state)
{
    (void)state;
    instance i;
    const double steps[] = {0.0015, 0.00037, 0.0123};
    for (int k = 0; k < 3; ++k) {
        fmu_begin(make(&i));
        int count = (int)(1.0 / steps[k]);
        for (int n = 0; n < count; ++n) {
            assert_int_equal(fmu_step(&i, n * steps[k], (n + 1) * steps[k] - n * steps[k]),
                             STATUS_OK);
        }
        assert_int_equal(fmu_step(&i, count * steps[k], 1.0 - count * steps[k]), STATUS_OK);
        hf_check_near(fmu_read(&i, "slider.position"),
                      plain->values[(plain->rows - 1) * plain->columns], 2e-6, "x(1 s)",
                      "holdfast run, other steps");
        fmu_free(&i);
    }
}

// ------------------------------------------------------------------------------------------------

static void test_parameters(void **state)
{
    (void)state;
    instance i;
    make(&i);
    fmu_write(&i, "mass", 3.0);
    assert_int_equal(fmu_setup(&i, 0.0, 2.0), STATUS_OK);
    assert_int_equal(fmu_enter(&i), STATUS_OK);
    fmu_write(&i, "mu", 0.1);
    fmu_write(&i, "motor", 20.0);
    hf_check_same_bits(fmu_read(&i, "weight"), 9.81 * 3.0, "weight");
    hf_check_same_bits(fmu_read(&i, "slider.position"), 0.01, "start");
    assert_int_equal(fmu_exit(&i), STATUS_OK);
    check_row(&i, changed, 0);
    run_rows(&i, changed, 0, changed->rows - 1, 1);
    hf_check_same_bits(fmu_read(&i, "mass"), 3.0, "mass");
    hf_check_same_bits(fmu_read(&i, "motor"), 20.0, "motor");
    fmu_free(&i);
    // A parameter of the start
    make(&i);
    fmu_write(&i, "begin", 0.25);
    fmu_begin(&i);
    hf_check_same_bits(fmu_read(&i, "slider.position"), 0.25, "start");
    assert_int_equal(fmu_try(&i, "begin", 0.3), STATUS_ERROR);
    assert_non_null(strstr(i.log, "'begin' cannot be changed while the machine runs"));
    fmu_free(&i);
}

// A parameter that is changed while the machine runs acts from there on.
static void test_tunable(void **state)
{
    (void)state;
    instance i;
    fmu_begin(make(&i));
    fmu_write(&i, "motor", 50.0);
    assert_int_equal(fmu_step(&i, 0.0, 0.1), STATUS_OK);
    hf_check_near(fmu_read(&i, "floor.force"), -0.3 * 9.81 * 2.0, 1e-12, "friction", "mu m g");
    double speed = fmu_read(&i, "slider.velocity");
    fmu_write(&i, "mu", 0.05);
    fmu_write(&i, "mass", 4.0);
    assert_int_equal(fmu_step(&i, 0.1, 0.1), STATUS_OK);
    hf_check_near(fmu_read(&i, "floor.force"), -0.05 * 9.81 * 4.0, 1e-12, "friction", "mu m g");
    hf_check_near(fmu_read(&i, "slider.velocity"), speed + 0.1 * (50.0 - 0.05 * 9.81 * 4.0) / 4.0,
                  1e-5, "speed", "closed form");
    fmu_free(&i);
}

// Inputs with derivatives (FMI 2): the slider without friction under a force u + s t + c t^2/2.
static void test_input_slopes(void **state)
{
    (void)state;
    if (opened->version != 2) {
        skip();
    }
    instance i;
    make(&i);
    fmu_write(&i, "mu", 0.0);
    fmu_begin(&i);
    int (*derive)(void *, const unsigned *, size_t, const int *, const double *) =
        (int (*)(void *, const unsigned *, size_t, const int *, const double *))(
            intptr_t)fmu_symbol(opened, "fmi2SetRealInputDerivatives");
    unsigned motor = fmu_reference(opened, "motor"), refs[] = {motor, motor};
    const int orders[] = {1, 2};
    for (int k = 0; k < 10; ++k) { // u = 4 + 30 t + 100 t^2
        double t = 0.02 * k, slopes[] = {30.0 + 200.0 * t, 200.0};
        fmu_write(&i, "motor", 4.0 + 30.0 * t + 100.0 * t * t);
        assert_int_equal(derive(i.c, refs, 2, orders, slopes), STATUS_OK);
        assert_int_equal(fmu_step(&i, t, 0.02 * (k + 1) - t), STATUS_OK);
    }
    double t = 0.2;
    hf_check_near(fmu_read(&i, "slider.velocity"),
                  (4.0 * t + 15.0 * t * t + 100.0 / 3.0 * t * t * t) / 2.0, 3e-6, "speed",
                  "closed form");
    hf_check_near(fmu_read(&i, "slider.position"),
                  0.01 + (2.0 * t * t + 5.0 * t * t * t + 25.0 / 3.0 * t * t * t * t) / 2.0, 1e-6,
                  "place", "closed form");
    hf_check_near(fmu_read(&i, "motor"), 4.0 + 30.0 * t + 100.0 * t * t, 1e-12, "input at the end",
                  "what the derivatives say");
    // Without new derivatives it holds
    double held = fmu_read(&i, "motor");
    assert_int_equal(fmu_step(&i, 0.2, 0.1), STATUS_OK);
    hf_check_same_bits(fmu_read(&i, "motor"), held, "input");
    unsigned place = fmu_reference(opened, "slider.position");
    assert_int_equal(derive(i.c, &place, 1, orders, &held), STATUS_ERROR);
    fmu_free(&i);
}

// ------------------------------------------------------------------------------------------------

static void test_states(void **state)
{
    (void)state;
    instance i;
    void *kept = NULL;
    fmu_begin(make(&i));
    run_rows(&i, plain, 0, 400, 1);
    assert_int_equal(fmu_get_state(&i, &kept), STATUS_OK);
    // Away from there, with another input and other parameters
    fmu_write(&i, "motor", -70.0);
    fmu_write(&i, "mu", 0.9);
    fmu_write(&i, "mass", 1.0);
    assert_int_equal(fmu_step(&i, plain->times[400], 0.3333), STATUS_OK);
    for (int n = 0; n < 2; ++n) {
        assert_int_equal(fmu_set_state(&i, kept), STATUS_OK);
        hf_check_same_bits(fmu_read(&i, "mu"), 0.3, "mu");
        hf_check_same_bits(fmu_read(&i, "motor"), 4.0, "motor");
        hf_check_same_bits(fmu_read(&i, "time"), plain->times[400], "time");
        check_row(&i, plain, 400);
        run_rows(&i, plain, 400, 700, 1);
    }
    // The same place is used again
    void *before = kept;
    assert_int_equal(fmu_get_state(&i, &kept), STATUS_OK);
    assert_ptr_equal(kept, before);
    assert_int_equal(fmu_reset(&i), STATUS_OK);
    assert_int_equal(fmu_set_state(&i, kept), STATUS_OK);
    run_rows(&i, plain, 700, plain->rows - 1, 1);
    assert_int_equal(fmu_free_state(&i, &kept), STATUS_OK);
    assert_null(kept);
    fmu_free(&i);
}

// States of a machine whose parameters were changed while it ran, in this instance and in another.
static void test_tuned_states(void **state)
{
    (void)state;
    instance i, other;
    void *kept = NULL, *copy = NULL;
    size_t size = 0;
    fmu_begin(make(&i));
    fmu_write(&i, "motor", 30.0);
    assert_int_equal(fmu_step(&i, 0.0, 0.2), STATUS_OK);
    fmu_write(&i, "mass", 3.5);
    fmu_write(&i, "mu", 0.15);
    assert_int_equal(fmu_step(&i, 0.2, 0.1005), STATUS_OK);
    assert_int_equal(fmu_get_state(&i, &kept), STATUS_OK);
    assert_int_equal(fmu_state_size(&i, kept, &size), STATUS_OK);
    unsigned char *bytes = malloc(size);
    assert_int_equal(fmu_serialize(&i, kept, bytes, size), STATUS_OK);
    // Once more from there
    double places[3];
    for (int n = 0; n < 2; ++n) {
        assert_int_equal(fmu_step(&i, 0.3005, 0.5), STATUS_OK);
        places[n] = fmu_read(&i, "slider.position");
        assert_int_equal(fmu_set_state(&i, kept), STATUS_OK);
    }
    make(&other);
    assert_int_equal(fmu_deserialize(&other, bytes, size, &copy), STATUS_OK);
    assert_int_equal(fmu_set_state(&other, copy), STATUS_OK);
    assert_int_equal(fmu_step(&other, 0.3005, 0.5), STATUS_OK);
    places[2] = fmu_read(&other, "slider.position");
    hf_check_same_bits(places[1], places[0], "place");
    hf_check_same_bits(places[2], places[0], "place");
    hf_check_same_bits(fmu_read(&other, "mass"), 3.5, "mass");
    // What is left
    assert_int_equal(fmu_free_state(&i, &kept), STATUS_OK);
    assert_int_equal(fmu_free_state(&other, &copy), STATUS_OK);
    free(bytes);
    fmu_free(&i);
    fmu_free(&other);
}

static void test_serialized(void **state)
{
    (void)state;
    instance i, other;
    void *kept = NULL, *copy = NULL;
    size_t size = 0;
    fmu_begin(make(&i));
    run_rows(&i, plain, 0, 500, 1);
    assert_int_equal(fmu_get_state(&i, &kept), STATUS_OK);
    assert_int_equal(fmu_state_size(&i, kept, &size), STATUS_OK);
    unsigned char *bytes = malloc(size);
    assert_int_equal(fmu_serialize(&i, kept, bytes, size - 1), STATUS_ERROR);
    assert_int_equal(fmu_serialize(&i, kept, bytes, size), STATUS_OK);
    assert_int_equal(fmu_free_state(&i, &kept), STATUS_OK);
    fmu_free(&i);
    // Another instance goes on
    make(&other);
    assert_int_equal(fmu_deserialize(&other, bytes, size, &copy), STATUS_OK);
    assert_int_equal(fmu_set_state(&other, copy), STATUS_OK);
    run_rows(&other, plain, 500, plain->rows - 1, 1);
    assert_int_equal(fmu_free_state(&other, &copy), STATUS_OK);
    // Damaged bytes are refused, wherever
    for (size_t at = 0; at < size; at += at < 300 ? 1 : 97) {
        bytes[at] ^= 0x10;
        assert_int_equal(fmu_deserialize(&other, bytes, size, &copy), STATUS_ERROR);
        bytes[at] ^= 0x10;
    }
    for (size_t length = 0; length < size; length += 1 + length / 7) {
        assert_int_equal(fmu_deserialize(&other, bytes, length, &copy), STATUS_ERROR);
    }
    assert_null(copy);
    free(bytes);
    fmu_free(&other);
}

static void test_reset(void **state)
{
    (void)state;
    instance i;
    make(&i);
    fmu_write(&i, "mass", 1.5);
    fmu_write(&i, "begin", 1.0);
    fmu_begin(&i);
    fmu_write(&i, "motor", 60.0);
    fmu_write(&i, "mu", 0.7);
    assert_int_equal(fmu_step(&i, 0.0, 0.5), STATUS_OK);
    assert_int_equal(fmu_reset(&i), STATUS_OK);
    fmu_begin(&i);
    check_row(&i, plain, 0);
    run_rows(&i, plain, 0, 1000, 10);
    assert_int_equal(fmu_terminate(&i), STATUS_OK);
    assert_int_equal(fmu_reset(&i), STATUS_OK);
    fmu_begin(&i);
    run_rows(&i, plain, 0, 100, 10);
    fmu_free(&i);
}

static void test_two_instances(void **state)
{
    (void)state;
    instance one, two;
    fmu_begin(make(&one));
    make(&two);
    fmu_write(&two, "mass", 3.0);
    fmu_write(&two, "mu", 0.1);
    fmu_write(&two, "motor", 20.0);
    fmu_begin(&two);
    for (int row = 0; row < 1000; row += 10) {
        run_rows(&one, plain, row, row + 10, 10);
        run_rows(&two, changed, row, row + 10, 5);
    }
    fmu_free(&one);
    hf_check_same_bits(fmu_read(&two, "mass"), 3.0, "mass");
    fmu_free(&two);
}

// ------------------------------------------------------------------------------------------------

// Calls at the wrong time are errors with a message, and change nothing.
static void test_order(void **state)
{
    (void)state;
    instance i;
    make(&i);
    assert_int_equal(fmu_step(&i, 0.0, 0.1), STATUS_ERROR);
    assert_non_null(strstr(i.log, "DoStep: not allowed before the initialization"));
    assert_int_equal(fmu_exit(&i), STATUS_ERROR);
    assert_int_equal(fmu_terminate(&i), STATUS_ERROR);
    fmu_begin(&i);
    assert_int_equal(fmu_setup(&i, 0.0, 1.0), STATUS_ERROR);
    assert_int_equal(fmu_exit(&i), STATUS_ERROR);
    run_rows(&i, plain, 0, 100, 10);
    // Not from where it is, backwards, beyond all bounds
    assert_int_equal(fmu_step(&i, 0.05, 0.1), STATUS_ERROR);
    assert_int_equal(fmu_step(&i, 0.1001, 0.1), STATUS_ERROR);
    assert_int_equal(fmu_step(&i, 0.1, -0.05), STATUS_ERROR);
    assert_int_equal(fmu_step(&i, 0.1, INFINITY), STATUS_ERROR);
    assert_int_equal(fmu_step(&i, (double)NAN, 0.1), STATUS_ERROR);
    run_rows(&i, plain, 100, 200, 10);
    assert_int_equal(fmu_terminate(&i), STATUS_OK);
    assert_int_equal(fmu_step(&i, 0.2, 0.1), STATUS_ERROR);
    assert_int_equal(fmu_try(&i, "motor", 1.0), STATUS_ERROR);
    check_row(&i, plain, 200);
    fmu_free(&i);
    // The end of the experiment
    make(&i);
    assert_int_equal(fmu_setup(&i, 0.0, 0.5), STATUS_OK);
    assert_int_equal(fmu_enter(&i), STATUS_OK);
    assert_int_equal(fmu_exit(&i), STATUS_OK);
    assert_int_equal(fmu_step(&i, 0.0, 0.5), STATUS_OK);
    assert_int_equal(fmu_step(&i, 0.5, 0.1), STATUS_ERROR);
    fmu_free(&i);
}

static void expect_log(instance *i, const char *text)
{
    if (strstr(i->log, text) == NULL) {
        fail_msg("no '%s' in: %s", text, i->log);
    }
    i->log[0] = '\0';
}

static void test_messages(void **state)
{
    (void)state;
    instance i;
    double value = 0.0;
    make(&i);
    assert_int_equal(fmu_try(&i, "mass", 7.0), STATUS_ERROR);
    expect_log(&i, "logStatusError: fmi");
    assert_int_equal(fmu_try(&i, "mass", 7.0), STATUS_ERROR);
    expect_log(&i, "'mass' = 7 is outside of its range, 0.5 to 5");
    assert_int_equal(fmu_try(&i, "motor", (double)NAN), STATUS_ERROR);
    expect_log(&i, "'motor' must be a finite number");
    assert_int_equal(fmu_try(&i, "slider.position", 0.0), STATUS_ERROR);
    expect_log(&i, "'slider.position' is computed by the machine");
    assert_int_equal(fmu_try(&i, "weight", 0.0), STATUS_ERROR);
    expect_log(&i, "'weight' follows from other parameters");
    unsigned far = 1000;
    assert_int_equal(fmu_get(&i, &far, 1, &value), STATUS_ERROR);
    expect_log(&i, "no variable with the value reference 1000");
    // One wrong value of several: none is taken
    unsigned refs[] = {fmu_reference(opened, "mu"), fmu_reference(opened, "mass")};
    const double values[] = {0.5, -1.0};
    assert_int_equal(fmu_set(&i, refs, 2, values), STATUS_ERROR);
    hf_check_same_bits(fmu_read(&i, "mu"), 0.3, "mu");
    fmu_free(&i);
    // A clock that does not begin at zero
    make(&i);
    assert_int_equal(fmu_setup(&i, 5.0, 6.0), STATUS_WARNING);
    expect_log(&i, "logStatusWarning: fmi");
    assert_int_equal(fmu_enter(&i), STATUS_OK);
    assert_int_equal(fmu_exit(&i), STATUS_OK);
    assert_int_equal(fmu_step(&i, 5.0, 0.5), STATUS_OK);
    check_row(&i, plain, 500);
    hf_check_same_bits(fmu_read(&i, "time"), 5.5, "time");
    fmu_free(&i);
    // A folder as an address may write it
    if (opened->version == 2) {
        char place[4200] = "file:", *to = place + 5;
        for (const char *c = opened->folder; *c != '\0'; ++c) {
            to += sprintf(to, *c == ' ' || *c == '-' ? "%%%02x" : "%c", (unsigned char)*c);
        }
        strcpy(to, "/resources/");
        assert_non_null(fmu_instantiate(opened, NULL, place, false, &i));
        fmu_free(&i);
    }
    // Instances that cannot be
    assert_null(fmu_instantiate(opened, "{wrong}", NULL, false, &i));
    expect_log(&i, "the GUID or token is {wrong}");
    assert_null(fmu_instantiate(opened, NULL, "file:///nowhere/resources", false, &i));
    expect_log(&i, "/nowhere/resources/holdfast.json");
    assert_null(fmu_instantiate(opened, NULL, "http://elsewhere/resources", false, &i));
}

// ------------------------------------------------------------------------------------------------

// A run that `holdfast run` doubts is told so, once; before its end if it is long.
static void test_doubt(void **state)
{
    (void)state;
    instance i;
    const char *warning = "logStatusWarning: t = ";
    for (int n = 1; n <= 3; n += 2) { // too short to be asked on the way, and long enough
        fmu_begin(make(&i));
        for (int k = 0; k < n * 50; ++k) {
            assert_int_equal(fmu_step(&i, k * 0.01, 0.01), STATUS_OK);
        }
        assert_int_equal(strstr(i.log, warning) != NULL, n == 3);
        assert_int_equal(fmu_terminate(&i), STATUS_OK);
        const char *told = strstr(i.log, warning);
        assert_non_null(told);
        assert_non_null(strstr(told, "the run is doubtful: the energy ledger is off by"));
        assert_non_null(strstr(told, " % of the ")); // whatever the logger makes of a format
        assert_null(strstr(told + 1, warning));
        fmu_free(&i);
    }
}

// A step that fails is an error with its cause; the instance can be read, reset and restored.
static void test_failure(void **state)
{
    (void)state;
    instance i;
    void *kept = NULL;
    make(&i);
    fmu_write(&i, "k", 2e7);
    fmu_begin(&i);
    assert_int_equal(fmu_get_state(&i, &kept), STATUS_OK);
    int status = STATUS_OK, n = 0;
    for (; n < 300 && status == STATUS_OK; ++n) {
        status = fmu_step(&i, n * 0.01, 0.01);
    }
    assert_int_equal(status, STATUS_ERROR);
    expect_log(&i, "logStatusError: fmi");
    hf_check_below(fmu_read(&i, "time"), n * 0.01, "time that was reached", "the step that failed");
    assert_true(isfinite(fmu_read(&i, "block.position")));
    assert_int_equal(fmu_step(&i, n * 0.01, 0.01), STATUS_ERROR);
    expect_log(&i, "not allowed after an error");
    // From a state, and anew
    assert_int_equal(fmu_set_state(&i, kept), STATUS_OK);
    assert_int_equal(fmu_step(&i, 0.0, 0.01), STATUS_OK);
    assert_int_equal(fmu_free_state(&i, &kept), STATUS_OK);
    assert_int_equal(fmu_reset(&i), STATUS_OK);
    fmu_begin(&i);
    assert_int_equal(fmu_step(&i, 0.0, 0.5), STATUS_OK);
    fmu_free(&i);
}

static int run_stiff(const char *folder)
{
    opened = fmu_open(folder);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_doubt),
                                       cmocka_unit_test(test_failure)};
    int failed = hf_run_tests(tests);
    fmu_close(opened);
    return failed;
}

// Any FMU against what the command records.
static int compare_bits(const char *folder, const char *csv, int each)
{
    recording *r = read_csv(csv);
    fmu *f = fmu_open(folder);
    instance *i = calloc(1, sizeof *i);
    if (fmu_instantiate(f, NULL, NULL, true, i) == NULL) {
        (void)fprintf(stderr, "%s: %s\n", folder, i->log);
        return 1;
    }
    fmu_begin(i);
    int wrong = 0;
    for (int row = 0; row < r->rows && wrong == 0; row += each) {
        if (row > 0 &&
            fmu_step(i, r->times[row - each], r->times[row] - r->times[row - each]) != STATUS_OK) {
            (void)fprintf(stderr, "%s: %s\n", folder, i->log);
            wrong = 1;
        }
        for (int k = 0; k < r->columns && wrong == 0; ++k) {
            double got = fmu_read(i, r->names[k]), want = r->values[row * r->columns + k];
            if (memcmp(&got, &want, sizeof got) != 0) {
                (void)fprintf(stderr, "%s: t = %.17g: %s is %.17g, the command has %.17g\n", folder,
                              r->times[row], r->names[k], got, want);
                wrong = 1;
            }
        }
    }
    (void)printf("%s: %d rows of %d outputs, %s", folder, (r->rows - 1) / each, r->columns,
                 wrong == 0 ? "the same bits" : "others");
    (void)printf("%s%s\n", i->log[0] == '\0' ? "" : "; log: ", i->log);
    fmu_free(i);
    free(i);
    fmu_close(f);
    free_csv(r);
    return wrong;
}

int main(int count, char **arguments)
{
    if (count == 5 && strcmp(arguments[1], "bits") == 0) {
        return compare_bits(arguments[2], arguments[3], atoi(arguments[4]));
    }
    if (count == 3 && strcmp(arguments[1], "stiff") == 0) {
        return run_stiff(arguments[2]);
    }
    if (count != 5 || strcmp(arguments[1], "drive") != 0) {
        (void)fprintf(stderr,
                      "test-fmu drive FOLDER CSV MORE | stiff FOLDER | bits FOLDER CSV N\n");
        return 2;
    }
    opened = fmu_open(arguments[2]);
    plain = read_csv(arguments[3]);
    changed = read_csv(arguments[4]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),     cmocka_unit_test(test_summed_time),
        cmocka_unit_test(test_odd_steps),     cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_tunable),       cmocka_unit_test(test_input_slopes),
        cmocka_unit_test(test_states),        cmocka_unit_test(test_serialized),
        cmocka_unit_test(test_tuned_states),  cmocka_unit_test(test_reset),
        cmocka_unit_test(test_two_instances), cmocka_unit_test(test_order),
        cmocka_unit_test(test_messages),
    };
    int failed = hf_run_tests(tests);
    fmu_close(opened);
    free_csv(plain);
    free_csv(changed);
    return failed;
}
