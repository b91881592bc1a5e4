// SPDX-License-Identifier: Apache-2.0
// holdfast check
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/sim.h>

#include "cli/choices.h"
#include "cli/cli.h"
#include "cli/contacts.h"
#include "cli/loops.h"
#include "cli/model_command.h"
#include "cli/model_source.h"
#include "cli/shapes.h"

enum { LONGEST_NAME = 40, MOST_FORCES = 2000 };

static void print_sizes(const char *word, const hf_model *model)
{
    hf_model_info info = hf_model_get_info(model);
    hf_method_def method = hf_model_method(model);
    const char *name = hf_model_name(model);
    hf_cli_put(stdout, "%s: no errors\n", name[0] == '\0' ? word : name);
    (void)printf("  bodies       %d (%d trees)\n", info.bodies, info.trees);
    (void)printf("  forces       %d\n", info.forces);
    (void)printf("  signals      %d\n", info.signals);
    (void)printf("  state        %d coordinates, %d velocities, %d of laws\n", info.coordinates,
                 info.velocities, info.law_states);
    hf_cli_print_loop_sizes(model);
    (void)printf("  channels     %d, %d recorded\n", hf_model_channel_count(model),
                 hf_model_record_count(model));
    (void)printf("  method       %s, step %g s, duration %g s\n", hf_method_name(method.type),
                 method.step, hf_model_duration(model));
}

static void print_row(hf_sim *sim, hf_force force, int width)
{
    hf_stability s = hf_sim_stability(sim, force);
    bool stable = hf_sim_method(sim).step <= s.largest_step;
    char step[32] = "any";
    if (s.largest_step == 0.0) {
        (void)snprintf(step, sizeof step, "none");
    } else if (isfinite(s.largest_step)) {
        (void)snprintf(step, sizeof step, "%.4g", s.largest_step);
    }
    // What moves no body, or many at once, has no effective mass.
    char mass[32] = "-";
    if (isfinite(s.effective_mass)) {
        (void)snprintf(mass, sizeof mass, "%.5g", s.effective_mass);
    }
    (void)printf("  %-*s %14s %14.5g %14.5g %16s%s\n", width,
                 hf_model_force_name(hf_sim_model(sim), force), mass, s.stiffness, s.damping, step,
                 stable ? "" : "  too small for this step");
}

static void print_advice(hf_sim *sim)
{
    const hf_model *model = hf_sim_model(sim);
    int forces = hf_model_get_info(model).forces, width = 8;
    int shown = forces < MOST_FORCES ? forces : MOST_FORCES;
    for (int id = 1; id <= shown; ++id) {
        size_t length = strnlen(hf_model_force_name(model, (hf_force){id}), LONGEST_NAME);
        width = (int)length > width ? (int)length : width;
    }
    if (forces > 0) {
        (void)printf("\n%-*s %14s %14s %14s %16s\n", width + 2, "Force", "eff. mass [kg]",
                     "stiff. [N/m]", "damping [Ns/m]", "stable step [s]");
    }
    for (int id = 1; id <= shown; ++id) {
        print_row(sim, (hf_force){id}, width);
    }
    if (shown < forces) {
        (void)printf("  and %d more\n", forces - shown);
    }
    if (forces > 0) {
        (void)printf("\nEach force by itself, at the initial state, while it holds; in kg m^2, "
                     "Nm/rad, Nms/rad\nwhere it turns. Forces that share a body allow smaller "
                     "steps only.\n");
    }
}

// Each variant must be a machine too. The number of those that are not, each after a message.
static int check_variants(const char *word, const hf_overrides *overrides)
{
    hf_variants variants;
    int wrong = 0;
    if (!hf_cli_load_variants(word, &variants)) {
        return 1;
    }
    // Each as the command would run it
    for (int i = 0; i < variants.count; ++i) {
        hf_overrides changed = *overrides;
        hf_error error = {0};
        changed.variant = variants.names[i];
        hf_model *model = hf_cli_try_model(word, &changed, &error);
        hf_sim_def def = {0};
        if (model != NULL) {
            def = hf_cli_sim_def(model);
        }
        hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, &def, &error);
        // A message with its place, or with the variant's name
        if (sim == NULL && error.line == 0) {
            (void)hf_cli_error("variant '%s': %s", variants.names[i], error.text);
        } else if (sim == NULL) {
            hf_cli_report(&error);
        }
        wrong += sim == NULL ? 1 : 0;
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    hf_variants_free(&variants);
    return wrong;
}

static int look(const char *word, const hf_overrides *overrides, hf_sim *sim)
{
    if (check_variants(word, overrides) > 0) {
        return HF_CLI_USAGE;
    }
    print_sizes(word, hf_sim_model(sim));
    hf_cli_print_loops(hf_sim_model(sim));
    hf_cli_warn_start(hf_sim_model(sim));
    hf_cli_print_shapes(hf_sim_model(sim));
    print_advice(sim);
    if (hf_cli_contacts_have_numbers(hf_sim_method(sim).type)) {
        hf_cli_print_choices(hf_sim_model(sim));
        hf_cli_warn_contacts(sim);
    }
    return HF_CLI_DONE;
}

static int start(void *options, const hf_cli_list *operands)
{
    return hf_cli_look_at_model(operands->items[0], options, look);
}

const hf_cli_command hf_cli_command_check = {
    .name = "check",
    .phrase = "read a model; print its size and the steps it allows",
    .usage = "MODEL [--set P=V]...",
    .about =
        "Reads a model and compiles it. Prints its size, its loops and their rank, and, for\n"
        "each force, the largest step that is stable with the model's method. Ends with 0, or\n"
        "with 2 and a message that has file, line and column.\n",
    .after = "",
    HF_CLI_ONE_MODEL,
    .options = &hf_cli_set_option,
    .option_count = 1,
    .size = sizeof(hf_cli_model_options),
    .start = start,
};
