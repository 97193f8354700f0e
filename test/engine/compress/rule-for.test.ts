import { expect, test } from 'vitest';
import type { CompressionOverride, CompressionPolicy } from '../../../src/domain/compression.js';
import { keepsOriginals, ruleFor } from '../../../src/engine/compress/rule-for.js';

const override = (over: Partial<CompressionOverride>): CompressionOverride => ({
  backend: null,
  backendClass: null,
  minBytes: null,
  match: null,
  matchServer: null,
  ...over,
});
const policy = (over: Partial<CompressionPolicy> = {}): CompressionPolicy => ({
  backend: 'columnar',
  backendClass: null,
  minBytes: 2000,
  overrides: [],
  ...over,
});
const tool = { tool: 'get-rows', server: 'files' };

test('without an override the policy itself counts', () => {
  expect(ruleFor(policy(), tool)).toEqual({ backend: 'columnar', backendClass: null, minBytes: 2000 });
});

test('the first override that fits counts, and what it leaves out comes from the top', () => {
  const overrides = [
    override({ match: 'put-*', backend: 'off' }),
    override({ match: 'get-*', backend: 'headtail' }),
    override({ match: '*', backend: 'off', minBytes: 1 }),
  ];

  expect(ruleFor(policy({ overrides }), tool)).toEqual({ backend: 'headtail', backendClass: null, minBytes: 2000 });
});

test.each([
  ['its name alone', { match: 'get-*', matchServer: 'other' }, true],
  ['its server alone', { match: 'put-*', matchServer: 'fil?s' }, true],
  ['neither', { match: 'put-*', matchServer: 'other' }, false],
  ['no pattern at all', {}, false],
])('an override fits by %s: %o', (_what, patterns, fits) => {
  const rule = ruleFor(policy({ overrides: [override({ ...patterns, minBytes: 1 })] }), tool);

  expect(rule.minBytes).toBe(fits ? 1 : 2000);
});

test('a pattern for servers says nothing of a tool without one', () => {
  const overrides = [override({ matchServer: '*', backend: 'off' })];

  expect(ruleFor(policy({ overrides }), { tool: 'get-rows', server: null }).backend).toBe('columnar');
});

test.each([
  ['no policy', undefined, false],
  ['columnar', policy(), false],
  ['headtail', policy({ backend: 'headtail' }), true],
  ['an override of headtail', policy({ overrides: [override({ match: 'x', backend: 'headtail' })] }), true],
  ['a plugin', policy({ backend: 'plugin', backendClass: 'acme' }), false],
  ['a plugin that keeps originals', policy({ backend: 'plugin', backendClass: 'acme', keepOriginal: ['acme'] }), true],
  [
    'an override that takes the class of the top',
    policy({ backendClass: 'acme', keepOriginal: ['acme'], overrides: [override({ match: 'x', backend: 'plugin' })] }),
    true,
  ],
])('originals can be asked for with %s: %o', (_what, given, kept) => {
  expect(keepsOriginals(given)).toBe(kept);
});
