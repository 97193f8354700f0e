import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
let dir: string;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kit-schemas-'));
  await mkdir(join(dir, 'topologies'));
  await writeFile(join(dir, 'workspace.yaml'), 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { name: team }\n');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const kit = (...argv: readonly string[]) => runKitHere(argv, { cwd: dir, env: home.env });
const read = (path: string) => readFile(join(dir, path), 'utf8');

describe('kit schemas', () => {
  test('says what it would write, writes it once, and then has nothing to do', async () => {
    const asked = await kit('schemas');
    expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining('it would write in ')]);
    expect(asked.stdout).toContain('to write them: kit schemas --write');
    expect(await readdir(dir)).toEqual(['topologies', 'workspace.yaml']);

    expect((await kit('schemas', '--write')).code).toBe(0);
    const schemas: Readonly<Record<string, string>> = JSON.parse(await read('.vscode/settings.json'))['yaml.schemas'];
    expect(Object.values(schemas)).toContain('topologies/**/*.y*ml');
    for (const path of Object.keys(schemas)) {
      const schema = await readFile(resolve(dir, path), 'utf8');
      expect(JSON.parse(schema)).toHaveProperty('title');
      // A schema finds the others beside it.
      for (const [, file = ''] of schema.matchAll(/"\$ref": "([^"#]+)#/g))
        expect(JSON.parse(await readFile(join(dirname(resolve(dir, path)), file), 'utf8'))).toHaveProperty('$defs');
    }
    const again = await kit('schemas', '--write', '--json');
    expect(again.lines().at(-1)).toMatchObject({ type: 'result', changes: [], paste: null });
  });

  test('renews an earlier copy, and leaves other settings as they are', async () => {
    await mkdir(join(dir, '.vscode/kit-schemas'), { recursive: true });
    await writeFile(join(dir, '.vscode/kit-schemas/topology.schema.json'), '{}');
    const entries = { './mine.json': 'x.yaml', './.vscode/kit-schemas/gone.schema.json': 'gone/*' };
    await writeFile(
      join(dir, '.vscode/settings.json'),
      JSON.stringify({ 'editor.tabSize': 3, 'yaml.schemas': entries }),
    );
    expect((await kit('schemas', '--write')).code).toBe(0);
    expect(JSON.parse(await read('.vscode/kit-schemas/topology.schema.json'))).toMatchObject({ title: 'Topology' });
    expect(await read('.vscode/kit-schemas/workspace.schema.json')).toContain('"default": 300');
    const settings = JSON.parse(await read('.vscode/settings.json'));
    expect(settings['editor.tabSize']).toBe(3);
    expect(settings['yaml.schemas']).toHaveProperty(['./mine.json'], 'x.yaml');
    expect(settings['yaml.schemas']).not.toHaveProperty(['./.vscode/kit-schemas/gone.schema.json']);
  });

  test('leaves settings with comments alone, and says what belongs into them', async () => {
    await mkdir(join(dir, '.vscode'));
    await writeFile(join(dir, '.vscode/settings.json'), '// mine\n{}\n');
    const { code, stdout } = await kit('schemas', '--write');
    expect(code).toBe(0);
    expect(stdout).toContain('put this into it:\n{\n  "yaml.schemas": {');
    expect(await read('.vscode/settings.json')).toBe('// mine\n{}\n');
  });

  test('makes a schema line that names a place of one machine relative', async () => {
    const place = '/usr/lib/node_modules/@kit-run/kit/schemas/kinds/topology.schema.json';
    const rest = 'apiVersion: kit/v1\nkind: Topology\n';
    await writeFile(join(dir, 'topologies/a.yaml'), `# yaml-language-server: $schema=${place}\n${rest}`);
    await writeFile(join(dir, 'topologies/b.yaml'), `# yaml-language-server: $schema=/mine/topology.json\n${rest}`);
    expect((await kit('schemas', '--write')).code).toBe(0);
    const line = '# yaml-language-server: $schema=../.vscode/kit-schemas/topology.schema.json\n';
    expect(await read('topologies/a.yaml')).toBe(line + rest);
    expect(await read('topologies/b.yaml')).toMatch(/schema=\/mine/);
  });

  test('writes through no link', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'kit-schemas-'));
    await symlink(elsewhere, join(dir, '.vscode'));
    const { code, stderr } = await kit('schemas', '--write');
    expect([code, await readdir(elsewhere)]).toEqual([2, []]);
    expect(stderr).toContain('.vscode in ');
    await rm(elsewhere, { recursive: true });
  });
});
