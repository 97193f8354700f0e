import { it } from 'vitest';
import * as wire from '../../../src/sdk/wire.js';
import { reduceRun } from '../../../src/view/reduce-run.js';
import { figuresOf } from '../../../src/view/run-figures.js';
import { EMPTY_TRACE, type RunView } from '../../../src/view/run-view.js';
import { toWireFigures, toWireRun } from '../../../src/view/schemas/run.js';
import { type Answer, expectSentWhole } from '../../support/http/sent-as.js';
import { RUN_SKETCH, storedEvents } from '../../support/stored-events.js';

const AT = '2030-01-01T00:00:05.000Z';
const FOLDED = storedEvents(RUN_SKETCH).reduce(reduceRun, EMPTY_TRACE);
const USED = { ...FOLDED.usage, savedUsd: 0.125 };

/** A run of which everything is known that a run may have. */
const VIEW: RunView = {
  ...FOLDED,
  usage: USED,
  agents: Object.fromEntries(
    Object.entries(FOLDED.agents).map(([key, agent]) => [
      key,
      {
        ...agent,
        outcome: { passed: false, text: '1 of 3 failed' },
        trail: agent.trail.map((call) => ({ ...call, said: 'no route', usage: USED, durationMs: 0.5 })),
      },
    ]),
  ),
  executors: FOLDED.executors.map((one) => ({ ...one, outcome: { passed: true, text: 'all well' } })),
  compression: { calls: 2, bytesIn: 9, bytesOut: 4, byBackend: { columnar: { calls: 2, bytesIn: 9, bytesOut: 4 } } },
  attachments: [{ name: 'plan.png', mediaType: 'image/png', sizeBytes: 7 }],
  gates: {
    g: {
      gateId: 'g',
      agentId: 'lead',
      round: 2,
      status: 'approved',
      withdrawn: false,
      artifactRef: 'a',
      escalated: true,
      judgeScore: 0.75,
      expiresAt: AT,
      openedAt: AT,
      decisions: [{ by: 'dana', role: 'qa', outcome: 'approve', comment: 'well done' }],
    },
  },
  waitingOn: ['g'],
  outages: {
    'root/d0': {
      agentId: 'lead',
      reason: 'remote.working',
      tries: 1,
      until: null,
      remote: { agent: 'far', gateUrl: 'https://far.example.org/gates/1' },
    },
  },
  ungated: ['h'],
};

const ANSWERS: readonly Answer[] = [
  ['a run', wire.RUN_VIEW.properties.trace, toWireRun(VIEW)],
  ['a run of which nothing is known', wire.RUN_VIEW.properties.trace, toWireRun(EMPTY_TRACE)],
  [
    'what a run in a list adds up to',
    wire.RUN_FIGURES,
    toWireFigures({ figures: figuresOf(VIEW), outage: 'the provider is down', wallMs: 1.5 }),
  ],
];

it.each(ANSWERS)('%s is sent as it is made, member for member', async (...answer) => {
  await expectSentWhole(answer);
});
