import fc from 'fast-check';
import { expect, test } from 'vitest';
import { discover } from '../../../src/compile/discover/discover.js';
import { compileSources, errorsOf } from '../../support/compile.js';
import { topology } from '../rules/artifact-text.js';

const file = (path: string, text = '') => ({ path, text });
const found = (...paths: readonly string[]) =>
  discover([file('workspace.yaml'), ...paths.map((path) => file(path))]).files.map((entry) => entry.source.path);

test('reads YAML and JSON in a kind folder and one folder below it', () => {
  expect(found('skills/a.yaml', 'skills/b.yml', 'skills/c.json', 'skills/group/d.yaml')).toEqual([
    'workspace.yaml',
    'skills/a.yaml',
    'skills/b.yml',
    'skills/c.json',
    'skills/group/d.yaml',
  ]);
});

test('skips hidden names, other suffixes, other folders and the state directory', () => {
  expect(
    found('skills/.a.yaml', 'skills/.hidden/a.yaml', 'skills/readme.md', 'knowledge/a.yaml', '.kit/skills/a.yaml'),
  ).toEqual(['workspace.yaml']);
});

test('eval sets lie flat', () => {
  const { files, diagnostics } = discover([file('workspace.yaml'), file('evals/a.yaml'), file('evals/b/c.yaml')]);

  expect(files.map((entry) => entry.source.path)).toEqual(['workspace.yaml', 'evals/a.yaml']);
  expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual(['workspace.deep-nesting']);
});

test('data that lies deep is not an artifact, unless it says that it is one', () => {
  const deep = (text: string) =>
    discover([file('workspace.yaml'), file('skills/a/b/c.json', text)]).diagnostics.map(
      (diagnostic) => diagnostic.code,
    );

  expect(deep('{"rows": []}')).toEqual([]);
  expect(deep('{"apiVersion": "kit/v1"}')).toEqual(['workspace.deep-nesting']);
});

test('a JSON Schema beside the artifacts that name it is none of them', () => {
  const taken = (path: string, text: string) =>
    discover([file('workspace.yaml'), file(path, text)]).files.some(({ source }) => source.path === path);
  const dialect = 'https://json-schema.org/draft/2020-12/schema';

  expect(taken('skills/answer.json', JSON.stringify({ $schema: dialect, type: 'object' }))).toBe(false);
  expect(taken('topologies/answer.schema.yaml', `# of an answer\n$schema: "${dialect}"\ntype: object\n`)).toBe(false);
  // One that says that it is an artifact is, and so is one whose schema lies inside it.
  expect(taken('skills/a.json', JSON.stringify({ $schema: dialect, apiVersion: 'kit/v1' }))).toBe(true);
  expect(taken('skills/a.yaml', `$schema: ${dialect}\napiVersion: kit/v1\n`)).toBe(true);
  expect(taken('skills/b.yaml', `kind: Skill\noutput_schema:\n  $schema: ${dialect}\n`)).toBe(true);
  expect(taken('skills/b.json', JSON.stringify({ output_schema: { $schema: dialect } }))).toBe(true);
  expect(taken('skills/c.json', `{ "$schema": "${dialect}"`)).toBe(true);
  expect(taken('skills/d.json', JSON.stringify({ $schema: 'urn:kit:schema:skill' }))).toBe(true);
});

test('a directory without a workspace file says so', () => {
  expect(discover([file('skills/a.yaml')]).diagnostics.map((diagnostic) => diagnostic.code)).toEqual([
    'workspace.missing-workspace-yaml',
  ]);
});

test('triggers come before schedules, both hold triggers', () => {
  const { files } = discover([file('schedules/a.yaml'), file('triggers/b.yaml'), file('workspace.yaml')]);

  expect(files.map((entry) => `${entry.kind} ${entry.source.path}`)).toEqual([
    'Workspace workspace.yaml',
    'Trigger triggers/b.yaml',
    'Trigger schedules/a.yaml',
  ]);
});

test('the order of a listing does not matter', () => {
  const paths = [
    'workspace.yaml',
    'topologies/b.yaml',
    'topologies/a/c.yaml',
    'skills/z.json',
    'skills/y/z.yaml',
    'roles/r.yml',
    'skills/a/b/deep.yaml',
    'evals/e.yaml',
  ];
  const expected = JSON.stringify(discover(paths.map((path) => file(path))));

  fc.assert(
    fc.property(fc.shuffledSubarray(paths, { minLength: paths.length }), (shuffled) => {
      expect(JSON.stringify(discover(shuffled.map((path) => file(path))))).toBe(expected);
    }),
  );
});

test('all problems of discovery come at once, and none of the phases behind it', async () => {
  const result = await compileSources({
    'skills/a.yaml': ': :',
    'skills/b.yaml': '',
    'skills/c.yaml': 'kind: Topology\n',
    'skills/a/b/d.yaml': 'x: 1\n',
    'topologies/t.yaml': topology('t', 'archetype: none'),
  });

  expect(errorsOf(result).map((error) => error.replace(/ .*/, ''))).toEqual([
    'workspace.deep-nesting',
    'workspace.yaml-parse',
    'workspace.malformed',
    'workspace.kind-mismatch',
  ]);
});

test('a workspace may be written in JSON throughout', async () => {
  const { workspace } = await compileSources({
    'workspace.json': JSON.stringify({ apiVersion: 'kit/v1', kind: 'Workspace', metadata: { id: 'j', name: 'J' } }),
    'topologies/t.json': JSON.stringify({
      apiVersion: 'kit/v1',
      kind: 'Topology',
      metadata: { name: 't', version: '1.0.0' },
      agents: { root: { id: 'root', role: 'root' } },
    }),
  });

  expect([...(workspace?.topologies.keys() ?? [])]).toEqual(['t@1.0.0']);
});
