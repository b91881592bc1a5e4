// SPDX-License-Identifier: Apache-2.0
// An HDF5 file driver that keeps the file valid at every moment of a run.
#include "record/hdf5_file.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

// Metadata waiting for the next flush.
typedef struct block {
    haddr_t address;
    size_t size;
    unsigned char *bytes;
    int rank; // order of writing, while flushing
} block;

typedef struct ordered_file {
    H5FD_t base; // first: HDF5 sees only this part
    int file;
    haddr_t allocated; // HDF5's end of allocation
    haddr_t size;      // of the file
    haddr_t settled;   // size at the last flush: nothing refers to what lies beyond
    block *blocks;     // by rising address, not overlapping
    size_t count, capacity;
    bool given_up;
} ordered_file;

static herr_t push(const char *action, int number, hid_t minor)
{
    (void)H5Epush2(H5E_DEFAULT, __FILE__, action, __LINE__, H5E_ERR_CLS, H5E_VFL, minor, "%s",
                   strerror(number));
    return -1;
}

static herr_t put(ordered_file *f, haddr_t address, size_t size, const void *bytes)
{
    const char *from = bytes;
    while (size > 0) {
        ssize_t done = pwrite(f->file, from, size, (off_t)address);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            return push("write", errno, H5E_WRITEERROR);
        }
        from += done;
        address += (haddr_t)done;
        size -= (size_t)done;
        if (address > f->size) {
            f->size = address;
        }
    }
    return 0;
}

static herr_t put_tail_first(ordered_file *f, const block *b)
{
    size_t end = b->size;
    while (end > 0) {
        size_t last = (size_t)((b->address + end - 1) % HF_HDF5_PAGE) + 1; // bytes in the last page
        size_t start = end > last ? end - last : 0;
        if (put(f, b->address + start, end - start, b->bytes + start) < 0) {
            return -1;
        }
        end = start;
    }
    return 0;
}

// ------------------------------------------------------------------------------------------------
// Flushing

enum { RANK_NEW, RANK_SUPERBLOCK, RANK_TREE, RANK_HEADER = RANK_TREE + 256 };
enum { TREE_LEVEL_OFFSET = 5 }; // "TREE", type, level: HDF5 file format III.A.1

static bool is_tree(const void *bytes, size_t size)
{
    return size > TREE_LEVEL_OFFSET && memcmp(bytes, "TREE", 4) == 0;
}

// Whether the place still holds what a flush left there. Space within a block that HDF5 reserved
// earlier is new as long as no node was written to it.
static bool is_settled(const ordered_file *f, const block *b)
{
    unsigned char found[TREE_LEVEL_OFFSET + 1] = {0};
    if (b->address >= f->settled) {
        return false;
    }
    return !is_tree(b->bytes, b->size) ||
           (pread(f->file, found, sizeof found, (off_t)b->address) == (ssize_t)sizeof found &&
            is_tree(found, sizeof found));
}

static int rank_of(const ordered_file *f, const block *b)
{
    if (!is_settled(f, b)) {
        return RANK_NEW;
    }
    if (b->address == 0) {
        return RANK_SUPERBLOCK;
    }
    return is_tree(b->bytes, b->size) ? RANK_TREE + 255 - b->bytes[TREE_LEVEL_OFFSET] : RANK_HEADER;
}

static int compare_ranks(const void *left, const void *right)
{
    const block *a = left, *b = right;
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    return a->address < b->address ? 1 : -1;
}

static herr_t set_size(ordered_file *f, haddr_t size)
{
    if (ftruncate(f->file, (off_t)size) != 0) {
        return push("truncate", errno, H5E_WRITEERROR);
    }
    f->size = size;
    return 0;
}

static herr_t write_blocks(ordered_file *f)
{
    for (size_t i = 0; i < f->count; ++i) {
        f->blocks[i].rank = rank_of(f, &f->blocks[i]);
    }
    if (f->count > 1) {
        qsort(f->blocks, f->count, sizeof *f->blocks, compare_ranks);
    }
    size_t i = 0;
    for (; i < f->count && f->blocks[i].rank == RANK_NEW; ++i) {
        if (put_tail_first(f, &f->blocks[i]) < 0) {
            return -1;
        }
    }
    if (f->size < f->allocated && set_size(f, f->allocated) < 0) {
        return -1;
    }
    for (; i < f->count; ++i) {
        if (put_tail_first(f, &f->blocks[i]) < 0) {
            return -1;
        }
    }
    if (f->size > f->allocated && set_size(f, f->allocated) < 0) {
        return -1;
    }
    f->settled = f->size;
    return 0;
}

static void drop_blocks(ordered_file *f)
{
    for (size_t i = 0; i < f->count; ++i) {
        free(f->blocks[i].bytes);
    }
    f->count = 0;
}

static herr_t flush(ordered_file *f)
{
    if (f->given_up) {
        return 0;
    }
    herr_t result = write_blocks(f);
    drop_blocks(f);
    f->given_up = result < 0; // the file stays as it is: valid
    return result;
}

// ------------------------------------------------------------------------------------------------
// Blocks

// Index of the first block that ends beyond an address.
static size_t first_beyond(const ordered_file *f, haddr_t address)
{
    size_t low = 0, high = f->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (f->blocks[middle].address + f->blocks[middle].size > address) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// Out of memory: the blocks that are kept go to the file in their order, then the new bytes. HDF5
// must not see a failure here: it would not close the file, and crash when the program ends.
static herr_t write_through(ordered_file *f, haddr_t address, size_t size, const void *bytes)
{
    herr_t result = flush(f);
    if (result >= 0 && !f->given_up) {
        result = put(f, address, size, bytes);
        f->given_up = result < 0;
    }
    return result;
}

// Replaces the blocks [first, last), all of which the new bytes touch, by one that holds them all.
static herr_t keep(ordered_file *f, size_t first, size_t last, haddr_t address, size_t size,
                   const void *bytes)
{
    haddr_t start = address, end = address + size;
    if (first < last) {
        const block *left = &f->blocks[first], *right = &f->blocks[last - 1];
        start = left->address < start ? left->address : start;
        end = right->address + right->size > end ? right->address + right->size : end;
    }
    block *items = hf_grow(f->blocks, f->count, &f->capacity, sizeof *f->blocks);
    unsigned char *united = malloc((size_t)(end - start));
    if (items != NULL) {
        f->blocks = items;
    }
    if (items == NULL || united == NULL) {
        free(united);
        return write_through(f, address, size, bytes);
    }
    for (size_t i = first; i < last; ++i) {
        memcpy(united + (items[i].address - start), items[i].bytes, items[i].size);
        free(items[i].bytes);
    }
    memcpy(united + (address - start), bytes, size);
    memmove(items + first + 1, items + last, (f->count - last) * sizeof *items);
    f->count = f->count + 1 - (last - first);
    items[first] = (block){.address = start, .size = (size_t)(end - start), .bytes = united};
    return 0;
}

static herr_t write_metadata(ordered_file *f, haddr_t address, size_t size, const void *bytes)
{
    size_t first = first_beyond(f, address), last = first;
    while (last < f->count && f->blocks[last].address < address + size) {
        ++last;
    }
    if (last == first + 1 && f->blocks[first].address <= address &&
        address + size <= f->blocks[first].address + f->blocks[first].size) {
        memcpy(f->blocks[first].bytes + (address - f->blocks[first].address), bytes, size);
        return 0;
    }
    return keep(f, first, last, address, size, bytes);
}

// Lays the waiting blocks over bytes read from the file.
static void overlay(const ordered_file *f, haddr_t address, size_t size, unsigned char *bytes)
{
    for (size_t i = first_beyond(f, address); i < f->count; ++i) {
        const block *b = &f->blocks[i];
        if (b->address >= address + size) {
            break;
        }
        haddr_t start = b->address > address ? b->address : address;
        haddr_t end = b->address + b->size < address + size ? b->address + b->size : address + size;
        memcpy(bytes + (start - address), b->bytes + (start - b->address), (size_t)(end - start));
    }
}

// ------------------------------------------------------------------------------------------------
// What HDF5 calls

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t maximum)
{
    (void)access;
    (void)maximum;
    const unsigned wanted = H5F_ACC_RDWR | H5F_ACC_CREAT | H5F_ACC_TRUNC;
    if ((flags & wanted) != wanted) { // H5Fcreate first looks whether the file is there already
        (void)push("open", ENOENT, H5E_CANTOPENFILE);
        return NULL;
    }
    ordered_file *f = calloc(1, sizeof *f);
    if (f == NULL) {
        (void)push("open", ENOMEM, H5E_NOSPACE);
        return NULL;
    }
    f->file = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (f->file < 0) {
        (void)push("open", errno, H5E_CANTOPENFILE);
        free(f);
        return NULL;
    }
    return &f->base;
}

static herr_t driver_close(H5FD_t *base)
{
    ordered_file *f = (ordered_file *)base;
    herr_t result = f->count == 0 ? 0 : flush(f);
    if (close(f->file) != 0 && result >= 0 && !f->given_up) {
        result = push("close", errno, H5E_CLOSEERROR);
    }
    drop_blocks(f);
    free(f->blocks);
    free(f);
    return result;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags)
{
    (void)base;
    // Not ACCUMULATE_METADATA: it would join pieces that have to be ordered.
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const ordered_file *)base)->allocated;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((ordered_file *)base)->allocated = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    const ordered_file *f = (const ordered_file *)base;
    if (f->count == 0) {
        return f->size;
    }
    const block *last = &f->blocks[f->count - 1];
    return last->address + last->size > f->size ? last->address + last->size : f->size;
}

static herr_t driver_get_handle(H5FD_t *base, hid_t access, void **handle)
{
    (void)access;
    *handle = base;
    return 0;
}

static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, void *bytes)
{
    (void)type;
    (void)transfer;
    const ordered_file *f = (const ordered_file *)base;
    unsigned char *to = bytes;
    size_t done = 0;
    while (done < size) {
        ssize_t part = pread(f->file, to + done, size - done, (off_t)(address + done));
        if (part < 0 && errno == EINTR) {
            continue;
        }
        if (part < 0) {
            return push("read", errno, H5E_READERROR);
        }
        if (part == 0) { // beyond the end: allocated, not yet written
            memset(to + done, 0, size - done);
            break;
        }
        done += (size_t)part;
    }
    overlay(f, address, size, to);
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void *bytes)
{
    (void)transfer;
    ordered_file *f = (ordered_file *)base;
    if (f->given_up || size == 0) {
        return 0;
    }
    if (type != H5FD_MEM_DRAW) {
        return write_metadata(f, address, size, bytes);
    }
    herr_t result = put(f, address, size, bytes);
    f->given_up = result < 0;
    return result;
}

static herr_t driver_flush(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    (void)transfer;
    (void)closing;
    return flush((ordered_file *)base);
}

hid_t hf_hdf5_file_select(hid_t access)
{
    const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 2)
        .version = H5FD_CLASS_VERSION,
        .value = (H5FD_class_value_t)(H5_VFD_RESERVED + 72),
#endif
        .name = "holdfast-ordered",
        .maxaddr = (haddr_t)INT64_MAX,
        .fc_degree = H5F_CLOSE_STRONG,
        .open = driver_open,
        .close = driver_close,
        .query = driver_query,
        .get_eoa = driver_get_eoa,
        .set_eoa = driver_set_eoa,
        .get_eof = driver_get_eof,
        .get_handle = driver_get_handle,
        .read = driver_read,
        .write = driver_write,
        .flush = driver_flush,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    hid_t id = H5FDregister(&driver);
    if (id >= 0 && H5Pset_driver(access, id, NULL) < 0) {
        (void)H5FDunregister(id);
        return -1;
    }
    return id;
}

void hf_hdf5_file_give_up(hid_t file)
{
    void *handle = NULL;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle != NULL) {
        ((ordered_file *)handle)->given_up = true;
    }
}
