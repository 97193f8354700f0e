import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EMBEDDING_MODEL } from '../../../src/domain/snapshot.js';
import { topology } from '../../compile/rules/artifact-text.js';
import { openSceneApp } from '../../support/scene/scene-app.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-embedding-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Runs a workspace with this memory block; the snapshot that was frozen, or the refusal. */
async function frozen(memory: string, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const files = {
    'workspace.yaml': `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: ${memory}\n`,
    'topologies/t.yaml': topology('t', 'model: { provider: mock }'),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const app = openSceneApp(directory, {
    env: { HOME: directory, XDG_CONFIG_HOME: join(directory, '.config'), ...env },
  });
  try {
    const submittedBy = { identity: 'tester', assurance: 'asserted' } as const;
    const start = {
      workspace: directory,
      topology: 't',
      input: 'hi',
      attachments: [],
      correlationId: null,
      labels: {},
      supersedes: null,
    };
    const job = await (await app.runs.start({ ...start, submittedBy, timeoutMs: null, trust: [] })).done;
    const bytes = await (await app.stores()).blobs.get(job.snapshot);
    return JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));
  } finally {
    await app.close();
  }
}

const by = (provider: string): string => `{ reader: { embedding: { provider: ${provider}, model: e1 } } }`;

it('who makes embeddings is frozen with the run, and no variable for the models of agents replaces it', async () => {
  expect(await frozen(by('mock'), { KIT_MODEL: 'other' })).toMatchObject({
    models: { [EMBEDDING_MODEL]: { provider: 'mock', model: 'e1' } },
    memory: { embedding: { provider: 'mock', model: 'e1' } },
  });
});

it('without the key, and where memory is off, nobody makes embeddings', async () => {
  for (const memory of ['{}', '{ enabled: false, reader: { embedding: { provider: nobody, model: e1 } } }'])
    expect(JSON.stringify(await frozen(memory))).not.toContain(EMBEDDING_MODEL);
});

it('a provider that nobody knows, or whose key is not set, refuses the run', async () => {
  await expect(frozen(by('nobody'))).rejects.toMatchObject({ code: 'KIT_PROVIDER_UNKNOWN' });
  await expect(frozen(by('openai'))).rejects.toMatchObject({ code: 'KIT_PROVIDER_KEY_MISSING' });
});
