/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/json_writer.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sink.h"
#include "base/text.h"

json_t *json_new_object(void)
{
	json_t *object = json_object();

	if (!object)
		mem_exhausted();
	return object;
}

json_t *json_new_text(struct json_writer *w, const char *text)
{
	json_t *value = json_string_nocheck(text_safe(w->scratch, text));

	if (!value)
		mem_exhausted();
	return value;
}

void json_set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new_nocheck(object, key, value) != 0)
		mem_exhausted();
}

void json_set_number(json_t *object, const char *key, long long n)
{
	json_set(object, key, json_integer(n));
}

void json_set_text(struct json_writer *w, json_t *object, const char *key, const char *text)
{
	if (text && *text)
		json_set(object, key, json_new_text(w, text));
}

void json_set_texts(struct json_writer *w, json_t *object, const char *key, const char **texts,
		    uint32_t n)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < n; i++) {
		if (json_array_append_new(array, json_new_text(w, texts[i])) != 0)
			mem_exhausted();
	}
	json_set(object, key, array);
}

/* Write a value and drop it. The buffer grows to the largest one. */
static void put_value(struct json_writer *w, json_t *value)
{
	size_t size = json_dumpb(value, w->buffer, w->room, JSON_ENCODE_ANY);

	if (size > w->room) {
		w->room = size * 2;
		w->buffer = mem_resize(w->buffer, w->room, 1);
		size = json_dumpb(value, w->buffer, w->room, JSON_ENCODE_ANY);
	}
	if (size == 0)
		mem_exhausted();
	json_decref(value);
	sink_write(w->out, w->buffer, size);
}

/* A new line, and the comma that ends the one before. */
static void next_line(struct json_writer *w)
{
	static const char indent[] = "        ";
	size_t n = (size_t)w->depth * 2;

	sink_puts(w->out, w->is_first ? "\n" : ",\n");
	sink_write(w->out, indent, n < sizeof(indent) ? n : sizeof(indent) - 1);
	w->is_first = false;
}

void json_writer_init(struct json_writer *w, struct sink *out, struct arena *scratch)
{
	*w = (struct json_writer) { .out = out, .scratch = scratch, .depth = 1, .is_first = true };
	w->room = 4096;
	w->buffer = mem_resize(NULL, w->room, 1);
	sink_puts(out, "{");
}

void json_writer_release(struct json_writer *w)
{
	sink_puts(w->out, "\n}\n");
	free(w->buffer);
	w->buffer = NULL;
}

void json_writer_begin(struct json_writer *w, const char *key, const char *bracket)
{
	next_line(w);
	sink_printf(w->out, "\"%s\": %s", key, bracket);
	w->depth++;
	w->is_first = true;
}

void json_writer_end(struct json_writer *w, const char *bracket)
{
	bool is_empty = w->is_first;

	w->depth--;
	w->is_first = true; /* no comma before a bracket */
	if (!is_empty)
		next_line(w);
	sink_puts(w->out, bracket);
	w->is_first = false;
}

void json_writer_member(struct json_writer *w, const char *key, json_t *value)
{
	next_line(w);
	sink_printf(w->out, "\"%s\": ", key);
	put_value(w, value);
}

void json_writer_entry(struct json_writer *w, const char *name, json_t *value)
{
	next_line(w);
	put_value(w, json_new_text(w, name));
	sink_puts(w->out, ": ");
	put_value(w, value);
}

void json_writer_element(struct json_writer *w, json_t *value)
{
	next_line(w);
	put_value(w, value);
}
