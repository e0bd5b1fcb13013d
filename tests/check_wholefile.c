#include <config.h>

#include "wholefile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

/* A directory of its own, which the test works in. */
static char directory[] = "check_wholefile.XXXXXX";

static void
enter(void)
{
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
}

/* How many files there are, apart from the links to the directories. */
static size_t
count_files(const char *path)
{
	DIR *dir = opendir(path);
	size_t count = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count - 2;
}

static void
leave(const char *const *files, size_t count)
{
	ck_assert_uint_eq(count_files("."), count);
	for (size_t i = 0; i < count; i++)
		ck_assert_int_eq(remove(files[i]), 0);
	ck_assert_int_eq(chdir(".."), 0);
	ck_assert_int_eq(rmdir(directory), 0);
}

#define LEAVE(...)                                  \
	leave((const char *const[]){ __VA_ARGS__ }, \
	      LENGTH(((const char *const[]){ __VA_ARGS__ })))

static void
check_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "r");
	char data[256];
	size_t size;

	ck_assert_ptr_nonnull(file);
	size = fread(data, 1, sizeof data, file);
	fclose(file);
	ck_assert_uint_eq(size, strlen(text));
	ck_assert_mem_eq(data, text, size);
}

START_TEST(file_is_written_whole)
{
	enter();
	ck_assert_int_eq(wholefile_write("a", slice_of("hello"), false), 0);
	check_file("a", "hello");
	ck_assert_int_eq(wholefile_write("b", slice_of(""), false), 0);
	check_file("b", "");
	ck_assert_int_eq(wholefile_write("./c", slice_of("x"), true), 0);
	check_file("c", "x");
	LEAVE("a", "b", "c");
}
END_TEST

START_TEST(file_has_the_usual_mode)
{
	struct stat status;

	enter();
	umask(022);
	ck_assert_int_eq(wholefile_write("a", slice_of("x"), false), 0);
	ck_assert_int_eq(stat("a", &status), 0);
	ck_assert_uint_eq(status.st_mode & 07777, 0644);
	ck_assert_uint_eq(status.st_nlink, 1);
	LEAVE("a");
}
END_TEST

START_TEST(file_that_is_there_is_kept_unless_it_is_to_be_replaced)
{
	enter();
	ck_assert_int_eq(wholefile_write("a", slice_of("one"), false), 0);
	errno = 0;
	ck_assert_int_eq(wholefile_write("a", slice_of("two"), false), -1);
	ck_assert_int_eq(errno, EEXIST);
	check_file("a", "one");
	ck_assert_uint_eq(count_files("."), 1);
	ck_assert_int_eq(wholefile_write("a", slice_of("three"), true), 0);
	check_file("a", "three");
	LEAVE("a");
}
END_TEST

START_TEST(symbolic_link_at_the_place_is_not_followed)
{
	struct stat status;

	enter();
	ck_assert_int_eq(wholefile_write("a", slice_of("one"), false), 0);
	ck_assert_int_eq(symlink("a", "link"), 0);
	ck_assert_int_eq(symlink("nowhere", "loose"), 0);
	ck_assert_int_eq(wholefile_write("link", slice_of("two"), false), -1);
	ck_assert_int_eq(errno, EEXIST);
	ck_assert_int_eq(wholefile_write("loose", slice_of("two"), false), -1);
	ck_assert_int_eq(errno, EEXIST);
	ck_assert_int_eq(access("nowhere", F_OK), -1);
	ck_assert_int_eq(wholefile_write("link", slice_of("two"), true), 0);
	ck_assert_int_eq(wholefile_write("loose", slice_of("three"), true), 0);
	ck_assert_int_eq(lstat("link", &status), 0);
	ck_assert(S_ISREG(status.st_mode));
	check_file("a", "one");
	check_file("link", "two");
	check_file("loose", "three");
	LEAVE("a", "link", "loose");
}
END_TEST

START_TEST(nothing_is_left_of_what_could_not_be_written)
{
	enter();
	ck_assert_int_eq(wholefile_write("no/a", slice_of("x"), false), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(mkdir("d", 0777), 0);
	ck_assert_int_eq(wholefile_write("d", slice_of("x"), false), -1);
	ck_assert_int_eq(errno, EEXIST);
	ck_assert_int_eq(wholefile_write("d", slice_of("x"), true), -1);
	ck_assert_int_eq(errno, EISDIR);
	ck_assert_uint_eq(count_files("d"), 0);
	LEAVE("d");
}
END_TEST

START_TEST(temporary_file_stands_beside_it)
{
	struct stat inside, here;

	enter();
	ck_assert_int_eq(mkdir("d", 0777), 0);
	ck_assert_int_eq(stat(".", &here), 0);
	ck_assert_int_eq(wholefile_write("d/a", slice_of("x"), false), 0);
	ck_assert_int_eq(stat(".", &inside), 0);
	check_file("d/a", "x");
	ck_assert_uint_eq(count_files("d"), 1);
	/* Nothing was made and removed in this one. */
	ck_assert_int_eq(here.st_mtim.tv_sec, inside.st_mtim.tv_sec);
	ck_assert_int_eq(here.st_mtim.tv_nsec, inside.st_mtim.tv_nsec);
	ck_assert_int_eq(remove("d/a"), 0);
	LEAVE("d");
}
END_TEST

START_TEST(temporary_file_of_another_process_is_no_hindrance)
{
	char name[64];
	FILE *file;

	enter();
	snprintf(name, sizeof name, ".volley-%ld-0.tmp", (long)getpid());
	file = fopen(name, "w");
	ck_assert_ptr_nonnull(file);
	fputs("by one of the same number", file);
	fclose(file);
	ck_assert_int_eq(wholefile_write("a", slice_of("x"), false), 0);
	check_file("a", "x");
	check_file(name, "by one of the same number");
	ck_assert_int_eq(remove(name), 0);
	LEAVE("a");
}
END_TEST

START_TEST(place_is_tried_and_nothing_is_left)
{
	enter();
	ck_assert_int_eq(wholefile_try("a", false), 0);
	ck_assert_uint_eq(count_files("."), 0);
	ck_assert_int_eq(wholefile_write("a", slice_of("x"), false), 0);
	ck_assert_int_eq(wholefile_try("a", false), 0);
	ck_assert_int_eq(wholefile_try("a/b", false), -1);
	ck_assert_int_eq(errno, ENOTDIR);
	ck_assert_int_eq(wholefile_try("no/a", false), -1);
	ck_assert_int_eq(errno, ENOENT);
	check_file("a", "x");
	LEAVE("a");
}
END_TEST

int
main(void)
{
	return UNIT_RUN("wholefile", file_is_written_whole, file_has_the_usual_mode,
			file_that_is_there_is_kept_unless_it_is_to_be_replaced,
			symbolic_link_at_the_place_is_not_followed,
			nothing_is_left_of_what_could_not_be_written,
			place_is_tried_and_nothing_is_left,
			temporary_file_stands_beside_it,
			temporary_file_of_another_process_is_no_hindrance);
}
