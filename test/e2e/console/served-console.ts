import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import { type KitResult, makeHome, runKit } from '../../support/kit-process.js';
import { gated } from '../review/gated-workspace.js';

export const KEYS = {
  dana: 'the-long-key-of-dana',
  'qa-1': 'the-long-key-of-qa-1',
  'ops-1': 'the-long-key-of-ops-1',
  reader: 'the-long-key-of-reader',
} as const;

export type Person = keyof typeof KEYS;

const variable = (person: string): string => `KEY_${person.replace('-', '_').toUpperCase()}`;
export const SERVER = `server:
  auth:
    provider: api_key
    config:
      keys:
${Object.keys(KEYS)
  .map(
    (person) =>
      `        - { key_ref: "env:${variable(person)}", client_id: ${person}, tier: ${person === 'reader' ? 'read' : 'run'} }`,
  )
  .join('\n')}
`;

/** `kit serve` with the gated release, as somebody has it who was sent a link and a key. */
export interface ServedConsole {
  readonly url: string;
  /** The workspace that is served. */
  readonly dir: string;
  readonly ask: <T>(by: Person, path: string, body?: object) => Promise<T>;
  /** Submits a run and waits until its gate is open. */
  readonly parked: (input: string) => Promise<string>;
  /** One turn of a conversation, to its end or to a gate. */
  readonly say: (by: Person, conversation: string, message: string) => Promise<void>;
  readonly until: (check: () => Promise<void>) => Promise<void>;
  /** A file of the workspace, while it is served. */
  readonly write: (path: string, text: string) => void;
  /** The command line beside the server, as somebody at that machine has it. */
  readonly kit: (args: readonly string[]) => Promise<KitResult>;
  readonly close: () => Promise<void>;
}

export async function serveConsole(
  files: Readonly<Record<string, string>> = gated({ workspace: SERVER }),
  env: Readonly<Record<string, string>> = {},
): Promise<ServedConsole> {
  const home = await makeHome();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'kit-console-')));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  const keys = Object.fromEntries(Object.entries(KEYS).map(([person, key]) => [variable(person), key]));
  const server = await startServe([dir], { ...home.env, ...keys, ...env });
  const open = async (by: Person, path: string, body?: object): Promise<Response> => {
    const answer = await fetch(`${server.url}${path}`, {
      headers: {
        authorization: `Bearer ${KEYS[by]}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const ask = async <T>(by: Person, path: string, body?: object): Promise<T> =>
    (await (await open(by, path, body)).json()) as T;
  const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 60_000, interval: 50 });
  return {
    url: server.url,
    dir,
    ask,
    say: async (by, conversation, message) => {
      await (await open(by, `/conversations/${conversation}/messages`, { message })).text();
    },
    until,
    parked: async (input) => {
      const { id } = await ask<{ readonly id: string }>('dana', '/run/release', { input });
      await until(async () => {
        const { status } = await ask<{ readonly status: string }>('dana', `/jobs/${id}`);
        if (status !== 'deferred') throw new Error(`the run is ${status}`);
      });
      return id;
    },
    write: (path, text) => {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    },
    kit: (args) => runKit(args, { cwd: dir, env: { ...home.env, ...keys } }),
    close: async () => {
      server.kill('SIGKILL');
      await server.ended;
      rmSync(dir, { recursive: true, force: true });
      await home.remove();
    },
  };
}
