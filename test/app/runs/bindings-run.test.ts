import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { StartRun } from '../../../src/app/runs/runs-app.js';
import { judge, topology } from '../../compile/rules/artifact-text.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';

const BOUND =
  'governance: { provider: mock, decision_skills: [{ id: look, trigger: post_output, config: { max_retries: 1 } }] }\n';
const WORKSPACE = `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n${BOUND}`;
const MODEL = 'model: { provider: mock, name: of-the-agent }';

let directory: string;
let app: SceneApp | null = null;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-bindings-'));
});
afterEach(async () => {
  await app?.close();
  app = null;
  await rm(directory, { recursive: true, force: true });
});

async function openApp(
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<SceneApp> {
  const all = {
    'workspace.yaml': WORKSPACE,
    'topologies/t.yaml': topology('t', MODEL),
    'skills/look.yaml': judge('look'),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  app = openSceneApp(directory, {
    env: { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: join(directory, '.config'), ...env },
  });
  return app;
}

const start = (): StartRun => ({
  workspace: directory,
  topology: 't',
  input: 'Say hello.',
  attachments: [],
  correlationId: null,
  labels: {},
  supersedes: null,
  timeoutMs: null,
  trust: [],
  submittedBy: { identity: 'tester', assurance: 'asserted' },
});

it.each([
  ['its own model', ', model: { provider: mock, name: own }', { KIT_JUDGE_MODEL: 'judge' }, 'own'],
  ['KIT_JUDGE_MODEL', '', { KIT_JUDGE_MODEL: 'judge' }, 'judge'],
  ['no model of its own, so that of each agent', '', {}, undefined],
])('a bound decision skill is asked of %s', async (_name, model, env, expected) => {
  const opened = await openApp(
    {
      'skills/look.yaml': judge('look').replace(
        '{ type: llm_prompt, prompt: Judge. }',
        `{ type: llm_prompt, prompt: Judge.${model} }`,
      ),
    },
    env,
  );

  const { snapshot } = await opened.runs.plan(start());

  expect(snapshot.models['skill:look']?.model).toBe(expected);
  expect(Object.keys(snapshot.skills)).toEqual(['look']);
  expect(snapshot.decisions).toMatchObject([{ skill: 'look', trigger: 'post_output', maxRetries: 1, required: true }]);
});

it('a required binding of a workspace file keeps an output from becoming the result of a run', async () => {
  const refusal = JSON.stringify({ verdict: 'fail', confidence: 1, reasoning: 'No.', flagged_items: [] });
  const implementation = `{ type: llm_prompt, prompt: Judge., model: { provider: mock, options: { script: [{ text: '${refusal}' }] } } }`;
  const opened = await openApp({
    'skills/look.yaml': judge('look').replace('{ type: llm_prompt, prompt: Judge. }', implementation),
  });

  const handle = await opened.runs.start(start());
  const job = await handle.done;

  expect(job).toMatchObject({ status: 'failed', reason: 'decision_failed', output: null });
});

it('a run without bindings is frozen without a word of them', async () => {
  const opened = await openApp({ 'workspace.yaml': WORKSPACE.replace(BOUND, '') });

  const { snapshot } = await opened.runs.plan(start());

  expect(Object.keys(snapshot)).not.toEqual(expect.arrayContaining(['decisions']));
  expect(Object.keys(snapshot)).not.toEqual(expect.arrayContaining(['planning']));
});
