// SPDX-License-Identifier: Apache-2.0
// The table of methods, and what <holdfast/spec.h> says of them: names, keys, defaults, checks.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sim/method_info.h"

#define HF_METHOD(name, symbol) extern const hf_method_info hf_method_##symbol;
#include <holdfast/methods.def>
#undef HF_METHOD

static const hf_method_info *const METHODS[HF_METHOD_COUNT] = {
#define HF_METHOD(name, symbol) [HF_METHOD_##name] = &hf_method_##symbol,
#include <holdfast/methods.def>
#undef HF_METHOD
};

const hf_method_info *hf_method_info_get(hf_method_type type)
{
    HF_ASSERT((unsigned)type < HF_METHOD_COUNT);
    return METHODS[type];
}

// ------------------------------------------------------------------------------------------------
// Names and flags

hf_method_def hf_method_def_default(void)
{
    return (hf_method_def){.type = HF_METHOD_RK4, .step = 1e-3};
}

const char *hf_method_name(hf_method_type type)
{
    return (unsigned)type < HF_METHOD_COUNT ? METHODS[type]->name : NULL;
}

hf_method_type hf_method_find(const char *name)
{
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        if (strcmp(METHODS[i]->name, name) == 0) {
            return (hf_method_type)i;
        }
    }
    return HF_METHOD_COUNT;
}

bool hf_method_forces_shapes(hf_method_type type)
{
    return (unsigned)type < HF_METHOD_COUNT && METHODS[type]->shapes && !METHODS[type]->exact;
}

bool hf_method_is_adaptive(hf_method_type type)
{
    return (unsigned)type < HF_METHOD_COUNT && METHODS[type]->is_adaptive;
}

bool hf_method_solves_contacts(hf_method_type type)
{
    return (unsigned)type < HF_METHOD_COUNT && METHODS[type]->solves_contacts;
}

const char *hf_method_library(hf_method_type type)
{
    return (unsigned)type < HF_METHOD_COUNT ? METHODS[type]->library : NULL;
}

double hf_method_first_tau(hf_method_type method, double h)
{
    return hf_method_info_get(method)->first_tau * h;
}

unsigned hf_methods_that(bool (*is)(hf_method_type type))
{
    unsigned set = 0;
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        set |= is((hf_method_type)i) ? 1u << i : 0u;
    }
    return set;
}

void hf_method_list(unsigned set, const char *last, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        unsigned rest = set >> i;
        if ((rest & 1u) == 0u) {
            continue;
        }
        const char *between = used == 0 ? "" : rest == 1u ? last : ", ";
        int more = snprintf(text + used, size - used, "%s%s", between, METHODS[i]->name);
        used += more > 0 && (size_t)more < size - used ? (size_t)more : 0;
    }
}

// ------------------------------------------------------------------------------------------------
// Keys

static const char *const FAMILY_NAMES[HF_FAMILY_COUNT] = {[HF_FAMILY_DEFAULT] = "default",
                                                          [HF_FAMILY_BDF] = "bdf",
                                                          [HF_FAMILY_ADAMS] = "adams",
                                                          [HF_FAMILY_ERK] = "erk"};

const char *hf_family_name(hf_method_family family)
{
    return (unsigned)family < HF_FAMILY_COUNT ? FAMILY_NAMES[family] : NULL;
}

hf_method_family hf_family_find(const char *name)
{
    for (int i = HF_FAMILY_DEFAULT + 1; i < HF_FAMILY_COUNT; ++i) {
        if (strcmp(FAMILY_NAMES[i], name) == 0) {
            return (hf_method_family)i;
        }
    }
    return HF_FAMILY_COUNT;
}

const hf_method_key *hf_method_key_find(const hf_method_info *info, const char *name)
{
    for (int i = 0; i < info->key_count; ++i) {
        const hf_method_key *key = &info->keys[i];
        if (strcmp(key->name, name) == 0 ||
            (key->other_name != NULL && strcmp(key->other_name, name) == 0)) {
            return key;
        }
    }
    return NULL;
}

unsigned hf_methods_with_key(const char *name)
{
    unsigned set = 0;
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        set |= hf_method_key_find(METHODS[i], name) != NULL ? 1u << i : 0u;
    }
    return set;
}

// Enumerations are written as the ints that they are.
_Static_assert(sizeof(hf_method_family) == sizeof(int), "an enumeration is as large as an int");

double hf_method_key_value(const hf_method_key *key, const hf_method_def *method)
{
    const void *at = (const char *)method + key->offset;
    int whole = 0;
    switch (key->kind) {
    case HF_KEY_NUMBER:
        return *(const double *)at;
    case HF_KEY_FLAG:
        return *(const bool *)at ? 1.0 : 0.0;
    case HF_KEY_COUNT:
    case HF_KEY_CHOICE:
        memcpy(&whole, at, sizeof whole);
        break;
    }
    return (double)whole;
}

void hf_method_key_set(const hf_method_key *key, hf_method_def *method, double value)
{
    void *at = (char *)method + key->offset;
    int whole = 0;
    switch (key->kind) {
    case HF_KEY_NUMBER:
        *(double *)at = value;
        break;
    case HF_KEY_FLAG:
        *(bool *)at = value != 0.0;
        break;
    case HF_KEY_COUNT:
    case HF_KEY_CHOICE:
        whole = (int)value;
        memcpy(at, &whole, sizeof whole);
        break;
    }
}

hf_method_def hf_method_resolved(hf_method_def method)
{
    const hf_method_info *info = hf_method_info_get(method.type);
    for (int i = 0; i < info->key_count; ++i) {
        if (hf_method_key_value(&info->keys[i], &method) == 0.0) {
            hf_method_key_set(&info->keys[i], &method, info->keys[i].usual);
        }
    }
    return method;
}

// ------------------------------------------------------------------------------------------------
// Checks

static bool has_offset(const hf_method_info *info, size_t offset)
{
    for (int i = 0; i < info->key_count; ++i) {
        if (info->keys[i].offset == offset) {
            return true;
        }
    }
    return false;
}

// What belongs to other methods must be zero.
static hf_status check_others(const hf_method_info *info, const hf_method_def *method,
                              hf_error *error)
{
    for (int i = 0; i < HF_METHOD_COUNT; ++i) {
        for (int k = 0; k < METHODS[i]->key_count; ++k) {
            const hf_method_key *key = &METHODS[i]->keys[k];
            if (hf_method_key_value(key, method) != 0.0 && !has_offset(info, key->offset)) {
                char owners[120];
                hf_method_list(hf_methods_with_key(key->name), " and ", owners, sizeof owners);
                return hf_error_set(error, HF_ERROR_INPUT, "method: %s is for %s, not for %s",
                                    key->name, owners, info->name);
            }
        }
    }
    return HF_OK;
}

static hf_status check_choice(const hf_method_info *info, const hf_method_key *key, int value,
                              hf_error *error)
{
    if (value >= 0 && value < key->choice_count && key->choice(value) != NULL) {
        return HF_OK;
    }
    char list[160] = "";
    size_t used = 0;
    for (int i = 0; i < key->choice_count; ++i) {
        if (key->choice(i) != NULL) {
            int more = snprintf(list + used, sizeof list - used, "%s%s", used == 0 ? "" : ", ",
                                key->choice(i));
            used += more > 0 && (size_t)more < sizeof list - used ? (size_t)more : 0;
        }
    }
    return hf_error_set(error, HF_ERROR_INPUT, "method: %s of %s is one of %s; got number %d",
                        key->name, info->name, list, value);
}

static hf_status check_key(const hf_method_info *info, const hf_method_key *key,
                           const hf_method_def *method, hf_error *error)
{
    double value = hf_method_key_value(key, method);
    if (value == 0.0 || key->kind == HF_KEY_FLAG) {
        return HF_OK;
    }
    if (key->kind == HF_KEY_CHOICE) {
        return check_choice(info, key, (int)value, error);
    }
    bool inside = value >= key->least && value <= key->most && isfinite(value);
    if (inside) {
        return HF_OK;
    }
    if (isfinite(key->most)) {
        return hf_error_set(error, HF_ERROR_RANGE, "method: %s must be from %g to %g, got %g",
                            key->name, key->least, key->most, value);
    }
    return hf_error_set(error, HF_ERROR_RANGE, "method: %s must be positive, got %g", key->name,
                        value);
}

hf_status hf_method_check(const hf_method_def *method, hf_error *error)
{
    if ((unsigned)method->type >= HF_METHOD_COUNT) {
        return hf_error_set(error, HF_ERROR_INPUT, "method: unknown type %d", (int)method->type);
    }
    if (!(method->step > 0.0) || !isfinite(method->step)) {
        return hf_error_set(error, HF_ERROR_RANGE, "method: step must be positive, got %g s",
                            method->step);
    }
    const hf_method_info *info = METHODS[method->type];
    HF_TRY(check_others(info, method, error));
    for (int i = 0; i < info->key_count; ++i) {
        HF_TRY(check_key(info, &info->keys[i], method, error));
    }
    return HF_OK;
}
