import { describe, expect, it } from 'vitest';
import { permissionProblems } from '../../src/compile/rules/harness-permissions.js';
import { compileSources, WORKSPACE } from '../support/compile.js';

const archetype = (config: string, ref = 'claude-code') => `apiVersion: kit/v1
kind: Archetype
metadata: { id: coder, name: Coder, description: Runs a harness for a test. }
role: worker
defaults: {}
executor: { kind: harness, ref: ${ref}, config: ${config} }
provenance: { authored_by: human, version: 1.0.0 }
`;
const topology = `apiVersion: kit/v1
kind: Topology
metadata: { name: t, version: 1.0.0 }
agents:
  root: { id: root, role: root, archetype: coder }
`;

async function compiled(config: string, ref?: string) {
  return compileSources({
    'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\n`,
    'archetypes/coder.yaml': archetype(config, ref),
    'topologies/t.yaml': topology,
  });
}
const problemsOf = async (config: string, ref?: string) =>
  (await compiled(config, ref)).diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}: ${message}`);

describe('permissions of a harness', () => {
  it('are taken where the adapter asks kit', async () => {
    expect(await problemsOf('{ permissions: [{ kind: execute, match: npm test, then: allow }] }')).toEqual([]);
  });

  it.each([
    ['gemini-cli', '{ permissions: [] }', 'has no effect'],
    ['claude-code', '{ permissions: [], allowed_tools: Bash }', '`allowed_tools` stands beside `permissions`'],
    ['claude-code', '{ permissions: [], permission_mode: plan }', '`permission_mode` stands beside `permissions`'],
    ['claude-code', '{ permissions: [{ kind: network, then: deny }] }', '`network: deny` does not hold'],
    ['claude-code', '{ permissions: [{ kind: mcp, match: notes, then: deny }] }', 'names no tool of a server'],
    [
      'claude-code',
      '{ permissions: [{ kind: execute, match: npm test, then: allow }, { kind: execute, then: ask }] }',
      'the entry `allow execute` never answers: `ask execute` is about each of its calls',
    ],
    [
      'claude-code',
      '{ permissions: [{ kind: edit, match: "docs/**", then: deny }, { kind: edit, match: "docs/**", then: ask }] }',
      'the entry `ask edit` never answers: `deny edit docs/**`',
    ],
    ['opencode-acp', '{ permissions: [{ kind: mcp, then: deny }] }', 'an entry of kind `mcp` has no effect'],
    ['gemini-acp', '{ permissions: [{ kind: execute, then: ask }] }', '`permissions` has no effect'],
  ])('of %s are refused: %s', async (ref, config, message) => {
    expect(await problemsOf(config, ref)).toEqual([expect.stringContaining(`archetype.permissions: ${''}`)]);
    expect((await problemsOf(config, ref))[0]).toContain(message);
  });

  it('that are misspelt are refused by their schema', async () => {
    const [problem] = await problemsOf('{ permissions: [{ kind: shell, then: allow }] }');
    expect(problem).toContain('archetype.executor-invalid');
  });

  it('may deny the network where no command may be run, and are refused in a container', () => {
    const deny = (kind: string) =>
      Object.fromEntries([
        ['kind', kind],
        ['then', 'deny'],
      ]);
    const permissions = [deny('network'), deny('execute')];
    const kinds = ['network', 'execute'];
    expect(permissionProblems({ permissions }, { hasGate: true, isOffline: false, kinds })).toEqual([]);
    expect(permissionProblems({ permissions }, { hasGate: true, isOffline: true, kinds })).toEqual([]);
  });

  it.each([
    ['{}', 'ask'],
    ['{ permissions: [] }', 'ask'],
    ['{ allowed_tools: Bash }', 'repeat'],
  ])('%s: a session that a crash cut off is in doubt as `%s`', async (config, onInDoubt) => {
    const { workspace } = await compiled(config);
    expect([...(workspace?.topologies.values() ?? [])][0]?.root.executor).toMatchObject({ kind: 'harness', onInDoubt });
  });
});
