import { expect, it } from 'vitest';
import type { LastSession } from '../../../src/domain/fold-usage.js';
import type { ReviewState } from '../../../src/domain/gates.js';
import { changesOf, UNGOVERNED } from '../../../src/govern/changes/changes-of.js';
import { sha256Hex } from '../../../src/lib/sha256.js';

const DIFF = 'diff --git a/a b/a\nindex 1..2 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n';
const ARTIFACT = `done\n\n${DIFF}`;
const session = (outcome: object, notes: object = {}): LastSession =>
  ({ agentId: 'builder', activation: 'root/c0', diff: DIFF, row: { outcome, notes } }) as unknown as LastSession;
const OK = session({ status: 'ok', value: {} }, { base_commit: 'a'.repeat(40) });
const state = (gate: object, decisions: readonly object[] = []): ReviewState =>
  ({
    gates: [
      {
        gateId: 'g',
        round: 1,
        activation: 'root/c0',
        status: 'approved',
        withdrawn: false,
        sha256: sha256Hex(ARTIFACT),
        evidence: { diffSha256: sha256Hex(DIFF) },
        ...gate,
      },
    ],
    decisions,
  }) as unknown as ReviewState;
const NO_GATES = { gates: [], decisions: [] } as unknown as ReviewState;
const one = (last: LastSession, of: ReviewState, text: string | null = ARTIFACT) =>
  changesOf([last], { state: of, artifact: () => text })[0];

it('tells what a session left, whole, partial or ungoverned', () => {
  expect(one(OK, NO_GATES)).toMatchObject({
    state: 'whole',
    reason: null,
    baseCommit: 'a'.repeat(40),
    signed: null,
    sha256: sha256Hex(DIFF),
    files: [{ path: 'a', added: 1, removed: 1 }],
  });
  expect(one(session({ status: 'failed', reason: 'executor.idle' }, { base_commit: 'HEAD' }), NO_GATES)).toMatchObject({
    state: 'partial',
    reason: 'executor.idle',
    baseCommit: null,
  });
  expect(one(session({ status: 'failed', reason: UNGOVERNED }), NO_GATES)?.state).toBe('ungoverned');
});

it('names those whose approvals count in the newest round', () => {
  const vote = (person: string, over: object = {}) => ({
    gateId: 'g',
    round: 1,
    outcome: 'approve',
    stale: false,
    sha256: sha256Hex(ARTIFACT),
    person,
    ...over,
  });
  const votes = [
    vote('ann'),
    vote('ann'),
    vote('bob', { stale: true }),
    vote('cleo', { outcome: 'reject' }),
    vote('dan', { round: 0 }),
    vote('eve', { sha256: 'other' }),
    vote('fay', { gateId: 'h' }),
  ];

  expect(one(OK, state({}, votes))?.signed).toMatchObject({ by: ['ann'], isSame: true, status: 'approved' });
});

it.each([
  ['approved', false, 'approved'],
  ['rejected', false, 'rejected'],
  ['pending', false, 'open'],
  ['changes-requested', false, 'open'],
  ['pending', true, 'withdrawn'],
] as const)('a gate that is %s (withdrawn: %s) is %s', (status, withdrawn, shown) => {
  expect(one(OK, state({ status, withdrawn }))?.signed?.status).toBe(shown);
});

it('the bytes are those that were signed only by every digest there is', () => {
  expect(one(OK, state({ evidence: { diffSha256: sha256Hex('other') } }))?.signed?.isSame).toBe(false);
  expect(one(OK, state({}), `done\n\n${DIFF}more`)?.signed?.isSame).toBe(false);
  // Bytes that an external store has lost: the digest in the gate decides.
  expect(one(OK, state({}), null)?.signed?.isSame).toBe(true);
});
