/*
 * The sink that writes each batch to a file of its own, named by a template.
 *
 * The facts in the name are escaped, so that no key leads out of the directory that the
 * template names, and no two keys lead to one file.
 */
#ifndef VOLLEY_FILES_H
#define VOLLEY_FILES_H

#include "frame.h"
#include "sink.h"
#include "toll.h"

struct files {
	struct sink sink;
	const struct template *name; /* borrowed, as the frame */
	const struct frame *frame;
	bool replace; /* a file that is there is replaced; else it is an error */
	bool failed;  /* an error was reported */
	struct toll toll;
};

void
files_init(struct files *files, const struct template *name, const struct frame *frame,
	   bool replace);

#endif
