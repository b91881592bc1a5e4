// SPDX-License-Identifier: Apache-2.0
// One FMU and its instances, shared by the tests of calls.
#include "calls.h"

#include <stdlib.h>
#include <string.h>

fmu *opened, *other;

instance *make(instance *i)
{
    if (fmu_instantiate(opened, NULL, NULL, true, i) == NULL) {
        fail_msg("%s", i->log);
    }
    return i;
}

void expect_log(instance *i, const char *text)
{
    if (strstr(i->log, text) == NULL) {
        fail_msg("no '%s' in: %s", text, i->log);
    }
    i->log[0] = '\0';
}

// ------------------------------------------------------------------------------------------------
// Everything that an instance is, as bytes

snapshot take(instance *i)
{
    snapshot s;
    void *state = NULL;
    assert_int_equal(fmu_get_state(i, &state), STATUS_OK);
    assert_int_equal(fmu_state_size(i, state, &s.size), STATUS_OK);
    s.bytes = malloc(s.size);
    assert_int_equal(fmu_serialize(i, state, s.bytes, s.size), STATUS_OK);
    assert_int_equal(fmu_free_state(i, &state), STATUS_OK);
    return s;
}

void put(instance *i, const snapshot *s)
{
    void *state = NULL;
    assert_int_equal(fmu_deserialize(i, s->bytes, s->size, &state), STATUS_OK);
    assert_int_equal(fmu_set_state(i, state), STATUS_OK);
    assert_int_equal(fmu_free_state(i, &state), STATUS_OK);
}

void check_same(const snapshot *got, const snapshot *want, const char *what)
{
    assert_int_equal(got->size, want->size);
    for (size_t at = 32; at < got->size; ++at) {
        if (got->bytes[at] != want->bytes[at]) {
            fail_msg("%s: the instance is not what it was, byte %zu of %zu", what, at, got->size);
        }
    }
}

// Two instances with the same values of all variables, which go the same way from here.
void check_alike(instance *got, instance *want, const char *what)
{
    for (int n = 0; n < 2; ++n) {
        for (unsigned reference = 0; reference < VARIABLES; ++reference) {
            double values[2];
            assert_int_equal(fmu_get(got, &reference, 1, &values[0]), STATUS_OK);
            assert_int_equal(fmu_get(want, &reference, 1, &values[1]), STATUS_OK);
            hf_check_same_bits(values[0], values[1], what);
        }
        double time = fmu_read(want, "time");
        assert_int_equal(fmu_step(got, time, 0.0625), fmu_step(want, time, 0.0625));
    }
}

void bring(instance *i, int mode)
{
    make(i);
    fmu_write(i, "push", 30.0);
    if (mode != BEFORE) {
        assert_int_equal(fmu_setup(i, 0.0, 4.0), STATUS_OK);
        assert_int_equal(fmu_enter(i), STATUS_OK);
    }
    if (mode == FAILED) { // the machine refuses the parameter when it begins
        fmu_write(i, "level", -1.0);
        assert_int_equal(fmu_exit(i), STATUS_ERROR);
        expect_log(i, "'floor': level must be zero or positive");
    } else if (mode == RUNNING || mode == ENDED) {
        assert_int_equal(fmu_exit(i), STATUS_OK);
        assert_int_equal(fmu_step(i, 0.0, 0.125), STATUS_OK);
    }
    if (mode == ENDED) {
        assert_int_equal(fmu_terminate(i), STATUS_OK);
    }
    i->log[0] = '\0';
}
