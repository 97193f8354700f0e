import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../support/components/postgres.js';
import { type LiveServer, type LiveServerOptions, startServer } from '../../../support/http/live-server.js';
import { makeDirectory } from '../../../support/http/serve-scene.js';
import { stepWorkspace } from '../../../support/http/step-workspace.js';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const done of cleanUp.splice(0).reverse()) await done();
});

async function workspace(files: Parameters<typeof makeDirectory>[0]): Promise<string> {
  const directory = await makeDirectory(files);
  cleanUp.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function start(options: LiveServerOptions): Promise<LiveServer> {
  const server = await startServer(options);
  cleanUp.push(() => server.end('SIGKILL'));
  return server;
}

const linesOf = (directory: string): readonly string[] =>
  existsSync(join(directory, 'lines.txt')) ? readFileSync(join(directory, 'lines.txt'), 'utf8').trim().split('\n') : [];
const reached = (directory: string, line: string) => expect.poll(() => linesOf(directory)).toContain(line);
const idOf = (job: Record<string, unknown>): string => String(job.id);

/** A run in the middle, one that waits, and a stopped one, over the death of their server. */
async function survives(directory: string, options: LiveServerOptions, afterDeath: () => Promise<void>): Promise<void> {
  const first = await start(options);
  const stopped = idOf(await first.submit('idle', { input: 'a' }));
  await first.until(stopped, 'completed');
  const running = idOf(await first.submit('steps', { input: 'b' }));
  await reached(directory, 'second');
  expect((await first.submit('idle', { input: 'c' })).code).toBe('capacity');
  await first.end('SIGKILL');
  expect(linesOf(directory)).toEqual(['first', 'second']);
  await afterDeath();
  writeFileSync(join(directory, 'go'), '');

  const second = await start(options);
  const done = await second.until(running, 'completed');
  expect(done).toMatchObject({ attempt: 2, output: 'all done' });
  // The first step was finished, the second was under way: it is repeated, and the log says so.
  expect(linesOf(directory)).toEqual(['first', 'second', 'second']);
  const stream = await (
    await fetch(`${second.url}/jobs/${running}/stream`, { headers: { authorization: 'Bearer read:ada' } })
  ).text();
  expect(stream).toContain('started again, attempt 2');
  expect(stream).toMatch(/\[done\] status=completed\n\n$/);
  expect(await second.job(stopped)).toMatchObject({ status: 'completed', attempt: 1 });
}

describe('a server that is killed', () => {
  it('goes on with its runs at the next start, without a finished step being done again', async () => {
    const directory = await workspace(stepWorkspace({ jobs: { max_concurrent: 1 } }));
    await survives(directory, { directory }, async () => {});
  });

  it('goes on the same on PostgreSQL, once its lease is over', async () => {
    const database: TestDatabase = await createDatabase();
    cleanUp.push(() => database.drop());
    const directory = await workspace(stepWorkspace({ jobs: { max_concurrent: 1 } }));
    await survives(directory, { directory, url: database.url }, async () => {
      await database.deserted();
      await database.elapse(120_000);
    });
  });

  it('leaves stopped runs stopped, and what was resumed and never claimed goes on', async () => {
    const directory = await workspace(stepWorkspace({ jobs: { max_concurrent: 1 } }));
    const first = await start({ directory });
    const running = idOf(await first.submit('steps', { input: 'b' }));
    await reached(directory, 'second');
    await first.act(`/jobs/${running}/stop`);
    await first.end('SIGKILL');

    const second = await start({ directory });
    // A stop was asked for: it is stopped at the sweep, and nobody goes on with it unasked.
    expect(await second.until(running, 'stopped')).toMatchObject({ reason: 'stop_requested', attempt: 1 });
    writeFileSync(join(directory, 'go'), '');
    expect((await second.act(`/jobs/${running}/resume`)).status).toBe(200);
    expect(await second.until(running, 'completed')).toMatchObject({ attempt: 2 });
  });
});

describe('a server that shuts down', () => {
  it('leaves what is not done in time to the next start, and repeats nothing that was finished', async () => {
    const directory = await workspace(stepWorkspace());
    const first = await start({ directory, graceMs: 200 });
    const running = idOf(await first.submit('steps', { input: 'b' }));
    await reached(directory, 'second');
    expect(await first.end('SIGTERM')).toBe(0);

    writeFileSync(join(directory, 'go'), '');
    const second = await start({ directory });
    expect(await second.until(running, 'completed')).toMatchObject({ attempt: 2, output: 'all done' });
    expect(linesOf(directory)[0]).toBe('first');
    expect(linesOf(directory).filter((line) => line === 'first')).toHaveLength(1);
  });

  it('lets a run end that is done in time', async () => {
    const directory = await workspace(stepWorkspace());
    const first = await start({ directory, graceMs: 20_000 });
    const running = idOf(await first.submit('steps', { input: 'b' }));
    await reached(directory, 'second');
    const ended = first.end('SIGTERM');
    writeFileSync(join(directory, 'go'), '');
    expect(await ended).toBe(0);
    const second = await start({ directory });
    expect(await second.job(running)).toMatchObject({ status: 'completed', attempt: 1 });
  });
});
