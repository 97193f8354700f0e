import { expect, it } from 'vitest';
import type { PastePlace } from '../../../src/lib/shell-word.js';
import { itemText } from '../../../src/text/item-text.js';
import { gateActions, itemLines, onlyGateOf } from '../../../src/text/lines/gate-actions.js';
import { createPaint } from '../../../src/text/lines/paint.js';
import type { GateActor, GateDetails } from '../../../src/view/gate-details.js';
import { itemOf } from '../../support/review-samples.js';
import { jobOf } from '../../support/view-samples.js';

const QA: GateActor = { itemId: 'i-qa', ruleIndex: 0, role: 'qa', scope: 'sign', members: ['ann', 'bob'] };
const SHELL: PastePlace = { inherited: 'https://kit.test' };
const GATE = { gateId: '0123456789ab:writer', runId: '0123456789ab', actors: [QA], stuck: [], halted: null };

function told(
  actors: readonly GateActor[],
  waitingOn: readonly string[],
  place: PastePlace = 'my ws',
  floor = 1,
): string {
  const gate = { ...GATE, actors, policy: { minDistinctApprovers: floor } } as unknown as GateDetails;
  const options = { workspaceArgument: place, ...onlyGateOf({ gates: [gate], items: [] }, { waitingOn }) };
  return gateActions(gate, options, createPaint(false)).join('\n');
}

it('names the run where one task of it waits for that person, and the task where another may', () => {
  const resolve = "kit review resolve i-qa 'my ws' --as ann --approve";

  expect(told([QA], [GATE.gateId])).toBe("qa (sign): ann, bob\n  kit review approve 0123456789ab 'my ws' --as ann");
  expect(told([QA], [GATE.gateId, 'ask-1'])).toContain(resolve);
  expect(told([QA, { ...QA, itemId: 'i-ops', role: 'ops' }], [GATE.gateId])).toContain(resolve);
  expect(told([QA, { ...QA, itemId: 'i-ops', members: ['linus'] }], [GATE.gateId])).toContain('--as linus');
});

it('names the task at a server where one of those who paste the line has another task as well', () => {
  const ops = { ...QA, itemId: 'i-ops', role: 'ops', members: ['bob', 'linus'] };
  const other = { ...QA, itemId: 'i-ops', role: 'ops', members: ['linus'] };

  expect(told([QA, ops], [GATE.gateId], SHELL)).toContain(
    'kit review resolve i-qa --server https://kit.test --approve',
  );
  expect(told([QA, other], [GATE.gateId], SHELL)).toContain(
    'kit review approve 0123456789ab --server https://kit.test',
  );
});

it('names the task while a floor of people lets one who is not asked decide another task', () => {
  const other = { ...QA, itemId: 'i-ops', role: 'ops', members: ['linus'] };

  expect(told([QA, other], [GATE.gateId], '', 2)).toContain('kit review resolve i-qa --as ann --approve');
  expect(told([other], [GATE.gateId], '', 2)).toContain('kit review approve 0123456789ab --as linus');
});

it('says of a question with options how one answers in other words', () => {
  const item = itemOf('0123456789ab', 'ask-1', { kind: 'input', freeTextAllowed: false });
  const options = { workspaceArgument: '', color: false, width: null };
  const shown = itemText({ item, gate: null, artifact: null, asked: null, job: jobOf({}) }, options);

  for (const text of [itemLines(item, options).join('\n'), shown])
    expect(text).toContain('TEXT is an option or its number; in your own words: --comment TEXT besides');
  expect(itemLines({ ...item, freeTextAllowed: true }, options).join('\n')).not.toContain('--comment');
});
