// SPDX-License-Identifier: Apache-2.0
// The page of a sweep: the same template, filled with a table. Texts become numbers of words.
#include <holdfast/report.h>

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "report/page_column.h"
#include "report/page_template.h"

enum { MOST_WORDS = 1000 };
static const double WHOLE_NUMBERS_MOST = 6e6; // more are kept in 32 bits

typedef struct source {
    const hf_table *table;
    const char *file;
    const char *runs; // folder of pages; NULL: none
} source;

// The different texts of a column, in the order in which they come; the rest are the last one.
static int list_words(const hf_table_column *column, long long rows, const char **words,
                      double *codes)
{
    int count = 0;
    for (long long i = 0; i < rows; ++i) {
        int k =
            i > 0 && strcmp(column->texts[i], column->texts[i - 1]) == 0 ? (int)codes[i - 1] : 0;
        while (k < count && strcmp(words[k], column->texts[i]) != 0) {
            ++k;
        }
        if (k == count && count < MOST_WORDS) {
            words[count++] = column->texts[i];
        }
        codes[i] = k < count ? k : count - 1;
    }
    return count;
}

static void write_column(hf_page_columns *c, const hf_table_column *column, long long rows,
                         const char **words, double *codes)
{
    hf_json_begin(c->json, NULL);
    hf_json_text(c->json, "name", column->name);
    hf_json_text(c->json, "unit", column->unit);
    hf_json_text(c->json, "role", column->role);
    if (column->texts != NULL) {
        int count = list_words(column, rows, words, codes);
        hf_json_begin_list(c->json, "words");
        for (int k = 0; k < count; ++k) {
            hf_json_text(c->json, NULL, words[k]);
        }
        hf_json_end_list(c->json);
    }
    hf_page_column_write(c, "numbers", column->texts != NULL ? codes : column->numbers, rows);
    hf_json_end(c->json);
}

static void write_table(hf_page_columns *c, const source *s, const char **words, double *codes)
{
    hf_json_begin(c->json, NULL);
    hf_json_text(c->json, "version", HF_VERSION);
    hf_json_flag(c->json, "shortened", c->shorten);
    hf_json_text(c->json, "title", hf_table_fact(s->table, "title"));
    hf_json_text(c->json, "model", hf_table_fact(s->table, "model"));
    hf_json_text(c->json, "file", s->file);
    if (s->runs != NULL) {
        hf_json_text(c->json, "runs", s->runs);
    }
    hf_json_count(c->json, "rows", s->table->rows);
    hf_json_begin_list(c->json, "columns");
    for (int k = 0; k < s->table->column_count && c->trouble == NULL; ++k) {
        write_column(c, &s->table->columns[k], s->table->rows, words, codes);
    }
    hf_json_end_list(c->json);
    hf_json_end(c->json);
}

static const char *write_data(FILE *file, const void *context)
{
    const source *s = context;
    char *text = NULL;
    size_t size = 0;
    // Room for words and for a description of the table
    const char **words = calloc(MOST_WORDS, sizeof *words);
    double *codes = calloc((size_t)s->table->rows + 1, sizeof *codes);
    FILE *description = words == NULL || codes == NULL ? NULL : open_memstream(&text, &size);
    const char *trouble = description == NULL ? "out of memory" : NULL;
    // Columns go to the file, their description is gathered
    if (description != NULL) {
        hf_json json = {.file = description, .compact = true};
        double numbers = (double)s->table->rows * s->table->column_count;
        hf_page_columns columns = {
            .file = file, .json = &json, .shorten = numbers > WHOLE_NUMBERS_MOST};
        write_table(&columns, s, words, codes);
        trouble = columns.trouble;
        bool good = !ferror(description);
        if ((fclose(description) != 0 || !good) && trouble == NULL) {
            trouble = "out of memory";
        }
    }
    // Behind the columns, the description
    if (trouble == NULL) {
        (void)fputs("<script type=\"application/json\" id=\"table\">", file);
        (void)fwrite(text, 1, size, file);
        (void)fputs("</script>\n", file);
    }
    free(text);
    free((void *)words);
    free(codes);
    return trouble;
}

hf_status hf_table_page_write(const char *path, const hf_table *table, const char *file,
                              const char *runs, hf_error *error)
{
    const source s = {table, file, runs};
    return hf_page_put(path, write_data, &s, error);
}
