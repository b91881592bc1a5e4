// SPDX-License-Identifier: Apache-2.0
// Cortex-M4 without an operating system: start-up, and output through the debugger's semihosting.
#include <stdint.h>

#include "trace.h"

extern uint32_t hf_target_stack_top[];
extern uint32_t hf_target_data_load[], hf_target_data_start[], hf_target_data_end[];
extern uint32_t hf_target_bss_start[], hf_target_bss_end[];

void hf_target_reset(void);

// The first words of memory: initial stack pointer, reset, and the faults, which also end here.
__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    hf_target_stack_top,
    (const void *)hf_target_reset,
    (const void *)hf_target_reset,
    (const void *)hf_target_reset,
};

enum { SYS_WRITE0 = 0x04, SYS_EXIT = 0x18, APPLICATION_EXIT = 0x20026 };

static void semihosting(uint32_t operation, uint32_t argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register uint32_t r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void put(const char *text)
{
    semihosting(SYS_WRITE0, (uint32_t)(uintptr_t)text);
}

static void emit(void *context, const char *law, int step, bool exact, double force)
{
    (void)context;
    (void)exact;
    union {
        double number;
        uint64_t bits;
    } value = {.number = force};
    char text[40];
    int n = 0;
    for (int shift = 60; shift >= 0; shift -= 4)
        text[n++] = "0123456789abcdef"[(value.bits >> shift) & 15u];
    text[n++] = ' ';
    for (int unit = 1000; unit > 0; unit /= 10)
        text[n++] = (char)('0' + step / unit % 10);
    text[n++] = ' ';
    text[n] = '\0';
    put(text);
    put(law);
    put("\n");
}

void hf_target_reset(void)
{
    const uint32_t *from = hf_target_data_load;
    for (uint32_t *to = hf_target_data_start; to < hf_target_data_end; to++)
        *to = *from++;
    for (uint32_t *to = hf_target_bss_start; to < hf_target_bss_end; to++)
        *to = 0;
    hf_trace_run(emit, 0);
    put("end\n");
    semihosting(SYS_EXIT, APPLICATION_EXIT);
    for (;;) {
    }
}
