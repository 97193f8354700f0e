import { it } from 'vitest';
import * as wire from '../../../src/sdk/wire.js';
import { toWireAsked } from '../../../src/view/schemas/item.js';
import { askedSample, hostileAsked } from '../../support/asked-samples.js';
import { type Answer, expectSentWhole } from '../../support/http/sent-as.js';

const DECIDED = {
  by: 'dana',
  role: 'qa',
  outcome: 'changes_requested',
  comment: 'shorter',
  round: 1,
  at: '2026-01-02T03:04:05.000Z',
  counts: true,
} as const;

it.each<Answer>([
  [
    'what is asked',
    wire.RUN_REPORT.properties.request,
    toWireAsked(askedSample({ decisions: [DECIDED, { ...DECIDED, role: null, answer: 'blue' }] })).request,
  ],
  ['what hostile people ask', wire.RUN_REPORT.properties.request, toWireAsked(hostileAsked()).request],
])('%s is sent as it is made, member for member', async (...answer) => {
  await expectSentWhole(answer);
});
