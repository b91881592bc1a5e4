// SPDX-License-Identifier: Apache-2.0
// Eigenvalues of symmetric matrices (Jacobi), and the inverse of what can be inverted.
#include "fit/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

// Squares of what is left off the diagonal, as a part of all: rounding.
#define DIAGONAL 1e-30
enum { MOST_SWEEPS = 60 };

// Turns rows and columns p and q so that a[p][q] becomes zero.
static void rotate(double *a, double *v, int n, int p, int q)
{
    double theta = (a[q * n + q] - a[p * n + p]) / (2.0 * a[p * n + q]);
    double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < n; ++k) {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; ++k) {
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
        x = v[p * n + k];
        y = v[q * n + k];
        v[p * n + k] = c * x - s * y;
        v[q * n + k] = s * x + c * y;
    }
}

static void sort(double *values, double *vectors, int n)
{
    for (int i = 0; i < n; ++i) {
        int least = i;
        for (int k = i + 1; k < n; ++k) {
            least = values[k] < values[least] ? k : least;
        }
        double value = values[i];
        values[i] = values[least];
        values[least] = value;
        for (int k = 0; k < n && least != i; ++k) {
            double number = vectors[i * n + k];
            vectors[i * n + k] = vectors[least * n + k];
            vectors[least * n + k] = number;
        }
    }
}

void hf_spectrum(double *a, int n, double *values, double *vectors)
{
    for (int i = 0; i < n * n; ++i) {
        vectors[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
    }
    for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
        double off = 0.0, all = 0.0;
        for (int i = 0; i < n * n; ++i) {
            off += i % (n + 1) == 0 ? 0.0 : a[i] * a[i];
            all += a[i] * a[i];
        }
        if (!(off > DIAGONAL * all)) {
            break;
        }
        for (int p = 0; p < n; ++p) {
            for (int q = p + 1; q < n; ++q) {
                if (a[p * n + q] != 0.0) {
                    rotate(a, vectors, n, p, q);
                }
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        values[i] = a[i * n + i];
    }
    sort(values, vectors, n);
}

hf_status hf_spectrum_invert(const double *a, int n, double *inverse, double *condition,
                             hf_error *error)
{
    size_t size = (size_t)n * (size_t)n;
    double *room = malloc((2 * size + 2 * (size_t)n + 1) * sizeof *room);
    if (room == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    double *scaled = room, *vectors = room + size, *values = vectors + size, *scale = values + n;
    // Scaled to a unit diagonal
    for (int i = 0; i < n; ++i) {
        scale[i] = a[i * n + i] > 0.0 ? 1.0 / sqrt(a[i * n + i]) : 0.0;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            scaled[i * n + j] = a[i * n + j] * scale[i] * scale[j];
        }
    }
    // Its eigenvalues, and how far apart they are
    hf_spectrum(scaled, n, values, vectors);
    double largest = n > 0 ? values[n - 1] : 0.0;
    *condition = values[0] > 0.0 ? largest / values[0] : (double)INFINITY;
    // The inverse without those that are zero
    memset(inverse, 0, size * sizeof *inverse);
    for (int k = 0; k < n; ++k) {
        if (!(values[k] > HF_SPECTRUM_ZERO * largest)) {
            continue;
        }
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                inverse[i * n + j] +=
                    vectors[k * n + i] * vectors[k * n + j] / values[k] * scale[i] * scale[j];
            }
        }
    }
    free(room);
    return HF_OK;
}
