import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KitResult, linesOf, projectRoot } from '../support/kit-process.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { skillFile } from './tools/tool-world.js';
import { localProvider, talk } from './workspaces.js';
import { eventsOf, type LiveKit, lastOf, makeWorld, type World } from './world.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let world: World;
let server: ModelServer;
let dir: string;
let mock: string;
let silent: LiveKit;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startModelServer()]);
  dir = world.files('talk', {
    ...talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }),
    'notes.txt': 'no image',
    'empty.png': '',
  });
  world.files('talk', { 'shot.png': PNG, 'disguised.txt': PNG });
  world.files('.', { 'outside.png': PNG });
  mock = world.files('mock', talk());
  silent = world.start(['run', mock, 'talk', '--json']);
  symlinkSync(join(world.base, 'outside.png'), join(dir, 'link.png'));
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

const env = (): NodeJS.ProcessEnv => ({ MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' });
const run = (flags: readonly string[], more: { readonly stdin?: string } = {}): Promise<KitResult> =>
  world.here(['run', dir, 'talk', ...flags], { env: env(), ...more });
/** The text that the last model request asked with. */
const asked = (): unknown => server.requests.at(-1)?.body.messages.at(-1).content;

describe('the input of a run', () => {
  it.each([
    { from: '--input TEXT', flags: ['--input', 'from the flag'], stdin: 'unread', input: 'from the flag' },
    { from: '--input - ', flags: ['--input', '-'], stdin: 'from stdin', input: 'from stdin' },
    { from: 'a pipe', flags: [], stdin: 'from a pipe', input: 'from a pipe' },
  ])('comes from $from', async ({ flags, stdin, input }) => {
    const result = await run([...flags, '--json'], { stdin });

    expect(result.code).toBe(0);
    expect(lastOf(result)).toMatchObject({ input });
    expect(JSON.stringify(asked())).toContain(input);
  });

  const withStdin = (path: string) =>
    spawnSync(process.execPath, [join(projectRoot, 'bin/kit.js'), 'run', mock, 'talk', '--json'], {
      env: world.env,
      encoding: 'utf8',
      stdio: [openSync(path, 'r'), 'pipe', 'pipe'],
    });

  it('comes from a file on stdin', () => {
    world.files('.', { 'input.txt': 'from a file' });

    const { status, stdout } = withStdin(join(world.base, 'input.txt'));

    expect(status).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatchObject({ input: 'from a file' });
  });

  it('is missing when stdin is a device: exit 2 with the flag to use', () => {
    const { status, stdout } = withStdin('/dev/null');

    expect(status).toBe(2);
    expect(linesOf(stdout)).toMatchObject([
      { type: 'error', code: 'KIT_INPUT_MISSING', hint: expect.stringContaining('--input') },
    ]);
  });

  it('is missing when a pipe ends without a byte, or without a word where it is asked for', async () => {
    const implicit = await run([], { stdin: '' });
    const empty = await run(['--input', '-'], { stdin: ' \n' });

    for (const result of [implicit, empty]) expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(implicit.stderr).toContain('KIT_INPUT_MISSING');
    expect(empty.stderr).toContain('KIT_INPUT_MISSING]: the input on stdin is empty');
  });

  it('is waited for with a notice when stdin stays open without a byte', async () => {
    const live = world.start(['run', dir, 'talk', '--json'], { env: env() });

    await live.sees(/waiting for the input on stdin/);
    live.child.stdin?.end('late');

    expect(lastOf(await live.ended)).toMatchObject({ status: 'completed', input: 'late' });
  });
});

describe('--attach', () => {
  it('sends the bytes of an image to the model, by what they are and not by their name', async () => {
    const result = await run(['--input', 'look', '--attach', 'shot.png', '--attach', 'disguised.txt', '--json']);

    expect(result.code).toBe(0);
    const images = (asked() as { type: string; image_url?: { url: string } }[]).filter(
      (part) => part.type === 'image_url',
    );
    expect(images.map((part) => part.image_url?.url)).toEqual(
      [0, 1].map(() => `data:image/png;base64,${PNG.toString('base64')}`),
    );
    expect(eventsOf(result).filter(({ type }) => type === 'run.attachments')).toHaveLength(2);
  });

  it.each([
    { path: 'missing.png', says: 'missing_file' },
    { path: 'notes.txt', says: 'unsupported_media_type' },
    { path: 'empty.png', says: 'empty' },
    { path: 'topologies', says: 'not_a_file' },
    { path: '../outside.png', says: 'outside_workspace' },
    { path: 'link.png', says: 'outside_workspace' },
    { path: '/etc/hostname', says: 'absolute_path' },
  ])('refuses $path before the run starts', async ({ path, says }) => {
    const before = server.requests.length;

    const result = await run(['--input', 'look', '--attach', path, '--json']);

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({ type: 'error', code: 'KIT_ATTACHMENT_INVALID', data: { reason: says } });
    expect(server.requests).toHaveLength(before);
  });

  it('refuses more bytes than KIT_ATTACHMENT_MAX_BYTES', async () => {
    const result = await world.here(['run', dir, 'talk', '--input', 'x', '--attach', 'shot.png', '--json'], {
      env: { ...env(), KIT_ATTACHMENT_MAX_BYTES: '10' },
    });

    expect(lastOf(result)).toMatchObject({
      type: 'error',
      code: 'KIT_ATTACHMENT_INVALID',
      data: { reason: 'too_large' },
    });
  });
});

describe('the workspace of a run', () => {
  it.each([
    { from: '-w', argv: () => ['-w', mock, 'talk'], variables: () => ({}) },
    { from: 'KIT_WORKSPACE', argv: () => ['talk'], variables: () => ({ KIT_WORKSPACE: mock }) },
  ])('comes from $from, with the topology as the one argument', async ({ argv, variables }) => {
    const result = await world.here(['run', ...argv(), '--input', 'x', '--json'], {
      cwd: world.temp,
      env: variables(),
    });

    expect(result.code).toBe(0);
    expect(lastOf(result)).toMatchObject({ topology: 'talk', status: 'completed' });
  });
});

describe('what a run is called by', () => {
  it('is stored: labels, correlation, the run it replaces, who submitted it', async () => {
    const first = lastOf(await run(['--input', 'one', '--json']));

    const result = await run([
      '--input',
      'two',
      '--json',
      '--label',
      'team=core',
      '--label',
      'priority=7',
      '--correlation-id',
      'c-1',
      '--supersedes',
      String(first.id),
      '--as',
      'ada',
    ]);

    expect(lastOf(result)).toMatchObject({
      labels: { team: 'core', priority: '7' },
      priority: 7,
      correlation_id: 'c-1',
      parent_job_id: first.id,
      submitted_by: { identity: 'ada', assurance: 'asserted' },
    });
    expect(lastOf(result).id).toMatch(/^[0-9a-f]{12}$/);
  });
});

describe('--dry-run', () => {
  it('shows agents, models, limits and what is not there yet, asks nobody and writes nothing', async () => {
    const fresh = world.files(
      'fresh',
      talk({ provider: 'local', workspace: '', files: { 'providers/local.yaml': localProvider } }),
    );
    world.files('fresh', {
      'workspace.yaml': 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: talk, name: Talk }\n',
    });
    const files = readdirSync(fresh, { recursive: true });
    const before = server.requests.length;
    const early = env();

    const plain = await world.here(['run', fresh, 'talk', '--dry-run'], { env: early });
    const json = await world.here(['run', fresh, 'talk', '--dry-run', '--json'], { env: early });

    expect(plain.code).toBe(0);
    for (const text of [
      'talk@1.0.0',
      'boss',
      'helper',
      'local/m1',
      'governance: mock',
      `provider local: sends to \${MODEL_URL}, with LOCAL_KEY, MODEL_URL`,
    ])
      expect(plain.stdout).toContain(text);
    expect(lastOf(json)).toMatchObject({
      type: 'result',
      topology: 'talk',
      agents: { id: 'boss', children: [{ id: 'helper' }] },
      providers: [{ id: 'local', base_url: `\${MODEL_URL}`, secrets: ['LOCAL_KEY', 'MODEL_URL'] }],
    });
    expect(server.requests).toHaveLength(before);
    expect(readdirSync(fresh, { recursive: true })).toEqual(files);
    expect(existsSync(join(fresh, '.kit'))).toBe(false);
  });

  it('shows the programs of tool servers that it would start, and where others are', async () => {
    const servers = `credentials: { tracker: { source: env, config: { env: TRACKER } } }
mcp_servers:
  - { id: files, transport: stdio, command: [npx, -y, some-server, docs] }
  - { id: far, transport: http, endpoint: 'https://ada:hunter2@tools.example.org/mcp', credentials_ref: tracker }
  - { id: idle, transport: stdio, command: [never] }
`;
    const dir = world.files(
      'reach',
      talk({
        workspace: servers,
        root: '    skills: [look, ask-far]\n',
        files: {
          'skills/look.yaml': skillFile('look', 'files', 'look'),
          'skills/ask-far.yaml': skillFile('ask-far', 'far', 'ask'),
        },
      }),
    );

    const plain = await world.here(['run', dir, 'talk', '--dry-run'], { env: env() });
    const json = await world.here(['run', dir, 'talk', '--dry-run', '--json'], { env: env() });

    expect(plain.stdout).toContain('can start (tool server files): npx -y some-server docs\n');
    expect(plain.stdout).toContain(
      'tool server far: sends to https://tools.example.org/mcp, with credential.tracker\n',
    );
    expect(plain.stdout).not.toMatch(/never|hunter2/);
    expect(lastOf(json)).toMatchObject({
      tool_servers: [
        { id: 'files', argv: ['npx', '-y', 'some-server', 'docs'], endpoint: null },
        {
          id: 'far',
          argv: null,
          endpoint: 'https://tools.example.org/mcp',
          sandboxed: false,
          secrets: ['credential.tracker'],
        },
      ],
    });
  });
});

describe('what a run shows', () => {
  it('plain: events on stderr, the output alone on stdout', async () => {
    server.script({ do: 'answer', text: 'the answer' });

    const result = await run(['--input', 'x']);

    expect(result.stdout).toBe('the answer\n');
    expect(result.stderr).toMatch(/boss +started/);
    expect(result.stderr).toMatch(/completed +run [0-9a-f]{12} of talk/);
    expect(result.stderr).not.toContain('\u001b[');
  });

  it('--verbose: adds a line for each agent and model', async () => {
    const result = await run(['--input', 'x', '--verbose']);

    expect(result.stderr).toMatch(/ {2}boss ok/);
    expect(result.stderr).toContain('local/m1');
  });

  it.each([
    { how: '--quiet', flags: ['--quiet'], env: {} },
    { how: 'KIT_QUIET', flags: [], env: { KIT_QUIET: '1' } },
  ])('$how: the result and nothing else', async ({ flags, env: extra }) => {
    server.script({ do: 'answer', text: 'only this' });

    const result = await world.here(['run', dir, 'talk', '--input', 'x', ...flags], { env: { ...env(), ...extra } });

    expect(result).toMatchObject({ code: 0, stdout: 'only this\n', stderr: '' });
  });

  it('--quiet: why a run failed is its result, too', async () => {
    server.script({ do: 'status', status: 400, message: 'no such model' });

    const result = await run(['--input', 'x', '--quiet']);

    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/^failed: .*\n.*no such model/);
  });

  it('--json: each event as a line, dense and in order, the result last, and React is never loaded', async () => {
    const loaded = join(world.base, 'loaded.txt');
    world.files('.', {
      'modules.mjs': `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load: (url, context, next) => (appendFileSync(${JSON.stringify(loaded)}, url + '\\n'), next(url, context)) });
`,
    });

    const result = await world.kit(['run', dir, 'talk', '--input', 'x', '--json'], {
      env: { ...env(), NODE_OPTIONS: `--import=${join(world.base, 'modules.mjs')}` },
    });

    const modules = readFileSync(loaded, 'utf8');
    expect(modules).toContain('node_modules/better-sqlite3/');
    expect(modules).not.toMatch(/node_modules\/(react|ink)\//);
    const lines = result.lines();
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(lines.slice(0, -1).map((line) => line.seq)).toEqual(lines.slice(0, -1).map((_line, index) => index + 1));
    expect(lines.slice(0, -1).every((line) => line.type === 'event')).toBe(true);
    expect(lines.at(0)).toMatchObject({ event_type: 'run.started' });
    expect(lines.at(-2)).toMatchObject({ event_type: 'run.ended' });
    expect(lines.at(-1)).toMatchObject({ type: 'result', status: 'completed' });
  });
});

describe('stdin that stays silent', () => {
  it('is not an input after 30 s', { timeout: 90_000 }, async () => {
    // Started before the first test: this one only waits for what is left of the 30 s.
    const result = await silent.ended;

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({
      type: 'error',
      code: 'KIT_INPUT_MISSING',
      message: expect.stringContaining('30 s'),
    });
  });
});
