import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import type { ModelRequest } from '../../../src/domain/ports/model.js';
import { refOf } from '../../../src/engine/compress/ref.js';
import { fakeServer, saying, serverTool, toolSkill } from '../../support/fake-tools.js';
import { agent, call, type Script } from '../../support/run-world.js';
import { lawfulWorlds } from '../laws.js';
import { withTools } from './tool-world.js';

const open = lawfulWorlds();
const READ = { readOnly: true, destructive: null, idempotent: null };

interface Case {
  readonly name: string;
  readonly env: Readonly<Record<string, number>>;
  /** Calls of each response of the model. */
  readonly turns: readonly number[];
  readonly isRead?: true;
  /** Calls that reached the server, and the reasons of the others. */
  readonly carriedOut: number;
  readonly refused: Readonly<Record<string, number>>;
}

const CASES: readonly Case[] = [
  { name: 'KIT_MAX_TOOLS calls of one response', env: { KIT_MAX_TOOLS: 3 }, turns: [3], carriedOut: 3, refused: {} },
  {
    name: 'one above KIT_MAX_TOOLS',
    env: { KIT_MAX_TOOLS: 3 },
    turns: [5],
    carriedOut: 3,
    refused: { too_many_calls: 2 },
  },
  {
    name: 'KIT_MAX_TOOLS again in the next response',
    env: { KIT_MAX_TOOLS: 3 },
    turns: [4, 3],
    carriedOut: 6,
    refused: { too_many_calls: 1 },
  },
  {
    name: 'KIT_MAX_PER_TOOL calls of one tool',
    env: { KIT_MAX_PER_TOOL: 2 },
    turns: [2, 2],
    carriedOut: 4,
    refused: {},
  },
  {
    name: 'one above KIT_MAX_PER_TOOL in a turn',
    env: { KIT_MAX_PER_TOOL: 2 },
    turns: [1, 3],
    carriedOut: 3,
    refused: { call_limit: 1 },
  },
  {
    name: 'a read tool above KIT_MAX_PER_TOOL',
    env: { KIT_MAX_PER_TOOL: 1 },
    turns: [3],
    isRead: true,
    carriedOut: 3,
    refused: {},
  },
  {
    name: 'one above KIT_MAX_PER_READ_TOOL in a turn',
    env: { KIT_MAX_PER_READ_TOOL: 2 },
    turns: [1, 3],
    isRead: true,
    carriedOut: 3,
    refused: { call_limit: 1 },
  },
  { name: 'KIT_MAX_TOOL_TURNS turns', env: { KIT_MAX_TOOL_TURNS: 2 }, turns: [1, 1], carriedOut: 2, refused: {} },
  {
    name: 'a call after KIT_MAX_TOOL_TURNS',
    env: { KIT_MAX_TOOL_TURNS: 1 },
    turns: [1, 1],
    carriedOut: 1,
    refused: { call_limit: 1 },
  },
];

it.each(CASES)(
  '$name: $carriedOut carried out, and each other one answered',
  async ({ env, turns, isRead, carriedOut, refused }) => {
    const server = fakeServer([serverTool('say', isRead === true ? { hints: READ } : {})]);
    let last: ModelRequest | undefined;
    const script: Script = ({ turn, request }) => {
      last = request;
      const count = turns[turn];
      if (count === undefined) return 'told';
      return Array.from({ length: count }, (_, index) =>
        call('say', { text: `${turn}.${index}` }, `c${turn}.${index}`),
      );
    };
    const root = agent('root', { role: 'root', skills: ['say'] });
    const world = await open(withTools(server.source, { root, skills: [toolSkill('say')], script, env }));
    await world.run();

    expect(server.calls).toHaveLength(carriedOut);
    const results = (last?.messages ?? []).flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_result' ? [part] : [])),
    );
    expect(results.map(({ id }) => id)).toEqual(
      turns.flatMap((count, turn) => Array.from({ length: count }, (_, index) => `c${turn}.${index}`)),
    );
    const reasons = results.flatMap(({ output, isError }) => (isError ? [String((output as JsonObject).reason)] : []));
    expect(
      Object.fromEntries(
        [...new Set(reasons)].map((reason) => [reason, reasons.filter((one) => one === reason).length]),
      ),
    ).toEqual(refused);
    expect(await world.row()).toMatchObject({ status: 'completed' });
  },
);

it.each([
  { chars: 99, whole: true },
  { chars: 100, whole: true },
  { chars: 101, whole: false },
])(
  'a result of $chars characters where KIT_MAX_RESULT_CHARS is 100 is shortened: not $whole',
  async ({ chars, whole }) => {
    const text = 'abcdefghij'.repeat(11).slice(0, chars);
    const server = fakeServer([serverTool('say')], () => saying(text));
    let reported: unknown;
    const script: Script = ({ turn, request }) => {
      for (const part of request.messages.at(-1)?.parts ?? []) if (part.type === 'tool_result') reported = part.output;
      return turn === 0 ? [call('say', { text: 'x' })] : 'told';
    };
    const world = await open(
      withTools(server.source, {
        root: agent('root', { role: 'root', skills: ['say'] }),
        skills: [toolSkill('say')],
        script,
        env: { KIT_MAX_RESULT_CHARS: 100 },
      }),
    );
    await world.run();

    const ref = refOf('say', 'root/d0/t0/c0:say');
    const left = `${text.slice(0, 50)}\n... (1 of 101 characters are left out here; context_retrieve {"ref": "${ref}", "offset": 50} gives them) ...\n${text.slice(-50)}`;
    expect(reported).toBe(`${whole ? text : left}\n[from files/say]`);
  },
);
