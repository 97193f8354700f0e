import { it } from 'vitest';
import * as wire from '../../../src/sdk/wire.js';
import { reduceRun } from '../../../src/view/reduce-run.js';
import { EMPTY_TRACE } from '../../../src/view/run-view.js';
import { toWireSpan } from '../../../src/view/schemas/event.js';
import { gapsOf, toWireGap, toWireGapRecords } from '../../../src/view/schemas/gap.js';
import { NO_GAPS, reduceGaps } from '../../../src/view/skill-gaps.js';
import { spansOf } from '../../../src/view/trace-spans.js';
import { type Answer, expectSentWhole } from '../../support/http/sent-as.js';
import { RUN_SKETCH, storedEvents } from '../../support/stored-events.js';

const EVENTS = storedEvents(RUN_SKETCH);
const GAPS = gapsOf(EVENTS.reduce(reduceGaps, NO_GAPS));
const SPAN = spansOf(EVENTS.reduce(reduceRun, EMPTY_TRACE));
if (SPAN === null || GAPS.length === 0) throw new Error('the sample has no spans or no gaps');

const ANSWERS: readonly Answer[] = [
  [
    'gaps',
    wire.GAPS,
    { gaps: GAPS.map(toWireGap), inert: [{ topology: 'demo', runs: 2, agent: 'reader', skill: null }] },
  ],
  ['records of gaps', wire.GAP_RECORDS, toWireGapRecords(GAPS)],
  ['spans', wire.SPAN, toWireSpan(SPAN)],
];

it.each(ANSWERS)('%s is sent as it is made, member for member', async (...answer) => {
  await expectSentWhole(answer);
});
