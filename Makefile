# SPDX-License-Identifier: GPL-2.0-or-later
CC ?= gcc
CFLAGS ?= -O2 -g
BUILD ?= build
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	-Wpointer-arith -Wcast-qual -Wformat=2 -Wvla
PKGS := libelf libkmod zlib liblzma libzstd jansson
CPPFLAGS += -D_GNU_SOURCE -Isrc -include base/banned.h
ALL_CFLAGS = -std=gnu11 $(WARN) $(if $(WERROR),-Werror) $(CFLAGS) $(shell pkg-config --cflags $(PKGS))
LDLIBS += $(shell pkg-config --libs $(PKGS)) -pthread

SRC := $(sort $(wildcard src/*.c src/*/*.c))
OBJ := $(SRC:%.c=$(BUILD)/%.o)
LIB := $(filter-out $(BUILD)/src/main.o,$(OBJ))

all: $(BUILD)/modcheck

$(BUILD)/modcheck: $(OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/src/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Unit tests: one program a file, linked with everything but main().
$(BUILD)/libmodcheck.a: $(LIB)
	rm -f $@; ar rcs $@ $^

$(BUILD)/tests/unit/%: tests/unit/%.c $(BUILD)/libmodcheck.a
	@mkdir -p $(@D)
	$(CC) -D_GNU_SOURCE -Isrc $(ALL_CFLAGS) -MMD -MP -o $@ $< $(BUILD)/libmodcheck.a $(LDLIBS) -lcmocka

-include $(OBJ:.o=.d)
clean:
	rm -rf $(BUILD)
.PHONY: all clean
