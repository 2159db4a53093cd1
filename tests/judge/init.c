/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The only program inside the judge's virtual machine: it loads modules in the order that /list
 * tells, and writes on the console what the kernel answered.
 *
 * It is a 32-bit program without any library, because one binary then serves the 32-bit kernels
 * and the 64-bit ones (Debian's have IA32 emulation), and nothing but gcc -m32 is needed for it.
 *
 * /list, one command a line, single spaces:
 *
 *   case KIND            a new experiment
 *   finit PATH NAME      load by finit_module(2); NAME is the one that the module is loaded under
 *   init PATH NAME       the same by init_module(2)
 *   unload NAME          delete_module(2); its answer is told only if it fails
 *   quiet                from here on tell the messages of refused modules only
 *
 * What it writes, a line each, between the kernel's own lines:
 *
 *   @case KIND
 *   @load PATH RC TAINTED LETTERS    RC: 0 or -errno; TAINTED: /proc/sys/kernel/tainted after it;
 *                                    LETTERS: /sys/module/NAME/taint, "-" if none
 *   @msg TEXT                        each message of the kernel during that load
 *   @unload NAME RC
 *   @end                             the list was done
 */
#include <stddef.h>
#include <stdint.h>

enum {
	SYS_READ = 3,
	SYS_WRITE = 4,
	SYS_OPEN = 5,
	SYS_CLOSE = 6,
	SYS_MOUNT = 21,
	SYS_MKDIR = 39,
	SYS_REBOOT = 88,
	SYS_INIT_MODULE = 128,
	SYS_DELETE_MODULE = 129,
	SYS_FINIT_MODULE = 350,
};

#define O_WRONLY 1
#define O_RDWR 2
#define O_NONBLOCK 04000
#define EPIPE 32 /* of /dev/kmsg: records were overwritten before they were read */

#define REBOOT_MAGIC1 0xfee1deadu
#define REBOOT_MAGIC2 0x28121969u
#define REBOOT_POWER_OFF 0x4321fedcu

/* A message without a newline stays unseen until another one comes: this one, then. */
#define MARK "@\n"

#define MAX_LIST (4u << 20)
#define MAX_MODULE (24u << 20)

struct state {
	int console, kmsg;
	int is_quiet;
};

static long call(long number, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory");
	return result;
}

static int open_file(const char *path, int flags)
{
	return (int)call(SYS_OPEN, (uintptr_t)path, (uintptr_t)flags, 0, 0, 0);
}

static long read_some(int fd, void *to, size_t size)
{
	return call(SYS_READ, (uintptr_t)fd, (uintptr_t)to, size, 0, 0);
}

static size_t length_of(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

static void put_bytes(const struct state *s, const char *text, size_t size)
{
	while (size > 0) {
		long n = call(SYS_WRITE, (uintptr_t)s->console, (uintptr_t)text, size, 0, 0);

		if (n <= 0)
			return;
		text += n;
		size -= (size_t)n;
	}
}

static void put(const struct state *s, const char *text)
{
	put_bytes(s, text, length_of(text));
}

static void put_number(const struct state *s, long number)
{
	unsigned long value = number < 0 ? -(unsigned long)number : (unsigned long)number;
	char digits[16];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	if (number < 0)
		digits[--at] = '-';
	put_bytes(s, digits + at, sizeof(digits) - at);
}

/* A small file's first line; "-" if there is none. */
static void put_file(const struct state *s, const char *path)
{
	char text[64];
	int fd = open_file(path, 0);
	long n = fd < 0 ? 0 : read_some(fd, text, sizeof(text));

	if (fd >= 0)
		call(SYS_CLOSE, (uintptr_t)fd, 0, 0, 0, 0);
	while (n > 0 && text[n - 1] == '\n')
		n--;
	if (n <= 0)
		put(s, "-");
	else
		put_bytes(s, text, (size_t)n);
}

static void put_taint(const struct state *s, const char *name)
{
	static const char before[] = "/sys/module/", after[] = "/taint";
	char path[192];
	size_t n = 0;

	if (length_of(name) + sizeof(before) + sizeof(after) > sizeof(path))
		return;
	for (const char *c = before; *c; c++)
		path[n++] = *c;
	for (const char *c = name; *c; c++)
		path[n++] = *c;
	for (const char *c = after; *c; c++)
		path[n++] = *c;
	path[n] = '\0';
	put_file(s, path);
}

/* A record is "level,number,time,flags;text\n KEY=value\n": the text alone is of interest. */
static void put_record(const struct state *s, const char *record, size_t size)
{
	size_t start = 0, end;

	while (start < size && record[start] != ';')
		start++;
	start++;
	for (end = start; end < size && record[end] != '\n'; end++)
		continue;
	if (start >= end || record[start] == MARK[0])
		return;
	put(s, "@msg ");
	put_bytes(s, record + start, end - start);
	put(s, "\n");
}

static void drain_messages(const struct state *s, int is_told)
{
	static char record[8192];

	call(SYS_WRITE, (uintptr_t)s->kmsg, (uintptr_t)MARK, sizeof(MARK) - 1, 0, 0);
	for (;;) {
		long n = read_some(s->kmsg, record, sizeof(record));

		if (n == -EPIPE)
			continue;
		if (n <= 0)
			return;
		if (is_told)
			put_record(s, record, (size_t)n);
	}
}

static long load_bytes(int fd)
{
	static char bytes[MAX_MODULE];
	size_t size = 0;
	long n;

	while (size < sizeof(bytes) && (n = read_some(fd, bytes + size, sizeof(bytes) - size)) > 0)
		size += (size_t)n;
	return call(SYS_INIT_MODULE, (uintptr_t)bytes, size, (uintptr_t) "", 0, 0);
}

static void load(const struct state *s, const char *path, const char *name, int by_descriptor)
{
	int fd = open_file(path, 0);
	long rc = fd;

	drain_messages(s, 0);
	if (fd >= 0 && by_descriptor)
		rc = call(SYS_FINIT_MODULE, (uintptr_t)fd, (uintptr_t) "", 0, 0, 0);
	else if (fd >= 0)
		rc = load_bytes(fd);
	if (fd >= 0)
		call(SYS_CLOSE, (uintptr_t)fd, 0, 0, 0, 0);
	put(s, "@load ");
	put(s, path);
	put(s, " ");
	put_number(s, rc);
	put(s, " ");
	put_file(s, "/proc/sys/kernel/tainted");
	put(s, " ");
	if (rc)
		put(s, "-");
	else
		put_taint(s, name);
	put(s, "\n");
	drain_messages(s, rc || !s->is_quiet);
}

static void unload(const struct state *s, const char *name)
{
	long rc = call(SYS_DELETE_MODULE, (uintptr_t)name, O_NONBLOCK, 0, 0, 0);

	if (!rc)
		return;
	put(s, "@unload ");
	put(s, name);
	put(s, " ");
	put_number(s, rc);
	put(s, "\n");
}

static int is_word(const char *word, const char *wanted)
{
	size_t n = length_of(wanted);

	for (size_t i = 0; i <= n; i++) {
		if (word[i] != wanted[i])
			return 0;
	}
	return 1;
}

static void obey(struct state *s, char *words[3])
{
	if (is_word(words[0], "case")) {
		put(s, "@case ");
		put(s, words[1]);
		put(s, "\n");
	} else if (is_word(words[0], "finit")) {
		load(s, words[1], words[2], 1);
	} else if (is_word(words[0], "init")) {
		load(s, words[1], words[2], 0);
	} else if (is_word(words[0], "unload")) {
		unload(s, words[1]);
	} else if (is_word(words[0], "quiet")) {
		s->is_quiet = 1;
	}
}

/* Cuts the list into lines and the lines into words, in place. */
static void run_list(struct state *s, char *text)
{
	while (*text) {
		static char none[] = "";
		char *words[3] = { text, none, none };
		int n = 1;

		for (; *text && *text != '\n'; text++) {
			if (*text != ' ' || n == 3)
				continue;
			*text = '\0';
			words[n++] = text + 1;
		}
		if (*text)
			*text++ = '\0';
		obey(s, words);
	}
}

static void mount_on(const char *type, const char *path)
{
	call(SYS_MKDIR, (uintptr_t)path, 0755, 0, 0, 0);
	call(SYS_MOUNT, (uintptr_t)type, (uintptr_t)path, (uintptr_t)type, 0, 0);
}

static void run(void)
{
	static char list[MAX_LIST];
	struct state s = { .is_quiet = 0 };
	size_t size = 0;
	long n;
	int fd;

	mount_on("proc", "/proc");
	mount_on("sysfs", "/sys");
	mount_on("devtmpfs", "/dev");
	s.console = open_file("/dev/ttyS0", O_WRONLY);
	s.kmsg = open_file("/dev/kmsg", O_RDWR | O_NONBLOCK);
	fd = open_file("/list", 0);
	while (size < sizeof(list) - 1 &&
	       (n = read_some(fd, list + size, sizeof(list) - 1 - size)) > 0)
		size += (size_t)n;
	run_list(&s, list);
	put(&s, "@end\n");
}

void start_c(void);
void start_c(void)
{
	run();
	call(SYS_REBOOT, REBOOT_MAGIC1, REBOOT_MAGIC2, REBOOT_POWER_OFF, 0, 0);
	for (;;)
		continue;
}

__asm__(".globl _start\n"
	"_start:\n"
	"	xorl %ebp, %ebp\n"
	"	andl $-16, %esp\n"
	"	call start_c\n");
