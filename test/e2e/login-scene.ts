import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { skillFile } from './tools/tool-world.js';
import { localProvider } from './workspaces.js';
import type { World } from './world.js';

/** An environment whose browser logs in at the test's provider, consents, and goes back. */
export function withBrowser(world: Pick<World, 'temp'>): { readonly PATH: string; readonly XDG_CONFIG_HOME: string } {
  const browser = fileURLToPath(new URL('../support/components/browse-login.mjs', import.meta.url));
  const bin = join(world.temp, 'browser');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nexec "${process.execPath}" "${browser}" "$@"\n`);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  return { PATH: `${bin}:${process.env.PATH ?? ''}`, XDG_CONFIG_HOME: join(world.temp, 'config') };
}

/** What a workspace has whose agents call the tool `greet` of a server that wants a login. */
export const loginText = (
  endpoint: string,
  server = '',
): { readonly text: string; readonly files: Record<string, string> } => ({
  text: `credentials:
  notes: { source: oauth, config: { endpoint: "${endpoint}" } }
mcp_servers:
  - { id: notes, transport: http, endpoint: "${endpoint}", credentials_ref: notes${server} }
`,
  files: { 'providers/local.yaml': localProvider, 'skills/greet.yaml': skillFile('greet', 'notes', 'greet') },
});
