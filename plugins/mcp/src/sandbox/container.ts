import { relative } from 'node:path';
import { type ContainerSpec, type ContainerWay, containerCommand, KitError } from '@kit-run/kit/plugin';
import { DEFAULTS } from '../generated/defaults.js';
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
/** State of kit in a workspace; a mount over it needs it to be there. */
export const STATE = '.kit';
/**
 * What a server may take that says nothing (`sandbox_resources`): room for a program of Node or
 * Python, and no end of the machine when it runs wild. What it writes counts as memory.
 */
const DEFAULT_LIMITS = { cpus: null, ...DEFAULTS['McpServer.sandbox_resources'] };

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

export interface ContainerRequest extends Pick<ContainerSpec, 'runtime' | 'image' | 'isRoot' | 'hostEnv'> {
  readonly server: string;
  readonly settings: StdioSettings;
  /** Name of the container, by which it is removed. */
  readonly name: string;
  /** As in ContainerSpec. */
  readonly owner: string | null;
  readonly user: ContainerSpec['user'];
  readonly workspaceRoot: string;
  /** True when `.kit` lies in the workspace. */
  readonly hasState: boolean;
  /** Its way to the hosts of its list; null: it has no network at all. */
  readonly way: Pick<ContainerWay, 'mount' | 'behind'> | null;
}

/**
 * How a sandboxed server is started: it sees the workspace, read-only and without the state of kit,
 * and nothing else. Throws KIT_TOOL_SANDBOX_UNAVAILABLE.
 */
export function planContainer({
  server,
  settings,
  runtime,
  image,
  name,
  owner,
  user,
  isRoot,
  workspaceRoot,
  hasState,
  hostEnv,
  way,
}: ContainerRequest): ContainerPlan {
  const command = containerCommand({
    ...{ runtime, image, name, owner, hostEnv, variables: settings.env },
    argv: behind(way, settings.command),
    // A server serves whichever step calls it.
    step: null,
    user,
    isRoot,
    mounts: [{ source: workspaceRoot, target: INSIDE, isWritable: false }, ...(way === null ? [] : [way.mount])],
    // An empty directory lies over the state of kit: its runs and blobs are none of a server's.
    scratch: hasState ? [`${INSIDE}/${STATE}`] : [],
    workdir: workdirOf(server, settings.cwd, workspaceRoot),
    limits: { ...DEFAULT_LIMITS, ...settings.sandbox?.resources },
  });
  if ('problem' in command) throw sandboxRefused(server, command.problem, command.hint);
  return command;
}

/** What carries its connections to kit runs the command. */
function behind(way: ContainerRequest['way'], command: StdioSettings['command']): StdioSettings['command'] {
  const [first, ...rest] = [...(way?.behind ?? []), ...command];
  return first === undefined ? command : [first, ...rest];
}
