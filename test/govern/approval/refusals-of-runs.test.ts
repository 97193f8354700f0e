import { expect, test } from 'vitest';
import { Desk, JOB, policy, registry, rule, task } from './build.js';

const QA = task(0, 'qa');
const open = (): Desk => Desk.of(registry({ qa: ['ann', 'bob', 'cid'] })).open({ policy: policy([rule(['qa'])]) });

test('who submitted a run that this one goes on from is refused with the name of that run, and the attempt is recorded', () => {
  const desk = open().withJob({
    earlier: [
      { jobId: 'a'.repeat(12), submittedBy: { identity: 'ann', assurance: 'asserted' } },
      { jobId: 'b'.repeat(12), submittedBy: { identity: 'BOB', assurance: 'authenticated' } },
    ],
  });
  for (const [who, run] of [
    ['ann', 'a'],
    ['bob', 'b'],
  ] as const) {
    const { result, events } = desk.attempt(QA, who);
    expect(result).toMatchObject({
      refusal: 'is_earlier_author',
      message: `"${who}" may not decide ${QA}: "${who}" submitted run ${run.repeat(12)}, which run ${JOB} goes on from, and the policy excludes its author`,
    });
    expect(events).toMatchObject([{ payload: { allowed: false, identity: who } }]);
  }
  expect(desk.attempt(QA, 'cid').result.kind).toBe('recorded');
});

test('an author before whom nobody knows leaves the task to who is authenticated', () => {
  const desk = open().withJob({
    earlier: [{ jobId: 'a'.repeat(12), submittedBy: { identity: 'anonymous', assurance: 'asserted' } }],
  });
  expect(desk.attempt(QA, 'ann', { assurance: 'asserted' }).result).toMatchObject({ refusal: 'author_unidentified' });
  expect(desk.attempt(QA, 'ann', { assurance: 'authenticated' }).result.kind).toBe('recorded');
});

test('bytes that cannot be read are judged last, and what is refused for them is not recorded', () => {
  const unreadable = 'its bytes are gone';
  expect(open().attempt(QA, 'ann', { unreadable })).toMatchObject({
    result: { refusal: 'unreadable', message: `${QA} cannot be decided so: its bytes are gone; nothing is recorded` },
    events: [],
    decisions: [],
  });
  expect(open().attempt(QA, 'mallory', { unreadable }).result).toMatchObject({ refusal: 'no_role' });
});
