import { afterEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../src/domain/ports/model.js';
import { agent, call, commandSkill, openWorld, type World } from '../support/run-world.js';

let open: World[] = [];
afterEach(async () => {
  await Promise.all(open.map((world) => world.close()));
  open = [];
});

const OBJECT = {
  type: 'object',
  additionalProperties: false,
  required: ['n'],
  properties: { n: { type: 'number' } },
};

async function askedWith(over: Parameters<typeof agent>[1]): Promise<readonly ModelRequest[]> {
  const asked: ModelRequest[] = [];
  const world = await openWorld({
    root: agent('root', { role: 'root', skills: ['look'], ...over }),
    skills: [commandSkill('look', ['echo', 'seen'])],
    script: ({ turn, request }) => {
      asked.push(request);
      if (turn === 0) return [call('look', { input: 'it' })];
      return over?.outputSchema == null ? 'done' : [call('answer', { n: 7 })];
    },
  });
  open.push(world);
  await world.run();
  expect(await world.row()).toMatchObject({ status: 'completed' });
  return asked;
}

const MODEL = agent('root').model;

test.each([
  { firstCall: 'required', said: { type: 'required' } },
  { firstCall: { tool: 'look' }, said: { type: 'tool', name: 'look', must: true } },
] as const)('a model that has to call ($firstCall) is told so in its first turn alone', async ({ firstCall, said }) => {
  const asked = await askedWith({ model: { ...MODEL, firstCall } });

  expect(asked.map(({ toolChoice }) => toolChoice)).toEqual([said, undefined]);
});

test('it may give its answer by a call where a schema is declared', async () => {
  const asked = await askedWith({ model: { ...MODEL, firstCall: 'required' }, outputSchema: OBJECT });

  expect(asked[0]?.toolChoice).toEqual({ type: 'required' });
  expect(asked[0]?.tools.map(({ name }) => name)).toEqual(['look', 'answer']);
});

test('without tools nothing has to be called', async () => {
  const asked: ModelRequest[] = [];
  const world = await openWorld({
    root: agent('root', { role: 'root', model: { ...MODEL, firstCall: 'required', strict: true } }),
    script: ({ request }) => {
      asked.push(request);
      return 'done';
    },
  });
  open.push(world);
  await world.run();

  expect(asked[0]).not.toHaveProperty('toolChoice');
  expect(asked[0]).toMatchObject({ strict: true });
});
