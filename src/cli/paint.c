// SPDX-License-Identifier: Apache-2.0
// Colours on a terminal.
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Colours only where a person looks, and not where NO_COLOR asks for none (no-color.org).
static bool is_wanted(FILE *file)
{
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    bool refused =
        (none != NULL && none[0] != '\0') || terminal == NULL || strcmp(terminal, "dumb") == 0;
    return !refused && isatty(fileno(file)) == 1;
}

void hf_cli_paint(FILE *file, hf_cli_color color)
{
    static const char *const codes[] = {[HF_CLI_PLAIN] = "\033[0m",
                                        [HF_CLI_GOOD] = "\033[32m",
                                        [HF_CLI_DOUBT] = "\033[1;33m",
                                        [HF_CLI_BAD] = "\033[1;31m"};
    if (is_wanted(file)) {
        (void)fputs(codes[color], file);
    }
}
