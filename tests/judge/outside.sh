# SPDX-License-Identifier: GPL-2.0-or-later
# Out-of-tree modules of Debian's -dkms packages, built against the headers of one kernel and tried
# on that and on others. Sourced by run.sh.

dkms_packages="v4l2loopback-dkms acpi-call-dkms bbswitch-dkms lime-forensics-dkms jool-dkms"

# download_outside SUITE PACKAGE...: into $outside, by the package lists that fetch.sh keeps
download_outside()
{
	local state=$CORPUS/.apt/$1
	shift
	(cd "$outside" && apt-get -qq "-oDir::State=$state" "-oDir::State::Lists=$state/lists" \
		"-oDir::State::status=$state/status" "-oDir::Cache=$state/cache" \
		"-oDir::Etc::sourcelist=$state/sources.list" "-oDir::Etc::sourceparts=/dev/null" \
		"-oAPT::Architecture=amd64" "-oAPT::Sandbox::User=root" download "$@") >&2
}

# build_outside: $outside_modules are built for the kernel at $root
build_outside()
{
	local headers package deb source
	outside=$work/outside outside_modules=()
	mkdir -p "$outside/root"
	# shellcheck disable=SC2086 # words on purpose
	download_outside bookworm "linux-headers-$k-common" linux-kbuild-6.1 $dkms_packages 2>/dev/null ||
		download_outside bookworm "linux-headers-${k%-amd64}-common" linux-kbuild-6.1 \
			$dkms_packages || return 1
	for deb in "$outside"/*.deb; do dpkg-deb -x "$deb" "$outside/root" || return 1; done
	cp -a "$root/usr/src/linux-headers-$k" "$outside/root/usr/src/"
	headers=$outside/root/usr/src/linux-headers-$k
	# Its Makefile names the other half of the headers by the place where they are installed.
	sed -i "s|/usr/src/|$outside/root/usr/src/|" "$headers/Makefile"
	for package in $dkms_packages; do
		source=$(echo "$outside/root/usr/src/${package%-dkms}"-*)
		[ ! -d "$source/src/mod" ] || source=$source/src/mod/common
		make -s -C "$headers" M="$source" modules >"$outside/log" 2>&1 ||
			{ echo "outside: $package cannot be built" >&2; tail -n 3 "$outside/log" >&2; }
	done
	mapfile -t outside_modules < <(find "$outside/root/usr/src" -name '*.ko' -not -path '*/linux-*')
	[ "${#outside_modules[@]}" -gt 0 ]
}

# outside SET REGEX: the modules that were built, on that kernel, after what they depend on
outside()
{
	local module needed
	local -a cases=()
	use_kernel "$1" "$2" || { skipped=$((skipped + 1)); return; }
	for module in "${outside_modules[@]}"; do
		begin_case "outside-$(basename "$module" .ko)"
		for needed in $(modinfo -F depends "$module" | tr , ' '); do
			[ -z "${paths[$needed]-}" ] || add_pristine "${paths[$needed]}"
		done
		add_step finit "$module"
		end_case
		cases+=("outside-$(basename "$module" .ko)")
	done
	judge 2048 "${cases[@]}"
}

all_outside()
{
	if ! use_kernel amd64 "$amd64" || ! build_outside; then
		echo "outside: no modules to try, skipped"
		skipped=$((skipped + 1))
		return
	fi
	outside amd64 "$amd64"
	outside rt "$rt"
	outside cloud "$cloud"
	outside new "$new"
}
