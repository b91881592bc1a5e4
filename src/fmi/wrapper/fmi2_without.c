// SPDX-License-Identifier: Apache-2.0
// Functions of FMI 2.0 that the FMU does not claim: variables of other types, derivatives of
// outputs, model exchange. They are there because hosts look for every name.
#include "fmi/wrapper/fmi2.h"
#include "fmi/wrapper/instance.h"

static fmi2Status lacks(fmi2Component c, const char *function)
{
    if (c != NULL) {
        (void)hf_fmu_tell(c, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                          "%s: the FMU does not have this; its variables are real, and it is for "
                          "co-simulation",
                          function);
    }
    return fmi2Error;
}

// Hosts may ask for none of the variables that there are not.
#define VALUES(name, type)                                                                         \
    fmi2Status name(fmi2Component c, const fmi2ValueReference vr[], size_t count, type values[])   \
    {                                                                                              \
        (void)vr, (void)values;                                                                    \
        return count == 0 ? fmi2OK : lacks(c, #name);                                              \
    }

VALUES(fmi2GetInteger, fmi2Integer)
VALUES(fmi2GetBoolean, fmi2Boolean)
VALUES(fmi2GetString, fmi2String)
VALUES(fmi2SetInteger, const fmi2Integer)
VALUES(fmi2SetBoolean, const fmi2Boolean)
VALUES(fmi2SetString, const fmi2String)

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference unknowns[],
                                        size_t unknown_count, const fmi2ValueReference knowns[],
                                        size_t known_count, const fmi2Real seed[],
                                        fmi2Real sensitivity[])
{
    (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count;
    (void)seed, (void)sensitivity;
    return lacks(c, "fmi2GetDirectionalDerivative");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[],
                                        size_t count, const fmi2Integer order[], fmi2Real values[])
{
    (void)vr, (void)order, (void)values;
    return count == 0 ? fmi2OK : lacks(c, "fmi2GetRealOutputDerivatives");
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    return lacks(c, "fmi2CancelStep");
}

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    return lacks(c, "fmi2EnterEventMode");
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    (void)info;
    return lacks(c, "fmi2NewDiscreteStates");
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    return lacks(c, "fmi2EnterContinuousTimeMode");
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean no_return,
                                       fmi2Boolean *event_mode, fmi2Boolean *terminate)
{
    (void)no_return, (void)event_mode, (void)terminate;
    return lacks(c, "fmi2CompletedIntegratorStep");
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    (void)time;
    return lacks(c, "fmi2SetTime");
}

#define STATES(name, type)                                                                         \
    fmi2Status name(fmi2Component c, type values[], size_t count)                                  \
    {                                                                                              \
        (void)values, (void)count;                                                                 \
        return lacks(c, #name);                                                                    \
    }

STATES(fmi2SetContinuousStates, const fmi2Real)
STATES(fmi2GetDerivatives, fmi2Real)
STATES(fmi2GetEventIndicators, fmi2Real)
STATES(fmi2GetContinuousStates, fmi2Real)
STATES(fmi2GetNominalsOfContinuousStates, fmi2Real)
