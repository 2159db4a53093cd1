# SPDX-License-Identifier: GPL-2.0-or-later
# mangle.awk: from samples/2.4.8-ac12/modules.tsv the output of `depmod -aev` as it came over the
# list, wrapped and glued by the mail program. -v plain=1: as depmod printed it.
BEGIN {
	FS = "\t"
	dir = "/lib/modules/2.4.8-ac12/"
	n = split("boot 2.4.8-ac12 2.4 kernel fs net scsi block cdrom ipv4 ipv6 sound fc4 video misc " \
		  "pcmcia atm usb ide", old, " ")
	for (i = 1; i <= n; i++) {
		walk = "xftw starting at " dir old[i] " lstat on"
		printf "%s%s%s%s failed\n", walk, plain ? " " : "\n", dir, old[i]
	}
}
/^#/ || NF == 0 { next }
{
	path = dir $1
	if ($2 != "") {
		printf "depmod: *** Unresolved symbols in%s%s", plain ? " " : "\n", path
		m = split($2, symbols, ",")
		for (i = 1; i <= m; i++) {
			# each third is glued, with a space or without
			glue = plain ? "\n" : NR % 3 == 0 ? " " : NR % 3 == 1 ? "" : "\n"
			printf "%sdepmod: \t%s", glue, symbols[i]
		}
		printf "\n"
	}
	print path
}
