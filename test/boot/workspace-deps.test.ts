import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archetype, topology } from '../compile/rules/artifact-text.js';
import { WORKSPACE } from '../support/compile.js';
import { openSceneApp } from '../support/scene/scene-app.js';

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-deps-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function errorsWith(config: string): Promise<readonly string[]> {
  const sources = {
    'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\n`,
    'archetypes/w.yaml': archetype('w', '{}', `executor: { kind: harness, ref: claude-code, config: ${config} }\n`),
    'topologies/t.yaml': topology('t', 'archetype: w'),
  };
  for (const folder of ['archetypes', 'topologies']) await mkdir(join(directory, folder), { recursive: true });
  for (const [path, text] of Object.entries(sources)) await writeFile(join(directory, path), text);
  const app = openSceneApp(directory, { env: {} });
  try {
    const { diagnostics } = await app.validate();
    return diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ code, path, pointer }) => `${code} ${path}#${pointer}`);
  } finally {
    await app.close();
  }
}

test('validation judges executor.config by the schema that the installed executor brings', async () => {
  expect(await errorsWith('{ link: node_modules }')).toEqual([
    'archetype.executor-invalid archetypes/w.yaml#/executor/config/link',
  ]);
  expect(await errorsWith('{ link: [node_modules] }')).toEqual([]);
});
