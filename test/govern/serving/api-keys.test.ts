import { describe, expect, it } from 'vitest';
import { judgeKeys, type ResolvedKey, type WrittenKey } from '../../../src/govern/serving/api-keys.js';
import { sha256Hex } from '../../../src/lib/sha256.js';

const SECRET = 'a-secret-of-enough-characters';
const key = (over: Partial<WrittenKey> = {}, resolved: ResolvedKey = { kind: 'value', value: SECRET }) => ({
  written: { clientId: 'ci', clientName: null, tier: 'run', scopes: undefined, ...over },
  resolved,
});
const missing: ResolvedKey = { kind: 'missing', reason: 'the environment variable CI_TOKEN is not set' };
const value = (secret: string): ResolvedKey => ({ kind: 'value', value: secret });
const problemsOf = (...entries: Parameters<typeof judgeKeys>[0]): readonly string[] =>
  judgeKeys(entries, new Set(['release:approve', 'serve:admin'])).problems.map(({ at, message }) => `${at} ${message}`);

describe('the keys of a server', () => {
  it('go on as digests, with the scopes of their tier', () => {
    expect(judgeKeys([key({ clientName: 'Build machine' })], new Set())).toEqual({
      keys: [
        { sha256: sha256Hex(SECRET), clientId: 'ci', clientName: 'Build machine', scopes: ['serve:read', 'serve:run'] },
      ],
      problems: [],
      warnings: [],
    });
  });

  it.each([
    ['read', ['serve:read']],
    ['run', ['serve:read', 'serve:run']],
    ['admin', ['serve:read', 'serve:run', 'serve:admin']],
  ])('of the tier %s carry the tiers below', (tier, scopes) => {
    expect(judgeKeys([key({ tier })], new Set()).keys[0]?.scopes).toEqual(scopes);
  });

  it('may have scopes instead of a tier', () => {
    expect(
      judgeKeys([key({ tier: undefined, scopes: ['serve:read', 'serve:read'] })], new Set()).keys[0]?.scopes,
    ).toEqual(['serve:read']);
  });

  it.each([
    [
      'a tier that is none',
      key({ tier: 'root' }),
      '/server/auth/config/keys/0/tier the key of "ci" has the tier "root"; there are read, run, admin',
    ],
    [
      'the tier public',
      key({ tier: 'public' }),
      '/server/auth/config/keys/0/tier the key of "ci" has the tier "public"; there are read, run, admin',
    ],
    [
      'the name of a prototype',
      key({ tier: 'constructor' }),
      '/server/auth/config/keys/0/tier the key of "ci" has the tier "constructor"; there are read, run, admin',
    ],
    [
      'a tier and scopes',
      key({ scopes: ['serve:read'] }),
      '/server/auth/config/keys/0/scopes the key of "ci" has a tier and scopes; keep one of them',
    ],
    [
      'neither',
      key({ tier: undefined }),
      '/server/auth/config/keys/0/tier the key of "ci" has neither a tier nor scopes: every call would be refused',
    ],
    [
      'no scopes',
      key({ tier: undefined, scopes: [] }),
      '/server/auth/config/keys/0/tier the key of "ci" has neither a tier nor scopes: every call would be refused',
    ],
    ['no client', key({ clientId: null }), '/server/auth/config/keys/0/client_id key 1 has no client_id'],
    [
      'a literal key',
      key({}, { kind: 'literal' }),
      '/server/auth/config/keys/0/key_ref the key of "ci" is not given by reference; write env:NAME, file:PATH or credentials:NAME',
    ],
    [
      'a blank in the secret',
      key({}, value('a secret of enough characters')),
      '/server/auth/config/keys/0/key_ref the key of "ci" holds a character that no header can carry: only visible ASCII, without blanks',
    ],
  ])('with %s are refused', (_what, entry, problem) => {
    expect(problemsOf(entry)).toContain(problem);
  });

  it.each([
    '*',
    'audit:read',
    'audit:anything',
    'skills:activate',
    'skills:write_pending',
    'mcp_servers:deploy',
    'mcp_servers:scaffold',
    'topologies:modify',
    'iam:modify',
    'pipeline:advance',
    'pipeline:skip',
    'approvals:resolve',
    'approvals:*',
    'release:approve',
  ])('cannot carry %s', (scope) => {
    expect(problemsOf(key({ tier: undefined, scopes: ['serve:read', scope] }))).toEqual([
      `/server/auth/config/keys/0/scopes the key of "ci" would carry ${scope}, which no key can: it belongs to people`,
    ]);
  });

  it('cannot have a tier whose scope a role confers', () => {
    expect(problemsOf(key({ tier: 'admin' }))).toEqual([
      '/server/auth/config/keys/0/scopes the key of "ci" would carry serve:admin, which no key can: it belongs to people',
    ]);
  });

  it('that are the same secret are refused, whoever they are of', () => {
    expect(problemsOf(key(), key({ clientId: 'other' }))).toEqual([
      '/server/auth/config/keys/1/key_ref the key of "other" has the same secret as the key of "ci": kit cannot tell which one calls',
    ]);
  });

  it('may be two of one client, so that a key can be replaced', () => {
    expect(judgeKeys([key(), key({}, value('the-next-secret-of-the-client'))], new Set())).toMatchObject({
      problems: [],
      warnings: [],
    });
  });

  it('of which one does not resolve work without it, with a warning', () => {
    const judged = judgeKeys([key(), key({ clientId: 'other' }, missing)], new Set());

    expect(judged.keys.map(({ clientId }) => clientId)).toEqual(['ci']);
    expect(judged.warnings).toEqual([
      'the key of "other" is without effect: the environment variable CI_TOKEN is not set',
    ]);
    expect(judged.problems).toEqual([]);
  });

  it('of which none resolves are refused, each with its reason', () => {
    expect(problemsOf(key({}, missing), key({ clientId: 'other' }, missing))).toEqual([
      '/server/auth/config/keys the key of "ci" is without effect: the environment variable CI_TOKEN is not set',
      '/server/auth/config/keys the key of "other" is without effect: the environment variable CI_TOKEN is not set',
    ]);
    expect(problemsOf()).toEqual(['/server/auth/config/keys the provider api_key has no keys']);
  });

  it.each([
    [15, 1],
    [16, 0],
  ])('of %i characters have %i warnings', (length, count) => {
    expect(judgeKeys([key({}, value('x'.repeat(length)))], new Set()).warnings).toHaveLength(count);
  });

  it('have all of their problems told at once, and no secret among them', () => {
    const judged = judgeKeys(
      [
        key({ tier: 'root', scopes: ['*'] }),
        key({ clientId: null }),
        key({ tier: undefined, scopes: ['iam:modify', 'audit:x'] }, { kind: 'literal' }),
      ],
      new Set(),
    );

    expect(judged.problems.map(({ at }) => at)).toEqual([
      '/server/auth/config/keys/0/scopes',
      '/server/auth/config/keys/0/tier',
      '/server/auth/config/keys/1/client_id',
      '/server/auth/config/keys/1/key_ref',
      '/server/auth/config/keys/2/scopes',
      '/server/auth/config/keys/2/key_ref',
    ]);
    expect(JSON.stringify(judged)).not.toContain(SECRET);
  });
});
