// SPDX-License-Identifier: Apache-2.0
// gnuplot as a program: script in, figure and complaints out, all through files. No shell.
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "report/plot_internal.h"

extern char **environ;

// The last line that is not empty, without blanks around it: where gnuplot says what is wrong.
static void last_line(FILE *file, char *line, size_t size)
{
    char text[400];
    line[0] = '\0';
    rewind(file);
    while (fgets(text, sizeof text, file) != NULL) {
        const char *start = text + strspn(text, " \t\r\n");
        size_t length = strcspn(start, "\r\n");
        if (length > 0) {
            (void)snprintf(line, size, "%.*s", (int)length, start);
        }
    }
}

static int spawn_gnuplot(FILE *script, FILE *figure, FILE *complaints, pid_t *child)
{
    char program[] = "gnuplot", defaults[] = "-d", from_input[] = "-";
    char *const arguments[] = {program, defaults, from_input, NULL};
    posix_spawn_file_actions_t actions;
    int number = posix_spawn_file_actions_init(&actions);
    if (number != 0) {
        return number;
    }
    const int from[] = {fileno(script), fileno(figure), fileno(complaints)};
    for (int i = 0; number == 0 && i < 3; ++i) {
        number = posix_spawn_file_actions_adddup2(&actions, from[i], i);
    }
    if (number == 0) {
        number = posix_spawnp(child, program, &actions, NULL, arguments, environ);
    }
    (void)posix_spawn_file_actions_destroy(&actions);
    return number;
}

static hf_status judge(int result, FILE *figure, FILE *complaints, hf_error *error)
{
    char line[300];
    last_line(complaints, line, sizeof line);
    if (WIFEXITED(result) && WEXITSTATUS(result) == 127) { // some systems say ENOENT only here
        return hf_error_set(error, HF_ERROR_UNSUPPORTED, "cannot run gnuplot, which draws figures");
    }
    if (!WIFEXITED(result) || WEXITSTATUS(result) != 0) {
        return hf_error_set(error, HF_ERROR_FILE, "gnuplot failed: %s",
                            line[0] == '\0' ? "without a message" : line);
    }
    if (fseek(figure, 0, SEEK_END) != 0 || ftell(figure) <= 0) {
        return hf_error_set(error, HF_ERROR_FILE, "gnuplot drew nothing: %s",
                            line[0] == '\0' ? "without a message" : line);
    }
    rewind(figure);
    return HF_OK;
}

hf_status hf_plot_run_gnuplot(FILE *script, FILE *figure, hf_error *error)
{
    // Its script from the beginning, and a place for what it complains of
    FILE *complaints = tmpfile();
    if (complaints == NULL || lseek(fileno(script), 0, SEEK_SET) != 0) {
        hf_status status =
            hf_error_set(error, HF_ERROR_FILE, "cannot use a temporary file: %s", strerror(errno));
        if (complaints != NULL) {
            (void)fclose(complaints);
        }
        return status;
    }
    // Run it
    pid_t child = 0;
    int number = spawn_gnuplot(script, figure, complaints, &child);
    hf_status status = HF_OK;
    // What became of it
    if (number == ENOENT) {
        status = hf_error_set(error, HF_ERROR_UNSUPPORTED,
                              "gnuplot, which draws figures, is not installed (Debian: apt install "
                              "gnuplot-nox)");
    } else if (number != 0) {
        status = hf_error_set(error, HF_ERROR_FILE, "cannot run gnuplot: %s", strerror(number));
    } else {
        int result = 0;
        pid_t ended = 0;
        do {
            ended = waitpid(child, &result, 0);
        } while (ended < 0 && errno == EINTR);
        status = ended != child
                     ? hf_error_set(error, HF_ERROR_FILE, "lost gnuplot: %s", strerror(errno))
                     : judge(result, figure, complaints, error);
    }
    (void)fclose(complaints);
    return status;
}
