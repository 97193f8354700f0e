import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import { everythingOverHttp, serverProgram } from './everything.js';
import { call, callOf, mcpWorld, privateDirectory, textOf } from './world.js';

const stdio = (name: string, args: readonly string[] = [], more: JsonObject = {}): JsonObject => ({
  transport: 'stdio',
  command: [process.execPath, serverProgram(name), ...args],
  ...more,
});

describe('the server filesystem', () => {
  it('reads and writes files below its directory, and says which tools only read', async () => {
    const root = realpathSync(privateDirectory());
    writeFileSync(join(root, 'a.txt'), 'one\n');
    const server = await mcpWorld({ root }).open(stdio('filesystem', [root]));

    const hints = new Map((await server.tools()).map((tool) => [tool.name, tool.hints.readOnly]));
    expect([hints.get('read_text_file'), hints.get('write_file')]).toEqual([true, false]);
    expect(textOf(await call(server, 'read_text_file', { path: join(root, 'a.txt') }))).toBe('one\n');
    await call(server, 'write_file', { path: join(root, 'b.txt'), content: 'two' });
    expect(readFileSync(join(root, 'b.txt'), 'utf8')).toBe('two');
  });

  it('answers with an error where it may not read', async () => {
    const root = realpathSync(privateDirectory());
    const server = await mcpWorld({ root }).open(stdio('filesystem', [root]));

    const answer = await call(server, 'read_text_file', { path: '/etc/hostname' });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toContain('denied');
  });
});

describe('the server memory', () => {
  it('keeps what it is told, and answers in structured form', async () => {
    const file = join(privateDirectory(), 'memory.jsonl');
    const settings = stdio('memory', [], { env: { MEMORY_FILE_PATH: file } });
    const server = await mcpWorld().open(settings);

    await call(server, 'create_entities', {
      entities: [{ name: 'kit', entityType: 'program', observations: ['runs agents'] }],
    });
    await server.close();

    const again = await mcpWorld().open(settings);
    expect((await call(again, 'read_graph')).structured).toMatchObject({
      entities: [{ name: 'kit', observations: ['runs agents'] }],
    });
  });
});

describe.each(['stdio', 'streamableHttp', 'sse'] as const)('the server everything over %s', (transport) => {
  const settings = async (): Promise<JsonObject> =>
    transport === 'stdio' ? stdio('everything') : { transport: 'http', endpoint: await everythingOverHttp(transport) };

  it('echoes, adds, shows an image and structured content', async () => {
    const server = await mcpWorld().open(await settings());

    expect((await server.tools()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']),
    );
    expect(textOf(await call(server, 'echo', { message: 'hello' }))).toContain('hello');
    expect(textOf(await call(server, 'get-sum', { a: 2, b: 3 }))).toContain('5');
    const image = (await call(server, 'get-tiny-image')).parts.find(({ type }) => type === 'image');
    expect(image).toMatchObject({ mediaType: 'image/png', data: expect.stringMatching(/^[A-Za-z0-9+/=]{100,}$/) });
    expect((await call(server, 'get-structured-content', { location: 'New York' })).structured).toMatchObject({
      temperature: expect.any(Number),
    });
  });

  it('reports progress, and is stopped in the middle', async () => {
    const server = await mcpWorld().open(await settings());
    const stop = new AbortController();
    const seen: number[] = [];

    const onProgress = ({ done }: { readonly done: number }): void => {
      seen.push(done);
      stop.abort();
    };
    const long = server.call(
      { ...callOf('trigger-long-running-operation', { duration: 60, steps: 120 }), onProgress },
      stop.signal,
    );

    await expect(long).rejects.toMatchObject({ code: 'KIT_TOOL_CALL_FAILED', data: { reason: 'aborted', sent: true } });
    expect(seen[0]).toBe(1);
    expect(textOf(await call(server, 'echo', { message: 'still there' }))).toContain('still there');
  });

  it('refuses a tool that it does not have, and arguments that do not fit', async () => {
    const server = await mcpWorld().open(await settings());

    const outcomes = await Promise.all(
      [call(server, 'no-such-tool'), call(server, 'get-sum', { a: 'x' })].map((one) =>
        one.catch((error: unknown) => error),
      ),
    );
    for (const outcome of outcomes) {
      if (outcome instanceof Error)
        expect(outcome).toMatchObject({ code: 'KIT_TOOL_CALL_FAILED', data: { reason: 'error' } });
      else expect(outcome).toMatchObject({ isError: true });
    }
  });
});
