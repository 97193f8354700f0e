import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/harness/src/executor.js';
import { belowHome, findLogins, foldersOf } from '../../../plugins/harness/src/launch/credential-paths.js';
import { createTestContext } from '../../../src/domain/testing.js';
import type { ExecutorResult, JsonObject } from '../../../src/sdk/plugin.js';
import { writeFakeDocker } from '../../support/fake-docker.js';
import { recorder } from './fake-spawn.js';

const SECRET = 'sekret-token-of-a-login';

let base: string;
let home: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-logins-')));
  home = join(base, 'home');
  mkdirSync(home);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, SECRET);
  return path;
}

describe('a path of a login', () => {
  it.each([
    ['~/.codex', '.codex'],
    ['~/.claude/.credentials.json', '.claude/.credentials.json'],
    ['~/.codex/', '.codex'],
    ['~/', null],
    ['~', null],
    ['/etc/passwd', null],
    ['~other/.codex', null],
    ['~/../other/.codex', null],
    ['~/a//b', null],
    ['~/./a', null],
  ])('%s is %s below the home', (path, expected) => {
    expect(belowHome(path)).toBe(expected);
  });

  it('is looked for where a variable has moved its folder', async () => {
    const source = put(join(base, 'data/opencode/auth.json'));

    const found = await findLogins(['~/.local/share/opencode'], {
      env: { HOME: home, XDG_DATA_HOME: join(base, 'data') },
      confine: true,
    });

    expect(found).toEqual({ ok: true, logins: [{ source: dirname(source), inHome: '.local/share/opencode' }] });
  });

  it('comes once, however often it is named, and with its folder where that is named', async () => {
    put(join(home, '.codex/auth.json'));

    const found = await findLogins(['~/.codex/auth.json', '~/.codex', '~/.codex/'], {
      env: { HOME: home },
      confine: true,
    });

    expect(found).toEqual({ ok: true, logins: [{ source: join(home, '.codex'), inHome: '.codex' }] });
  });

  it('may be a link inside the home; one that leads out is for a harness without a container alone', async () => {
    const outside = put(join(base, 'elsewhere/token'));
    const inside = put(join(home, 'dotfiles/token'));
    symlinkSync(outside, join(home, '.out'));
    symlinkSync(inside, join(home, '.in'));
    const env = { HOME: home };

    expect(await findLogins(['~/.in'], { env, confine: true })).toMatchObject({
      ok: true,
      logins: [{ source: inside }],
    });
    expect(await findLogins(['~/.out'], { env, confine: true })).toMatchObject({
      ok: false,
      path: '~/.out',
      problem: expect.stringContaining('link'),
    });
    expect(await findLogins(['~/.out'], { env, confine: false })).toMatchObject({
      ok: true,
      logins: [{ source: outside }],
    });
  });

  it('that cannot be read is said to be there', async () => {
    const source = put(join(home, '.token'));
    chmodSync(source, 0o000);
    const found = await findLogins(['~/.token'], { env: { HOME: home }, confine: false });

    // Whoever may read everything is stopped by no mode.
    expect(found).toMatchObject(process.getuid?.() === 0 ? { ok: true } : { ok: false, problem: 'cannot be read' });
  });

  it('needs a home', async () => {
    expect(await findLogins(['~/.token'], { env: {}, confine: false })).toMatchObject({
      ok: false,
      problem: expect.stringContaining('HOME'),
    });
  });

  it('has the folders above it, outermost first and each once', () => {
    const logins = ['.local/share/a/one', '.local/share/a/two', '.token'].map((inHome) => ({ source: '/x', inHome }));

    expect(foldersOf(logins)).toEqual(['.local', '.local/share', '.local/share/a']);
  });
});

const ADAPTER: JsonObject = {
  launch: { command: ['sh', '-c', 'echo "{\\"type\\":\\"end\\",\\"text\\":\\"home $HOME\\"}"'] },
  auth: {
    default: 'subscription',
    modes: { api_key: { env: {} }, subscription: { credential_paths: ['~/.tool/auth.json'] } },
  },
  stream: { format: 'jsonl' },
  event_map: [
    { when: { type: 'say' }, emit: [{ event: 'message', with: { role: 'system', text: '$.text' } }] },
    { when: { type: 'end' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] },
  ],
};
const IN_CONTAINER: JsonObject = { ...ADAPTER, sandbox: { kind: 'container', image: 'tools:1' } };

async function run(
  adapter: JsonObject,
  config: JsonObject = {},
): Promise<{ readonly result: ExecutorResult; readonly told: string }> {
  writeFakeDocker(base);
  const { context, events, spawned } = recorder({ PATH: `${base}:${process.env.PATH ?? ''}`, HOME: home });
  const plugin = {
    ...createTestContext(),
    ...context,
    fetch: globalThis.fetch,
    plugin: { name: 'p', version: '0.1.0' },
    secrets: { credential: async () => '', env: () => null },
  };
  const executor = await contribution.create({}, plugin);
  const budget = { maxCostUsd: null, maxTurns: null, maxWallClockMs: null, maxIdleMs: 20_000 };
  const asked = {
    agentId: 'a',
    statement: 'x',
    config,
    adapter,
    sandboxRoot: base,
    baseCommit: null,
    resumeToken: null,
    stepId: 's',
    budget,
  };
  const containers = { runtime: null, image: null, isDisabled: false, workspaceRoot: base };
  const result = await executor.run(asked, { ...context, containers });
  return { result, told: JSON.stringify({ result, events, spawned }) };
}

describe('a harness whose auth mode needs a login', () => {
  it('starts where the login is, in the home of who runs kit, and nothing of it is told', async () => {
    put(join(home, '.tool/auth.json'));
    const { result, told: reported } = await run(ADAPTER);

    expect(result).toMatchObject({ status: 'success', output: `home ${home}` });
    expect(reported).not.toContain(SECRET);
  });

  it('finds it in a container, read-only, in a home that is its own', async () => {
    const source = put(join(home, '.tool/auth.json'));
    const { result, told: reported } = await run(IN_CONTAINER);

    expect(result.status).toBe('success');
    expect(reported).toContain(`--mount=type=bind,source=${source},target=/home/kit/.tool/auth.json,readonly`);
    expect(reported).toContain('--tmpfs=/home/kit:mode=1777","--tmpfs=/home/kit/.tool:mode=1777');
    expect(reported).not.toContain(SECRET);
    expect(readdirSync(home)).toEqual(['.tool']);
  });

  it.each([
    ['in its worktree', ADAPTER],
    ['in a container', IN_CONTAINER],
  ])('is not started %s without it, and says who logs in and how else it could go', async (_where, adapter) => {
    const { result, told: reported } = await run(adapter);

    expect(result).toMatchObject({ status: 'failure', reason: 'credential_missing' });
    expect(result.message).toBe(
      'auth mode "subscription" needs ~/.tool/auth.json, which is not there. Log in with `sh` once as the user who runs kit (`kit adapters list` shows whether it is installed), or set `auth_mode: api_key` in its `executor.config`.',
    );
    expect(reported).toContain('"spawned":[]');
  });

  it('needs none in another mode', async () => {
    expect((await run(ADAPTER, { auth_mode: 'api_key' })).result.status).toBe('success');
  });

  it('does not take a path outside of the home', async () => {
    const adapter = { ...ADAPTER, auth: { modes: { subscription: { credential_paths: ['/etc/passwd'] } } } };

    expect((await run(adapter)).result).toMatchObject({
      reason: 'adapter_invalid',
      message: 'spec/auth/modes/subscription/credential_paths/0: must be a path below ~/',
    });
  });
});
