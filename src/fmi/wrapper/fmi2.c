// SPDX-License-Identifier: Apache-2.0
// FMI 2.0 over an instance.
#include "fmi/wrapper/fmi2.h"

#include <stdlib.h>

#include "fmi/wrapper/instance.h"
#include "fmi/wrapper/location.h"

typedef void logger2(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);

// ------------------------------------------------------------------------------------------------
// Making and ending

// The host's logger takes a format: a percent sign is written twice.
static void log_text(const hf_fmu *fmu, hf_fmu_status status, const char *category,
                     const char *text)
{
    char format[2100];
    size_t used = 0;
    for (; *text != '\0' && used + 3 < sizeof format; ++text) {
        format[used++] = *text;
        if (*text == '%') {
            format[used++] = '%';
        }
    }
    format[used] = '\0';
    if (fmu->host.logger != NULL) {
        ((logger2 *)fmu->host.logger)(fmu->host.environment, fmu->name, (fmi2Status)status,
                                      category, format);
    }
}

const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

const char *fmi2GetVersion(void)
{
    return "2.0";
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                               const fmi2String categories[])
{
    return c == NULL ? fmi2Error : (fmi2Status)hf_fmu_set_logging(c, on != 0, categories, count);
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *functions, fmi2Boolean visible,
                              fmi2Boolean logging)
{
    (void)visible;
    hf_fmu_host host = {.log = log_text};
    if (functions != NULL) {
        host.environment = functions->componentEnvironment;
        host.logger = (void (*)(void))functions->logger;
    }
    if (type != fmi2CoSimulation) {
        hf_fmu plain = {.host = host, .name = (char *)(name == NULL ? "" : name)};
        (void)hf_fmu_tell(&plain, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                          "fmi2Instantiate: the FMU is for co-simulation only");
        return NULL;
    }
    char *folder = resources == NULL ? NULL : hf_fmu_location(resources);
    hf_fmu *fmu = hf_fmu_create(&host, name, guid, folder, logging != 0);
    free(folder);
    return fmu;
}

void fmi2FreeInstance(fmi2Component c)
{
    hf_fmu *fmu = c;
    if (fmu != NULL && fmu->mode == HF_FMU_STEPPING) {
        hf_fmu_judge(fmu);
    }
    hf_fmu_destroy(fmu);
}

// ------------------------------------------------------------------------------------------------
// The experiment

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean has_stop, fmi2Real stop)
{
    (void)has_tolerance, (void)tolerance; // the method has its own
    return c == NULL
               ? fmi2Error
               : (fmi2Status)hf_fmu_setup(c, "fmi2SetupExperiment", start, has_stop != 0, stop);
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    return c == NULL ? fmi2Error : (fmi2Status)hf_fmu_enter(c, "fmi2EnterInitializationMode");
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    return c == NULL ? fmi2Error : (fmi2Status)hf_fmu_leave(c, "fmi2ExitInitializationMode");
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real point, fmi2Real step, fmi2Boolean no_return)
{
    (void)no_return; // states are kept by the host alone
    return c == NULL ? fmi2Error : (fmi2Status)hf_fmu_step(c, "fmi2DoStep", point, step);
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    return c == NULL ? fmi2Error : (fmi2Status)hf_fmu_terminate(c, "fmi2Terminate");
}

fmi2Status fmi2Reset(fmi2Component c)
{
    return c == NULL ? fmi2Error : (fmi2Status)hf_fmu_reset(c, "fmi2Reset");
}

// ------------------------------------------------------------------------------------------------
// Values

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                       fmi2Real values[])
{
    return c == NULL ? fmi2Error : (fmi2Status)hf_fmu_get(c, "fmi2GetReal", vr, count, values);
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                       const fmi2Real values[])
{
    return c == NULL ? fmi2Error : (fmi2Status)hf_fmu_set(c, "fmi2SetReal", vr, count, values);
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                                       const fmi2Integer order[], const fmi2Real values[])
{
    static const char name[] = "fmi2SetRealInputDerivatives";
    if (c == NULL ||
        !hf_fmu_allows(c, name, HF_FMU_INSTANTIATED | HF_FMU_INITIALIZING | HF_FMU_STEPPING)) {
        return fmi2Error;
    }
    for (size_t i = 0; i < count; ++i) {
        if (hf_fmu_set_slope(c, name, vr[i], order[i], values[i]) != HF_FMU_OK) {
            return fmi2Error;
        }
    }
    return fmi2OK;
}

// ------------------------------------------------------------------------------------------------
// States

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    hf_fmu_state *block = state == NULL ? NULL : *state;
    if (c == NULL || state == NULL) {
        return fmi2Error;
    }
    fmi2Status status = (fmi2Status)hf_fmu_save(c, "fmi2GetFMUstate", &block);
    *state = block;
    return status;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state)
{
    return c == NULL || state == NULL ? fmi2Error
                                      : (fmi2Status)hf_fmu_restore(c, "fmi2SetFMUstate", state);
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state)
{
    (void)c;
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size)
{
    if (c == NULL || state == NULL || size == NULL) {
        return fmi2Error;
    }
    *size = hf_fmu_state_size(state);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size)
{
    if (c == NULL || state == NULL || bytes == NULL) {
        return fmi2Error;
    }
    return (fmi2Status)hf_fmu_state_write(c, "fmi2SerializeFMUstate", state, bytes, size);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                   fmi2FMUstate *state)
{
    hf_fmu_state *block = NULL;
    if (c == NULL || bytes == NULL || state == NULL) {
        return fmi2Error;
    }
    fmi2Status status =
        (fmi2Status)hf_fmu_state_read(c, "fmi2DeSerializeFMUstate", bytes, size, &block);
    if (status == fmi2OK) {
        *state = block;
    }
    return status;
}

// ------------------------------------------------------------------------------------------------
// What a step has come to

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value)
{
    const hf_fmu *fmu = c;
    if (c == NULL || value == NULL || kind != fmi2LastSuccessfulTime) {
        return fmi2Discard;
    }
    *value = fmu->time;
    return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value)
{
    if (c == NULL || value == NULL || kind != fmi2Terminated) {
        return fmi2Discard;
    }
    *value = 0; // no machine ends by itself
    return fmi2OK;
}

// Steps are never pending: there is nothing to ask for.
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind kind, fmi2String *value)
{
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}
