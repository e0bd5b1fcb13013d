/*
 * Cases at random for the model: triggers, configurations, records. They use only what the
 * command line can ask for.
 */
#ifndef VOLLEY_MODELCASE_H
#define VOLLEY_MODELCASE_H

#include "model.h"
#include "unit.h"

/* What is asked of records, in the words of model.h. */
struct tools {
	struct probes probes;
	struct pattern *break_before;
	struct field *break_on;
	struct field *key;
};

void
tools_init(struct tools *tools);

void
tools_release(struct tools *tools);

/* The configuration lacks its trigger. */
struct engine_config
roll_config(struct dice *dice, const struct tools *tools);

struct trigger *
roll_trigger(struct dice *dice, const struct engine_config *config);

/* A record without its newline. */
void
roll_record(struct dice *dice, char text[MODEL_RECORD]);

#endif
