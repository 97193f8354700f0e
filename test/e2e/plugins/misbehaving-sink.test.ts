import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type ServeProcess, startServe } from '../../support/http/serve-process.js';
import { writePlugin } from '../../support/plugin-package.js';
import { talk } from '../workspaces.js';
import { makeWorld, type World } from '../world.js';

const NAME = '@acme/kit-plugin-naughty-sink';
const WAIT = { timeout: 60_000, interval: 100 };

/** What the sink does with each event. */
const ONLY_ITSELF: Readonly<Record<string, string>> = {
  'throws-at-once': "throw new Error('bad luck');",
  'throws-what-cannot-be-told': "throw { toString() { throw new Error('no text'); } };",
  rejects: "return Promise.reject(new Error('too late'));",
  'answers-nothing': 'return undefined;',
  'answers-an-unknown-kind': "return { kind: 'splendid' };",
  'answers-a-getter-that-throws': "return { get kind() { throw new Error('no kind'); } };",
  'changes-the-entry':
    "try { entry.payload = null; entry.event_type = 'x'; delete entry.run_id; } catch {} return good;",
};
/** Once each: a mark says that it was done. */
const ENDS: Readonly<Record<string, string>> = {
  'throws-in-a-timer': "setTimeout(() => { throw new Error('in a timer'); }, 5);",
  'leaves-a-rejection': "void Promise.reject(new Error('left alone'));",
  'calls-exit': 'process.exit(0);',
};

const sink = (): string => `
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineEventSink } from '@kit-run/kit/plugin';
const good = { kind: 'delivered' };
const mark = (name) => join(process.env.MARKS, name);
const deliver = async (how, entry) => {
  appendFileSync(mark('delivered-to-' + how), entry.event_type + '\\n');
  switch (how) {
${Object.entries(ONLY_ITSELF)
  .map(([how, code]) => `case '${how}': { ${code} }`)
  .join('\n')}
${Object.entries(ENDS)
  .map(
    ([how, code]) =>
      `case '${how}': { if (existsSync(mark(how))) return good; writeFileSync(mark(how), ''); ${code} return good; }`,
  )
  .join('\n')}
    default: return good;
  }
};
export const contribution = defineEventSink({ create: async (config) => ({ deliver: (entry) => deliver(config.how, entry) }) });
`;

let world: World;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  world = await makeWorld();
  const marks = join(world.base, 'marks');
  mkdirSync(marks);
  env = { ...world.env, MARKS: marks };
  const path = await writePlugin(world.base, {
    name: NAME,
    contributes: {
      eventSinks: [
        {
          id: 'acme.naughty-sink',
          name: 'naughty-sink',
          title: 'Misbehaves',
          module: './dist/sink.js',
          configSchema: './schema.json',
          effects: [],
        },
      ],
    },
    files: {
      'dist/sink.js': sink(),
      'schema.json': '{ "type": "object", "properties": { "how": { "type": "string" } } }',
    },
  });
  const linked = await world.here(['plugins', 'link', path, '--yes', '--json']);
  if (linked.code !== 0) throw new Error(linked.stdout);
});
afterAll(() => world.dispose());

const workspaceWith = (name: string, hows: readonly string[]): string =>
  world.files(
    name,
    talk({
      workspace: `events:\n${hows.map((how) => `  - { sink: plugin, provider_id: naughty-sink, config: { how: ${how} } }\n`).join('')}`,
    }),
  );

async function serve(dir: string): Promise<ServeProcess> {
  const server = await startServe([dir], env);
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  return server;
}

async function submit({ url }: ServeProcess): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/run/talk`, { method: 'POST', headers, body: '{"input":"hi"}' });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { readonly id: string }).id;
}

const completed = ({ url }: ServeProcess, id: string): Promise<void> =>
  vi.waitFor(async () => {
    const job = (await (await fetch(`${url}/jobs/${id}`)).json()) as { readonly status: string };
    expect(job.status).toBe('completed');
  }, WAIT);

it('a sink that throws, rejects or answers nonsense delays no run, and spoils no event for the others', async () => {
  const dir = workspaceWith('itself', [...Object.keys(ONLY_ITSELF), 'good']);
  const server = await serve(dir);
  const id = await submit(server);
  await completed(server, id);

  const reported = () => readFileSync(join(env.MARKS ?? '', 'delivered-to-good'), 'utf8');
  await vi.waitUntil(() => reported().includes('run.ended'), WAIT);
  for (const how of Object.keys(ONLY_ITSELF))
    expect([how, readFileSync(join(env.MARKS ?? '', `delivered-to-${how}`), 'utf8')]).toEqual([
      how,
      expect.stringContaining('run.started'),
    ]);
  expect(reported()).not.toContain('undefined');
  expect(server.stderr()).not.toContain('KIT_INTERNAL');
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
}, 120_000);

it.each(Object.keys(ENDS))(
  'a sink that %s ends the server with its name, and the next one completes the run',
  async (how) => {
    const dir = workspaceWith(how, [how]);
    const server = await serve(dir);
    const id = await submit(server);
    const code = await server.ended;
    expect([code, server.stderr()]).toEqual([1, expect.stringContaining('error[KIT_PLUGIN_CRASHED]')]);
    expect(server.stderr()).toContain(`${NAME} ended this process`);

    await completed(await serve(dir), id);
  },
  120_000,
);
