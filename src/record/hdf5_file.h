// SPDX-License-Identifier: Apache-2.0
// An HDF5 file driver whose file is valid at every moment.
//
// HDF5 updates its metadata (superblock, trees of chunks, object headers) in place and in an order
// of its own; a program killed in between leaves a file that no tool can read. This driver keeps
// metadata in memory until HDF5 asks for a flush, and then writes it so that each single write
// leads from one valid file to another:
//
//   1. raw data (as it comes) and metadata in places that nothing refers to yet;
//   2. the superblock, whose end-of-file address now covers what came new;
//   3. nodes of chunk trees, parents before children: a parent that already has a new node while
//      its neighbour still holds the moved entries too is searched correctly;
//   4. object headers from the end of the file to its beginning: the lengths of the datasets. What
//      was created first (time) grows last.
//
// A write within one page is atomic under SIGKILL; one that crosses pages goes tail first, since
// both tree nodes and headers announce at their head what stands in their tail.
#ifndef HF_RECORD_HDF5_FILE_H
#define HF_RECORD_HDF5_FILE_H

#include <hdf5.h>

// The attribute `layout` of the root: all channels in /values. Files without it have a dataset
// /channels/NAME for each.
enum { HF_HDF5_LAYOUT = 2 };

// Bytes that are written as one, and to which tree nodes are aligned.
enum { HF_HDF5_PAGE = 4096 };

// Registers the driver and selects it in a file access list. Returns the driver's id, to be given
// back by H5FDunregister after the file is closed; negative on failure.
hid_t hf_hdf5_file_select(hid_t access);

// After this, writes to the open file succeed without effect: it stays as the last flush left it.
void hf_hdf5_file_give_up(hid_t file);

#endif
