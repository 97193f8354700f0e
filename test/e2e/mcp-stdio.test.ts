import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { textOf } from '../support/mcp/clients.js';
import { STDIO_CLIENTS, type StdioClient } from '../support/mcp/stdio.js';
import { mcpWorkspace } from '../support/mcp/workspace.js';
import { caller, cardOf, desk, PEER } from '../support/protocols/remote-world.js';
import { harnessWorkspace } from './workspaces.js';
import { makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

/** What a process may wait for on a busy machine. */
const WAIT = { timeout: 60_000, interval: 200 };

let made = 0;
const place = (files: Readonly<Record<string, string>> = mcpWorkspace()): string => world.files(`w${++made}`, files);
const reach = (...argv: readonly string[]) => ({ argv, env: world.env, cwd: world.base });
const rows = async (directory: string): Promise<readonly Record<string, unknown>[]> =>
  ((await world.here(['status', directory, '--json'])).lines().at(-1)?.runs ?? []) as Record<string, unknown>[];
const hasBegun = async (directory: string): Promise<boolean> =>
  (await readFile(join(directory, 'lines.txt'), 'utf8').catch(() => '')).includes('second');
/** A run that is under way, and the call that waits for it. */
async function begin(client: StdioClient, directory: string, signal?: AbortSignal) {
  const call = client
    .call('run_steps', { input: 'x' }, signal === undefined ? {} : { signal })
    .catch((error: unknown) => error);
  await vi.waitUntil(() => hasBegun(directory), { timeout: 60_000, interval: 100 });
  return { call };
}

describe.each(STDIO_CLIENTS)('kit mcp serve before $name', { timeout: 120_000 }, ({ open }) => {
  it('runs topologies as ordinary runs of whoever started it', async () => {
    const directory = place();
    const client = await open(reach(directory, '--as', 'grace'));

    expect((await client.tools()).map(({ name }) => name)).toContain('run_shaped');
    const done = await client.call('run_shaped', { n: 3 });
    const parked = await client.call('run_release', { input: 'ship it' });
    const failed = await client.call('run_shaped', { n: 'three' });

    expect(done.structuredContent?.status).toBe('completed');
    expect(parked.structuredContent?.status).toBe('deferred');
    expect(parked.structuredContent?.gate_url).toBeUndefined();
    expect(textOf(parked)).toContain('kit review');
    expect(failed).toMatchObject({ isError: true, _meta: { 'kit/code': 'input-invalid' } });
    await client.close();
    const shown = await rows(directory);
    expect(shown.map(({ source, status }) => [source, status])).toEqual([
      ['mcp', 'deferred'],
      ['mcp', 'completed'],
    ]);
    expect(
      shown.every((row) => JSON.stringify(row.submitted_by) === '{"identity":"grace","assurance":"asserted"}'),
    ).toBe(true);
  });

  it('stops the run of a call that is cancelled', async () => {
    const directory = place();
    const client = await open(reach(directory));
    const over = new AbortController();
    const { call } = await begin(client, directory, over.signal);

    over.abort();
    expect(await call).toBeInstanceOf(Error);
    const run = async () => (await rows(directory))[0];
    // The client says so and does not wait: the run goes on until the server has heard it.
    await vi.waitUntil(async () => typeof (await run())?.stop_requested_at === 'string', WAIT);
    await writeFile(join(directory, 'go'), '');
    await vi.waitUntil(async () => (await run())?.status === 'stopped', WAIT);
    await client.close();
  });

  it('stops what its client leaves, which goes on with kit run --resume', async () => {
    const directory = place();
    const client = await open(reach(directory));
    const { call } = await begin(client, directory);

    await client.close();
    await call;
    const [left] = await vi.waitUntil(
      async () => {
        const found = await rows(directory);
        return found[0]?.status === 'stopped' ? found : null;
      },
      { timeout: 30_000, interval: 200 },
    );
    const listed = await world.here(['checkpoints', directory, '--json']);
    await writeFile(join(directory, 'go'), '');
    const resumed = await world.kit(['run', directory, `--resume=${left?.id}`, '--json']);

    expect(listed.stdout).toContain(String(left?.id));
    expect(resumed.lines().at(-1)).toMatchObject({ status: 'completed', output: 'all done' });
  });

  it('leaves a run stopped when it is killed together with its client', async () => {
    const directory = place();
    const client = await open(reach(directory));
    const { call } = await begin(client, directory);

    process.kill(client.pid(), 'SIGKILL');
    await call;

    const listed = await world.here(['checkpoints', directory, '--json']);
    expect(listed.stdout).toContain('stopped');
    expect((await rows(directory))[0]?.status).toBe('stopped');
    await writeFile(join(directory, 'go'), '');
  });
});

describe('kit mcp serve', { timeout: 120_000 }, () => {
  const { open } = STDIO_CLIENTS[2] ?? { open: () => Promise.reject(new Error('there is no client')) };

  it('serves several workspaces, with their names before those of their topologies', async () => {
    const one = place();
    const other = place(mcpWorkspace({ workspace: { metadata: { id: 'other', name: 'Other' } } }));
    const client = await open(reach(one, other, '--topology', 'idle', '--topology', 'sh*'));

    const tools = await client.tools();
    expect(tools.map(({ name }) => name)).toEqual([
      'run_served_idle',
      'run_served_shaped',
      'run_other_idle',
      'run_other_shaped',
      'kit_job',
    ]);
    expect(tools[0]?.description).toMatch(/^served: /);
    const done = await client.call('run_other_idle', { input: 'hi' });
    expect((await client.call('kit_job', { job_id: done.structuredContent?.job_id })).structuredContent).toEqual(
      done.structuredContent,
    );
    expect([(await rows(one)).length, (await rows(other)).length]).toEqual([0, 1]);
    expect((await client.resources()).map(({ uri }) => uri)).toContain('topology://other_idle');
    await client.close();
  });

  it('says where people decide when the server of the workspace has an address', async () => {
    const directory = place(mcpWorkspace({ server: { public_url: 'https://kit.example/team/' } }));
    const client = await open(reach(directory));

    const { structuredContent = {} } = await client.call('run_release', { input: 'ship it' });
    expect(structuredContent.gate_url).toBe(`https://kit.example/team/gates/${structuredContent.job_id}:boss`);
    await client.close();
  });

  it('tells where people of another kit decide, without an address of its own', async () => {
    const directory = place(caller(cardOf(await desk()), 'release'));
    const client = await open({ ...reach(directory), env: { ...world.env, ...PEER } });

    const { structuredContent = {} } = await client.call('run_front', { input: 'hello' });
    expect(structuredContent).toMatchObject({ status: 'running', gate_url: expect.stringContaining('/gates/') });
    await client.close();
    expect((await rows(directory))[0]?.status).toBe('stopped');
  });

  it('refuses an adapter that nobody approved, with the line to paste', async () => {
    const directory = place(harnessWorkspace('echo {}'));
    const client = await open(reach(directory));

    const refused = await client.call('run_own', { input: 'hi' });
    expect(refused).toMatchObject({ isError: true, _meta: { 'kit/code': 'adapter-untrusted' } });
    expect(textOf(refused)).toContain(`kit adapters approve own ${directory}`);
    await client.close();
  });

  it('takes no more runs at once than the workspace allows', async () => {
    const directory = place(mcpWorkspace({ server: { jobs: { max_concurrent: 1 }, mcp: { wait_seconds: 0 } } }));
    const client = await open(reach(directory));
    await client.call('run_steps', { input: 'x' });

    expect(await client.call('run_idle', { input: 'hi' })).toMatchObject({
      isError: true,
      _meta: { 'kit/code': 'capacity' },
    });
    await client.close();
  });

  it.each([
    ['a workspace that is none', ['nowhere'], 'KIT_WORKSPACE_NOT_FOUND'],
    ['a glob that fits nothing', ['sound', '--topology', 'no*'], 'no topology is called no*'],
    ['two workspaces of one name', ['sound', 'same'], 'two topologies would be one tool: run_served_either'],
    ['a name that is too long', ['long'], 'at most 64 characters: run_aaaa'],
  ])('refuses to start with %s, and writes nothing to stdout', async (_, argv, words) => {
    world.files('sound', mcpWorkspace());
    world.files('same', mcpWorkspace());
    const long = 'a'.repeat(61);
    const { 'topologies/idle.yaml': idle = '' } = mcpWorkspace();
    world.files('long', { ...mcpWorkspace(), [`topologies/${long}.yaml`]: idle.replaceAll('"idle"', `"${long}"`) });

    const refused = await world.kit(['mcp', 'serve', ...argv]);

    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(words);
    expect(refused.stdout).toBe('');
  });

  it('writes nothing but the protocol to stdout, whatever it is sent', async () => {
    const directory = place();
    const opening = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    const lines = [
      JSON.stringify(opening),
      'this is not a message',
      '{"jsonrpc":"2.0","id":2,"method":"no/such"}',
      '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"run_idle","arguments":{"input":"hi"}}}',
    ];
    const live = world.start(['mcp', 'serve', directory]);
    live.child.stdin?.write(`${lines.join('\n')}\n`);
    await vi.waitUntil(() => live.stdout().includes('"id":3'), { timeout: 60_000, interval: 50 });
    live.child.stdin?.end();
    const { code } = await live.ended;

    const answers = live
      .stdout()
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text));
    expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(
      answers
        .map(({ id }) => id)
        .filter((id) => id !== undefined && id !== null)
        .toSorted(),
    ).toEqual([1, 2, 3]);
    expect(code).toBe(0);
  });
});
