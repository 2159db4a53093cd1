/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, written piece by piece: the skeleton (objects and arrays that hold many things) by this
 * writer, a member, entry or element a line; each of those is a jansson value, written compactly
 * and dropped at once. Every text passes text_safe(), so it is well-formed UTF-8 when jansson
 * gets it; what can fail then is memory only, and that ends the program as in base/mem.h.
 */
#ifndef MODCHECK_JSON_WRITER_H
#define MODCHECK_JSON_WRITER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct sink;
struct arena;

struct json_writer {
	struct sink *out;
	struct arena *scratch; /* for escaped copies */
	char *buffer;          /* one value in JSON, freed by json_writer_release() */
	size_t room;
	unsigned int depth;
	bool is_first; /* nothing was written yet at this depth */
};

/* Opens the outermost object; json_writer_release() closes it and frees what the writer holds. */
void json_writer_init(struct json_writer *w, struct sink *out, struct arena *scratch);
void json_writer_release(struct json_writer *w);

/* An object or array of several lines below a key of ours: "{" and "}", or "[" and "]". */
void json_writer_begin(struct json_writer *w, const char *key, const char *bracket);
void json_writer_end(struct json_writer *w, const char *bracket);

/* One line. The value is the writer's from now on. key is ours, name may be from a file. */
void json_writer_member(struct json_writer *w, const char *key, json_t *value);
void json_writer_entry(struct json_writer *w, const char *name, json_t *value);
void json_writer_element(struct json_writer *w, json_t *value);

/* New values; never NULL. */
json_t *json_new_object(void);
json_t *json_new_text(struct json_writer *w, const char *text);

/* Set a key of an object. json_set() takes the value over. A text of NULL or "" is left out. */
void json_set(json_t *object, const char *key, json_t *value);
void json_set_number(json_t *object, const char *key, long long n);
void json_set_text(struct json_writer *w, json_t *object, const char *key, const char *text);
void json_set_texts(struct json_writer *w, json_t *object, const char *key, const char **texts,
		    uint32_t n);

#endif
