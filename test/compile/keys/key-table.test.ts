import { expect, test } from 'vitest';
import { SCHEMA_KEYS as keys, LABEL_KEYS } from '../../../src/compile/generated/keys.js';

test('the table lists keys of every kind, each once', () => {
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThan(500);
  expect([...new Set(keys.map((key) => key.split('.')[0]))]).toEqual([
    'Archetype',
    'Contract',
    'EvalSet',
    'ExecutorAdapter',
    'Funnel',
    'ModelProvider',
    'RoleRegistry',
    'Skill',
    'Topology',
    'Trigger',
    'Workspace',
  ]);
});

test('an agent below an agent has the keys of an agent', () => {
  expect(keys).toContain('Topology.agents.*.children');
  expect(keys.filter((key) => /children\.|agents\.root/.test(key))).toEqual([]);
});

test('a key behind a reference, in a list and in a map is listed', () => {
  expect(keys).toEqual(
    expect.arrayContaining([
      'Workspace.command_packs.*.commands.*.argv',
      'Workspace.server.auth.config.keys.*.key_ref',
      'Topology.agents.*.iam.base_scope',
    ]),
  );
});

test('every label is a key of a schema', () => {
  const known = new Set(keys);

  expect([...LABEL_KEYS].filter((key) => !known.has(key))).toEqual([]);
});
