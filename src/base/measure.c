// SPDX-License-Identifier: Apache-2.0
// Units as people write them, "12 mm" or "0.2 Nms/rad": a factor to SI and a dimension.
#include "base/measure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

// A word for a unit. `turned` is what it becomes for a coordinate that turns; NULL: it stays.
typedef struct word {
    const char *name;
    hf_measure measure;
    const char *turned;
} word;

//                    factor  kg  m   s  rad
static const word WORDS[] = {
    {"kg", {1.0, {1, 0, 0, 0}}, "kgm2"},       {"kgm2", {1.0, {1, 2, 0, 0}}, NULL},
    {"g", {1e-3, {1, 0, 0, 0}}, NULL},         {"mg", {1e-6, {1, 0, 0, 0}}, NULL},
    {"t", {1e3, {1, 0, 0, 0}}, NULL},          {"m", {1.0, {0, 1, 0, 0}}, "rad"},
    {"km", {1e3, {0, 1, 0, 0}}, NULL},         {"dm", {1e-1, {0, 1, 0, 0}}, NULL},
    {"cm", {1e-2, {0, 1, 0, 0}}, NULL},        {"mm", {1e-3, {0, 1, 0, 0}}, NULL},
    {"um", {1e-6, {0, 1, 0, 0}}, NULL},        {"nm", {1e-9, {0, 1, 0, 0}}, NULL},
    {"in", {0.0254, {0, 1, 0, 0}}, NULL},      {"s", {1.0, {0, 0, 1, 0}}, NULL},
    {"ms", {1e-3, {0, 0, 1, 0}}, NULL},        {"us", {1e-6, {0, 0, 1, 0}}, NULL},
    {"min", {60.0, {0, 0, 1, 0}}, NULL},       {"h", {3600.0, {0, 0, 1, 0}}, NULL},
    {"Hz", {1.0, {0, 0, -1, 0}}, NULL},        {"kHz", {1e3, {0, 0, -1, 0}}, NULL},
    {"rad", {1.0, {0, 0, 0, 1}}, NULL},        {"mrad", {1e-3, {0, 0, 0, 1}}, NULL},
    {"deg", {PI / 180.0, {0, 0, 0, 1}}, NULL}, {"rev", {2.0 * PI, {0, 0, 0, 1}}, NULL},
    {"rpm", {PI / 30.0, {0, 0, -1, 1}}, NULL}, {"N", {1.0, {1, 1, -2, 0}}, "Nm"},
    {"mN", {1e-3, {1, 1, -2, 0}}, NULL},       {"kN", {1e3, {1, 1, -2, 0}}, NULL},
    {"MN", {1e6, {1, 1, -2, 0}}, NULL},        {"lbf", {4.4482216152605, {1, 1, -2, 0}}, NULL},
    {"Nm", {1.0, {1, 2, -2, 0}}, NULL},        {"mNm", {1e-3, {1, 2, -2, 0}}, NULL},
    {"kNm", {1e3, {1, 2, -2, 0}}, NULL},       {"Ncm", {1e-2, {1, 2, -2, 0}}, NULL},
    {"Nmm", {1e-3, {1, 2, -2, 0}}, NULL},      {"Ns", {1.0, {1, 1, -1, 0}}, "Nms"},
    {"kNs", {1e3, {1, 1, -1, 0}}, NULL},       {"Nms", {1.0, {1, 2, -1, 0}}, NULL},
    {"mNs", {1e-3, {1, 1, -1, 0}}, NULL},      {"mNms", {1e-3, {1, 2, -1, 0}}, NULL},
    {"J", {1.0, {1, 2, -2, 0}}, NULL},         {"kJ", {1e3, {1, 2, -2, 0}}, NULL},
    {"W", {1.0, {1, 2, -3, 0}}, NULL},         {"kW", {1e3, {1, 2, -3, 0}}, NULL},
    {"Pa", {1.0, {1, -1, -2, 0}}, NULL},       {"kPa", {1e3, {1, -1, -2, 0}}, NULL},
    {"MPa", {1e6, {1, -1, -2, 0}}, NULL},      {"GPa", {1e9, {1, -1, -2, 0}}, NULL},
    {"%", {1e-2, {0, 0, 0, 0}}, NULL},         {"1", {1.0, {0, 0, 0, 0}}, NULL},
};

static const word *find(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; ++i) {
        if (strncmp(WORDS[i].name, text, length) == 0 && WORDS[i].name[length] == '\0') {
            return &WORDS[i];
        }
    }
    return NULL;
}

static size_t word_length(const char *s)
{
    if (*s == '%' || *s == '1') {
        return 1;
    }
    size_t length = 0;
    while ((s[length] >= 'a' && s[length] <= 'z') || (s[length] >= 'A' && s[length] <= 'Z')) {
        ++length;
    }
    return length;
}

// ^n or ^-n with one digit. Moves *s behind it.
static bool take_power(const char **s, int *power)
{
    *power = 1;
    if (**s != '^') {
        return true;
    }
    *s += 1;
    bool negative = **s == '-';
    *s += negative ? 1 : 0;
    if (**s < '1' || **s > '9') {
        return false;
    }
    *power = negative ? '0' - **s : **s - '0';
    *s += 1;
    return true;
}

static void multiply(hf_measure *product, const hf_measure *by, int power)
{
    product->factor *= pow(by->factor, power);
    for (int i = 0; i < HF_MEASURE_BASES; ++i) {
        product->power[i] += power * by->power[i];
    }
}

static const char *skip_blanks(const char *s)
{
    while (*s == ' ') {
        ++s;
    }
    return s;
}

bool hf_measure_parse(const char *text, bool turning, hf_measure *measure, size_t *position)
{
    *measure = (hf_measure){.factor = 1.0};
    const char *s = skip_blanks(text);
    int sign = 1;
    for (bool first = true; *s != '\0'; first = false) {
        if (!first) { // what stands between two words: '*', '/' or blanks alone
            sign = *s == '/' ? -1 : 1;
            s += *s == '/' || *s == '*' ? 1 : 0;
            s = skip_blanks(s);
        }
        size_t length = word_length(s);
        const word *found = length == 0 ? NULL : find(s, length);
        if (found != NULL && turning && found->turned != NULL) {
            found = find(found->turned, strlen(found->turned));
        }
        *position = (size_t)(s - text);
        s += length;
        int power = 1;
        if (found == NULL || !take_power(&s, &power)) {
            return false;
        }
        multiply(measure, &found->measure, sign * power);
        s = skip_blanks(s);
    }
    return true;
}

const char *hf_measure_turned(const char *unit)
{
    static const char *const turned[][2] = {
        {"N", "Nm"},           {"N/m", "Nm/rad"},         {"Ns/m", "Nms/rad"},  {"kg", "kg*m^2"},
        {"m", "rad"},          {"m/s", "rad/s"},          {"s/m", "s/rad"},     {"N/s", "Nm/s"},
        {"N/m^3", "Nm/rad^3"}, {"N/(m s)", "Nm/(rad s)"}, {"N/m^n", "Nm/rad^n"}};
    for (size_t i = 0; i < sizeof turned / sizeof *turned; ++i) {
        if (strcmp(turned[i][0], unit) == 0) {
            return turned[i][1];
        }
    }
    return unit;
}

bool hf_measure_same(const hf_measure *a, const hf_measure *b)
{
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

const char *hf_measure_show(const hf_measure *measure, char buffer[HF_MEASURE_SHOWN])
{
    static const char *const bases[HF_MEASURE_BASES] = {"kg", "m", "s", "rad"};
    size_t used = 0;
    buffer[0] = '\0';
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < HF_MEASURE_BASES; ++i) {
            int power = sign * measure->power[i];
            if (power <= 0) {
                continue;
            }
            const char *between = used == 0 ? (sign > 0 ? "" : "1/") : sign > 0 ? "*" : "/";
            char exponent[16] = "";
            if (power > 1) {
                (void)snprintf(exponent, sizeof exponent, "^%d", power);
            }
            int added = snprintf(buffer + used, HF_MEASURE_SHOWN - used, "%s%s%s", between,
                                 bases[i], exponent);
            used += added > 0 && used + (size_t)added < HF_MEASURE_SHOWN ? (size_t)added : 0;
        }
    }
    return used == 0 ? "a pure number" : buffer;
}
