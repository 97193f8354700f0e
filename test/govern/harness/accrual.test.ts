import { describe, expect, it } from 'vitest';
import type { HarnessPermission } from '../../../src/domain/harness-call.js';
import {
  capabilityOf,
  countedIn,
  foldTrust,
  isTrustEvent,
  type TrustEvent,
  type TrustRow,
  trustId,
} from '../../../src/govern/harness/accrual.js';

const ASKED: readonly HarnessPermission[] = [{ kind: 'execute', match: 'rm *', answer: 'ask' }];
const CAPABILITY = { archetype: 'coder', kind: 'execute', match: 'npm test' } as const;

/** Only what the fold reads. */
const event = (type: TrustEvent['type'], payload: object = {}): TrustEvent =>
  ({
    type,
    timestamp: '2026-01-02T03:04:05.000Z',
    payload: { ...CAPABILITY, decision: 'approved', threshold: 2, ...payload },
  }) as unknown as TrustEvent;

function folded(events: readonly TrustEvent[]): TrustRow | undefined {
  const none: ReadonlyMap<string, TrustRow> = new Map();
  return events.reduce(foldTrust, none).get(trustId(CAPABILITY));
}

describe('what an approval of a call counts for', () => {
  const call = (kind: string, subject: string) => ({ kind, subject }) as Parameters<typeof capabilityOf>[1];

  it.each([
    { kind: 'execute', subject: 'npm test', match: 'npm test' },
    { kind: 'edit', subject: 'src/a/b.ts', match: 'src/a/**' },
    { kind: 'edit', subject: 'README.md', match: '*' },
    { kind: 'mcp', subject: 'github/create_issue', match: 'github/create_issue' },
  ])('$kind $subject counts for $match', ({ kind, subject, match }) => {
    expect(capabilityOf([], call(kind, subject))).toEqual({ kind, match });
  });

  it.each([
    { why: 'an entry asks about it', kind: 'execute', subject: 'rm -r build' },
    { why: 'it would allow more than it says', kind: 'execute', subject: 'rm *' },
    { why: 'it is too long for an entry', kind: 'execute', subject: 'x'.repeat(1001) },
    { why: 'no server and tool are named', kind: 'mcp', subject: 'github' },
    { why: 'no entry has such a kind', kind: 'dance', subject: 'tango' },
  ])('nothing where $why', ({ kind, subject }) => {
    expect(capabilityOf(ASKED, call(kind, subject))).toBeNull();
  });

  it('is read back from the details of an item, with the usual threshold where none is written', () => {
    expect(countedIn({ trust: { ...CAPABILITY, threshold: 3 } })).toEqual({ ...CAPABILITY, threshold: 3 });
    expect(countedIn({ trust: CAPABILITY })).toEqual({ ...CAPABILITY, threshold: 5 });
    for (const details of [null, 'x', {}, { trust: [] }, { trust: { ...CAPABILITY, kind: 'dance' } }])
      expect(countedIn(details)).toBeNull();
  });
});

describe('the counters', () => {
  it('propose a change once enough approvals came', () => {
    expect(folded([event('trust.counted')])).toMatchObject({ approvals: 1, state: 'counting', isReported: false });
    expect(folded([event('trust.counted'), event('trust.counted')])).toMatchObject({ approvals: 2, state: 'proposed' });
    expect(folded([event('trust.counted'), event('trust.counted'), event('trust.changeset_proposed')])).toMatchObject({
      state: 'proposed',
      isReported: true,
    });
  });

  it('are reset and blocked by one denial, whatever is approved afterwards, until they are counted anew', () => {
    const denied = [event('trust.counted'), event('trust.counted', { decision: 'rejected' })];

    expect(folded(denied)).toMatchObject({ approvals: 0, state: 'blocked' });
    expect(folded([...denied, event('trust.counted'), event('trust.counted')])).toMatchObject({
      approvals: 0,
      state: 'blocked',
    });
    expect(folded([...denied, event('trust.cleared'), event('trust.counted')])).toMatchObject({
      approvals: 1,
      state: 'counting',
    });
  });

  it('end where somebody applied the change', () => {
    expect(folded([event('trust.counted'), event('trust.counted'), event('trust.applied')])).toMatchObject({
      state: 'applied',
    });
  });

  it('are kept apart by archetype, kind and match', () => {
    const other = { ...CAPABILITY, archetype: 'tester' };
    const rows = [event('trust.counted'), event('trust.counted', other)].reduce(
      foldTrust,
      new Map() as ReadonlyMap<string, TrustRow>,
    );

    expect([...rows.values()].map(({ approvals }) => approvals)).toEqual([1, 1]);
    expect(trustId(other)).not.toBe(trustId(CAPABILITY));
    expect(isTrustEvent(event('trust.counted'))).toBe(true);
    expect(isTrustEvent({ ...event('trust.counted'), type: 'run.ended' } as never)).toBe(false);
  });
});
