import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIndiscreetServer } from '../../support/components/indiscreet-server.js';
import type { ModelServer } from '../../support/model-server.js';
import { eventsOf, makeWorld, type World } from '../world.js';
import { callOf, inputOf, SCENE_SERVER, startCallingModel, toolScene } from './tool-world.js';

const SECRETS = {
  ENV_SECRET: 'planted-in-env-4f1b9c',
  HEADER_SECRET: 'planted-in-header-77a0de',
  BEARER_SECRET: 'planted-bearer-0c9e31',
};

let world: World;
let model: ModelServer;
beforeAll(async () => {
  [world, model] = await Promise.all([makeWorld(), startCallingModel()]);
});
afterAll(async () => {
  await model.close();
  await world.dispose();
});

/** Every file below a directory, as bytes. */
const filesBelow = (root: string): readonly (readonly [string, Buffer])[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, readFileSync(path)] as const);

const formsOf = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('base64'),
  encodeURIComponent(secret),
];

it('what a credential gives reaches its server, and is nowhere else: not in a result, an event, a row, a file, an error or a command line', async () => {
  const http = await startIndiscreetServer();
  const notes = join(world.base, 'secrets.notes');
  const scene = toolScene(world, 'secrets', {
    workspace: `credentials:
  env: { source: env, config: { env: ENV_SECRET } }
  header: { source: env, config: { env: HEADER_SECRET } }
  bearer: { source: env, config: { env: BEARER_SECRET } }
`,
    servers: `  - { id: scene, transport: stdio, command: [${process.execPath}, ${SCENE_SERVER}, ${notes}], env: { SECRET: "{credential.env}" } }
  - { id: broken, transport: stdio, command: [sh, -c, 'echo "cannot use $SECRET" >&2; exit 3'], env: { SECRET: "{credential.env}" } }
  - { id: headers, transport: http, endpoint: "${http.url}", headers: { x-key: "{credential.header}" } }
  - { id: bearer, transport: http, endpoint: "${http.url}", credentials_ref: bearer }
`,
    tools: [
      'leak',
      { skill: 'wait-keep', server: 'scene', tool: 'wait-keep' },
      { skill: 'tell', server: 'headers', tool: 'tell' },
      { skill: 'fail', server: 'headers', tool: 'fail' },
      { skill: 'tell-bearer', server: 'bearer', tool: 'tell' },
      { skill: 'refuse', server: 'bearer', tool: 'refuse' },
    ],
  });
  const env = { ...SECRETS, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' };
  const names = ['leak', 'tell', 'fail', 'tell-bearer', 'refuse'];
  const input = inputOf(
    names.map((name) => callOf(name)),
    [callOf('wait-keep')],
  );
  const cassette = join(world.base, 'secrets.cassette');
  const live = world.start(['run', scene.dir, 'talk', '--input', input, '--record', cassette, '--json', '--verbose'], {
    env,
    stdin: '',
  });
  await live.sees(/tool\.progress/);
  // While its servers run.
  const commandLines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
  expect(commandLines).toContain('mcp-scene-server');
  const during = filesBelow(join(scene.dir, '.kit'));
  scene.go();
  const result = await live.ended;

  expect(result.code).toBe(0);
  expect(http.seen.join()).toContain(SECRETS.HEADER_SECRET);
  expect(http.seen.join()).toContain(`Bearer ${SECRETS.BEARER_SECRET}`);
  const executed = eventsOf(result).filter(({ type }) => type === 'skill.executed');
  expect(Object.fromEntries(executed.map(({ payload }) => [String(payload.tool), payload.status]))).toEqual({
    leak: 'ok',
    tell: 'ok',
    fail: 'failed',
    'tell-bearer': 'ok',
    refuse: 'failed',
    'wait-keep': 'ok',
  });
  expect(JSON.stringify(model.requests)).toContain('the key is [MASKED]');
  const failing = await world.kit(['run', scene.dir, 'talk', '--input', inputOf([callOf('leak')]), '--verbose'], {
    env,
  });
  expect(failing.code).toBe(0);

  const asked = [http.seen.length, model.requests.length];
  const replayed = await world.kit(['run', scene.dir, 'talk', '--replay', cassette, '--json'], {
    env: { MODEL_URL: model.url },
  });
  expect([replayed.code, replayed.stdout.includes('the key is [MASKED]')]).toEqual([0, true]);
  expect([http.seen.length, model.requests.length]).toEqual(asked);

  const kept = [...during, ...filesBelow(join(scene.dir, '.kit')), [cassette, readFileSync(cassette)] as const];
  expect(kept.map(([path]) => path)).toContain(join(scene.dir, '.kit/store.sqlite-wal'));
  for (const form of Object.values(SECRETS).flatMap(formsOf)) {
    const shown = [
      result.stdout,
      result.stderr,
      failing.stdout,
      failing.stderr,
      JSON.stringify(model.requests),
      commandLines,
    ];
    for (const text of shown) expect(text).not.toContain(form);
    for (const [path, bytes] of kept) expect([path, bytes.includes(form)]).toEqual([path, false]);
  }
}, 120_000);

it('a server that prints its secret and dies is named with a masked tail, also where the end of a line was cut off in the middle of it', async () => {
  const scene = toolScene(world, 'broken', {
    workspace: 'credentials: { env: { source: env, config: { env: ENV_SECRET } } }\n',
    servers: `  - { id: broken, transport: stdio, command: [sh, -c, 'echo "cannot use $SECRET" >&2; echo "${'x'.repeat(485)}$SECRET" >&2; exit 3'], env: { SECRET: "{credential.env}" } }\n`,
    tools: [{ skill: 'go', server: 'broken', tool: 'go' }],
  });
  const env = { ...SECRETS, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' };

  const result = await world.kit(
    ['run', scene.dir, 'talk', '--input', inputOf([callOf('go')]), '--json', '--verbose'],
    { env },
  );

  expect(result.code).toBe(1);
  expect(result.stdout).toContain('cannot use [MASKED]');
  expect(result.stdout).toContain('xxx[MASKED]');
  for (const form of [...formsOf(SECRETS.ENV_SECRET), SECRETS.ENV_SECRET.slice(0, 12)]) {
    for (const text of [result.stdout, result.stderr]) expect(text).not.toContain(form);
    for (const [path, bytes] of filesBelow(join(scene.dir, '.kit')))
      expect([path, bytes.includes(form)]).toEqual([path, false]);
  }
}, 90_000);
