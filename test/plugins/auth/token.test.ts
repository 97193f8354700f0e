import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type KitHome, type KitResult, makeHome, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

const kit = (...argv: readonly string[]): Promise<KitResult> =>
  runKitHere(['auth', 'token', ...argv], { env: home.env, cwd: home.path });

const SECRET = /^export (\w+)=([A-Za-z0-9_-]{43})$/m;

describe('kit auth token', () => {
  it('prints the secret once, the entry, the restart and how callers send it', async () => {
    const { code, stdout, stderr } = await kit('ops-lead', '--tier', 'run', '--client-name', 'Ops: the lead');

    const [, variable = '', secret = ''] = SECRET.exec(stdout) ?? [];
    expect([code, stderr, variable]).toEqual([0, '', 'OPS_LEAD_TOKEN']);
    expect(stdout.split(secret)).toHaveLength(2);
    expect(stdout).toContain('Restart `kit serve`');
    expect(stdout).toContain('Authorization: Bearer $OPS_LEAD_TOKEN');
    expect(stdout).toContain('`kit auth login http://127.0.0.1:8000`');
    // As it stands it is what workspace.yaml wants.
    const [, block = ''] = /^# 2\..*\n([\s\S]*?)\n# 3\./m.exec(stdout) ?? [];
    const keys = [{ key_ref: 'env:OPS_LEAD_TOKEN', client_id: 'ops-lead', client_name: 'Ops: the lead', tier: 'run' }];
    expect(parse(block)).toEqual({ server: { auth: { provider: 'api_key', config: { keys } } } });
  });

  it('gives another secret each time, and stores nothing', async () => {
    const before = await readdir(home.path, { recursive: true });

    const secrets = [await kit('ci'), await kit('ci')].map(({ stdout }) => SECRET.exec(stdout)?.[2]);

    expect(new Set(secrets).size).toBe(2);
    expect(await readdir(home.path, { recursive: true })).toEqual(before);
  });

  it('says the same as one JSON value', async () => {
    const { code, lines } = await kit('ci', '--env-var', 'BUILD_KEY', '--json');

    expect(code).toBe(0);
    expect(lines()).toEqual([
      {
        type: 'result',
        secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
        env_var: 'BUILD_KEY',
        entry: { key_ref: 'env:BUILD_KEY', client_id: 'ci', tier: 'read' },
      },
    ]);
  });

  it.each([
    ['42', 'CALLER_42_TOKEN'],
    ['Ärger & Söhne', 'RGER_S_HNE_TOKEN'],
    ['---', 'CALLER__TOKEN'],
  ])('makes a variable of the client %s', async (client, variable) => {
    expect((await kit('--json', '--', client)).lines()).toMatchObject([{ env_var: variable }]);
  });

  it.each([
    ['an unknown tier', ['ci', '--tier', 'root']],
    ['no client', []],
    ['an empty client', ['']],
    ['a variable that is none', ['ci', '--env-var', 'A B']],
  ])('refuses %s with exit 2', async (_what, argv) => {
    const { code, lines } = await kit(...argv, '--json');

    expect(code).toBe(2);
    expect(lines()).toMatchObject([{ type: 'error', code: 'KIT_USAGE' }]);
  });
});
