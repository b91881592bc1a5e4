// SPDX-License-Identifier: Apache-2.0
// A parameter is tried with a slightly different value. What other parameters then have another
// value follows from it. A running machine takes it if hf_sim_set_model does, and if it changes
// neither the start nor the method: there it would come too late.
#include "fmi/roles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/sim.h>

#include "base/error.h"
#include "fmi/variables.h"

#define CHANGE 1e-4 // of a parameter's value, to see what it does

static hf_model *compile_with(const hf_fmu_manifest *manifest, const hf_model_file *file,
                              const hf_parameter_def *parameter, double value, hf_error *error)
{
    const char **items = malloc((size_t)(manifest->sets.count + 1) * sizeof *items);
    char *change = hf_fmu_parameter_change(parameter->name, parameter->unit, value);
    hf_model *model = NULL;
    if (items == NULL || change == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    } else {
        const char *more = change;
        hf_overrides overrides = hf_fmu_overrides(manifest, items, &more, 1);
        model = hf_model_file_compile(file, &overrides, error);
    }
    free(change);
    free((void *)items);
    return model;
}

// The machine with another value of the parameter, larger or smaller as its range and the machine
// allow. NULL: there is none, or no memory for it.
static hf_model *compile_near(const hf_fmu_manifest *manifest, const hf_model_file *file,
                              const hf_parameter_def *p, hf_error *error)
{
    hf_model *model = NULL;
    double change = p->value == 0.0 ? CHANGE : CHANGE * fabs(p->value);
    if (isfinite(p->high - p->low)) {
        change = fmin(change, (p->high - p->low) / 4.0);
    }
    for (int side = 1; side >= -1 && model == NULL; side -= 2) {
        double value = p->value + side * change;
        if (value >= p->low && value <= p->high) {
            *error = (hf_error){0};
            model = compile_with(manifest, file, p, value, error);
            if (error->status == HF_ERROR_MEMORY) {
                return NULL;
            }
        }
    }
    return model;
}

// Whether both machines start in the same state.
static bool same_start(const hf_sim *a, const hf_model *model, hf_error *error)
{
    hf_model_info info = hf_model_get_info(model);
    hf_sim *b = hf_sim_create(model, NULL, error);
    bool same = b != NULL &&
                memcmp(hf_sim_positions(a), hf_sim_positions(b),
                       (size_t)info.coordinates * sizeof(double)) == 0 &&
                memcmp(hf_sim_velocities(a), hf_sim_velocities(b),
                       (size_t)info.velocities * sizeof(double)) == 0 &&
                memcmp(hf_sim_law_states(a), hf_sim_law_states(b),
                       (size_t)info.law_states * sizeof(double)) == 0;
    hf_sim_destroy(b);
    return same;
}

static bool same_method(const hf_model *a, const hf_model *b)
{
    hf_method_def x = hf_model_method(a), y = hf_model_method(b);
    return x.type == y.type && x.step == y.step && x.family == y.family && x.rtol == y.rtol &&
           x.atol == y.atol && x.theta == y.theta && x.tolerance == y.tolerance &&
           x.solver == y.solver && x.iterations == y.iterations && x.penetration == y.penetration;
}

static bool takes_live(const hf_model *model, const hf_model *changed, hf_error *error)
{
    hf_model_info one = hf_model_get_info(model), other = hf_model_get_info(changed);
    hf_sim *sim = hf_sim_create(model, NULL, error);
    bool takes = sim != NULL && memcmp(&one, &other, sizeof one) == 0 &&
                 same_method(model, changed) && same_start(sim, changed, error) &&
                 hf_sim_set_model(sim, changed, NULL, NULL, 0, error) == HF_OK;
    hf_sim_destroy(sim);
    return takes;
}

hf_status hf_fmu_find_roles(hf_fmu_manifest *manifest, const hf_model_file *file,
                            const hf_model *model, hf_error *error)
{
    int count = hf_model_parameter_count(model);
    for (int i = 0; i < count; ++i) {
        hf_parameter_def p = hf_model_parameter(model, i);
        hf_error found = {0}; // why not, which is no fault unless memory lacks
        hf_model *changed = compile_near(manifest, file, &p, &found);
        bool done = true;
        // What runs with it
        if (changed == NULL || !takes_live(model, changed, &found)) {
            done = hf_fmu_names_add(manifest, &manifest->fixed, count, p.name);
        }
        // What follows from it
        for (int k = 0; changed != NULL && k < count && done; ++k) {
            hf_parameter_def before = hf_model_parameter(model, k),
                             after = hf_model_parameter(changed, k);
            if (k != i && before.value != after.value &&
                !hf_fmu_names_have(&manifest->calculated, before.name)) {
                done = hf_fmu_names_add(manifest, &manifest->calculated, count, before.name);
            }
        }
        hf_model_destroy(changed);
        if (!done || found.status == HF_ERROR_MEMORY) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
    }
    return HF_OK;
}
