// SPDX-License-Identifier: Apache-2.0
// Prints the numbers that contacts chose for themselves, equal ones in one line.
#include "cli/choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <holdfast/coupling.h>

#include "cli/cli.h"

enum { MOST_LINES = 20, LONGEST_NAME = 40 };

// Whether a force is a contact that left stiffness, damping or filter open.
static bool chose_something(const hf_force_info *force)
{
    const hf_rigid_contact_def *wished = force->wished;
    return wished != NULL &&
           (wished->stiffness == 0.0 || wished->damping_time == 0.0 || wished->filter_time == 0.0);
}

// Pairs of a swarm have the numbers of 1 kg times their reduced mass, unless a stiffness is given.
static bool is_per_mass(const hf_force_info *force)
{
    return hf_coupling_ops_of(&force->coupling)->finds_contacts && force->wished->stiffness == 0.0;
}

// Contacts of a model that chose something, group by group.
typedef struct choices {
    hf_force *contacts; // groups in the order of their first contacts
    int *starts;        // first contact of each group; one more: the number of contacts
    int group_count;
} choices;

// Rows of the contact's law; a swarm itself has none.
static int rows_of(const hf_force_info *force)
{
    return force->dim > 0 ? force->dim : (force->coupling.turning ? 6 : 3);
}

enum { NUMBERS = 9 };

static void numbers_of(const hf_force_info *force, double numbers[NUMBERS])
{
    const hf_rigid_contact_def *d = force->def;
    const double all[NUMBERS] = {(double)rows_of(force),
                                 (double)is_per_mass(force),
                                 d->stiffness,
                                 d->damping_time,
                                 d->filter_time,
                                 d->tangent_stiffness,
                                 d->tangent_damping_time,
                                 d->spin_stiffness,
                                 d->rolling_stiffness};
    memcpy(numbers, all, sizeof all);
}

static int compare_numbers(const hf_force_info *a, const hf_force_info *b)
{
    double left[NUMBERS], right[NUMBERS];
    numbers_of(a, left);
    numbers_of(b, right);
    for (int i = 0; i < NUMBERS; ++i) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

// While groups are made: a contact, its id, and the lowest id of its group.
typedef struct entry {
    hf_force_info contact;
    int id, group;
} entry;

static int by_numbers(const void *a, const void *b)
{
    const entry *left = a, *right = b;
    int order = compare_numbers(&left->contact, &right->contact);
    return order != 0 ? order : (left->id > right->id) - (left->id < right->id);
}

static int by_group(const void *a, const void *b)
{
    const entry *left = a, *right = b;
    int order = (left->group > right->group) - (left->group < right->group);
    return order != 0 ? order : (left->id > right->id) - (left->id < right->id);
}

static void sort_into_groups(entry *entries, int count)
{
    qsort(entries, (size_t)count, sizeof *entries, by_numbers);
    for (int i = 0; i < count; ++i) {
        bool same = i > 0 && compare_numbers(&entries[i - 1].contact, &entries[i].contact) == 0;
        entries[i].group = same ? entries[i - 1].group : entries[i].id;
    }
    qsort(entries, (size_t)count, sizeof *entries, by_group);
}

static int find_contacts(const hf_model *model, entry *entries)
{
    int forces = hf_model_get_info(model).forces, count = 0;
    for (int id = 1; id <= forces; ++id) {
        hf_force_info info = hf_model_force_info(model, (hf_force){id});
        if (chose_something(&info)) {
            if (entries != NULL) {
                entries[count] = (entry){.contact = info, .id = id};
            }
            ++count;
        }
    }
    return count;
}

static void free_choices(choices *found)
{
    free(found->contacts);
    free(found->starts);
    *found = (choices){0};
}

// Empty when there are none, or no memory.
static choices find_choices(const hf_model *model)
{
    choices found = {0};
    size_t count = (size_t)find_contacts(model, NULL);
    entry *entries = calloc(count + 1, sizeof *entries);
    found.contacts = calloc(count + 1, sizeof *found.contacts);
    found.starts = calloc(count + 1, sizeof *found.starts);
    if (entries == NULL || found.contacts == NULL || found.starts == NULL) {
        hf_cli_warning("out of memory: the numbers that contacts chose are not shown");
        free(entries);
        free_choices(&found);
        return found;
    }
    (void)find_contacts(model, entries);
    sort_into_groups(entries, (int)count);
    for (int i = 0; i < (int)count; ++i) {
        found.contacts[i] = (hf_force){entries[i].id};
        if (i == 0 || entries[i].group != entries[i - 1].group) {
            found.starts[found.group_count++] = i;
        }
    }
    found.starts[found.group_count] = (int)count;
    free(entries);
    return found;
}

static void print_group(const hf_model *model, hf_force first, int count, int width)
{
    hf_contact_report r;
    hf_force_info info = hf_model_force_info(model, first);
    (void)hf_model_contact(model, first, &r);
    (void)printf("  %-*s %9d %13.5g %12.4g %12.4g %12.3f%s\n", width, info.name, count,
                 r.chosen.stiffness, r.chosen.filter_time, r.chosen.damping_time,
                 r.forecast.restitution, is_per_mass(&info) ? "  K of 1 kg of reduced mass" : "");
}

void hf_cli_print_choices(const hf_model *model)
{
    choices found = find_choices(model);
    int shown = found.group_count < MOST_LINES ? found.group_count : MOST_LINES, width = 10;
    for (int g = 0; g < shown; ++g) {
        const char *name = hf_model_force_name(model, found.contacts[found.starts[g]]);
        size_t length = strnlen(name, LONGEST_NAME);
        width = (int)length > width ? (int)length : width;
    }
    if (shown > 0) {
        (void)printf("\n%-*s %9s %13s %12s %12s %12s\n", width + 2, "Chosen", "contacts", "K [N/m]",
                     "alpha [s]", "beta [s]", "restitution");
    }
    for (int g = 0; g < shown; ++g) {
        print_group(model, found.contacts[found.starts[g]], found.starts[g + 1] - found.starts[g],
                    width);
    }
    if (shown < found.group_count) {
        (void)printf("  and %d contacts with %d other choices\n",
                     found.starts[found.group_count] - found.starts[shown],
                     found.group_count - shown);
    }
    free_choices(&found);
}

static void write_group(hf_json *json, const hf_model *model, const hf_force *contacts, int count)
{
    const hf_force_info first = hf_model_force_info(model, contacts[0]);
    const hf_rigid_contact_def *d = first.def;
    bool per_mass = is_per_mass(&first);
    hf_json_begin(json, first.name);
    hf_json_number(json, per_mass ? "stiffness_of_1_kg" : "stiffness", d->stiffness);
    hf_json_number(json, "filter_time", d->filter_time);
    hf_json_number(json, "damping_time", d->damping_time);
    if (rows_of(&first) != 1) {
        hf_json_number(json, per_mass ? "tangent_stiffness_of_1_kg" : "tangent_stiffness",
                       d->tangent_stiffness);
        hf_json_number(json, "tangent_damping_time", d->tangent_damping_time);
    }
    if (rows_of(&first) == 6) {
        hf_json_number(json, per_mass ? "spin_stiffness_of_1_kg" : "spin_stiffness",
                       d->spin_stiffness);
        hf_json_number(json, per_mass ? "rolling_stiffness_of_1_kg" : "rolling_stiffness",
                       d->rolling_stiffness);
    }
    hf_json_begin_list(json, "contacts");
    for (int i = 0; i < count; ++i) {
        hf_json_text(json, NULL, hf_model_force_name(model, contacts[i]));
    }
    hf_json_end_list(json);
    hf_json_end(json);
}

void hf_cli_write_choices(hf_json *json, const hf_model *model)
{
    choices found = find_choices(model);
    if (found.group_count > 0) {
        hf_json_begin(json, "chosen");
        for (int g = 0; g < found.group_count; ++g) {
            write_group(json, model, found.contacts + found.starts[g],
                        found.starts[g + 1] - found.starts[g]);
        }
        hf_json_end(json);
    }
    free_choices(&found);
}
