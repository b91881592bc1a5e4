// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM end a run between two steps, so that what was recorded is kept.
#include "cli/stop.h"

#include <signal.h>
#include <stddef.h>

// Set by SIGINT and SIGTERM; looked at between steps, and within those that take long.
static volatile sig_atomic_t stop_wanted = 0;

static void want_stop(int number)
{
    (void)number;
    stop_wanted = 1;
}

void hf_cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = want_stop, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool hf_cli_stop_wanted(void *context)
{
    (void)context;
    return stop_wanted != 0;
}
