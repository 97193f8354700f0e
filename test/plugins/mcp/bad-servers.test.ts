import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesWith, until } from '../../support/processes.js';
import { badServer, call, mcpWorld, privateDirectory, textOf } from './world.js';

const failed = (data: object, message: unknown = expect.any(String)) => ({
  code: 'KIT_TOOL_CALL_FAILED',
  message,
  data: expect.objectContaining(data),
});
const notStarted = (data: object, message: unknown = expect.any(String)) => ({
  code: 'KIT_TOOL_SERVER_FAILED',
  message,
  data: expect.objectContaining({ server: 'tools', ...data }),
});

describe('a server that misbehaves', () => {
  it('may print text before its messages and between them', async () => {
    const world = mcpWorld();
    const server = await world.open(badServer('noise'));

    expect(textOf(await call(server, 'go', { mode: 'noise-in-call' }))).toBe('after the noise');
    expect(world.logged.filter((line) => line.includes('not a message'))).toHaveLength(1);
    expect(world.logged.join()).not.toContain('Welcome');
  });

  it('has its first answer taken when it answers twice', async () => {
    const server = await mcpWorld().open(badServer('good'));

    expect(textOf(await call(server, 'go', { mode: 'twice' }))).toBe('first');
    expect(textOf(await call(server, 'go', { mode: 'says', n: 2 }))).toContain('"n":2');
  });

  it('may answer what nobody asked', async () => {
    const server = await mcpWorld().open(badServer('unknown-id'));

    expect(textOf(await call(server, 'go'))).toBe('for you');
  });

  it.each(['large', 'larger'])('fails the one call that it answers with too much (%s)', async (mode) => {
    const server = await mcpWorld().open(badServer('good'));
    const other = call(server, 'go', { mode: 'says' });

    await expect(call(server, 'go', { mode })).rejects.toMatchObject(failed({ sent: true }));
    expect(textOf(await other)).toContain('says');
    expect(textOf(await call(server, 'go', { mode: 'says' }))).toContain('says');
  });

  it('and asks without end while it reads no answer is ended, and starts anew for the next call', async () => {
    const world = mcpWorld();
    const server = await world.open(badServer('good'));

    await expect(call(server, 'go', { mode: 'floods' })).rejects.toMatchObject(
      failed({ reason: 'disconnected', sent: true }),
    );
    expect(textOf(await call(server, 'go', { mode: 'says' }))).toContain('says');
    expect(world.spawned).toHaveLength(2);
  });

  it('names what is too large, and stays in use', async () => {
    const world = mcpWorld();
    const server = await world.open(badServer('large'));

    await expect(call(server, 'go')).rejects.toMatchObject(
      failed({ reason: 'too_large', tool: 'go', server: 'tools' }),
    );
    await expect(call(server, 'go', { mode: 'says' }, { maxBytes: 10 })).rejects.toMatchObject(
      failed({ reason: 'too_large' }, expect.stringContaining('10 may')),
    );
    expect(world.spawned).toHaveLength(1);
  });

  it('fails the calls in flight when it dies, with the last eight lines of its stderr, and is started again for the next call', async () => {
    const world = mcpWorld();
    const server = await world.open(badServer('good'));
    const other = call(server, 'go', { mode: 'silent' });
    other.catch(() => {});

    const stderr = [...[14, 15, 16, 17, 18, 19, 20].map((n) => `line ${n}`), 'out of cheese'];
    await expect(call(server, 'go', { mode: 'dies' })).rejects.toMatchObject(
      failed({ reason: 'disconnected', sent: true, stderr }),
    );
    await expect(other).rejects.toMatchObject(failed({ reason: 'disconnected', sent: true }));
    expect(textOf(await call(server, 'go', { mode: 'says' }))).toContain('says');
    expect(world.spawned).toHaveLength(2);
    expect(world.asked()).toBe(2);
  });

  it('is started again when it died between two calls', async () => {
    const notes = join(privateDirectory(), 'notes');
    const MARK = `mark-${Math.random()}`;
    const world = mcpWorld();
    const server = await world.open(badServer('dies-once', notes, { env: { MARK } }));

    expect(textOf(await call(server, 'go'))).toBe('life 1');
    await until('it has ended', () => processesWith(MARK).length === 0);
    // A call that is sent before its end was noticed is lost: it may have been done.
    await until('it was started again', async () => {
      await server.tools();
      return world.spawned.length === 2;
    });
    expect(textOf(await call(server, 'go'))).toBe('life 2');
    expect(world.spawned).toHaveLength(2);
  });

  it('tells its tools anew after it said that they changed', async () => {
    const server = await mcpWorld().open(badServer('good'));
    const before = await server.tools();
    expect(before.map(({ inputSchema }) => inputSchema)).toEqual([{ type: 'object' }]);
    expect(await server.tools()).toBe(before);

    await call(server, 'go', { mode: 'changes' });

    expect((await server.tools())[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { more: { type: 'string' } },
    });
  });

  it('has what no model can be shown named in its place, and a picture taken as one', async () => {
    const server = await mcpWorld().open(badServer('media'));
    const { parts } = await call(server, 'go');

    expect(parts).toEqual([
      { type: 'other', kind: 'audio', uri: null, text: '[audio, audio/wav, 3 bytes: left out, no model is shown it]' },
      {
        type: 'other',
        kind: 'resource',
        uri: 'file:///a.zip',
        text: '[resource file:///a.zip, application/zip, 4 bytes: left out, no model is shown it]',
      },
      { type: 'image', mediaType: 'image/png', data: 'iVBORw0=' },
      { type: 'other', kind: 'resource', uri: 'file:///a.txt', text: 'its words' },
    ]);
  });

  it('is asked for all pages of its tools', async () => {
    expect((await (await mcpWorld().open(badServer('pages'))).tools()).map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('is not asked for ever when its pages do not end', async () => {
    expect((await (await mcpWorld().open(badServer('endless-pages'))).tools()).length).toBe(100);
  });

  it.each([
    ['no-result', 'malformed'],
    ['no-content', 'malformed'],
    ['error', 'error'],
  ])('fails the call that it answers with %s', async (mode, reason) => {
    const server = await mcpWorld().open(badServer('good'));

    await expect(call(server, 'go', { mode })).rejects.toMatchObject(failed({ reason, sent: true }));
    expect(textOf(await call(server, 'go', { mode: 'says' }))).toContain('says');
  });

  it('gets nothing when it asks for input in the middle of a call', async () => {
    const notes = join(privateDirectory(), 'notes');
    const server = await mcpWorld().open(badServer('asks', notes));

    expect(textOf(await call(server, 'go'))).toBe('asked');
    await until('it was answered', () => readFileSync(notes, 'utf8').includes('answer'));
  });
});

describe('a call that is not answered', () => {
  it('ends after its time, and the server is told', async () => {
    const notes = join(privateDirectory(), 'notes');
    const server = await mcpWorld().open(badServer('silent', notes));

    await expect(call(server, 'go', {}, { timeoutMs: 100 })).rejects.toMatchObject(
      failed({ reason: 'timeout', sent: true }, expect.stringContaining('100 ms')),
    );
    await until('it was told', () => readFileSync(notes, 'utf8').includes('notifications/cancelled'));
  });

  it('ends at once when it is stopped, and the server is told', async () => {
    const notes = join(privateDirectory(), 'notes');
    const server = await mcpWorld().open(badServer('silent', notes));
    const stop = new AbortController();
    const waiting = call(server, 'go', {}, {}, stop.signal);
    waiting.catch(() => {});
    await until('it was called', () => readFileSync(notes, 'utf8').includes('tools/call'));

    stop.abort();

    await expect(waiting).rejects.toMatchObject(failed({ reason: 'aborted', sent: true }));
    await until('it was told', () => readFileSync(notes, 'utf8').includes('notifications/cancelled'));
    expect(textOf(await call(server, 'go', { mode: 'says' }))).toContain('says');
  });

  it('is not sent when it was stopped before', async () => {
    const notes = join(privateDirectory(), 'notes');
    const server = await mcpWorld().open(badServer('good', notes));

    await expect(call(server, 'go', {}, {}, AbortSignal.abort())).rejects.toMatchObject(
      failed({ reason: 'aborted', sent: false }),
    );
    expect(readFileSync(notes, 'utf8')).not.toContain('tools/call');
  });

  it('ends when the server closes its stdout and stays', async () => {
    const server = await mcpWorld().open(badServer('good'));

    await expect(call(server, 'go', { mode: 'closes-stdout' }, { timeoutMs: 10_000 })).rejects.toMatchObject(
      failed({ sent: true }),
    );
    expect(textOf(await call(server, 'go', { mode: 'says' }))).toContain('says');
  });
});

describe('a server that does not start', () => {
  const quick = { config: { start_timeout_ms: 300 } };

  it('is given up when it does not answer initialize', async () => {
    const world = mcpWorld(quick);

    await expect(world.open(badServer('no-initialize'))).rejects.toMatchObject(
      notStarted({ reason: 'timeout' }, expect.stringContaining('initialize')),
    );
  });

  it('is given up when it does not list its tools', async () => {
    await expect(mcpWorld({ config: { start_timeout_ms: 1_000 } }).open(badServer('no-list'))).rejects.toMatchObject(
      notStarted({ reason: 'timeout' }),
    );
  });

  it('is refused when it answers initialize with nonsense', async () => {
    await expect(mcpWorld().open(badServer('initialize-nonsense'))).rejects.toMatchObject(
      notStarted({ reason: 'protocol' }),
    );
  });

  it('is named with the last eight lines that it wrote', async () => {
    const stderr = [...[14, 15, 16, 17, 18, 19, 20].map((n) => `line ${n}`), 'cannot find the module sekret-module'];

    await expect(mcpWorld().open(badServer('dies-at-start'))).rejects.toMatchObject(
      notStarted({ reason: 'exited', stderr }, expect.stringContaining('cannot find the module')),
    );
  });

  it('is named when its program does not exist', async () => {
    await expect(mcpWorld().open({ transport: 'stdio', command: ['kit-no-such-program'] })).rejects.toMatchObject(
      notStarted({ reason: 'spawn' }, expect.stringContaining('kit-no-such-program')),
    );
  });

  it.each([
    [{ transport: 'stdio' }, 'command'],
    [{ transport: 'stdio', command: [] }, 'command'],
    [{ transport: 'http', endpoint: 'ftp://user:pw@host' }, 'endpoint'],
  ])('is refused without a way to it: %j', async (settings, word) => {
    const error = await mcpWorld()
      .open(settings)
      .catch((thrown: unknown) => thrown);

    expect(error).toMatchObject(notStarted({ reason: 'settings' }, expect.stringContaining(word)));
    expect(String(error)).not.toContain('pw');
  });

  it('is given up when the run is over', async () => {
    const world = mcpWorld();
    const opening = world.open(badServer('no-initialize'));
    opening.catch(() => {});
    await until('it was started', () => world.spawned.length === 1);

    world.stop.abort();

    await expect(opening).rejects.toMatchObject({ code: 'KIT_TOOL_SERVER_FAILED' });
  });
});
