import type { ReviewRequest } from '../../view/asked.js';
import { type AskedLook, askedFacts } from '../../view/lines/asked-text.js';
import type { Tone } from '../../view/lines/tone.js';
import { manyLines } from '../../view/lines/words.js';
import type { Paint } from '../lines/paint.js';
import { detailLines } from './detail-lines.js';

/** One fact of what is asked, as lines that a terminal only prints. */
export interface AskedRow {
  readonly name: string;
  readonly lines: readonly string[];
  readonly tone: Tone;
}

/** What is asked, fact by fact; a call with each of its arguments. */
export const askedRows = (asked: ReviewRequest, look: AskedLook): readonly AskedRow[] =>
  askedFacts(asked, look).map(({ name, text, tone }) => ({
    name,
    tone,
    lines: [
      ...manyLines(text).split('\n'),
      ...(name === 'call' && asked.call !== null ? detailLines(asked.call.details) : []),
    ],
  }));

/** What the names of facts are padded to. */
export const NAME_WIDTH = 9;

/** What is asked, as the first lines of whatever shows an item or a gate. */
export const askedLines = (asked: ReviewRequest, look: AskedLook, paint: Paint): readonly string[] => [
  `${paint('strong', 'what is asked')}  ${paint('dim', `run ${asked.runId}`)}`,
  ...askedRows(asked, look).flatMap(({ name, lines, tone }) =>
    lines.map((line, at) => `  ${paint('dim', (at === 0 ? name : '').padEnd(NAME_WIDTH))} ${paint(tone, line)}`),
  ),
];
