// SPDX-License-Identifier: Apache-2.0
// What the fuzz harnesses share: bytes as a file, bytes as text, promises that must hold.
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *hf_fuzz_file(const uint8_t *data, size_t size, const char *ending)
{
    static char path[100];
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    (void)snprintf(path, sizeof path, "%s/holdfast-fuzz-%ld%s", folder, (long)getpid(), ending);
    FILE *file = fopen(path, "wb");
    hf_fuzz_expect(file != NULL && fwrite(data, 1, size, file) == size, "a file can be written");
    hf_fuzz_expect(fclose(file) == 0, "a file can be closed");
    return path;
}

char *hf_fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    hf_fuzz_expect(text != NULL, "there is memory");
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    return text;
}

void hf_fuzz_expect(int holds, const char *promise)
{
    if (!holds) {
        (void)fprintf(stderr, "broken: %s\n", promise);
        abort();
    }
}
