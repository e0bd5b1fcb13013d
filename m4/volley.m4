# Macros of volley's configure.ac.

# VOLLEY_PROBE_FLAGS(VARIABLE, FLAG...)
# -------------------------------------
# Appends to VARIABLE each FLAG (a word, or several that belong together) that the compiler
# and the linker take without a warning, and makes VARIABLE a substitution.
AC_DEFUN([VOLLEY_PROBE_FLAGS], [
AC_SUBST([$1])
m4_foreach([volley_flag], m4_cdr($@), [VOLLEY_PROBE_FLAG([$1], m4_quote(volley_flag))
])])

# VOLLEY_PROBE_FLAG(VARIABLE, FLAG)
# ---------------------------------
# The probe includes a header of the C library, for that is where _FORTIFY_SOURCE is refused.
AC_DEFUN([VOLLEY_PROBE_FLAG], [
AC_MSG_CHECKING([whether $CC takes $2])
volley_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -Werror $2"
AC_LINK_IFELSE(
  [AC_LANG_PROGRAM([[#include <string.h>]], [[char from[8] = "", to[8]; memcpy(to, from, 8);
    return to[0];]])],
  [AC_MSG_RESULT([yes])
   AS_VAR_APPEND([$1], [" $2"])],
  [AC_MSG_RESULT([no])])
CFLAGS=$volley_saved_CFLAGS
])

# VOLLEY_WIDE_TIME
# ----------------
# Has time_t hold times beyond 2038 where it has 32 bits unless 64 are asked for. After
# AC_SYS_LARGEFILE, without which glibc refuses that.
AC_DEFUN([VOLLEY_WIDE_TIME], [
AC_MSG_CHECKING([what makes time_t 64 bits wide])
AC_COMPILE_IFELSE([VOLLEY_WIDE_TIME_PROGRAM],
  [AC_MSG_RESULT([nothing needs to])],
  [AC_COMPILE_IFELSE([AC_LANG_SOURCE([#define _TIME_BITS 64
VOLLEY_WIDE_TIME_PROGRAM])],
    [AC_MSG_RESULT([_TIME_BITS])
     AC_DEFINE([_TIME_BITS], [64], [Define to 64 where time_t has 32 bits otherwise.])],
    [AC_MSG_RESULT([nothing does])
     AC_MSG_ERROR([times beyond 2038 have no room in the time_t of this system])])])
])

m4_define([VOLLEY_WIDE_TIME_PROGRAM], [AC_LANG_SOURCE([[#include <time.h>
_Static_assert(sizeof(time_t) >= 8, "time_t is wide");]])])
