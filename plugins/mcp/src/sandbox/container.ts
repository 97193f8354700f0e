import { relative } from 'node:path';
import { type ContainerRuntime, containerVariablesProblem, KitError } from '@kit-run/kit/plugin';
import type { StdioSettings } from '../settings.js';

export interface ContainerPlan {
  readonly argv: readonly [string, ...string[]];
  /** Environment of the runtime's own client: it hands on by name what the server gets, so that no value stands on a command line. */
  readonly env: Readonly<Record<string, string>>;
}

/** Where the workspace lies in the container, read-only. */
const INSIDE = '/workspace';
export const sandboxRefused = (server: string, what: string, hint?: string): KitError =>
  new KitError('KIT_TOOL_SANDBOX_UNAVAILABLE', `the tool server ${server} is sandboxed, and ${what}`, {
    data: { server },
    ...(hint === undefined ? {} : { hint }),
  });

function checkNames(server: string, names: readonly string[]): void {
  const bad = containerVariablesProblem(names);
  if (bad !== null) throw sandboxRefused(server, bad.problem, bad.hint);
}

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

/** How a sandboxed server is started (execution.md 6.7): no network, the workspace read-only, gone when it ends. Throws KIT_TOOL_SANDBOX_UNAVAILABLE. */
export function planContainer({ server, settings, runtime, image, name, workspaceRoot, hostEnv }: ContainerRequest): ContainerPlan {
  const names = Object.keys(settings.env);
  checkNames(server, names);
  if (image.startsWith('-'))
    throw sandboxRefused(server, 'its image is an option of the runtime, not an image', 'Write `sandbox_image` as name:tag.');
  if (workspaceRoot.includes(',')) throw sandboxRefused(server, 'the path of the workspace has a comma, which a mount cannot have');
  return {
    argv: [
      runtime,
      'run',
      '--rm',
      '-i',
      '--init',
      `--name=${name}`,
      '--network=none',
      '--security-opt=no-new-privileges',
      `--mount=type=bind,source=${workspaceRoot},target=${INSIDE},readonly`,
      `--workdir=${workdirOf(server, settings.cwd, workspaceRoot)}`,
      ...names.flatMap((each) => ['-e', each]),
      image,
      ...settings.command,
    ],
    env: { ...hostEnv, ...settings.env },
  };
}
