# SPDX-License-Identifier: GPL-2.0-or-later
# From symbols.tsv and modules.tsv (in this order) to a recipe of mkko.
# -v variant=not-exported|exported|absent|suffix, -v links=all|sample

BEGIN {
	FS = "\t"
	missing = "preempt_schedule"
	# EXPORT_SYMBOL_NOVERS: called from assembly, without a version
	n = split("__down_failed __down_failed_interruptible __up_wakeup", words, " ")
	for (i = 1; i <= n; i++)
		plain[words[i]] = 1
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
}

/^#/ { next }

# A version of a name, as genksyms would find one: any number, the same wherever it is asked for.
function suffixed(name,    h, i)
{
	if (variant != "suffix" || name in plain)
		return name
	if (name == missing)
		return name "_R1b2c3d4e"
	h = 5381
	for (i = 1; i <= length(name); i++)
		h = (h * 33 + code[substr(name, i, 1)]) % 4294967296
	return sprintf("%s_R%04x%04x", name, int(h / 65536), h % 65536)
}

FILENAME ~ /symbols\.tsv$/ {
	exports[$1] = $2
	needs[$1] = $3
	n = split($2, words, " ")
	for (i = 1; i <= n; i++)
		owner[words[i]] = $1
	next
}

{
	name = $1
	sub(/.*\//, "", name)
	sub(/\.o$/, "", name)
	order[++n_modules] = name
	path[name] = $1
	lacks[name] = $2
}

# A module that lacks nothing would be refused behind one that does: the sample leaves such
# needs out, so that what it shows is what the report counted.
function is_left_out(module, symbol)
{
	return links != "all" && !lacks[module] && (symbol in owner) && lacks[owner[symbol]]
}

function write_needs(module, list,    words, n, i)
{
	n = split("printk kmalloc kfree " list, words, " ")
	for (i = 1; i <= n; i++) {
		if (is_left_out(module, words[i]))
			continue
		print "  import " suffixed(words[i])
		if (!(words[i] in owner) && !(words[i] in known)) {
			known[words[i]] = 1
			kernel[++n_kernel] = words[i]
		}
	}
}

function write_module(module,    words, n, i)
{
	print "module lib/modules/2.4.8-ac12/" path[module]
	write_needs(module, needs[module])
	if (lacks[module])
		print "  import " suffixed(lacks[module])
	n = split(exports[module], words, " ")
	for (i = 1; i <= n; i++)
		print "  export " suffixed(words[i])
}

function write_map(    i)
{
	print "system-map boot/System.map-2.4.8-ac12 2.4"
	for (i = 1; i <= n_kernel; i++)
		print "  export " kernel[i]
	print "  define schedule_tail"
	if (variant == "not-exported")
		print "  define " missing
	if (variant == "exported")
		print "  export " missing
}

# The kernel exports the symbol under the version of another build.
function write_ksyms(    i)
{
	print "ksyms boot/ksyms-2.4.8-ac12"
	for (i = 1; i <= n_kernel; i++)
		print "  export " suffixed(kernel[i])
	print "  export " missing "_R0badcafe"
	print "  export Using_Versions"
}

END {
	print "default machine i386"
	print "default object 2.4"
	print "default tag kernel_version=2.4.8-ac12"
	print "default no-tag license" # MODULE_LICENSE came with 2.4.10
	if (variant == "suffix")
		print "default tag using_checksums=1"
	for (m = 1; m <= n_modules; m++)
		write_module(order[m])
	if (variant == "suffix")
		write_ksyms()
	else
		write_map()
	print "text boot/config-2.4.8-ac12 <<END"
	print "CONFIG_X86=y"
	print "CONFIG_MODULES=y"
	print variant == "suffix" ? "CONFIG_MODVERSIONS=y" : "# CONFIG_MODVERSIONS is not set"
	print "CONFIG_KMOD=y"
	print "CONFIG_MK7=y"
	print "CONFIG_PREEMPT=y"
	print "# CONFIG_SMP is not set"
	print "CONFIG_NETFILTER=y"
	print "END"
}
