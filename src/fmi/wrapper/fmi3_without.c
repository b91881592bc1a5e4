// SPDX-License-Identifier: Apache-2.0
// Functions of FMI 3.0 that the FMU does not claim: variables of other types, clocks, event mode,
// derivatives of outputs, model exchange, scheduled execution. They are there because hosts look
// for every name.
#include "fmi/wrapper/fmi3.h"
#include "fmi/wrapper/instance.h"

static fmi3Status lacks(fmi3Instance c, const char *function)
{
    if (c != NULL) {
        (void)hf_fmu_tell(c, HF_FMU_ERROR, HF_FMU_LOG_ERROR,
                          "%s: the FMU does not have this; its variables are of the type Float64, "
                          "and it is for co-simulation",
                          function);
    }
    return fmi3Error;
}

// Hosts may ask for none of the variables that there are not.
#define LACKS_VALUES(type)                                                                         \
    fmi3Status fmi3Get##type(fmi3Instance c, const fmi3ValueReference vr[], size_t count,          \
                             fmi3##type values[], size_t value_count)                              \
    {                                                                                              \
        (void)vr, (void)values, (void)value_count;                                                 \
        return count == 0 ? fmi3OK : lacks(c, "fmi3Get" #type);                                    \
    }                                                                                              \
    fmi3Status fmi3Set##type(fmi3Instance c, const fmi3ValueReference vr[], size_t count,          \
                             const fmi3##type values[], size_t value_count)                        \
    {                                                                                              \
        (void)vr, (void)values, (void)value_count;                                                 \
        return count == 0 ? fmi3OK : lacks(c, "fmi3Set" #type);                                    \
    }

LACKS_VALUES(Float32)
LACKS_VALUES(Int8)
LACKS_VALUES(UInt8)
LACKS_VALUES(Int16)
LACKS_VALUES(UInt16)
LACKS_VALUES(Int32)
LACKS_VALUES(UInt32)
LACKS_VALUES(Int64)
LACKS_VALUES(UInt64)
LACKS_VALUES(Boolean)
LACKS_VALUES(String)

fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                         size_t sizes[], fmi3Binary values[], size_t value_count)
{
    (void)vr, (void)sizes, (void)values, (void)value_count;
    return count == 0 ? fmi3OK : lacks(c, "fmi3GetBinary");
}

fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                         const size_t sizes[], const fmi3Binary values[], size_t value_count)
{
    (void)vr, (void)sizes, (void)values, (void)value_count;
    return count == 0 ? fmi3OK : lacks(c, "fmi3SetBinary");
}

// Functions of variables with one array, and with two.
#define LACKS_ONE(name, type)                                                                      \
    fmi3Status name(fmi3Instance c, const fmi3ValueReference vr[], size_t count, type values[])    \
    {                                                                                              \
        (void)vr, (void)values;                                                                    \
        return count == 0 ? fmi3OK : lacks(c, #name);                                              \
    }
#define LACKS_TWO(name, first, second)                                                             \
    fmi3Status name(fmi3Instance c, const fmi3ValueReference vr[], size_t count, first values[],   \
                    second others[])                                                               \
    {                                                                                              \
        (void)vr, (void)values, (void)others;                                                      \
        return count == 0 ? fmi3OK : lacks(c, #name);                                              \
    }

LACKS_ONE(fmi3GetClock, fmi3Clock)
LACKS_ONE(fmi3SetClock, const fmi3Clock)
LACKS_ONE(fmi3GetShiftDecimal, fmi3Float64)
LACKS_ONE(fmi3SetIntervalDecimal, const fmi3Float64)
LACKS_ONE(fmi3SetShiftDecimal, const fmi3Float64)
LACKS_TWO(fmi3GetIntervalDecimal, fmi3Float64, fmi3IntervalQualifier)
LACKS_TWO(fmi3GetShiftFraction, fmi3UInt64, fmi3UInt64)
LACKS_TWO(fmi3SetIntervalFraction, const fmi3UInt64, const fmi3UInt64)
LACKS_TWO(fmi3SetShiftFraction, const fmi3UInt64, const fmi3UInt64)

fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                                   fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[])
{
    (void)vr, (void)counters, (void)resolutions, (void)qualifiers;
    return count == 0 ? fmi3OK : lacks(c, "fmi3GetIntervalFraction");
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t *count)
{
    (void)vr, (void)count;
    return lacks(c, "fmi3GetNumberOfVariableDependencies");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference dependent,
                                       size_t dependent_elements[],
                                       fmi3ValueReference independents[],
                                       size_t independent_elements[], fmi3DependencyKind kinds[],
                                       size_t count)
{
    (void)dependent, (void)dependent_elements, (void)independents, (void)independent_elements;
    (void)kinds, (void)count;
    return lacks(c, "fmi3GetVariableDependencies");
}

#define LACKS_DERIVATIVES(name)                                                                    \
    fmi3Status name(fmi3Instance c, const fmi3ValueReference unknowns[], size_t unknown_count,     \
                    const fmi3ValueReference knowns[], size_t known_count,                         \
                    const fmi3Float64 seed[], size_t seed_count, fmi3Float64 sensitivity[],        \
                    size_t sensitivity_count)                                                      \
    {                                                                                              \
        (void)unknowns, (void)unknown_count, (void)knowns, (void)known_count, (void)seed;          \
        (void)seed_count, (void)sensitivity, (void)sensitivity_count;                              \
        return lacks(c, #name);                                                                    \
    }

LACKS_DERIVATIVES(fmi3GetDirectionalDerivative)
LACKS_DERIVATIVES(fmi3GetAdjointDerivative)

fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                                    const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t value_count)
{
    (void)vr, (void)orders, (void)values, (void)value_count;
    return count == 0 ? fmi3OK : lacks(c, "fmi3GetOutputDerivatives");
}

#define LACKS_MODE(name)                                                                           \
    fmi3Status name(fmi3Instance c)                                                                \
    {                                                                                              \
        return lacks(c, #name);                                                                    \
    }

LACKS_MODE(fmi3EnterEventMode)
LACKS_MODE(fmi3EnterStepMode)
LACKS_MODE(fmi3EnterConfigurationMode)
LACKS_MODE(fmi3ExitConfigurationMode)
LACKS_MODE(fmi3EvaluateDiscreteStates)
LACKS_MODE(fmi3EnterContinuousTimeMode)

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals, fmi3Boolean *states,
                                    fmi3Boolean *has_next, fmi3Float64 *next)
{
    (void)again, (void)terminate, (void)nominals, (void)states, (void)has_next, (void)next;
    return lacks(c, "fmi3UpdateDiscreteStates");
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_return,
                                       fmi3Boolean *event_mode, fmi3Boolean *terminate)
{
    (void)no_return, (void)event_mode, (void)terminate;
    return lacks(c, "fmi3CompletedIntegratorStep");
}

fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time)
{
    (void)time;
    return lacks(c, "fmi3SetTime");
}

#define LACKS_STATES(name, type)                                                                   \
    fmi3Status name(fmi3Instance c, type values[], size_t count)                                   \
    {                                                                                              \
        (void)values, (void)count;                                                                 \
        return lacks(c, #name);                                                                    \
    }

LACKS_STATES(fmi3SetContinuousStates, const fmi3Float64)
LACKS_STATES(fmi3GetContinuousStateDerivatives, fmi3Float64)
LACKS_STATES(fmi3GetEventIndicators, fmi3Float64)
LACKS_STATES(fmi3GetContinuousStates, fmi3Float64)
LACKS_STATES(fmi3GetNominalsOfContinuousStates, fmi3Float64)

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *count)
{
    (void)count;
    return lacks(c, "fmi3GetNumberOfEventIndicators");
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *count)
{
    (void)count;
    return lacks(c, "fmi3GetNumberOfContinuousStates");
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time)
{
    (void)clock, (void)time;
    return lacks(c, "fmi3ActivateModelPartition");
}
