import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { validateWorkspace } from '../../../src/app/validate-workspace.js';
import { adapter, archetype, EVENTS, topology } from '../../compile/rules/artifact-text.js';
import { deps, WORKSPACE } from '../../support/compile.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-programs-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const SAFE = 'config: { permission_mode: acceptEdits }';
const FILES = {
  'workspace.yaml': WORKSPACE,
  'archetypes/claude.yaml': archetype('claude', '{}', `executor: { kind: harness, ref: claude-code, ${SAFE} }\n`),
  'archetypes/own.yaml': archetype('own', '{}', 'executor: { kind: harness, ref: own }\n'),
  'archetypes/idle.yaml': archetype('idle', '{}', `executor: { kind: harness, ref: qwen, ${SAFE} }\n`),
  'adapters/own.yaml': adapter('own', EVENTS),
  'topologies/t.yaml': topology(
    't',
    'children: [{ id: a, role: worker, archetype: claude }, { id: b, role: worker, archetype: own }]',
  ),
};

async function found(PATH: string): Promise<readonly string[]> {
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const { workspace, diagnostics } = await validateWorkspace(directory, deps({ PATH }));
  expect(workspace).not.toBeNull();
  return diagnostics
    .filter(({ code }) => code === 'adapter.missing-program')
    .map(({ severity, path, pointer, help }) => `${severity} ${path} ${pointer}: ${help ?? ''}`);
}

test('programs of agents that are not on PATH are warned of, with the command that installs them', async () => {
  expect(await found(join(directory, 'nothing'))).toEqual([
    'warning archetypes/claude.yaml /executor/ref: install it: `npm install -g @anthropic-ai/claude-code`',
    'warning archetypes/own.yaml /executor/ref: install `tool`, and put it on PATH',
  ]);
});

test('programs that are there are not, and none without a PATH', async () => {
  const bin = join(directory, 'bin');
  await mkdir(bin);
  for (const name of ['claude', 'tool']) {
    await writeFile(join(bin, name), '#!/bin/sh\n');
    await chmod(join(bin, name), 0o755);
  }
  expect(await found(bin)).toEqual([]);
  expect(await found('')).toEqual([]);
});
