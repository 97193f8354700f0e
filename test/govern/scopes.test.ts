import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isReservedScope, RESERVED_SCOPES } from '../../src/domain/scopes.js';
import { checkScopes, isHumanScope } from '../../src/govern/scopes.js';

const scope = fc.stringMatching(/^[a-z]{1,6}:[a-z]{1,6}$/).filter((name) => !isReservedScope(name));

describe('checkScopes', () => {
  it('allows exactly when every required scope is held and none is for people', () => {
    fc.assert(
      fc.property(fc.array(scope), fc.array(scope), fc.array(scope), (required, held, human) => {
        const verdict = checkScopes({ required, held, humanScopes: human });
        const expected = required.every((name) => held.includes(name) && !human.includes(name));
        expect(verdict.allowed).toBe(expected);
      }),
    );
  });

  it('never lets an agent hold a reserved scope, whatever its list says', () => {
    for (const reserved of [
      ...RESERVED_SCOPES,
      'audit:read',
      'audit:*',
      '*',
      '*:resolve',
      'approvals:*',
      'APPROVALS:resolve',
      ' iam:modify ',
    ]) {
      expect(checkScopes({ required: [reserved], held: [reserved], humanScopes: [] })).toMatchObject({
        allowed: false,
        needs: [reserved],
      });
    }
  });

  it('never lets an agent hold a scope that a role confers', () => {
    expect(isHumanScope('release:sign', ['release:sign'])).toBe(true);
    expect(
      checkScopes({ required: ['release:sign'], held: ['release:sign'], humanScopes: new Set(['release:sign']) }),
    ).toEqual({
      allowed: false,
      reason: 'only a person can hold release:sign',
      needs: ['release:sign'],
    });
  });

  it('takes no wildcard for more than its name', () => {
    expect(checkScopes({ required: ['repo:read'], held: ['repo:*'], humanScopes: [] })).toMatchObject({
      allowed: false,
      needs: ['repo:read'],
    });
  });

  it('names what is missing once', () => {
    expect(checkScopes({ required: ['a:b', 'a:b', 'c:d'], held: ['c:d'], humanScopes: [] })).toEqual({
      allowed: false,
      reason: 'the agent does not hold a:b',
      needs: ['a:b'],
    });
  });
});
