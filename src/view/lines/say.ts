import type { Tone } from './tone.js';
import { oneLine } from './words.js';

/** One event in words. `detail`: shown only with `--verbose`. */
export interface EventText {
  readonly tone: Tone;
  readonly text: string;
  readonly detail: boolean;
}

export const say = (tone: Tone, text: string): EventText => ({ tone, text, detail: false });
export const whisper = (text: string, tone: Tone = 'dim'): EventText => ({ tone, text, detail: true });

/** Names of users are printed like everything that comes from outside. */
export const name = (text: string): string => oneLine(text, 60);
export const because = (reason: string | null): string => (reason === null ? '' : `: ${oneLine(reason)}`);
