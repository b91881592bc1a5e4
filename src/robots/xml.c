// SPDX-License-Identifier: Apache-2.0
// Reads XML into a tree whose elements and attributes have their places in the file.
#include "robots/xml.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <expat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"

// A file being read.
typedef struct parse {
    hf_xml *xml;
    XML_Parser parser;
    const char *text, *label;
    size_t length;
    // Lines are counted on, not from the beginning for each element.
    size_t counted;
    int line;
    size_t line_start;
    hf_xml_element *root, *open;
    int depth;
    // Character data of the open elements, one behind the other; marks[d]: where those of depth d
    // begin.
    char *words;
    size_t word_count, word_capacity;
    size_t marks[HF_XML_MAX_DEPTH + 1];
    hf_status status;
    hf_error *error;
} parse;

static void stop(parse *p, hf_status status, const char *message)
{
    if (p->status == HF_OK) {
        p->status = hf_error_set(p->error, status, "%s", message);
        hf_error_locate(p->error, p->label, (int)XML_GetCurrentLineNumber(p->parser),
                        (int)XML_GetCurrentColumnNumber(p->parser) + 1);
        (void)XML_StopParser(p->parser, XML_FALSE);
    }
}

// Line and column, from 1, of a byte at or behind the last one that was asked for.
static void place(parse *p, size_t byte, int *line, int *column)
{
    for (; p->counted < byte && p->counted < p->length; ++p->counted) {
        if (p->text[p->counted] == '\n') {
            p->line += 1;
            p->line_start = p->counted + 1;
        }
    }
    *line = p->line;
    *column = (int)(byte - p->line_start) + 1;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Where the next attribute's name begins behind `at`, and where its value ends; expat has checked
// the tag. Without luck (another encoding) both stay behind the end.
static size_t next_attribute(const parse *p, size_t at, size_t *after)
{
    const char *text = p->text;
    while (at < p->length && is_blank(text[at])) {
        ++at;
    }
    size_t name = at;
    while (at < p->length && text[at] != '"' && text[at] != '\'' && text[at] != '>') {
        ++at;
    }
    if (at >= p->length || text[at] == '>') {
        *after = p->length;
        return p->length;
    }
    char quote = text[at++];
    while (at < p->length && text[at] != quote) {
        ++at;
    }
    *after = at + 1;
    return name;
}

static bool add_attributes(parse *p, hf_xml_element *element, const XML_Char **pairs, size_t start)
{
    size_t at = start + 1 + strlen(element->name);
    hf_xml_attribute **end = &element->attributes;
    for (; pairs[0] != NULL; pairs += 2) {
        hf_xml_attribute *a = hf_arena_alloc(&p->xml->arena, 1, sizeof *a);
        char *name = hf_arena_string(&p->xml->arena, pairs[0]);
        char *value = hf_arena_string(&p->xml->arena, pairs[1]);
        if (a == NULL || name == NULL || value == NULL) {
            return false;
        }
        size_t begin = at >= p->length ? p->length : next_attribute(p, at, &at);
        *a = (hf_xml_attribute){.name = name,
                                .value = value,
                                .line = element->line,
                                .column = element->column,
                                .owner = element};
        if (begin < p->length) {
            place(p, begin, &a->line, &a->column);
        }
        *end = a;
        end = &a->next;
        p->xml->attribute_count += 1;
    }
    return true;
}

static void on_start(void *context, const XML_Char *name, const XML_Char **pairs)
{
    parse *p = context;
    if (p->status != HF_OK) {
        return;
    }
    // Limits
    if (p->depth == HF_XML_MAX_DEPTH) {
        stop(p, HF_ERROR_SYNTAX, "elements are nested deeper than 200 levels");
        return;
    }
    if (p->xml->element_count == HF_XML_MAX_ELEMENTS) {
        stop(p, HF_ERROR_SYNTAX, "more than 4,000,000 elements");
        return;
    }
    // The element and where it stands
    hf_xml_element *e = hf_arena_alloc(&p->xml->arena, 1, sizeof *e);
    char *copy = hf_arena_string(&p->xml->arena, name);
    if (e == NULL || copy == NULL) {
        stop(p, HF_ERROR_MEMORY, "out of memory");
        return;
    }
    *e = (hf_xml_element){.name = copy, .text = "", .file = p->label, .parent = p->open};
    long long byte = XML_GetCurrentByteIndex(p->parser);
    size_t start = byte < 0 ? 0 : (size_t)byte;
    place(p, start, &e->line, &e->column);
    // Below the one that is open
    if (p->open == NULL) {
        p->root = e;
    } else if (p->open->last == NULL) {
        p->open->first = p->open->last = e;
    } else {
        p->open->last->next = e;
        p->open->last = e;
    }
    p->open = e;
    p->marks[p->depth++] = p->word_count;
    p->xml->element_count += 1;
    if (!add_attributes(p, e, pairs, start)) {
        stop(p, HF_ERROR_MEMORY, "out of memory");
    }
}

static void on_text(void *context, const XML_Char *text, int length)
{
    parse *p = context;
    if (p->status != HF_OK || p->depth == 0 || length <= 0) {
        return;
    }
    if (p->word_count + (size_t)length > p->word_capacity) {
        size_t capacity = 2 * p->word_capacity + (size_t)length + 256;
        char *words = realloc(p->words, capacity);
        if (words == NULL) {
            stop(p, HF_ERROR_MEMORY, "out of memory");
            return;
        }
        p->words = words;
        p->word_capacity = capacity;
    }
    memcpy(p->words + p->word_count, text, (size_t)length);
    p->word_count += (size_t)length;
}

static void on_end(void *context, const XML_Char *name)
{
    (void)name;
    parse *p = context;
    if (p->status != HF_OK || p->depth == 0) {
        return;
    }
    size_t begin = p->marks[--p->depth], end = p->word_count;
    while (begin < end && is_blank(p->words[begin])) {
        ++begin;
    }
    while (end > begin && is_blank(p->words[end - 1])) {
        --end;
    }
    if (end > begin) {
        char *copy = hf_arena_alloc(&p->xml->arena, end - begin + 1, 1);
        if (copy == NULL) {
            stop(p, HF_ERROR_MEMORY, "out of memory");
            return;
        }
        memcpy(copy, p->words + begin, end - begin);
        p->open->text = copy;
    }
    p->word_count = p->marks[p->depth];
    p->open = p->open->parent;
}

static void on_doctype(void *context, const XML_Char *name, const XML_Char *system,
                       const XML_Char *public, int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    stop(context, HF_ERROR_SYNTAX, "a document type (DOCTYPE) is refused");
}

static bool run(parse *p)
{
    XML_SetUserData(p->parser, p);
    XML_SetElementHandler(p->parser, on_start, on_end);
    XML_SetCharacterDataHandler(p->parser, on_text);
    XML_SetStartDoctypeDeclHandler(p->parser, on_doctype);
    enum XML_Status done = XML_Parse(p->parser, p->text, (int)p->length, XML_TRUE);
    if (p->status == HF_OK && done != XML_STATUS_OK) {
        enum XML_Error code = XML_GetErrorCode(p->parser);
        stop(p, code == XML_ERROR_NO_MEMORY ? HF_ERROR_MEMORY : HF_ERROR_SYNTAX,
             code == XML_ERROR_NO_ELEMENTS ? "the file has no element" : XML_ErrorString(code));
    }
    return p->status == HF_OK;
}

// Reads a text that it may change.
static hf_xml_element *parse_prepared(hf_xml *xml, char *text, size_t length, const char *label,
                                      const char *path, hf_error *error)
{
    // Room for one more file
    hf_xml_file *files =
        xml->file_count == HF_XML_MAX_FILES
            ? NULL
            : hf_grow(xml->files, xml->file_count, &xml->file_capacity, sizeof *xml->files);
    xml->files = files == NULL ? xml->files : files; // whatever else fails
    char *kept = hf_arena_string(&xml->arena, label);
    char *kept_path = path == NULL ? NULL : hf_arena_string(&xml->arena, path);
    if (files == NULL || kept == NULL || (path != NULL && kept_path == NULL)) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory, or too many files",
                           label);
        return NULL;
    }
    // The parser
    parse p = {.xml = xml,
               .text = text,
               .label = kept,
               .length = length,
               .line = 1,
               .error = error,
               .parser = XML_ParserCreate(NULL)};
    bool read = p.parser != NULL && length <= HF_FILE_MAX_BYTES &&
                hf_xml_prepare(text, length, label, error) && run(&p);
    // What went wrong, and what is left of it
    if (p.parser == NULL || length > HF_FILE_MAX_BYTES) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory, or more than 64 MiB",
                           label);
    }
    if (p.parser != NULL) {
        XML_ParserFree(p.parser);
    }
    free(p.words);
    if (!read) {
        return NULL;
    }
    xml->files[xml->file_count++] = (hf_xml_file){kept, kept_path, p.root};
    return p.root;
}

hf_xml_element *hf_xml_load(hf_xml *xml, const char *path, const char *label, hf_error *error)
{
    char *text = NULL;
    size_t length = 0;
    if (hf_text_read(path, label, true, &text, &length, error) != HF_OK) {
        return NULL;
    }
    hf_xml_element *root = parse_prepared(xml, text, length, label, path, error);
    free(text);
    return root;
}

hf_xml_element *hf_xml_parse(hf_xml *xml, const char *text, size_t length, const char *label,
                             hf_error *error)
{
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "%.300s: out of memory", label);
        return NULL;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    hf_xml_element *root = parse_prepared(xml, copy, length, label, NULL, error);
    free(copy);
    return root;
}

void hf_xml_free(hf_xml *xml)
{
    free(xml->files);
    hf_arena_free(&xml->arena);
    *xml = (hf_xml){0};
}

// ------------------------------------------------------------------------------------------------
// Looking around

static hf_xml_element *named(hf_xml_element *element, const char *name)
{
    while (element != NULL && strcmp(element->name, name) != 0) {
        element = element->next;
    }
    return element;
}

hf_xml_element *hf_xml_child(const hf_xml_element *element, const char *name)
{
    return element == NULL ? NULL : named(element->first, name);
}

hf_xml_element *hf_xml_next(const hf_xml_element *element)
{
    return named(element->next, element->name);
}

hf_xml_attribute *hf_xml_get(const hf_xml_element *element, const char *name)
{
    hf_xml_attribute *a = element == NULL ? NULL : element->attributes;
    while (a != NULL && strcmp(a->name, name) != 0) {
        a = a->next;
    }
    return a;
}

static void raise(hf_lot *lot, hf_fate fate, const char *why)
{
    if (fate > lot->fate) {
        *lot = (hf_lot){fate, why};
    }
}

void hf_xml_set_scope(hf_xml_element *element, int scope)
{
    element->scope = scope;
    for (hf_xml_element *e = element->first; e != NULL; e = e->next) { // depth is limited
        hf_xml_set_scope(e, scope);
    }
}

void hf_xml_mark(hf_xml_attribute *attribute, hf_fate fate, const char *why)
{
    if (attribute != NULL) {
        raise(&attribute->lot, fate, why);
    }
}

void hf_xml_unmark(hf_xml_attribute *attribute, const char *why)
{
    if (attribute != NULL) {
        attribute->lot = (hf_lot){HF_FATE_SEEN, why};
    }
}

void hf_xml_unmark_element(hf_xml_element *element, const char *why)
{
    if (element != NULL) {
        element->lot = (hf_lot){HF_FATE_SEEN, why};
    }
}

void hf_xml_mark_element(hf_xml_element *element, hf_fate fate, const char *why)
{
    if (element != NULL) {
        raise(&element->lot, fate, why);
    }
}

void hf_xml_mark_all(hf_xml_element *element, hf_fate fate, const char *why)
{
    if (element == NULL) {
        return;
    }
    hf_xml_mark_element(element, fate, why);
    for (hf_xml_attribute *a = element->attributes; a != NULL; a = a->next) {
        hf_xml_mark(a, fate, why);
    }
    for (hf_xml_element *e = element->first; e != NULL; e = e->next) { // depth is limited
        hf_xml_mark_all(e, fate, why);
    }
}

bool hf_xml_infinite(const char *text, double *number)
{
    static const char *const words[] = {"inf", "infinity"};
    text += strspn(text, " \t\r\n");
    double sign = *text == '-' ? -1.0 : 1.0;
    text += *text == '-' || *text == '+' ? 1 : 0;
    size_t length = strcspn(text, " \t\r\n");
    bool alone = text[length + strspn(text + length, " \t\r\n")] == '\0';
    for (int i = 0; i < 2 && alone; ++i) {
        if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) {
            *number = sign * INFINITY;
            return true;
        }
    }
    return false;
}

int hf_xml_numbers(const char *text, int least, int most, double *numbers)
{
    int count = 0;
    for (const char *at = text;;) {
        at += strspn(at, " \t\r\n");
        size_t length = strcspn(at, " \t\r\n");
        if (length == 0) {
            return count < least ? -1 : count;
        }
        const char *digits = at + (*at == '+' && length > 1 ? 1 : 0);
        double number;
        if (count == most || !hf_number_parse(digits, length - (size_t)(digits - at), &number) ||
            !isfinite(number)) {
            return -1;
        }
        numbers[count++] = number;
        at += length;
    }
}

// ------------------------------------------------------------------------------------------------
// Errors

static bool fill(const char *file, int line, int column, hf_error *error, hf_status status,
                 const char *format, va_list arguments)
{
    char text[HF_ERROR_TEXT_SIZE];
    (void)vsnprintf(text, sizeof text, format, arguments);
    (void)hf_error_set(error, status, "%s", text);
    hf_error_locate(error, file, line, column);
    return false;
}

bool hf_xml_fail(const hf_xml_element *element, hf_error *error, hf_status status,
                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fill(element->file, element->line, element->column, error, status, format, arguments);
    va_end(arguments);
    return false;
}

bool hf_xml_fail_at(const hf_xml_attribute *attribute, hf_error *error, hf_status status,
                    const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fill(attribute->owner->file, attribute->line, attribute->column, error, status, format,
               arguments);
    va_end(arguments);
    return false;
}
