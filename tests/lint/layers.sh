#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Includes point down only. A folder of src/ is one layer, and so is a .c/.h pair in src/ itself;
# a file may include what is of its own folder, of a lower layer, or of one on the same level. Each
# library has one place that knows it.
set -u
cd "$(dirname "$0")/../.." || exit 2

find src -name '*.[ch]' -print | LC_ALL=C sort | xargs awk '
	BEGIN {
		# Lowest first.
		n = split("base model machine,subsystem,families codec,scan read,image,index kernel resolve " \
			  "preemption rules group render load,verify,view session,summary log,ready,diff " \
			  "cli main", rows, " ")
		for (i = 1; i <= n; i++) {
			m = split(rows[i], names, ",")
			for (j = 1; j <= m; j++)
				level[names[j]] = i
		}
		place["gelf.h"] = place["libelf.h"] = "^src/read/elfview[.]c$"
		place["openssl/cms.h"] = place["openssl/err.h"] = "^src/read/pkcs7[.]c$"
		place["openssl/evp.h"] = place["openssl/x509.h"] = "^src/read/pkcs7[.]c$"
		place["zlib.h"] = place["lzma.h"] = place["zstd.h"] = "^src/codec/"
		place["bzlib.h"] = place["lz4.h"] = place["lzo/lzo1x.h"] = "^src/codec/"
	}
	function part(path) {
		if (path ~ "/")
			sub("/.*", "", path)
		else
			sub("[.].*", "", path)
		return path
	}
	function complain(why) {
		printf "%s:%d: %s\n", FILENAME, FNR, why
		bad = 1
	}
	/^#[ \t]*include[ \t]+"/ {
		split($0, quoted, "\"")
		from = part(substr(FILENAME, 5))
		to = part(quoted[2])
		if (!(from in level))
			complain(from " has no place in the order of layers")
		else if (from != to && level[to] > level[from])
			complain(from " includes " quoted[2] ", which is above it")
	}
	/^#[ \t]*include[ \t]+</ {
		split($0, angled, "[<>]")
		if (angled[2] in place && FILENAME !~ place[angled[2]])
			complain("<" angled[2] "> belongs to " place[angled[2]])
	}
	END { exit bad }'
