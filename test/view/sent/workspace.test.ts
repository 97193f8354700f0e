import { it } from 'vitest';
import * as wire from '../../../src/sdk/wire.js';
import { toWireReachability, toWireVerification } from '../../../src/view/schemas/workspace.js';
import { type Answer, expectSentInSomeOrder } from '../../support/http/sent-as.js';

const ENTRY = {
  kind: 'skill',
  key: 'read-file',
  declaredOn: 'topologies/a.yaml#/agents/root',
  required: true,
  detail: 'a detail',
  message: 'nobody names it',
};
const CHECKED = {
  topology: 'a@1.0.0',
  agent: 'lead',
  isRoot: true,
  funnel: 'sign-off',
  layers: ['people'],
  declared: ['people', 'judge'],
  inert: ['judge'],
  verified: false,
};

it.each<Answer>([
  [
    'what is wired',
    wire.REACHABILITY,
    toWireReachability({ ok: false, reachable: [ENTRY], unreachable: [ENTRY], orphans: [ENTRY] }),
  ],
  ['what is checked', wire.VERIFICATION, toWireVerification([CHECKED])],
])('%s is sent whole', async (...answer) => {
  await expectSentInSomeOrder(answer);
});
