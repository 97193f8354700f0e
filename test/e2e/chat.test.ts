import { spawnSync } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { idleTopology, idleWorkspace } from '../support/http/idle-workspace.js';
import { KIT, type KitHome, makeHome, runKit, runKitHere } from '../support/kit-process.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { localProvider } from './workspaces.js';

let home: KitHome;
let workspace: string;
let server: ModelServer;
let env: Record<string, string>;
beforeAll(async () => {
  home = await makeHome();
  server = await startModelServer(() => ({ do: 'answer', text: `answer ${server.requests.length}` }));
  env = { ...home.env, MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' };
  workspace = await mkdtemp(join(tmpdir(), 'kit-chat-'));
  const broken = idleTopology('broken', { options: { script: [{ fail: { kind: 'auth' } }] } });
  const spoken = idleTopology('spoken', { model: { provider: 'local', name: 'm-1' } });
  const files = {
    'topologies/broken.yaml': broken,
    'topologies/spoken.yaml': spoken,
    'providers/local.yaml': localProvider,
  };
  for (const [path, text] of Object.entries(idleWorkspace({ files }))) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
});
afterAll(async () => {
  await server.close();
  await rm(workspace, { recursive: true, force: true });
  await home.remove();
});

const kit = (argv: readonly string[], stdin?: string) =>
  runKitHere(argv, { env, cwd: workspace, ...(stdin === undefined ? {} : { stdin }) });

it('answers each line of stdin as a turn, and goes on later with the same conversation', async () => {
  const first = await kit(['chat', '.', 'idle'], 'My name is Ada\n\n/nonsense\nWho am I?\nexit\nnever said\n');
  expect(first.code).toBe(0);
  expect(first.stdout.trim().split('\n').length).toBeGreaterThanOrEqual(2);
  expect(first.stderr).toContain('there is no command /nonsense');
  const id = /--resume ([0-9a-f]{8})/.exec(first.stderr)?.[1] ?? '';
  const second = await kit(['chat', '-w', '.', '--resume', id, '--input', 'And now?', '--json']);
  expect(second.code).toBe(0);
  const result = second.lines().at(-1);
  expect(result).toMatchObject({ type: 'result', conversation: id, topology: 'idle' });
  const [job] = (result as { turns: { input: string; source: string; correlation_id: string }[] }).turns;
  expect(job).toMatchObject({ source: 'chat', correlation_id: id });
  expect(job?.input).toBe('And now?');
  const list = await kit(['conversations', '.', '--json']);
  expect(list.lines().at(-1)).toMatchObject({
    conversations: [{ id, topology: 'idle', turns: 3, last_message: 'And now?' }],
  });
});

it('takes its lines from a file, which is at its end while they are answered', async () => {
  const lines = join(home.path, 'lines.txt');
  await writeFile(lines, 'one\ntwo\n');

  const { status, stdout, stderr } = spawnSync(process.execPath, [KIT, 'chat', '.', 'idle'], {
    env,
    cwd: workspace,
    encoding: 'utf8',
    stdio: [openSync(lines, 'r'), 'pipe', 'pipe'],
  });

  expect([status, stdout.trim().split('\n').length], stderr).toEqual([0, 2]);
});

it('exits 1 when the last turn failed, and 2 for what cannot be talked with', async () => {
  const failed = await kit(['chat', '.', 'broken', '--input', 'hello']);
  expect([failed.code, failed.stdout]).toEqual([1, '']);
  expect(failed.stderr).toMatch(/\(run [0-9a-f]{12}\)/);
  for (const argv of [
    ['chat', '.'],
    ['chat', '.', 'nowhere', '--input', 'x'],
    ['chat', '.', '--resume', 'ffffffff', '--input', 'x'],
    ['chat', '.', 'idle', '--input', ' '],
  ]) {
    const refused = await kit(argv);
    expect([argv.join(' '), refused.code]).toEqual([argv.join(' '), 2]);
  }
});

it('ends a turn whose answer nobody reads, and then the talk', async () => {
  const started = await runKit(['chat', '.', 'spoken', '--json'], {
    env,
    cwd: workspace,
    stdin: 'one\ntwo\n',
    isStdoutClosed: true,
  });
  expect(started.code).toBe(0);
  const [newest] = (
    (await kit(['conversations', '.', '--json'])).lines().at(-1) as { conversations: { id: string; turns: number }[] }
  ).conversations;
  expect(newest).toMatchObject({ topology: 'spoken', turns: 1, last_message: 'one' });
  const argv = ['chat', '.', '--resume', newest?.id ?? '', '--input', 'three', '--json'];
  const again = (await kit(argv)).lines().at(-1);
  // A turn whose run was cut off would be replaced, and its answer not told.
  expect(again).toMatchObject({ turns: [{ input: 'three' }] });
  expect(server.requests.at(-1)?.body.messages).toMatchObject([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'answer 1' },
    { role: 'user', content: 'three' },
  ]);
});

it('keeps the conversations of one person from another, unless they are shared', async () => {
  const talk = async (...argv: readonly string[]) =>
    String((await kit(['chat', '.', 'idle', '--input', 'hello', '--json', ...argv])).lines().at(-1)?.conversation);
  const [own, open] = [await talk('--as', 'ann'), await talk('--as', 'ann', '--shared')];
  const listed = async (who: string) => {
    const last = (await kit(['conversations', '.', '--as', who, '--json'])).lines().at(-1);
    return (last as { conversations: { id: string }[] }).conversations
      .map(({ id }) => id)
      .filter((id) => id === own || id === open);
  };

  expect((await listed('ann')).toSorted()).toEqual([own, open].toSorted());
  expect(await listed('ben')).toEqual([open]);
  const refused = await kit(['chat', '-w', '.', '--resume', own, '--as', 'ben', '--input', 'and?']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('KIT_CONVERSATION_UNKNOWN')]);
  expect((await kit(['chat', '-w', '.', '--resume', open, '--as', 'ben', '--input', 'and?'])).code).toBe(0);
});
