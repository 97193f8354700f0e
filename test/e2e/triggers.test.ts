import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ServeProcess, startServe } from '../support/http/serve-process.js';
import { type KitHome, makeHome, runKitHere } from '../support/kit-process.js';
import { triggerFile } from '../support/triggers/trigger-world.js';
import { talk } from './workspaces.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

const SECRET = 'a-long-shared-secret';
const WAIT = { timeout: 60_000, interval: 100 };

const HOOK = triggerFile(
  'pr',
  'type: webhook\ntargets: [talk]\nconfig: { auth: { method: hmac, credentials_ref: HOOK_SECRET } }\n',
);
const WATCH = triggerFile('watch', 'type: file_watch\ntargets: [talk]\nconfig: { root: inbox, pattern: "*.txt" }\n');
const TICK = triggerFile('tick', "type: cron\ntargets: [talk]\nconfig: { expression: '* * * * * *', input: tick }\n");
const NOW = triggerFile('now', 'type: manual\ntargets: [talk]\n');
const OFF = triggerFile('off', 'type: manual\nenabled: false\ntargets: [talk]\n');

async function workspaceOf(triggers: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'kit-triggers-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const files = Object.entries(triggers).map(([id, text]) => [`triggers/${id}.yaml`, text] as const);
  for (const [path, text] of [...Object.entries(talk()), ...files, ['inbox/.keep', ''] as const]) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

async function serve(workspace: string, env: NodeJS.ProcessEnv = {}): Promise<ServeProcess> {
  const server = await startServe([workspace], { ...home.env, ...env });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  await vi.waitUntil(async () => (await fetch(`${server.url}/health`)).status === 200, WAIT);
  return server;
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly input?: string;
}

/** Runs of one trigger that have completed, with what they were asked. */
async function completedBy({ url }: ServeProcess, trigger: string): Promise<readonly Row[]> {
  const list = (await (await fetch(`${url}/jobs/history?source=trigger:${trigger}`)).json()) as readonly Row[];
  const done = list.filter(({ status }) => status === 'completed');
  return Promise.all(done.map(async ({ id }) => (await (await fetch(`${url}/jobs/${id}`)).json()) as Row));
}

const completed = (server: ServeProcess, trigger: string, count: number): Promise<readonly Row[]> =>
  vi.waitUntil(async () => {
    const rows = await completedBy(server, trigger);
    return rows.length >= count ? rows : false;
  }, WAIT) as Promise<readonly Row[]>;

describe('triggers of a server', () => {
  it('run what a signed delivery, a file and a clock ask for', async () => {
    const workspace = await workspaceOf({ pr: HOOK, watch: WATCH, tick: TICK, now: NOW });
    const server = await serve(workspace, { HOOK_SECRET: SECRET });
    const body = '{"input":"from a hook"}';
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    const answer = await fetch(`${server.url}/hooks/talk`, {
      method: 'POST',
      body,
      headers: { 'x-hub-signature-256': signature },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      source: 'trigger:pr',
      input: 'from a hook',
      submitted_by: { identity: 'trigger:pr', assurance: 'system' },
    });
    expect((await fetch(`${server.url}/hooks/talk`, { method: 'POST', body })).status).toBe(401);
    await writeFile(join(workspace, 'inbox/new.txt'), 'x');
    expect((await completed(server, 'pr', 1)).map(({ input }) => input)).toEqual(['from a hook']);
    expect((await completed(server, 'watch', 1)).map(({ input }) => JSON.parse(input ?? ''))).toEqual([
      { path: 'inbox/new.txt', event: 'create' },
    ]);
    expect((await completed(server, 'tick', 2))[0]?.input).toBe('tick');
    const fired = await fetch(`${server.url}/triggers/now/fire`, { method: 'POST' });
    expect(await fired.json()).toMatchObject({ trigger: 'now', targets: [{ target: 'talk', refused: null }] });
    await completed(server, 'now', 1);
    const audit = (await (await fetch(`${server.url}/audit?types=trigger.fired&limit=1000`)).json()) as readonly {
      payload: { trigger: string };
    }[];
    expect(new Set(audit.map(({ payload }) => payload.trigger))).toEqual(new Set(['pr', 'watch', 'tick', 'now']));
  });

  it('are those of the files after a reload, and fire no more once the server stops', async () => {
    const workspace = await workspaceOf({ now: NOW });
    const server = await serve(workspace);
    await writeFile(join(workspace, 'triggers/tick.yaml'), TICK);
    expect((await fetch(`${server.url}/reload`, { method: 'POST' })).status).toBe(200);
    await completed(server, 'tick', 1);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('start without the secret of a hook, and say which is missing', async () => {
    const server = await serve(await workspaceOf({ pr: HOOK }));
    expect((await fetch(`${server.url}/hooks/talk`, { method: 'POST', body: 'x' })).status).toBe(503);
    expect(server.stderr()).toContain('HOOK_SECRET');
    expect(await (await fetch(`${server.url}/triggers`)).json()).toMatchObject([
      { id: 'pr', active: false, reason: expect.stringContaining('HOOK_SECRET') },
    ]);
  });
});

describe('kit triggers', () => {
  const kit = (...argv: readonly string[]) => runKitHere(['triggers', ...argv], { env: home.env });

  it('lists triggers, as lines and as JSON', async () => {
    const workspace = await workspaceOf({ now: NOW, off: OFF, pr: HOOK });
    const listed = await kit('list', workspace);
    expect(listed.code).toBe(0);
    expect(listed.stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^now {2}manual {3}talk {2}active$/),
      expect.stringMatching(/^off {2}manual {3}talk {2}disabled$/),
      expect.stringMatching(/^pr {3}webhook {2}talk {2}inactive: .*HOOK_SECRET/),
    ]);
    expect((await kit('list', workspace, '--json')).lines().at(-1)).toMatchObject({
      type: 'result',
      triggers: [{ id: 'now', active: true }, { id: 'off' }, { id: 'pr' }],
    });
  });

  it('runs every target of a trigger here, as the person who fired it', async () => {
    const workspace = await workspaceOf({ now: NOW });
    const fired = await kit('fire', 'now', workspace, '--input', 'hello', '--as', 'ada', '--json');
    expect(fired.code).toBe(0);
    expect(fired.lines().at(-1)).toMatchObject({
      type: 'result',
      trigger: 'now',
      targets: [
        {
          target: 'talk',
          refused: null,
          job: { status: 'completed', input: 'hello', source: 'trigger:now', submitted_by: { identity: 'ada' } },
        },
      ],
    });
    const loose = await runKitHere(['logs', workspace, '--loose', '--type', 'trigger', '--json'], { env: home.env });
    expect(loose.lines()).toMatchObject([
      { type: 'event', event_type: 'trigger.fired', run_id: '', payload: { trigger: 'now', by: 'ada' } },
      { type: 'result', events: 1 },
    ]);
    const text = await runKitHere(['logs', workspace, '--loose'], { env: home.env });
    expect(text.stdout).toMatch(/^\d{4}-\d\d-\d\d .*trigger now/);
    // Of the runs nothing passes that filter, and where it is found is said.
    expect((await runKitHere(['logs', workspace, '--type', 'trigger.fired'], { env: home.env })).stderr).toContain(
      'kit logs --loose',
    );
  });

  it.each([
    ['an unknown one', ['fire', 'nov'], 'KIT_TRIGGER_UNKNOWN'],
    ['a disabled one', ['fire', 'off'], 'KIT_TRIGGER_DISABLED'],
    ['one that emits events alone', ['fire', 'ci'], 'KIT_NO_LISTENER'],
  ])('refuses %s with exit 2 and starts nothing', async (_what, argv, code) => {
    const ci = triggerFile('ci', 'type: manual\ntargets: [{ pipeline: oms, emit: ready }]\n');
    const workspace = await workspaceOf({ now: NOW, off: OFF, ci });
    const refused = await kit(...argv, workspace, '--json');
    expect([refused.code, refused.lines().at(-1)]).toMatchObject([2, { type: 'error', code }]);
  });
});
