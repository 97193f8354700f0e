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

/** `: 1 of 3 failed, exit code 1`; '' where nothing is told. */
export const outcomeSuffix = (outcome: OutcomeView | null): string =>
  outcome === null || outcome.text === '' ? '' : `: ${oneLine(outcome.text, 200)}`;

/** Work that came out badly is never shown in the colour of success. */
export const toneWith = (outcome: OutcomeView | null, tone: Tone): Tone =>
  outcome !== null && !outcome.passed && tone === 'good' ? 'bad' : tone;
