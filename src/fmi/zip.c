// SPDX-License-Identifier: Apache-2.0
// Writes ZIP archives, entry by entry, with the same bytes for the same contents. [APPNOTE 6.3.3]
#include "fmi/zip.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"

enum {
    LOCAL_SIZE = 30,   // of a local header, without the name
    CENTRAL_SIZE = 46, // of an entry of the directory, without the name
    END_SIZE = 22,
    NEEDED = 20,               // version 2.0: deflate
    MADE_BY = 3 << 8 | NEEDED, // Unix: modes are those of files there
    NAMES_UTF8 = 0x800,
    DEFLATED = 8,
    FIRST_DAY = 1 << 5 | 1, // 1 January 1980
    MOST_ENTRIES = 0xffff
};

#define MOST_BYTES 0xffffffffull

static unsigned char *put(unsigned char *to, unsigned long value, int bytes)
{
    for (int i = 0; i < bytes; ++i) {
        *to++ = (unsigned char)(value >> 8 * i & 0xff);
    }
    return to;
}

static hf_status fail(const hf_zip *zip, hf_error *error, const char *what)
{
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: %s", zip->path, what);
}

static hf_status put_out(hf_zip *zip, const void *bytes, size_t size, hf_error *error)
{
    if (zip->offset + size > MOST_BYTES) {
        return fail(zip, error, "it would become larger than 4 GiB");
    }
    if (fwrite(bytes, 1, size, zip->file) != size) {
        return fail(zip, error, strerror(errno));
    }
    zip->offset += size;
    return HF_OK;
}

hf_status hf_zip_create(hf_zip *zip, const char *path, hf_error *error)
{
    *zip = (hf_zip){.path = path, .file = fopen(path, "wb")};
    return zip->file != NULL ? HF_OK : fail(zip, error, strerror(errno));
}

// What local header and directory have in common.
typedef struct entry {
    const char *name;
    size_t name_size, size, packed_size;
    unsigned long checksum, offset;
    bool program;
} entry;

static unsigned char *put_common(unsigned char *to, const entry *e)
{
    to = put(to, NEEDED, 2);
    to = put(to, NAMES_UTF8, 2);
    to = put(to, DEFLATED, 2);
    to = put(to, 0, 2); // midnight
    to = put(to, FIRST_DAY, 2);
    to = put(to, e->checksum, 4);
    to = put(to, e->packed_size, 4);
    to = put(to, e->size, 4);
    to = put(to, e->name_size, 2);
    return put(to, 0, 2); // no extra fields
}

static hf_status list(hf_zip *zip, const entry *e, hf_error *error)
{
    size_t needed = zip->directory_size + CENTRAL_SIZE + e->name_size;
    if (needed > zip->directory_capacity) {
        size_t capacity = 2 * needed;
        unsigned char *grown = realloc(zip->directory, capacity);
        if (grown == NULL) {
            return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        }
        zip->directory = grown;
        zip->directory_capacity = capacity;
    }
    unsigned char *to = zip->directory + zip->directory_size;
    to = put(to, 0x02014b50, 4);
    to = put(to, MADE_BY, 2);
    to = put_common(to, e);
    to = put(to, 0, 2); // no comment
    to = put(to, 0, 2); // first disk
    to = put(to, 0, 2); // no inner attributes
    to = put(to, (e->program ? 0100755ul : 0100644ul) << 16, 4);
    to = put(to, e->offset, 4);
    memcpy(to, e->name, e->name_size);
    zip->directory_size = needed;
    zip->count += 1;
    return HF_OK;
}

// The bytes deflated, without a frame; for the caller to free. NULL: out of memory.
static unsigned char *deflate_all(const void *bytes, size_t size, size_t *packed_size)
{
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        return NULL;
    }
    size_t room = deflateBound(&stream, (uLong)size);
    unsigned char *packed = room > UINT32_MAX ? NULL : malloc(room + 1);
    bool done = false;
    if (packed != NULL) {
        stream.next_in = (Bytef *)bytes; // zlib only reads it
        stream.avail_in = (uInt)size;
        stream.next_out = packed;
        stream.avail_out = (uInt)room;
        done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
        *packed_size = stream.total_out;
    }
    (void)deflateEnd(&stream);
    if (!done) {
        free(packed);
        packed = NULL;
    }
    return packed;
}

hf_status hf_zip_add(hf_zip *zip, const char *name, const void *bytes, size_t size, bool program,
                     hf_error *error)
{
    entry e = {.name = name,
               .name_size = strlen(name),
               .size = size,
               .offset = (unsigned long)zip->offset,
               .program = program};
    if (zip->count == MOST_ENTRIES || size > UINT32_MAX / 2 || e.name_size > UINT16_MAX) {
        return fail(zip, error, "too many files, or one that is too large");
    }
    // What goes into it
    unsigned char *packed = deflate_all(bytes, size, &e.packed_size);
    if (packed == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    e.checksum = crc32(crc32(0, NULL, 0), bytes, (uInt)size);
    // Its header, name and bytes, and its entry in the directory
    unsigned char header[LOCAL_SIZE], *to = put(header, 0x04034b50, 4);
    (void)put_common(to, &e);
    hf_status status = put_out(zip, header, sizeof header, error);
    status = status < 0 ? status : put_out(zip, name, e.name_size, error);
    status = status < 0 ? status : put_out(zip, packed, e.packed_size, error);
    free(packed);
    return status < 0 ? status : list(zip, &e, error);
}

static hf_status put_end(hf_zip *zip, hf_error *error)
{
    unsigned char end[END_SIZE], *to = put(end, 0x06054b50, 4);
    unsigned long start = (unsigned long)zip->offset;
    to = put(to, 0, 4); // one disk
    to = put(to, zip->count, 2);
    to = put(to, zip->count, 2);
    to = put(to, zip->directory_size, 4);
    to = put(to, start, 4);
    (void)put(to, 0, 2); // no comment
    HF_TRY(put_out(zip, zip->directory, zip->directory_size, error));
    return put_out(zip, end, sizeof end, error);
}

hf_status hf_zip_close(hf_zip *zip, bool failed, hf_error *error)
{
    hf_status status = failed ? HF_OK : put_end(zip, error);
    if (fclose(zip->file) != 0 && status == HF_OK && !failed) {
        status = fail(zip, error, strerror(errno));
    }
    free(zip->directory);
    *zip = (hf_zip){0};
    return status;
}
