import { afterEach, describe, expect, test } from 'vitest';
import { cutsAt } from '../../../support/components/provider-servers/personalities.js';
import type { ScriptedAnswer } from '../../../support/components/provider-servers/protocol.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { binding, decisionSkill, verdict } from '../../../support/deciding.js';
import { agent, call, commandSkill, openWorld, type World, type WorldOptions } from '../../../support/run-world.js';
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
  properties: { n: { type: 'number' } },
};
const LONG = 'The three causes are these: '.repeat(20);
const look = (input: string): ScriptedAnswer => ({ calls: [{ id: 'c', name: 'look', arguments: { input } }] });

interface Scene extends Partial<WorldOptions> {
  readonly name: string;
  readonly schema?: true;
  readonly children?: true;
  /** Every answer is asked of the server; from the last one on all are the same. */
  readonly answers: readonly ScriptedAnswer[];
}

/** The situations of a conversation, each with an answer that does not fit the output limit. */
const SCENES: readonly Scene[] = [
  { name: 'a plain answer', answers: [{ text: LONG }] },
  { name: 'an answer after a call', answers: [look('it'), { text: LONG }] },
  { name: 'an answer with a schema', schema: true, answers: [look('it'), { text: LONG }] },
  { name: 'a leader and its child', children: true, answers: [{ text: LONG }] },
  {
    name: 'an answer that is judged',
    skills: [decisionSkill('judge')],
    snapshot: { decisions: [binding('judge', 'post_output')] },
    answers: [{ text: LONG }, { text: LONG }, { text: LONG }, { text: verdict('pass') }],
  },
];

async function ran(family: FamilyCase, scene: Scene): Promise<{ world: World; server: ProviderServer }> {
  let asked = 0;
  const answer = () => {
    const one = scene.answers[Math.min(asked, scene.answers.length - 1)];
    asked += 1;
    return { do: 'answer', ...one } as const;
  };
  const server = await startProviderServer(family.protocol, answer, { personalities: [cutsAt(20)] });
  const config = bundledConfig(family.id, server.url);
  const provider = await familyProvider(contributionOf(family.id), config, { env: { [KEY_VARIABLE]: KEY } });
  const { skills = [], snapshot = {} } = scene;
  const model = { provider: 'fake', model: family.model, toolProvider: 'fake', toolModel: family.model };
  const world = await openWorld({
    ...scene,
    root: agent('root', {
      role: 'root',
      skills: ['look'],
      outputSchema: scene.schema === true ? OBJECT : null,
      ...(scene.children === true ? { children: [agent('child')] } : {}),
    }),
    skills: [commandSkill('look', ['echo', 'seen']), ...skills],
    snapshot: { ...snapshot, models: { root: model, child: model, 'skill:judge': model } },
    script: () => [call('nobody', 'asks the script')],
    facilities: () => ({ provider: async () => provider }),
  });
  closing.push(() => server.close(), world.close);
  await world.run();
  return { world, server };
}

describe.each(FAMILIES)('a model of $id with an output limit of 20 tokens', (family) => {
  test.each(SCENES)('completes no run with a part: $name', async (scene) => {
    const { world, server } = await ran(family, scene);

    const row = await world.row();
    expect(row).toMatchObject({ status: 'failed', output: null });
    expect(server.problems).toEqual([]);
    // An answer and its two continuations, after what the scene asks before.
    expect(server.requests.length).toBeLessThanOrEqual(6);
  });

  test('is asked at most three times for a call that it cannot finish', async () => {
    const { world, server } = await ran(family, { name: '', answers: [look(LONG)] });

    expect(await world.row()).toMatchObject({ status: 'failed', output: null });
    expect(server.requests.length).toBeLessThanOrEqual(3);
    expect(server.problems).toEqual([]);
  });
});
