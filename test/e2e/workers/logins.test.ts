import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type LoginProvider, startLoginProvider } from '../../support/components/login-provider.js';
import { loginText, withBrowser } from '../login-scene.js';
import { callOf, inputOf, startCallingModel } from '../tools/tool-world.js';
import { talk } from '../workspaces.js';
import { lastOf } from '../world.js';
import { ask, openFleet, until, WAIT } from './fleet.js';

/** `npm run test:long` begins a part of them; the figure of the docs is that of 200. */
const RUNS = Number(process.env.KIT_TEST_LOGIN_RUNS ?? '20');
/** What each of the two servers carries out itself; the rest is left to workers. */
const OWN = RUNS / 5;
const newKey = (): string => randomBytes(32).toString('base64');

/** Two servers and three workers on PostgreSQL, and a person who is logged in. */
async function openLoggedIn() {
  const [fleet, provider, model] = await Promise.all([openFleet(), startLoginProvider(), startCallingModel()]);
  onTestFinished(async () => {
    await model.close();
    await provider.close();
  });
  const { text, files } = loginText(provider.endpoint);
  const dir = fleet.workspace('notes', {
    text,
    files: {
      ...files,
      'topologies/talk.yaml': talk({ provider: 'local', root: '    skills: [greet]\n' })['topologies/talk.yaml'] ?? '',
    },
    leaseSeconds: 30,
    jobs: `, max_concurrent: ${OWN}`,
  });
  const [first, second] = [newKey(), newKey()];
  const envOf = (key: string) => ({
    ...withBrowser(fleet.world),
    MODEL_URL: model.url,
    KIT_OAUTH_KEY: key,
  });
  const kit = (key: string, ...argv: readonly string[]) =>
    fleet.world.here([...argv, '-w', dir, '--json'], { env: { ...fleet.env, ...envOf(key) } });
  return { fleet, provider, dir, keys: { first, second }, envOf, kit };
}

async function allCompleted(
  server: Parameters<typeof ask>[0],
  ids: readonly unknown[],
  provider: LoginProvider,
): Promise<void> {
  await vi.waitUntil(async () => (await provider.counts()).calls >= ids.length, { ...WAIT, timeout: 240_000 });
  for (const id of ids)
    await vi.waitUntil(async () => (await ask(server, `/jobs/${String(id)}`)).body.status === 'completed', WAIT);
}

it('a token near its end is refreshed once by two servers and three workers that begin runs at once', async () => {
  const { fleet, provider, dir, keys, envOf, kit } = await openLoggedIn();
  await provider.behave({ ttl: 300 });
  const login = await kit(keys.first, 'credentials', 'login', 'notes');
  expect(login.code, login.stdout + login.stderr).toBe(0);
  // In the middle of a rotation: each process has both keys, and not all seal with the same one.
  const early = fleet.by({ env: envOf(`${keys.second},${keys.first}`) });
  const { api, server, worker } = fleet.by({ env: envOf(`${keys.first},${keys.second}`) });
  const [one, other, queue] = await Promise.all([
    early.server(dir),
    server(dir),
    api(dir),
    ...Array.from({ length: 3 }, () => worker(dir, '--concurrency', '20')),
  ] as const);
  const before = await provider.behave({ ttl: 3600, delayMs: 300 });

  const input = inputOf([callOf('greet')]);
  const submitted = await Promise.all(
    Array.from({ length: RUNS }, (_, n) => ask(n < OWN ? one : n < 2 * OWN ? other : queue, '/run/talk', { input })),
  );
  expect([...new Set(submitted.map(({ status }) => status))].toSorted()).toEqual([200]);
  await allCompleted(
    queue,
    submitted.map(({ body }) => body.id),
    provider,
  );

  const after = await provider.counts();
  expect([after.refresh - before.refresh, after.token - before.token]).toEqual([1, 1]);
  expect(after.calls - before.calls).toBe(RUNS);
  expect(after.bearers).toHaveLength(before.bearers.length + 1);
  console.log(`logins: ${RUNS} runs by 2 servers and 3 workers, ${after.refresh - before.refresh} refresh`);

  const rotated = await kit(`${keys.second},${keys.first}`, 'credentials', 'rotate-key');
  expect(rotated.code, rotated.stdout).toBe(0);
  const more = await Promise.all([one, other, queue].map((entry) => ask(entry, '/run/talk', { input })));
  for (const { body } of more) await until(queue, body.id, 'completed');
  expect(lastOf(await kit(keys.second, 'credentials', 'list'))).toMatchObject({ credentials: [{ resolves: true }] });
  expect((await kit(keys.first, 'credentials', 'list')).stdout).toContain('was encrypted with the key');
}, 400_000);
