/*
 * What each option does: takes its value into the options. One function an option, of the shape
 * that the table of options wants: 0, or -1 with what is wrong with the value in the complaint.
 */
#ifndef VOLLEY_SETTINGS_H
#define VOLLEY_SETTINGS_H

#include "options.h"

typedef int
setting(struct options *options, const char *value, struct complaint *why);

setting set_stats, set_metrics, set_format, set_count, set_timeout, set_idle,
	set_max_bytes, set_max_record, set_every, set_align, set_match, set_trigger,
	set_break_before, set_break_on, set_key, set_max_keys, set_keep_last,
	set_keep_for, set_window, set_allowed_lateness, set_mode, set_oversize, set_evict,
	set_late, set_bad_timestamp, set_output_timestamp, set_time_domain,
	set_field_separator, set_timestamp, set_time_format, set_out_of_orderness,
	set_delimiter, set_null, set_batch_delimiter, set_join, set_header, set_footer,
	set_output, set_max_procs, set_attempts, set_backoff, set_exec_timeout, set_halt,
	set_dead_letter, set_grace, set_joblog;

#endif
