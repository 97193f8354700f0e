/**
 * How long a blob that a pruned row named is left alone. `put` of the same bytes starts it anew, so
 * what a process is about to name is never taken away: between putting and naming lie milliseconds.
 */
export const BLOB_GRACE_MS = 24 * 60 * 60 * 1000;
