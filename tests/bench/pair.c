/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pair N 'COMMAND A' 'COMMAND B': run both in turn, A B A B ..., N times after one round that does
 * not count, and print wall time, processor time and peak memory of each as minimum, median and
 * maximum, and the ratios A/B pair by pair. In turn, so that a machine whose speed drifts slows
 * both down. The commands are given to `sh -c exec`; what they print is thrown away.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum figure { WALL, CPU, PEAK, N_FIGURES };

static const char *const figure_names[] = { "wall ms", "cpu ms", "peak MiB" };

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double ms_of(struct timeval t)
{
	return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static void run_child(const char *command)
{
	char line[8192];
	int null = open("/dev/null", O_RDWR);

	snprintf(line, sizeof(line), "exec %s", command);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(127);
}

static void measure(const char *command, double *figures)
{
	struct rusage usage;
	int status;
	double start = now_ms();
	pid_t pid = fork();

	if (pid == 0)
		run_child(command);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) > 1) {
		fprintf(stderr, "pair: failed: %s\n", command);
		exit(2);
	}
	figures[WALL] = now_ms() - start;
	figures[CPU] = ms_of(usage.ru_utime) + ms_of(usage.ru_stime);
	figures[PEAK] = (double)usage.ru_maxrss / 1024;
}

static int compare(const void *pa, const void *pb)
{
	double a = *(const double *)pa, b = *(const double *)pb;

	return a < b ? -1 : a > b;
}

static void print_row(const char *name, double *values, int n)
{
	qsort(values, (size_t)n, sizeof(*values), compare);
	printf("  %-12s %10.3f %10.3f %10.3f\n", name, values[0], values[n / 2], values[n - 1]);
}

int main(int argc, char **argv)
{
	static double all[2][N_FIGURES][1000], ratios[1000];
	int n = argc == 4 ? atoi(argv[1]) : 0;

	if (n < 1 || n > 1000) {
		fprintf(stderr, "usage: pair N 'COMMAND A' 'COMMAND B'\n");
		return 2;
	}
	for (int i = -1; i < n; i++) {
		for (int c = 0; c < 2; c++) {
			double figures[N_FIGURES];
			measure(argv[2 + c], figures);
			for (int f = 0; i >= 0 && f < N_FIGURES; f++)
				all[c][f][i] = figures[f];
		}
	}
	printf("  A: %s\n  B: %s\n  %-12s %10s %10s %10s   (%d runs of each, in turn)\n", argv[2],
	       argv[3], "", "min", "median", "max", n);
	for (int f = 0; f < N_FIGURES; f++) {
		char name[32];
		for (int i = 0; i < n; i++)
			ratios[i] = all[0][f][i] / all[1][f][i];
		for (int c = 0; c < 2; c++) {
			snprintf(name, sizeof(name), "%c %s", 'A' + c, figure_names[f]);
			print_row(name, all[c][f], n);
		}
		snprintf(name, sizeof(name), "A/B %.4s", figure_names[f]);
		print_row(name, ratios, n);
	}
	return 0;
}
