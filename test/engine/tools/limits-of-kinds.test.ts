import { expect, it } from 'vitest';
import type { CompressionPolicy } from '../../../src/domain/compression.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { MessagePart, ModelRequest } from '../../../src/domain/ports/model.js';
import { agent, call, commandSkill, type Script, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds } from '../laws.js';

const open = lawfulWorlds();

const COMPRESSION: CompressionPolicy = { backend: 'headtail', minBytes: 100_000, backendClass: null, overrides: [] };

/** One call of each kind that an agent can make. */
const KINDS: Readonly<Record<string, (n: number) => MessagePart>> = {
  'a skill': (n) => call('look', { input: String(n) }, `id-${n}`),
  'a delegation': (n) => call('delegate_to_helper', { task: `task ${n}` }, `id-${n}`),
  'a plan': (n) => call('create-task-plan', { tasks: [{ id: 'one', agent: 'helper', instruction: 'x' }] }, `id-${n}`),
  context_retrieve: (n) => call('context_retrieve', { ref: 'none-1' }, `id-${n}`),
};

const everything = (script: Script, env: WorldOptions['env']): WorldOptions => ({
  root: agent('root', { role: 'root', skills: ['look'], children: [agent('helper')] }),
  skills: [commandSkill('look', ['true'], { effects: 'read' })],
  env: { KIT_MAX_DELEGATIONS_PER_CHILD: 9, ...env },
  snapshot: {
    compression: COMPRESSION,
    planning: { scopeRequired: false, twoPhase: false, synthesisRoles: ['self'], synthesizerRole: 'synthesizer' },
  },
  script,
});

/** Reasons in the order of the calls; null where a call was not refused. */
function reasonsIn(request: ModelRequest | undefined): readonly (string | null)[] {
  const results = (request?.messages ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool_result' ? [part] : [])),
  );
  return results.map(({ output }) => {
    const { status, reason } = { ...(output as JsonObject) };
    return status === 'refused' ? String(reason) : null;
  });
}

async function reasonsFor(turns: readonly (readonly MessagePart[])[], env: WorldOptions['env']) {
  let last: ModelRequest | undefined;
  const script: Script = ({ agent: id, turn, request }) => {
    if (id !== 'root') return 'helped';
    if (turn > 0) last ??= request;
    if (turn === turns.length) last = request;
    return turns[turn] ?? 'told';
  };
  const world = await open(everything(script, env));
  await world.run();
  return { reasons: reasonsIn(last), row: await world.row() };
}

it.each(Object.entries(KINDS))(
  'the call above KIT_MAX_TOOLS is refused with a result where it is %s, and the one at it is not',
  async (_kind, made) => {
    const fill = (n: number): MessagePart => call('look', { input: 'x' }, `fill-${n}`);

    const at = await reasonsFor([[fill(0), made(1)]], { KIT_MAX_TOOLS: 2 });
    const above = await reasonsFor([[fill(0), fill(1), made(2)]], { KIT_MAX_TOOLS: 2 });

    expect(at.reasons).not.toContain('too_many_calls');
    expect(above.reasons).toEqual([null, null, 'too_many_calls']);
    for (const { row } of [at, above]) expect(row.status).toBe('completed');
  },
);

it.each(Object.entries(KINDS))(
  'a call after KIT_MAX_TOOL_TURNS is refused with a result where it is %s',
  async (_kind, made) => {
    const turns = [[call('look', { input: 'x' }, 'first')], [made(1)]];

    const { reasons, row } = await reasonsFor(turns, { KIT_MAX_TOOL_TURNS: 1 });

    expect(reasons).toEqual([null, 'call_limit']);
    expect(row.status).toBe('completed');
  },
);

it('KIT_MAX_PER_TOOL bounds skills, and neither delegations nor plans', async () => {
  const delegations = [0, 1, 2].map((n) => KINDS['a delegation']?.(n) as MessagePart);
  const looks = [3, 4].map((n) => call('look', { input: String(n) }, `id-${n}`));

  const { reasons } = await reasonsFor([[...delegations, ...looks]], { KIT_MAX_PER_TOOL: 1, KIT_MAX_PER_READ_TOOL: 1 });

  expect(reasons).toEqual([null, null, null, null, 'call_limit']);
});
