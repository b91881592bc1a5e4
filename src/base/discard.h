// SPDX-License-Identifier: Apache-2.0
// What to do with a file that could not be written to its end. For libraries that use POSIX.
#ifndef HF_BASE_DISCARD_H
#define HF_BASE_DISCARD_H

#include <stdio.h>
#include <sys/stat.h>

// Removes half a file; never a device, a pipe or a link that stood there before.
static inline void hf_discard(const char *path)
{
    struct stat found;
    if (lstat(path, &found) == 0 && S_ISREG(found.st_mode)) {
        (void)remove(path);
    }
}

#endif
