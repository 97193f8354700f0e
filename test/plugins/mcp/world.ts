import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { contribution } from '../../../plugins/mcp/src/mcp.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { ProcessSpec } from '../../../src/domain/ports/system.js';
import type { ServerCall, ToolAnswer, ToolServer, ToolServerContext } from '../../../src/domain/ports/tools.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { createClock } from '../../../src/system/clock.js';
import { createProcesses } from '../../../src/system/processes/processes.js';
import { projectRoot } from '../../support/kit-process.js';
import { TestLease } from '../../support/processes.js';

const BAD_SERVER = join(projectRoot, 'test/support/components/mcp-bad-server.mjs');
const PATIENCE_MS = 20_000;

export interface WorldOptions {
  readonly config?: JsonObject;
  readonly bearer?: () => Promise<string | null>;
  readonly root?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that are not found, although this machine may have them. */
  readonly hides?: readonly string[];
  readonly openWay?: NonNullable<ToolServerContext['openWay']>;
}

export interface McpWorld {
  readonly spawned: readonly ProcessSpec[];
  /** How often the settings were asked for. */
  readonly asked: () => number;
  readonly logged: readonly string[];
  readonly stop: AbortController;
  open(settings: JsonObject | (() => JsonObject)): Promise<ToolServer>;
}

/**
 * Runs after the test, the last one first. A hook of this module would be one of the first file
 * alone that loads it: files share their modules.
 */
export const afterwards = (end: () => Promise<unknown> | unknown): void =>
  onTestFinished(async () => {
    await end();
  });

export function privateDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'kit-mcp-'));
  afterwards(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The source as kit would use it, over real supervised processes and the real network. */
export function mcpWorld(options: WorldOptions = {}): McpWorld {
  const processes = createProcesses({ graceMs: 1_500, drainMs: 500 });
  const lease = new TestLease();
  const clock = createClock();
  const stop = new AbortController();
  const spawned: ProcessSpec[] = [];
  const logged: string[] = [];
  let asked = 0;
  const write = (message: string, data: object = {}): void => void logged.push(`${message} ${JSON.stringify(data)}`);
  const real: ToolServerContext['spawn'] = (spec, own) =>
    processes.spawn(spec, lease, own === undefined ? stop.signal : AbortSignal.any([stop.signal, own]));
  const context: ToolServerContext = {
    signal: stop.signal,
    log: { debug: write, info: write, warn: write, error: write },
    clock,
    env: options.env ?? { PATH: process.env.PATH ?? '' },
    workspaceRoot: options.root ?? projectRoot,
    ...(options.openWay === undefined ? {} : { openWay: options.openWay }),
    spawn: (spec, own) => {
      spawned.push(spec);
      const isHidden = options.hides?.includes(spec.argv[0]) === true;
      return real(isHidden ? { ...spec, argv: ['kit-no-such-program'] } : spec, own);
    },
  };
  return {
    spawned,
    asked: () => asked,
    logged,
    stop,
    open: async (settings) => {
      const source = await contribution.create(
        options.config ?? {},
        createTestContext({ clock, fetch: globalThis.fetch }),
      );
      const server = await source.open(
        {
          id: 'tools',
          settings: async () => {
            asked += 1;
            return typeof settings === 'function' ? settings() : settings;
          },
          bearer: options.bearer ?? (async () => null),
        },
        context,
      );
      afterwards(() => server.close());
      return server;
    },
  };
}

/**
 * Settings of the server that misbehaves as `mode` says; `notes` is a file in which it writes down
 * what it gets.
 */
export const badServer = (mode: string, notes = '', more: JsonObject = {}): JsonObject => ({
  transport: 'stdio',
  command: [process.execPath, BAD_SERVER, mode, notes, 'sekret-module'],
  ...more,
});

export const callOf = (tool: string, input: JsonObject = {}, more: Partial<ServerCall> = {}): ServerCall => ({
  tool,
  input,
  stepId: 'step-1',
  traceParent: null,
  timeoutMs: PATIENCE_MS,
  maxBytes: 1024 * 1024,
  ...more,
});

const never = new AbortController().signal;

export const call = (
  server: ToolServer,
  tool: string,
  input: JsonObject = {},
  more: Partial<ServerCall> = {},
  signal = never,
): Promise<ToolAnswer> => server.call(callOf(tool, input, more), signal);

export const textOf = ({ parts }: ToolAnswer): string =>
  parts.map((part) => (part.type === 'text' ? part.text : `<${part.type}>`)).join('\n');
