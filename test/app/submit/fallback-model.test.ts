import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunSnapshot } from '../../../src/domain/snapshot.js';
import { topology } from '../../compile/rules/artifact-text.js';
import { openSceneApp } from '../../support/scene/scene-app.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-fallback-'));
  await mkdir(join(directory, 'topologies'));
  const workspace = 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n';
  await writeFile(join(directory, 'workspace.yaml'), workspace);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Who answers the agent in a run with this fallback, as it was frozen, or the refusal. */
async function frozen(fallback: string, env: Readonly<Record<string, string>> = {}): Promise<RunSnapshot> {
  const agent = topology('t', `model: { provider: mock, name: mock, fallback: [${fallback}] }`);
  await writeFile(join(directory, 'topologies/t.yaml'), agent);
  const app = openSceneApp(directory, { env: { HOME: directory, XDG_CONFIG_HOME: directory, ...env } });
  try {
    const submittedBy = { identity: 'tester', assurance: 'asserted' } as const;
    const asked = { workspace: directory, topology: 't', input: 'hi', attachments: [], correlationId: null };
    const rest = { labels: {}, supersedes: null, submittedBy, timeoutMs: null, trust: [] };
    const job = await (await app.runs.start({ ...asked, ...rest })).done;
    const bytes = await (await app.stores()).blobs.get(job.snapshot);
    return JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())) as RunSnapshot;
  } finally {
    await app.close();
  }
}

const RULES = '{ provider: rules, name: r }';

it('who is asked in place of a model is frozen with the run, and how it is reached', async () => {
  expect(await frozen(RULES)).toMatchObject({
    models: { root: { provider: 'mock', fallback: [{ provider: 'rules', model: 'r', options: {} }] } },
    providers: { rules: { id: 'rules' } },
  });
});

it.each([{ KIT_PROVIDER: 'mock' }, { KIT_MODEL: 'other' }])('%j asks for one model and no other', async (env) => {
  const { models, providers } = await frozen(RULES, env);
  expect(JSON.stringify(models)).not.toContain('fallback');
  expect(Object.keys(providers)).toEqual(['mock']);
});

it('KIT_MODEL alone is no name of what is no language model', async () => {
  const { models } = await frozen(RULES, { KIT_MODEL: 'claude-haiku-4-5' });
  expect(models.root).toMatchObject({ provider: 'mock', model: 'mock', toolModel: 'mock' });
});

it('KIT_PROVIDER alone is not asked for the model that the mock is called', async () => {
  await expect(frozen(RULES, { KIT_PROVIDER: 'ollama' })).rejects.toMatchObject({
    code: 'KIT_PROVIDER_UNKNOWN',
    message: 'root names the provider ollama, but no model',
    hint: 'Write model.name, or set KIT_MODEL.',
  });
});

it('a fallback without its key refuses the run, as the model itself would', async () => {
  await expect(frozen('{ provider: openai, name: gpt-5-mini }')).rejects.toMatchObject({
    code: 'KIT_PROVIDER_KEY_MISSING',
  });
});
