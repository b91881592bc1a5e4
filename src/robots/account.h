// SPDX-License-Identifier: Apache-2.0
// The account of a robot's file: every element and attribute in exactly one of four lists.
//
// Readers mark what they take (hf_xml_mark). What they have not marked is settled by the rules of
// the format, a table; and what no rule fits is *not represented*. So nothing can be dropped
// silently: forgetting an attribute puts it on the list that `--strict` refuses.
#ifndef HF_ROBOTS_ACCOUNT_H
#define HF_ROBOTS_ACCOUNT_H

#include "robots/xml.h"

// What becomes of an element or attribute that no reader has marked.
typedef struct hf_account_rule {
    const char *element;   // "geom", or with its parents "equality/joint"; "x/**": all below x
    const char *attribute; // "rgba"; NULL: the element itself; "*": all attributes, and the element
    hf_fate fate;
    const char *why;
} hf_account_rule;

// Settles everything that has no fate yet, by the first rule that fits; without one it is not
// represented.
void hf_account_close(hf_xml *xml, const hf_account_rule *rules, int count);

typedef struct hf_account_item {
    hf_fate fate;
    const char *file;
    int line, column;
    const char *element, *attribute; // attribute NULL: the element itself
    const char *value;               // of the attribute, or text of the element
    const char *why;                 // never NULL
} hf_account_item;

typedef struct hf_account {
    int counts[HF_FATE_COUNT];    // elements and attributes together; [HF_FATE_NONE] is 0
    int elements, attributes;     // of all files: their sum is that of the counts
    const hf_account_item *items; // all of them, in the order of the files
    int item_count;
} hf_account;

// The account of a document that is closed; its items are in the document's arena. False when out
// of memory.
bool hf_account_make(hf_xml *xml, hf_account *account);

#endif
