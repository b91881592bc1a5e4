// SPDX-License-Identifier: Apache-2.0
// XML files as a tree of elements and attributes, each with its place, and with what became of it.
//
// By expat, without name spaces: `drake:gear_ratio` is a name. A document type (DOCTYPE) is
// refused, and with it every entity that a file could define. Two things that robot files do, and
// expat does not read, are mended beforehand, keeping lines and columns: `--` inside comments (they
// are blanked), and an XML declaration that is not at the beginning (blanked).
#ifndef HF_ROBOTS_XML_H
#define HF_ROBOTS_XML_H

#include <holdfast/base.h>

#include "base/arena.h"

// Limits beside HF_FILE_MAX_BYTES a file. A document beyond them is refused with a message.
enum { HF_XML_MAX_DEPTH = 200, HF_XML_MAX_ELEMENTS = 4 * 1000 * 1000, HF_XML_MAX_FILES = 1000 };

// What became of an attribute or element of the file. Where several readers meet the same one (a
// default that many joints start from), the higher of their words holds.
typedef enum hf_fate {
    HF_FATE_NONE,      // not read yet
    HF_FATE_SEEN,      // no influence on any motion: colours, cameras, sensors, solver hints
    HF_FATE_TAKEN,     // as it is
    HF_FATE_OTHERWISE, // in another way than the file's engine does: soft contact as rigid, ...
    HF_FATE_MISSING,   // not represented: the motion may differ
    HF_FATE_COUNT
} hf_fate;

// A fate and its reason: a phrase without capital letter and full stop, or NULL.
typedef struct hf_lot {
    hf_fate fate;
    const char *why;
} hf_lot;

struct hf_xml_element;

typedef struct hf_xml_attribute {
    const char *name, *value;
    int line, column; // of the name
    hf_lot lot;
    struct hf_xml_element *owner;
    struct hf_xml_attribute *next;
} hf_xml_attribute;

typedef struct hf_xml_element {
    const char *name;
    const char *text; // its character data without blanks around it; ""
    const char *file; // label of the file it stands in
    int line, column; // of its `<`
    int scope;        // MJCF: of which of several models it is (mjcf/attach.c)
    hf_lot lot;
    hf_xml_attribute *attributes;
    struct hf_xml_element *parent, *next, *first, *last;
} hf_xml_element;

typedef struct hf_xml_file {
    const char *label, *path; // path: after symbolic links; NULL: from memory
    hf_xml_element *root;
} hf_xml_file;

// Some files: the robot's, and those that it includes.
typedef struct hf_xml {
    hf_arena arena;
    hf_xml_file *files;
    size_t file_count, file_capacity;
    int element_count, attribute_count; // of all files
} hf_xml;

// Adds a file, from its path or from memory. NULL with the error filled; the document stays valid.
hf_xml_element *hf_xml_load(hf_xml *xml, const char *path, const char *label, hf_error *error);
hf_xml_element *hf_xml_parse(hf_xml *xml, const char *text, size_t length, const char *label,
                             hf_error *error);
void hf_xml_free(hf_xml *xml);

// The first child of this name, and the next one after it; NULL: none.
hf_xml_element *hf_xml_child(const hf_xml_element *element, const char *name);
hf_xml_element *hf_xml_next(const hf_xml_element *element);
hf_xml_attribute *hf_xml_get(const hf_xml_element *element, const char *name);

// Sets the scope of an element and of all below it.
void hf_xml_set_scope(hf_xml_element *element, int scope);

// Gives an attribute or element its fate, unless it has a higher one. NULL is allowed.
void hf_xml_mark(hf_xml_attribute *attribute, hf_fate fate, const char *why);
void hf_xml_mark_element(hf_xml_element *element, hf_fate fate, const char *why);
// The same for an element, its attributes and all below it.
void hf_xml_mark_all(hf_xml_element *element, hf_fate fate, const char *why);
// What was read and turned out to do nothing is only seen, whatever it was called before.
void hf_xml_unmark(hf_xml_attribute *attribute, const char *why);
void hf_xml_unmark_element(hf_xml_element *element, const char *why);

// Fills *error with "file:line:column: " and the message, and returns false.
bool hf_xml_fail(const hf_xml_element *element, hf_error *error, hf_status status,
                 const char *format, ...) HF_PRINTF(4, 5);
bool hf_xml_fail_at(const hf_xml_attribute *attribute, hf_error *error, hf_status status,
                    const char *format, ...) HF_PRINTF(4, 5);

// Numbers of a text, with blanks between them: at most `most`, at least `least`. Returns how many,
// or -1. Decimal numbers that are finite.
int hf_xml_numbers(const char *text, int least, int most, double *numbers);
// Whether a text is inf, -inf or infinity, in letters of any size, as limits are that never act.
bool hf_xml_infinite(const char *text, double *number);

// xml_prepare.c: mends a text that expat is to read, in place. False with the error filled.
bool hf_xml_prepare(char *text, size_t length, const char *label, hf_error *error);

#endif
