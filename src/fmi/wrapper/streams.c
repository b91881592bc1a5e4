// SPDX-License-Identifier: Apache-2.0
// Debian's archive of libfyaml is compiled for programs: it reaches the variables stdin, stdout and
// stderr in a way that no shared object can. The linker (--wrap) gives it these in their place,
// which are the same streams. Nothing of what the FMU asks of libfyaml uses them.
#include <stdio.h>

extern FILE *__real_stdin, *__real_stdout, *__real_stderr;
extern FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;
FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

__attribute__((constructor)) static void take_streams(void)
{
    __wrap_stdin = __real_stdin;
    __wrap_stdout = __real_stdout;
    __wrap_stderr = __real_stderr;
}
