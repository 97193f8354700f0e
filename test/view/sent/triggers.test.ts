import { it } from 'vitest';
import { toWireFired, toWireHook } from '../../../plugins/triggers/src/wire.js';
import * as wire from '../../../src/sdk/wire.js';
import { type Answer, expectSentInSomeOrder, expectSentWhole } from '../../support/http/sent-as.js';
import { jobOf } from '../../support/view-samples.js';

const AT = '2030-01-01T00:00:05.000Z';

const ANSWERS: readonly Answer[] = [
  [
    'triggers',
    wire.TRIGGERS,
    wire.toWire(wire.TRIGGERS, [
      {
        id: 't',
        type: 'plugin',
        providerId: 'p',
        enabled: true,
        active: false,
        reason: 'no secret',
        targets: ['demo'],
        pipelineTargets: [{ pipeline: 'p', emit: 'e', correlationId: '$.id' }],
        config: { any: { thing: [1] } },
        nextFireAt: AT,
      },
    ]),
  ],
  [
    'a firing',
    wire.FIRED,
    toWireFired({
      trigger: 't',
      type: 'cron',
      targets: [
        { target: 'demo', jobId: 'aaaabbbbcccc', refusal: null },
        { target: 'other', jobId: null, refusal: { code: 'KIT_QUEUE_FULL', message: 'full', data: {} } },
      ],
    }),
  ],
  [
    'events of a hook',
    wire.HOOK_ANSWER,
    toWireHook({
      kind: 'events',
      trigger: 't',
      source: 'webhook:t',
      signals: [{ pipeline: 'p', correlationId: 'c', event: 'e' }],
    }),
  ],
];

it.each(ANSWERS)('%s is sent as it is made, member for member', async (...answer) => {
  await expectSentWhole(answer);
});

it('a run that a hook starts is sent whole', async () => {
  await expectSentInSomeOrder(['a run', wire.HOOK_ANSWER, toWireHook({ kind: 'run', job: jobOf() })]);
});
