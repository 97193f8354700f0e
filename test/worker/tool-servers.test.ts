import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type { LeaseSignal, SupervisedProcess } from '../../src/domain/ports/system.js';
import type { ToolServerContext, ToolSource } from '../../src/domain/ports/tools.js';
import { createClock } from '../../src/system/clock.js';
import { createProcesses } from '../../src/system/processes/processes.js';
import { createToolServers, type ToolServers } from '../../src/worker/tool-servers.js';
import { linkedServer } from '../support/fake-tools.js';

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const env = { PATH: process.env.PATH ?? '' };
const server = linkedServer('files');

let started: SupervisedProcess[];
let reported: string[];
let manager: ToolServers;

const spec = (argv: readonly [string, ...string[]]) => ({
  argv,
  cwd: '/',
  env,
  stdin: '',
  maxLineBytes: 1000,
  stderrTailBytes: 1000,
  idleTimeoutMs: null,
  timeoutMs: null,
  maxOutputBytes: null,
});

/** A server that is a real process, and that never ends it by itself. */
const source: ToolSource = {
  open: async ({ id }, context: ToolServerContext) => {
    reported.push(`open ${id}`);
    started.push(context.spawn(spec(['sleep', '60'])));
    return {
      tools: async () => [],
      call: async () => ({ parts: [], structured: null, isError: false }),
      close: async () => {
        reported.push(`close ${id}`);
      },
    };
  },
};

const managed = (from: ToolSource = source, warn: (line: string) => void = () => {}): ToolServers =>
  createToolServers({
    source: async () => from,
    settings: async ({ config }) => config,
    bearer: async () => null,
    refused: () => null,
    processes: createProcesses({ graceMs: 500 }),
    context: { log: { ...log, warn }, clock: createClock(), env, workspaceRoot: '/' },
  });

const lease = (): LeaseSignal => ({ until: () => Date.now() + 60_000, onRenew: () => () => undefined });

beforeEach(() => {
  started = [];
  reported = [];
  manager = managed();
});
afterEach(() => manager.close());

describe('the servers of a run', () => {
  it('are opened once for all who ask, and their processes are over when they are closed', async () => {
    const own = lease();
    const [one, two] = await Promise.all([manager.open(server, own), manager.open(server, own)]);
    expect(one).toBe(two);

    await manager.close();

    expect(reported).toEqual(['open files', 'close files']);
    expect(await started[0]?.done).toMatchObject({ ended: 'aborted' });
  });

  it('are opened anew under another lease, and after they were closed', async () => {
    const first = lease();
    await manager.open(server, first);
    await manager.open(server, lease());
    await manager.close();
    await manager.open(server, first);

    expect(reported.filter((word) => word === 'open files')).toHaveLength(3);
  });

  it('of another configuration are others', async () => {
    const own = lease();
    await manager.open(server, own);
    await manager.open(linkedServer('files', { config: { transport: 'stdio', command: ['other'] } }), own);

    expect(reported).toEqual(['open files', 'open files']);
  });

  it('that fail to start say who they are and what they wrote last, are tried again, and leave no process', async () => {
    let child: SupervisedProcess | undefined;
    const stderr = Array.from({ length: 12 }, (_, line) => `line ${line}`).join('\n');
    const warned: string[] = [];
    const refusing: ToolSource = {
      open: async (_server, context) => {
        child = context.spawn(spec(['sleep', '60']));
        throw new KitError('KIT_TOOL_SERVER_FAILED', 'it said nothing', { data: { stderr } });
      },
    };
    const failing = managed(refusing, (line) => warned.push(line));
    const own = lease();

    const error = await failing.open(server, own).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ code: 'KIT_TOOL_SERVER_FAILED', data: { server: 'files' } });
    expect(String(error)).toMatch(/files does not start: it said nothing; it wrote:\nline 4\n(?:line \d+\n)+line 11$/);
    expect(await child?.done).toMatchObject({ ended: 'aborted' });
    await expect(failing.open(server, own)).rejects.toThrow('it said nothing');
    await failing.close();
    // None was open that could have refused to close.
    expect(warned).toEqual([]);
  });
});
