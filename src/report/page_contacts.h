// SPDX-License-Identifier: Apache-2.0
// Contacts of a run for its page: one row for each pair of bodies that touch in a frame.
#ifndef HF_REPORT_PAGE_CONTACTS_H
#define HF_REPORT_PAGE_CONTACTS_H

#include <holdfast/record.h>

#include "report/page_column.h"

// Writes the member "pairs" of the frames: `stride` (pairs are kept of every stride-th frame, so
// that a page stays small), `most` (pairs in a frame), `count` (rows of each kept frame) and `rows`
// (HF_FRAME_LIST_COLUMNS numbers each). Nothing when the recording has no list of contacts.
void hf_page_contacts_write(hf_page_columns *columns, const hf_recording_frames *frames);

#endif
