import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { makeRepositoryIn } from './repository.js';
import { harnessWorkspace, localProvider, talk } from './workspaces.js';
import { lastOf, makeWorld, untilExecuted, type World } from './world.js';

let world: World;
let server: ModelServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startModelServer()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

describe('a model provider', () => {
  it('of the workspace is asked, with its key from the named variable', async () => {
    const dir = world.files('local', talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));
    server.script({ do: 'answer', text: 'the model speaks' });

    const result = await world.kit(['run', dir, 'talk', '--input', 'hi'], {
      env: { MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' },
    });

    expect(result).toMatchObject({ code: 0, stdout: 'the model speaks\n' });
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer key-of-the-test');
    expect(server.requests.at(-1)?.body.model).toBe('m1');
  });

  it.each([
    {
      what: 'that nobody knows',
      provider: 'nobody',
      env: {},
      code: 'KIT_PROVIDER_UNKNOWN',
      says: 'boss uses the provider nobody',
    },
    { what: 'without its key', provider: 'local', env: {}, code: 'KIT_PROVIDER_KEY_MISSING', says: 'LOCAL_KEY' },
    {
      what: 'named by KIT_PROVIDER alone',
      provider: 'mock',
      env: { KIT_PROVIDER: 'nobody' },
      code: 'KIT_PROVIDER_UNKNOWN',
      says: 'nobody',
    },
    {
      what: 'whose key KIT_PROVIDER lacks',
      provider: 'mock',
      env: { KIT_PROVIDER: 'openai', KIT_MODEL: 'm' },
      code: 'KIT_PROVIDER_KEY_MISSING',
      says: 'OPENAI_API_KEY',
    },
  ])('$what refuses the run before its first step, and nothing falls back', async ({ provider, env, code, says }) => {
    const dir = world.files(
      `refused-${provider}-${code}`,
      talk({ provider, files: { 'providers/local.yaml': localProvider } }),
    );
    const before = server.requests.length;

    const result = await world.here(['run', dir, 'talk', '--input', 'hi', '--json'], {
      env: { ...env, MODEL_URL: server.url },
    });

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({
      type: 'error',
      code,
      message: expect.stringContaining(says),
      hint: expect.any(String),
    });
    expect(result.lines()).toHaveLength(1);
    expect(server.requests).toHaveLength(before);
    expect(existsSync(join(dir, '.kit'))).toBe(false);
  });

  it('with a setting that is not a number refuses the run and names the variable', async () => {
    const dir = world.files('setting', talk());

    const result = await world.here(['run', dir, 'talk', '--input', 'hi'], { env: { KIT_MODEL_TIMEOUT: 'soon' } });

    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain('KIT_ENV_INVALID');
    expect(result.stderr).toContain('KIT_MODEL_TIMEOUT');
  });
});

describe('an adapter of the workspace', () => {
  it('is refused until a person approved its digest, then remembered, and asked for again when it was edited', async () => {
    const { root } = makeRepositoryIn(
      world,
      'adapter',
      harnessWorkspace('echo "{\\"type\\":\\"done\\",\\"text\\":\\"ran\\"}"'),
    );
    const run = (...flags: string[]) => world.kit(['run', root, 'own', '--input', 'hi', ...flags]);

    const refused = await run();
    const flag = /--trust ([0-9a-f]{64})/.exec(refused.stderr);
    const wrong = await run('--trust', '0'.repeat(64));
    const isStateWritten = existsSync(join(root, '.kit'));
    const accepted = await run('--trust', flag?.[1] ?? '');
    const remembered = await run();
    const path = join(root, 'adapters/own.yaml');
    writeFileSync(path, readFileSync(path, 'utf8').replace('ran', 'edited'));
    const edited = await run();

    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('KIT_ADAPTER_UNTRUSTED');
    expect(refused.stderr).toContain('adapters/own.yaml');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(isStateWritten).toBe(false);
    expect(accepted).toMatchObject({ code: 0, stdout: 'ran\n' });
    expect(remembered).toMatchObject({ code: 0, stdout: 'ran\n' });
    expect(edited).toMatchObject({ code: 2, stdout: '' });
    expect(edited.stderr).toMatch(/--trust [0-9a-f]{64}/);
    expect(edited.stderr).not.toContain(flag?.[1]);
    expect(world.leftovers()).toEqual([]);
  });

  it('that was approved when a run began does not go on with it once the approval is withdrawn', async () => {
    const flag = join(world.base, 'begun');
    const script = `if [ -e ${flag} ]; then echo "{\\"type\\":\\"done\\",\\"text\\":\\"went on\\"}"; else touch ${flag}; sleep 600; fi`;
    const { root } = makeRepositoryIn(world, 'withdrawn', harnessWorkspace(script));
    const trust =
      /--trust ([0-9a-f]{64})/.exec((await world.kit(['run', root, 'own', '--input', 'hi'])).stderr)?.[1] ?? '';
    const live = world.start(['run', root, 'own', '--input', 'hi', '--trust', trust, '--json'], { stdin: '' });
    await untilExecuted(world.temp, 'sleep 600');
    live.child.kill('SIGINT');
    await live.sees(/press Ctrl-C again/);
    live.child.kill('SIGINT');
    expect((await live.ended).code).toBe(130);
    rmSync(join(world.home.path, 'config', 'kit', 'trusted-adapters.json'));

    const refused = await world.kit(['run', root, 'own', '--resume']);
    const accepted = await world.kit(['run', root, 'own', '--resume', '--trust', trust]);

    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('KIT_ADAPTER_UNTRUSTED');
    expect(refused.stderr).toContain(`--trust ${trust}`);
    expect(accepted).toMatchObject({ code: 0, stdout: 'went on\n' });
    expect(world.leftovers()).toEqual([]);
  });
});
