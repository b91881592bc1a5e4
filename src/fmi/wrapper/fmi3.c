// SPDX-License-Identifier: Apache-2.0
// FMI 3.0 over an instance.
#include "fmi/wrapper/fmi3.h"

#include <stdlib.h>

#include "fmi/wrapper/instance.h"
#include "fmi/wrapper/location.h"

// ------------------------------------------------------------------------------------------------
// Making and ending

static void log_text(const hf_fmu *fmu, hf_fmu_status status, const char *category,
                     const char *text)
{
    if (fmu->host.logger != NULL) {
        ((fmi3LogMessageCallback)fmu->host.logger)(fmu->host.environment, (fmi3Status)status,
                                                   category, text);
    }
}

const char *fmi3GetVersion(void)
{
    return "3.0";
}

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count,
                               const fmi3String categories[])
{
    return c == NULL ? fmi3Error : (fmi3Status)hf_fmu_set_logging(c, on, categories, count);
}

// Tells the host why there is no instance. Returns NULL.
static fmi3Instance refuse(const hf_fmu_host *host, const char *text)
{
    hf_fmu plain = {.host = *host, .name = ""};
    (void)hf_fmu_tell(&plain, HF_FMU_ERROR, HF_FMU_LOG_ERROR, "%s", text);
    return NULL;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t required_count,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback logger,
                                         fmi3IntermediateUpdateCallback update)
{
    (void)visible, (void)early_return, (void)required, (void)update;
    hf_fmu_host host = {
        .log = log_text, .environment = environment, .logger = (void (*)(void))logger};
    if (event_mode || required_count > 0) {
        return refuse(&host, "fmi3InstantiateCoSimulation: the FMU has neither an event mode nor "
                             "intermediate variables");
    }
    char *folder = resources == NULL ? NULL : hf_fmu_location(resources);
    hf_fmu *fmu = hf_fmu_create(&host, name, token, folder, logging);
    free(folder);
    return fmu;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback logger)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    return refuse(&(hf_fmu_host){.log = log_text,
                                 .environment = environment,
                                 .logger = (void (*)(void))logger},
                  "fmi3InstantiateModelExchange: the FMU is for co-simulation only");
}

fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock)
{
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    (void)update, (void)lock, (void)unlock;
    return refuse(&(hf_fmu_host){.log = log_text,
                                 .environment = environment,
                                 .logger = (void (*)(void))logger},
                  "fmi3InstantiateScheduledExecution: the FMU is for co-simulation only");
}

void fmi3FreeInstance(fmi3Instance c)
{
    hf_fmu *fmu = c;
    if (fmu != NULL && fmu->mode == HF_FMU_STEPPING) {
        hf_fmu_judge(fmu);
    }
    hf_fmu_destroy(fmu);
}

// ------------------------------------------------------------------------------------------------
// The experiment

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop)
{
    static const char name[] = "fmi3EnterInitializationMode";
    (void)has_tolerance, (void)tolerance; // the method has its own
    if (c == NULL) {
        return fmi3Error;
    }
    hf_fmu_status status = hf_fmu_setup(c, name, start, has_stop, stop);
    hf_fmu_status entered = status <= HF_FMU_WARNING ? hf_fmu_enter(c, name) : status;
    return (fmi3Status)(entered != HF_FMU_OK ? entered : status);
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance c)
{
    return c == NULL ? fmi3Error : (fmi3Status)hf_fmu_leave(c, "fmi3ExitInitializationMode");
}

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 point, fmi3Float64 step, fmi3Boolean no_return,
                      fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early,
                      fmi3Float64 *last)
{
    (void)no_return; // states are kept by the host alone
    hf_fmu *fmu = c;
    hf_fmu_status status = fmu == NULL ? HF_FMU_ERROR : hf_fmu_step(fmu, "fmi3DoStep", point, step);
    fmi3Boolean *const flags[] = {event, terminate, early};
    for (int i = 0; i < 3; ++i) {
        if (flags[i] != NULL) {
            *flags[i] = false;
        }
    }
    if (last != NULL && fmu != NULL) {
        *last = fmu->time;
    }
    return (fmi3Status)status;
}

fmi3Status fmi3Terminate(fmi3Instance c)
{
    return c == NULL ? fmi3Error : (fmi3Status)hf_fmu_terminate(c, "fmi3Terminate");
}

fmi3Status fmi3Reset(fmi3Instance c)
{
    return c == NULL ? fmi3Error : (fmi3Status)hf_fmu_reset(c, "fmi3Reset");
}

// ------------------------------------------------------------------------------------------------
// Values

// All variables are scalars.
static bool counts_fit(fmi3Instance c, const char *function, size_t count, size_t value_count)
{
    if (c != NULL && count != value_count) {
        (void)hf_fmu_tell(c, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                          "%s: %zu variables have as many values, not %zu", function, count,
                          value_count);
    }
    return c != NULL && count == value_count;
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                          fmi3Float64 values[], size_t value_count)
{
    return counts_fit(c, "fmi3GetFloat64", count, value_count)
               ? (fmi3Status)hf_fmu_get(c, "fmi3GetFloat64", vr, count, values)
               : fmi3Error;
}

fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                          const fmi3Float64 values[], size_t value_count)
{
    return counts_fit(c, "fmi3SetFloat64", count, value_count)
               ? (fmi3Status)hf_fmu_set(c, "fmi3SetFloat64", vr, count, values)
               : fmi3Error;
}

// ------------------------------------------------------------------------------------------------
// States

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state)
{
    hf_fmu_state *block = state == NULL ? NULL : *state;
    if (c == NULL || state == NULL) {
        return fmi3Error;
    }
    fmi3Status status = (fmi3Status)hf_fmu_save(c, "fmi3GetFMUState", &block);
    *state = block;
    return status;
}

fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state)
{
    return c == NULL || state == NULL ? fmi3Error
                                      : (fmi3Status)hf_fmu_restore(c, "fmi3SetFMUState", state);
}

fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state)
{
    (void)c;
    if (state != NULL) {
        free(*state);
        *state = NULL;
    }
    return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size)
{
    if (c == NULL || state == NULL || size == NULL) {
        return fmi3Error;
    }
    *size = hf_fmu_state_size(state);
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size)
{
    if (c == NULL || state == NULL || bytes == NULL) {
        return fmi3Error;
    }
    return (fmi3Status)hf_fmu_state_write(c, "fmi3SerializeFMUState", state, bytes, size);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *state)
{
    hf_fmu_state *block = NULL;
    if (c == NULL || bytes == NULL || state == NULL) {
        return fmi3Error;
    }
    fmi3Status status =
        (fmi3Status)hf_fmu_state_read(c, "fmi3DeserializeFMUState", bytes, size, &block);
    if (status == fmi3OK) {
        *state = block;
    }
    return status;
}
