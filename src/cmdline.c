#include <config.h>

#include "cmdline.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* An argument that may be left out is written [=WORD]. */
static int
takes_argument(const struct row *row)
{
	if (!row->argument)
		return no_argument;
	return *row->argument == '[' ? optional_argument : required_argument;
}

/* So much of a value is shown in a message. */
#define SHOWN 60

/* getopt's codes for long options, above those of the letters. */
#define LONG_CODE 256

static void
fill_getopt(const struct cmdline *cmdline, struct option *longs, char *shorts)
{
	/* The hyphen makes getopt give operands in their place, as options with the code 1; the
	 * colon makes it tell a missing value from an unknown option, and be silent. */
	*shorts++ = '-';
	*shorts++ = ':';
	for (size_t i = 0; i < cmdline->count; i++) {
		const struct row *row = &cmdline->rows[i];

		*longs++ = (struct option){ row->name, takes_argument(row), NULL,
					    LONG_CODE + (int)i };
		if (row->letter)
			*shorts++ = row->letter;
		if (row->letter && row->argument)
			*shorts++ = ':';
	}
	*shorts = '\0';
	*longs = (struct option){ 0 };
}

/* The row that getopt's code stands for; the count of rows when none does. */
static size_t
row_of(const struct cmdline *cmdline, int code)
{
	size_t index = 0;

	if (code >= LONG_CODE)
		return (size_t)(code - LONG_CODE);
	while (index < cmdline->count && cmdline->rows[index].letter != code)
		index++;
	return index;
}

/* Says which options a prefix stands for, when it is more than one. */
static bool
complain_of_ambiguity(const struct cmdline *cmdline, const char *given)
{
	size_t size = strcspn(given + 2, "="), count = 0;
	char names[512] = "";

	for (size_t i = 0; i < cmdline->count; i++) {
		const char *name = cmdline->rows[i].name;
		size_t used = strlen(names);

		if (strncmp(name, given + 2, size) == 0)
			snprintf(names + used, sizeof names - used, "%s--%s",
				 count++ ? ", " : "", name);
	}
	if (count > 1)
		diag_say("option '%.*s' is ambiguous (use %s)", (int)size + 2, given,
			 names);
	return count > 1;
}

static int
complain_of_option(const struct cmdline *cmdline, int code, int option, const char *given)
{
	size_t index = row_of(cmdline, option);

	if (code == ':')
		diag_say("--%s: needs a value (use --%s %s)", cmdline->rows[index].name,
			 cmdline->rows[index].name, cmdline->rows[index].argument);
	else if (option >= LONG_CODE)
		diag_say("--%s: takes no value", cmdline->rows[index].name);
	else if (option)
		diag_say("unknown option '-%c' (try 'volley --help')", option);
	else if (!complain_of_ambiguity(cmdline, given))
		diag_say("unknown option '%.*s' (try 'volley --help')",
			 (int)strcspn(given, "="), given);
	return -1;
}

static int
take(struct cmdline *cmdline, struct options *options, size_t index, const char *value)
{
	const struct row *row = &cmdline->rows[index];
	struct complaint why;

	cmdline->given |= UINT64_C(1) << index;
	if (!row->set) {
		*(bool *)((char *)options + row->flag) = true;
		return 0;
	}
	if (row->set(options, value, &why) == 0)
		return 0;
	diag_say("--%s: '%.*s%s': %s", row->name, SHOWN, value,
		 value && strlen(value) > SHOWN ? "..." : "", why.text);
	return -1;
}

/* The operand may be the value that the row before it, if there is one, could have had. */
static int
complain_of_operand(struct options *options, const struct row *row, const char *operand)
{
	struct complaint why;

	if (row && row->set(options, operand, &why) == 0)
		diag_say("unexpected operand '%s' (use --%s=%s)", operand, row->name,
			 operand);
	else
		diag_say(
			"unexpected operand '%s' (records come on standard input, a command behind --)",
			operand);
	return -1;
}

/* What stands behind "--"; the last value is that of the last option. */
static int
take_command(int argc, char **argv, const char *last, char *const **command)
{
	*command = optind < argc ? argv + optind : NULL;
	if (*command || argc < 2 || strcmp(argv[argc - 1], "--") != 0 ||
	    argv[argc - 1] == last)
		return 0;
	diag_say("no command behind -- (use -- COMMAND)");
	return -1;
}

int
cmdline_read(struct cmdline *cmdline, struct options *options, int argc, char **argv,
	     char *const **command)
{
	struct option longs[CMDLINE_ROWS_MAX + 1];
	char shorts[2 * CMDLINE_ROWS_MAX + 3];
	const struct row *row = NULL; /* whose value was left out just before */
	const char *last = NULL;
	int code;

	fill_getopt(cmdline, longs, shorts);
	while ((code = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (code == 1)
			return complain_of_operand(options, row, optarg);
		if (code == '?' || code == ':')
			return complain_of_option(cmdline, code, optopt,
						  argv[optind - 1]);
		last = optarg;
		row = &cmdline->rows[row_of(cmdline, code)];
		if (take(cmdline, options, row_of(cmdline, code), last) < 0)
			return -1;
		if (!row->argument || last)
			row = NULL;
	}
	return take_command(argc, argv, last, command);
}

bool
cmdline_is_given(const struct cmdline *cmdline, const char *name)
{
	for (size_t i = 0; i < cmdline->count; i++)
		if (strcmp(cmdline->rows[i].name, name) == 0)
			return cmdline->given >> i & 1;
	return false;
}

static void
print_row(const struct row *row)
{
	char option[64], letter[8] = "    ";

	if (row->letter)
		snprintf(letter, sizeof letter, "-%c, ", row->letter);
	snprintf(option, sizeof option, "%s--%s%s%s", letter, row->name,
		 row->argument ? " " : "", row->argument ? row->argument : "");
	printf("  %-29s %s\n", option, row->help);
}

void
cmdline_print_rows(const struct cmdline *cmdline)
{
	for (size_t i = 0; i < cmdline->count; i++) {
		if (cmdline->rows[i].heading)
			printf("\n%s:\n", cmdline->rows[i].heading);
		print_row(&cmdline->rows[i]);
	}
}
