import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startServe } from '../support/http/serve-process.js';
import { linesOf } from '../support/kit-process.js';
import { opaBundle, opaModule } from '../support/opa-module.js';
import { type LeaderServer, startLeaderServer } from './leader-server.js';
import { ask, openFleet, until, WAIT } from './workers/fleet.js';
import { localProvider, talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let model: LeaderServer;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  [world, model] = await Promise.all([makeWorld(), startLeaderServer()]);
  env = { ...world.env, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' };
});
afterAll(async () => {
  await world.dispose();
  await model.close();
});

const governed = (language: string): string =>
  `governance: { provider: agt, policy_language: ${language}, config: { policies_dir: ./policies } }\n`;

/** The workspace in which boss asks helper, under policies. */
const files = (
  language: string,
  policies: Readonly<Record<string, string | Uint8Array>>,
): Record<string, string | Uint8Array> => ({
  ...talk({ provider: 'local', workspace: governed(language), files: { 'providers/local.yaml': localProvider } }),
  ...Object.fromEntries(Object.entries(policies).map(([name, text]) => [`policies/${name}`, text])),
});

const YAML = { open: 'name: all\ndefault_action: allow\nrules: []\n' };
const rule = (action: string): string =>
  `name: all\ndefault_action: allow\nrules:\n  - { name: helper, condition: "agent == 'helper'", action: ${action} }\n`;
const CEDAR = {
  open: 'permit(principal, action, resource);\n',
  closed: 'permit(principal, action, resource);\n\nforbid(principal == Agent::"helper", action, resource);\n',
};
const bundleOf = (holds: string): Uint8Array =>
  opaBundle({
    '/policy.wasm': opaModule({
      entrypoints: ['kit/authz/allow'],
      rules: [{ entrypoint: 0, of: 'input', holds, result: true }],
    }),
    '/data.json': '{}',
  });

/** What the log of a run says of governance. */
const deniedIn = (stdout: string) => linesOf(stdout).filter(({ event_type }) => event_type === 'policy.denied');

describe('kit validate', () => {
  it.each([
    { name: 'yaml', dir: files('yaml', { 'a.yaml': rule('deny') }) },
    { name: 'cedar', dir: files('cedar', { 'a.cedar': CEDAR.closed }) },
    { name: 'rego', dir: files('rego', { 'a.tar.gz': bundleOf('boss') }) },
  ])('has nothing against policies in $name that can be used', async ({ name, dir }) => {
    const result = await world.here(['validate', world.files(`good-${name}`, dir)], { env });

    expect([result.code, result.stdout]).toEqual([0, expect.not.stringContaining('policy.')]);
  });

  it.each([
    {
      name: 'YAML that does not parse',
      dir: files('yaml', { 'a.yaml': 'name: a\nrules:\n  - { action: deny, condition: "efects == \'read\'" }\n' }),
      code: 'policy.unparsable',
      at: 'policies/a.yaml:3:3',
      shows: 'condition: "efects == \'read\'"',
    },
    {
      name: 'Cedar that does not parse',
      dir: files('cedar', {
        'a.cedar': 'permit(principal, action, resource);\n\npermit(principal, action resource);\n',
      }),
      code: 'policy.unparsable',
      at: 'policies/a.cedar:3:1',
      shows: 'permit(principal, action resource);',
    },
    {
      name: 'Cedar that names an unknown entity',
      dir: files('cedar', {
        'a.cedar': 'permit(principal, action, resource);\nforbid(principal == Agent::"hepler", action, resource);\n',
      }),
      code: 'policy.unknown-entity',
      at: 'policies/a.cedar:2:1',
      shows: 'Agent::"hepler"',
    },
    {
      name: 'Rego as source text',
      dir: files('rego', { 'authz.rego': 'package kit.authz\nallow := true\n' }),
      code: 'policy.not-compiled',
      at: 'policies/authz.rego',
      shows: 'opa build -t wasm -e kit/authz/allow -o policies/authz.tar.gz policies/authz.rego',
    },
    {
      name: 'no policy at all',
      dir: files('cedar', { 'a.yaml': YAML.open }),
      code: 'policy.missing',
      at: './policies',
      shows: 'no cedar policy',
    },
    {
      name: 'bytes that are not text',
      dir: files('cedar', { 'a.cedar': new Uint8Array([0x70, 0xff, 0xfe]) }),
      code: 'policy.unparsable',
      at: 'policies/a.cedar',
      shows: 'not UTF-8',
    },
  ])('names $name with file and line, and no run is accepted under it', async ({ name, dir, code, at, shows }) => {
    const root = world.files(`bad-${name.replaceAll(' ', '-')}`, dir);
    const validated = await world.here(['validate', root], { env });
    const run = await world.here(['run', root, 'talk', '--input', 'x', '--json'], { env });

    expect(validated.code).toBe(1);
    for (const text of [code, at, shows]) expect(validated.stdout + validated.stderr).toContain(text);
    expect(run.code).toBe(2);
    expect(lastOf(run)).toMatchObject({
      type: 'error',
      code: 'KIT_POLICY_INVALID',
      message: expect.stringContaining(at.replace(/:\d+$/, '')),
    });
    expect(existsSync(join(root, '.kit'))).toBe(false);
  });
});

describe('kit run', () => {
  it.each([
    {
      language: 'yaml',
      dir: files('yaml', { 'a.yaml': rule('deny') }),
      reason: 'the rule helper of the policy all refuses it',
    },
    {
      language: 'cedar',
      dir: files('cedar', { 'a.cedar': CEDAR.closed }),
      reason: 'the policy policies/a.cedar#2 forbids it',
    },
    {
      language: 'rego',
      dir: files('rego', { 'a.tar.gz': bundleOf('"agent":"boss"') }),
      reason: 'the policy gave no decision',
    },
  ])(
    'is governed by policies in $language: who is denied does not run, and who asked goes on',
    async ({ language, dir, reason }) => {
      const before = model.asked().length;
      const result = await world.here(['run', world.files(`run-${language}`, dir), 'talk', '--input', 'x', '--json'], {
        env,
      });

      expect(lastOf(result)).toMatchObject({ type: 'result', status: 'completed' });
      expect(deniedIn(result.stdout)).toMatchObject([
        {
          agent_id: 'helper',
          payload: { action: 'agent:execute', reason, policy_digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
        },
      ]);
      expect(model.asked().slice(before)).toEqual(['boss', 'boss']);
    },
  );

  it('waits for a person where a policy wants one, and goes on under the policies of that moment', async () => {
    const root = world.files('asked', files('yaml', { 'a.yaml': rule('require_approval') }));
    const parked = await world.here(['run', root, 'talk', '--input', 'x', '--json'], { env });
    expect([parked.code, lastOf(parked).status]).toEqual([3, 'deferred']);
    const item = linesOf(parked.stdout).find(({ event_type }) => event_type === 'hitl.requested')?.payload as {
      readonly review_queue_id: string;
    };
    expect(item.review_queue_id).toMatch(/^permission-/);

    // What decides the work is frozen; what authorises is not.
    writeFileSync(join(root, 'policies', 'a.yaml'), rule('deny'));
    const approved = await world.here(
      ['review', 'approve', item.review_queue_id, root, '--as', 'ann', '--resume', '--json'],
      { env },
    );
    expect(approved.code).toBe(0);
    const logs = await world.here(['logs', root, '--json'], { env });

    expect(linesOf(logs.stdout).filter(({ event_type }) => event_type === 'run.ended')).toMatchObject([
      { payload: { status: 'completed' } },
    ]);
    expect(deniedIn(logs.stdout)).toMatchObject([
      { payload: { reason: 'the rule helper of the policy all refuses it' } },
    ]);
  });
});

describe('kit serve', () => {
  it('looks at the policies again by itself, and refuses runs and a reload while they cannot be used', {
    timeout: 120_000,
  }, async () => {
    const root = world.files('served', files('cedar', { 'a.cedar': CEDAR.closed }));
    const write = (text: string): void => writeFileSync(join(root, 'policies', 'a.cedar'), text);
    const server = await startServe([root], env);
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await server.ended;
    });
    await vi.waitUntil(async () => (await fetch(`${server.url}/health`)).status === 200, WAIT);
    const denials = async (): Promise<number> => {
      const { body } = await ask(server, '/run/talk', { input: 'x' });
      await until(server, body.id, 'completed');
      const events = (await (await fetch(`${server.url}/events?run_id=${String(body.id)}&limit=1000`)).text()).match(
        /"policy\.denied"/g,
      );
      return events?.length ?? 0;
    };

    expect(await denials()).toBe(1);
    write(CEDAR.open);
    await vi.waitFor(async () => expect(await denials()).toBe(0), WAIT);
    write('permit(');
    await vi.waitFor(async () => {
      const { status, body } = await ask(server, '/run/talk', { input: 'x' });
      expect([status, body.code]).toEqual([422, expect.stringMatching(/policy.invalid/i)]);
    }, WAIT);
    expect((await ask(server, '/reload', {})).body).toMatchObject({ valid: false });
    write(CEDAR.closed);
    await vi.waitFor(async () => expect(await denials()).toBe(1), WAIT);
    expect((await ask(server, '/reload', {})).body).toMatchObject({ valid: true });
    expect(await denials()).toBe(1);
  });

  it('does not start under policies that cannot be used', async () => {
    const root = world.files('not-served', files('cedar', { 'a.cedar': 'permit(' }));
    const result = await world.here(['serve', root, '--port', '0', '--json'], { env });

    expect([result.code, lastOf(result).code]).toEqual([2, 'KIT_POLICY_INVALID']);
  });
});

it('a worker decides by the policies of its own copy of the workspace, and does not start where they cannot be used', {
  timeout: 180_000,
}, async () => {
  const fleet = await openFleet();
  const workspace = (name: string, policy: string): string =>
    fleet.workspace(name, { text: governed('cedar'), files: { 'policies/a.cedar': policy } });
  const api = await fleet.api(workspace('api', CEDAR.open));
  const broken = await fleet.world.here(['worker', workspace('broken', 'permit('), '--once', '--json'], {
    env: fleet.env,
  });
  expect([broken.code, lastOf(broken).code]).toEqual([2, 'KIT_POLICY_INVALID']);

  const { body } = await ask(api, '/run/talk', { input: 'x' });
  const worker = await fleet.worker(workspace('worker', CEDAR.closed), '--once', '--json');
  expect((await worker.ended).code).toBe(0);
  await until(api, body.id, 'completed');

  const events = await (await fetch(`${api.url}/events?run_id=${String(body.id)}&limit=1000`)).text();
  expect(events).toContain('the policy policies/a.cedar#2 forbids it');
});
