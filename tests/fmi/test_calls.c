// SPDX-License-Identifier: Apache-2.0
// The interface of an FMU, function by function: in every state of an instance, with nothing where
// something is expected, with wrong counts, values out of range, damaged states, and all that an
// FMU for co-simulation lacks.
//   test-fmu-calls FOLDER OTHER   the FMU of calls.yaml under `switch`, and under `timestep`
#include <hf_test.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "functions.h"

// ------------------------------------------------------------------------------------------------
// Which function may be called when: the tables of calling sequences of the two standards

static const char *const where[MODES] = {"before the initialization", "in initialization mode",
                                         "while the machine runs", "after the end",
                                         "after an error"};

static int call_setup(instance *i)
{
    return fmu_setup(i, 0.0, 5.0);
}

static int call_step(instance *i)
{
    return fmu_step(i, fmu_read(i, "time"), 0.25);
}

static int call_set(instance *i)
{
    return fmu_try(i, "push", 44.0);
}

static int call_get(instance *i)
{
    unsigned reference = fmu_reference(opened, "block.position");
    double value = (double)NAN;
    int status = fmu_get(i, &reference, 1, &value);
    assert_true(isfinite(value));
    return status;
}

static int call_slope(instance *i)
{
    unsigned push = fmu_reference(opened, "push");
    const int order = 1;
    const double slope = 3.0;
    return CALL(derive *, "fmi2SetRealInputDerivatives")(i->c, &push, 1, &order, &slope);
}

typedef struct step_of_host {
    const char *two, *three; // NULL: this version has none of its own
    int modes;               // in which it may be called
    int (*call)(instance *);
} step_of_host;

static const step_of_host steps_of_host[] = {
    {"SetupExperiment", "EnterInitializationMode", BEFORE, call_setup},
    {"EnterInitializationMode", NULL, BEFORE, fmu_enter},
    {"ExitInitializationMode", "ExitInitializationMode", STARTING, fmu_exit},
    {"DoStep", "DoStep", RUNNING, call_step},
    {"Terminate", "Terminate", RUNNING, fmu_terminate},
    {"Reset", "Reset", ALWAYS, fmu_reset},
    {"SetReal", "SetFloat64", BEFORE | STARTING | RUNNING, call_set},
    {"GetReal", "GetFloat64", ALWAYS, call_get},
    {"SetRealInputDerivatives", NULL, BEFORE | STARTING | RUNNING, call_slope},
};

// A call at the wrong time is an error that names the function and the time, and changes nothing.
// An instance that was made what another one is, by its state, does the same with every call.
static void test_order(void **state)
{
    (void)state;
    for (int m = 0; m < MODES; ++m) {
        for (size_t k = 0; k < sizeof steps_of_host / sizeof *steps_of_host; ++k) {
            const step_of_host *step = &steps_of_host[k];
            const char *name = opened->version == 2 ? step->two : step->three;
            if (name == NULL) {
                continue;
            }
            instance i, twin;
            bring(&i, 1 << m);
            snapshot before = take(&i);
            put(make(&twin), &before);
            bool allowed = (step->modes & 1 << m) != 0;
            int status = step->call(&i);
            if (status != (allowed ? STATUS_OK : STATUS_ERROR)) {
                fail_msg("%s %s: status %d", name, where[m], status);
            }
            snapshot after = take(&i);
            if (!allowed) {
                char text[100];
                (void)snprintf(text, sizeof text, "logStatusError: fmi%d%s: not allowed %s\n",
                               opened->version, name, where[m]);
                assert_string_equal(i.log, text);
                check_same(&after, &before, name);
            }
            assert_int_equal(step->call(&twin), status);
            check_alike(&twin, &i, name);
            free(before.bytes);
            free(after.bytes);
            fmu_free(&i);
            fmu_free(&twin);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Nothing where something is expected

static void test_nothing(void **state)
{
    (void)state;
    instance none = {.of = opened}, i;
    double value = 7.0;
    unsigned reference = 0;
    size_t size = 7;
    unsigned char bytes[8] = {0};
    void *kept = NULL;
    // No instance
    assert_int_equal(fmu_setup(&none, 0.0, 1.0), STATUS_ERROR);
    assert_int_equal(fmu_enter(&none), opened->version == 2 ? STATUS_ERROR : STATUS_OK);
    assert_int_equal(fmu_exit(&none), STATUS_ERROR);
    assert_int_equal(fmu_step(&none, 0.0, 1.0), STATUS_ERROR);
    assert_int_equal(fmu_terminate(&none), STATUS_ERROR);
    assert_int_equal(fmu_reset(&none), STATUS_ERROR);
    assert_int_equal(fmu_get(&none, &reference, 1, &value), STATUS_ERROR);
    assert_int_equal(fmu_set(&none, &reference, 1, &value), STATUS_ERROR);
    assert_int_equal(fmu_get_state(&none, &kept), STATUS_ERROR);
    assert_int_equal(fmu_deserialize(&none, bytes, 8, &kept), STATUS_ERROR);
    assert_null(kept);
    // No state, no place for one
    make(&i);
    assert_int_equal(fmu_get_state(&i, &kept), STATUS_OK);
    assert_int_equal(fmu_set_state(&none, kept), STATUS_ERROR);
    assert_int_equal(fmu_state_size(&none, kept, &size), STATUS_ERROR);
    assert_int_equal(fmu_serialize(&none, kept, bytes, 8), STATUS_ERROR);
    assert_int_equal(fmu_get_state(&i, NULL), STATUS_ERROR);
    assert_int_equal(fmu_set_state(&i, NULL), STATUS_ERROR);
    assert_int_equal(fmu_state_size(&i, NULL, &size), STATUS_ERROR);
    assert_int_equal(fmu_state_size(&i, kept, NULL), STATUS_ERROR);
    assert_int_equal(fmu_serialize(&i, NULL, bytes, 8), STATUS_ERROR);
    assert_int_equal(fmu_serialize(&i, kept, NULL, 8), STATUS_ERROR);
    assert_int_equal(fmu_deserialize(&i, NULL, 8, &kept), STATUS_ERROR);
    assert_int_equal(fmu_deserialize(&i, bytes, 8, NULL), STATUS_ERROR);
    assert_int_equal(fmu_free_state(&i, NULL), STATUS_OK);
    assert_int_equal(fmu_free_state(&none, &kept), STATUS_OK);
    assert_null(kept);
    assert_int_equal(fmu_free_state(&i, &kept), STATUS_OK); // for the second time
    // What was handed in is as it was; no variables are no error
    hf_check_same_bits(value, 7.0, "value");
    assert_int_equal(size, 7);
    assert_int_equal(fmu_get(&i, NULL, 0, NULL), STATUS_OK);
    assert_int_equal(fmu_set(&i, NULL, 0, NULL), STATUS_OK);
    fmu_free(&i);
    fmu_free(&none);
}

// FMI 3: as many values as variables, and a step whose host asks for nothing.
static void test_three(void **state)
{
    (void)state;
    if (opened->version != 3) {
        skip();
    }
    typedef int values(void *, const unsigned *, size_t, double *, size_t);
    typedef int step(void *, double, double, bool, bool *, bool *, bool *, double *);
    values *get = CALL(values *, "fmi3GetFloat64"), *set = CALL(values *, "fmi3SetFloat64");
    step *go = CALL(step *, "fmi3DoStep");
    instance i;
    unsigned refs[] = {fmu_reference(opened, "push"), fmu_reference(opened, "time")};
    double both[] = {7.0, 8.0};
    fmu_begin(make(&i));
    assert_int_equal(get(i.c, refs, 2, both, 1), STATUS_ERROR);
    expect_log(&i, "fmi3GetFloat64: 2 variables have as many values, not 1");
    assert_int_equal(set(i.c, refs, 1, both, 2), STATUS_ERROR);
    expect_log(&i, "fmi3SetFloat64: 1 variables have as many values, not 2");
    hf_check_same_bits(both[0], 7.0, "value");
    hf_check_same_bits(fmu_read(&i, "push"), 0.0, "push");
    assert_int_equal(go(i.c, 0.0, 0.5, true, NULL, NULL, NULL, NULL), STATUS_OK);
    hf_check_same_bits(fmu_read(&i, "time"), 0.5, "time");
    // A step that is refused says how far the machine is; without an instance nobody knows
    bool flags[3] = {true, true, true};
    double last = 7.0;
    assert_int_equal(go(NULL, 0.5, 0.5, true, &flags[0], &flags[1], &flags[2], &last),
                     STATUS_ERROR);
    assert_false(flags[0] || flags[1] || flags[2]);
    hf_check_same_bits(last, 7.0, "time that is reached");
    assert_int_equal(go(i.c, 0.25, 0.5, true, &flags[0], &flags[1], &flags[2], &last),
                     STATUS_ERROR);
    hf_check_same_bits(last, 0.5, "time that is reached");
    fmu_free(&i);
}

// FMI 2: what a step has come to.
static void test_status(void **state)
{
    (void)state;
    if (opened->version != 2) {
        skip();
    }
    enum { DO_STEP, PENDING, LAST_TIME, IS_TERMINATED };
    instance i;
    fmu_begin(make(&i));
    assert_int_equal(fmu_step(&i, 0.0, 0.75), STATUS_OK);
    typedef int ask(void *, int, void *);
    static const char *const names[] = {"fmi2GetRealStatus", "fmi2GetBooleanStatus",
                                        "fmi2GetStatus", "fmi2GetIntegerStatus",
                                        "fmi2GetStringStatus"};
    for (int n = 0; n < 5; ++n) {
        for (int kind = DO_STEP; kind <= IS_TERMINATED; ++kind) {
            ask *function = CALL(ask *, names[n]);
            bool known = (n == 0 && kind == LAST_TIME) || (n == 1 && kind == IS_TERMINATED);
            double real = 7.0;
            int truth = 7;
            void *room = n == 0 ? (void *)&real : &truth;
            assert_int_equal(function(i.c, kind, room), known ? STATUS_OK : STATUS_DISCARD);
            assert_int_equal(function(NULL, kind, room), STATUS_DISCARD);
            assert_int_equal(function(i.c, kind, NULL), STATUS_DISCARD);
            hf_check_same_bits(real, n == 0 && known ? 0.75 : 7.0, "time that is reached");
            assert_int_equal(truth, n == 1 && known ? 0 : 7);
        }
    }
    fmu_free(&i);
}

// ------------------------------------------------------------------------------------------------
// What it lacks

static void test_lacking(void **state)
{
    (void)state;
    fmu_find_all(opened);
    const char *(*version)(void) =
        CALL(const char *(*)(void), opened->version == 2 ? "fmi2GetVersion" : "fmi3GetVersion");
    assert_string_equal(version(), opened->version == 2 ? "2.0" : "3.0");
    if (opened->version == 2) {
        assert_string_equal(CALL(const char *(*)(void), "fmi2GetTypesPlatform")(), "default");
    }
    instance i;
    fmu_begin(make(&i));
    for (const lacking *function = fmu_lacking(opened); function->name != NULL; ++function) {
        unsigned char room[6][ROOM], before[6][ROOM];
        char text[100];
        memset(room, 0x5a, sizeof room);
        memset(before, 0x5a, sizeof before);
        (void)snprintf(text, sizeof text, "logStatusError: fmi%d%s: the FMU does not have this",
                       opened->version, function->name);
        for (size_t count = 0; count < 3; ++count) {
            // None of the variables that there are not: nothing was asked for. Of derivatives that
            // is a question too.
            bool asks = count > 0 || strncmp(function->takes, "vn", 2) != 0 ||
                        strncmp(function->takes, "vnvn", 4) == 0;
            i.log[0] = '\0';
            assert_int_equal(fmu_call_lacking(opened, function, i.c, count, room),
                             asks ? STATUS_ERROR : STATUS_OK);
            assert_int_equal(strncmp(i.log, text, asks ? strlen(text) : 0), 0);
            assert_int_equal(i.log[0] != '\0', asks);
        }
        assert_int_equal(fmu_call_lacking(opened, function, NULL, 1, room), STATUS_ERROR);
        assert_memory_equal(room, before, sizeof room);
    }
    assert_int_equal(fmu_step(&i, 0.0, 0.5), STATUS_OK); // nothing has changed
    fmu_free(&i);
}

// ------------------------------------------------------------------------------------------------
// Times

static void test_times(void **state)
{
    (void)state;
    typedef int setup2(void *, int, double, double, int, double);
    typedef int setup3(void *, bool, double, double, bool, double);
    static const struct {
        double start, stop;
        bool ends;
        int status;
    } times[] = {{0.0, 4.0, true, STATUS_OK},
                 {0.0, -1.0, false, STATUS_OK},
                 {2.0, 2.0, true, STATUS_OK},
                 {2.0, 1.9, true, STATUS_ERROR},
                 {0.0, (double)NAN, true, STATUS_ERROR},
                 {(double)NAN, 1.0, true, STATUS_ERROR},
                 {-INFINITY, 1.0, true, STATUS_ERROR},
                 {-3.0, INFINITY, true, STATUS_OK}};
    for (size_t k = 0; k < sizeof times / sizeof *times; ++k) {
        instance i;
        make(&i);
        double start = times[k].start, stop = times[k].stop;
        int status =
            opened->version == 2
                ? CALL(setup2 *, "fmi2SetupExperiment")(i.c, 1, 1e-3, start, times[k].ends, stop)
                : CALL(setup3 *, "fmi3EnterInitializationMode")(i.c, true, 1e-3, start,
                                                                times[k].ends, stop);
        assert_int_equal(status, times[k].status);
        if (status == STATUS_ERROR) {
            expect_log(&i, "are none of an experiment");
            fmu_begin(&i); // as if it had not been asked
            assert_int_equal(fmu_step(&i, 0.0, 1.0), STATUS_OK);
        } else {
            assert_int_equal(fmu_enter(&i), STATUS_OK);
            assert_int_equal(fmu_exit(&i), STATUS_OK);
            hf_check_same_bits(fmu_read(&i, "time"), start, "time");
            assert_int_equal(fmu_step(&i, start, 0.0), STATUS_OK); // a step of no length
            hf_check_same_bits(fmu_read(&i, "time"), start, "time");
            bool inside = !times[k].ends || start + 0.5 <= stop;
            assert_int_equal(fmu_step(&i, start, 0.5), inside ? STATUS_OK : STATUS_ERROR);
            hf_check_same_bits(fmu_read(&i, "time"), inside ? start + 0.5 : start, "time");
        }
        fmu_free(&i);
    }
}

// ------------------------------------------------------------------------------------------------
// Messages about events

// From rest, pushed by 20 N against 10 N of friction for a second, then left alone, then pushed
// back: 2 kg slide at once, stop at 2 s, and slide back from 2.5 s on.
static void run_events(instance *i)
{
    static const double times[] = {0.0, 0.5, 1.5, 3.0, 3.5}, pushes[] = {9.0, 20.0, 0.0, -20.0};
    for (int k = 0; k < 4; ++k) {
        fmu_write(i, "push", pushes[k]);
        assert_int_equal(fmu_step(i, times[k], times[k + 1] - times[k]), STATUS_OK);
    }
    hf_check_near(fmu_read(i, "block.position"), 5.0 - 0.625, 1e-5, "place", "closed form");
}

static void test_events(void **state)
{
    (void)state;
    static const struct {
        bool logging, sets, on; // at the start; whether it is set later, and to what
        const char *categories[3];
        int status, events;
    } ways[] = {
        {true, false, false, {NULL}, STATUS_OK, 3},
        {false, false, false, {NULL}, STATUS_OK, 0},
        {false, true, true, {NULL}, STATUS_OK, 3},
        {true, true, false, {NULL}, STATUS_OK, 0},
        {false, true, true, {"logAll"}, STATUS_OK, 3},
        {false, true, true, {"logStatusWarning", "logEvents"}, STATUS_OK, 3},
        {false, true, true, {"logStatusError", "logStatusWarning"}, STATUS_OK, 0},
        {true, true, true, {"logStatusError"}, STATUS_OK, 0},
        {true, true, false, {"logStatusError"}, STATUS_OK, 3},
        {true, true, false, {"logEvents"}, STATUS_OK, 0},
        {true, true, false, {"logAll"}, STATUS_OK, 0},
        {true, true, false, {"logEvents", "logOthers"}, STATUS_ERROR, 3},
        {false, true, true, {"logevents"}, STATUS_ERROR, 0},
    };
    typedef int set2(void *, int, size_t, const char *const *);
    typedef int set3(void *, bool, size_t, const char *const *);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
        instance i;
        assert_non_null(fmu_instantiate(opened, NULL, NULL, ways[k].logging, &i));
        size_t count = 0;
        while (count < 3 && ways[k].categories[count] != NULL) {
            ++count;
        }
        if (ways[k].sets) {
            int status = opened->version == 2
                             ? CALL(set2 *, "fmi2SetDebugLogging")(i.c, ways[k].on, count,
                                                                   ways[k].categories)
                             : CALL(set3 *, "fmi3SetDebugLogging")(i.c, ways[k].on, count,
                                                                   ways[k].categories);
            assert_int_equal(status, ways[k].status);
            if (status == STATUS_ERROR) {
                char text[100];
                (void)snprintf(text, sizeof text, "there is no category '%s' of messages\n",
                               ways[k].categories[count - 1]);
                expect_log(&i, text);
            }
        }
        fmu_begin(&i);
        run_events(&i);
        assert_string_equal(i.log, ways[k].events == 0
                                       ? ""
                                       : "logEvents: t = 0.5 s: floor slides forth\n"
                                         "logEvents: t = 2.5 s: floor sticks\n"
                                         "logEvents: t = 3 s: floor slides back\n");
        fmu_free(&i);
    }
    assert_int_equal(opened->version == 2
                         ? CALL(set2 *, "fmi2SetDebugLogging")(NULL, 1, 0, NULL)
                         : CALL(set3 *, "fmi3SetDebugLogging")(NULL, true, 0, NULL),
                     STATUS_ERROR);
}

// ------------------------------------------------------------------------------------------------
// States

// What is wrong with the bytes is said; a state of the same machine under another method is another
// FMU's.
static void test_damaged_states(void **state)
{
    (void)state;
    instance i, stranger;
    void *kept = NULL;
    bring(&i, RUNNING);
    snapshot good = take(&i);
    for (size_t at = 0; at < good.size; at += at < 128 ? 1 : 53) {
        good.bytes[at] ^= 1;
        assert_int_equal(fmu_deserialize(&i, good.bytes, good.size, &kept), STATUS_ERROR);
        good.bytes[at] ^= 1;
        expect_log(&i, at < 16   ? ": it is no state\n" // what it begins with, its size
                       : at < 24 ? ": it is a state of another FMU\n"
                                 : ": the state is damaged\n");
    }
    unsigned char *longer = calloc(1, good.size + 8);
    memcpy(longer, good.bytes, good.size);
    assert_int_equal(fmu_deserialize(&i, longer, good.size + 8, &kept), STATUS_ERROR);
    expect_log(&i, "it is no state");
    assert_null(kept);
    free(longer);
    // Too small a place
    assert_int_equal(fmu_get_state(&i, &kept), STATUS_OK);
    unsigned char *room = malloc(good.size);
    char text[100];
    (void)snprintf(text, sizeof text, "%zu bytes are not enough, %zu are needed", good.size - 1,
                   good.size);
    assert_int_equal(fmu_serialize(&i, kept, room, good.size - 1), STATUS_ERROR);
    expect_log(&i, text);
    assert_int_equal(fmu_serialize(&i, kept, room, good.size), STATUS_OK);
    assert_memory_equal(room, good.bytes, good.size);
    free(room);
    // Another FMU's state; a block of another size is replaced
    assert_non_null(fmu_instantiate(other, NULL, NULL, true, &stranger));
    void *block = NULL;
    assert_int_equal(fmu_deserialize(&stranger, good.bytes, good.size, &block), STATUS_ERROR);
    expect_log(&stranger, "it is a state of another FMU");
    assert_int_equal(fmu_get_state(&stranger, &kept), STATUS_OK);
    assert_int_equal(fmu_set_state(&stranger, kept), STATUS_OK);
    assert_int_equal(fmu_free_state(&stranger, &kept), STATUS_OK);
    fmu_free(&stranger);
    free(good.bytes);
    fmu_free(&i);
}

int main(int count, char **arguments)
{
    if (count != 3) {
        (void)fprintf(stderr, "test-fmu-calls FOLDER OTHER\n");
        return 2;
    }
    opened = fmu_open(arguments[1]);
    other = fmu_open(arguments[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),   cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_three),   cmocka_unit_test(test_status),
        cmocka_unit_test(test_lacking), cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_units),   cmocka_unit_test(test_refused_parameter),
        cmocka_unit_test(test_slopes),  cmocka_unit_test(test_times),
        cmocka_unit_test(test_events),  cmocka_unit_test(test_damaged_states)};
    int failed = hf_run_tests(tests);
    fmu_close(opened);
    fmu_close(other);
    return failed;
}
