import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesWith, until } from '../../support/processes.js';
import { badServer, call, callOf, mcpWorld, privateDirectory, textOf } from './world.js';

const said = async (answer: Promise<Parameters<typeof textOf>[0]>) => JSON.parse(textOf(await answer));
const mark = (): string => `mark-${Math.random()}`;

describe('a stdio server', () => {
  it('has the allowed environment and the declared one, and nothing of it on a command line', async () => {
    const world = mcpWorld();
    const server = await world.open(badServer('good', '', { env: { API_KEY: 'sekret-value' } }));

    const { env } = await said(call(server, 'go', { mode: 'says' }));
    expect(Object.keys(env).sort()).toEqual(['API_KEY', 'KIT_PROCESS_ID', 'PATH']);
    expect(JSON.stringify(world.spawned.map(({ argv }) => argv))).not.toContain('sekret-value');
  });

  it('works in the directory that is written, below the workspace, else in its root', async () => {
    const root = realpathSync(privateDirectory());
    mkdirSync(join(root, 'inner'));
    const inner = await mcpWorld({ root }).open(badServer('good', '', { cwd: 'inner' }));
    const outer = await mcpWorld({ root }).open(badServer('good'));

    expect((await said(call(inner, 'go', { mode: 'says' }))).cwd).toBe(join(root, 'inner'));
    expect((await said(call(outer, 'go', { mode: 'says' }))).cwd).toBe(root);
  });

  it('is told the step and the trace of a call', async () => {
    const server = await mcpWorld().open(badServer('good'));
    const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

    const { params } = await said(call(server, 'go', { mode: 'says' }, { stepId: 's7', traceParent }));
    expect(params).toMatchObject({
      name: 'go',
      arguments: { mode: 'says' },
      _meta: { 'kit/step_id': 's7', traceparent: traceParent },
    });
  });

  it('reports progress to the caller alone that waits for it', async () => {
    const server = await mcpWorld().open(badServer('progress'));
    const seen: unknown[] = [];

    const [answer] = await Promise.all([
      server.call(
        { ...callOf('go'), onProgress: (progress) => void seen.push(progress) },
        new AbortController().signal,
      ),
      server.call({ ...callOf('go'), onProgress: () => undefined }, new AbortController().signal),
    ]);

    expect(textOf(answer)).toBe('done');
    expect(seen).toEqual([1, 2].map((done) => ({ done, total: 2, message: `at ${done}` })));
  });

  it('serves many calls at once over one process', async () => {
    const world = mcpWorld();
    const server = await world.open(badServer('good'));

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => said(call(server, 'go', { mode: 'says', n }))),
    );

    expect(answers.map(({ params }) => params.arguments.n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect(world.spawned).toHaveLength(1);
  });

  it('leaves by itself when it is closed, twice', async () => {
    const notes = join(privateDirectory(), 'notes');
    const server = await mcpWorld().open(badServer('good', notes));

    await server.close();
    await server.close();

    expect(readFileSync(notes, 'utf8').trim().split('\n').at(-1)).toBe('stdin ended');
    await expect(call(server, 'go')).rejects.toMatchObject({ code: 'KIT_TOOL_CALL_FAILED', data: { sent: false } });
  });

  it('is ended when it does not leave', async () => {
    const MARK = mark();
    const notes = join(privateDirectory(), 'notes');
    const server = await mcpWorld().open(badServer('stays', notes, { env: { MARK } }));
    expect(processesWith(MARK)).not.toEqual([]);

    await server.close();

    expect(processesWith(MARK)).toEqual([]);
    expect(readFileSync(notes, 'utf8')).toContain('term');
  });

  it('ends with the run', async () => {
    const MARK = mark();
    const world = mcpWorld();
    const server = await world.open(badServer('good', '', { env: { MARK } }));
    const waiting = call(server, 'go', { mode: 'silent' });
    waiting.catch(() => {});

    world.stop.abort();

    await expect(waiting).rejects.toMatchObject({ code: 'KIT_TOOL_CALL_FAILED', data: { reason: 'aborted' } });
    await until('it is gone', () => processesWith(MARK).length === 0);
  });
});
