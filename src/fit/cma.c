// SPDX-License-Identifier: Apache-2.0
// CMA-ES with weighted recombination, cumulation and rank-mu updates [Hansen2016]. With a mean m, a
// size s and a covariance C = B D^2 B', a generation is
//
//   x_k = m + s B D z_k,   z_k normal,   k = 1 .. lambda = 4 + 3 ln n                        (1)
//   m  += s y,   y = sum of w_i (x_i - m)/s over the best mu = lambda/2, w_i falling         (2)
//   p_s = (1 - c_s) p_s + sqrt(c_s (2 - c_s) mu_w) C^-1/2 y                                  (3)
//   s  *= exp(c_s/d_s (|p_s|/E|N(0, I)| - 1))                                                (4)
//   p_c = (1 - c_c) p_c + h sqrt(c_c (2 - c_c) mu_w) y,   h 0 while |p_s| is large, else 1   (5)
//   C   = (1 - c_1 - c_mu) C + c_1 p_c p_c' + c_mu sum of w_i y_i y_i'                       (6)
//
// with the weights and rates of his Table 1, negative weights left out.
#include "fit/cma.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/fit_data.h"
#include "fit/spectrum.h"

// Steps below this part of the first ones, and ratios of axes above this, end it.
static const double LEAST_SIZE = 1e-9, MOST_RATIO = 1e7;

struct hf_cma {
    int n, lambda, mu;
    double size, first_size, best_cost;
    double mu_w, c_s, d_s, c_c, c_1, c_mu, normal_length;
    unsigned long long random;
    int generation;
    double *weights;                              // [mu]
    double *mean, *before, *p_s, *p_c, *y, *best; // [n]; the mean before this generation
    double *c, *b, *work;                         // [n][n]; rows of b are axes
    double *d;                                    // [n]: lengths of axes
    double *points;                               // [lambda][n]
    int *order;                                   // [lambda]
};

static void set_rates(hf_cma *s)
{
    double n = s->n, sum = 0.0, squares = 0.0;
    for (int i = 0; i < s->mu; ++i) {
        s->weights[i] = log(0.5 * (s->lambda + 1.0)) - log(i + 1.0);
        sum += s->weights[i];
    }
    for (int i = 0; i < s->mu; ++i) {
        s->weights[i] /= sum;
        squares += s->weights[i] * s->weights[i];
    }
    double mu = s->mu_w = 1.0 / squares;
    s->c_s = (mu + 2.0) / (n + mu + 5.0);
    s->d_s = 1.0 + 2.0 * fmax(0.0, sqrt((mu - 1.0) / (n + 1.0)) - 1.0) + s->c_s;
    s->c_c = (4.0 + mu / n) / (n + 4.0 + 2.0 * mu / n);
    s->c_1 = 2.0 / ((n + 1.3) * (n + 1.3) + mu);
    s->c_mu = fmin(1.0 - s->c_1, 2.0 * (mu - 2.0 + 1.0 / mu) / ((n + 2.0) * (n + 2.0) + mu));
    s->normal_length = sqrt(n) * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
}

hf_cma *hf_cma_create(int count, const double *mean, double size, int population,
                      unsigned long long seed)
{
    hf_cma *s = calloc(1, sizeof *s);
    size_t n = (size_t)count;
    int lambda = population > 0 ? population : 4 + (int)(3.0 * log((double)count));
    size_t l = (size_t)lambda;
    double *room = calloc(7 * n + 3 * n * n + l * n + l, sizeof *room);
    int *order = calloc(l, sizeof *order);
    if (s == NULL || room == NULL || order == NULL) {
        free(s);
        free(room);
        free(order);
        return NULL;
    }
    // Its memory
    *s = (hf_cma){.n = count, .lambda = lambda, .mu = lambda / 2, .size = size, .order = order};
    s->first_size = size;
    s->best_cost = INFINITY;
    s->random = seed * 0x9e3779b97f4a7c15ull + 1;
    s->mean = room;
    s->p_s = room + n;
    s->p_c = room + 2 * n;
    s->y = room + 3 * n;
    s->best = room + 4 * n;
    s->d = room + 5 * n;
    s->before = room + 6 * n;
    s->c = room + 7 * n;
    s->b = s->c + n * n;
    s->work = s->b + n * n;
    s->points = s->work + n * n;
    s->weights = s->points + l * n;
    set_rates(s);
    // It begins with a sphere
    memcpy(s->mean, mean, n * sizeof *mean);
    memcpy(s->best, mean, n * sizeof *mean);
    for (size_t i = 0; i < n; ++i) {
        s->c[i * n + i] = s->b[i * n + i] = s->d[i] = 1.0;
    }
    return s;
}

void hf_cma_destroy(hf_cma *cma)
{
    if (cma != NULL) {
        free(cma->mean);
        free(cma->order);
        free(cma);
    }
}

int hf_cma_population(const hf_cma *cma)
{
    return cma->lambda;
}

// Box and Muller's method.
static double normal(unsigned long long *random)
{
    double u = 0.5 * (hf_fit_random(random) + 1.0), v = hf_fit_random(random);
    return sqrt(-2.0 * log(1.0 - u)) * cos(3.14159265358979323846 * v);
}

double *hf_cma_ask(hf_cma *s)
{
    size_t n = (size_t)s->n;
    for (int k = 0; k < s->lambda; ++k) { // (1)
        double *x = s->points + (size_t)k * n;
        memcpy(x, s->mean, n * sizeof *x);
        for (size_t axis = 0; axis < n; ++axis) {
            double z = s->size * s->d[axis] * normal(&s->random);
            for (size_t i = 0; i < n; ++i) {
                x[i] += z * s->b[axis * n + i];
            }
        }
    }
    return s->points;
}

// Best first; what is not finite last.
static void sort(hf_cma *s, const double *costs)
{
    for (int i = 0; i < s->lambda; ++i) {
        int k = i;
        for (; k > 0; --k) {
            double before = costs[s->order[k - 1]];
            if (isfinite(before) && !(costs[i] < before)) {
                break;
            }
            s->order[k] = s->order[k - 1];
        }
        s->order[k] = i;
    }
}

static double entry(const hf_cma *s, int rank, int i)
{
    return s->points[s->order[rank] * s->n + i];
}

// (6), and the axes that belong to it. `missing`: what p_c's share lacks while h is 0.
static void adapt(hf_cma *s, double missing)
{
    int n = s->n;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double ranks = 0.0;
            for (int k = 0; k < s->mu; ++k) {
                ranks += s->weights[k] * (entry(s, k, i) - s->before[i]) *
                         (entry(s, k, j) - s->before[j]) / (s->size * s->size);
            }
            double c = (1.0 - s->c_1 - s->c_mu + s->c_1 * missing) * s->c[i * n + j] +
                       s->c_1 * s->p_c[i] * s->p_c[j] + s->c_mu * ranks;
            s->c[i * n + j] = s->c[j * n + i] = c;
        }
    }
    memcpy(s->work, s->c, (size_t)(n * n) * sizeof *s->work);
    hf_spectrum(s->work, n, s->d, s->b);
    for (int i = 0; i < n; ++i) {
        s->d[i] = sqrt(fmax(s->d[i], 0.0));
    }
}

bool hf_cma_tell(hf_cma *s, const double *costs)
{
    int n = s->n;
    sort(s, costs);
    if (costs[s->order[0]] < s->best_cost) {
        s->best_cost = costs[s->order[0]];
        memcpy(s->best, s->points + s->order[0] * n, (size_t)n * sizeof *s->best);
    }
    // The step of the mean (2)
    memcpy(s->before, s->mean, (size_t)n * sizeof *s->before);
    for (int i = 0; i < n; ++i) {
        s->y[i] = 0.0;
        for (int k = 0; k < s->mu; ++k) {
            s->y[i] += s->weights[k] * (entry(s, k, i) - s->before[i]) / s->size;
        }
        s->mean[i] += s->size * s->y[i];
    }
    // Paths (3), (5)
    double length = 0.0, keep = sqrt(s->c_s * (2.0 - s->c_s) * s->mu_w);
    for (int i = 0; i < n; ++i) {
        double turned = 0.0;
        for (int axis = 0; axis < n; ++axis) {
            double along = 0.0;
            for (int j = 0; j < n; ++j) {
                along += s->b[axis * n + j] * s->y[j];
            }
            turned += s->d[axis] > 0.0 ? s->b[axis * n + i] * along / s->d[axis] : 0.0;
        }
        s->p_s[i] = (1.0 - s->c_s) * s->p_s[i] + keep * turned;
        length += s->p_s[i] * s->p_s[i];
    }
    length = sqrt(length);
    s->generation += 1;
    double settled = sqrt(1.0 - pow(1.0 - s->c_s, 2.0 * s->generation));
    bool small = length / settled < (1.4 + 2.0 / (n + 1.0)) * s->normal_length;
    for (int i = 0; i < n; ++i) {
        s->p_c[i] = (1.0 - s->c_c) * s->p_c[i] +
                    (small ? sqrt(s->c_c * (2.0 - s->c_c) * s->mu_w) * s->y[i] : 0.0);
    }
    // Covariance, and the size (4)
    adapt(s, small ? 0.0 : s->c_c * (2.0 - s->c_c));
    s->size *= exp(s->c_s / s->d_s * (length / s->normal_length - 1.0));
    bool even = s->d[n - 1] < MOST_RATIO * fmax(s->d[0], DBL_MIN);
    return even && isfinite(s->size) && s->size * s->d[n - 1] > LEAST_SIZE * s->first_size;
}

const double *hf_cma_best(const hf_cma *cma, double *cost)
{
    *cost = cma->best_cost;
    return cma->best;
}
