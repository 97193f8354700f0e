import type { ReportedEnd } from '../../domain/reported-end.js';
import { because, type EventText, say } from './say.js';
import type { Tone } from './tone.js';
import { oneLine } from './words.js';

/** How a run ended, or that it was stopped. */
export function endText({ status, reason, error }: ReportedEnd): EventText {
  const tone: Tone = status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'warn';
  return say(tone, `run ${status}${because(reason)}${error === null ? '' : ` (${oneLine(error, 400)})`}`);
}
