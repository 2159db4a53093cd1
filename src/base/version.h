/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program's version, as `--version` and the machine formats tell it.
 */
#ifndef MODCHECK_VERSION_H
#define MODCHECK_VERSION_H

#ifndef MODCHECK_VERSION
#define MODCHECK_VERSION "0.1.0"
#endif

#endif
