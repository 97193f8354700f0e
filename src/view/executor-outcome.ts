import type { Tone } from './lines/tone.js';
import { oneLine } from './lines/words.js';

/**
 * What came of the work that an executor carried out, as its event tells: `passed` is another
 * question than whether the executor could do it.
 */
export interface OutcomeView {
  readonly passed: boolean;
  /** `1 of 3 failed, exit code 1`. */
  readonly text: string;
}

/** A session that goes on tells the end of a call of an earlier one without its name. */
export const UNNAMED_CALL = 'a call of an earlier session';

/**
 * A session that put itself down at a call, so that people decide about it: nothing failed. Any
 * other one that needs an approval was refused a call and ended without it.
 */
export const isPutDown = ({ status, reason }: { readonly status: string; readonly reason: string | null }): boolean =>
  status === 'needs_approval' && reason === 'tool_deferred';

/** `: 1 of 3 failed, exit code 1`; '' where nothing is told. */
export const outcomeSuffix = (outcome: OutcomeView | null): string =>
  outcome === null || outcome.text === '' ? '' : `: ${oneLine(outcome.text, 200)}`;

/** Work that came out badly is never shown in the colour of success. */
export const toneWith = (outcome: OutcomeView | null, tone: Tone): Tone =>
  outcome !== null && !outcome.passed && tone === 'good' ? 'bad' : tone;
