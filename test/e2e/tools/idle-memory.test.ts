import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import { until } from '../../support/processes.js';
import { makeWorld } from '../world.js';
import { inputOf, realServer, startCallingModel, toolScene } from './tool-world.js';

/** The bar of the project for kit itself beside three idle servers; what they take is theirs. */
const MAX_BYTES = 200_000_000;

const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
};

const residentBytes = (pid: number): number => 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(statusOf(pid))?.[1] ?? 'NaN');

/**
 * What a process takes, pages that it shares with others divided among them; null where the system
 * does not say.
 */
const ownBytes = (pid: number): number | null => {
  try {
    return 1024 * Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 'NaN');
  } catch {
    return null;
  }
};

/** Processes that this one started itself: the supervisors of its children. */
const childrenOf = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((child) => Number.isInteger(child) && new RegExp(`^PPid:\\s+${pid}$`, 'm').test(statusOf(child)));

// Coverage keeps the counts of every function that was loaded.
it.skipIf(process.platform !== 'linux' || process.env.NODE_V8_COVERAGE !== undefined)(
  'a server with three stdio servers that nobody calls takes at most 200 MB itself',
  async () => {
    const [world, model] = await Promise.all([makeWorld(), startCallingModel()]);
    onTestFinished(async () => {
      await model.close();
      await world.dispose();
    });
    const entry = (id: string, name: string, more = '') =>
      `  - { id: ${id}, transport: stdio, command: [${process.execPath}, ${realServer(name)}${more === '' ? '' : `, ${more}`}] }\n`;
    const { dir } = toolScene(world, 'idle', {
      servers: entry('all', 'everything') + entry('files', 'filesystem', world.base) + entry('memory', 'memory'),
      tools: [
        { skill: 'echo', server: 'all', tool: 'echo' },
        { skill: 'list', server: 'files', tool: 'list_allowed_directories' },
        { skill: 'graph', server: 'memory', tool: 'read_graph' },
      ],
    });
    const server = await startServe([dir], { ...world.env, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' });
    onTestFinished(async () => {
      server.kill('SIGTERM');
      await server.ended;
    });
    const input = inputOf([
      { name: 'echo', arguments: { message: 'hello' } },
      { name: 'list', arguments: {} },
      { name: 'graph', arguments: {} },
    ]);
    const submitted = await fetch(`${server.url}/run/talk`, {
      method: 'POST',
      body: JSON.stringify({ input }),
      headers: { 'content-type': 'application/json' },
    });
    const { id } = (await submitted.json()) as { readonly id: string };
    const job = async () => (await (await fetch(`${server.url}/jobs/${id}`)).json()) as { readonly status: string };
    await until('the run has called all three', async () => (await job()).status === 'completed', 60_000);
    const running = world.leftovers().filter((line) => line.includes('@modelcontextprotocol/server-'));
    expect(new Set(running.map((line) => /server-(\w+)/.exec(line)?.[1]))).toEqual(
      new Set(['everything', 'filesystem', 'memory']),
    );

    const bytes = residentBytes(server.pid);
    const shown = (pid: number): string =>
      `${(residentBytes(pid) / 1e6).toFixed(1)} MB resident (${((ownBytes(pid) ?? Number.NaN) / 1e6).toFixed(1)} MB its share)`;
    process.stdout.write(`a server with three idle stdio servers leaves kit itself ${shown(server.pid)}; `);
    process.stdout.write(`their supervisors: ${childrenOf(server.pid).map(shown).join(', ')}\n`);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  },
  120_000,
);
