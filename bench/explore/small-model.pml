/*
 * The small model for SPIN: ATTEMPTS attempts over KEYS keys, up to CHANGES policy changes and RETRIES retries of each
 * attempt. Where an attempt stands is where its process stands, so that no variable repeats it; every step is a
 * d_step or a bare jump, and so one transition.
 */
#ifndef ATTEMPTS
#define ATTEMPTS 3
#endif
#ifndef KEYS
#define KEYS 2
#endif
#ifndef CHANGES
#define CHANGES 2
#endif
#ifndef RETRIES
#define RETRIES 1
#endif

byte revision = 0;
bit restricted = 0;
byte draft[KEYS];
byte drafts_made[KEYS];

/* Attempts ask for one of two things by turns; 0 is no draft at all. */
#define WANTED ((_pid % 2) + 1)
#define IS_BARRED (restricted == 1 && WANTED == 2)
#define IS_STALE (read_at != revision)

active [ATTEMPTS] proctype Attempt() {
	byte key = 0;
	byte read_at = 0;
	byte made_at = 0;
	byte retries = 0;
	bit is_own = 0;
	bit has_receipt = 0;

end_submitted:
	if
	:: d_step { key = 0 } goto end_validated
#if KEYS > 1
	:: d_step { key = 1 } goto end_validated
#endif
	fi;

end_validated:
	if
	:: d_step { IS_BARRED -> skip } goto end_refused
	:: d_step { !IS_BARRED -> read_at = revision } goto end_checked
	:: goto end_cancelled
	fi;

end_checked:
	if
	:: d_step { (IS_STALE || (draft[key] != 0 && draft[key] != WANTED)) -> skip } goto end_refused
	:: d_step { (!IS_STALE && draft[key] == 0) ->
			draft[key] = WANTED;
			drafts_made[key]++;
			assert(drafts_made[key] <= 1);
			is_own = 1;
			made_at = revision;
			assert(made_at == read_at)
		} goto end_committed
	:: d_step { (!IS_STALE && draft[key] == WANTED) ->
			is_own = 0;
			made_at = revision;
			assert(made_at == read_at)
		} goto end_committed
	:: goto end_cancelled
	fi;

end_committed:
	if
	:: d_step { assert(made_at == read_at) } goto end_passed
	:: goto end_refused
	:: goto end_cancelled
	fi;

end_passed:
	if
	:: d_step { has_receipt = 1 } goto end_receipted
	:: goto end_refused
	:: goto end_cancelled
	fi;

end_receipted:
	if
	:: d_step { assert(has_receipt == 1) } goto end_released
	:: goto end_cancelled
	fi;

/* Three places, not one: a state tells how an attempt ended. */
#define AGAIN if :: d_step { retries < RETRIES -> \
		retries++; read_at = 0; made_at = 0; is_own = 0; has_receipt = 0 } goto end_validated fi

end_released:
	AGAIN;
end_refused:
	AGAIN;
end_cancelled:
	AGAIN;
}

active proctype Policy() {
end_policy:
	do
	:: d_step { revision < CHANGES -> revision++; restricted = 1 - restricted }
	od
}
