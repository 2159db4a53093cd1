/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that have no place here, made compile errors: they cannot be told how much room there
 * is, or keep hidden state. The Makefile includes this header in front of every file in src/.
 */
#ifndef MODCHECK_BANNED_H
#define MODCHECK_BANNED_H

#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef alloca
#pragma GCC poison strcpy strcat sprintf vsprintf strncpy strncat strtok atoi atol gets alloca

#endif
