import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KitResult } from '../support/kit-process.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { localProvider, noteSkill, talk } from './workspaces.js';
import { eventsOf, lastOf, makeWorld, type World } from './world.js';

const TOKEN = 'planted-token-4f1b9c';
const KEY = 'planted-key-77a0de';

let world: World;
let server: ModelServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startModelServer()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

/** A workspace whose command is given a credential and says it: raw, as base64, on stderr. */
function leaky(name: string, credential: string): string {
  const skill = noteSkill(
    `[sh, -c, 'echo "noted: $TOKEN $(printf %s "$TOKEN" | base64)"; echo "log $TOKEN" >&2', note, '{text}']`,
    "    credentials_ref: token\n    env: { TOKEN: '{credential.token}' }\n",
  );
  const workspace = `credentials:\n  token: ${credential}\n${skill.workspace}`;
  const root = '    skills: [note]\n';
  return world.files(
    name,
    talk({ provider: 'local', workspace, root, files: { 'providers/local.yaml': localProvider, ...skill.files } }),
  );
}

const call = { do: 'answer' as const, calls: [{ name: 'note', arguments: { text: 'x' } }] };
const run = (dir: string, env: NodeJS.ProcessEnv, ...flags: string[]): Promise<KitResult> =>
  world.kit(['run', dir, 'talk', '--input', 'hi', ...flags], {
    env: { MODEL_URL: server.url, LOCAL_KEY: KEY, ...env },
  });

/** Every file below a directory, as bytes. */
const filesBelow = (root: string): readonly { readonly path: string; readonly bytes: Buffer }[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ path, bytes: readFileSync(path) }));

/** Everything that tables hold, as one text. */
function rowsOf(file: string, tables: readonly string[]): string {
  const database = new Database(file, { readonly: true });
  try {
    const rows = tables.flatMap((table) => database.prepare<[], object>(`SELECT * FROM ${table}`).all());
    return rows.flatMap((row) => Object.values(row).map(String)).join('\n');
  } finally {
    database.close();
  }
}

const FORMS = [TOKEN, Buffer.from(TOKEN).toString('base64'), KEY, Buffer.from(KEY).toString('base64')];

/** The command says what its own line was written with, and a leaked form of it. */
function spoken(name: string, reference: string, properties: string | null): string {
  const skill = noteSkill(`[sh, -c, 'echo "noted: $0 $(printf %s "$0" | base64)"; echo "log $0" >&2', '${reference}']`);
  const files = {
    'providers/local.yaml': localProvider,
    ...skill.files,
    ...(properties === null ? {} : { 'workspace.env.yaml': properties }),
  };
  return world.files(
    name,
    talk({ provider: 'local', workspace: skill.workspace, root: '    skills: [note]\n', files }),
  );
}

describe('a secret that the argv of a command was written with', () => {
  it.each([
    { of: 'the environment', reference: '${API_TOKEN}', properties: null },
    { of: 'a property', reference: '${app.api_token}', properties: `app: { api_token: ${TOKEN} }\n` },
  ])('from $of is in no step, event or line, whatever the program prints', async ({ of, reference, properties }) => {
    const dir = spoken(`spoken-${of.replaceAll(' ', '-')}`, reference, properties);
    server.script(call, (request) => ({ do: 'answer', text: `it said ${request.body.messages.at(-1).content}` }));

    const result = await run(dir, properties === null ? { API_TOKEN: TOKEN } : {}, '--json', '--verbose');

    expect(result.code).toBe(0);
    expect(eventsOf(result).filter(({ type }) => type === 'skill.executed')).toMatchObject([
      { payload: { status: 'ok' } },
    ]);
    const reported = JSON.stringify(server.requests.at(-1)?.body);
    expect(reported).toContain('noted: ');
    const rows = rowsOf(join(dir, '.kit/store.sqlite'), ['steps', 'events']);
    expect(rows).toContain('noted: ');
    for (const form of [TOKEN, Buffer.from(TOKEN).toString('base64')])
      for (const text of [reported, result.stdout, result.stderr, rows]) expect(text).not.toContain(form);
  });
});

describe('a credential', () => {
  it.each([
    { source: 'env', entry: '{ source: env, config: { env: PLANTED } }', env: { PLANTED: TOKEN }, files: {} },
    {
      source: 'file',
      entry: '{ source: file, config: { path: ../secret.txt } }',
      env: {},
      files: { 'secret.txt': `${TOKEN}\n` },
    },
  ])(
    'from $source reaches the command, and no word of it or of the key of the provider is kept or shown',
    async ({ source, entry, env, files }) => {
      world.files('.', files);
      const dir = leaky(`leaky-${source}`, entry);
      // The model repeats what it was told, and the last request shows what that was.
      server.script(call, (request) => ({ do: 'answer', text: `it said ${request.body.messages.at(-1).content}` }));

      const result = await run(dir, env, '--json', '--verbose');
      server.script(call, { do: 'status', status: 401, message: `the key ${KEY} is wrong` });
      const failed = await run(dir, env);

      expect(result.code).toBe(0);
      expect(failed.code).toBe(1);
      const reported = JSON.stringify(server.requests.at(-1)?.body);
      expect(reported).toContain('noted: ');
      expect(eventsOf(result).filter(({ type }) => type === 'skill.executed')).toMatchObject([
        { payload: { status: 'ok' } },
      ]);
      const kept = filesBelow(join(dir, '.kit'));
      expect(kept.map(({ path }) => path)).toContain(join(dir, '.kit/store.sqlite'));
      for (const form of FORMS) {
        for (const text of [reported, result.stdout, result.stderr, failed.stdout, failed.stderr])
          expect(text).not.toContain(form);
        for (const { path, bytes } of kept) expect([path, bytes.includes(form)]).toEqual([path, false]);
      }
    },
  );

  it.each([
    { what: 'whose variable is not set', entry: '{ source: env, config: { env: NOT_SET } }', says: 'NOT_SET' },
    { what: 'whose file is missing', entry: '{ source: file, config: { path: no-such-file } }', says: 'no-such-file' },
  ])('$what fails the call by name, and the command does not run without it', async ({ what, entry, says }) => {
    const dir = leaky(what.replaceAll(' ', '-'), entry);
    server.script(call);

    const result = await run(dir, {}, '--json');

    expect(eventsOf(result).filter(({ type }) => type === 'skill.executed')).toMatchObject([
      { payload: { status: 'failed' } },
    ]);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(says);
    expect(result.stdout).not.toContain('noted:');
  });

  it('of a source that no plugin brings refuses the run before its first step', async () => {
    const dir = leaky('vault', '{ source: hashicorp-vault, config: { path: a/b } }');

    const result = await run(dir, {}, '--json');

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({
      type: 'error',
      message: expect.stringContaining('hashicorp-vault'),
      hint: expect.stringContaining('plugin'),
    });
  });
});
