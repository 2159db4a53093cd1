# SPDX-License-Identifier: GPL-2.0-or-later
# `make help` lists the targets. Everything that is made goes below $(BUILD); a flavour (asan,
# ubsan, ...) is this same file with another BUILD and other CFLAGS.

ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS ?= -O2 -g
BUILD ?= build
TOOLS ?= $(BUILD)/tools
TOOL_CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
DESTDIR ?=
DOCS := $(PREFIX)/share/doc/modcheck
FUZZ_SECONDS ?= 60

VERSION := $(shell sed -n 's/^.define MODCHECK_VERSION "\(.*\)"/\1/p' src/base/version.h)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
	-Wpointer-arith -Wcast-qual -Wformat=2 -Wvla
PKGS := libelf libcrypto zlib liblzma libzstd liblz4 lzo2 jansson
PKGS_HEADERS := libxxhash

# Asked for once, and only when something is compiled: `make test` installs pkg-config first.
PKG_CFLAGS = $(eval PKG_CFLAGS := $$(shell pkg-config --cflags $(PKGS) $(PKGS_HEADERS)))$(PKG_CFLAGS)
PKG_LIBS = $(eval PKG_LIBS := $$(shell pkg-config --libs $(PKGS)) -lbz2)$(PKG_LIBS)

ALL_CPPFLAGS = -D_GNU_SOURCE -Isrc $(CPPFLAGS)
ALL_CFLAGS = -std=gnu11 $(WARN) $(if $(WERROR),-Werror) $(CFLAGS) $(PKG_CFLAGS)
ALL_LIBS = $(LDLIBS) $(PKG_LIBS) -pthread
BANNED := -include base/banned.h

SRC := $(sort $(wildcard src/*.c src/*/*.c))
OBJ := $(SRC:%.c=$(BUILD)/%.o)
LIB := $(BUILD)/libmodcheck.a
TOOL_OBJ := $(patsubst %.c,$(TOOLS)/%.o,$(sort $(wildcard tests/tools/*.c)))
UNIT := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/unit/test_*.c)))
FUZZ_MAIN := tests/fuzz/driver.c
FUZZ := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

# All processors, unless the caller chose; recipes call $(MAKE) where the order matters.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

# V=1 shows whole commands, V=0 nothing but warnings.
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 0 1,$(V)),@:,@printf '  %-7s %s\n')
ifneq ($(V),1)
MAKEFLAGS += --no-print-directory
endif

all: program ## build the program

$(BUILD)/modcheck: $(BUILD)/src/main.o $(LIB)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(LIB): $(filter-out $(BUILD)/src/main.o,$(OBJ))
	$(say) AR $@
	$(Q)rm -f $@ && ar rcs $@ $^

# A stamp that the libraries are there; without them it says which packages bring them.
$(BUILD)/.libraries: tests/setup.sh
	$(Q)mkdir -p $(@D)
	$(Q)tests/setup.sh --check build
	$(Q)touch $@

# Changes when the compiler or its flags do: then everything is compiled anew.
$(BUILD)/.flags: FORCE | $(BUILD)/.libraries
	@echo "$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) $(FUZZ_LINK)" | cmp -s - $@ || \
		echo "$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) $(FUZZ_LINK)" >$@

$(BUILD)/src/%.o: src/%.c $(BUILD)/.flags
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(BANNED) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# mkko, the maker of test modules: all of tests/tools in one program.
$(TOOLS)/tests/tools/%.o: tests/tools/%.c | $(BUILD)/.libraries
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(ALL_CPPFLAGS) -std=gnu11 $(WARN) $(if $(WERROR),-Werror) $(TOOL_CFLAGS) $(PKG_CFLAGS) \
		-MMD -MP -c -o $@ $<

$(TOOLS)/mkko: $(TOOL_OBJ)
	$(say) LINK $@
	$(Q)$(CC) $(TOOL_CFLAGS) -o $@ $^ -lz -llzma -lzstd

# Unit tests: one program a file, linked with everything but main().
$(BUILD)/tests/unit/%: tests/unit/%.c $(LIB) $(BUILD)/.flags
	@mkdir -p $(@D)
	$(say) TEST $@
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -o $@ $< $(LIB) $(LDFLAGS) $(ALL_LIBS) -lcmocka

$(BUILD)/tests/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZ_MAIN) $(LIB) $(BUILD)/.flags
	@mkdir -p $(@D)
	$(say) FUZZ $@
	$(Q)$(CC) $(ALL_CPPFLAGS) $(ALL_CFLAGS) $(FUZZ_LINK) -MMD -MP -o $@ $< $(FUZZ_MAIN) $(LIB) \
		$(LDFLAGS) $(ALL_LIBS)

-include $(OBJ:.o=.d) $(TOOL_OBJ:.o=.d) $(UNIT:=.d) $(FUZZ:=.d)

# --- to see it and to test it; these install what they need ------------------------------------

demo: ## show what modcheck is for
	@tests/setup.sh build
	@echo 'Building modcheck and its maker of sample modules ...'
	@$(MAKE) V=0 program mkko
	@MODCHECK=$(BUILD)/modcheck MKKO=$(TOOLS)/mkko DEMO_DIR=$(BUILD)/demo tests/demo.sh

test: ## unit tests and golden tests
	@tests/setup.sh build test
	@$(MAKE) programs
	@BUILD=$(BUILD) TOOLS=$(TOOLS) tests/run.sh unit golden

unit golden real-test: ## one of these alone
	@tests/setup.sh build test
	@$(MAKE) programs
	@BUILD=$(BUILD) TOOLS=$(TOOLS) tests/run.sh $(@:real-test=real)

judge: ## real kernels in an emulated machine load modules: do they say what modcheck says? (15 min)
	@tests/setup.sh build test real judge
	@$(MAKE) program
	@BUILD=$(BUILD) tests/judge/run.sh

judge-quick: ## some of it, on one kernel
	@tests/setup.sh build test real judge
	@$(MAKE) program
	@BUILD=$(BUILD) tests/judge/run.sh quick

patched-kernel: ## build a kernel whose patch forgot an export: is the install stopped? (10 min)
	@tests/setup.sh build test kernel
	@$(MAKE) program
	@BUILD=$(BUILD) tests/patched/run.sh

ready-test: ## build out-of-tree modules for two kernels: is it what `modcheck ready` said? (15 min)
	@tests/setup.sh build test real ready
	@$(MAKE) program
	@BUILD=$(BUILD) tests/ready/run.sh

golden-update: ## rewrite the expected outputs: read the diff before you commit it
	@tests/setup.sh build test
	@$(MAKE) programs
	@BUILD=$(BUILD) TOOLS=$(TOOLS) tests/run.sh golden-update

programs: program mkko $(UNIT)
	@:

program: $(BUILD)/modcheck
	@:

mkko: $(TOOLS)/mkko
	@:

bench: ## measure against depmod and modinfo
	@tests/setup.sh build test bench
	@$(MAKE) programs
	@BUILD=$(BUILD) TOOLS=$(TOOLS) tests/run.sh bench

check: ## lint and test
	@$(MAKE) lint
	@$(MAKE) test

# Status 99 is what a sanitizer ends a program with: 1 would look like findings.
SANITIZE = -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all

asan: ## the tests with AddressSanitizer and LeakSanitizer
	@tests/setup.sh build test
	@$(MAKE) mkko
	@ASAN_OPTIONS=exitcode=99:detect_leaks=1:strict_string_checks=1 LSAN_OPTIONS=exitcode=99 \
		$(MAKE) test BUILD=$(BUILD)/asan TOOLS=$(TOOLS) CFLAGS="$(SANITIZE) -fsanitize=address"

ubsan: ## the tests with UndefinedBehaviorSanitizer
	@tests/setup.sh build test
	@$(MAKE) mkko
	@UBSAN_OPTIONS=exitcode=99:halt_on_error=1:print_stacktrace=1 \
		$(MAKE) test BUILD=$(BUILD)/ubsan TOOLS=$(TOOLS) CFLAGS="$(SANITIZE) -fsanitize=undefined"

coverage: ## lines that the tests run, file by file
	@tests/setup.sh build test
	@$(MAKE) mkko
	@$(MAKE) test BUILD=$(BUILD)/coverage TOOLS=$(TOOLS) CFLAGS="-O0 -g --coverage"
	@tests/coverage.sh $(BUILD)/coverage

FUZZ_MAKE = $(MAKE) BUILD=$(BUILD)/fuzz TOOLS=$(TOOLS) CC=clang FUZZ_MAIN= FUZZ_LINK=-fsanitize=fuzzer \
	CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all"

fuzzers: $(FUZZ)
	@:

fuzz-smoke: ## each fuzzer for a short while, FUZZ_SECONDS (60) in all
	@tests/setup.sh build test fuzz
	@$(MAKE) mkko
	+@$(FUZZ_MAKE) fuzzers
	@MKKO=$(TOOLS)/mkko tests/fuzz/run.sh $(BUILD)/fuzz $(FUZZ_SECONDS)

fuzz: ## the same for an hour, or FUZZ_SECONDS
	@FUZZ_SEED=0 $(MAKE) fuzz-smoke FUZZ_SECONDS=$(if $(filter file,$(origin FUZZ_SECONDS)),3600,$(FUZZ_SECONDS))

# --- rules that code and documentation are held to ---------------------------------------------

LINT := check-text check-scripts check-size check-layers check-rules-doc check-options-doc \
	check-headers format-check cppcheck build-gcc build-clang

lint: ## all of the checks below; LINT="..." picks some
	@tests/setup.sh build test lint
	@MAKE="$(MAKE)" tests/lint/run.sh $(LINT)

check-text: ## licence lines, white space, words that have no place here
	@tests/lint/text.sh

check-scripts: ## shellcheck over the scripts
	@shellcheck -S warning -e SC2148,SC2154 .ci/run $$(git ls-files '*.sh')

check-size: ## functions of at most 60 lines, files of at most 600
	@tests/lint/size.sh

check-layers: ## includes point down only
	@tests/lint/layers.sh

docs doc/rules.md: ## write doc/rules.md anew from what the program says of its rules
	@$(MAKE) program
	@MODCHECK=$(BUILD)/modcheck tests/lint/rules-doc.sh --write

check-rules-doc: ## doc/rules.md is what `make docs` would write
	@$(MAKE) program
	@MODCHECK=$(BUILD)/modcheck tests/lint/rules-doc.sh

check-options-doc: ## --help and the manual page name the same options
	@$(MAKE) program
	@MODCHECK=$(BUILD)/modcheck tests/lint/options-doc.sh

check-headers: $(BUILD)/.libraries ## each header compiles alone
	@CC="$(CC)" FLAGS="$(BANNED) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -Werror" tests/lint/headers.sh

C_FILES = $(shell git ls-files '*.c' '*.h')

format: ## lay out all C files with clang-format
	@clang-format -i $(C_FILES)

format-check: ## is anything laid out otherwise?
	@tests/lint/format.sh $(C_FILES)

cppcheck: ## cppcheck over src
	@tests/lint/cppcheck.sh

build-gcc build-clang: ## a build in which warnings are errors
	@$(MAKE) programs BUILD=$(BUILD)/lint-$(@:build-%=%) TOOLS=$(BUILD)/lint-$(@:build-%=%)/tools \
		CC=$(@:build-%=%) WERROR=1

tidy: compile_commands.json ## clang-tidy over src (slow, advice only)
	@clang-tidy -quiet -p . $(SRC)

# --- the rest -----------------------------------------------------------------------------------

comma := ,
compile_commands.json: Makefile $(SRC) | $(BUILD)/.libraries
	@{ echo '['; $(foreach f,$(SRC),printf '{"directory":"%s","file":"%s","command":"%s"}%s\n' \
		"$(CURDIR)" "$(f)" "$(CC) $(BANNED) $(ALL_CPPFLAGS) $(ALL_CFLAGS) -c $(f)" \
		"$(if $(filter $(f),$(lastword $(SRC))),,$(comma))";) echo ']'; } >$@

install: $(BUILD)/modcheck ## to $(DESTDIR)$(PREFIX)
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(DOCS)/doc
	install -m 755 $(BUILD)/modcheck $(DESTDIR)$(PREFIX)/bin/modcheck
	install -m 644 doc/modcheck.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 README.md LICENSE $(DESTDIR)$(DOCS)
	install -m 644 doc/*.md doc/modcheck.1 $(DESTDIR)$(DOCS)/doc

uninstall: ## what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/modcheck $(DESTDIR)$(PREFIX)/share/man/man1/modcheck.1
	rm -rf $(DESTDIR)$(DOCS)

dist: ## modcheck-VERSION.tar.gz of what is committed
	@mkdir -p $(BUILD)
	git archive --prefix=modcheck-$(VERSION)/ -o $(BUILD)/modcheck-$(VERSION).tar.gz HEAD

deps: ## install the packages for building, testing and linting
	@tests/setup.sh build test lint

clean: ## remove all that was made
	rm -rf $(BUILD) compile_commands.json

help: ## this list
	@sed -n 's/^\([a-z][a-z -]*\):[^#]*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		awk -F'|' '{ printf "  %-24s %s\n", $$1, $$2 }'
	@echo "Variables: CC CFLAGS CPPFLAGS LDFLAGS BUILD PREFIX DESTDIR V=0|1 WERROR=1 FUZZ_SECONDS"

FORCE:

.DELETE_ON_ERROR:
.PHONY: all demo test unit golden golden-update real-test judge judge-quick patched-kernel ready-test programs program mkko bench check asan ubsan coverage \
	fuzzers fuzz-smoke fuzz lint $(LINT) docs doc/rules.md format tidy install uninstall dist deps clean help
