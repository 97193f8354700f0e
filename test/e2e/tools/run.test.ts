import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeProgram } from '../../plugins/mcp/fake-runtime.js';
import type { ModelServer } from '../../support/model-server.js';
import { isRunning, until } from '../../support/processes.js';
import { eventsOf, lastOf, makeWorld, type World } from '../world.js';
import {
  callOf,
  inputOf,
  realServer,
  type SceneText,
  startCallingModel,
  type ToolScene,
  toolScene,
} from './tool-world.js';

let world: World;
let model: ModelServer;
beforeAll(async () => {
  [world, model] = await Promise.all([makeWorld(), startCallingModel()]);
});
afterAll(async () => {
  await model.close();
  await world.dispose();
});

const env = (): NodeJS.ProcessEnv => ({ MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' });
const scene = (name: string, text: SceneText): ToolScene => toolScene(world, name, text);
const run = (dir: string, input: string, ...flags: string[]) =>
  world.kit(['run', dir, 'talk', '--input', input, '--json', ...flags], { env: env() });
const start = (dir: string, input: string) =>
  world.start(['run', dir, 'talk', '--input', input, '--json'], { env: env(), stdin: '' });
const resume = (dir: string, id: string) => world.kit(['run', dir, 'talk', `--resume=${id}`, '--json'], { env: env() });
const did = ({ notes }: ToolScene, what: string) => notes().filter((note) => note.did === what);
const executed = (result: Parameters<typeof eventsOf>[0]) =>
  eventsOf(result).filter(({ type }) => type === 'skill.executed');

describe('kit run', () => {
  it('calls tools of real servers, opens no other server, and leaves none of them running', async () => {
    const files = join(world.base, 'shared');
    mkdirSync(files);
    writeFileSync(join(files, 'a.txt'), 'words of a file');
    const started = (name: string, ...args: string[]): string =>
      `command: [${[process.execPath, realServer(name), ...args].join(', ')}]`;
    const { dir } = scene('real', {
      servers: `  - { id: all, transport: stdio, ${started('everything')} }
  - { id: files, transport: stdio, ${started('filesystem', files)}, effects: { write_file: write } }
  - { id: memory, transport: stdio, ${started('memory')}, env: { MEMORY_FILE_PATH: ${join(world.base, 'graph.jsonl')} } }
  - { id: idle, transport: stdio, command: [no-such-program] }
`,
      tools: [
        { skill: 'echo', server: 'all', tool: 'echo' },
        { skill: 'picture', server: 'all', tool: 'get-tiny-image' },
        {
          skill: 'weather',
          server: 'all',
          tool: 'get-structured-content',
          more: 'outputs: { type: object, required: [temperature] }\n',
        },
        { skill: 'read', server: 'files', tool: 'read_text_file' },
        { skill: 'write', server: 'files', tool: 'write_file' },
        { skill: 'learn', server: 'memory', tool: 'create_entities' },
      ],
    });

    const result = await run(
      dir,
      inputOf(
        [
          { name: 'echo', arguments: { message: 'hello' } },
          { name: 'picture', arguments: {} },
          { name: 'weather', arguments: { location: 'New York' } },
          { name: 'read', arguments: { path: join(files, 'a.txt') } },
          { name: 'write', arguments: { path: join(files, 'b.txt'), content: 'written' } },
        ],
        [{ name: 'learn', arguments: { entities: [{ name: 'kit', entityType: 'tool', observations: ['runs'] }] } }],
      ),
    );

    expect([result.code, result.stderr]).toEqual([0, expect.any(String)]);
    // Calls of one answer end in any order.
    const ends = executed(result).map(({ payload }) => [
      String(payload.tool),
      payload.server,
      payload.status,
      payload.effects,
    ]);
    expect(ends.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ['echo', 'all', 'ok', 'read'],
      ['learn', 'memory', 'ok', expect.any(String)],
      ['picture', 'all', 'ok', expect.any(String)],
      ['read', 'files', 'ok', 'read'],
      ['weather', 'all', 'ok', expect.any(String)],
      ['write', 'files', 'ok', 'write'],
    ]);
    const reported = JSON.stringify(model.requests.at(-1)?.body);
    for (const words of ['hello', 'words of a file', 'temperature', 'all/echo', 'files/read_text_file', 'image/png'])
      expect(reported).toContain(words);
    expect(readFileSync(join(files, 'b.txt'), 'utf8')).toBe('written');
    expect(world.leftovers()).toEqual([]);
  }, 120_000);

  it('opens a server once a run, asks for a read once, and starts a server anew that left', async () => {
    const opened = scene('reconnect', { tools: ['look', 'keep', 'leave'] });

    const calls = inputOf(...['look', 'look', 'leave', 'look', 'keep', 'look'].map((name) => [callOf(name)]));
    const result = await run(opened.dir, calls);

    expect(result.code).toBe(0);
    expect(executed(result).map(({ payload }) => [payload.tool, payload.status, payload.cached])).toEqual([
      ['look', 'ok', false],
      ['look', 'ok', true],
      ['leave', 'ok', false],
      ['look', 'ok', false],
      ['keep', 'ok', false],
      ['look', 'ok', false],
    ]);
    expect(did(opened, 'started')).toHaveLength(2);
    expect(new Set(opened.notes().map(({ pid }) => pid)).size).toBe(2);
    await until('no server is left', () => opened.notes().every(({ pid }) => !isRunning(pid)));
  }, 60_000);

  it('parks a call of the tier strict; its approval makes one call, and the run goes on', async () => {
    const opened = scene('strict', { tools: ['keep'], server: 'permission: strict' });

    const parked = await run(opened.dir, inputOf([callOf('keep', 'the lot')]));

    expect(parked.code).toBe(3);
    expect(did(opened, 'keep')).toEqual([]);
    const list = await world.kit(['review', 'list', opened.dir, '--json'], { env: env() });
    const [item] = (list.lines().at(-1)?.items ?? []) as readonly { readonly id: string; readonly kind: string }[];
    expect(item).toMatchObject({ kind: 'permission' });
    const shown = await world.kit(['review', 'show', item?.id ?? '', opened.dir, '--json'], { env: env() });
    for (const word of ['scene', 'keep', 'the lot']) expect(shown.stdout).toContain(word);
    const resolved = await world.kit(
      ['review', 'approve', item?.id ?? '', opened.dir, '--resume', '--as', 'qa-1', '--json'],
      { env: env() },
    );
    expect([resolved.code, resolved.stdout]).toEqual([0, expect.any(String)]);
    const job = String(lastOf(parked).id);
    await until('the run has ended', async () => {
      const done = await world.kit(['trace', job, opened.dir, '--json'], { env: env() });
      return done.stdout.includes('"completed"');
    });
    expect(did(opened, 'keep')).toMatchObject([{ input: { text: 'the lot' } }]);
  }, 90_000);

  it('that is killed in the middle of a call makes a call again that only reads, with the same step id', async () => {
    const opened = scene('killed-read', { tools: ['wait-read'] });
    const live = start(opened.dir, inputOf([callOf('wait-read')]));
    const [, id = ''] = await live.sees(/"run_id":"([0-9a-f]{12})"/);
    await live.sees(/tool\.progress/);
    live.child.kill('SIGKILL');
    await live.ended;
    await until('its server is gone', () => opened.notes().every(({ pid }) => !isRunning(pid)));
    opened.go();

    const result = await resume(opened.dir, id);

    expect(result.code).toBe(0);
    expect(eventsOf(result).map(({ type }) => type)).toContain('step.repeated');
    const [first, second, ...more] = did(opened, 'wait-read');
    expect(more).toEqual([]);
    expect(second?.step).toBe(first?.step);
    expect(second?.pid).not.toBe(first?.pid);
    expect(lastOf(result).output).toContain('waited');
  }, 60_000);

  it.each([
    { what: 'is declared to fail in doubt', tool: 'wait-keep', server: 'on_in_doubt: { wait-keep: fail }' },
    { what: 'its server calls destructive', tool: 'wipe', server: 'permission: open' },
  ])(
    'that is killed in the middle of a call does not repeat one that $what',
    async ({ tool, server }) => {
      const opened = scene(`killed-${tool}`, { tools: [tool], server });
      const live = start(opened.dir, inputOf([callOf(tool)]));
      const [, id = ''] = await live.sees(/"run_id":"([0-9a-f]{12})"/);
      await live.sees(/tool\.progress/);
      live.child.kill('SIGKILL');
      await live.ended;
      await until('its server is gone', () => opened.notes().every(({ pid }) => !isRunning(pid)));
      opened.go();

      const result = await resume(opened.dir, id);

      expect(eventsOf(result).map(({ type }) => type)).toContain('step.in_doubt');
      expect(did(opened, tool)).toHaveLength(1);
      // A call that may have wiped something is put before a person; the other one is told to the
      // model as failed.
      if (tool === 'wipe') expect(result.code).toBe(3);
      else expect([result.code, String(lastOf(result).output)]).toEqual([0, expect.stringContaining('in_doubt')]);
    },
    60_000,
  );

  it('that is stopped twice ends its call, and no server is left', async () => {
    const opened = scene('stopped', { tools: ['wait-keep'] });
    const live = start(opened.dir, inputOf([callOf('wait-keep')]));
    await live.sees(/tool\.progress/);

    live.child.kill('SIGINT');
    await live.sees(/run\.stopped/);
    live.child.kill('SIGINT');
    const { code } = await live.ended;

    expect(code).toBe(130);
    await until('its server is gone', () => opened.notes().every(({ pid }) => !isRunning(pid)));
    expect(world.leftovers()).toEqual([]);
  }, 60_000);

  it.each([
    {
      what: 'prints why and ends',
      command: `[sh, -c, "echo no licence for you >&2; exit 4"]`,
      says: ['broken', 'no licence for you'],
    },
    { what: 'is not there', command: '[no-such-program]', says: ['broken', 'no-such-program'] },
  ])(
    'fails by name when a server that it needs $what',
    async ({ command, says }) => {
      const { dir } = scene(`broken-${says.length}-${command.length}`, {
        servers: `  - { id: broken, transport: stdio, command: ${command} }\n`,
        tools: [{ skill: 'go', server: 'broken', tool: 'go' }],
      });

      const result = await run(dir, inputOf([callOf('go')]));

      expect(result.code).toBe(1);
      for (const words of says) expect(JSON.stringify(lastOf(result))).toContain(words);
    },
    60_000,
  );

  it('starts a sandboxed server with the runtime and the image that the machine names, and the doctor asks for a runtime where none answers', async () => {
    const programs = join(world.base, 'programs');
    mkdirSync(programs);
    writeProgram(programs, 'podman', 'image-of-the-machine');
    const opened = scene('sandboxed', { tools: ['look'], server: 'sandboxed: true' });
    const machine = { ...env(), KIT_CONTAINER_RUNTIME: 'podman', KIT_SANDBOX_IMAGE: 'image-of-the-machine' };

    const result = await world.kit(['run', opened.dir, 'talk', '--input', inputOf([callOf('look')]), '--json'], {
      env: { ...machine, PATH: `${programs}:${world.env.PATH}` },
    });
    const none = await world.kit(['doctor', opened.dir, '--json'], {
      env: { ...machine, PATH: join(world.base, 'nothing') },
    });

    expect([result.code, String(lastOf(result).output)]).toEqual([0, expect.stringContaining('saw one')]);
    expect(JSON.stringify(none.lines().at(-1))).toContain('scene asks for a container');
  }, 60_000);

  it('refuses a container that nothing here can run, before a word is sent to a model', async () => {
    const before = model.requests.length;
    const { dir } = scene('contained', { tools: ['look'], server: 'sandboxed: true, sandbox_image: none' });

    const result = await world.kit(['run', dir, 'talk', '--input', inputOf([callOf('look')]), '--json'], {
      env: { ...env(), KIT_CONTAINER_RUNTIME: 'warp-drive' },
    });

    expect(result.code).toBe(1);
    expect(JSON.stringify(lastOf(result))).toContain('warp-drive');
    expect(model.requests.length).toBe(before);
  }, 60_000);

  it('tells of a server that does not start by the events of the run, and not by a line of the log as well', async () => {
    const { dir } = scene('absent', {
      servers: '  - { id: gone, transport: stdio, command: [no-such-program] }\n',
      tools: [{ skill: 'look', server: 'gone', tool: 'look' }],
    });

    const result = await run(dir, inputOf([callOf('look')]));

    expect(result.code).toBe(1);
    expect(JSON.stringify(lastOf(result))).toContain('no-such-program');
    expect(result.stderr).not.toContain('a step threw');
  }, 60_000);
});
