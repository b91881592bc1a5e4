// SPDX-License-Identifier: Apache-2.0
// Running a sweep: what is missing is run, kept at once, and becomes a table at the end.
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crew.h"
#include "base/error.h"
#include "record/format.h"
#include "sweep/sweep_data.h"

enum { PATH_SIZE = 4096 };

static hf_status name_store(const hf_sweep *s, char path[PATH_SIZE], hf_error *error)
{
    int length = s->def.shards > 0 ? snprintf(path, PATH_SIZE, "%s.cases.%d-of-%d", s->def.output,
                                              s->def.shard, s->def.shards)
                                   : snprintf(path, PATH_SIZE, "%s.cases", s->def.output);
    return length > 0 && length < PATH_SIZE
               ? HF_OK
               : hf_error_set(error, HF_ERROR_FILE, "the output's name is too long");
}

static bool is_ours(const hf_sweep *s, long long index)
{
    return s->def.shards == 0 || index % s->def.shards == s->def.shard - 1;
}

static void count_case(hf_sweep *s, hf_case_state state)
{
    s->progress.done += 1;
    s->progress.failed += state == HF_CASE_FAILED ? 1 : 0;
    s->progress.doubtful += state == HF_CASE_DOUBTFUL ? 1 : 0;
}

// ------------------------------------------------------------------------------------------------
// Beginning

// Calls `take` for the files of other parts of this sweep: OUTPUT.cases.I-of-N.
static hf_status each_part(hf_sweep *s, hf_status (*take)(hf_sweep *, const char *, hf_error *),
                           hf_error *error)
{
    char pattern[2 * PATH_SIZE];
    size_t used = 0;
    for (const char *c = s->def.output; *c != '\0' && used + 2 < sizeof pattern; ++c) {
        if (strchr("*?[\\", *c) != NULL) {
            pattern[used++] = '\\';
        }
        pattern[used++] = *c;
    }
    int length = snprintf(pattern + used, sizeof pattern - used, ".cases.[0-9]*-of-[0-9]*");
    if (length < 0 || (size_t)length >= sizeof pattern - used) {
        return hf_error_set(error, HF_ERROR_FILE, "the output's name is too long");
    }
    glob_t found = {0};
    hf_status status = HF_OK;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && status == HF_OK; ++i) {
            status = take(s, found.gl_pathv[i], error);
        }
    }
    globfree(&found);
    return status;
}

// Copies the cases of a part that are not here yet.
static hf_status take_part(hf_sweep *s, const char *path, hf_error *error)
{
    hf_store part;
    double *outputs = calloc((size_t)s->observe.output_count + 1, sizeof *outputs);
    hf_status status =
        outputs == NULL ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep") : HF_OK;
    if (status == HF_OK) {
        status = hf_store_look(&part, path, s->fingerprint, s->plan.count, s->observe.output_count,
                               error);
        for (long long i = 0; status == HF_OK && i < s->plan.count; ++i) {
            hf_case_result here, there;
            status = hf_store_get(&part, i, &there, outputs, error);
            if (status == HF_OK && there.state != HF_CASE_MISSING) {
                status = hf_store_get(&s->store, i, &here, NULL, error);
                if (status == HF_OK && here.state == HF_CASE_MISSING) {
                    status = hf_store_put(&s->store, i, &there, outputs, error);
                }
            }
        }
        hf_store_close(&part);
    }
    free(outputs);
    return status;
}

static hf_status count_kept(hf_sweep *s, hf_error *error)
{
    s->progress = (hf_sweep_progress){0};
    for (long long i = 0; i < s->plan.count; ++i) {
        if (!is_ours(s, i)) {
            continue;
        }
        hf_case_result result;
        HF_TRY(hf_store_get(&s->store, i, &result, NULL, error));
        s->progress.cases += 1;
        if (result.state != HF_CASE_MISSING) {
            count_case(s, result.state);
        }
    }
    s->progress.kept = s->progress.done;
    return HF_OK;
}

// Nothing is overwritten that an earlier start has finished.
static hf_status check_kept(hf_sweep *s, bool resume, hf_error *error)
{
    HF_TRY(count_kept(s, error));
    if (s->progress.kept > 0 && !resume) {
        return hf_error_set(error, HF_ERROR_STATE,
                            "%.250s: it holds %lld of %lld cases from an earlier start: go on with "
                            "--resume, or remove it",
                            s->store.path, s->progress.kept, s->progress.cases);
    }
    return HF_OK;
}

static hf_status make_folder(const hf_sweep *s, hf_error *error)
{
    const char *folder = s->def.recordings;
    struct stat found;
    if (folder == NULL || (mkdir(folder, 0777) == 0) ||
        (errno == EEXIST && stat(folder, &found) == 0 && S_ISDIR(found.st_mode))) {
        return HF_OK;
    }
    return hf_error_set(error, HF_ERROR_FILE, "%.300s: cannot create the folder: %s", folder,
                        strerror(errno));
}

static void count_rows(hf_sweep *s, const hf_table *table)
{
    int k = hf_table_find(table, HF_ROLE_VERDICT);
    s->progress = (hf_sweep_progress){.cases = table->rows};
    for (long long i = 0; i < table->rows; ++i) {
        const char *verdict =
            k < 0 || table->columns[k].texts == NULL ? "" : table->columns[k].texts[i];
        count_case(s, strcmp(verdict, "failed") == 0     ? HF_CASE_FAILED
                      : strcmp(verdict, "doubtful") == 0 ? HF_CASE_DOUBTFUL
                                                         : HF_CASE_TRUSTWORTHY);
    }
    s->progress.kept = s->progress.done;
}

// Whether the table is there already, of this very sweep: an earlier start has ended. Then counts.
static bool is_finished(hf_sweep *s, const char *store)
{
    char ours[32];
    (void)snprintf(ours, sizeof ours, "%llu", s->fingerprint);
    if (s->def.shards > 0 || s->def.recordings != NULL || access(store, F_OK) == 0 ||
        hf_file_format_of(s->def.output) != HF_FILE_HDF5 || access(s->def.output, R_OK) != 0) {
        return false;
    }
    hf_table *table = hf_table_read(s->def.output, NULL);
    bool same = table != NULL && table->rows == s->plan.count &&
                strcmp(hf_table_fact(table, "fingerprint"), ours) == 0;
    if (same) {
        count_rows(s, table);
    }
    hf_table_destroy(table);
    return same;
}

hf_status hf_sweep_begin(hf_sweep *s, hf_error *error)
{
    char path[PATH_SIZE];
    bool found = false, resume = s->def.resume || s->def.collect;
    HF_TRY(make_folder(s, error));
    HF_TRY(name_store(s, path, error));
    if (s->def.resume && !s->def.collect && is_finished(s, path)) {
        s->finished = true;
        return HF_OK;
    }
    HF_TRY(hf_store_open(&s->store, path, s->fingerprint, s->plan.count, s->observe.output_count,
                         &found, error));
    s->opened = true;
    HF_TRY(check_kept(s, resume, error));
    if (resume && s->def.shards == 0) {
        HF_TRY(each_part(s, take_part, error));
        HF_TRY(count_kept(s, error));
    }
    if (s->def.collect && s->progress.done < s->progress.cases) {
        return hf_error_set(error, HF_ERROR_STATE,
                            "%lld of %lld cases are missing: run their shards, or go on with "
                            "--resume",
                            s->progress.cases - s->progress.done, s->progress.cases);
    }
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Cases

hf_status hf_sweep_wants(const hf_sweep *s, long long index, bool *wanted, hf_error *error)
{
    hf_case_result result;
    *wanted = is_ours(s, index) && !s->finished;
    if (*wanted) {
        HF_TRY(hf_store_get(&s->store, index, &result, NULL, error));
        *wanted = result.state == HF_CASE_MISSING;
    }
    return HF_OK;
}

hf_status hf_sweep_compute(const hf_sweep *s, hf_runner *runner, long long index,
                           hf_case_result *result, double *outputs, hf_error *error)
{
    enum { FEW = 64 };
    hf_case_value few[FEW];
    int count = s->plan.axis_count;
    hf_case_value *values = count <= FEW ? few : calloc((size_t)count, sizeof *values);
    if (values == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a case");
    }
    char path[PATH_SIZE];
    hf_plan_case(&s->plan, index, values);
    if (s->def.recordings != NULL) {
        (void)snprintf(path, sizeof path, "%.3000s/case-%06lld.h5", s->def.recordings, index);
    }
    hf_status status = hf_runner_run(runner, values, count, s->def.recordings == NULL ? NULL : path,
                                     result, outputs, error);
    if (values != few) {
        free(values);
    }
    return status;
}

hf_status hf_sweep_keep(hf_sweep *s, long long index, const hf_case_result *result,
                        const double *outputs, hf_error *error)
{
    HF_TRY(hf_store_put(&s->store, index, result, outputs, error));
    (void)pthread_mutex_lock(&s->progress_lock);
    count_case(s, result->state);
    if (s->def.on_case != NULL) {
        s->def.on_case(s->def.context, &s->progress);
    }
    (void)pthread_mutex_unlock(&s->progress_lock);
    return HF_OK;
}

static hf_status remove_part(hf_sweep *s, const char *path, hf_error *error)
{
    (void)s;
    (void)error;
    (void)unlink(path);
    return HF_OK;
}

hf_status hf_sweep_finish(hf_sweep *s, hf_error *error)
{
    if (s->progress.done < s->progress.cases) {
        return hf_error_set(error, HF_ERROR_STATE, "%lld cases are missing",
                            s->progress.cases - s->progress.done);
    }
    if (s->def.shards > 0 || s->finished) {
        return HF_OK;
    }
    HF_TRY(hf_sweep_write_table(s, error));
    (void)unlink(s->store.path);
    return each_part(s, remove_part, error);
}

// ------------------------------------------------------------------------------------------------
// Threads

typedef struct worker {
    hf_runner runner;
    double *outputs;
} worker;

typedef struct crew {
    hf_sweep *sweep;
    worker *workers;
} crew;

static void keep_error(hf_sweep *s, const hf_error *error)
{
    (void)pthread_mutex_lock(&s->progress_lock);
    if (s->error.status >= 0) {
        s->error = *error;
    }
    (void)pthread_mutex_unlock(&s->progress_lock);
    atomic_store(&s->stopped, true);
}

// A runner and room for outputs, made by the thread that uses them: what two threads write in every
// step must not lie in one line of the cache, and allocators keep the threads' memory apart.
static hf_status equip(worker *w, const hf_sweep *s, hf_error *error)
{
    if (w->outputs != NULL) {
        return HF_OK;
    }
    w->outputs = calloc((size_t)s->observe.output_count + 1, sizeof *w->outputs);
    if (w->outputs == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep");
    }
    return hf_runner_open(&w->runner, &s->rules, error);
}

static bool work(void *context, int number, long long index)
{
    crew *c = context;
    hf_sweep *s = c->sweep;
    worker *w = &c->workers[number];
    hf_error error = {0};
    hf_case_result result = {0};
    bool wanted = false;
    // Whether there is anything to do
    if (s->rules.stop_wanted(s)) {
        return false;
    }
    hf_status status = hf_sweep_wants(s, index, &wanted, &error);
    if (status == HF_OK && !wanted) {
        return true;
    }
    // The case, and its result
    if (status == HF_OK) {
        status = equip(w, s, &error);
    }
    if (status == HF_OK) {
        status = hf_sweep_compute(s, &w->runner, index, &result, w->outputs, &error);
    }
    if (status == HF_OK) {
        status = hf_sweep_keep(s, index, &result, w->outputs, &error);
    }
    if (status < 0) {
        keep_error(s, &error);
    }
    return status == HF_OK;
}

static hf_status run_threads(hf_sweep *s, hf_error *error)
{
    // Room for a runner of each thread
    int size = hf_crew_size(s->plan.count, s->def.jobs);
    crew c = {.sweep = s, .workers = calloc((size_t)size, sizeof *c.workers)};
    hf_status status = c.workers == NULL
                           ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep")
                           : HF_OK;
    // All cases, by whoever is free
    if (status == HF_OK) {
        hf_crew all = {.count = s->plan.count, .work = work, .context = &c};
        bool whole = hf_crew_run(&all, s->def.jobs);
        if (s->error.status < 0) {
            status = hf_error_set(error, s->error.status, "%s", s->error.text);
        } else if (!whole) {
            status = HF_INTERRUPTED;
        }
    }
    // Whatever happened, memory is given back
    for (int i = 0; c.workers != NULL && i < size; ++i) {
        hf_runner_close(&c.workers[i].runner);
        free(c.workers[i].outputs);
    }
    free(c.workers);
    return status;
}

hf_status hf_sweep_run(hf_sweep *s, hf_error *error)
{
    hf_error own = {0};
    error = error == NULL ? &own : error;
    if (!s->opened && !s->finished) {
        HF_TRY(hf_sweep_begin(s, error));
    }
    if (s->progress.done < s->progress.cases) {
        hf_status status = run_threads(s, error);
        if (status != HF_OK) {
            return status;
        }
    }
    return hf_sweep_finish(s, error);
}
