import { expect, test } from 'vitest';
import { expireDue } from '../../../src/govern/approval/expire-due.js';
import { at, Desk, NO_EVIDENCE, policy, registry, rule, task } from './build.js';

const roles = registry({ qa: ['ann'], ops: ['ben'] });
const digest = (character: string): string => character.repeat(64);

/** How many decisions the second round keeps after `ann` approved and `ben` asked for changes. */
function kept(
  covers: readonly string[] | null,
  rounds: readonly { readonly diff: string; readonly part: string }[],
): number {
  const asked = policy([rule(['qa'], 'all', covers), rule(['ops'])], { onRevision: 'reconfirm_changed' });
  const round = ({ diff, part }: { readonly diff: string; readonly part: string }) => ({
    policy: asked,
    evidence: { ...NO_EVIDENCE, diffSha256: digest(diff) },
    parts: covers === null ? {} : { 0: { 'src/a.ts': digest(part) } },
  });
  const [first, second] = rounds.map(round);
  if (first === undefined || second === undefined) throw new Error('two rounds');
  const desk = Desk.of(roles).open(first).decide(task(0, 'qa'), 'ann');
  const reworked = desk
    .decide(task(1, 'ops'), 'ben', { outcome: 'changes_requested', comment: 'shorter' })
    .open(second);
  return reworked.state.decisions.filter((decision) => decision.round === 1).length;
}

test('the same answer with another diff voids an approval of the whole', () => {
  const rounds = [
    { diff: 'd', part: 'a' },
    { diff: 'e', part: 'a' },
  ];
  expect(kept(null, rounds)).toBe(0);
});

test('the same answer with another covered file voids an approval of that file', () => {
  const rounds = [
    { diff: 'd', part: 'a' },
    { diff: 'e', part: 'b' },
  ];
  expect(kept(['src/a.ts'], rounds)).toBe(0);
});

test('another file of the diff leaves an approval of the covered one as it is', () => {
  const rounds = [
    { diff: 'd', part: 'a' },
    { diff: 'e', part: 'a' },
  ];
  expect(kept(['src/a.ts'], rounds)).toBe(1);
});

test('whoever a gate was escalated to is asked again after changes, so no kept approval decides a draft that nobody saw', () => {
  const asked = policy([rule(['qa'], 'all', ['/body'])], {
    onRevision: 'reconfirm_changed',
    minDistinctApprovers: null,
    expiry: { afterMs: 3_600_000, remindBeforeMs: null, action: 'escalate', escalateTo: ['ops'] },
  });
  const both = registry({ qa: ['ann'], ops: ['ben'] });
  const round = (body: string) => ({ policy: asked, sha256: digest(body), parts: { 0: { '/body': digest('b') } } });
  const late = Desk.of(both)
    .open(round('1'))
    .with({ now: at(60) });
  const escalated = late.apply(expireDue(late.state, { newId: late.ids, roles: both }));
  const sent = escalated
    .decide(task(0, 'qa'), 'ann')
    .decide(task(1, 'ops'), 'ben', { outcome: 'changes_requested', comment: 'shorter' });
  const reworked = sent.open(round('2'));

  expect(reworked.state.gates.at(-1)).toMatchObject({
    round: 1,
    status: 'pending',
    escalatedTo: ['ops'],
    expiresAt: at(120),
  });
  const tasks = reworked.state.items
    .filter((item) => item.round === 1)
    .map(({ id, status, escalated: marked }) => [id, status, marked]);
  expect(tasks).toEqual([
    [task(0, 'qa', 1), 'approved', false],
    [task(1, 'ops', 1), 'pending', true],
  ]);
  expect(reworked.decide(task(1, 'ops', 1), 'ben').state.gates.at(-1)?.status).toBe('approved');
});
