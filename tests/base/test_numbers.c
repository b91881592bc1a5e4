// SPDX-License-Identifier: Apache-2.0
// Numbers as text: shortest of the forms that read back to the same bits.
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "hf_test.h"

static void check_text(double value, const char *want)
{
    char text[HF_NUMBER_SIZE];
    size_t length = hf_number_format(value, text);
    assert_string_equal(text, want);
    assert_int_equal(length, strlen(want));
}

static void formats(void **state)
{
    (void)state;
    check_text(0.0, "0");
    check_text(-0.0, "-0");
    check_text(1.0, "1");
    check_text(-120.0, "-120");
    check_text(0.1, "0.1");
    check_text(0.1 + 0.2, "0.30000000000000004");
    check_text(1e-4, "0.0001");
    check_text(999999999999999.0, "999999999999999");
    check_text(1e15, "1e+15");
    check_text(1e300, "1e+300");
    check_text(DBL_MAX, "1.7976931348623157e+308");
    check_text(-DBL_TRUE_MIN, "-4.94065645841247e-324");
    check_text((double)NAN, "nan");
    check_text(-(double)NAN, "nan");
    check_text(INFINITY, "inf");
    check_text(-INFINITY, "-inf");
}

static void read_back(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(1);
    for (int i = 0; i < 200000; ++i) {
        uint64_t bits = hf_rng_bits(&rng);
        double value, back = 0.0;
        memcpy(&value, &bits, sizeof value);
        if (i % 2 == 0) { // the magnitudes that machines have
            value = hf_rng_uniform(&rng, -10.0, 10.0);
        }
        char text[HF_NUMBER_SIZE];
        size_t length = hf_number_format(value, text);
        assert_true(length < HF_NUMBER_SIZE);
        assert_true(hf_number_parse(text, length, &back));
        if (!isnan(value)) {
            hf_check_same_bits(back, value, text);
            char shorter[HF_NUMBER_SIZE];
            for (int digits = 15; digits <= 17; ++digits) {
                (void)snprintf(shorter, sizeof shorter, "%.*g", digits, value);
                double read = 0.0;
                assert_int_equal(sscanf(shorter, "%lf", &read), 1);
                if (read == value) {
                    assert_string_equal(text, shorter);
                    break;
                }
            }
        } else {
            assert_true(isnan(back));
        }
    }
}

static void refuses(void **state)
{
    (void)state;
    const char *const wrong[] = {"",         "-",     "0x10", "1e999", "1 ",  " 1",
                                 "1,2",      "one",   "nanx", "1..2",  "--1", "1e",
                                 "infinity", "+-inf", "e5",   ".",     "1d3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        double value = 0.0;
        if (hf_number_parse(wrong[i], strlen(wrong[i]), &value)) {
            fail_msg("'%s' was taken for %g", wrong[i], value);
        }
    }
    double value = 0.0;
    assert_true(hf_number_parse("12,34", 2, &value)); // the rest of the line is not looked at
    hf_check_same_bits(value, 12.0, "12 of 12,34");
}

// A language with a decimal comma: one of the system's, or one made here.
static bool speak_german(const char *folder)
{
    char command[300];
    const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (setlocale(LC_ALL, names[i]) != NULL) {
            return true;
        }
    }
    (void)snprintf(command, sizeof command,
                   "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >%s/log 2>&1", folder, folder);
    return system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
           setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void other_languages(void **state)
{
    (void)state;
    char folder[] = "numbers-XXXXXX", command[100];
    assert_non_null(mkdtemp(folder));
    bool spoken = speak_german(folder);
    if (spoken) {
        (void)snprintf(command, sizeof command, "%.1f", 0.5);
        assert_string_equal(command, "0,5");
        formats(state);
        check_text(-1.5e-7, "-1.5e-07");
        hf_rng rng = hf_rng_create(2);
        for (int i = 0; i < 20000; ++i) {
            char text[HF_NUMBER_SIZE];
            double value = hf_rng_uniform(&rng, -10.0, 10.0), back = 0.0;
            size_t length = hf_number_format(value, text);
            assert_true(hf_number_parse(text, length, &back));
            hf_check_same_bits(back, value, text);
        }
        refuses(state);
    }
    (void)setlocale(LC_ALL, "C");
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
    if (!spoken) {
        print_message("no language with a decimal comma here: skipped\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),
        cmocka_unit_test(read_back),
        cmocka_unit_test(refuses),
        cmocka_unit_test(other_languages),
    };
    return hf_run_tests(tests);
}
