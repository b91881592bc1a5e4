// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
int hf_cli_law(int count, char **arguments)
{
    (void)count; (void)arguments;
    return HF_CLI_USAGE;
}
