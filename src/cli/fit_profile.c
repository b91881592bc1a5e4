// SPDX-License-Identifier: Apache-2.0
// Profiles of a fit: the sum of squares with each number held beside its value.
#include <math.h>

#include "cli/fit.h"

// Places of a profile, in half widths of the interval; 0 is the result itself.
static const double places[HF_CLI_FIT_PLACES] = {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5};
enum { MIDDLE = HF_CLI_FIT_PLACES / 2 };

// What a half width is where there is none: of a number that the logs do not tell.
static double width_of(const hf_fit_unknown *u)
{
    const double part = 0.5;
    if (isfinite(u->half_width) && u->half_width > 0.0) {
        return u->half_width;
    }
    return part * (u->value != 0.0 ? fabs(u->value) : 1.0);
}

bool hf_cli_fit_find_profiles(hf_fit *fit, hf_cli_fit_options *options,
                              hf_cli_fit_profile *profiles)
{
    hf_error error = {0};
    hf_fit_summary s = hf_fit_get_summary(fit);
    hf_status status = HF_OK;
    for (int i = 0; i < s.unknowns; ++i) {
        hf_fit_unknown u = hf_fit_get_unknown(fit, i);
        hf_cli_fit_profile *p = &profiles[i];
        for (int k = 0; k < HF_CLI_FIT_PLACES; ++k) {
            p->values[k] = u.value + places[k] * width_of(&u);
            p->costs[k] = (double)NAN;
        }
        // Outward on either side; the middle is known
        options->profiled = u.name;
        for (int side = 0; side < 2 && status == HF_OK; ++side) {
            int first = side == 0 ? 0 : MIDDLE + 1;
            status = hf_fit_profile(fit, i, p->values + first, MIDDLE, p->costs + first, &error);
        }
        p->costs[MIDDLE] = s.cost;
    }
    options->profiled = NULL;
    if (status < 0) {
        hf_cli_report(&error);
    }
    return status >= 0;
}

void hf_cli_fit_print_profiles(const hf_fit *fit, double cost, const hf_cli_fit_profile *profiles)
{
    static const struct {
        int place;
        const char *name;
    } shown[] = {{1, "-95 %"}, {2, "half of it"}, {4, "half of it"}, {5, "+95 %"}};
    (void)printf("\nProfiles: by how many %% the sum of squares rises with the number held there\n"
                 "%-36s",
                 "Parameter");
    for (int k = 0; k < 4; ++k) {
        (void)printf(" %14s", shown[k].name);
    }
    (void)printf("\n");
    for (int i = 0; i < hf_fit_get_summary(fit).unknowns; ++i) {
        hf_cli_put(stdout, "%-36s", hf_fit_get_unknown(fit, i).name);
        for (int k = 0; k < 4; ++k) {
            double there = profiles[i].costs[shown[k].place];
            if (isnan(there)) {
                (void)printf(" %14s", "-");
            } else {
                (void)printf(" %13.4g%%", 100.0 * (there - cost) / cost);
            }
        }
        (void)printf("\n");
    }
}

void hf_cli_fit_json_profiles(hf_json *json, const hf_fit *fit, const hf_cli_fit_profile *profiles)
{
    hf_json_begin_list(json, "profiles");
    for (int i = 0; i < hf_fit_get_summary(fit).unknowns; ++i) {
        hf_json_begin(json, NULL);
        hf_json_text(json, "name", hf_fit_get_unknown(fit, i).name);
        hf_json_begin_list(json, "values");
        for (int k = 0; k < HF_CLI_FIT_PLACES; ++k) {
            hf_json_number(json, NULL, profiles[i].values[k]);
        }
        hf_json_end_list(json);
        hf_json_begin_list(json, "costs");
        for (int k = 0; k < HF_CLI_FIT_PLACES; ++k) {
            hf_json_number(json, NULL, profiles[i].costs[k]);
        }
        hf_json_end_list(json);
        hf_json_end(json);
    }
    hf_json_end_list(json);
}
