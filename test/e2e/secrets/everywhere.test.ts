import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startIndiscreetServer } from '../../support/components/indiscreet-server.js';
import { startLoginProvider } from '../../support/components/login-provider.js';
import { startOtlpReceiver } from '../../support/components/otlp.js';
import { createDatabase } from '../../support/components/postgres.js';
import { openReceiver } from '../../support/http/receiver.js';
import { startServe } from '../../support/http/serve-process.js';
import type { KitResult } from '../../support/kit-process.js';
import { withBrowser } from '../login-scene.js';
import { makeRepositoryIn } from '../repository.js';
import { lastOf, makeWorld, type World } from '../world.js';
import { blindIn, commandLines, filesBelow, leaksIn, type Place } from './places.js';
import { loginSecrets, plantLogin } from './planted-login.js';
import { GIVEN, PLANTED, plantedWorkspace, SCRIPT, startTellingModel } from './scene.js';
import { seeTables } from './tables.js';

const SECRETS = { ...PLANTED, ...GIVEN };
const WAIT = { timeout: 60_000, interval: 50 };
const OPS = { authorization: `Bearer ${GIVEN.OPS_CALLER}`, 'content-type': 'application/json' };

/** Opens what the scene needs; everything ends with the test. */
async function open(store: 'sqlite' | 'postgres') {
  const world: World = await makeWorld();
  onTestFinished(() => world.dispose());
  const model = await startTellingModel();
  onTestFinished(() => model.close());
  const [http, receiver, otlp, provider] = await Promise.all([
    startIndiscreetServer(),
    openReceiver(),
    startOtlpReceiver(),
    startLoginProvider(),
  ]);
  onTestFinished(() => provider.close());
  const database = store === 'postgres' ? await createDatabase() : null;
  if (database !== null) onTestFinished(() => database.drop());
  const repo = makeRepositoryIn(
    world,
    'planted',
    plantedWorkspace({
      ...{ base: world.base, httpServer: http.url, receiver: receiver.url },
      loginServer: provider.endpoint,
    }),
  );
  const env = {
    ...SECRETS,
    PATH: withBrowser(world).PATH,
    MODEL_URL: model.url,
    KIT_OTEL_EXPORTER: 'otlp',
    KIT_OTEL_ENDPOINT: otlp.url,
    KIT_MODEL_RETRIES: '0',
    KIT_AGENT_RETRIES: '0',
    ...(database === null ? {} : { KIT_STORE_URL: database.url }),
  };
  const places: Place[] = [];
  const see = (name: string, content: string | Buffer, canary: string | null): void =>
    void places.push({ name, content, canary });
  /** A command whose whole output is searched. */
  const kit = async (canary: string | null, ...argv: readonly string[]): Promise<KitResult> => {
    const result = await world.kit(argv, { cwd: repo.root, env });
    see(`kit ${argv.slice(0, 3).join(' ')}`, `${result.stdout}\n${result.stderr}`, canary);
    return result;
  };
  return { provider, world, model, http, receiver, otlp, database, dir: repo.root, env, places, see, kit };
}
type Scene = Awaited<ReturnType<typeof open>>;

async function serve({ dir, env, world }: Scene) {
  const server = await startServe([dir], { ...world.env, ...env });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${server.url}${path}`, { ...init, headers: { ...OPS, ...init.headers } });
    const body = await answer.text();
    return {
      status: answer.status,
      body,
      text: `${JSON.stringify([...answer.headers])}\n${body}`,
      location: answer.headers.get('location'),
    };
  };
  const submit = async (topology: string, input: string): Promise<string> => {
    const { location, text } = await call(`/run/${topology}`, { method: 'POST', body: JSON.stringify({ input }) });
    return location?.replace('/jobs/', '') ?? text;
  };
  const until = (id: string, status: string): Promise<void> =>
    vi.waitFor(async () => {
      const { text } = await call(`/jobs/${id}`);
      expect(text.includes(`"status":"${status}"`), text).toBe(true);
    }, WAIT);
  return { server, call, submit, until };
}

interface Documented {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What a stream says in this time; it may stay open for ever. */
const STREAM_MS = 1_500;

/**
 * Every GET route of the document, with what is known put in its place: by the path and the name of
 * the parameter, else by the name.
 */
async function readEverything(
  { see }: Scene,
  url: string,
  known: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const { paths } = (await (await fetch(`${url}/openapi.json`, { headers: OPS })).json()) as Documented;
  const gets = Object.entries(paths).flatMap(([path, item]) => ('get' in item ? [path] : []));
  const read = await Promise.all(
    gets.map(async (path) => {
      const filled = path.replace(/\{(\*|\w+)\}/g, (_all, name: string) =>
        encodeURIComponent(known[`${path} ${name}`] ?? known[name] ?? 'none'),
      );
      const leave = new AbortController();
      const answer = await fetch(`${url}${filled}${known[path] ?? ''}`, { headers: OPS, signal: leave.signal });
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (isStream) setTimeout(() => leave.abort(), STREAM_MS).unref();
      let text = JSON.stringify([...answer.headers]);
      try {
        for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString('utf8');
      } catch (error) {
        if (!isStream) throw error;
      }
      see(`GET ${filled}`, text, null);
      return answer.status === 200 ? [] : [`${path} ${answer.status}`];
    }),
  );
  expect(gets.length).toBeGreaterThan(50);
  return read.flat();
}

/** What commands say of the runs, from whatever store. */
async function readRun(
  { kit, see, world, dir }: Scene,
  of: { readonly run: string; readonly failed: string; readonly release: string },
) {
  const files = { report: join(world.base, 'report.html'), proof: join(world.base, 'proof.json') };
  await kit('skill.executed', 'logs', '-r', of.run, '--json');
  await kit('canary-refused', 'why', of.failed, '--explain', '--json');
  await kit('canary-answer', 'debug', of.run, '--full');
  await kit('canary-permission', 'trace', of.run, '--json');
  await kit(null, 'report', of.run, '-o', files.report);
  await kit(null, 'review', 'export', `${of.release}:writer`, '--output', files.proof);
  for (const file of Object.values(files)) see(file, readFileSync(file), 'canary-answer');
  await kit('canary-memory', 'memory', 'list', '--as', 'ops', '--json');
  await kit('canary-answer', 'ask', 'What did the last run do?', '--run', of.run, '--json');
  const refused = await kit('--trust', 'run', dir, 'own', '--input', 'hi');
  const trust = /--trust ([0-9a-f]{64})/.exec(refused.stderr)?.[1] ?? '';
  const harness = await kit(
    'canary-harness',
    'run',
    dir,
    'own',
    '--input',
    'hi',
    '--trust',
    trust,
    '--json',
    '--verbose',
  );
  expect(harness.code, harness.stderr).toBe(0);
}

/**
 * What commands say that is the same over every store: of the workspace and the machine, and in
 * files beside the store.
 */
async function readWorkspace({ kit, see, world, places }: Scene) {
  const [junit, tapes] = [join(world.base, 'eval.xml'), join(world.base, 'tapes')];
  const evaluated = await kit('canary-case', 'eval', 'smoke', '--junit', junit, '--record', tapes, '--json');
  expect(evaluated.code).toBe(1);
  see('eval.xml', readFileSync(junit), 'canary-case');
  const recorded = filesBelow(tapes, { '': 'canary-answer' }, 'cassette: ');
  expect(recorded.length).toBeGreaterThan(0);
  places.push(...recorded);
  await kit('local', 'doctor', '--json');
  await kit('talk', 'system', '--all', '--json');
  await kit('hook', 'triggers', 'list', '--json');
  await kit('LOCAL_KEY', 'providers', 'show', 'local', '--json');
}

it.each(['sqlite', 'postgres'] as const)(
  'what is planted in every place that takes a credential is in no place where anybody could read it, over %s',
  async (store) => {
    const scene = await open(store);
    const { dir, see, kit, places, database, world } = scene;
    await plantLogin(scene);
    const { server, call, submit, until } = await serve(scene);

    const run = await submit('talk', SCRIPT);
    await until(run, 'deferred');
    see('the process list', commandLines(), 'mcp-scene-server');
    if (store === 'sqlite') {
      const during = filesBelow(join(dir, '.kit'), { 'store.sqlite-wal': 'canary-' }, 'while it runs: ');
      expect(during.map(({ name }) => name)).toContain('while it runs: store.sqlite-wal');
      places.push(...during);
    }
    const listed = await kit('permission', 'review', 'list', '--json');
    const [item] = (lastOf(listed).items ?? []) as readonly { readonly id: string }[];
    await kit('canary-permission', 'review', 'show', item?.id ?? '', '--json');
    await kit('canary-permission', 'why', run, '--json');
    await kit(
      null,
      'review',
      'approve',
      item?.id ?? '',
      '--as',
      'qa-1',
      '--comment',
      `canary-comment ${PLANTED.AT_PACK}`,
      '--no-resume',
    );
    await until(run, 'completed');

    const body = JSON.stringify({ input: 'canary-hook' });
    const signature = (secret: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const hooked = await call('/hooks/research', {
      method: 'POST',
      body,
      headers: { 'x-hub-signature-256': signature(PLANTED.AT_HOOK) },
    });
    const unsigned = await call('/hooks/research', {
      method: 'POST',
      body,
      headers: { 'x-hub-signature-256': PLANTED.AT_HOOK },
    });
    expect([hooked.status, unsigned.status]).toEqual([200, 401]);
    see('the answers of a hook', hooked.text + unsigned.text, 'job');
    await until((hooked.location ?? '').replace('/jobs/', ''), 'completed');
    const failed = await submit('research', 'canary-refusal');
    await until(failed, 'failed');
    const release = await submit('release', 'write it');
    await until(release, 'deferred');
    const sign = (place: string | null, role: string, by: string) =>
      kit(
        place,
        'review',
        'resolve',
        `mpa-${release}:writer-0-${role}`,
        '--as',
        by,
        '--approve',
        '--no-resume',
        '--json',
      );
    await sign('decided', 'qa', 'qa-1');
    await sign(null, 'ops', 'ops-1');
    await until(release, 'completed');

    const { id: conversation } = JSON.parse(
      (await call('/conversations', { method: 'POST', body: '{"topology":"research"}' })).body,
    );
    const turn = await call(`/conversations/${conversation}/messages`, {
      method: 'POST',
      body: JSON.stringify({ message: 'canary-turn' }),
    });
    await until((turn.location ?? '').replace('/jobs/', ''), 'completed');
    const refusedReads = await readEverything(scene, server.url, {
      id: run,
      job_id: run,
      run_id: run,
      type: 'topology',
      '/api/topologies/{id} id': 'talk',
      '/api/topologies/{id}/yaml id': 'talk',
      '/api/skills/{id} id': 'note',
      '/api/skills/{id}/yaml id': 'note',
      '/api/archetypes/{id} id': 'runner',
      '/api/archetypes/{id}/yaml id': 'runner',
      '/api/funnels/{id}/yaml id': 'sign-off',
      '/api/roles/{id}/yaml id': 'people',
      '/api/contracts/{id}/yaml id': 'none',
      '/gates/{gate_id} gate_id': `${release}:writer`,
      '/review/{id} id': item?.id ?? '',
      '/inbox/{item} item': item?.id ?? '',
      '/memory/item': '?subject=canary&attribute=remembered',
      '/conversations/{id} id': conversation,
      '/evals/reports/{name} name': 'none',
    });
    // No contracts, diffs, artifacts and evals are here, nobody gives tokens for MCP, it speaks no
    // A2A, and no address is named whose OAuth could be looked for.
    expect(refusedReads).toEqual([
      '/.well-known/oauth-protected-resource/mcp/ 404',
      '/.well-known/oauth-protected-resource/mcp 404',
      '/.well-known/agent-card.json 404',
      '/a2a/{topology}/card 404',
      '/api/contracts/{id}/yaml 404',
      '/jobs/{id}/diff 404',
      '/jobs/{id}/changes 404',
      '/review/{id}/details 404',
      '/artifacts/{ref} 404',
      '/evals/reports/{name} 404',
      '/auth/mcp/callback 400',
      '/auth/mcp/client.json 404',
      '/api/a2a/probe 422',
      '/auth/mcp/probe 422',
    ]);
    see('GET /jobs/:id', (await call(`/jobs/${run}`)).text, 'canary-answer');
    see('GET /metrics', (await call('/metrics')).text, 'kit_');
    server.kill('SIGTERM');
    await server.ended;
    see('the log of kit serve', server.stdout() + server.stderr(), 'listening');

    await readRun(scene, { run, failed, release });
    if (store === 'sqlite') await readWorkspace(scene);
    if (existsSync(join(dir, '.kit')))
      places.push(...filesBelow(join(dir, '.kit'), { 'store.sqlite': 'canary-answer' }, 'state: '));
    places.push(...filesBelow(world.home.path, {}, 'home: '), ...filesBelow(world.temp, {}, 'temp: '));
    see('what models were asked', JSON.stringify(scene.model.requests.map(({ body: asked }) => asked)), 'canary-pack');
    see(
      'what the sink was sent',
      JSON.stringify(scene.receiver.received.map(({ body: sent, url }) => [url, sent])),
      'skill.executed',
    );
    see(
      'what was exported',
      scene.otlp.requests.map(({ base64 }) => Buffer.from(base64, 'base64').toString('latin1')).join('\n'),
      'agent.step.boss',
    );
    if (database !== null) expect(await seeTables(database, { places, see })).toEqual([]);

    // What was cut over two items of a result is found where the items were put together; a half of
    // twenty characters is too short to be a spelling.
    const halves = { AT_SPLIT: PLANTED.AT_SPLIT.slice(0, 10), AT_SPLIT_END: PLANTED.AT_SPLIT.slice(10) };
    const inHalves = places.flatMap(({ name, content }) =>
      Object.values(halves).flatMap((half) => (content.includes(half) ? [`${half} in ${name}`] : [])),
    );
    expect(inHalves).toEqual([]);
    const notes = readFileSync(join(world.base, 'scene.notes'), 'utf8');
    for (const tool of ['leak', 'split']) expect(notes).toContain(`"did":"${tool}"`);
    expect(scene.http.seen.join()).toContain(JSON.stringify(PLANTED.AT_HEADER).slice(1, -1));
    expect(scene.receiver.received[0]?.headers.authorization).toBe(`Bearer ${PLANTED.AT_SINK}`);
    const all = { ...SECRETS, ...(await loginSecrets(scene.provider)) };
    expect({ blind: blindIn(places), leaks: leaksIn(places, all) }).toEqual({ blind: [], leaks: [] });
  },
  240_000,
);
