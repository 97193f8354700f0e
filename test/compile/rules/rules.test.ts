import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DIAGNOSTIC_CODES } from '../../../src/compile/diagnostics/codes.js';
import { didYouMean } from '../../../src/compile/report.js';
import { compileSources } from '../../support/compile.js';
import { topology } from './artifact-text.js';
import { RULE_CASES } from './cases.js';

test.each(RULE_CASES)('$code is reported at $at', async ({ code, at, severity, sources, environment, also }) => {
  const { diagnostics, workspace } = await compileSources(sources, environment);

  const found = diagnostics.filter((diagnostic) => !(also ?? []).includes(diagnostic.code));
  expect(
    found.map((diagnostic) => `${diagnostic.severity} ${diagnostic.code} ${diagnostic.path}#${diagnostic.pointer}`),
  ).toEqual([`${severity ?? 'error'} ${code} ${at}`]);
  for (const { message } of found) expect(message).toMatch(/[^.]$/);
  expect(workspace === null).toBe(diagnostics.some((diagnostic) => diagnostic.severity === 'error'));
});

test('an unknown judge of an eval set is helped to the skills that judge, and to no other', async () => {
  const skill = (id: string, rest: string) =>
    `apiVersion: kit/v1\nkind: Skill\nmetadata: { id: ${id}, name: ${id}, description: One of two skills. }\n${rest}implementation: { type: llm_prompt, prompt: Look. }\nprovenance: { authored_by: human, version: 1.0.0 }\n`;
  const { diagnostics } = await compileSources({
    'workspace.yaml': 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n',
    'topologies/t.yaml': topology('t', 'model: { provider: mock }'),
    'skills/a.yaml': skill(
      'strict',
      'category: decision\noutputs: { type: object, properties: { reasoning: { type: string } } }\n',
    ),
    'skills/b.yaml': skill('notes', 'category: capability\n'),
    'evals/e.yaml':
      'apiVersion: kit/v1\nkind: EvalSet\nmetadata: { id: e }\ntarget: t\ncases: [{ id: a, input: x, expect: { judge: zzzzzzzz } }]\n',
  });

  expect(diagnostics.flatMap(({ code, help }) => (code === 'eval-set.unknown-judge' ? [help] : []))).toEqual([
    'known: strict',
  ]);
});

test('a word that is the first part of known dotted names means one of those', () => {
  expect(didYouMean('task', ['sandbox.root', 'task.statement', 'task.base_ref'])).toBe(
    'did you mean `task.base_ref` or `task.statement`?',
  );
  expect(didYouMean('task', ['sandbox.root', 'tasks.other'])).toBe('known: sandbox.root, tasks.other');
});

test('every code that a rule reports has a page and an entry in the registry', () => {
  const codes = [...new Set(RULE_CASES.map((one) => one.code))];

  expect(codes.filter((code) => !Object.hasOwn(DIAGNOSTIC_CODES, code))).toEqual([]);
  expect(codes.filter((code) => !existsSync(new URL(`../../../docs/diagnostics/${code}.md`, import.meta.url)))).toEqual(
    [],
  );
});
