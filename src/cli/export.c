// SPDX-License-Identifier: Apache-2.0
// holdfast export: a machine as an FMU.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/fmi.h>

#include "cli/cli.h"
#include "cli/model_source.h"
#include "cli/modules/module.h"
#include "cli/robot_options.h"

typedef struct export_options {
    const char *output, *variant, *method;
    long long fmi;
    double step;
    hf_cli_list sets, outputs, locals;
    hf_cli_robot_options robot;
} export_options;

static void prepare(void *options)
{
    export_options *o = options;
    o->fmi = 2;
    o->step = (double)NAN;
}

static bool check(const export_options *o)
{
    size_t length = o->output == NULL ? 0 : strlen(o->output);
    if (o->output == NULL) {
        (void)hf_cli_usage_error("export", "the FMU's file is missing: -o FILE.fmu");
        return false;
    }
    if (length < 5 || strcmp(o->output + length - 4, ".fmu") != 0) {
        (void)hf_cli_usage_error("export", "--output: '%s' must end in .fmu", o->output);
        return false;
    }
    if (o->fmi != 2 && o->fmi != 3) {
        (void)hf_cli_usage_error("export", "--fmi: versions are 2 and 3, not %lld", o->fmi);
        return false;
    }
    if (!isnan(o->step) && !(o->step > 0.0)) {
        (void)hf_cli_usage_error("export", "--step: expected a positive number, not %g", o->step);
        return false;
    }
    return o->method == NULL || hf_cli_know_method("export", "method", o->method);
}

static void tell(const export_options *o, const hf_fmu_counts *counts)
{
    const struct {
        int count;
        const char *one, *more;
    } parts[] = {{counts->inputs, "input", "inputs"},
                 {counts->parameters, "parameter", "parameters"},
                 {counts->outputs, "output", "outputs"},
                 {counts->locals, "local variable", "local variables"},
                 {counts->files, "file", "files"}};
    hf_cli_put(stdout, "%s: FMI %lld.0, co-simulation", o->output, o->fmi);
    for (int i = 0; i < 5; ++i) {
        if (i < 3 || parts[i].count > 0) {
            (void)printf(", %d %s", parts[i].count,
                         parts[i].count == 1 ? parts[i].one : parts[i].more);
        }
    }
    (void)printf("\n");
}

static int start(void *options, const hf_cli_list *operands)
{
    const export_options *o = options;
    hf_robot_options robot = hf_robot_options_default();
    hf_error error = {0};
    char dropped[200] = "", binary[HF_MODULE_PATH];
    hf_cli_model_text text = {0};
    // What is asked for
    if (!check(o) || !hf_cli_robot_options_of("export", operands->items[0], &o->robot, &robot)) {
        return HF_CLI_USAGE;
    }
    if (!hf_module_find("fmu", binary, &error) ||
        !hf_cli_model_text_read(&text, operands->items[0], &error)) {
        if (error.status < 0) {
            hf_cli_report(&error);
        }
        return HF_CLI_USAGE;
    }
    // The machine, and the FMU
    const hf_overrides overrides = {.items = o->sets.items,
                                    .count = o->sets.count,
                                    .variant = o->variant,
                                    .method = o->method,
                                    .step = isnan(o->step) ? 0.0 : o->step,
                                    .dropped = dropped,
                                    .dropped_size = sizeof dropped,
                                    .robot = &robot};
    const hf_fmu_def def = {.text = text.text,
                            .length = text.length,
                            .label = text.label,
                            .folder = hf_cli_model_folder(&text),
                            .overrides = &overrides,
                            .version = (int)o->fmi,
                            .outputs = o->outputs.items,
                            .output_count = o->outputs.count,
                            .locals = o->locals.items,
                            .local_count = o->locals.count,
                            .binary = binary};
    hf_fmu_counts counts = {0};
    hf_status status = hf_fmu_write(o->output, &def, &counts, &error);
    if (status < 0) {
        hf_cli_report(&error);
    } else {
        hf_cli_tell_dropped(o->method, dropped);
        tell(o, &counts);
    }
    hf_cli_model_text_free(&text);
    return status < 0 ? HF_CLI_USAGE : HF_CLI_DONE;
}

#define TARGET(member) offsetof(export_options, member)

static const hf_cli_option table[] = {
    {"output", 'o', "FILE", "write the FMU to FILE.fmu", HF_CLI_TEXT, TARGET(output),
     HF_CLI_WORD_FILE, NULL},
    {"fmi", 0, "V", "version of FMI: 2 (default) or 3", HF_CLI_COUNT, TARGET(fmi), HF_CLI_WORD_ANY,
     NULL},
    {"outputs", 0, "C",
     "outputs: channels in place of those that the model records; may be repeated", HF_CLI_LIST,
     TARGET(outputs), HF_CLI_WORD_ANY,
     "A channel, a group such as sphere.position, or a pattern with * and ?."},
    {"locals", 0, "C", "further channels that can be read, but not connected; may be repeated",
     HF_CLI_LIST, TARGET(locals), HF_CLI_WORD_ANY, NULL},
    {"set", 0, "P=V", "give the value V to the model's entry P; may be repeated", HF_CLI_LIST,
     TARGET(sets), HF_CLI_WORD_ANY, NULL},
    {"variant", 0, "V", "export this variant of the model", HF_CLI_TEXT, TARGET(variant),
     HF_CLI_WORD_ANY, NULL},
    {"method", 0, "M", "method in place of the model's", HF_CLI_TEXT, TARGET(method),
     HF_CLI_WORD_METHOD, NULL},
    {"step", 0, "T", "step of the method [s]", HF_CLI_NUMBER, TARGET(step), HF_CLI_WORD_ANY, NULL},
    HF_CLI_ROBOT_ROWS(export_options),
};

const hf_cli_command hf_cli_command_export = {
    .name = "export",
    .phrase = "write a machine as an FMU, for Simulink, OpenModelica, FMPy",
    .usage = "MODEL -o FILE.fmu [options]",
    .about = "Writes a Functional Mock-up Unit for co-simulation (FMI 2.0 or 3.0), which has the\n"
             "machine, its method and all files that the model names, and needs nothing else to\n"
             "run. Inputs are the model's input signals, outputs what it records, parameters what\n"
             "its `parameters:` name.\n",
    .after = "\nExamples:\n"
             "  holdfast export winch-brake -o winch.fmu\n"
             "  holdfast export arm.yaml -o arm.fmu --fmi 3 --outputs 'arm.*.position'\n",
    HF_CLI_ONE_MODEL,
    HF_CLI_OPTIONS(table),
    .size = sizeof(export_options),
    .prepare = prepare,
    .start = start,
};
