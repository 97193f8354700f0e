/**
 * Path of the span that stands for a run from its submit to its end: the root of what kit tells of
 * a run.
 */
export const SUBMIT_SPAN = 'submit';

/** Path of the span of the work on a run, from its first claim to its end. */
export const RUN_SPAN = 'run';

/**
 * Path of the span of one step: its journal key; a step that was carried out again has a span for
 * each attempt.
 */
export const stepSpan = (key: string, attempt: number): string => (attempt <= 1 ? key : `${key}~${attempt}`);
