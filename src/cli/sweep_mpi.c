// SPDX-License-Identifier: Apache-2.0
// holdfast-sweep-mpi: `holdfast sweep` over the processes of an MPI job.
//
// Process 0 keeps what is finished; the others take cases from a counter that stands in its memory
// and that they raise by one-sided operations, and send it their results. Who is fast takes more.
// When all cases are handed out and nothing comes for a while, process 0 runs itself what is
// missing: a process that died, or is slow, delays no other. A case that ran twice has the same
// bits.
#include <mpi.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "cli/sweep.h"
#include "sweep/sweep_data.h"

enum { TAG_RESULT = 1, TAG_DONE, TAG_ERROR, TAG_STOP, TAG_GOODBYE };
enum { LARGEST_BATCH = 256 };
static const double BATCH_SECONDS = 0.02, PATIENCE_SECONDS = 1.0, GOODBYE_SECONDS = 10.0;

typedef struct job {
    int rank, size;
    bool entered;         // the engine was started
    bool opened;          // the counter is there
    int done;             // processes that have ended
    MPI_Win window;       // of the counter
    int64_t *counter;     // at process 0: the next case
    unsigned char *wants; // a bit a case: it is missing
    long long count;
    int over;         // process 0 has all results
    double next_look; // for that [s]
} job;

// The state of this process for the callbacks of the sweep, which get the sweep alone.
static job this_job;

// A result on its way.
typedef struct parcel {
    int64_t index;
    hf_case_result result;
    double outputs[]; // as many as the sweep has
} parcel;

static size_t parcel_size(const hf_sweep *s)
{
    return sizeof(parcel) + (size_t)s->observe.output_count * sizeof(double);
}

static bool is_wanted(const job *j, long long index)
{
    return ((j->wants[index / 8] >> (index % 8)) & 1) != 0;
}

// True when all processes say so.
static bool agree(bool good)
{
    int mine = good ? 1 : 0, all = 0;
    (void)MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all == 1;
}

static int64_t take(job *j, int64_t cases)
{
    int64_t first = 0;
    (void)MPI_Fetch_and_op(&cases, &first, MPI_INT64_T, 0, 0, MPI_SUM, j->window);
    (void)MPI_Win_flush(0, j->window);
    return first;
}

// ------------------------------------------------------------------------------------------------
// Processes 1, 2, ...

// Whether process 0 has all results, or a signal ends the job. The case in work is left as it is.
static bool is_over(void *context)
{
    static const double SECONDS_BETWEEN_LOOKS = 0.05;
    job *j = &this_job;
    double now = hf_cli_now();
    if (now >= j->next_look) {
        j->next_look = now + SECONDS_BETWEEN_LOOKS;
        (void)MPI_Iprobe(0, TAG_STOP, MPI_COMM_WORLD, &j->over, MPI_STATUS_IGNORE);
    }
    return j->over != 0 || hf_cli_stop_wanted(context);
}

static hf_status run_batch(const job *j, hf_sweep *s, hf_runner *runner, parcel *p, int64_t first,
                           int64_t cases, hf_error *error)
{
    for (int64_t i = first; i < first + cases && i < j->count; ++i) {
        if (!is_wanted(j, i)) {
            continue;
        }
        if (is_over(NULL)) {
            return HF_INTERRUPTED;
        }
        p->index = i;
        hf_status status = hf_sweep_compute(s, runner, i, &p->result, p->outputs, error);
        if (status != HF_OK) {
            return status;
        }
        (void)MPI_Send(p, (int)parcel_size(s), MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
    return HF_OK;
}

// Waits, without a busy loop, for how to end; false: not together, since somebody is gone.
static bool hear_goodbye(void)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    int there = 0, together = 0;
    while (there == 0) { // it comes behind the request to stop
        (void)MPI_Iprobe(0, TAG_GOODBYE, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        (void)nanosleep(&nap, NULL);
    }
    (void)MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    (void)MPI_Recv(&together, 1, MPI_INT, 0, TAG_GOODBYE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return together == 1;
}

static hf_status serve(job *j, hf_sweep *s, hf_error *error)
{
    // A runner and room for a parcel of results
    hf_runner runner;
    parcel *p = calloc(1, parcel_size(s));
    hf_status status = p == NULL ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep")
                                 : hf_runner_open(&runner, &s->rules, error);
    int64_t batch = 1;
    s->def.stop_wanted = is_over;
    // Batches until all cases are taken, as large as some fraction of a second is
    while (status == HF_OK) {
        int64_t first = take(j, batch);
        if (first >= j->count) {
            break;
        }
        double start = hf_cli_now();
        status = run_batch(j, s, &runner, p, first, batch, error);
        double seconds = hf_cli_now() - start;
        if (seconds < BATCH_SECONDS && batch < LARGEST_BATCH) {
            batch *= 2;
        } else if (seconds > 4.0 * BATCH_SECONDS && batch > 1) {
            batch /= 2;
        }
    }
    // What went wrong, that it is done, and the answer to that
    if (status < 0) {
        (void)MPI_Send(error->text, (int)sizeof error->text, MPI_BYTE, 0, TAG_ERROR,
                       MPI_COMM_WORLD);
    }
    (void)MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD);
    if (!hear_goodbye()) {
        j->done = -1;
    }
    if (p != NULL) {
        hf_runner_close(&runner);
    }
    free(p);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Process 0

// Takes one message, if there is one. *came tells.
static hf_status receive(job *j, hf_sweep *s, parcel *p, bool *came, hf_error *error)
{
    int there = 0;
    MPI_Status from;
    *came = false;
    (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from);
    if (there == 0) {
        return HF_OK;
    }
    *came = true;
    if (from.MPI_TAG == TAG_ERROR) {
        char text[HF_ERROR_TEXT_SIZE] = "";
        (void)MPI_Recv(text, (int)sizeof text, MPI_BYTE, from.MPI_SOURCE, TAG_ERROR, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
        return hf_error_set(error, HF_ERROR_FILE, "process %d: %.400s", from.MPI_SOURCE, text);
    }
    (void)MPI_Recv(p, (int)parcel_size(s), MPI_BYTE, from.MPI_SOURCE, from.MPI_TAG, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    if (from.MPI_TAG == TAG_DONE) {
        j->done += 1;
        return HF_OK;
    }
    bool wanted = false;
    HF_TRY(hf_sweep_wants(s, p->index, &wanted, error));
    return wanted ? hf_sweep_keep(s, p->index, &p->result, p->outputs, error) : HF_OK;
}

// Runs the first case that is missing, from *next on.
static hf_status run_missing(hf_sweep *s, hf_runner *runner, parcel *p, long long *next,
                             hf_error *error)
{
    bool wanted = false;
    while (*next < s->plan.count && !wanted) {
        HF_TRY(hf_sweep_wants(s, *next, &wanted, error));
        *next += wanted ? 0 : 1;
    }
    if (!wanted) {
        return HF_OK;
    }
    hf_status status = hf_sweep_compute(s, runner, *next, &p->result, p->outputs, error);
    return status == HF_OK ? hf_sweep_keep(s, *next, &p->result, p->outputs, error) : status;
}

static hf_status collect(job *j, hf_sweep *s, hf_runner *runner, parcel *p, hf_error *error)
{
    const struct timespec nap = {.tv_nsec = 100000};
    double heard = hf_cli_now();
    long long next = 0;
    while (hf_sweep_get_progress(s).done < hf_sweep_get_progress(s).cases) {
        bool came = false;
        HF_TRY(receive(j, s, p, &came, error));
        if (hf_cli_stop_wanted(NULL)) {
            return HF_INTERRUPTED;
        }
        if (came) {
            heard = hf_cli_now();
            continue;
        }
        bool all = j->done == j->size - 1, out = take(j, 0) >= j->count;
        if (all || (out && hf_cli_now() - heard > PATIENCE_SECONDS)) {
            hf_status status = run_missing(s, runner, p, &next, error);
            if (status != HF_OK) {
                return status;
            }
        } else {
            (void)nanosleep(&nap, NULL);
        }
    }
    return HF_OK;
}

// Waits for the others to end, and tells them how to: together, as MPI requires, or each for
// itself, where some do not answer. False: so. Nobody waits for messages to those that are gone.
static bool say_goodbye(job *j, hf_sweep *s, parcel *p)
{
    static int together; // is read after this function
    double start = hf_cli_now();
    while (j->done < j->size - 1 && hf_cli_now() - start < GOODBYE_SECONDS) {
        bool came = false;
        hf_error unused = {0};
        (void)!receive(j, s, p, &came, &unused);
    }
    together = j->done == j->size - 1 ? 1 : 0;
    for (int i = 1; i < j->size; ++i) {
        MPI_Request request;
        (void)MPI_Isend(&together, 1, MPI_INT, i, TAG_GOODBYE, MPI_COMM_WORLD, &request);
        if (together == 1) {
            (void)MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            (void)MPI_Request_free(&request);
        }
    }
    return together == 1;
}

// Nobody begins another case, and those that run one leave it.
static void stop_others(job *j)
{
    (void)take(j, j->count);
    for (int i = 1; i < j->size; ++i) {
        MPI_Request request;
        (void)MPI_Isend(NULL, 0, MPI_BYTE, i, TAG_STOP, MPI_COMM_WORLD, &request);
        (void)MPI_Request_free(&request);
    }
}

static hf_status lead(job *j, hf_sweep *s, hf_error *error)
{
    hf_runner runner;
    parcel *p = calloc(1, parcel_size(s));
    hf_status status = p == NULL ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep")
                                 : hf_runner_open(&runner, &s->rules, error);
    if (status == HF_OK) {
        status = collect(j, s, &runner, p, error);
        hf_runner_close(&runner);
    }
    stop_others(j);
    if (status == HF_OK) {
        status = hf_sweep_finish(s, error);
    }
    if (p != NULL && !say_goodbye(j, s, p)) {
        j->done = -1; // some processes are gone: MPI_Finalize would wait for them
    }
    free(p);
    return status;
}

// ------------------------------------------------------------------------------------------------

// Process 0 opens the file of finished cases and tells which are missing.
static hf_status share_plan(job *j, hf_sweep *s, hf_error *error)
{
    int64_t bytes = s->plan.count / 8 + 1;
    j->count = s->plan.count;
    j->wants = calloc((size_t)bytes, 1);
    hf_status status = j->wants == NULL
                           ? hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sweep")
                           : HF_OK;
    if (j->rank == 0 && status == HF_OK) {
        status = hf_sweep_begin(s, error);
        for (long long i = 0; i < j->count && status == HF_OK; ++i) {
            bool wanted = false;
            status = hf_sweep_wants(s, i, &wanted, error);
            j->wants[i / 8] |= (unsigned char)((wanted ? 1u : 0u) << (i % 8));
        }
    }
    if (!agree(status == HF_OK)) {
        return status < 0 ? status
                          : hf_error_set(error, HF_ERROR_FILE, "another process could not begin");
    }
    enum { PIECE = 1 << 30 };
    for (int64_t at = 0; at < bytes; at += PIECE) {
        int length = (int)(bytes - at < PIECE ? bytes - at : PIECE);
        (void)MPI_Bcast(j->wants + at, length, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    return HF_OK;
}

static hf_status engine(hf_sweep *s, hf_error *error)
{
    job *j = &this_job;
    j->entered = true;
    if (!agree(true)) {
        return hf_error_set(error, HF_ERROR_FILE, "another process could not begin");
    }
    if (j->size == 1) {
        return hf_sweep_run(s, error);
    }
    HF_TRY(share_plan(j, s, error));
    (void)MPI_Win_allocate(j->rank == 0 ? (MPI_Aint)sizeof(int64_t) : 0, sizeof(int64_t),
                           MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&j->counter, &j->window);
    if (j->rank == 0) {
        *j->counter = 0;
    }
    j->opened = true;
    (void)MPI_Barrier(MPI_COMM_WORLD);
    (void)MPI_Win_lock_all(0, j->window);
    return j->rank == 0 ? lead(j, s, error) : serve(j, s, error);
}

static int start(void *options, const hf_cli_list *operands)
{
    hf_cli_sweep_options *o = options;
    o->model = operands->items[0];
    if (hf_cli_is_table_name(o->model)) {
        return hf_cli_usage_error("sweep", "'%s' is a table: 'holdfast sweep' looks at it",
                                  o->model);
    }
    return hf_cli_sweep(o, engine, this_job.rank != 0);
}

// Ends this process alone: MPI_Finalize would wait for those that are gone, and MPI_Abort ends only
// its own process under mpirun --enable-recovery.
static _Noreturn void leave(const job *j, int code)
{
    const struct timespec while_messages_go = {.tv_nsec = 1000000};
    int there = 0;
    for (int i = 0; j->rank == 0 && i < 500; ++i) {
        (void)MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        (void)nanosleep(&while_messages_go, NULL);
    }
    (void)fflush(NULL);
    _exit(code);
}

int main(int count, char **arguments)
{
    job *j = &this_job;
    (void)MPI_Init(&count, &arguments);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &j->rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &j->size);
    if (j->rank != 0 &&
        (freopen("/dev/null", "w", stdout) == NULL || freopen("/dev/null", "w", stderr) == NULL)) {
        (void)MPI_Abort(MPI_COMM_WORLD, HF_CLI_FAILED); // one process ends all
    }
    hf_cli_command command = hf_cli_command_sweep;
    command.start = start;
    int code = hf_cli_start(&command, count - 1, arguments + 1);
    if (!j->entered) {
        (void)agree(false);
    }
    (void)fflush(stdout);
    if (j->done < 0) {
        leave(j, code);
    }
    if (j->opened) {
        (void)MPI_Win_unlock_all(j->window);
        (void)MPI_Win_free(&j->window);
    }
    free(j->wants);
    (void)MPI_Finalize();
    return code;
}
