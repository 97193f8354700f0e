import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName } from '../../../src/lib/fold-name.js';
import { Desk, policy, registry, rule, task } from './build.js';

const NFC = 'jos\u00e9';
const NFD = 'jose\u0301';
const PAIRS: readonly (readonly [string, string])[] = [
  ['alice@x.org', 'Alice@x.org'],
  ['alice@x.org', 'ALICE@X.ORG'],
  [NFC, NFD],
  [NFC, NFD.toUpperCase()],
  ['strasse', 'STRA\u00dfE'],
];

describe.each(PAIRS)('%s and %s', (one, other) => {
  const both = policy([rule(['qa'])]);

  it.each([
    [one, other],
    [other, one],
  ])('are one person where a run is one’s own: submitted by %s, signed by %s', (author, signer) => {
    const desk = Desk.of(registry({ qa: [signer] }), {
      submittedBy: { identity: author, assurance: 'authenticated' },
    }).open({ policy: both });
    expect(desk.attempt(task(0, 'qa'), signer).result).toMatchObject({ refusal: 'is_author' });
  });

  it('are one person where one of them is another name of somebody', () => {
    const roles = registry({ qa: ['somebody'] }, [{ id: 'somebody', aliases: [one] }]);
    const desk = Desk.of(roles, { submittedBy: { identity: other, assurance: 'authenticated' } }).open({
      policy: both,
    });
    expect(desk.attempt(task(0, 'qa'), 'somebody').result).toMatchObject({ refusal: 'is_author' });
  });

  it('sign once towards the floor, and not the task that opens again', () => {
    const desk = Desk.of(registry({ qa: [one], ops: [other, 'zoe'] }))
      .open({ policy: policy([rule(['qa', 'ops'])], { minDistinctApprovers: 2 }) })
      .decide(task(0, 'qa'), one)
      .decide(task(0, 'ops'), other);
    expect(desk.state.gates.at(-1)?.status).toBe('pending');
    expect(desk.attempt(task(0, 'ops'), other).result).toMatchObject({ refusal: 'signed_already' });
    expect(desk.decide(task(0, 'ops'), 'zoe').state.gates.at(-1)?.status).toBe('approved');
  });

  it('are two where membership is asked', () => {
    const desk = Desk.of(registry({ qa: [one], ops: ['zoe'] })).open({ policy: both });
    expect(desk.attempt(task(0, 'qa'), other).result).toMatchObject({ refusal: 'no_role' });
    expect(desk.attempt(task(0, 'qa'), one).result).toMatchObject({ kind: 'recorded' });
  });
});

it('a name that is folded stays as it is, in whatever case and form it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (name) => {
      const folded = foldName(name);
      expect(foldName(folded)).toBe(folded);
      expect(foldName(name.normalize('NFD'))).toBe(folded);
      expect(foldName(name.toUpperCase())).toBe(folded);
    }),
    { seed: 5, numRuns: 2_000 },
  );
});
