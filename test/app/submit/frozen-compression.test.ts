import { describe, expect, test } from 'vitest';
import { frozenCompression } from '../../../src/app/submit/frozen-compression.js';
import type { CompressionOverride, CompressionPolicy } from '../../../src/domain/compression.js';
import type { ContributionInfo, PluginHost } from '../../../src/domain/extension-points.js';

const plugins: Pick<PluginHost, 'find'> = {
  find: (point, name) => {
    const info = { point, id: `acme.${name}`, name, keepsOriginal: name === 'keeper' } as ContributionInfo;
    return point === 'compressors' && ['keeper', 'folder'].includes(name) ? info : null;
  },
};
const override: CompressionOverride = {
  backend: 'headtail',
  backendClass: null,
  minBytes: null,
  match: 'x',
  matchServer: null,
};
const policy = (over: Partial<CompressionPolicy> = {}): CompressionPolicy => ({
  backend: 'off',
  backendClass: null,
  minBytes: 2000,
  overrides: [],
  ...over,
});
const freeze = (given: CompressionPolicy, env: Readonly<Record<string, string | number>> = {}) =>
  frozenCompression({ policy: given, env, plugins });

test('a workspace that compresses nothing freezes nothing', () => {
  expect(freeze(policy())).toBeNull();
  expect(freeze(policy({ overrides: [{ ...override, backend: null }] }))).toBeNull();
});

test('without variables the policy is frozen as it is', () => {
  const given = policy({ overrides: [override] });

  expect(freeze(given)).toEqual(given);
});

describe('KIT_CONTEXT_COMPRESSION', () => {
  test.each(['off', 'none', '0', 'false', 'no', 'OFF', ' No '])('%s switches overrides off too', (word) => {
    expect(
      freeze(policy({ backend: 'columnar', overrides: [override] }), { KIT_CONTEXT_COMPRESSION: word }),
    ).toBeNull();
  });

  test.each(['json', 'on', '1', 'true', 'yes', 'columnar', 'Columnar'])(
    '%s means columnar, and an override keeps what it says',
    (word) => {
      expect(freeze(policy({ overrides: [override] }), { KIT_CONTEXT_COMPRESSION: word })).toEqual(
        policy({ backend: 'columnar', overrides: [override] }),
      );
    },
  );

  test('headtail beats the workspace', () => {
    expect(freeze(policy({ backend: 'columnar' }), { KIT_CONTEXT_COMPRESSION: 'headtail' })).toMatchObject({
      backend: 'headtail',
    });
  });

  test('plugin is the class of the workspace', () => {
    const given = policy({ backendClass: 'folder' });

    expect(freeze(given, { KIT_CONTEXT_COMPRESSION: 'plugin' })).toEqual({ ...given, backend: 'plugin' });
  });

  test.each([
    ['names no backend', policy(), 'gzip-of-a-secret', 'names no backend'],
    ['is a word that every object has', policy(), 'constructor', 'names no backend'],
    ['is plugin where the workspace names no class', policy(), 'plugin', 'names no backend_class'],
    ['is plugin where nothing brings the class', policy({ backendClass: 'gone' }), 'plugin', 'contributes gone'],
  ])('is refused where it %s', (_what, given, word, message) => {
    expect(() => freeze(given, { KIT_CONTEXT_COMPRESSION: word })).toThrow(
      expect.objectContaining({ code: 'KIT_ENV_INVALID', message: expect.stringContaining(message) }),
    );
    expect(() => freeze(given, { KIT_CONTEXT_COMPRESSION: word })).not.toThrow(/gzip-of-a-secret/);
  });
});

test('KIT_CONTEXT_COMPRESSION_MIN_BYTES beats the top level and no override that says one', () => {
  const overrides = [override, { ...override, minBytes: 5 }];

  expect(freeze(policy({ overrides }), { KIT_CONTEXT_COMPRESSION_MIN_BYTES: 0 })).toEqual(
    policy({ minBytes: 0, overrides }),
  );
});

test('classes whose plugin keeps the original are frozen with the policy, wherever they stand', () => {
  const overrides = [{ ...override, backend: 'plugin' as const, backendClass: 'keeper' }];
  const given = policy({ backend: 'plugin', backendClass: 'folder', overrides });

  expect(freeze(given)).toEqual({ ...given, keepOriginal: ['keeper'] });
});
