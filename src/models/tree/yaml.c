// SPDX-License-Identifier: Apache-2.0
// From YAML events to a tree. libfyaml's event parser does not recurse, and neither does anything
// here. Nesting is limited, so that the readers of the tree may recurse.
#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "models/tree/node.h"

typedef struct builder {
    hf_document *document;
    hf_error *error;
    struct fy_parser *parser;
    struct fy_token_iter *pieces; // of the scalar being read
    hf_node *root;
    hf_node *open; // the list or map being filled; NULL outside
    int depth;
    int documents;
    int line, column; // of the last event that had a place, from 1
    // The key that waits for its value, when `open` is a map.
    const char *key;
    int key_line, key_column;
} builder;

static hf_status fail(builder *b, hf_status status, const char *message)
{
    (void)hf_error_set(b->error, status, "%s", message);
    hf_error_locate(b->error, b->document->label, b->line, b->column);
    return status;
}

static hf_status out_of_memory(builder *b)
{
    return hf_error_set(b->error, HF_ERROR_MEMORY, "%s: out of memory", b->document->label);
}

// A node for the event at b->line, b->column, placed in what is open. NULL on failure.
static hf_node *add_node(builder *b, hf_node_kind kind)
{
    // Room for it
    if (b->document->node_count >= HF_FILE_MAX_NODES) {
        (void)fail(b, HF_ERROR_INPUT, "the file holds more than 4000000 values");
        return NULL;
    }
    hf_node *node = hf_arena_alloc(&b->document->arena, 1, sizeof(hf_node));
    if (node == NULL) {
        (void)out_of_memory(b);
        return NULL;
    }
    b->document->node_count += 1;
    // Where it stands in the file
    node->kind = kind;
    node->line = b->line;
    node->column = b->column;
    node->text_column = b->column;
    // Where it belongs in the tree
    if (b->open == NULL) {
        b->root = node;
        return node;
    }
    if (b->open->kind == HF_NODE_MAP) {
        node->key = b->key;
        node->key_line = b->key_line;
        node->key_column = b->key_column;
        b->key = NULL;
    }
    hf_node_append(b->open, node);
    return node;
}

// Goes through a scalar's text, without quotes and escapes, piece by piece; copies it unless `to`
// is NULL. False when libfyaml fails. fy_token_get_text would do the same, but leaks (0.7.12) where
// a scalar has many pieces.
static bool walk_text(const builder *b, struct fy_token *token, char *to, size_t *length)
{
    int failed = 0;
    *length = 0;
    fy_token_iter_start(token, b->pieces);
    const struct fy_iter_chunk *piece = NULL;
    while ((piece = fy_token_iter_chunk_next(b->pieces, piece, &failed)) != NULL) {
        if (to != NULL) {
            memcpy(to + *length, piece->str, piece->len);
        }
        *length += piece->len;
    }
    fy_token_iter_finish(b->pieces);
    return failed == 0;
}

static hf_status add_scalar(builder *b, struct fy_token *token)
{
    // Its text, without escapes
    size_t length = 0;
    if (token != NULL && !walk_text(b, token, NULL, &length)) {
        return out_of_memory(b);
    }
    char *copy = hf_arena_alloc(&b->document->arena, length + 1, 1);
    if (copy == NULL || (token != NULL && !walk_text(b, token, copy, &length))) {
        return out_of_memory(b);
    }
    if (memchr(copy, '\0', length) != NULL) {
        return fail(b, HF_ERROR_SYNTAX, "the text contains a NUL character");
    }
    // In a map every other scalar is a key
    if (b->open != NULL && b->open->kind == HF_NODE_MAP && b->key == NULL) {
        if (length == 0) {
            return fail(b, HF_ERROR_SYNTAX, "a key is missing before ':'");
        }
        b->key = copy;
        b->key_line = b->line;
        b->key_column = b->column;
        return HF_OK;
    }
    hf_node *node = add_node(b, HF_NODE_SCALAR);
    if (node == NULL) {
        return b->error == NULL ? HF_ERROR_INPUT : b->error->status;
    }
    // How it was written, for units and for messages
    enum fy_scalar_style style = token == NULL ? FYSS_PLAIN : fy_token_scalar_style(token);
    bool quoted = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    const struct fy_mark *start = token == NULL ? NULL : fy_token_start_mark(token);
    const struct fy_mark *end = token == NULL ? NULL : fy_token_end_mark(token);
    node->text = copy;
    node->plain = style == FYSS_PLAIN;
    node->exact = (quoted || node->plain) && start != NULL && end != NULL &&
                  start->line == end->line && end->input_pos - start->input_pos == length;
    if (quoted && node->column > 1) {
        node->column -= 1; // libfyaml's mark stands behind the quote
    }
    return HF_OK;
}

static int by_key(const void *left, const void *right)
{
    const hf_node *const *a = left, *const *b = right;
    int order = strcmp((*a)->key, (*b)->key);
    if (order != 0) {
        return order;
    }
    if ((*a)->key_line != (*b)->key_line) {
        return (*a)->key_line < (*b)->key_line ? -1 : 1;
    }
    return (*a)->key_column < (*b)->key_column ? -1 : (*a)->key_column > (*b)->key_column;
}

static hf_status check_duplicates(builder *b, const hf_node *map)
{
    if (map->count < 2) {
        return HF_OK;
    }
    const hf_node **items = malloc((size_t)map->count * sizeof *items);
    if (items == NULL) {
        return out_of_memory(b);
    }
    int count = 0;
    for (const hf_node *item = map->first; item != NULL; item = item->next) {
        items[count++] = item;
    }
    qsort(items, (size_t)count, sizeof *items, by_key);
    hf_status status = HF_OK;
    for (int i = 1; i < count && status == HF_OK; ++i) {
        if (strcmp(items[i - 1]->key, items[i]->key) == 0) {
            status = hf_node_key_error(b->document, items[i], b->error, HF_ERROR_NAME,
                                       "the key '%.80s' is already given in line %d", items[i]->key,
                                       items[i - 1]->key_line);
        }
    }
    free(items);
    return status;
}

static hf_status open_container(builder *b, hf_node_kind kind)
{
    if (b->open != NULL && b->open->kind == HF_NODE_MAP && b->key == NULL) {
        return fail(b, HF_ERROR_SYNTAX, "a key must be a word, not a list or a map");
    }
    if (b->depth >= HF_FILE_MAX_DEPTH) {
        return fail(b, HF_ERROR_SYNTAX, "nested deeper than 64 levels");
    }
    hf_node *node = add_node(b, kind);
    if (node == NULL) {
        return b->error == NULL ? HF_ERROR_INPUT : b->error->status;
    }
    b->open = node;
    b->depth += 1;
    return HF_OK;
}

static hf_status close_container(builder *b)
{
    hf_node *node = b->open;
    if (node == NULL) {
        return fail(b, HF_ERROR_SYNTAX, "this is not YAML");
    }
    b->open = node->parent;
    b->depth -= 1;
    return node->kind == HF_NODE_MAP ? check_duplicates(b, node) : HF_OK;
}

static void note_place(builder *b, const struct fy_mark *mark)
{
    if (mark != NULL && mark->line >= 0 && mark->column >= 0) {
        b->line = mark->line + 1;
        b->column = mark->column + 1;
    }
}

static hf_status refuse_decoration(builder *b, struct fy_token *anchor, struct fy_token *tag)
{
    if (anchor == NULL && tag == NULL) {
        return HF_OK;
    }
    note_place(b, fy_token_start_mark(anchor != NULL ? anchor : tag));
    b->column -= anchor != NULL && b->column > 1 ? 1 : 0; // the mark stands behind '&'
    return fail(b, HF_ERROR_SYNTAX,
                anchor != NULL ? "anchors (&name) are not supported in model files"
                               : "tags (!name) are not supported in model files");
}

static hf_status take_event(builder *b, struct fy_event *event)
{
    note_place(b, fy_event_start_mark(event));
    switch (event->type) {
    case FYET_DOCUMENT_START:
        b->documents += 1;
        return b->documents == 1
                   ? HF_OK
                   : fail(b, HF_ERROR_SYNTAX, "a model file holds one document, not several");
    case FYET_SCALAR:
        HF_TRY(refuse_decoration(b, event->scalar.anchor, event->scalar.tag));
        return add_scalar(b, event->scalar.value);
    case FYET_SEQUENCE_START:
        HF_TRY(refuse_decoration(b, event->sequence_start.anchor, event->sequence_start.tag));
        return open_container(b, HF_NODE_LIST);
    case FYET_MAPPING_START:
        HF_TRY(refuse_decoration(b, event->mapping_start.anchor, event->mapping_start.tag));
        return open_container(b, HF_NODE_MAP);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
        return close_container(b);
    case FYET_ALIAS:
        b->column -= b->column > 1 ? 1 : 0; // the mark stands behind '*'
        return fail(b, HF_ERROR_SYNTAX, "aliases (*name) are not supported in model files");
    case FYET_NONE:
    case FYET_STREAM_START:
    case FYET_STREAM_END:
    case FYET_DOCUMENT_END:
        break;
    }
    return HF_OK;
}

// What libfyaml collected as its first error, with its place.
static hf_status syntax_error(builder *b, struct fy_diag *diag)
{
    void *iterator = NULL;
    const struct fy_diag_error *found = fy_diag_errors_iterate(diag, &iterator);
    if (found == NULL || found->msg == NULL) {
        return fail(b, HF_ERROR_SYNTAX, "this is not YAML");
    }
    if (found->line > 0) {
        b->line = found->line;
        b->column = found->column > 0 ? found->column : 1;
    }
    char message[256];
    size_t length = strcspn(found->msg, "\n");
    // The usual cause: an expression with "? :" without quotes.
    bool colon = strstr(found->msg, "nested block mapping on the same line") != NULL;
    (void)snprintf(message, sizeof message, "%.*s%s", length < 160 ? (int)length : 160, found->msg,
                   colon ? "; a text with ': ' in it needs quotes" : "");
    return fail(b, HF_ERROR_SYNTAX, message);
}

static void discard(struct fy_diag *diag, void *user, const char *text, size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

static hf_status run_parser(builder *b, struct fy_diag *diag, const char *text, size_t length)
{
    if (fy_parser_set_string(b->parser, text, length) != 0) {
        return out_of_memory(b);
    }
    struct fy_event *event;
    while ((event = fy_parser_parse(b->parser)) != NULL) {
        hf_status status = take_event(b, event);
        fy_parser_event_free(b->parser, event);
        if (status != HF_OK) {
            return status;
        }
    }
    if (fy_parser_get_stream_error(b->parser) || fy_diag_got_error(diag)) {
        return syntax_error(b, diag);
    }
    return HF_OK;
}

static hf_status build(builder *b, const char *text, size_t length)
{
    struct fy_diag_cfg config;
    fy_diag_cfg_default(&config);
    config.fp = NULL;
    config.output_fn = discard;
    config.colorize = false;
    struct fy_diag *diag = fy_diag_create(&config);
    if (diag == NULL) {
        return out_of_memory(b);
    }
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg parse = {
        .flags = FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE | FYPCF_DEFAULT_VERSION_1_2, .diag = diag};
    b->line = 1;
    b->column = 1;
    b->parser = fy_parser_create(&parse);
    b->pieces = fy_token_iter_create(NULL);
    hf_status status = b->parser == NULL || b->pieces == NULL ? out_of_memory(b)
                                                              : run_parser(b, diag, text, length);
    if (b->pieces != NULL) {
        fy_token_iter_destroy(b->pieces);
    }
    if (b->parser != NULL) {
        fy_parser_destroy(b->parser);
    }
    fy_diag_destroy(diag);
    return status;
}

static void skip_byte_order_mark(const char **text, size_t *length)
{
    if (*length >= 3 && memcmp(*text, "\xEF\xBB\xBF", 3) == 0) {
        *text += 3;
        *length -= 3;
    }
}

hf_status hf_document_parse(hf_document *document, const char *text, size_t length,
                            const char *label, hf_error *error)
{
    *document = (hf_document){.label = label};
    if (length > HF_FILE_MAX_BYTES) {
        return hf_error_set(error, HF_ERROR_FILE, "%s: the text is larger than %d MiB", label,
                            HF_FILE_MAX_BYTES / (1024 * 1024));
    }
    HF_TRY(hf_text_check(text, length, label, error));
    skip_byte_order_mark(&text, &length);
    builder b = {.document = document, .error = error};
    hf_status status = build(&b, text, length);
    if (status == HF_OK && b.root == NULL) {
        b.line = 1;
        b.column = 1;
        status = fail(&b, HF_ERROR_INPUT, "the file is empty");
    }
    if (status != HF_OK) {
        hf_document_free(document);
        return status;
    }
    document->root = b.root;
    return HF_OK;
}

// A number in digits needs no parser: a sign or a point, if any, then a digit, then nothing else.
static bool is_plain_number(const char *text, size_t length)
{
    size_t first = strspn(text, "+-.");
    return first <= 1 && text[first] >= '0' && text[first] <= '9' &&
           strspn(text, "0123456789.eE+-") == length;
}

static hf_status add_number(builder *b, const char *text)
{
    char *copy = hf_arena_string(&b->document->arena, text);
    hf_node *node = copy == NULL ? NULL : add_node(b, HF_NODE_SCALAR);
    if (node == NULL) {
        return copy == NULL || b->error == NULL ? out_of_memory(b) : b->error->status;
    }
    node->text = copy;
    node->plain = node->exact = true;
    return HF_OK;
}

hf_node *hf_document_parse_value(hf_document *document, const char *text, const char *label,
                                 hf_error *error)
{
    size_t length = strlen(text);
    const char *file = document->label;
    document->label = label;
    builder b = {.document = document, .error = error, .line = 1, .column = 1};
    hf_status status = hf_text_check(text, length, label, error);
    if (status == HF_OK) {
        status = is_plain_number(text, length) ? add_number(&b, text) : build(&b, text, length);
    }
    if (status == HF_OK && b.root == NULL) { // nothing after '='
        b.line = 1;
        b.column = 1;
        status = add_scalar(&b, NULL);
    }
    document->label = file;
    return status == HF_OK ? b.root : NULL;
}
