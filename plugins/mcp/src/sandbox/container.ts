import { relative } from 'node:path';
import { type ContainerRuntime, containerCommand, KitError } from '@kit-run/kit/plugin';
import type { StdioSettings } from '../settings.js';

export interface ContainerPlan {
  readonly argv: readonly [string, ...string[]];
  /**
   * Environment of the runtime's own client: it hands on by name what the server gets, so that no
   * value stands on a command line.
   */
  readonly env: Readonly<Record<string, string>>;
}

/** Where the workspace lies in the container, read-only. */
const INSIDE = '/workspace';
export const sandboxRefused = (server: string, what: string, hint?: string): KitError =>
  new KitError('KIT_TOOL_SANDBOX_UNAVAILABLE', `the tool server ${server} is sandboxed, and ${what}`, {
    data: { server },
    ...(hint === undefined ? {} : { hint }),
  });

function workdirOf(server: string, cwd: string, workspaceRoot: string): string {
  const path = relative(workspaceRoot, cwd);
  if (path === '') return INSIDE;
  if (path === '..' || path.startsWith('../'))
    throw sandboxRefused(server, 'its `cwd` lies outside of the workspace', 'Name a directory of the workspace.');
  return `${INSIDE}/${path}`;
}

export interface ContainerRequest {
  readonly server: string;
  readonly settings: StdioSettings;
  readonly runtime: ContainerRuntime;
  readonly image: string;
  /** Name of the container, by which it is removed. */
  readonly name: string;
  readonly workspaceRoot: string;
  readonly hostEnv: Readonly<Record<string, string>>;
}

/**
 * How a sandboxed server is started: it sees the workspace, read-only, and nothing else. Throws
 * KIT_TOOL_SANDBOX_UNAVAILABLE.
 */
export function planContainer({
  server,
  settings,
  runtime,
  image,
  name,
  workspaceRoot,
  hostEnv,
}: ContainerRequest): ContainerPlan {
  const command = containerCommand({
    ...{ runtime, image, name, hostEnv, argv: settings.command, variables: settings.env },
    user: null,
    mounts: [{ source: workspaceRoot, target: INSIDE, isWritable: false }],
    scratch: [],
    workdir: workdirOf(server, settings.cwd, workspaceRoot),
    limits: { cpus: null, memory: null, pids: null },
    home: null,
  });
  if ('problem' in command) throw sandboxRefused(server, command.problem, command.hint);
  return command;
}
