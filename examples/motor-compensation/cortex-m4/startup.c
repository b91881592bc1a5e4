// SPDX-License-Identifier: Apache-2.0
// Start-up of a Cortex-M4: the vector table, the FPU, and the C library's own entry, which sets up
// memory and calls main. Output goes through semihosting.
#include <stdint.h>

extern uint32_t hf_stack_top;
void _start(void); // NOLINT: the C library's name

static void reset(void)
{
    // Full access to the FPU: CPACR, coprocessors 10 and 11.
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20;
    _start();
    for (;;) {
    }
}

static void halt(void)
{
    for (;;) {
    }
}

typedef union vector {
    void *stack;
    void (*handler)(void);
} vector;

__attribute__((section(".vectors"), used)) static const vector VECTORS[16] = {
    {.stack = &hf_stack_top}, {.handler = reset}, {.handler = halt}, {.handler = halt},
    {.handler = halt},        {.handler = halt},  {.handler = halt},
};
