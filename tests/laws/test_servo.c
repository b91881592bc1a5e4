// SPDX-License-Identifier: Apache-2.0
// Friction of servo drives: its cases by hand, a load that is held, and the published values of
// real servos where these are at hand.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/laws/servo.h>

#include "hf_test.h"

static void test_cases(void **state)
{
    (void)state;
    hf_servo s = {.base = 0.1,
                  .motor = 0.2,
                  .external = 0.3,
                  .rest = 0.05,
                  .motor_rest = 0.4,
                  .external_rest = 0.1,
                  .motor_square = 0.02,
                  .external_square = 0.03,
                  .stribeck_velocity = 0.5,
                  .shape = 2.0,
                  .viscous = 0.07};
    // the motor lifts, the load drives, both push together; at rest, at ws, far beyond
    hf_check_near(hf_servo_level(&s, 3.0, -2.0, 0.0), 0.1 + 1.2 + 0.05 + 1.4 + 0.12, 1e-15, "lifts",
                  "by hand");
    hf_check_near(hf_servo_level(&s, 2.0, -3.0, 0.0), 0.1 + 1.3 + 0.05 + 1.1 + 0.08, 1e-15,
                  "is driven", "by hand");
    hf_check_near(hf_servo_level(&s, 2.0, 3.0, 0.5), 0.1 + 0.5 + exp(-1.0) * (0.05 + 0.5) + 0.035,
                  1e-15, "together", "by hand");
    hf_check_near(hf_servo_level(&s, 0.0, 1.0, -50.0), 0.1 + 0.3 + 3.5, 1e-15, "fast", "by hand");
    hf_fault fault;
    assert_int_equal(hf_servo_check(&s, &fault), HF_OK);
    s.motor_rest = -1.0;
    assert_int_equal(hf_servo_check(&s, &fault), HF_ERROR_RANGE);
    assert_string_equal(fault.member, "motor_rest");
    s.motor_rest = NAN;
    assert_int_equal(hf_servo_check(&s, &fault), HF_ERROR_RANGE);
}

// A default servo has no friction at all, and the Stribeck curve of its shape, 1, is an
// exponential: at the Stribeck velocity what is above the base has fallen to 1/e.
static void test_default(void **state)
{
    (void)state;
    hf_servo s = hf_servo_default();
    hf_check_near(hf_servo_step(&s, 0.01, 1.0, 0.5, 2.0, 1e-3), 0.0, 0.0, "friction", "none given");
    s.rest = 1.0;
    s.stribeck_velocity = 0.5;
    // Sliding fast enough not to stop within the step: the friction is that of its end
    double f = hf_servo_step(&s, 1e6, 0.0, 0.0, 1.0, 1e-6);
    hf_check_near(fabs(f), exp(-2.0), 1e-9, "friction at twice the Stribeck velocity", "rest/e^2");
}

// Load alone, Kl = 0.25: a load L is held by motor torques from 0.6 L to 5/3 L, exactly.
static void test_hold(void **state)
{
    (void)state;
    hf_servo s = hf_servo_default();
    s.motor = s.external = 0.25;
    static const double parts[] = {0.599, 0.601, 1.0, 1.666, 1.668};
    static const bool holds[] = {false, true, true, true, false};
    for (int i = 0; i < 5; ++i) {
        double w = 0.0, tm = parts[i] * 2.0, te = -2.0;
        for (int k = 0; k < 1000; ++k) {
            w += 1e-3 / 0.01 * (tm + te + hf_servo_step(&s, 0.01, tm, te, w, 1e-3));
        }
        assert_true((w == 0.0) == holds[i]);
    }
}

// A number in a text by its key; 0 when it has none.
static double number(const char *text, const char *key)
{
    char quoted[80];
    (void)snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(text, quoted);
    return at == NULL ? 0.0 : strtod(at + strlen(quoted), NULL);
}

static bool load_servo(const char *folder, const char *name, const char *model, hf_servo *s)
{
    char path[1000], text[4000];
    (void)snprintf(path, sizeof path, "%s/servos/%s_%s.json", folder, name, model);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    double both = number(text, "load_friction_base"),
           both_rest = number(text, "load_friction_stribeck");
    *s = (hf_servo){.base = number(text, "friction_base"),
                    .motor = both + number(text, "load_friction_motor"),
                    .external = both + number(text, "load_friction_external"),
                    .rest = number(text, "friction_stribeck"),
                    .motor_rest = both_rest + number(text, "load_friction_motor_stribeck"),
                    .external_rest = both_rest + number(text, "load_friction_external_stribeck"),
                    .motor_square = number(text, "load_friction_motor_quad"),
                    .external_square = number(text, "load_friction_external_quad"),
                    .stribeck_velocity = number(text, "dtheta_stribeck"),
                    .shape = fmax(number(text, "alpha"), 1e-9)};
    return true;
}

static void test_published(void **state)
{
    (void)state;
    static const double at[7][3] = {{0, 0, 0},  {1, 0, 0},   {2, -1, 0}, {2, -1, 0.5},
                                    {1, -2, 0}, {-1, -2, 1}, {3, -3, 0}};
    const char *folder = getenv("HOLDFAST_DATA");
    char path[1000], line[400], name[40], model[10];
    (void)snprintf(path, sizeof path, "%s/../reference/servo-friction.txt", folder ? folder : ".");
    FILE *file = folder == NULL ? NULL : fopen(path, "r");
    if (file == NULL) {
        print_message("HOLDFAST_DATA has no servo-friction.txt beside it: skipped\n");
        skip();
    }
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        double want[7];
        hf_servo s;
        if (sscanf(line, "%39s %9s %lf %lf %lf %lf %lf %lf %lf", name, model, &want[0], &want[1],
                   &want[2], &want[3], &want[4], &want[5], &want[6]) != 9) {
            continue;
        }
        assert_true(load_servo(folder, name, model, &s));
        for (int i = 0; i < 7; ++i, ++count) {
            hf_check_near(hf_servo_level(&s, at[i][0], at[i][1], at[i][2]), want[i], 1e-8 * want[i],
                          name, "published equations, 9 digits");
        }
    }
    (void)fclose(file);
    assert_int_equal(count, 112);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases), cmocka_unit_test(test_default),
                                       cmocka_unit_test(test_hold),
                                       cmocka_unit_test(test_published)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
