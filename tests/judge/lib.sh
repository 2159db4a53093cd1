# SPDX-License-Identifier: GPL-2.0-or-later
# What the parts of the judge share: kernels, trees of altered modules, the virtual machine, and
# the comparison. Sourced by run.sh.
#
# An experiment is a directory $work/trees/CASE that modcheck takes as a base directory
# (lib/modules/K/kernel/N/NAME.ko, N counts the loads; boot/ has what the kernel's package put
# there), and that goes into the initramfs as it is, without boot/.

# use_kernel SET REGEX: the kernel of that set becomes $root, $k and $moddir, with paths and needs
use_kernel()
{
	local candidate
	root=
	for candidate in $("$here/../real/fetch.sh" "$CORPUS" "$1"); do
		[[ $(basename "$candidate") =~ $2 ]] && root=$candidate
	done
	[ -n "$root" ] || { echo "judge: no kernel like $2" >&2; return 1; }
	k=$(basename "$root")
	k=${k%_*}
	moddir=$root/lib/modules/$k
	[ -d "$moddir" ] || moddir=$root/usr/lib/modules/$k
	symvers=$(find "$root/usr/src" -name Module.symvers -path "*-$k/*" 2>/dev/null | head -n 1)
	read_deps
	rm -rf "${work:?}"/{trees,boot}
	mkdir -p "$work/trees" "$work/boot"
	cp "$root/boot/vmlinuz-$k" "$root/boot/config-$k" "$work/boot/"
	: >"$work/list"
}

# read_deps: paths[NAME] and needs[PATH] of $moddir, from lines `NAME PATH DEPENDENCY...`, what
# is to be loaded first coming first
read_deps()
{
	local name path needed
	mkdir -p "$work/depmod/lib/modules"
	ln -sfn "$moddir" "$work/depmod/lib/modules/$k"
	# shellcheck disable=SC2034 # run.sh reads them
	declare -gA paths=() needs=()
	# shellcheck disable=SC2034
	while read -r name path needed; do
		paths[$name]=$path needs[$path]=$needed
	done < <(depmod -n -b "$work/depmod" "$k" 2>/dev/null | awk '
		/^[a-z]+\/[^ ]*\.ko[.a-z]*:/ {
			sub(/:$/, "", $1)
			name = $1
			gsub(/^.*\/|\.ko[.a-z]*$/, "", name)
			line = name " " $1
			for (i = NF; i > 1; i--)
				line = line " " $i
			print line
		}')
}

# unpack FILE: $unpacked becomes that module, uncompressed
unpack()
{
	unpacked=$1
	case $1 in
	*.ko) return ;;
	esac
	unpacked=$work/unpacked$1
	[ ! -e "$unpacked" ] || return 0
	mkdir -p "${unpacked%/*}"
	xz -dc "$1" >"$unpacked"
}

# begin_case CASE: what follows belongs to it; the evidence is the kernel's own boot files
begin_case()
{
	step=0 names=()
	# shellcheck disable=SC2034 # run.sh keeps it
	declare -gA loaded=()
	kernel_dir=$work/trees/$1/lib/modules/$k/kernel
	mkdir -p "$kernel_dir" "$work/trees/$1/boot"
	ln "$work/boot"/* "$work/trees/$1/boot/"
	# what is built in and owns a directory in /sys/module
	cp "$moddir/modules.builtin.modinfo" "$work/trees/$1/lib/modules/$k/"
	[ -z "${JUDGE_SYMVERS-}" ] ||
		awk -F'\t' '$3 == "vmlinux"' "$symvers" >"$work/trees/$1/boot/symvers-$k"
	echo "case $1" >>"$work/list"
}

# add_step COMMAND FILE [EDIT...]: one module more
add_step()
{
	local command=$1 name file=${2##*/} new
	unpack "$2" || return 1
	shift 2
	step=$((step + 1))
	new=$kernel_dir/$step/${file%.ko*}.ko
	mkdir "$kernel_dir/$step"
	"$tools/mutate" -s "$symvers" "$unpacked" "$new" "$@" >"$work/name" || return 1
	read -r name <"$work/name"
	# A copy under another name is installed under that name.
	if [[ $* == *name=* && $name != *[!A-Za-z0-9_]* && ${#name} -lt 60 ]]; then
		mv -n "$new" "$kernel_dir/$step/$name.ko"
		new=$kernel_dir/$step/$name.ko
	fi
	echo "$command ${new#"$work/trees"} $name" >>"$work/list"
	names+=("$name")
}

end_case()
{
	local i
	for ((i = ${#names[@]} - 1; i >= 0; i--)); do echo "unload ${names[i]}" >>"$work/list"; done
}

# boot MEMORY: run $work/list with the modules of $work/trees; the console's lines go to $work/console
boot()
{
	local qemu=qemu-system-x86_64 memory=$1
	[[ $root != *_i386 ]] || qemu="qemu-system-i386"
	mkdir -p "$work/trees/dev" "$work/trees/proc" "$work/trees/sys"
	cp "$tools/init" "$work/list" "$work/trees/"
	(cd "$work/trees" && find . -path '*/boot' -prune -o -print | cpio -o -H newc -R 0:0 --quiet) \
		>"$work/initrd" || return 1
	timeout "${JUDGE_TIMEOUT:-600}" "$qemu" -accel tcg -display none -monitor none -serial stdio \
		-no-reboot -m "$memory" -kernel "$root/boot/vmlinuz-$k" -initrd "$work/initrd" \
		-append "console=ttyS0 loglevel=1 panic=-1 log_buf_len=16M printk.devkmsg=on" </dev/null 2>&1 |
		tr -d '\r' >"$work/console"
	rm -f "$work/initrd"
	grep -q '^@end' "$work/console" && return
	echo "judge: $k broke off in $(grep "^@case" "$work/console" | tail -n 1):" >&2
	tail -n 40 "$work/console" >&2
	return 1
}

# kernel_answers: lines CASE N RC TAINTS MESSAGE..., with tabs, from $work/console. Messages that
# only tell of a taint are left out, for the taints are compared themselves.
kernel_answers()
{
	awk -v OFS='\t' '
		function flush() { if (line) print line; line = "" }
		/^@load / {
			flush()
			n = split($2, part, "/")
			line = part[2] OFS part[n - 1] OFS $3 OFS $5
			next
		}
		/^@msg .*(kernel tainted\.|tainting kernel|taints kernel\.|lock debugging due to|staging directory, the quality)/ { next }
		/^@msg .*(retpoline compiler|may be vulnerable to spectre)/ { next }
		/^@msg (tsc|clocksource|random|input|sched_clock)[: ]/ { next }
		/^@msg / { if (line) line = line OFS substr($0, 6); next }
		{ flush() }
		END { flush() }' "$work/console"
}

# our_answer CASE: lines CASE N VERDICT ERRNO MESSAGE TAINTS CODES, with tabs; "-": none
our_answer()
{
	local json=$work/json-$1
	"$MODCHECK" --thorough -b "$work/trees/$1" --format json --all "$k" >"$json" 2>"$json.err"
	[ $? -lt 2 ] || cat "$json.err" >&2
	jq -r --arg c "$1" '
		([.findings[]? | {path, code}] | group_by(.path) |
			map({key: .[0].path, value: (map(.code) | unique | join(","))}) |
			from_entries) as $codes |
		.modules[]? | [$c, (.path | split("/")[-2]), .verdict, (.errno // 0 | tostring),
			(.message // "-"), (.taints // "-"), ($codes[.path] // "-")] | join("\t")' "$json"
	rm -f "$json" "$json.err"
}

# our_answers CASE...: the same for all, as many at once as there are processors
our_answers()
{
	local c running=0 jobs
	jobs=$(nproc)
	mkdir -p "$work/ours"
	for c; do
		[ $((running++)) -lt "$jobs" ] || wait -n
		our_answer "$c" >"$work/ours/$c" &
	done
	wait
	for c; do cat "$work/ours/$c"; done
	rm -rf "$work/ours"
}

# compare: join both; a line for each module, and $passed and $failed count them
compare()
{
	our_answers "$@" >"$work/predicted"
	kernel_answers >"$work/kernels"
	awk -F'\t' -v kernel="$k" -f "$here/compare.awk" "$work/predicted" "$work/kernels" >"$work/lines"
	grep -v '^ok' "$work/lines"
	[ -n "${JUDGE_VERBOSE-}" ] && grep '^ok' "$work/lines"
	passed=$((passed + $(grep -c '^ok' "$work/lines")))
	failed=$((failed + $(grep -c '^FAILED' "$work/lines")))
	[ -z "${JUDGE_REPORT-}" ] || grep '^FAILED' "$work/lines" >>"$JUDGE_REPORT"
	return 0
}
