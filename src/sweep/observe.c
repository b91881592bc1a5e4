// SPDX-License-Identifier: Apache-2.0
// Reading expressions: words are translated (channels and gathered values become variables), and
// what is left is math/expression.h's.
#include "sweep/observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"

enum { LONGEST = 4096, SHOWN = 120, WORD_SIZE = 200 };

typedef struct reading {
    hf_observe *observe;
    const hf_model *model;
    hf_error *error;
    const char *whole; // for messages
} reading;

static hf_status out_of_memory(hf_error *error)
{
    return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep");
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// ------------------------------------------------------------------------------------------------
// Texts being made

typedef struct text {
    char bytes[LONGEST];
    size_t length;
} text;

static bool put(text *t, const char *bytes, size_t length)
{
    if (length >= sizeof t->bytes - t->length) {
        return false;
    }
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
    return true;
}

static bool put_variable(text *t, char letter, int number)
{
    char name[24];
    int length = snprintf(name, sizeof name, "%c_%d", letter, number);
    return put(t, name, (size_t)length);
}

// ------------------------------------------------------------------------------------------------
// Programs

// Variables letter_0 .. letter_(count-1), and the time t in the last slot.
static hf_expression *create(const reading *r, const char *program, char letter, int count)
{
    size_t room = (size_t)count + 1;
    char(*names)[24] = calloc(room, sizeof *names);
    const char **list = calloc(room, sizeof *list);
    hf_expression *expression = NULL;
    if (names != NULL && list != NULL) {
        for (int i = 0; i < count; ++i) {
            (void)snprintf(names[i], sizeof names[i], "%c_%d", letter, i);
            list[i] = names[i];
        }
        list[count] = "t";
        const hf_expression_scope scope = {.names = list, .count = count + 1, .time = -1};
        hf_expression_fault fault = {0};
        expression = hf_expression_create(program, scope, &fault);
        if (expression == NULL) {
            (void)hf_error_set(r->error, HF_ERROR_SYNTAX, "of '%.*s': %.200s", SHOWN, r->whole,
                               fault.text);
        }
    } else {
        (void)out_of_memory(r->error);
    }
    free((void *)list);
    free(names);
    return expression;
}

static hf_status status_of(const reading *r)
{
    return r->error == NULL ? HF_ERROR_SYNTAX : r->error->status;
}

// ------------------------------------------------------------------------------------------------
// Words

static bool is_name(const reading *r, const char *from, size_t length)
{
    char word[WORD_SIZE];
    if (length >= WORD_SIZE) {
        return false;
    }
    memcpy(word, from, length);
    word[length] = '\0';
    return hf_model_find_channel(r->model, word).id != 0 ||
           hf_model_find_force(r->model, word).id != 0;
}

// The end of the longest name of a channel or force with '-' in it that begins at `from`; `end`, of
// the word without, where there is none: "box-1.position.z - 2" begins with a name, "a.x-b.x" not.
static const char *extend_word(const reading *r, const char *from, const char *end)
{
    const char *last = end;
    while (is_letter(*last) || is_digit(*last) || *last == '.' || *last == '-') {
        ++last;
    }
    for (; last > end; --last) {
        if (last[-1] != '-' && last[-1] != '.' && is_name(r, from, (size_t)(last - from))) {
            return last;
        }
    }
    return end;
}

// A word: letters, digits, '_' and '.', a name with '-', or anything in single quotes. *next is
// behind it.
static bool take_word(const reading *r, const char *from, char word[WORD_SIZE], const char **next)
{
    const char *start = from, *end = from;
    if (*from == '\'') {
        start = from + 1;
        end = strchr(start, '\'');
        if (end == NULL) {
            return false;
        }
        *next = end + 1;
    } else {
        while (is_letter(*end) || is_digit(*end) || (*end == '.' && is_letter(end[1])) ||
               (*end == '.' && is_digit(end[1]) && end > start)) {
            ++end;
        }
        end = extend_word(r, from, end);
        *next = end;
    }
    size_t length = (size_t)(end - start);
    if (length == 0 || length >= WORD_SIZE) {
        return false;
    }
    memcpy(word, start, length);
    word[length] = '\0';
    return true;
}

static const char *skip_number(const char *from)
{
    const char *c = from;
    while (is_digit(*c) || *c == '.') {
        ++c;
    }
    if ((*c == 'e' || *c == 'E') &&
        (is_digit(c[1]) || ((c[1] == '-' || c[1] == '+') && is_digit(c[2])))) {
        c += 2;
        while (is_digit(*c)) {
            ++c;
        }
    }
    return c;
}

static const char *skip_blanks(const char *from)
{
    return from + strspn(from, " \t");
}

// The ')' that belongs to the '(' at `open`; NULL: none. *commas: at its own level.
static const char *find_close(const char *open, int *commas)
{
    int depth = 0;
    *commas = 0;
    for (const char *c = open; *c != '\0'; ++c) {
        depth += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        *commas += *c == ',' && depth == 1 ? 1 : 0;
        if (depth == 0) {
            return c;
        }
    }
    return NULL;
}

// Whether the word is a channel: 1; 0: no. -1: a group of channels, or a channel's name that is
// wrong, with the error filled.
static int is_channel(const reading *r, const char *word)
{
    if (hf_model_find_channel(r->model, word).id != 0) {
        return 1;
    }
    if (strchr(word, '.') == NULL) {
        return 0;
    }
    char nearest[WORD_SIZE] = "";
    hf_channel parts[1] = {{0}};
    if (hf_model_expand_channels(r->model, word, parts, 1) > 0) {
        hf_model_channel_name(r->model, parts[0], nearest, sizeof nearest);
        (void)hf_error_set(r->error, HF_ERROR_NAME,
                           "of '%.*s': '%.80s' is several channels; name one, as in '%.100s'",
                           SHOWN, r->whole, word, nearest);
        return -1;
    }
    hf_model_nearest_channel(r->model, word, nearest, sizeof nearest);
    (void)hf_error_set(r->error, HF_ERROR_NAME, "of '%.*s': there is no channel '%.80s'%s%.100s%s",
                       SHOWN, r->whole, word, nearest[0] == '\0' ? "" : "; did you mean '", nearest,
                       nearest[0] == '\0' ? "" : "'?");
    return -1;
}

// The number of a channel among those that the program reads; negative: out of memory.
static int use_channel(const reading *r, const char *word)
{
    hf_observe *o = r->observe;
    for (int i = 0; i < o->channel_count; ++i) {
        if (strcmp(o->channels[i], word) == 0) {
            return i;
        }
    }
    const char **larger =
        hf_grow((void *)o->channels, (size_t)o->channel_count, &o->channel_room, sizeof *larger);
    char *name = hf_arena_string(&o->arena, word);
    if (larger != NULL) {
        o->channels = larger;
    }
    if (larger == NULL || name == NULL) {
        (void)out_of_memory(r->error);
        return -1;
    }
    o->channels[o->channel_count] = name;
    return o->channel_count++;
}

// ------------------------------------------------------------------------------------------------
// Inner and outer expressions

// A word that is no channel. Names of our own variables mean nothing to the user.
static bool put_word(text *t, const char *word)
{
    bool ours = (word[0] == 'c' || word[0] == 'g') && word[1] == '_' && is_digit(word[2]);
    return put(t, "_", ours ? 1 : 0) && put(t, word, strlen(word));
}

static hf_status too_long(const reading *r)
{
    return hf_error_set(r->error, HF_ERROR_INPUT, "of '%.*s': longer than %d letters", SHOWN,
                        r->whole, LONGEST);
}

static hf_status syntax(const reading *r, const char *what)
{
    return hf_error_set(r->error, HF_ERROR_SYNTAX, "of '%.*s': %s", SHOWN, r->whole, what);
}

// Translates channels of an inner expression.
static hf_status translate_inner(const reading *r, const char *from, const char *end, text *out)
{
    while (from < end) {
        const char *next = from + 1;
        char word[WORD_SIZE];
        bool good = true;
        // Numbers and signs stay
        if (is_digit(*from)) {
            next = skip_number(from);
            good = put(out, from, (size_t)(next - from));
        } else if (is_letter(*from) || *from == '\'') {
            if (!take_word(r, from, word, &next)) {
                return syntax(r, "a name is not ended, or too long");
            }
            // Words: channels become variables
            int channel = *skip_blanks(next) == '(' ? 0 : is_channel(r, word);
            int slot = channel == 1 ? use_channel(r, word) : 0;
            if (channel < 0 || slot < 0) {
                return status_of(r);
            }
            good = channel == 1 ? put_variable(out, 'c', slot) : put_word(out, word);
        } else {
            good = put(out, from, 1);
        }
        if (!good) {
            return too_long(r);
        }
        from = next;
    }
    return HF_OK;
}

static hf_status add_gather(const reading *r, hf_gather gather, text *out)
{
    hf_observe *o = r->observe;
    hf_gather *larger =
        hf_grow(o->gathers, (size_t)o->gather_count, &o->gather_room, sizeof *larger);
    if (larger == NULL) {
        hf_expression_destroy(gather.expression);
        return out_of_memory(r->error);
    }
    o->gathers = larger;
    o->gathers[o->gather_count] = gather;
    return put_variable(out, 'g', o->gather_count++) ? HF_OK : too_long(r);
}

// The widest that channel variables may become is not known yet: expressions are created with as
// many as there are now, and later channels only come behind (the time has a slot of its own).
static hf_status add_inner(const reading *r, hf_gather_kind kind, const char *from, const char *end,
                           text *out)
{
    text *inner = calloc(1, sizeof *inner);
    if (inner == NULL) {
        return out_of_memory(r->error);
    }
    hf_status status = translate_inner(r, from, end, inner);
    if (status == HF_OK) {
        hf_gather gather = {
            .kind = kind, .expression = create(r, inner->bytes, 'c', HF_EXPRESSION_MAX_SLOTS - 1)};
        status = gather.expression == NULL ? status_of(r) : add_gather(r, gather, out);
    }
    free(inner);
    return status;
}

static hf_status add_force(const reading *r, hf_gather_kind kind, const char *from, const char *end,
                           text *out)
{
    char word[WORD_SIZE];
    const char *next = NULL;
    from = skip_blanks(from);
    if (!take_word(r, from, word, &next) || skip_blanks(next) != end ||
        hf_model_find_force(r->model, word).id == 0) {
        return hf_error_set(r->error, HF_ERROR_NAME,
                            "of '%.*s': expected the name of a force in the brackets, got '%.*s'",
                            SHOWN, r->whole, (int)(end - from < 60 ? end - from : 60), from);
    }
    hf_gather gather = {.kind = kind, .force = hf_arena_string(&r->observe->arena, word)};
    return gather.force == NULL ? out_of_memory(r->error) : add_gather(r, gather, out);
}

static const char *const gather_names[] = {
#define HF_GATHER_WORD(name, word) word,
    HF_GATHER_LIST(HF_GATHER_WORD)
#undef HF_GATHER_WORD
};

// Neither a channel nor a word of expressions: said here, where the names are the user's.
static hf_status unknown_name(const reading *r, const char *word)
{
    const char *nearest = hf_nearest_name(word, gather_names, HF_GATHER_COUNT_OF);
    return hf_error_set(r->error, HF_ERROR_NAME,
                        "of '%.*s': unknown name '%.60s'%s%s%s; it knows channels, functions of "
                        "numbers, and over the run %s, %s, %s, ...",
                        SHOWN, r->whole, word, nearest == NULL ? "" : " (did you mean '",
                        nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)",
                        gather_names[0], gather_names[1], gather_names[2]);
}

static hf_gather_kind find_gather(const char *word)
{
    for (int i = 0; i < HF_GATHER_COUNT_OF; ++i) {
        if (strcmp(gather_names[i], word) == 0) {
            return (hf_gather_kind)i;
        }
    }
    return HF_GATHER_COUNT_OF;
}

// A word of the outer expression. *next is behind what it stands for.
static hf_status translate_word(const reading *r, const char *from, const char **next, text *out)
{
    char word[WORD_SIZE];
    if (!take_word(r, from, word, next)) {
        return syntax(r, "a name is not ended, or too long");
    }
    // A function that gathers over the run
    const char *open = skip_blanks(*next);
    hf_gather_kind kind = find_gather(word);
    int commas = 0;
    if (*open == '(' && kind < HF_GATHER_LEDGER) {
        const char *close = find_close(open, &commas);
        if (close == NULL) {
            return syntax(r, "a '(' is not closed");
        }
        if (commas == 0) {
            *next = close + 1;
            return kind < HF_GATHER_STICK ? add_inner(r, kind, open + 1, close, out)
                                          : add_force(r, kind, open + 1, close, out);
        }
    }
    // A fact of the run
    if (*open != '(' && kind == HF_GATHER_LEDGER) {
        return add_gather(r, (hf_gather){.kind = kind}, out);
    }
    // A channel stands for its value at the end
    int channel = *open == '(' ? 0 : is_channel(r, word);
    if (channel < 0) {
        return status_of(r);
    }
    if (channel == 1) {
        return add_inner(r, HF_GATHER_FINAL, from, *next, out);
    }
    // A word of expressions, and nothing else
    static const char *const time[] = {"t"};
    const hf_expression_scope scope = {.names = time, .count = 1, .time = -1};
    char call[WORD_SIZE + 8];
    hf_expression_fault fault = {0};
    (void)snprintf(call, sizeof call, "%s(t)", word);
    hf_expression *known = hf_expression_create(call, scope, &fault);
    bool strange = known == NULL && !hf_expression_knows(scope, word) &&
                   strstr(fault.text, "unknown name") != NULL;
    hf_expression_destroy(known);
    if (strange && kind < HF_GATHER_LEDGER) {
        return hf_error_set(r->error, HF_ERROR_SYNTAX,
                            "of '%.*s': %s has one thing in brackets, %s(%s)%s", SHOWN, r->whole,
                            word, word, kind < HF_GATHER_STICK ? "X" : "FORCE",
                            commas > 0 ? ", not several" : "");
    }
    if (strange) {
        return unknown_name(r, word);
    }
    return put_word(out, word) ? HF_OK : too_long(r);
}

static hf_status translate(const reading *r, const char *from, text *out)
{
    while (*from != '\0') {
        const char *next = from + 1;
        if (is_letter(*from) || *from == '\'') {
            HF_TRY(translate_word(r, from, &next, out));
        } else {
            next = is_digit(*from) ? skip_number(from) : next;
            if (!put(out, from, (size_t)(next - from))) {
                return too_long(r);
            }
        }
        from = next;
    }
    return HF_OK;
}

// "NAME=EXPRESSION": the '=' of the name, or NULL.
static const char *find_name(const char *whole)
{
    const char *c = whole;
    while (is_letter(*c) || (c > whole && (is_digit(*c) || *c == '.'))) {
        ++c;
    }
    return c > whole && *c == '=' && c[1] != '=' ? c : NULL;
}

static hf_status add_output(const reading *r, const char *name, size_t length, const text *program)
{
    hf_observe *o = r->observe;
    hf_output *larger =
        hf_grow(o->outputs, (size_t)o->output_count, &o->output_room, sizeof *larger);
    char *kept = hf_arena_alloc(&o->arena, length + 1, 1);
    if (larger != NULL) {
        o->outputs = larger;
    }
    if (larger == NULL || kept == NULL) {
        return out_of_memory(r->error);
    }
    memcpy(kept, name, length);
    for (int i = 0; i < o->output_count; ++i) {
        if (strcmp(o->outputs[i].name, kept) == 0) {
            return hf_error_set(r->error, HF_ERROR_NAME, "of '%.*s': asked for twice", SHOWN, kept);
        }
    }
    hf_expression *expression = create(r, program->bytes, 'g', HF_EXPRESSION_MAX_SLOTS - 1);
    if (expression == NULL) {
        return status_of(r);
    }
    o->outputs[o->output_count++] = (hf_output){kept, expression};
    return HF_OK;
}

hf_status hf_observe_add(hf_observe *observe, const hf_model *model, const char *name,
                         const char *whole, hf_error *error)
{
    reading r = {observe, model, error, whole};
    const char *equals = name != NULL ? NULL : find_name(whole);
    const char *program = equals == NULL ? whole : equals + 1;
    size_t length = equals == NULL ? strlen(whole) : (size_t)(equals - whole);
    length = name == NULL ? length : strlen(name);
    if (strlen(whole) >= LONGEST) {
        return too_long(&r);
    }
    text *out = calloc(1, sizeof *out);
    if (out == NULL) {
        return out_of_memory(error);
    }
    hf_status status = translate(&r, program, out);
    if (status == HF_OK) {
        status = add_output(&r, name == NULL ? whole : name, length, out);
    }
    free(out);
    const int most = HF_EXPRESSION_MAX_SLOTS - 1;
    if (status == HF_OK && (observe->channel_count > most || observe->gather_count > most)) {
        status = hf_error_set(error, HF_ERROR_RANGE,
                              "more than %d channels or values are asked for in expressions", most);
    }
    return status;
}

void hf_observe_free(hf_observe *observe)
{
    for (int i = 0; i < observe->gather_count; ++i) {
        hf_expression_destroy(observe->gathers[i].expression);
    }
    for (int i = 0; i < observe->output_count; ++i) {
        hf_expression_destroy(observe->outputs[i].expression);
    }
    free((void *)observe->channels);
    free(observe->gathers);
    free(observe->outputs);
    hf_arena_free(&observe->arena);
    *observe = (hf_observe){0};
}
