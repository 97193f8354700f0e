import { spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { classify, placeOf } from '../../../plugins/harness/src/gate/classify.js';
import { openLaunchSocket } from '../../../plugins/harness/src/gate/launch-socket.js';
import { answerHook, createAsker, writeSettings } from '../../../plugins/harness/src/gate/open-gate.js';
import { settingsProblem } from '../../../plugins/harness/src/gate/user-settings.js';
import type { GateAnswer, HarnessCall } from '../../../src/sdk/plugin.js';
import { adapterOf, bundledSpec } from './replay.js';

const HOOK = fileURLToPath(new URL('../../../plugins/harness/src/hook/hook-process.ts', import.meta.url));
const { gate: CLAUDE } = adapterOf(bundledSpec('claude-code'));
if (CLAUDE === null) throw new Error('the adapter claude-code has no gate');

let base: string;
let server: Server | null = null;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-hook-test-')));
});
afterEach(() => {
  server?.close();
  server = null;
  rmSync(base, { recursive: true, force: true });
});

interface Ran {
  readonly decision: string;
  readonly reason: string;
  readonly exitCode: number | null;
}

const EVENT = JSON.stringify({ tool_name: 'Bash', tool_use_id: 'c-1', tool_input: { command: 'ls' } });

function runHook(file: string, event = EVENT): Promise<Ran> {
  const child = spawn(process.execPath, [HOOK, file], { stdio: ['pipe', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stdin.end(event);
  return new Promise((resolve) =>
    child.on('close', (exitCode) => {
      const { permissionDecision: decision, permissionDecisionReason: reason } = JSON.parse(text).hookSpecificOutput;
      resolve({ decision, reason, exitCode });
    }),
  );
}

/** A file as the hook is given it, and who answers at the other end. */
async function listening(answer: (line: string) => string | null): Promise<string> {
  const socket = join(base, 's');
  server = createServer((client) => {
    client.on('error', () => {});
    client.on('data', (chunk: Buffer) => {
      const said = answer(chunk.toString());
      if (said !== null) client.end(said);
    });
  });
  await new Promise<void>((resolve) => server?.listen(socket, resolve));
  const file = join(base, 'hook.json');
  writeFileSync(file, JSON.stringify({ socket: 's', token: 't' }));
  return file;
}

describe('the hook', () => {
  it('hands on what it is told, with its token, and prints the answer', async () => {
    const lines: string[] = [];
    const file = await listening((line) => {
      lines.push(line);
      return '{"decision":"defer","reason":"a person is asked"}\n';
    });
    expect(await runHook(file)).toEqual({ decision: 'defer', reason: 'a person is asked', exitCode: 0 });
    expect(JSON.parse(lines.join(''))).toEqual({ token: 't', event: EVENT });
  });

  it('denies by itself where kit is gone, says nothing that can be read, or hangs up', async () => {
    writeFileSync(join(base, 'gone.json'), JSON.stringify({ socket: 'nowhere', token: 't' }));
    expect(await runHook(join(base, 'gone.json'))).toMatchObject({ decision: 'deny', exitCode: 0 });
    expect(await runHook(join(base, 'no-such-file.json'))).toMatchObject({ decision: 'deny', exitCode: 0 });
    expect(await runHook(await listening(() => 'yes\n'))).toMatchObject({ decision: 'deny' });
    server?.close();
    rmSync(join(base, 's'), { force: true });
    expect(await runHook(await listening(() => ''))).toMatchObject({ decision: 'deny' });
  });

  it('denies by itself when nobody answers in time', async () => {
    const ran = await runHook(await listening(() => null));
    expect(ran).toEqual({
      decision: 'deny',
      reason: 'kit did not allow this call: it did not answer within 5 s',
      exitCode: 0,
    });
  });
});

describe('the gate of a launch', () => {
  const opened = async (answer: GateAnswer, asked: HarnessCall[] = []) => {
    const asker = createAsker({
      spec: CLAUDE,
      gate: {
        exactness: 'exact',
        ask: async (call) => {
          asked.push(call);
          return answer;
        },
      },
      place: await placeOf(base),
      session: null,
      tools: null,
    });
    const launchSocket = await openLaunchSocket({ onEvent: (event, gone) => answerHook(asker, event, gone) });
    const settings = await writeSettings(launchSocket, {
      node: process.execPath,
      script: HOOK,
      file: launchSocket.file,
      folder: launchSocket.folder,
    });
    return { ...asker, settings, close: () => launchSocket.close() };
  };
  const hookFile = (settings: string): string => join(dirname(settings), 'hook.json');

  it('is asked with what the call would do, and leaves nothing behind', async () => {
    const asked: HarnessCall[] = [];
    const gate = await opened({ verdict: 'defer' }, asked);
    expect(await runHook(hookFile(gate.settings))).toMatchObject({ decision: 'defer' });
    expect(asked).toEqual([
      {
        callId: 'c-1',
        tool: 'Bash',
        input: { command: 'ls' },
        kind: 'execute',
        subject: 'ls',
        place: null,
        isSubagent: false,
        withInput: expect.any(Function),
      },
    ]);
    expect(gate.answers.get('c-1')).toBe('defer');
    expect(statSync(dirname(gate.settings)).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(gate.settings, 'utf8'))).toMatchObject({ cleanupPeriodDays: 365 });
    await gate.close();
    expect(() => statSync(dirname(gate.settings))).toThrow();
  });

  it('answers no to a wrong token, and to an event that is none', async () => {
    const asked: HarnessCall[] = [];
    const gate = await opened({ verdict: 'allow' }, asked);
    const { socket } = JSON.parse(readFileSync(hookFile(gate.settings), 'utf8'));
    writeFileSync(join(base, 'forged.json'), JSON.stringify({ socket, token: 'f'.repeat(64) }));
    expect(await runHook(join(base, 'forged.json'))).toMatchObject({ decision: 'deny' });
    expect(await runHook(hookFile(gate.settings), 'no JSON')).toMatchObject({ decision: 'deny' });
    expect(await runHook(hookFile(gate.settings), '{"tool_name":"Bash"}')).toMatchObject({ decision: 'deny' });
    expect(asked).toEqual([]);
    await gate.close();
  });
});

describe('what a call is about', () => {
  const facts = async (tool: string, input: Readonly<Record<string, string>>) =>
    classify(CLAUDE, { tool, input }, await placeOf(base));

  it('follows links, also those that lead to a file that is not there yet', async () => {
    symlinkSync('/etc', join(base, 'link'));
    symlinkSync('/no-such-directory/file', join(base, 'dangling'));
    mkdirSync(join(base, 'own'));
    symlinkSync(join(base, 'own'), join(base, 'inner'));
    expect(await facts('Write', { file_path: 'link/new' })).toEqual({
      kind: 'edit',
      subject: '/etc/new',
      place: 'outside',
    });
    expect(await facts('Write', { file_path: 'dangling' })).toMatchObject({ place: 'outside' });
    expect(await facts('Write', { file_path: 'inner/new' })).toEqual({
      kind: 'edit',
      subject: 'own/new',
      place: 'inside',
    });
    expect(await facts('Read', { file_path: '../x' })).toMatchObject({ place: 'outside' });
    expect(await facts('Grep', {})).toEqual({ kind: 'read', subject: '.', place: 'inside' });
  });

  it('knows files that the program obeys, tools of servers, and what it does not know', async () => {
    expect(await facts('Edit', { file_path: 'sub/.claude/hooks/a.sh' })).toMatchObject({ place: 'control' });
    expect(await facts('Edit', { file_path: '.git/config' })).toMatchObject({ place: 'control' });
    expect(await facts('mcp__notes__add__note', {})).toEqual({ kind: 'mcp', subject: 'notes/add__note', place: null });
    expect(await facts('Task', {})).toEqual({ kind: 'unknown', subject: 'Task', place: null });
  });
});

it('settings of the user that would undo the gate are named', async () => {
  const settings = (value: unknown): Promise<string | null> => {
    mkdirSync(join(base, '.claude'), { recursive: true });
    writeFileSync(join(base, '.claude/settings.json'), JSON.stringify(value));
    return settingsProblem(CLAUDE, base);
  };
  expect(await settingsProblem(CLAUDE, join(base, 'nobody'))).toBeNull();
  expect(await settings({ env: { A: 'b' }, permissions: { allow: ['Read(~/x)'] } })).toBeNull();
  expect(await settings({ permissions: { allow: ['Bash(git *)'] } })).toContain('Bash(git *)');
  expect(await settings({ permissions: { allow: ['mcp__notes'] } })).toContain('mcp__notes');
  expect(await settings({ disableAllHooks: true })).toContain('disableAllHooks');
  writeFileSync(join(base, '.claude/settings.json'), '{');
  expect(await settingsProblem(CLAUDE, base)).toContain('is not JSON');
  chmodSync(base, 0o700);
});

it('tells paths of a container by what they are there', async () => {
  const place = await placeOf(base, '/workspace');
  const about = async (path: string) =>
    classify(
      { tools: [{ name: 'Edit', kind: 'edit', subject: 'path' }], controlFiles: ['.claude/**'] },
      {
        tool: 'Edit',
        input: { path },
      },
      place,
    );

  expect(await about('/workspace/src/a.ts')).toEqual({ kind: 'edit', subject: 'src/a.ts', place: 'inside' });
  expect(await about('src/../.claude/settings.json')).toMatchObject({ place: 'control' });
  expect(await about('/workspace/../etc/passwd')).toEqual({ kind: 'edit', subject: '/etc/passwd', place: 'outside' });
  expect(await about(`${base}/a.ts`)).toMatchObject({ place: 'outside' });
});
