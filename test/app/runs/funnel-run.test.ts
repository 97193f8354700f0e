import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StartRun } from '../../../src/app/runs/runs-app.js';
import { archetype, funnel, judge, ONE_RULE, roles, topology } from '../../compile/rules/artifact-text.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';

const RULE = ONE_RULE('{ scope: release:sign, roles: [lead], quorum: all }', 'exclude_author: true');
const PEOPLE = `${roles('[{ id: lead, members: [alice, bob], scopes: ["release:sign"] }]')}identities: [{ id: alice, aliases: [asmith] }]\n`;

/** Passes what says that it was done before, which the mock author repeats from its second task. */
const SCRIPT =
  'const pass = process.argv[1].includes("Revise your earlier answer"); console.log(JSON.stringify({ verdict: pass ? "pass" : "fail", confidence: 1, reasoning: "Say it again." }))';

const workspace = (more = ''): string => `apiVersion: kit/v1
kind: Workspace
metadata: { id: w, name: W }
memory: { enabled: false }
command_packs:
  - id: checks
    commands: [{ id: look, argv: [node, -e, '${SCRIPT}', '{content}'], effects: read, output: { parse: json } }]
${more}`;

const decision = (id: string): string => `apiVersion: kit/v1
kind: Skill
metadata: { id: ${id}, name: ${id}, description: Decides by a command. }
category: decision
inputs: { type: object, required: [content], properties: { content: { type: string } } }
outputs: { type: object, properties: { reasoning: { type: string } } }
implementation: { type: command, pack: checks, command: look }
provenance: { authored_by: human, version: 1.0.0 }
`;

const WRITER = 'funnel: gate, model: { provider: mock }';

const FILES: Readonly<Record<string, string>> = {
  'workspace.yaml': workspace(),
  'topologies/t.yaml': topology('t', WRITER),
  'roles/people.yaml': PEOPLE,
  'skills/look.yaml': decision('look'),
  'funnels/gate.yaml': funnel('gate', `judge: { skill: look, rubric: rubrics/r.md }\n${RULE}`),
  'rubrics/r.md': 'Be plain.\n',
};

let directory: string;
const apps: SceneApp[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-funnel-'));
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  await rm(directory, { recursive: true, force: true });
});

async function openApp(
  files: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<SceneApp> {
  for (const [path, text] of Object.entries({ ...FILES, ...files })) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const app = openSceneApp(directory, {
    env: { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: join(directory, '.config'), ...env },
  });
  apps.push(app);
  return app;
}

const start = (identity = 'tester', over: Partial<StartRun> = {}): StartRun => ({
  workspace: directory,
  topology: 't',
  input: 'Say hello.',
  attachments: [],
  correlationId: null,
  labels: {},
  supersedes: null,
  submittedBy: { identity, assurance: 'asserted' },
  timeoutMs: null,
  trust: [],
  ...over,
});

describe('a funnel from YAML', () => {
  it('sends the first draft back with its critique and parks the run with the second', async () => {
    const app = await openApp();
    const handle = await app.runs.start(start());

    const job = await handle.done;

    expect(job).toMatchObject({ status: 'deferred', waitingOn: [`${job.id}:root`], reason: null });
    const events = await (await app.stores()).events.readRun(job.id, 0, 1000);
    const reported = events.flatMap((event) =>
      event.type === 'funnel.layer_evaluated'
        ? [`${event.payload.layer} d${event.payload.draft} ${event.payload.passed}`]
        : [],
    );
    expect(reported).toEqual(['judge d0 false', 'judge d1 true']);
    const state = await (await app.stores()).reviews.state(job.id);
    expect(state?.gates).toMatchObject([
      { status: 'pending', evidence: { retries: 1, escalated: false, judge: { skill: 'look', verdict: 'pass' } } },
    ]);
    const bytes = await (await app.stores()).artifacts.read(state?.gates[0]?.sha256 ?? '');
    expect(new TextDecoder().decode(bytes ?? undefined)).toContain('Revise your earlier answer');
  });

  it('reaches the snapshot with its files and its reviewer, and with nothing that no agent names', async () => {
    const app = await openApp({
      'funnels/gate.yaml': funnel(
        'gate',
        `judge: { skill: ask, rubric: rubrics/r.md }\nreview: { archetype: critic }\n${RULE}`,
      ),
      'funnels/other.yaml': funnel('other', RULE),
      'skills/ask.yaml': judge('ask'),
      'archetypes/critic.yaml': archetype('critic', '{}', 'executor: { kind: harness, ref: claude-code }\n'),
      'workspace.yaml': workspace('gates: { auto_resume: false }\n'),
    });

    const plan = await app.runs.plan(start());

    expect(Object.keys(plan.snapshot.funnels ?? {})).toEqual(['gate']);
    expect(plan.snapshot.funnels?.gate).toMatchObject({
      judge: { rubric: 'Be plain.\n' },
      review: { reviewer: { id: 'critic@gate' } },
    });
    expect(plan.snapshot.autoResume).toBe(false);
    expect(Object.keys(plan.snapshot.skills)).toEqual(['ask']);
    expect(Object.keys(plan.snapshot.adapters)).toEqual(['claude-code']);
    expect(plan.job).toMatchObject({ jobClass: 'harness', needs: { adapters: { 'claude-code': expect.any(String) } } });
    // The judge runs on the model of the workspace; a harness has none of kit's.
    expect(Object.keys(plan.snapshot.models).sort()).toEqual(['root', 'skill:ask']);
  });

  it.each([
    [
      'its own model',
      '{ type: llm_prompt, prompt: Judge., model: { provider: mock, name: own } }',
      { KIT_JUDGE_MODEL: 'of-the-environment' },
      'own',
    ],
    [
      'KIT_JUDGE_MODEL',
      '{ type: llm_prompt, prompt: Judge. }',
      { KIT_JUDGE_MODEL: 'of-the-environment' },
      'of-the-environment',
    ],
    [
      'KIT_JUDGE_MODEL before KIT_MODEL',
      '{ type: llm_prompt, prompt: Judge. }',
      { KIT_JUDGE_MODEL: 'judge', KIT_MODEL: 'all' },
      'judge',
    ],
    ['the model of the agents', '{ type: llm_prompt, prompt: Judge. }', {}, 'of-the-agent'],
  ])('judges with %s', async (_name, implementation, env, model) => {
    const app = await openApp(
      {
        'topologies/t.yaml': topology('t', 'funnel: gate, model: { provider: mock, name: of-the-agent }'),
        'skills/look.yaml': judge('look').replace('{ type: llm_prompt, prompt: Judge. }', implementation),
      },
      env,
    );

    expect((await app.runs.plan(start())).snapshot.models['skill:look']).toMatchObject({ provider: 'mock', model });
  });

  it('of a reviewer that calls a model: the snapshot says which, apart from an agent of that name', async () => {
    const app = await openApp({
      'topologies/t.yaml': topology(
        't',
        'funnel: gate, model: { provider: mock, name: small }, children: [{ id: critic, role: worker, model: { provider: mock, name: small } }]',
      ),
      'funnels/gate.yaml': funnel('gate', `review: { archetype: critic }\n${RULE}`),
      'archetypes/critic.yaml': archetype('critic', '{ model: { provider: mock, name: big } }'),
    });

    const { models } = (await app.runs.plan(start())).snapshot;

    expect(models).toMatchObject({ critic: { model: 'small' }, 'critic@gate': { model: 'big' } });
  });

  it('names a judge that no model can answer, with what to set', async () => {
    const app = await openApp({
      'topologies/t.yaml': topology('t', 'funnel: gate, archetype: coder'),
      'archetypes/coder.yaml': archetype('coder', '{}', 'executor: { kind: harness, ref: claude-code }\n'),
      'skills/look.yaml': judge('look'),
    });

    await expect(app.runs.plan(start())).rejects.toMatchObject({
      code: 'KIT_PROVIDER_UNKNOWN',
      hint: expect.stringContaining('KIT_JUDGE_MODEL'),
    });
  });
});

describe('the author of a gated run', () => {
  it.each(['tester', 'anonymous', ''])(
    '%j is told not to be identified, and the run begins all the same',
    async (identity) => {
      const app = await openApp();
      const handle = await app.runs.start(start(identity));
      await handle.done;

      expect(handle.author).toMatchObject({
        message: expect.stringContaining('author not identified'),
        hint: expect.stringContaining(identity === 'tester' ? 'Add tester to a role' : '--as <identity>'),
        funnels: ['gate'],
      });
    },
  );

  it.each(['alice', 'asmith', 'bob'])('%s stands in the registry', async (identity) => {
    const app = await openApp();

    expect((await app.runs.plan(start(identity))).author).toBeNull();
  });

  it('is not asked for where no gate excludes it', async () => {
    const app = await openApp({
      'funnels/gate.yaml': funnel('gate', RULE.replace('exclude_author: true', 'exclude_author: false')),
    });

    expect((await app.runs.plan(start())).author).toBeNull();
  });

  it('is refused where the workspace asks for one, and nothing is written', async () => {
    const app = await openApp({
      'workspace.yaml': workspace('governance: { provider: mock, require_identified_author: true }\n'),
    });

    await expect(app.runs.start(start())).rejects.toMatchObject({
      code: 'KIT_AUTHOR_UNIDENTIFIED',
      exitCode: 2,
      // Who they are was said already.
      hint: expect.stringMatching(/^Add \S+ to a role/),
    });
    expect(existsSync(join(directory, '.kit'))).toBe(false);
    expect((await app.runs.plan(start('alice'))).author).toBeNull();
  });
});
