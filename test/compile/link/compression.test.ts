import { expect, test } from 'vitest';
import { linkCompression } from '../../../src/compile/link/compression.js';

test('a workspace that says nothing compresses nothing', () => {
  expect(linkCompression(undefined)).toEqual({ backend: 'off', backendClass: null, minBytes: 2000, overrides: [] });
});

test('what an override leaves out stays open until it is used: a variable may change the top level', () => {
  const context_compression = {
    backend: 'columnar',
    min_bytes: 0,
    overrides: [
      { match: 'get-*', backend: 'plugin', backend_class: 'acme' },
      { match_server: 'files', min_bytes: 9 },
    ],
  } as const;

  expect(linkCompression(context_compression)).toEqual({
    backend: 'columnar',
    backendClass: null,
    minBytes: 0,
    overrides: [
      { match: 'get-*', matchServer: null, backend: 'plugin', backendClass: 'acme', minBytes: null },
      { match: null, matchServer: 'files', backend: null, backendClass: null, minBytes: 9 },
    ],
  });
});
