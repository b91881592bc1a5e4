// SPDX-License-Identifier: Apache-2.0

void without(int *sum)
{
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
}

void with(int *sum)
{
    // The first half
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    // and the second
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
    ++*sum;
}
