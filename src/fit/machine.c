// SPDX-License-Identifier: Apache-2.0
// A model file whose numbers are varied: which numbers a name or a pattern means, the machine with
// other values of them, and the file with these values written into it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/fit.h>

#include "base/error.h"
#include "base/measure.h"
#include "base/names.h"
#include "base/number.h"
#include "base/text.h"
#include "models/reader.h"
#include "models/tree/override.h"

enum { NAME_SIZE = 200, MOST_FREE = 256, ITEM_SIZE = NAME_SIZE + 40 };

// A number that is free.
typedef struct entry {
    char name[NAME_SIZE]; // as the user calls it
    char path[NAME_SIZE]; // of --set; "": it stands nowhere in the file, parameter.h names it
    char unit[24];
    double factor; // to SI, of a number that the file has in a unit of its key `unit`; 0: SI
} entry;

struct hf_fit_machine {
    char *text, *label, *folder;
    size_t length;
    hf_overrides overrides;
    const char **items;   // of the overrides
    hf_document document; // as the file is
    hf_document changed;  // with the overrides, for first guesses
    hf_model *model;      // as it is with the overrides
    int count;
    entry entries[MOST_FREE];
};

void hf_fit_machine_destroy(hf_fit_machine *machine)
{
    if (machine == NULL) {
        return;
    }
    hf_model_destroy(machine->model);
    hf_document_free(&machine->document);
    hf_document_free(&machine->changed);
    free((void *)machine->items);
    free(machine->text);
    free(machine->label);
    free(machine->folder);
    free(machine);
}

hf_fit_machine *hf_fit_machine_create(const char *text, size_t length, const char *label,
                                      const char *folder, const hf_overrides *overrides,
                                      hf_error *error)
{
    hf_fit_machine *m = calloc(1, sizeof *m);
    if (m == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    // Texts of its own
    m->length = length;
    m->text = hf_text_copy(text, length);
    m->label = hf_text_copy(label, strlen(label));
    m->folder = folder == NULL ? NULL : hf_text_copy(folder, strlen(folder));
    m->overrides = overrides == NULL ? (hf_overrides){0} : *overrides;
    m->overrides.dropped = NULL;
    m->items = calloc((size_t)m->overrides.count + 1, sizeof *m->items);
    if (m->text == NULL || m->label == NULL || (folder != NULL && m->folder == NULL) ||
        m->items == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
        hf_fit_machine_destroy(m);
        return NULL;
    }
    // What was changed on the command line
    for (int i = 0; i < m->overrides.count; ++i) {
        m->items[i] = m->overrides.items[i];
    }
    m->overrides.items = m->items;
    // It must compile; its text is kept as a tree
    m->model = hf_model_parse(m->text, length, m->label, m->folder, &m->overrides, error);
    if (m->model == NULL ||
        hf_document_parse(&m->document, m->text, length, m->label, error) != HF_OK ||
        hf_document_parse(&m->changed, m->text, length, m->label, error) != HF_OK ||
        hf_overrides_apply(&m->changed, &m->overrides, error) != HF_OK) {
        hf_fit_machine_destroy(m);
        return NULL;
    }
    return m;
}

// ------------------------------------------------------------------------------------------------
// The machine with other numbers

// A number as the file has it.
static double written(const entry *e, double value)
{
    return e->factor > 0.0 ? value / e->factor : value;
}

static hf_spec *make(const hf_fit_machine *m, const entry *entries, int count, const double *values,
                     hf_error *error)
{
    size_t room = (size_t)(m->overrides.count + count) + 1;
    const char **items = calloc(room, sizeof *items);
    char *texts = malloc(((size_t)count + 1) * ITEM_SIZE);
    hf_spec *spec = NULL;
    if (items == NULL || texts == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    } else {
        // The overrides, and numbers as further ones
        hf_overrides overrides = m->overrides;
        overrides.items = items;
        for (int i = 0; i < m->overrides.count; ++i) {
            items[i] = m->items[i];
        }
        for (int i = 0; i < count; ++i) {
            char number[HF_NUMBER_SIZE];
            if (entries[i].path[0] != '\0') {
                (void)hf_number_format(written(&entries[i], values[i]), number);
                (void)snprintf(texts + i * ITEM_SIZE, ITEM_SIZE, "%s=%s", entries[i].path, number);
                items[overrides.count++] = texts + i * ITEM_SIZE;
            }
        }
        spec = hf_spec_parse(m->text, m->length, m->label, m->folder, &overrides, error);
    }
    // Numbers that are parameters of the model
    for (int i = 0; i < count && spec != NULL; ++i) {
        if (entries[i].path[0] == '\0' &&
            hf_spec_set_parameter(spec, entries[i].name, values[i], error) != HF_OK) {
            hf_spec_destroy(spec);
            spec = NULL;
        }
    }
    free((void *)items);
    free(texts);
    return spec;
}

hf_spec *hf_fit_machine_make(void *machine, const double *values, hf_error *error)
{
    const hf_fit_machine *m = machine;
    return make(m, m->entries, m->count, values, error);
}

// Whether the machine takes this number.
static bool takes(const hf_fit_machine *m, const entry *e, double value)
{
    hf_error error = {0};
    hf_spec *spec = make(m, e, 1, &value, &error);
    hf_spec_destroy(spec);
    return spec != NULL;
}

// ------------------------------------------------------------------------------------------------
// Names

static bool fits(const char *pattern, const char *name)
{
    for (; *pattern != '\0' && *pattern != '*'; ++pattern, ++name) {
        if (*pattern != *name) {
            return false;
        }
    }
    if (*pattern == '\0') {
        return *name == '\0';
    }
    for (;; ++name) {
        if (fits(pattern + 1, name)) {
            return true;
        }
        if (*name == '\0') {
            return false;
        }
    }
}

// The number that the model has now: of a parameter of the file, or of a scalar.
static bool number_of(const hf_node *node, double *number)
{
    const char *unit;
    hf_measure measure;
    if (node == NULL || node->kind != HF_NODE_SCALAR || !node->plain) {
        return false;
    }
    return (hf_number_parse(node->text, strlen(node->text), number) && isfinite(*number)) ||
           hf_measured_number(node->text, number, &unit, &measure);
}

// "forces.pad.level.coulomb" as parameter.h calls it, "pad.level.kinetic", for its unit.
static void spec_name(const char *path, char name[NAME_SIZE])
{
    const char *rest =
        strncmp(path, "forces.", 7) == 0 || strncmp(path, "bodies.", 7) == 0 ? path + 7 : path;
    const char *joints = strstr(rest, ".joints.");
    int head = joints == NULL ? 0 : (int)(joints - rest);
    (void)snprintf(name, NAME_SIZE, "%.*s%s%.99s", head < 99 ? head : 99, rest,
                   joints == NULL ? "" : ".", joints == NULL ? rest : joints + 8);
    char *coulomb = strstr(name, "level.coulomb");
    if (coulomb != NULL && strlen(coulomb) == 13) {
        memcpy(coulomb + 6, "kinetic", 8);
    }
}

typedef struct unit_search {
    const char *name;
    char *unit;
    size_t size;
} unit_search;

static bool find_unit(void *context, const hf_parameter *parameter)
{
    unit_search *s = context;
    if (strcmp(parameter->name, s->name) == 0) {
        (void)snprintf(s->unit, s->size, "%s", parameter->unit);
        return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Freeing

typedef struct freeing {
    hf_fit_machine *machine;
    const char *pattern;
    hf_fit_parameter *parameters;
    int room, count;
    bool again; // something fits that is free already
    hf_status status;
    hf_error *error;
} freeing;

// Adds one number. A negative one that the machine refuses gives the lower bound 0.
static bool add(freeing *f, const entry *e, double start, double low, double high)
{
    hf_fit_machine *m = f->machine;
    for (int i = 0; i < m->count; ++i) {
        if (strcmp(m->entries[i].name, e->name) == 0) {
            f->again = true; // by a name or a pattern before
            return true;
        }
    }
    if (m->count >= MOST_FREE || f->count >= f->room) {
        f->status = hf_error_set(f->error, HF_ERROR_RANGE, "'%.100s': more than %d free numbers",
                                 f->pattern, f->count >= f->room ? f->room : MOST_FREE);
        return false;
    }
    entry *kept = &m->entries[m->count];
    *kept = *e;
    if (kept->unit[0] == '\0') {
        char name[NAME_SIZE];
        spec_name(e->path[0] != '\0' ? e->path : e->name, name);
        unit_search search = {name, kept->unit, sizeof kept->unit};
        hf_model_parameters(m->model, find_unit, &search);
    }
    if (!isfinite(low) && start >= 0.0 && !takes(m, kept, start > 0.0 ? -start : -1.0)) {
        low = 0.0;
    }
    f->parameters[f->count++] = (hf_fit_parameter){
        .name = kept->name, .unit = kept->unit, .start = start, .low = low, .high = high};
    m->count += 1;
    return true;
}

static bool add_path(freeing *f, const char *path, const char *name, double start)
{
    entry e = {0};
    (void)snprintf(e.path, sizeof e.path, "%s", path);
    (void)snprintf(e.name, sizeof e.name, "%s", name);
    return strlen(path) >= NAME_SIZE || add(f, &e, start, -INFINITY, INFINITY);
}

// The unit of a parameter of the file: values are in SI here, whatever it was given in.
static void find_unit_of(const hf_fit_machine *m, const hf_parameter_def *p, entry *e)
{
    const hf_node *section = hf_node_get(m->document.root, "parameters");
    const hf_node *node = section == NULL ? NULL : hf_node_get(section, p->name);
    bool keyed = node != NULL && node->kind == HF_NODE_MAP && hf_node_get(node, "unit") != NULL;
    hf_measure measure = {.factor = 1.0};
    size_t position = 0;
    char shown[HF_MEASURE_SHOWN];
    bool known = p->unit != NULL && hf_measure_parse(p->unit, false, &measure, &position);
    bool other = known && measure.factor != 1.0;
    e->factor = keyed && other ? measure.factor : 0.0;
    (void)snprintf(e->unit, sizeof e->unit, "%.23s",
                   other ? hf_measure_show(&measure, shown) : p->unit);
}

// The file's `parameters:`.
static bool free_parameters(freeing *f)
{
    const hf_model *model = f->machine->model;
    // By their names, or as `--set` has them
    static const char section[] = "parameters.";
    bool by_path = strncmp(f->pattern, section, sizeof section - 1) == 0;
    const char *pattern = by_path ? f->pattern + sizeof section - 1 : f->pattern;
    for (int i = 0; i < hf_model_parameter_count(model); ++i) {
        hf_parameter_def p = hf_model_parameter(model, i);
        if (fits(pattern, p.name)) {
            entry e = {0};
            (void)snprintf(e.name, sizeof e.name, "%s", p.name);
            (void)snprintf(e.path, sizeof e.path, "%s", p.name);
            find_unit_of(f->machine, &p, &e);
            if (!add(f, &e, p.value, p.low, p.high)) {
                return false;
            }
        }
    }
    return true;
}

// Numbers below an entry of the file whose paths fit the pattern.
static bool free_entries(freeing *f, const hf_node *node, const char *path)
{
    double number = 0.0;
    if (node->kind == HF_NODE_SCALAR) {
        // The overrides come first
        return !fits(f->pattern, path) || !number_of(node, &number) ||
               (number_of(hf_document_find(&f->machine->changed, path), &number) &&
                add_path(f, path, path, number)) ||
               f->status == HF_OK;
    }
    int index = 0;
    for (const hf_node *item = node->first; item != NULL; item = item->next, ++index) {
        char below[2 * NAME_SIZE];
        const hf_node *named = item->kind == HF_NODE_MAP ? hf_node_get(item, "name") : NULL;
        const char *dot = path[0] == '\0' ? "" : ".";
        if (node->kind == HF_NODE_MAP) {
            (void)snprintf(below, sizeof below, "%s%s%.100s", path, dot, item->key);
        } else if (named != NULL && named->kind == HF_NODE_SCALAR) {
            (void)snprintf(below, sizeof below, "%s%s%.100s", path, dot, named->text);
        } else {
            (void)snprintf(below, sizeof below, "%s%s%d", path, dot, index);
        }
        if (strlen(below) < NAME_SIZE && !free_entries(f, item, below)) {
            return false;
        }
    }
    return true;
}

static bool free_entry_tree(freeing *f)
{
    static const char *const sections[] = {"bodies", "forces", "signals", "defaults", "gravity"};
    bool good = true;
    for (size_t i = 0; i < sizeof sections / sizeof *sections && good; ++i) {
        const hf_node *section = hf_node_get(f->machine->document.root, sections[i]);
        good = section == NULL || free_entries(f, section, sections[i]);
    }
    return good;
}

// Where the file has what parameter.h calls `name`; "" when nowhere.
static void path_of(const hf_fit_machine *m, const char *name, char path[NAME_SIZE], double *number)
{
    const char *dot = strchr(name, '.');
    const char *last = strrchr(name, '.');
    bool kinetic = last != NULL && strcmp(last, ".kinetic") == 0;
    int head = dot == NULL ? 0 : (int)(dot - name);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < (kinetic ? 3 : 1); ++k) {
            // kinetic: also called coulomb, or the level itself
            int length = (int)(k == 0 || last == NULL ? strlen(name) : (size_t)(last - name));
            const char *end = k == 1 ? ".coulomb" : "";
            if (i < 2) {
                (void)snprintf(path, NAME_SIZE, "%s.%.*s%s", i == 0 ? "forces" : "bodies", length,
                               name, end);
            } else {
                (void)snprintf(path, NAME_SIZE, "bodies.%.*s.joints%.*s%s", head, name,
                               length - head, name + head, end);
            }
            if (number_of(hf_document_find(&m->document, path), number)) {
                return;
            }
        }
    }
    path[0] = '\0';
}

static bool visit_parameter(void *context, const hf_parameter *parameter)
{
    freeing *f = context;
    if (!fits(f->pattern, parameter->name)) {
        return true;
    }
    entry e = {0};
    double number = 0.0;
    (void)snprintf(e.name, sizeof e.name, "%s", parameter->name);
    (void)snprintf(e.unit, sizeof e.unit, "%s", parameter->unit);
    path_of(f->machine, parameter->name, e.path, &number);
    return add(f, &e, parameter->value, -INFINITY, INFINITY);
}

typedef struct name_list {
    const char **names;
    int count, room;
    hf_arena arena;
} name_list;

static bool list_name(void *context, const hf_parameter *parameter)
{
    name_list *list = context;
    char *copy = list->count < list->room ? hf_arena_string(&list->arena, parameter->name) : NULL;
    if (copy != NULL) {
        list->names[list->count++] = copy;
    }
    return copy != NULL;
}

static int nothing_fits(freeing *f)
{
    const hf_model *model = f->machine->model;
    const hf_node *node = hf_document_find(&f->machine->document, f->pattern);
    const char *names[4096];
    name_list list = {.names = names, .room = 4096};
    for (int i = 0; i < hf_model_parameter_count(model) && list.count < 1000; ++i) {
        names[list.count++] = hf_model_parameter(model, i).name;
    }
    hf_model_parameters(model, list_name, &list);
    const char *nearest = hf_nearest_name(f->pattern, names, list.count);
    if (node != NULL) {
        char shown[HF_NODE_SHOWN];
        (void)hf_node_error(&f->machine->document, node, f->error, HF_ERROR_INPUT,
                            "'%.100s' is %s, not a number that can be varied; where it is a "
                            "formula, free the parameters in it",
                            f->pattern, hf_node_show(node, shown));
    } else {
        (void)hf_error_set(f->error, HF_ERROR_NAME,
                           "the model has no number '%.100s'%s%s%s; 'holdfast parameters' lists "
                           "those with names, any other goes by its path in the file",
                           f->pattern, nearest == NULL ? "" : " (did you mean '",
                           nearest == NULL ? "" : nearest, nearest == NULL ? "" : "'?)");
    }
    hf_arena_free(&list.arena);
    return 0;
}

int hf_fit_machine_free(hf_fit_machine *machine, const char *pattern, hf_fit_parameter *parameters,
                        int room, hf_error *error)
{
    hf_error own = {0};
    freeing f = {.machine = machine,
                 .pattern = pattern,
                 .parameters = parameters,
                 .room = room,
                 .error = error == NULL ? &own : error};
    bool good = free_parameters(&f) && (f.count > 0 || f.again || free_entry_tree(&f));
    if (good && f.count == 0 && !f.again) {
        hf_model_parameters(machine->model, visit_parameter, &f);
    }
    if (f.status < 0) {
        return 0;
    }
    if (f.count == 0 && f.again) {
        (void)hf_error_set(f.error, HF_ERROR_INPUT,
                           "'%.100s' is free already, by a name or a pattern before it", pattern);
        return 0;
    }
    return f.count > 0 ? f.count : nothing_fits(&f);
}

// ------------------------------------------------------------------------------------------------
// The file with other numbers

// Where a scalar's text begins in the file; NULL when it does not stand there letter by letter.
static const char *place_of(const hf_fit_machine *m, const hf_node *node)
{
    const char *line = m->text;
    for (int i = 1; i < node->line; ++i) {
        line = strchr(line, '\n');
        if (line == NULL) {
            return NULL;
        }
        ++line;
    }
    size_t length = strlen(node->text);
    size_t line_length = strcspn(line, "\n");
    // Columns count letters; before them may stand letters of several bytes
    for (size_t at = (size_t)node->text_column - 1; at + length <= line_length; ++at) {
        if (strncmp(line + at, node->text, length) == 0) {
            return line + at;
        }
    }
    return NULL;
}

typedef struct change {
    const char *place;
    size_t length;
    char text[HF_NUMBER_SIZE];
} change;

static int by_place(const void *a, const void *b)
{
    const change *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static hf_status find_changes(const hf_fit_machine *m, const double *values, change *changes,
                              hf_error *error)
{
    for (int i = 0; i < m->count; ++i) {
        const entry *e = &m->entries[i];
        const hf_node *node = e->path[0] == '\0' ? NULL : hf_document_find(&m->document, e->path);
        if (node != NULL && node->kind == HF_NODE_MAP) { // a parameter with a unit or a range
            node = hf_node_get(node, "value");
        }
        const char *place =
            node != NULL && node->kind == HF_NODE_SCALAR && node->exact ? place_of(m, node) : NULL;
        if (place == NULL) {
            return hf_error_set(error, HF_ERROR_INPUT,
                                "%.200s: '%.100s' stands nowhere in the file as a number of its "
                                "own; write it there to have it changed",
                                m->label, e->name);
        }
        changes[i] = (change){.place = place, .length = strlen(node->text)};
        (void)snprintf(changes[i].text, sizeof changes[i].text, "%.8g", written(e, values[i]));
    }
    qsort(changes, (size_t)m->count, sizeof *changes, by_place);
    return HF_OK;
}

char *hf_fit_machine_text(const hf_fit_machine *machine, const double *values, hf_error *error)
{
    change *changes = calloc((size_t)machine->count + 1, sizeof *changes);
    char *out = malloc(machine->length + (size_t)machine->count * HF_NUMBER_SIZE + 1);
    if (changes == NULL || out == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    } else if (find_changes(machine, values, changes, error) == HF_OK) {
        const char *from = machine->text;
        char *to = out;
        for (int i = 0; i < machine->count; ++i) {
            size_t kept = (size_t)(changes[i].place - from), length = strlen(changes[i].text);
            memcpy(to, from, kept);
            memcpy(to + kept, changes[i].text, length);
            to += kept + length;
            from = changes[i].place + changes[i].length;
        }
        memcpy(to, from, strlen(from) + 1);
        free(changes);
        return out;
    }
    free(changes);
    free(out);
    return NULL;
}
