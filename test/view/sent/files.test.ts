import { it } from 'vitest';
import { toWireDetail, toWireRow } from '../../../plugins/serve/src/mounts/authoring/wire.js';
import type { ResolvedAgent } from '../../../src/app/editing/editing-app.js';
import * as wire from '../../../src/sdk/wire.js';
import { type Answer, expectSentInSomeOrder, expectSentWhole } from '../../support/http/sent-as.js';

const AGENT: ResolvedAgent = {
  id: 'lead',
  role: 'root',
  sourceArchetype: 'leader',
  dependsOn: ['other'],
  model: { provider: 'mock', name: 'm1' },
  skills: ['read-file'],
  requires: { 'read-file': ['fs'] },
  funnel: 'sign-off',
  children: [],
};
const TREE: ResolvedAgent = { ...AGENT, dependsOn: [], model: null, children: [AGENT] };

const ANSWERS: readonly Answer[] = [
  [
    'a topology',
    wire.TOPOLOGY,
    toWireDetail({
      kind: 'topologies',
      id: 'a',
      version: '1.0.0',
      description: 'A',
      resolved: TREE,
      inputSchema: { type: 'object', properties: { text: {} } },
    }),
  ],
  [
    'a skill',
    wire.SKILL,
    toWireDetail({ kind: 'skills', id: 'a', name: 'A', description: '', category: 'c', implementationType: 'mcp' }),
  ],
  [
    'an archetype',
    wire.ARCHETYPE,
    toWireDetail({
      kind: 'archetypes',
      id: 'a',
      name: 'A',
      description: '',
      role: 'worker',
      defaults: { model: { name: 'm1', any: [1] }, skills: ['s', { ref: 't' }] },
    }),
  ],
];

it.each(ANSWERS)('%s is sent as it is made, member for member', async (...answer) => {
  await expectSentWhole(answer);
});

it('a file in a list is sent whole', async () => {
  const row = { id: 'a', name: 'A', version: '1.0.0', description: '', category: 'c', role: 'r', path: 'a.yaml' };
  await expectSentInSomeOrder(['a file', wire.ARTIFACT_ROWS, [toWireRow(row)]]);
});
