import { describe, expect, it } from 'vitest';
import { decideTier } from '../../src/govern/tiers.js';

const TABLE: readonly (readonly [tier: string, effects: string, kind: string])[] = [
  ...['none', 'read', 'write', 'destructive', 'unknown'].map((effects) => ['open', effects, 'allow'] as const),
  ['cautious', 'none', 'allow'],
  ['cautious', 'read', 'allow'],
  ['cautious', 'write', 'evaluate'],
  ['cautious', 'destructive', 'evaluate'],
  ['cautious', 'unknown', 'evaluate'],
  ...['none', 'read', 'write', 'destructive', 'unknown'].map((effects) => ['strict', effects, 'approve'] as const),
  ['readonly', 'none', 'allow'],
  ['readonly', 'read', 'allow'],
  ['readonly', 'write', 'deny'],
  ['readonly', 'destructive', 'deny'],
  ['readonly', 'unknown', 'deny'],
];

describe('decideTier', () => {
  it.each(TABLE)('answers a call under tier %s with effects %s: %s', (tier, effects, kind) => {
    expect(decideTier(tier, effects).kind).toBe(kind);
  });

  it('says that no effects are declared when readonly refuses for that reason', () => {
    expect(decideTier('readonly', 'unknown')).toMatchObject({
      kind: 'deny',
      reason: expect.stringContaining('declares none'),
    });
  });

  it('refuses a tier that does not exist and takes an effect that does not exist for unknown', () => {
    expect(decideTier('lenient', 'read').kind).toBe('deny');
    expect(decideTier('toString', 'read').kind).toBe('deny');
    expect(decideTier('readonly', 'external').kind).toBe('deny');
    expect(decideTier('cautious', 'external').kind).toBe('evaluate');
  });
});
