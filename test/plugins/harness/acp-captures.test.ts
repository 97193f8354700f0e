import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Conversation } from '../../../plugins/harness/src/acp/conversation.js';
import { type OpenTools, openTools } from '../../../plugins/harness/src/gateway/open-tools.js';
import type { MappedEvent } from '../../../plugins/harness/src/interpret/mapped-event.js';
import type { GateAnswer, Json, JsonObject } from '../../../src/sdk/plugin.js';
import { execute, fakeAcpSpec } from '../../support/fake-acp.js';
import { spawnLocally } from './fake-spawn.js';
import { capture } from './replay.js';

interface Said {
  readonly byKit: boolean;
  readonly message: JsonObject;
}

/** Both sides of a recorded conversation; the answer to `session/new` was too long to be kept. */
function recorded(file: string): readonly Said[] {
  const said = capture(file).flatMap((line): Said[] =>
    line.startsWith('EXIT') ? [] : [{ byKit: line.startsWith('>>>'), message: JSON.parse(line.slice(4)) }],
  );
  const at = said.findIndex(({ message }) => message.method === 'session/new') + 1;
  const prompt = said.find(({ message }) => message.method === 'session/prompt');
  const { sessionId = '' } = (prompt?.message.params ?? {}) as JsonObject;
  return [...said.slice(0, at), { byKit: false, message: { id: 1, result: { sessionId } } }, ...said.slice(at)];
}

const answers = new Map<string, GateAnswer['verdict']>();
const asked: Json[] = [];
const gate = {
  settings: '',
  hook: '',
  isOver: new Promise<void>(() => {}),
  isAnnounced: () => true,
  answers,
  refused: (id: string) => answers.set(id, 'deny'),
  close: async () => {},
  ask: async (call: { readonly callId: string }): Promise<GateAnswer> => {
    asked.push(call as never);
    answers.set(call.callId, 'allow');
    return { verdict: 'allow' };
  },
};
afterEach(() => {
  answers.clear();
  asked.length = 0;
});

/** A request for a call of a server's tool, with this title. */
function retitled(message: JsonObject, title: string): string {
  const { toolCall, ...params } = (message.params ?? {}) as JsonObject;
  if (toolCall === undefined) return JSON.stringify(message);
  return JSON.stringify({
    ...message,
    params: { ...params, toolCall: { ...(toolCall as JsonObject), title, kind: 'other' } },
  });
}

const TOOLS = openTools(
  {
    offered: [{ name: 'note', description: 'Notes.', inputSchema: { type: 'object' } }],
    call: async () => ({ text: '', isError: false, images: [] }),
  },
  { spec: { launch: { mcp_tool_name: '{tool} ({gateway} MCP Server)' } }, onDefect: () => {} },
);

/** What kit says and tells where the program says what was recorded, each line in its turn. */
async function replayed(file: string, of: { readonly tools?: OpenTools; readonly title?: string } = {}) {
  const reported: MappedEvent[] = [];
  const stops: string[] = [];
  const talk = new Conversation(
    {
      ...{ statement: 'RUNBASH please', session: null, anew: null, cwd: '/sandbox/repo', mcpServers: [] },
      ...(of.tools === undefined ? { gate, tools: null } : { gate: null, tools: of.tools }),
    },
    { report: async (event) => void reported.push(event), stop: (why) => stops.push(why), over: () => {} },
  );
  const byKit: JsonObject[] = [];
  const outgoing = talk.outgoing[Symbol.asyncIterator]();
  const lines = async function* () {
    for (const { byKit: isOurs, message } of recorded(file)) {
      if (isOurs) byKit.push(JSON.parse((await outgoing.next()).value as string));
      else yield of.title === undefined ? JSON.stringify(message) : retitled(message, of.title);
    }
  };
  await talk.speak(lines());
  return { told: reported, byKit, stops };
}

describe('what was recorded of', () => {
  it('opencode: kit says what its client said, and tells messages, the call, and what was used', async () => {
    const file = 'opencode-1.18.33-acp-permission-allow.txt';
    const { told: reported, byKit, stops } = await replayed(file);
    const wanted = recorded(file).flatMap(({ byKit: isOurs, message }) => (isOurs ? [message] : []));
    expect(byKit.map(({ method, id, result }) => ({ method, id, result }))).toEqual(
      wanted.map(({ method, id, result }) => ({ method, id, result })),
    );
    expect(asked).toEqual([
      {
        callId: 'call_66',
        tool: 'execute',
        input: { command: 'touch made-by-bash.txt && echo hi' },
        paths: [],
        isSubagent: false,
      },
    ]);
    expect(stops).toEqual([]);
    const calls = reported.filter((event) => event.type === 'tool_call');
    expect(calls).toMatchObject([{ status: '' }, { status: 'ok', summary: 'hi\n' }]);
    expect(reported.at(-1)).toMatchObject({ type: 'result', status: 'success' });
    expect(reported.filter((event) => event.type === 'usage').map((event) => event.report)).toMatchObject([
      { costUsd: 0 },
      { inputTokens: 100, outputTokens: 20, costUsd: null },
    ]);
  });

  it('gemini: a request that does not say what would be carried out is refused, whatever its title', async () => {
    const { told: reported, byKit } = await replayed('gemini-0.61.0-acp-permission-allow.txt');
    expect(asked).toEqual([]);
    expect(byKit.at(-1)).toMatchObject({ id: 0, result: { outcome: { outcome: 'selected', optionId: 'cancel' } } });
    expect(reported.filter((event) => event.type === 'usage').map((event) => event.report)).toMatchObject([
      { inputTokens: 200, outputTokens: 40 },
    ]);
  });
});

it.each([
  ['kit offers', 'note (kit MCP Server)', 'proceed_once'],
  ['kit does not offer', 'evil (kit MCP Server)', 'cancel'],
  ['another server has', 'note (notes MCP Server)', 'cancel'],
])('a program that asks nobody may call a tool that %s: %s, %s', async (_what, title, optionId) => {
  const { byKit } = await replayed('gemini-0.61.0-acp-permission-allow.txt', { tools: TOOLS, title });
  expect(byKit.at(-1)).toMatchObject({ id: 0, result: { outcome: { optionId } } });
});

describe('the program that plays an agent over ACP', () => {
  const home = mkdtempSync(join(tmpdir(), 'kit-test-acp-'));
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('says nothing of another shape than what was recorded of opencode', async () => {
    const { launch } = fakeAcpSpec() as { readonly launch: { readonly command: [string, ...string[]] } };
    const said: string[] = [];
    const script = [[{ say: 'hello there' }, execute('echo hi')]];
    const talk = new Conversation(
      {
        statement: `<<script>>${JSON.stringify(script)}<<end>>`,
        session: null,
        anew: null,
        cwd: home,
        mcpServers: [],
        gate,
        tools: null,
      },
      { report: async () => {}, stop: () => {}, over: () => {} },
    );
    const child = spawnLocally({
      argv: launch.command,
      cwd: home,
      env: { HOME: home, PATH: process.env.PATH ?? '' },
      stdin: '',
      stdinParts: talk.outgoing,
      maxLineBytes: 1_000_000,
      stderrTailBytes: 1000,
      idleTimeoutMs: null,
      timeoutMs: null,
      maxOutputBytes: null,
    });
    const lines = async function* () {
      for await (const line of child.lines) {
        said.push(line);
        yield line;
      }
    };
    await talk.speak(lines());
    const known = shapesOf(
      recorded('opencode-1.18.33-acp-permission-allow.txt').flatMap(({ byKit, message }) => (byKit ? [] : [message])),
    );
    const shapes = shapesOf(said.map((line) => JSON.parse(line)));
    expect(shapes.size).toBeGreaterThan(6);
    for (const [name, keys] of shapes)
      expect(
        [...keys].filter((key) => !known.get(name)?.has(key)),
        name,
      ).toEqual([]);
  });
});

/** Keys of each kind of message, but for those that were not kept. */
function shapesOf(messages: readonly JsonObject[]): ReadonlyMap<string, ReadonlySet<string>> {
  const shapes = new Map<string, Set<string>>();
  const note = (name: string, value: Json | undefined): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const keys = shapes.get(name) ?? new Set();
    for (const [key, inner] of Object.entries(value as JsonObject)) {
      keys.add(key);
      if (['update', 'toolCall', 'usage', 'cost'].includes(key)) {
        const kind = key === 'update' ? `/${(inner as JsonObject).sessionUpdate}` : '';
        note(`${name}.${key}${kind}`, inner);
      }
    }
    shapes.set(name, keys);
  };
  for (const message of messages) {
    if (message.id === 1 && message.method === undefined) continue;
    note(
      typeof message.method === 'string' ? message.method : `answer ${message.id}`,
      message.params ?? message.result,
    );
  }
  return shapes;
}
