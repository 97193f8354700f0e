import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GATEWAY } from '@kit-run/kit/plugin';
import type { LaunchSocket } from '../gate/launch-socket.js';
import { expand } from '../launch/template.js';

/** How the program of a launch comes to kit's tools, for the templates of its adapter. */
export interface ToolFiles {
  /** File that the program reads; its content is `launch.mcp_file` of the adapter. */
  readonly config: string;
  /** The process that it starts, which forwards to kit. */
  readonly command: string;
  readonly args: readonly string[];
  /** As the program spells them. */
  readonly names: readonly string[];
}

const DEFAULT_FILE = `{"mcpServers":{"{gateway}":{"type":"stdio","command":{task.mcp_command},"args":{task.mcp_args}}}}`;

/** Writes what tells a program of kit's tools; `inside`: the paths are those of a container. */
export async function writeToolFiles(of: {
  readonly launchSocket: Pick<LaunchSocket, 'folder'>;
  /** `launch.mcp_file`; null = what most programs take. */
  readonly template: string | null;
  readonly node: string;
  /** The script and the file of the socket, as the program sees them. */
  readonly script: string;
  readonly file: string;
  readonly names: readonly string[];
  /** The folder of the socket, as the program sees it. */
  readonly folder: string;
}): Promise<ToolFiles> {
  const args = [of.script, of.file, 'tools'];
  const text = expand(of.template ?? DEFAULT_FILE, {
    gateway: GATEWAY,
    'task.mcp_command': JSON.stringify(of.node),
    'task.mcp_args': JSON.stringify(args),
    'task.mcp_argv': JSON.stringify([of.node, ...args]),
  });
  await writeFile(join(of.launchSocket.folder, 'tools.json'), text, { mode: 0o600 });
  return { config: join(of.folder, 'tools.json'), command: of.node, args, names: of.names };
}
