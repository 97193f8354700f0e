import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RemoteServer } from '../../cli/cli-host.js';
import { pause } from '../../cli/stop-signals.js';
import { fieldsOf, textAt } from '../../lib/read-json.js';
import type { SentToken } from '../../remote/answers.js';
import { openRemoteApp } from '../../remote/remote-app.js';
import { createRemoteClient } from '../../remote/remote-client.js';
import { type ServerAddress, serverAddress } from '../../remote/server-address.js';
import { keptToken } from './kept-tokens.js';

/** Which server, and for which command. */
export interface ConnectAsk {
  readonly env: NodeJS.ProcessEnv;
  readonly server: string;
  readonly command: string;
  /** Folder of this kit, which says its version. */
  readonly packageRoot: string;
}

/**
 * The one place in which a server stands in for a directory. Throws KIT_USAGE for what is no
 * address, KIT_SERVER_INSECURE for a token over plain http, KIT_SERVER_UNREACHABLE,
 * KIT_SERVER_ANSWER, and what the server refuses with.
 */
export async function connect({ env, server, command, packageRoot }: ConnectAsk): Promise<RemoteServer> {
  const address = serverAddress(server);
  const version = versionIn(packageRoot);
  const client = createRemoteClient({ address, token: tokenFor(address, env), fetch, version });
  const context = { client, pause, newKey: randomUUID };
  const help = `Run it on the machine where the workspace lies: kit ${command} -w <directory>`;
  return { ...(await openRemoteApp(context, help)), address: address.base };
}

/** Of the kit in a folder. */
export const versionIn = (packageRoot: string): string =>
  textAt(fieldsOf(JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))), 'version');

/** KIT_TOKEN, else what was kept for exactly this origin; null = nothing. */
export function tokenFor({ origin }: ServerAddress, env: NodeJS.ProcessEnv): SentToken | null {
  if (env.KIT_TOKEN) return { text: env.KIT_TOKEN, from: 'KIT_TOKEN' };
  const text = keptToken(origin, env);
  return text === null ? null : { text, from: 'kept' };
}
