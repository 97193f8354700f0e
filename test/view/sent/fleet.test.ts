import { it } from 'vitest';
import * as wire from '../../../src/sdk/wire.js';
import { toWireFleet } from '../../../src/view/schemas/fleet.js';
import { seenOf } from '../../support/fleet-samples.js';
import { type Answer, expectSentWhole } from '../../support/http/sent-as.js';
import { itemOf, overviewOf, runOf } from '../../text/top/samples.js';

const OUTAGE = { agentId: 'writer', reason: 'limit.closed', tries: 1, until: '2030-01-01T00:00:05.000Z' };
const FAR = { ...runOf(), view: { ...runOf().view, outages: { a: OUTAGE } } };

const ANSWERS: readonly Answer[] = [
  [
    'a fleet',
    wire.FLEET,
    toWireFleet(
      overviewOf({
        storeAheadMs: -1_500,
        members: {
          rows: [seenOf({ offers: { plugins: { a: '1.0.0' }, adapters: { b: 'x' }, workspace: 'w' } })],
          total: 1,
        },
        runs: { rows: [FAR], total: 3 },
        waiting: { rows: [itemOf()], total: 2 },
      }),
    ),
  ],
  ['a fleet that cannot be read', wire.FLEET, toWireFleet(overviewOf({ members: null }))],
];

it.each(ANSWERS)('%s is sent as it is made, member for member', async (...answer) => {
  await expectSentWhole(answer);
});
