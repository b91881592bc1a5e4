// SPDX-License-Identifier: Apache-2.0
// Expressions of signals: reading, values, derivatives, switches.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "math/expression.h"

enum { MOST_SWITCHES = HF_EXPRESSION_MAX_LENGTH };

static void evaluate(const hf_expression *expression, double t, double v, double *switches)
{
    const double variables[2] = {t, v};
    const hf_jet jets[2] = {{t, 1.0, 0.0}, {v, -2.0, 3.0}};
    double gradient[2];
    double value = hf_expression_value(expression, variables);
    double again = hf_expression_jet(expression, jets).value;
    hf_fuzz_expect(value == again || (isnan(value) && isnan(again)),
                   "value and jet have the same value");
    hf_expression_gradient(expression, variables, gradient);
    hf_expression_switches(expression, variables, switches);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"t", "v"};
    const hf_expression_scope scope = {.names = names, .count = 2, .time = 0};
    char *text = hf_fuzz_text(data, size);
    hf_expression_fault fault = {0};
    hf_expression *expression = hf_expression_create(text, scope, &fault);
    if (expression != NULL) {
        int count = hf_expression_switch_count(expression);
        hf_fuzz_expect(count >= 0 && count <= MOST_SWITCHES, "switches are no more than letters");
        double *switches = calloc((size_t)count + 1, sizeof *switches);
        const double *times = NULL;
        int known = hf_expression_times(expression, &times);
        for (int i = 1; i < known; ++i) {
            hf_fuzz_expect(times[i - 1] < times[i], "known times rise");
        }
        for (int i = 0; i < 4; ++i) {
            static const double at[4] = {0.0, 1.5, -1e300, 1e-300};
            evaluate(expression, at[i], at[3 - i], switches);
        }
        free(switches);
    } else {
        hf_fuzz_expect(fault.text[0] != '\0', "a refusal has a reason");
        hf_fuzz_expect(fault.position <= strlen(text), "a fault lies within the text");
    }
    hf_expression_destroy(expression);
    free(text);
    return 0;
}
