import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KitResult } from '../../support/kit-process.js';
import { type LeaderServer, startLeaderServer } from '../leader-server.js';
import { localProvider, noteSkill, talk } from '../workspaces.js';
import { lastOf, makeWorld, type World } from '../world.js';

const TOKEN = 'planted-token-4f1b9c/+';
const FORMS = [TOKEN, Buffer.from(TOKEN).toString('base64'), encodeURIComponent(TOKEN)];

interface Prompt {
  readonly job_id: string;
  readonly step_key: string;
  readonly agent_id: string;
  readonly prompt: { readonly messages: readonly unknown[]; readonly tools: readonly string[] };
  readonly answer: unknown;
}

let world: World;
let server: LeaderServer;
/** A workspace with one run: boss notes a text with a secret, then asks helper, then answers. */
let dir: string;
let run: string;

const kit = (argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<KitResult> =>
  world.kit(argv, { cwd: dir, env: { MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test', PLANTED: TOKEN, ...env } });

beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startLeaderServer()]);
  const skill = noteSkill(
    `[sh, -c, 'echo "noted: $TOKEN $(printf %s "$TOKEN" | base64)"', note, '{text}']`,
    "    credentials_ref: token\n    env: { TOKEN: '{credential.token}' }\n",
  );
  dir = world.files(
    'ran',
    talk({
      provider: 'local',
      workspace: `credentials:\n  token: { source: env, config: { env: PLANTED } }\n${skill.workspace}`,
      root: '    skills: [note]\n',
      files: { 'providers/local.yaml': localProvider, ...skill.files },
    }),
  );
  const call = (name: string, args: Readonly<Record<string, unknown>>) =>
    ({ do: 'answer', calls: [{ name, arguments: args }] }) as const;
  const delegate = call('delegate_to_helper', { task: 'help' });
  server.script(
    call('note', { text: 'x' }),
    delegate,
    { do: 'answer', text: 'helped' },
    { do: 'answer', text: 'all done' },
  );
  run = String(lastOf(await kit(['run', 'talk', '--input', 'say hi', '--json'])).id);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

/** Every row of a run, as text. */
function rowsOf(id: string): Readonly<Record<string, readonly string[]>> {
  const db = new Database(join(dir, '.kit/store.sqlite'), { readonly: true });
  try {
    const of = (table: string, column: string) =>
      db
        .prepare(`SELECT * FROM ${table} WHERE ${column} = ?`)
        .all(id)
        .map((row) => JSON.stringify(row));
    const [ord] = db.prepare('SELECT ord FROM jobs WHERE id = ?').pluck().all(id);
    const run = (table: string) =>
      db
        .prepare(`SELECT * FROM ${table} WHERE run = ?`)
        .all(ord)
        .map((row) => JSON.stringify(row));
    return { jobs: of('jobs', 'id'), steps: run('steps'), events: run('events'), prompts: of('prompts', 'job_id') };
  } finally {
    db.close();
  }
}

describe('kit debug', { timeout: 120_000 }, () => {
  it('shows the newest calls of models without a run, as many as asked for, and of one agent', async () => {
    const text = await kit(['debug']);
    const json = lastOf(await kit(['debug', '--last', '2', '--json'])) as { kept: number; prompts: readonly Prompt[] };
    const ofHelper = lastOf(await kit(['debug', '--agent', 'helper', '--json'])) as { prompts: readonly Prompt[] };
    const unknown = await kit(['debug', '--agent', 'helpr', '--json']);

    expect(text).toMatchObject({ code: 0 });
    expect(text.stdout).toContain('4 calls of models kept (KIT_DEBUG_PROMPTS)');
    expect(text.stdout).toContain(`run ${run}`);
    expect(json.kept).toBe(4);
    expect(json.prompts.map(({ agent_id }) => agent_id)).toEqual(['boss', 'helper']);
    expect(ofHelper.prompts.map(({ agent_id }) => agent_id)).toEqual(['helper']);
    expect([unknown.code, lastOf(unknown).code, String(lastOf(unknown).hint)]).toEqual([
      2,
      'KIT_FILTER_UNKNOWN',
      expect.stringContaining('helper'),
    ]);
  });

  it('shows each step of a run with what its model was asked and answered, and no secret', async () => {
    const json = lastOf(await kit(['debug', run, '--json'])) as {
      steps: readonly { key: string; kind: string; agent_id: string }[];
      prompts: readonly Prompt[];
    };
    const text = await kit(['debug', run, '--full']);

    const models = json.steps.filter(({ kind }) => kind === 'model').map(({ key }) => key);
    expect(models).toHaveLength(4);
    expect(json.prompts.map(({ step_key }) => step_key).toSorted()).toEqual(models.toSorted());
    expect(json.prompts[0]).toMatchObject({
      job_id: run,
      agent_id: 'boss',
      provider: 'local',
      model: 'm1',
      tries: 1,
      prompt: { tools: expect.arrayContaining(['note', 'delegate_to_helper']) },
      answer: { parts: [{ type: 'tool_call', name: 'note' }] },
    });
    expect(JSON.stringify(json.prompts[0]?.prompt.messages)).toContain('say hi');
    expect(JSON.stringify(json.prompts[1]?.prompt.messages)).toContain('noted: [MASKED]');
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('asked: ');
    for (const form of FORMS)
      for (const said of [JSON.stringify(json), text.stdout, JSON.stringify(rowsOf(run))])
        expect(said).not.toContain(form);
  });

  it('names what there is for a step that there is not', async () => {
    const near = await kit(['debug', run, '--step', 'root/t9', '--json']);
    const without = await kit(['debug', '--step', 'root']);

    expect([near.code, lastOf(near).code, String(lastOf(near).hint)]).toEqual([
      2,
      'KIT_STEP_UNKNOWN',
      expect.stringMatching(/Near it are root, root\/.*`kit debug/),
    ]);
    expect(without.code).toBe(2);
    expect(without.stderr).toContain('kit debug <run> --step <step>');
  });

  it('keeps no call where KIT_DEBUG_PROMPTS is 0, only the newest of a smaller number, and makes no store by looking', async () => {
    const fresh = world.files('fresh', talk());
    const none = await world.kit(['debug', fresh, '--json']);
    expect([none.code, lastOf(none)]).toEqual([0, { type: 'result', kept: 0, prompts: [] }]);
    expect(existsSync(join(fresh, '.kit'))).toBe(false);

    await world.kit(['run', fresh, 'talk', '--input', 'hi'], { env: { KIT_DEBUG_PROMPTS: '0' } });
    expect(lastOf(await world.kit(['debug', fresh, '--json']))).toMatchObject({ kept: 0 });

    for (const _ of [1, 2, 3])
      await world.kit(['run', fresh, 'talk', '--input', 'hi'], { env: { KIT_DEBUG_PROMPTS: '2' } });
    expect(lastOf(await world.kit(['debug', fresh, '--json']))).toMatchObject({ kept: 2 });
  });
});

describe('kit debug fork', { timeout: 120_000 }, () => {
  it('runs the tail anew from a step that kit debug prints, asks for nothing before it, and leaves the source byte for byte', async () => {
    const { steps } = lastOf(await kit(['debug', run, '--json'])) as {
      steps: readonly { key: string; kind: string; agent_id: string }[];
    };
    const last = steps.filter(({ kind, agent_id }) => kind === 'model' && agent_id === 'boss').at(-1)?.key ?? '';
    const before = rowsOf(run);
    const asked = server.requests.length;
    server.script({ do: 'answer', text: 'done otherwise' });

    const forked = await kit(['debug', 'fork', run, '--from', last, '--json']);

    const job = lastOf(forked);
    expect(forked.code).toBe(0);
    expect(job).toMatchObject({
      status: 'completed',
      output: 'done otherwise',
      labels: { forked_from: run, forked_at: last },
    });
    expect(server.requests.length - asked).toBe(1);
    expect(rowsOf(run)).toEqual(before);
    expect(before.steps?.length).toBeGreaterThan(4);
    const { prompts } = lastOf(await kit(['debug', String(job.id), '--json'])) as { prompts: readonly Prompt[] };
    expect(prompts.map(({ step_key }) => step_key)).toEqual([last]);
    const kept = JSON.stringify(rowsOf(String(job.id)));
    for (const form of FORMS) for (const said of [forked.stdout, forked.stderr, kept]) expect(said).not.toContain(form);
  });

  it('is refused for a step that there is not, with those that are near, and for a run that there is not', async () => {
    const step = await kit(['debug', 'fork', run, '--from', 'root/t99', '--json']);
    const other = await kit(['debug', 'fork', '000000000000', '--from', 'root', '--json']);
    const nobody = await kit(['debug', 'fork', run, '--from', 'root', '--as', ' ', '--json']);

    expect([step.code, lastOf(step).code, String(lastOf(step).hint)]).toEqual([
      2,
      'KIT_STEP_UNKNOWN',
      expect.stringMatching(/Near it are root, root\/.*`kit debug/),
    ]);
    expect([other.code, lastOf(other).code]).toEqual([2, 'KIT_JOB_UNKNOWN']);
    expect([nobody.code, lastOf(nobody).code]).toEqual([2, 'KIT_USAGE']);
  });
});
