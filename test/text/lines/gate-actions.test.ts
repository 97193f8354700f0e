import { expect, it } from 'vitest';
import { gateActions, onlyGateOf } from '../../../src/text/lines/gate-actions.js';
import { createPaint } from '../../../src/text/lines/paint.js';
import type { GateActor, GateDetails } from '../../../src/view/gate-details.js';

const QA: GateActor = { itemId: 'i-qa', ruleIndex: 0, role: 'qa', scope: 'sign', members: ['ann', 'bob'] };
const GATE = { gateId: '0123456789ab:writer', runId: '0123456789ab', actors: [QA], stuck: [], halted: null };

function told(actors: readonly GateActor[], waitingOn: readonly string[]): string {
  const gate = { ...GATE, actors } as unknown as GateDetails;
  const options = { workspaceArgument: 'my ws', ...onlyGateOf({ gates: [gate], items: [] }, { waitingOn }) };
  return gateActions(gate, options, createPaint(false)).join('\n');
}

it('names the run where one task of it waits for that person, and the task where another may', () => {
  const resolve = "kit review resolve i-qa 'my ws' --as ann --approve";

  expect(told([QA], [GATE.gateId])).toBe("qa (sign): ann, bob\n  kit review approve 0123456789ab 'my ws' --as ann");
  expect(told([QA], [GATE.gateId, 'ask-1'])).toContain(resolve);
  expect(told([QA, { ...QA, itemId: 'i-ops', role: 'ops' }], [GATE.gateId])).toContain(resolve);
  expect(told([QA, { ...QA, itemId: 'i-ops', members: ['linus'] }], [GATE.gateId])).toContain('--as linus');
});
