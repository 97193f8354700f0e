import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DIAGNOSTIC_CODES } from '../../../src/compile/diagnostics/codes.js';
import { compileSources } from '../../support/compile.js';
import { RULE_CASES } from './cases.js';

test.each(RULE_CASES)('$code is reported at $at', async ({ code, at, severity, sources, environment, also }) => {
  const { diagnostics, workspace } = await compileSources(sources, environment);

  const found = diagnostics.filter((diagnostic) => !(also ?? []).includes(diagnostic.code));
  expect(found.map((diagnostic) => `${diagnostic.severity} ${diagnostic.code} ${diagnostic.path}#${diagnostic.pointer}`)).toEqual([
    `${severity ?? 'error'} ${code} ${at}`,
  ]);
  for (const { message } of found) expect(message).toMatch(/[^.]$/);
  expect(workspace === null).toBe(diagnostics.some((diagnostic) => diagnostic.severity === 'error'));
});

test('every code that a rule reports has a page and an entry in the registry', () => {
  const codes = [...new Set(RULE_CASES.map((one) => one.code))];

  expect(codes.filter((code) => !Object.hasOwn(DIAGNOSTIC_CODES, code))).toEqual([]);
  expect(codes.filter((code) => !existsSync(new URL(`../../../docs/diagnostics/${code}.md`, import.meta.url)))).toEqual([]);
});
