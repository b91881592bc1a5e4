// SPDX-License-Identifier: Apache-2.0
// The progress bar with the remaining time, on stderr if that is a terminal.
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

double hf_cli_now(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

hf_cli_progress hf_cli_progress_begin(bool wanted)
{
    double now = hf_cli_now();
    bool terminal = wanted && isatty(STDERR_FILENO) == 1;
    return (hf_cli_progress){.start = now, .next = terminal ? now + 0.5 : INFINITY};
}

void hf_cli_progress_update(hf_cli_progress *progress, double done, double time)
{
    char text[40];
    (void)snprintf(text, sizeof text, "t = %.4g s", time);
    hf_cli_progress_show(progress, done, text);
}

void hf_cli_progress_show(hf_cli_progress *progress, double done, const char *text)
{
    double now = hf_cli_now();
    if (!(now >= progress->next) || !(done > 0.0)) {
        return;
    }
    progress->next = now + 0.1;
    progress->shown = true;
    char bar[BAR_WIDTH + 1];
    int filled = (int)(done * BAR_WIDTH);
    memset(bar, ' ', BAR_WIDTH);
    memset(bar, '=', (size_t)(filled < BAR_WIDTH ? filled : BAR_WIDTH));
    bar[BAR_WIDTH] = '\0';
    double left = (now - progress->start) * (1.0 - done) / done;
    char remaining[32];
    if (left < 100.0) {
        (void)snprintf(remaining, sizeof remaining, "%.0f s", ceil(left));
    } else if (left < 6000.0) {
        (void)snprintf(remaining, sizeof remaining, "%.0f min", ceil(left / 60.0));
    } else {
        (void)snprintf(remaining, sizeof remaining, "%.1f h", left / 3600.0);
    }
    (void)fprintf(stderr, "\r[%s] %3.0f %%  %s  %s left\033[K", bar, floor(100.0 * done), text,
                  remaining);
    (void)fflush(stderr);
}

void hf_cli_progress_end(hf_cli_progress *progress)
{
    if (progress->shown) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
    }
    progress->shown = false;
    progress->next = INFINITY;
}
