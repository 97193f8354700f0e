import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KitHome, makeHome, projectRoot, runKitHere } from '../../support/kit-process.js';
import { sarifIssues } from '../../support/sarif-schema.js';

let home: KitHome;
let dir: string;
let valid: string;
let invalid: string;

beforeAll(async () => {
  home = await makeHome();
  dir = await mkdtemp(join(tmpdir(), 'kit-validate-'));
  valid = join(dir, 'valid');
  invalid = join(dir, 'invalid');
  await cp(join(projectRoot, 'templates', 'hello'), valid, { recursive: true });
  await cp(valid, invalid, { recursive: true });
  await rewrite(join(invalid, 'topologies', 'hello.yaml'), 'archetype: greeter', 'archetype: greter');
  await rewrite(join(invalid, 'archetypes', 'host.yaml'), 'passes it on', 'passes it\ton');
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await home.remove();
});

async function rewrite(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`);
  await writeFile(path, text.replace(from, to));
}

const kit = (argv: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = dir) =>
  runKitHere(argv, { cwd, env: { ...home.env, ...env } });

describe('kit validate', () => {
  test('of a valid workspace is exit 0 and tells what there is', async () => {
    const { code, stdout, stderr } = await kit(['validate', 'valid']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ok hello \(Hello\): The smallest workspace - a host/m);
    expect(stdout).toMatch(/archetypes +2 {2}greeter, host/);
    // Nothing is checked yet: a beginning is not met with a reproach.
    expect(stdout).not.toContain('unchecked');
    expect(stdout).not.toContain('\u001b');
  });

  test('writes nothing', async () => {
    const before = await readdir(valid, { recursive: true });
    await kit(['validate', 'valid', '--tree']);

    expect(await readdir(valid, { recursive: true })).toEqual(before);
  });

  test('takes the workspace from the flag, KIT_WORKSPACE and the current directory as well', async () => {
    expect((await kit(['validate', '-w', 'valid'])).code).toBe(0);
    expect((await kit(['validate'], { KIT_WORKSPACE: valid })).code).toBe(0);
    expect((await kit(['validate'], {}, valid)).code).toBe(0);
  });

  test('of a broken one is exit 1 and underlines the mistake', async () => {
    const { code, stdout } = await kit(['validate', 'invalid']);

    expect(code).toBe(1);
    expect(stdout).toContain('error[agent.unknown-archetype]: no archetype is called `greter`');
    expect(stdout).toMatch(/--> topologies\/hello\.yaml:\d+:20\n +\|\n\d+ \| {9}archetype: greter\n +\| +\^{6}\n/);
    expect(stdout).toContain('= help: did you mean `greeter`?');
    expect(stdout).toContain('1 error in 1 file');
  });

  test('of a path without a workspace is exit 2, also under --json', async () => {
    expect((await kit(['validate', dir])).code).toBe(2);
    const { code, lines } = await kit(['validate', join(dir, 'nowhere'), '--json']);
    expect(code).toBe(2);
    expect(lines().at(-1)).toMatchObject({ type: 'error', code: 'KIT_WORKSPACE_NOT_FOUND', exit: 2 });
  });

  test('--tree shows the agents', async () => {
    const { stdout } = await kit(['validate', 'valid', '--tree']);

    expect(stdout).toMatch(
      / {2}host \(root; archetype host; model rules\/rules\)\n {2}`- greeter \(worker; archetype greeter; model mock\/mock\)/,
    );
  });

  test('--quiet says nothing of a valid workspace and errors alone of a broken one', async () => {
    expect((await kit(['validate', 'valid', '-q'])).stdout).toBe('');
    expect((await kit(['validate', 'invalid', '-q'])).stdout).toMatch(/^error\[agent\.unknown-archetype\]/);
  });

  test('--require-verified fails when nothing checks a root', async () => {
    const { code, stdout } = await kit(['validate', 'valid', '--require-verified']);

    expect(code).toBe(1);
    expect(stdout).toContain('the output of 1 root is checked by nothing (--require-verified)');
  });

  test('--require fails on a key without effect, which is a warning otherwise', async () => {
    const noted = join(dir, 'noted');
    await cp(valid, noted, { recursive: true });
    const head = 'apiVersion: kit/v1\nkind: Archetype\nmetadata: { id: own, name: Own, description: Works elsewhere. }';
    const config = 'config: { permission_mode: plan, working_dir: elsewhere }';
    const text = `${head}\nrole: worker\ndefaults: {}\nexecutor: { kind: harness, ref: claude-code, ${config} }\nprovenance: { authored_by: human, version: 1.0.0 }\n`;
    await writeFile(join(noted, 'archetypes', 'own.yaml'), text);

    const warned = await kit(['validate', 'noted']);
    expect(warned.code).toBe(0);
    expect(warned.stdout).toContain('warning[key.not-yet]');
    const demanded = await kit(['validate', 'noted', '--require']);
    expect(demanded.code).toBe(1);
    expect(demanded.stdout).toContain('1 key has no effect in this version (--require)');
  });

  test('--format json is JSON Lines that end with the summary; --json adds the result', async () => {
    const lines = (await kit(['validate', 'valid', '--format', 'json', '--tree'])).lines();

    expect(lines.map(({ type }) => type)).toEqual([
      'validate.ok',
      'validate.topology',
      'validate.reachability',
      'validate.verification',
      'validate.summary',
    ]);
    expect(lines[0]).toEqual({
      type: 'validate.ok',
      workspace: 'hello',
      topologies: 1,
      skills: 0,
      archetypes: 2,
      triggers: 0,
    });
    const broken = await kit(['validate', 'invalid', '--json']);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toBe('');
    expect(broken.lines()).toMatchObject([
      {
        type: 'validate.error',
        code: 'agent.unknown-archetype',
        artifact_path: 'topologies/hello.yaml',
        suggestion: 'did you mean `greeter`?',
      },
      { type: 'validate.summary', status: 'failed', errors: 1, files_affected: 1 },
      { type: 'result', status: 'failed', errors: 1, exit: 1 },
    ]);
  });

  test.each([
    ['yaml', 'Known: pretty, json, sarif, github.'],
    ['sraif', 'Did you mean sarif?'],
  ])('refuses --format %s and says what there is', async (format, hint) => {
    const { code, stderr, stdout } = await kit(['validate', 'valid', '--format', format]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`error[KIT_USAGE]: --format takes no "${format}"\n  hint: ${hint}\n`);
  });

  test('--format sarif is one log on stdout whose paths begin at the current directory', async () => {
    const broken = await kit(['validate', 'invalid', '--format', 'sarif']);
    const fine = await kit(['validate', 'valid', '--format', 'sarif']);

    expect(broken).toMatchObject({ code: 1, stderr: '' });
    expect(fine).toMatchObject({ code: 0, stderr: '' });
    const [log, ...more] = broken.lines();
    expect(more).toEqual([]);
    expect(sarifIssues(log)).toEqual([]);
    expect(log).toMatchObject({
      runs: [
        {
          tool: {
            driver: {
              rules: [
                {
                  id: 'agent.unknown-archetype',
                  shortDescription: { text: 'No file under `archetypes/` carries the id.' },
                },
              ],
            },
          },
          results: [
            { locations: [{ physicalLocation: { artifactLocation: { uri: 'invalid/topologies/hello.yaml' } } }] },
          ],
        },
      ],
    });
    expect(sarifIssues(fine.lines()[0])).toEqual([]);
    expect(fine.lines()).toMatchObject([{ runs: [{ results: [] }] }]);
  });

  test('--format sarif and github name files from the checkout of a workflow, and hold unmet demands', async () => {
    const argv = ['validate', '.', '--require-verified', '--format'];
    const log = await kit([...argv, 'sarif'], { GITHUB_WORKSPACE: dir }, valid);
    const commands = await kit([...argv, 'github'], { GITHUB_WORKSPACE: dir }, valid);
    const elsewhere = await kit([...argv, 'github'], { GITHUB_WORKSPACE: '/nowhere' }, valid);

    expect([log.code, commands.code, elsewhere.code]).toEqual([1, 1, 1]);
    expect(log.stdout).toContain('"uri":"valid/workspace.yaml"');
    expect(commands.stdout).toMatch(
      /^::error file=valid\/workspace\.yaml,title=validate\.require-verified::the output of 1 root .*\n1 demand not met\n$/,
    );
    expect(elsewhere.stdout).toMatch(/^::error file=workspace\.yaml,/);
  });

  test('--format github writes a command for each problem, escapes and all', async () => {
    const percent = join(dir, 'percent');
    await cp(invalid, percent, { recursive: true });
    await rewrite(join(percent, 'topologies', 'hello.yaml'), 'archetype: greter', 'archetype: gr%25ter');

    const { code, stdout, stderr } = await kit(['validate', 'percent', '--format', 'github']);

    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(
      /^::error file=percent\/topologies\/hello\.yaml,line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=[\w.-]+::.*gr%2525ter.*\n/,
    );
    expect(stdout).toMatch(/\n1 error in 1 file\n$/);
  });

  test('--json goes with --format json alone, and formats without a tree refuse --tree', async () => {
    const together = await kit(['validate', 'valid', '--json', '--format', 'json']);
    expect(together.code).toBe(0);
    expect(together.lines().at(-1)).toMatchObject({ type: 'result', status: 'ok' });
    for (const format of ['pretty', 'sarif', 'github']) {
      const { code, lines } = await kit(['validate', 'valid', '--json', '--format', format]);
      expect(code).toBe(2);
      expect(lines()).toMatchObject([
        { type: 'error', code: 'KIT_USAGE', message: `--json and --format ${format} exclude each other` },
      ]);
    }
    expect(await kit(['validate', 'valid', '--tree', '--format', 'sarif'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('--explain prints the page of a code, from anywhere', async () => {
    const { code, stdout } = await kit(['validate', '--explain', 'schema.unknown-field']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^# schema\.unknown-field\n/);
    expect((await kit(['validate', '--explain', 'schema.unknown-feild'])).stderr).toContain(
      'Did you mean schema.unknown-field?',
    );
    expect((await kit(['validate', '--explain', '../../package'])).code).toBe(2);
  });

  test('colours on demand only, and --no-color wins', async () => {
    expect((await kit(['validate', 'invalid', '--color'])).stdout).toContain('\u001b[1;31m');
    expect((await kit(['validate', 'invalid', '--color'], { NO_COLOR: '1' })).stdout).toContain('\u001b[1;31m');
    expect((await kit(['validate', 'invalid', '--no-color'])).stdout).not.toContain('\u001b');
  });
});
