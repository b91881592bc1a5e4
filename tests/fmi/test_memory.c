// SPDX-License-Identifier: Apache-2.0
// Every allocation of the functions of an FMU fails once. The host gets an error and a message;
// nothing leaks; the same call made again does what it does without the failure.
#include <hf_test.h>
#include <holdfast/base.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "failures.h"
#include "fmi/wrapper/fmi2.h"
#include "fmi/wrapper/fmi3.h"

enum { PUSH = 1, MASS = 2, PLACE = 10 }; // value references of calls.yaml

static char last_text[2000];

static void keep2(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                  fmi2String category, fmi2String message, ...)
{
    (void)environment, (void)name, (void)status, (void)category;
    (void)snprintf(last_text, sizeof last_text, "%s", message);
}

static void keep3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message)
{
    keep2(environment, "", (fmi2Status)status, category, message);
}

// The folder of resources, as the command writes it into an FMU
static void write_resources(void)
{
    char line[500];
    assert_int_equal(mkdir("model", 0700), 0);
    FILE *from = fopen(HF_SOURCE_DIR "/tests/fmi/calls/calls.yaml", "r");
    FILE *to = fopen("model/calls.yaml", "w");
    assert_true(from != NULL && to != NULL);
    while (fgets(line, sizeof line, from) != NULL) {
        (void)fputs(line, to);
    }
    (void)fclose(from);
    assert_int_equal(fclose(to), 0);
    to = fopen("holdfast.json", "w");
    assert_non_null(to);
    (void)fputs(
        "{\"holdfast\": \"" HF_VERSION "\", \"token\": \"{t}\", \"model\": \"model/calls.yaml\","
        " \"method\": \"switch\", \"step\": 0.005,"
        " \"set\": [\"parameters.share=40 %\"],"
        " \"outputs\": [\"block.position\", \"block.velocity\"], \"locals\": [\"floor.force\"],"
        " \"fixed\": [\"begin\"], \"calculated\": [\"same_mass\", \"same_share\", \"same_turn\"]}",
        to);
    assert_int_equal(fclose(to), 0);
}

static fmi2Component make2(void)
{
    const fmi2CallbackFunctions functions = {.logger = keep2};
    return fmi2Instantiate("i", fmi2CoSimulation, "{t}", ".", &functions, 0, 1);
}

static fmi3Instance make3(void)
{
    return fmi3InstantiateCoSimulation("i", "{t}", ".", false, true, false, false, NULL, 0, NULL,
                                       keep3, NULL);
}

static void begin(fmi2Component c)
{
    assert_int_equal(fmi2SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0), fmi2OK);
    assert_int_equal(fmi2EnterInitializationMode(c), fmi2OK);
    assert_int_equal(fmi2ExitInitializationMode(c), fmi2OK);
}

static double read(fmi2Component c, unsigned reference)
{
    double value = 0.0;
    assert_int_equal(fmi2GetReal(c, &reference, 1, &value), fmi2OK);
    return value;
}

// ------------------------------------------------------------------------------------------------

static void test_instances(void **state)
{
    (void)state;
    for (int version = 2; version <= 3; ++version) {
        bool hit = true;
        long long number = 1;
        for (; hit; ++number) {
            long long before = hf_failures_live();
            last_text[0] = '\0';
            hf_failures_arm(number);
            void *c = version == 2 ? make2() : make3();
            hit = hf_failures_hit();
            hf_failures_arm(0);
            if (c == NULL && (!hit || last_text[0] == '\0')) {
                fail_msg("FMI %d, allocation %lld: '%s'", version, number, last_text);
            }
            if (c != NULL) {
                begin(c);
                hf_check_same_bits(read(c, PLACE), 0.0, "place");
            }
            fmi2FreeInstance(c);
            assert_int_equal(hf_failures_live(), before);
        }
        assert_true(number > 100); // there was something to fail
    }
}

// ------------------------------------------------------------------------------------------------
// Calls of an instance that runs

typedef struct story {
    fmi2Component c;
    fmi2FMUstate heavy; // of the machine with another mass
    fmi2Byte *bytes;    // the same
    size_t size;
    fmi2FMUstate made;
} story;

static fmi2Status tune(story *s)
{
    const unsigned reference = MASS;
    const double mass = 3.0;
    fmi2Status status = fmi2SetReal(s->c, &reference, 1, &mass);
    return status == fmi2OK ? fmi2DoStep(s->c, 0.5, 0.25, 1) : status;
}

static fmi2Status keep(story *s)
{
    return fmi2GetFMUstate(s->c, &s->made);
}

static fmi2Status read_state(story *s)
{
    return fmi2DeSerializeFMUstate(s->c, s->bytes, s->size, &s->made);
}

static fmi2Status put_state(story *s)
{
    return fmi2SetFMUstate(s->c, s->heavy);
}

static fmi2Status reset(story *s)
{
    return fmi2Reset(s->c);
}

static fmi2Status derive(story *s)
{
    const unsigned reference = PUSH;
    const int order = 1;
    const double slope = 40.0;
    fmi2Status status = fmi2SetRealInputDerivatives(s->c, &reference, 1, &order, &slope);
    return status == fmi2OK ? fmi2DoStep(s->c, 0.5, 0.25, 1) : status;
}

// An instance at 0.5 s, pushed, and a state of the same machine with another mass
static story prepare(void)
{
    const unsigned references[] = {PUSH, MASS};
    const double values[] = {25.0, 1.25};
    story s = {.c = make2()};
    assert_non_null(s.c);
    for (int n = 0; n < 2; ++n) {
        assert_int_equal(fmi2SetReal(s.c, references, n == 0 ? 2 : 1, values), fmi2OK);
        begin(s.c);
        assert_int_equal(fmi2DoStep(s.c, 0.0, 0.5, 1), fmi2OK);
        if (n == 0) {
            assert_int_equal(fmi2GetFMUstate(s.c, &s.heavy), fmi2OK);
            assert_int_equal(fmi2SerializedFMUstateSize(s.c, s.heavy, &s.size), fmi2OK);
            s.bytes = malloc(s.size);
            assert_int_equal(fmi2SerializeFMUstate(s.c, s.heavy, s.bytes, s.size), fmi2OK);
            assert_int_equal(fmi2Reset(s.c), fmi2OK);
        }
    }
    return s;
}

static void finish(story *s)
{
    (void)fmi2FreeFMUstate(s->c, &s->made);
    (void)fmi2FreeFMUstate(s->c, &s->heavy);
    free(s->bytes);
    fmi2FreeInstance(s->c);
}

static void test_calls(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        fmi2Status (*call)(story *);
        int least; // allocations
    } calls[] = {{"tune", tune, 50},     {"keep", keep, 1},   {"read", read_state, 1},
                 {"put", put_state, 50}, {"reset", reset, 1}, {"derive", derive, 0}};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k) {
        bool hit = true;
        long long number = 0;
        double want[3] = {0.0};
        for (; hit; ++number) { // 0: without a failure
            long long before = hf_failures_live();
            story s = prepare();
            last_text[0] = '\0';
            hf_failures_arm(number);
            fmi2Status status = calls[k].call(&s);
            hit = hf_failures_hit() || number == 0;
            hf_failures_arm(0);
            if (status != fmi2OK && (number == 0 || !hit || last_text[0] == '\0')) {
                fail_msg("%s, allocation %lld: '%s'", calls[k].name, number, last_text);
            }
            if (status != fmi2OK) {
                assert_int_equal(calls[k].call(&s), fmi2OK);
            }
            for (unsigned n = 0; n < 3; ++n) {
                double got = read(s.c, PLACE + n);
                want[n] = number == 0 ? got : want[n];
                hf_check_same_bits(got, want[n], calls[k].name);
            }
            finish(&s);
            assert_int_equal(hf_failures_live(), before);
        }
        print_message("%s: %lld allocations\n", calls[k].name, number - 2);
        assert_true(number > calls[k].least + 1);
    }
}

int main(void)
{
    hf_work_in_own_folder();
    write_resources();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_instances),
                                       cmocka_unit_test(test_calls)};
    return hf_run_tests(tests);
}
