import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../../support/kit-process.js';

const WORKSPACE = `apiVersion: kit/v1
kind: Workspace
metadata: { id: w, name: W }   # mine
# the end
`;

let home: KitHome;
let dir: string;

beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'kit-new-'));
  await writeFile(join(dir, 'workspace.yaml'), WORKSPACE);
  await mkdir(join(dir, 'docs'));
  await writeFile(join(dir, 'docs', 'book.md'), '# Refunds\n\nWithin a week.\n');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

// Without a PATH no Ollama of this machine chooses the model.
const kit = (...argv: string[]) => runKitHere(argv, { cwd: dir, env: { ...home.env, PATH: '' } });
const textOf = (path: string) => readFile(join(dir, path), 'utf8');
const allFiles = async () => (await readdir(dir, { recursive: true })).sort();

/** Each part, in an order in which each finds what it names. */
const PARTS: readonly (readonly string[])[] = [
  ['topology', 'triage', '--agents', 'reader,writer'],
  ['role', 'qa', '--member', 'ada,grace'],
  ['role', 'ops', '--member', 'linus', '--scope', 'release:deploy'],
  ['funnel', 'sign-off', '--role', 'qa,ops', '--people', '2'],
  ['skill', 'summarise'],
  ['skill', 'deeper', '--topology', 'triage'],
  ['tool-server', 'files', '--', 'npx', '-y', 'a-server', 'docs'],
  ['tool-server', 'tracker', '--url', 'https://tracker.example.org/mcp'],
  ['skill', 'read-file', '--server', 'files', '--tool', 'read_text_file'],
  ['trigger', 'nightly', '--topology', 'triage', '--schedule', '0 3 * * 1-5', '--timezone', 'Europe/Berlin'],
  ['trigger', 'asked', '--topology', 'triage', '--input', 'What: #1 broke?'],
  ['trigger', 'hook', '--topology', 'triage', '--webhook'],
  ['trigger', 'inbox', '--topology', 'triage', '--watch', 'inbox/*.txt'],
  ['provider', 'company', '--base-url', 'https://models.example.org/v1', '--key-env', 'COMPANY_KEY'],
  ['eval', 'answers', '--topology', 'triage'],
  ['knowledge', 'handbook', '--topology', 'triage'],
  ['agent', 'librarian', '--skills', 'search-handbook,summarise'],
  ...['rehearsal', 'claude-code', 'opencode-acp', 'codex', 'gemini-cli'].map((adapter) => [
    ...['agent', `by-${adapter}`, '--harness', adapter],
  ]),
];

describe('kit new', () => {
  test('writes every part so that the workspace stays valid, and runs without a key', async () => {
    for (const part of PARTS) {
      const written = await kit('new', ...part);
      expect(written, `${part.join(' ')}: ${written.stderr}`).toMatchObject({ code: 0, stderr: '' });
    }

    const valid = await kit('validate', '--json');
    expect(valid.lines().at(-1)).toMatchObject({ status: 'ok', errors: 0 });
    const ran = await kit('run', 'triage', '--input', 'hi', '--json');
    expect(ran.lines().at(-1)).toMatchObject({
      status: 'completed',
      output: JSON.stringify({ results: { reader: 'mock answer to: hi', writer: 'mock answer to: hi' } }),
    });
  });

  test('writes permissions for a harness that asks kit, and a script for the one without a program', async () => {
    for (const adapter of ['rehearsal', 'claude-code', 'gemini-cli'])
      await kit('new', 'agent', adapter, '--harness', adapter);
    const unknown = await kit('new', 'agent', 'coder', '--harness', 'cluade-code');

    expect(await textOf('archetypes/rehearsal.yaml')).toMatch(/script:\n.*edit: notes\.md[\s\S]*permissions:/);
    expect(await textOf('archetypes/claude-code.yaml')).toMatch(/ref: claude-code\n {2}config:\n[\s\S]*permissions:\n/);
    expect(await textOf('archetypes/gemini-cli.yaml')).not.toContain('permissions:');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('hint: Did you mean `claude-code`? Nothing was written.');
  });

  test('knows of an adapter of the workspace whether its program asks kit', async () => {
    await mkdir(join(dir, 'adapters'));
    const adapter = (id: string, gate: string): Promise<void> =>
      writeFile(
        join(dir, 'adapters', `${id}.yaml`),
        `apiVersion: kit/v1
kind: ExecutorAdapter
metadata: { id: ${id}, name: Own, description: A program of our own. }
spec:
  launch: { command: [own, --acp] }
  stream: { format: acp }
${gate}provenance: { authored_by: human, version: 1.0.0 }
`,
      );
    const gate = `  gate: { protocol: acp, tools: { edit: { kind: edit, subject: path } } }
  on_unanswerable: relay
  interaction: { driver: park-resume }
`;
    await adapter('asking', gate);
    await adapter('silent', '');

    for (const id of ['asking', 'silent'])
      expect(await kit('new', 'agent', `by-${id}`, '--harness', id)).toMatchObject({ code: 0, stderr: '' });

    expect(await textOf('archetypes/by-asking.yaml')).toMatch(/ref: asking\n {2}config:\n[\s\S]*permissions:\n/);
    expect(await textOf('archetypes/by-silent.yaml')).toContain('# This program does not ask kit before a call');
  });

  test('says what helps where a name leads nowhere', async () => {
    await kit('new', 'topology', 'triage', '--agents', 'reader');
    const topology = await kit('new', 'trigger', 'nightly', '--topology', 'triag');
    const family = await kit('new', 'provider', 'own', '--extends', 'my-family');

    expect(topology.stderr).toContain('hint: Did you mean `triage`? Nothing was written.');
    expect(family.stderr).toContain('no family or provider is called `my-family`');
    expect(family.stderr).toContain('`model_providers: [{ class: FAMILY, provider_id: ID, config: {} }]`');
    expect(await allFiles()).not.toContain('providers/own.yaml');
  });

  test('adds to workspace.yaml and leaves every other character as it was', async () => {
    await kit('new', 'tool-server', 'files', '--', 'npx', 'a-server');

    const text = await textOf('workspace.yaml');
    expect(text).toContain('metadata: { id: w, name: W }   # mine\n');
    expect(text.endsWith('# the end\n')).toBe(true);
    expect(text).toContain('- id: files');
  });

  test('lets the root of a topology pass a new gate, and never takes another one away', async () => {
    await kit('new', 'topology', 'triage', '--agents', 'reader');
    await kit('new', 'role', 'qa', '--member', 'ada,grace');
    const before = await textOf('topologies/triage.yaml');

    const first = await kit('new', 'funnel', 'sign-off', '--role', 'qa', '--topology', 'triage');
    const second = await kit('new', 'funnel', 'other', '--role', 'qa', '--topology', 'triage');

    expect(first, first.stderr).toMatchObject({ code: 0 });
    const after = await textOf('topologies/triage.yaml');
    expect(after.replace('    funnel: sign-off\n', '')).toBe(before);
    expect(second.code).toBe(2);
    expect(second.stderr).toContain('topologies/triage.yaml says agents.root.funnel: "sign-off" already');
    const ran = await kit('run', 'triage', '--input', 'hi', '--as', 'grace', '--json');
    expect(ran.code, ran.stderr).toBe(3);
  });

  test('keeps an archetype that is there, and says so by not naming it', async () => {
    await kit('new', 'agent', 'reader');
    const before = await textOf('archetypes/reader.yaml');

    const { lines } = await kit('new', 'topology', 'triage', '--agents', 'reader', '--json');

    expect(lines().at(-1)).toMatchObject({
      part: 'topology',
      written: true,
      files: ['topologies/triage.yaml', 'archetypes/lead.yaml'],
    });
    expect(await textOf('archetypes/reader.yaml')).toBe(before);
  });

  test('uses the model of a key that is set, and none of its value', async () => {
    const { code } = await runKitHere(['new', 'agent', 'writer'], {
      cwd: dir,
      env: { ...home.env, PATH: '', OPENAI_API_KEY: 'sk-a-secret-of-the-test' },
    });

    expect(code).toBe(0);
    const text = await textOf('archetypes/writer.yaml');
    expect(text).toContain('provider: openai');
    expect(text).not.toContain('sk-a-secret');
  });

  test('--dry-run shows the files and writes none', async () => {
    const before = await allFiles();

    const { stdout, code } = await kit('new', 'topology', 'triage', '--agents', 'reader', '--dry-run');

    expect(code).toBe(0);
    expect(stdout).toContain('--- topologies/triage.yaml\napiVersion: kit/v1');
    expect(stdout).toContain('--- archetypes/reader.yaml');
    expect(await allFiles()).toEqual(before);
  });

  test.each([
    [['topology', 'Triage'], '`Triage` is not an id', 'lower-case letters'],
    [['topology', '../out'], '`../out` is not an id', 'lower-case letters'],
    [['topology', 'x', '--agents', 'lead,bugs'], 'the agent `lead` is named twice', 'leave it out of --agents'],
    [['topology', 'x', '--agents', 'a,a'], 'the agent `a` is named twice', 'Name each agent once'],
    [['topology'], 'missing: the id of the new topology\n', 'kit new topology triage'],
    [['funnel', 'f', '--role', 'qa'], 'there is no role `qa`', 'kit new role qa --member NAME'],
    [['trigger', 't', '--topology', 'nobody'], 'this trigger would not be valid', 'what is missing first'],
    [['eval', 'e', '--topology', 'nobody'], 'this eval would not be valid', 'what is missing first'],
    [['knowledge', 'k', '--topology', 'nobody', '--path', 'nowhere'], 'there is no file or folder nowhere', '--path'],
    [['knowledge', 'k', '--topology', 'nobody'], 'there is no topology `nobody`', 'kit new topology NAME'],
    [
      ['skill', 's', '--server', 'nobody', '--tool', 't'],
      'this skill would not be valid',
      '`kit new tool-server nobody -- COMMAND` makes it. Nothing was written.',
    ],
    [['tool-server', 's'], 'either started by a command or reached at an address', 'behind `--`'],
    [['agent', 'a', '--skills', 'nothing'], 'this agent would not be valid', 'what is missing first'],
  ])('refuses %j, and writes nothing', async (argv, message, hint) => {
    const before = await allFiles();

    const { code, stderr } = await kit('new', ...argv);

    expect(code, stderr).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
    expect(await allFiles()).toEqual(before);
  });

  test('never overwrites: a file, and an entry of that id', async () => {
    await kit('new', 'skill', 'summarise');
    await kit('new', 'tool-server', 'files', '--url', 'https://one.example.org/mcp');
    const [skill, workspace] = [await textOf('skills/summarise.yaml'), await textOf('workspace.yaml')];

    const again = await kit('new', 'skill', 'summarise');
    const twice = await kit('new', 'tool-server', 'files', '--url', 'https://two.example.org/mcp');

    expect(again.stderr).toContain('skills/summarise.yaml is there already');
    expect(twice.stderr).toContain('workspace.yaml names `files` below mcp_servers already');
    expect([again.code, twice.code]).toEqual([2, 2]);
    expect([await textOf('skills/summarise.yaml'), await textOf('workspace.yaml')]).toEqual([skill, workspace]);
  });

  test('works in a workspace that has an error elsewhere', async () => {
    await mkdir(join(dir, 'skills'));
    await writeFile(join(dir, 'skills', 'broken.yaml'), 'apiVersion: kit/v1\nkind: Skill\n');

    expect((await kit('new', 'role', 'qa', '--member', 'ada')).code).toBe(0);
  });
});
