import { createHash } from 'node:crypto';

/** How long an occurrence that was taken is remembered. */
export const OCCURRENCE_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Names of triggers and occurrences are text of any length: the row is found by a digest of both,
 * in which neither can pass for the other.
 */
export const occurrenceKey = (triggerId: string, occurrence: string): string =>
  createHash('sha256')
    .update(JSON.stringify([triggerId, occurrence]))
    .digest('hex');
