// SPDX-License-Identifier: Apache-2.0
// The C interface of FMI 3.0, as an FMU has it. Names and types are the standard's.
#ifndef HF_FMI_WRAPPER_FMI3_H
#define HF_FMI_WRAPPER_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8, fmi3Byte;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean, fmi3Clock;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String;
typedef const fmi3Byte *fmi3Binary;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
    fmi3Independent,
    fmi3Constant,
    fmi3Fixed,
    fmi3Tunable,
    fmi3Discrete,
    fmi3Dependent
} fmi3DependencyKind;
typedef enum {
    fmi3IntervalNotYetKnown,
    fmi3IntervalUnchanged,
    fmi3IntervalChanged
} fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64, fmi3Boolean,
                                               fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean *,
                                               fmi3Float64 *);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

// What every FMU has
const char *fmi3GetVersion(void);
fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t count,
                               const fmi3String categories[]);
fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment,
                                          fmi3LogMessageCallback logger);
fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean early_return,
                                         const fmi3ValueReference required[], size_t required_count,
                                         fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback logger,
                                         fmi3IntermediateUpdateCallback update);
fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
    fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger,
    fmi3ClockUpdateCallback update, fmi3LockPreemptionCallback lock,
    fmi3UnlockPreemptionCallback unlock);
void fmi3FreeInstance(fmi3Instance c);
fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance,
                                       fmi3Float64 tolerance, fmi3Float64 start,
                                       fmi3Boolean has_stop, fmi3Float64 stop);
fmi3Status fmi3ExitInitializationMode(fmi3Instance c);
fmi3Status fmi3EnterEventMode(fmi3Instance c);
fmi3Status fmi3Terminate(fmi3Instance c);
fmi3Status fmi3Reset(fmi3Instance c);

// Values: fmi3GetFloat64 and so on
#define HF_FMI3_PLAIN_TYPES(X)                                                                     \
    X(Float32)                                                                                     \
    X(Float64)                                                                                     \
    X(Int8)                                                                                        \
    X(UInt8)                                                                                       \
    X(Int16)                                                                                       \
    X(UInt16)                                                                                      \
    X(Int32)                                                                                       \
    X(UInt32)                                                                                      \
    X(Int64)                                                                                       \
    X(UInt64)                                                                                      \
    X(Boolean)                                                                                     \
    X(String)
#define HF_FMI3_DECLARE(type)                                                                      \
    fmi3Status fmi3Get##type(fmi3Instance c, const fmi3ValueReference vr[], size_t count,          \
                             fmi3##type values[], size_t value_count);                             \
    fmi3Status fmi3Set##type(fmi3Instance c, const fmi3ValueReference vr[], size_t count,          \
                             const fmi3##type values[], size_t value_count);
HF_FMI3_PLAIN_TYPES(HF_FMI3_DECLARE)
#undef HF_FMI3_DECLARE
fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                         size_t sizes[], fmi3Binary values[], size_t value_count);
fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                         const size_t sizes[], const fmi3Binary values[], size_t value_count);
fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                        fmi3Clock values[]);
fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                        const fmi3Clock values[]);
fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference vr,
                                               size_t *count);
fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference dependent,
                                       size_t dependent_elements[],
                                       fmi3ValueReference independents[],
                                       size_t independent_elements[], fmi3DependencyKind kinds[],
                                       size_t count);

// States and derivatives
fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state);
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state);
fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state);
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size);
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size);
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size,
                                   fmi3FMUState *state);
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference unknowns[],
                                        size_t unknown_count, const fmi3ValueReference knowns[],
                                        size_t known_count, const fmi3Float64 seed[],
                                        size_t seed_count, fmi3Float64 sensitivity[],
                                        size_t sensitivity_count);
fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference unknowns[],
                                    size_t unknown_count, const fmi3ValueReference knowns[],
                                    size_t known_count, const fmi3Float64 seed[], size_t seed_count,
                                    fmi3Float64 sensitivity[], size_t sensitivity_count);

// Co-simulation
fmi3Status fmi3EnterStepMode(fmi3Instance c);
fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                                    const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t value_count);
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 point, fmi3Float64 step, fmi3Boolean no_return,
                      fmi3Boolean *event, fmi3Boolean *terminate, fmi3Boolean *early,
                      fmi3Float64 *last);

// Not supported, but hosts look for them: configuration, clocks, model exchange, scheduling
fmi3Status fmi3EnterConfigurationMode(fmi3Instance c);
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c);
fmi3Status fmi3GetIntervalDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                                  fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3GetIntervalFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                                   fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[]);
fmi3Status fmi3GetShiftDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                               fmi3Float64 shifts[]);
fmi3Status fmi3GetShiftFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                                fmi3UInt64 counters[], fmi3UInt64 resolutions[]);
fmi3Status fmi3SetIntervalDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                                  const fmi3Float64 intervals[]);
fmi3Status fmi3SetIntervalFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                                   const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);
fmi3Status fmi3SetShiftDecimal(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                               const fmi3Float64 shifts[]);
fmi3Status fmi3SetShiftFraction(fmi3Instance c, const fmi3ValueReference vr[], size_t count,
                                const fmi3UInt64 counters[], const fmi3UInt64 resolutions[]);
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c);
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate,
                                    fmi3Boolean *nominals, fmi3Boolean *states,
                                    fmi3Boolean *has_next, fmi3Float64 *next);
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c);
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean no_return,
                                       fmi3Boolean *event_mode, fmi3Boolean *terminate);
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time);
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 values[], size_t count);
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 values[], size_t count);
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 values[], size_t count);
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 values[], size_t count);
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 values[], size_t count);
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *count);
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *count);
fmi3Status fmi3ActivateModelPartition(fmi3Instance c, fmi3ValueReference clock, fmi3Float64 time);

#endif
