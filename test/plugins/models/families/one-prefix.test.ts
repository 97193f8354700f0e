import { afterEach, describe, expect, test } from 'vitest';
import type { ScriptedAnswer } from '../../../support/components/provider-servers/protocol.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { binding, decisionSkill, verdict } from '../../../support/deciding.js';
import { agent, commandSkill, openWorld, type World, type WorldOptions } from '../../../support/run-world.js';
import { familyProvider } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, type FamilyCase, KEY, KEY_VARIABLE } from './family-cases.js';

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

const OBJECT = {
  type: 'object',
  additionalProperties: false,
  required: ['n'],
  properties: { n: { type: 'number', 'x-source': '$.n' } },
};
const look = (id: string): ScriptedAnswer => ({ calls: [{ id, name: 'look', arguments: { input: 'it' } }] });
const says = (id: string, n: unknown): ScriptedAnswer => ({ calls: [{ id, name: 'answer', arguments: { n } }] });

interface Scene extends Partial<WorldOptions> {
  readonly name: string;
  readonly schema: boolean;
  readonly answers: readonly ScriptedAnswer[];
  readonly output: string;
}

const SCENES: readonly Scene[] = [
  {
    name: 'a tool agent with a schema answers in the turn in which it is done',
    schema: true,
    answers: [look('1'), look('2'), says('3', 7)],
    output: '{"n":7}',
  },
  {
    name: 'an answer in prose is asked for in the format, and corrected',
    schema: true,
    answers: [look('1'), { text: 'It is seven.' }, says('2', 'seven'), says('3', 7)],
    output: '{"n":7}',
  },
  {
    name: 'an answer beside a call is given again after what the call gives',
    schema: true,
    answers: [{ calls: [...(look('1').calls ?? []), ...(says('2', 1).calls ?? [])] }, says('3', 7)],
    output: '{"n":7}',
  },
  {
    name: 'the turns of tools are spent',
    schema: false,
    env: { KIT_MAX_TOOL_TURNS: 1 },
    answers: [look('1'), { text: 'That is all.' }],
    output: 'That is all.',
  },
  {
    name: 'what was found in an answer goes back to its author',
    schema: false,
    skills: [decisionSkill('judge')],
    snapshot: { decisions: [binding('judge', 'post_output')] },
    answers: [
      look('1'),
      { text: 'first' },
      { text: verdict('fail', { flagged_items: ['too short'] }) },
      { text: 'better' },
      { text: verdict('pass') },
    ],
    output: 'better',
  },
];

async function asked(family: FamilyCase, scene: Scene): Promise<{ world: World; server: ProviderServer }> {
  const server = await startProviderServer(family.protocol);
  server.script(...scene.answers.map((one) => ({ do: 'answer', ...one }) as const));
  const config = bundledConfig(family.id, server.url);
  const provider = await familyProvider(contributionOf(family.id), config, { env: { [KEY_VARIABLE]: KEY } });
  const { skills = [], snapshot = {} } = scene;
  const model = { provider: 'fake', model: family.model, toolProvider: 'fake', toolModel: family.model };
  const world = await openWorld({
    ...scene,
    root: agent('root', { role: 'root', skills: ['look'], outputSchema: scene.schema ? OBJECT : null }),
    skills: [commandSkill('look', ['echo', 'seen']), ...skills],
    snapshot: { ...snapshot, models: { root: model, 'skill:judge': model } },
    script: () => 'nobody asks the script',
    facilities: () => ({ provider: async () => provider }),
  });
  closing.push(() => server.close(), world.close);
  await world.run();
  return { world, server };
}

/** What a request says, in the order in which the services put it: tools, system text, messages. */
function saidIn(body: Record<string, unknown>): { head: string; messages: readonly string[] } {
  const unmarked = (value: unknown): string =>
    JSON.stringify(value ?? null, (key, member: unknown) => (key === 'cache_control' ? undefined : member));
  const messages = (body.messages ?? body.input ?? body.contents) as readonly unknown[];
  return { head: unmarked([body.tools, body.system, body.systemInstruction]), messages: messages.map(unmarked) };
}

describe.each(FAMILIES)('a conversation over $id', (family) => {
  test.each(SCENES)('$name, and each request begins with the one before it', async (scene) => {
    const { world, server } = await asked(family, scene);

    expect(server.problems).toEqual([]);
    expect(await world.row()).toMatchObject({ status: 'completed', output: scene.output });
    expect(server.requests).toHaveLength(scene.answers.length);
    const talk = server.requests
      .map(({ body }) => body)
      .filter((body) => JSON.stringify(body).includes('You are root'));
    for (const [index, body] of talk.slice(1).entries()) {
      const [before, now] = [saidIn(talk[index]), saidIn(body)];
      expect(now.head).toBe(before.head);
      expect(now.messages.slice(0, before.messages.length)).toEqual(before.messages);
    }
    expect(talk.every((body) => JSON.stringify(body.tools).includes('"look"'))).toBe(true);
    // Hints are for kit, and strict servers refuse what they do not know.
    expect(JSON.stringify(talk)).not.toContain('x-source');
  });
});
