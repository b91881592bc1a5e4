// SPDX-License-Identifier: Apache-2.0
// Tables in HDF5, read back. Files are not trusted: sizes are checked before memory is taken.
#include <hdf5.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "record/hdf5_guard.h"
#include "record/source.h"
#include "record/table.h"

enum { LONGEST_TEXT = 1 << 16 };

static hf_status out_of_memory(const hf_source *s)
{
    return hf_error_set(s->error, HF_ERROR_MEMORY, "out of memory for a table");
}

// Reads one member of all rows into memory of `size` bytes each.
static hf_status read_member(const hf_source *s, hid_t dataset, const char *name, hid_t member,
                             size_t size, void *to)
{
    hid_t memory = H5Tcreate(H5T_COMPOUND, size);
    bool good = memory >= 0 && H5Tinsert(memory, name, 0, member) >= 0 &&
                H5Dread(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0;
    hf_status status = good ? HF_OK : hf_source_fail(s, "/table");
    if (memory >= 0) {
        (void)H5Tclose(memory);
    }
    return status;
}

static hf_status read_texts(const hf_source *s, hid_t dataset, hid_t member,
                            hf_table_column *column, size_t rows)
{
    size_t width = H5Tget_size(member);
    if (H5Tis_variable_str(member) != 0 || width == 0 || width > LONGEST_TEXT) {
        return hf_source_refuse(s, column->name, "does not hold texts of one length");
    }
    char *bytes = calloc(rows + 1, width);
    column->texts = calloc(rows + 1, sizeof *column->texts);
    hf_status status = bytes == NULL || column->texts == NULL
                           ? out_of_memory(s)
                           : read_member(s, dataset, column->name, member, width, bytes);
    for (size_t i = 0; status == HF_OK && i < rows; ++i) {
        column->texts[i] = strndup(bytes + i * width, width);
        status = column->texts[i] == NULL ? out_of_memory(s) : HF_OK;
    }
    free(bytes);
    return status;
}

static hf_status read_column(const hf_source *s, hid_t dataset, hid_t type, unsigned k,
                             hf_table *table)
{
    hf_table_column *column = &table->columns[k];
    size_t rows = (size_t)table->rows;
    // Its name
    char *name = H5Tget_member_name(type, k);
    if (name == NULL) {
        return hf_source_fail(s, "/table");
    }
    column->name = strdup(name);
    (void)H5free_memory(name);
    if (column->name == NULL) {
        return out_of_memory(s);
    }
    // Numbers or texts
    hid_t member = H5Tget_member_type(type, k);
    H5T_class_t kind = member < 0 ? H5T_NO_CLASS : H5Tget_class(member);
    hf_status status = HF_OK;
    if (kind == H5T_STRING) {
        status = read_texts(s, dataset, member, column, rows);
    } else if (kind == H5T_FLOAT || kind == H5T_INTEGER) {
        column->numbers = calloc(rows + 1, sizeof *column->numbers);
        status = column->numbers == NULL ? out_of_memory(s)
                                         : read_member(s, dataset, column->name, H5T_NATIVE_DOUBLE,
                                                       sizeof(double), column->numbers);
    } else {
        status = hf_source_refuse(s, column->name, "holds neither numbers nor texts");
    }
    if (member >= 0) {
        (void)H5Tclose(member);
    }
    return status;
}

// Units and roles; a file without them has empty ones.
static hf_status read_notes(hf_source *s, const char *name, hf_table *table, bool roles)
{
    char **texts = calloc((size_t)table->column_count, sizeof *texts);
    hf_status status = texts == NULL ? out_of_memory(s) : HF_OK;
    htri_t there = status == HF_OK ? H5Lexists(s->file, name, H5P_DEFAULT) : 0;
    if (there != 0) {
        status = there < 0 ? hf_source_fail(s, name)
                           : hf_source_read_texts(s, name, table->column_count, texts);
    }
    for (int k = 0; texts != NULL && k < table->column_count; ++k) {
        char *text = texts[k] != NULL ? texts[k] : calloc(1, 1);
        *(roles ? &table->columns[k].role : &table->columns[k].unit) = text;
        status = text == NULL ? out_of_memory(s) : status;
    }
    free((void *)texts);
    return status;
}

static herr_t keep_fact(hid_t object, const char *name, const H5A_info_t *info, void *context)
{
    (void)info;
    hf_table *table = context;
    size_t room = (size_t)table->fact_count + 1;
    char **names = realloc((void *)table->fact_names, room * sizeof *names);
    table->fact_names = names == NULL ? table->fact_names : names;
    char **facts = realloc((void *)table->facts, room * sizeof *facts);
    table->facts = facts == NULL ? table->facts : facts;
    char *text = hf_source_text(object, name);
    char *copy = strdup(name);
    if (names == NULL || facts == NULL || text == NULL || copy == NULL) {
        free(text);
        free(copy);
        return text == NULL ? 0 : -1; // what is no text is no fact
    }
    names[table->fact_count] = copy;
    facts[table->fact_count++] = text;
    return 0;
}

static hf_status read_open(hf_source *s, hid_t dataset, hf_table *table)
{
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    hsize_t rows = 0;
    hf_status status = HF_OK;
    int members = type >= 0 && H5Tget_class(type) == H5T_COMPOUND ? H5Tget_nmembers(type) : 0;
    if (members < 1 || members > HF_TABLE_COLUMNS_MAX || space < 0 ||
        H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, &rows, NULL) != 1) {
        status = hf_source_refuse(s, "/table", "is not a list of rows with 1 to %d columns",
                                  HF_TABLE_COLUMNS_MAX);
    } else {
        status = hf_source_check(s, "/table", dataset, rows);
    }
    if (status == HF_OK) {
        table->columns = calloc((size_t)members, sizeof *table->columns);
        status = table->columns == NULL ? out_of_memory(s) : HF_OK;
        table->column_count = table->columns == NULL ? 0 : members;
        table->rows = (long long)rows;
    }
    for (unsigned k = 0; status == HF_OK && k < (unsigned)members; ++k) {
        status = read_column(s, dataset, type, k, table);
    }
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    return status;
}

static hf_status read_file(hf_source *s, hf_table *table)
{
    if (H5Lexists(s->file, "table", H5P_DEFAULT) <= 0) {
        return hf_error_set(s->error, HF_ERROR_NAME, "%.300s: the file has no table of a sweep",
                            s->path);
    }
    hid_t dataset = hf_source_open(s, "table");
    if (dataset < 0) {
        return s->error == NULL ? HF_ERROR_FILE : s->error->status;
    }
    hf_status status = read_open(s, dataset, table);
    (void)H5Dclose(dataset);
    HF_TRY(status);
    HF_TRY(read_notes(s, "units", table, false));
    HF_TRY(read_notes(s, "roles", table, true));
    hid_t root = H5Gopen2(s->file, "/", H5P_DEFAULT);
    herr_t listed =
        root < 0 ? -1 : H5Aiterate2(root, H5_INDEX_NAME, H5_ITER_INC, NULL, keep_fact, table);
    if (root >= 0) {
        (void)H5Gclose(root);
    }
    return listed < 0 ? hf_source_fail(s, "/") : HF_OK;
}

hf_status hf_hdf5_table_read(const char *path, hf_table *table, hf_error *error)
{
    struct stat found;
    if (stat(path, &found) != 0) {
        return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot open: %s", path, strerror(errno));
    }
    hf_hdf5_guard guard = hf_hdf5_enter();
    hf_error own = {0};
    hf_source s = {.path = path,
                   .file_size = (unsigned long long)found.st_size,
                   .error = error == NULL ? &own : error,
                   .file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT)};
    hf_status status = HF_OK;
    if (s.file < 0) {
        status = hf_hdf5_fail(error, path, "cannot open as HDF5");
    } else {
        status = read_file(&s, table);
        (void)H5Fclose(s.file);
    }
    hf_hdf5_leave(guard);
    return status;
}
