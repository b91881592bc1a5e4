// SPDX-License-Identifier: Apache-2.0
// Logs in: what is read, and what is refused at which place.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fit_scene.h"

static char path[] = "/tmp/hf-fit-log-XXXXXX";

static hf_fit_log *read_text(const char *text, hf_error *error)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    (void)fclose(file);
    *error = (hf_error){0};
    return hf_fit_log_read(path, error);
}

static void reads_columns(void **state)
{
    (void)state;
    hf_error error;
    hf_fit_log *log = read_text("q,time,u\n1,0,3\n2,0.5,4\n\n3,0.7,5\n", &error);
    assert_non_null(log);
    assert_int_equal(log->rows, 3);
    assert_int_equal(log->column_count, 2);
    assert_string_equal(log->names[1], "u");
    hf_check_near(log->time[2], 0.7, 0.0, "time", "the file");
    hf_check_near(log->columns[0][2], 3.0, 0.0, "q", "the file");
    hf_check_near(log->columns[1][1], 4.0, 0.0, "u", "the file");
    hf_fit_log_destroy(log);
}

static void refuses(const char *text, int line, int column, const char *part)
{
    hf_error error;
    hf_fit_log *log = read_text(text, &error);
    if (log != NULL) {
        fail_msg("accepted: %s", text);
    }
    if (error.line != line || error.column != column || strstr(error.text, part) == NULL) {
        fail_msg("got %d:%d %s, want %d:%d %s", error.line, error.column, error.text, line, column,
                 part);
    }
}

static void refuses_what_is_wrong(void **state)
{
    (void)state;
    refuses("", 1, 1, "empty");
    refuses("t,q\n0,1\n1,2\n", 1, 1, "no column 'time'; the first is 't'");
    refuses("time;q\n0;1\n1;2\n", 1, 1, "'time;q': expected commas between columns");
    refuses("time,q,q\n0,1,1\n1,2,2\n", 1, 8, "twice");
    refuses("time,q\n0,1\n0.1,nan\n", 3, 5, "not finite");
    refuses("time,q\n0,1\n0.1,x\n", 3, 5, "expected a number");
    refuses("time,q\n0,1\n0.2,1\n0.1,2\n", 4, 1, "time must rise");
    refuses("time,q\n0,1\n0,2\n", 3, 1, "time must rise");
    refuses("time,q\n0,1\n1\n", 3, 1, "1 numbers, expected 2");
    refuses("time,q\n0,1\n1,2,3\n", 3, 1, "3 numbers, expected 2");
    refuses("time,q\n0,1\n", 2, 1, "two rows");
}

// A definition that hf_fit_create must refuse, and with which words.
typedef struct wrong {
    const char *signal, *expression, *channel, *column, *second;
    double segment;
    int free;
    const char *words;
} wrong;

static void refuses_definitions(void **state)
{
    (void)state;
    static const char text[] = "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                               "signals: {drive: {input: 0}, other: 3}\n"
                               "forces: [{name: motor, on: block, type: force, value: drive}]\n";
    static const wrong table[] = {
        {"drive", "u", "block.position", "y", NULL, 1.0, 0, "nothing is free"},
        {"engine", "u", "block.position", "y", NULL, 1.0, 1, "no signal 'engine'"},
        {"other", "u", "block.position", "y", NULL, 1.0, 1, "it is no input"},
        {"drive", "torqe", "block.position", "y", NULL, 1.0, 1, "torqe"},
        {"drive", "u", "block.positoin", "y", NULL, 1.0, 1, "did you mean 'block.position'"},
        {"drive", "u", "block.position", "y", "block.position", 1.0, 1, "matched twice"},
        {"drive", "u", "block.position", "y", NULL, 100.0, 1, "shorter than half a segment"},
        {"drive", "u", "block.position", "y", NULL, -1.0, 1, "longer than 0 s"},
        {"drive", "1/(u-u)", "block.position", "y", NULL, 1.0, 1, "not finite in row 1"},
    };
    hf_fit_machine *machine = scene_machine(text);
    hf_error error = {0};
    hf_fit_parameter mass;
    assert_int_equal(hf_fit_machine_free(machine, "bodies.block.mass", &mass, 1, &error), 1);
    assert_int_equal(hf_fit_machine_free(machine, "bodies.blok.mass", &mass, 1, &error), 0);
    assert_non_null(strstr(error.text, "no number 'bodies.blok.mass'"));
    assert_int_equal(hf_fit_machine_free(machine, "signals.drive", &mass, 1, &error), 0);
    mass = (hf_fit_parameter){.name = "m", .start = 1.0, .low = 0.0, .high = INFINITY};
    static const char *const names[] = {"u", "y"};
    hf_fit_log *log = hf_fit_log_create("two.csv", 500, names, 2);
    for (int k = 0; k < 500; ++k) {
        log->time[k] = 0.01 * k;
    }
    const hf_fit_log *logs[] = {log};
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        const wrong *w = &table[i];
        const hf_fit_input input = {.signal = w->signal, .expression = w->expression};
        const hf_fit_match matches[] = {{.channel = w->channel, .expression = w->column},
                                        {.channel = w->second, .expression = w->column}};
        hf_fit_def def = hf_fit_def_default();
        def.make = hf_fit_machine_make;
        def.context = machine;
        def.logs = logs;
        def.log_count = 1;
        def.inputs = &input;
        def.input_count = 1;
        def.matches = matches;
        def.match_count = w->second == NULL ? 1 : 2;
        def.parameters = &mass;
        def.parameter_count = w->free;
        def.segments[0] = w->segment;
        hf_fit *fit = hf_fit_create(&def, &error);
        // What only a run can tell
        if (fit != NULL && hf_fit_run(fit, &error) >= 0) {
            fail_msg("accepted: %s", w->words);
        }
        if (strstr(error.text, w->words) == NULL) {
            fail_msg("got '%s', want '%s'", error.text, w->words);
        }
        hf_fit_destroy(fit);
    }
    hf_fit_log_destroy(log);
    hf_fit_machine_destroy(machine);
}

// A mass of 2 kg that may only be less, or only more, or is free between: which bound it ended at,
// and what is said.
static void tells_which_bound(void **state)
{
    (void)state;
    static const char text[] = "method: {type: rk4, step: 5e-3}\n"
                               "bodies: {block: {type: mass, dim: 1, mass: 2}}\n"
                               "signals: {drive: {input: 0}}\n"
                               "forces: [{name: motor, on: block, type: force, value: drive}]\n";
    static const struct {
        double low, start, high, want;
        hf_fit_finding finding;
        const char *says; // NULL: nothing of a bound
    } table[] = {{2.5, 3.0, 9.0, 2.5, HF_FIT_AT_LOW,
                  "it ended at its lower bound, 2.5 kg; the logs want less."},
                 {0.5, 1.0, 1.5, 1.5, HF_FIT_AT_HIGH,
                  "it ended at its upper bound, 1.5 kg; the logs want more."},
                 {0.5, 1.0, 9.0, 2.0, HF_FIT_FOUND, NULL}};
    hf_fit_machine *machine = scene_machine(text);
    hf_error error = {0};
    hf_fit_parameter mass;
    assert_int_equal(hf_fit_machine_free(machine, "bodies.block.mass", &mass, 1, &error), 1);
    hf_rng rng = hf_rng_create(91);
    const double truth = 2.0;
    hf_fit_log *log = scene_log(machine, &truth, "block.position", 2.0, 1e-5, 0.0, 0.0, &rng);
    const hf_fit_log *logs[] = {log};
    const hf_fit_input input = {.signal = "drive", .expression = "u"};
    const hf_fit_match match = {.channel = "block.position", .expression = "y"};
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        mass.low = table[i].low;
        mass.start = table[i].start;
        mass.high = table[i].high;
        hf_fit_def def = hf_fit_def_default();
        def.make = hf_fit_machine_make;
        def.context = machine;
        def.logs = logs;
        def.log_count = 1;
        def.inputs = &input;
        def.input_count = 1;
        def.matches = &match;
        def.match_count = 1;
        def.parameters = &mass;
        def.parameter_count = 1;
        hf_fit *fit = hf_fit_create(&def, &error);
        if (fit == NULL || hf_fit_run(fit, &error) < 0) {
            fail_msg("%s", error.text);
        }
        hf_fit_unknown found = hf_fit_get_unknown(fit, 0);
        hf_check_near(found.value, table[i].want, table[i].says == NULL ? 1e-3 : 0.0, "mass",
                      "its bound, or the truth");
        assert_int_equal(found.finding, table[i].finding);
        bool told = false, bound = false;
        for (int k = 0; hf_fit_message(fit, k) != NULL; ++k) {
            told = told || (table[i].says != NULL && strstr(hf_fit_message(fit, k), table[i].says));
            bound = bound || strstr(hf_fit_message(fit, k), " bound") != NULL;
        }
        assert_int_equal(told, table[i].says != NULL);
        assert_int_equal(bound, table[i].says != NULL);
        hf_fit_destroy(fit);
    }
    hf_fit_log_destroy(log);
    hf_fit_machine_destroy(machine);
}

static void writes_values_in_place(void **state)
{
    (void)state;
    static const char text[] = "# the machine\n"
                               "parameters:\n"
                               "  fc: {value: 2.5, unit: N} # level\n"
                               "bodies:\n"
                               "  block: {type: mass, dim: 1, mass: 1.0} # 1.0 kg\n"
                               "forces:\n"
                               "  - {name: pad, on: block, type: friction, law: coulomb, "
                               "level: {coulomb: fc, viscous: [0.5, 1.0]}}\n";
    static const char want[] = "# the machine\n"
                               "parameters:\n"
                               "  fc: {value: 3.25, unit: N} # level\n"
                               "bodies:\n"
                               "  block: {type: mass, dim: 1, mass: 1.5} # 1.0 kg\n"
                               "forces:\n"
                               "  - {name: pad, on: block, type: friction, law: coulomb, "
                               "level: {coulomb: fc, viscous: [0.5, 0.75]}}\n";
    hf_fit_machine *machine = scene_machine(text);
    hf_fit_parameter p[3];
    hf_error error = {0};
    assert_int_equal(hf_fit_machine_free(machine, "*.mass", &p[0], 3, &error), 1);
    assert_string_equal(p[0].name, "bodies.block.mass");
    assert_string_equal(p[0].unit, "kg");
    hf_check_near(p[0].low, 0.0, 0.0, "lower bound of a mass", "a negative one is refused");
    assert_int_equal(hf_fit_machine_free(machine, "fc", &p[1], 2, &error), 1);
    assert_int_equal(hf_fit_machine_free(machine, "forces.pad.level.viscous.1", &p[2], 1, &error),
                     1);
    const double values[] = {1.5, 3.25, 0.75};
    char *out = hf_fit_machine_text(machine, values, &error);
    assert_non_null(out);
    assert_string_equal(out, want);
    free(out);
    hf_fit_machine_destroy(machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_columns),          cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(refuses_definitions),    cmocka_unit_test(tells_which_bound),
        cmocka_unit_test(writes_values_in_place),
    };
    int file = mkstemp(path);
    int code = file < 0 ? 1 : hf_run_tests(tests);
    (void)close(file);
    (void)unlink(path);
    return code;
}
