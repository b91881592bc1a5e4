// SPDX-License-Identifier: Apache-2.0
// Finds the functions of FMI 2 and FMI 3 in a loaded FMU.
#include "functions.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

// What stands in `takes`: v value references and n how many, p an array or a pointer to one value,
// b a truth, i an unsigned number, t a time.

static const lacking two[] = {{"GetInteger", "vnp"},
                              {"GetBoolean", "vnp"},
                              {"GetString", "vnp"},
                              {"SetInteger", "vnp"},
                              {"SetBoolean", "vnp"},
                              {"SetString", "vnp"},
                              {"GetDirectionalDerivative", "vnvnpp"},
                              {"GetRealOutputDerivatives", "vnpp"},
                              {"CancelStep", ""},
                              {"EnterEventMode", ""},
                              {"NewDiscreteStates", "p"},
                              {"EnterContinuousTimeMode", ""},
                              {"CompletedIntegratorStep", "ipp"},
                              {"SetTime", "t"},
                              {"SetContinuousStates", "pn"},
                              {"GetDerivatives", "pn"},
                              {"GetEventIndicators", "pn"},
                              {"GetContinuousStates", "pn"},
                              {"GetNominalsOfContinuousStates", "pn"},
                              {NULL, NULL}};
static const lacking three[] = {{"GetFloat32", "vnpn"},
                                {"GetInt8", "vnpn"},
                                {"GetUInt8", "vnpn"},
                                {"GetInt16", "vnpn"},
                                {"GetUInt16", "vnpn"},
                                {"GetInt32", "vnpn"},
                                {"GetUInt32", "vnpn"},
                                {"GetInt64", "vnpn"},
                                {"GetUInt64", "vnpn"},
                                {"GetBoolean", "vnpn"},
                                {"GetString", "vnpn"},
                                {"GetBinary", "vnppn"},
                                {"GetClock", "vnp"},
                                {"SetFloat32", "vnpn"},
                                {"SetInt8", "vnpn"},
                                {"SetUInt8", "vnpn"},
                                {"SetInt16", "vnpn"},
                                {"SetUInt16", "vnpn"},
                                {"SetInt32", "vnpn"},
                                {"SetUInt32", "vnpn"},
                                {"SetInt64", "vnpn"},
                                {"SetUInt64", "vnpn"},
                                {"SetBoolean", "vnpn"},
                                {"SetString", "vnpn"},
                                {"SetBinary", "vnppn"},
                                {"SetClock", "vnp"},
                                {"GetNumberOfVariableDependencies", "ip"},
                                {"GetVariableDependencies", "ippppn"},
                                {"GetDirectionalDerivative", "vnvnpnpn"},
                                {"GetAdjointDerivative", "vnvnpnpn"},
                                {"GetOutputDerivatives", "vnppn"},
                                {"GetIntervalDecimal", "vnpp"},
                                {"GetIntervalFraction", "vnppp"},
                                {"GetShiftDecimal", "vnp"},
                                {"GetShiftFraction", "vnpp"},
                                {"SetIntervalDecimal", "vnp"},
                                {"SetIntervalFraction", "vnpp"},
                                {"SetShiftDecimal", "vnp"},
                                {"SetShiftFraction", "vnpp"},
                                {"EnterEventMode", ""},
                                {"EnterStepMode", ""},
                                {"EnterConfigurationMode", ""},
                                {"ExitConfigurationMode", ""},
                                {"EvaluateDiscreteStates", ""},
                                {"EnterContinuousTimeMode", ""},
                                {"UpdateDiscreteStates", "pppppp"},
                                {"CompletedIntegratorStep", "bpp"},
                                {"SetTime", "t"},
                                {"SetContinuousStates", "pn"},
                                {"GetContinuousStateDerivatives", "pn"},
                                {"GetEventIndicators", "pn"},
                                {"GetContinuousStates", "pn"},
                                {"GetNominalsOfContinuousStates", "pn"},
                                {"GetNumberOfEventIndicators", "p"},
                                {"GetNumberOfContinuousStates", "p"},
                                {"ActivateModelPartition", "it"},
                                {NULL, NULL}};

const lacking *fmu_lacking(const fmu *f)
{
    return f->version == 2 ? two : three;
}

static void *symbol_of(const fmu *f, const char *name)
{
    char whole[80];
    (void)snprintf(whole, sizeof whole, "fmi%d%s", f->version, name);
    return fmu_symbol(f, whole);
}

void fmu_find_all(const fmu *f)
{
    // Those that are there and do something, besides those that the loader calls
    static const char *const others[2][9] = {
        {"GetTypesPlatform", "GetVersion", "SetDebugLogging", "SetRealInputDerivatives",
         "GetStatus", "GetRealStatus", "GetIntegerStatus", "GetBooleanStatus", "GetStringStatus"},
        {"GetVersion", "SetDebugLogging", "InstantiateModelExchange",
         "InstantiateScheduledExecution"}};
    for (int k = 0; k < 9 && others[f->version - 2][k] != NULL; ++k) {
        (void)symbol_of(f, others[f->version - 2][k]);
    }
    for (const lacking *function = fmu_lacking(f); function->name != NULL; ++function) {
        (void)symbol_of(f, function->name);
    }
}

int fmu_call_lacking(const fmu *f, const lacking *function, void *c, size_t count,
                     unsigned char room[6][ROOM])
{
    static const unsigned refs[4] = {0, 1, 2, 3};
    void *symbol = symbol_of(f, function->name), *p = room[0], *q = room[1], *r = room[2];
#define AS(...)  ((int (*)(void *, __VA_ARGS__))(intptr_t)symbol)
#define V        const unsigned *
#define N        size_t
#define P        void *
#define IS(text) (strcmp(function->takes, text) == 0)
    return IS("")         ? ((int (*)(void *))(intptr_t)symbol)(c)
           : IS("vnp")    ? AS(V, N, P)(c, refs, count, p)
           : IS("vnpn")   ? AS(V, N, P, N)(c, refs, count, p, count)
           : IS("vnpp")   ? AS(V, N, P, P)(c, refs, count, p, q)
           : IS("vnppn")  ? AS(V, N, P, P, N)(c, refs, count, p, q, count)
           : IS("vnppp")  ? AS(V, N, P, P, P)(c, refs, count, p, q, r)
           : IS("vnvnpp") ? AS(V, N, V, N, P, P)(c, refs, count, refs, count, p, q)
           : IS("vnvnpnpn")
               ? AS(V, N, V, N, P, N, P, N)(c, refs, count, refs, count, p, count, q, count)
           : IS("pn")     ? AS(P, N)(c, p, count)
           : IS("p")      ? AS(P)(c, p)
           : IS("t")      ? AS(double)(c, 0.5)
           : IS("it")     ? AS(unsigned, double)(c, 1, 0.5)
           : IS("ip")     ? AS(unsigned, P)(c, 1, p)
           : IS("ipp")    ? AS(int, P, P)(c, 1, p, q)
           : IS("bpp")    ? AS(bool, P, P)(c, true, p, q)
           : IS("ippppn") ? AS(unsigned, P, P, P, P, N)(c, 1, p, q, r, room[3], count)
           : IS("pppppp") ? AS(P, P, P, P, P, P)(c, p, q, r, room[3], room[4], room[5])
                          : -1;
#undef AS
#undef V
#undef N
#undef P
#undef IS
}
