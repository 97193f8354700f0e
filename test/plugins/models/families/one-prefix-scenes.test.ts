import { afterEach, describe, expect, test } from 'vitest';
import type { Planning } from '../../../../src/domain/planning.js';
import type { ScriptedAnswer } from '../../../support/components/provider-servers/protocol.js';
import { type ProviderServer, startProviderServer } from '../../../support/components/provider-servers/server.js';
import { decisionSkill, verdict } from '../../../support/deciding.js';
import { decide, gatedBy, goOn, ONE_ROLE } from '../../../support/gated.js';
import { agent, commandSkill, openWorld, type World, type WorldOptions } from '../../../support/run-world.js';
import { familyProvider } from '../helpers.js';
import { bundledConfig, contributionOf, FAMILIES, type FamilyCase, KEY, KEY_VARIABLE } from './family-cases.js';

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.map((close) => close()));
  closing = [];
});

const PLANNING: Planning = {
  ...{ scopeRequired: false, twoPhase: false },
  ...{ synthesisRoles: ['self'], synthesizerRole: 'synthesizer' },
};
const calls = (id: string, name: string, args: Readonly<Record<string, unknown>>): ScriptedAnswer => ({
  calls: [{ id, name, arguments: args }],
});
const look = (id: string): ScriptedAnswer => calls(id, 'look', { input: 'it' });
const child = agent('child', { description: 'Counts.' });

interface Scene extends Partial<WorldOptions> {
  readonly name: string;
  readonly answers: readonly ScriptedAnswer[];
  /** Who says what is compared: the beginning of the system text. */
  readonly speaker?: string;
  /** How many requests that speaker makes. */
  readonly said: number;
  readonly output: string;
  /** What people do once the run waits for them. */
  readonly people?: (world: World) => Promise<unknown>;
}

const leader = agent('root', { role: 'root', children: [child] });
const reworking = gatedBy(ONE_ROLE);
const judging = gatedBy(ONE_ROLE, { judge: { skill: 'critic', rubric: 'Be short.', threshold: 0.5 } });

const SCENES: readonly Scene[] = [
  {
    name: 'a leader asks a child, twice',
    root: leader,
    answers: [
      calls('1', 'delegate_to_child', { task: 'count' }),
      { text: 'seven' },
      calls('2', 'delegate_to_child', { task: 'count again' }),
      { text: 'eight' },
      { text: 'fifteen' },
    ],
    said: 3,
    output: 'fifteen',
  },
  {
    name: 'a coordinator plans, hears of a batch, and answers',
    root: leader,
    snapshot: { planning: PLANNING },
    answers: [
      calls('1', 'create-task-plan', { tasks: [{ id: 'a', agent: 'child', instruction: 'count' }] }),
      { text: 'seven' },
      { text: 'all is seven' },
    ],
    said: 2,
    output: 'all is seven',
  },
  {
    name: 'people send a draft back, and another process goes on',
    root: agent('root', { role: 'root', skills: ['look'], funnel: 'sign-off' }),
    skills: [commandSkill('look', ['echo', 'seen'])],
    ...reworking,
    answers: [look('1'), { text: 'draft' }, { text: 'better' }],
    said: 3,
    output: 'better',
    people: async (world) => {
      await decide(world, { role: 'qa', outcome: 'changes_requested', comment: 'Say what it costs.' });
      await goOn(world);
      await decide(world, { role: 'qa' });
      await goOn(world);
    },
  },
  {
    name: 'a judge is asked for its verdict again',
    root: agent('root', { role: 'root', funnel: 'sign-off' }),
    skills: [decisionSkill('critic')],
    ...judging,
    answers: [{ text: 'draft' }, { text: '{"note": "Fine."}' }, { text: verdict('pass') }],
    speaker: 'You are critic',
    said: 2,
    output: 'draft',
    people: async (world) => {
      await decide(world, { role: 'qa' });
      await goOn(world);
    },
  },
];

async function asked(family: FamilyCase, scene: Scene): Promise<{ world: World; server: ProviderServer }> {
  const server = await startProviderServer(family.protocol);
  closing.push(() => server.close());
  server.script(...scene.answers.map((one) => ({ do: 'answer', ...one }) as const));
  const config = bundledConfig(family.id, server.url);
  const provider = await familyProvider(contributionOf(family.id), config, { env: { [KEY_VARIABLE]: KEY } });
  const model = { provider: 'fake', model: family.model, toolProvider: 'fake', toolModel: family.model };
  const models = Object.fromEntries(['root', 'child', 'skill:critic'].map((id) => [id, model]));
  const world = await openWorld({
    ...scene,
    root: scene.root ?? leader,
    snapshot: { ...scene.snapshot, models },
    script: () => 'nobody asks the script',
    facilities: () => ({ provider: async () => provider }),
  });
  closing.push(world.close);
  await world.run();
  await scene.people?.(world);
  return { world, server };
}

/** Tools and system text, and the messages, without the marks of a cache. */
function saidIn(body: Record<string, unknown>): { head: string; messages: readonly string[] } {
  const unmarked = (value: unknown): string =>
    JSON.stringify(value ?? null, (key, member: unknown) => (key === 'cache_control' ? undefined : member));
  const messages = (body.messages ?? body.input ?? body.contents) as readonly unknown[];
  return { head: unmarked([body.tools, body.system, body.systemInstruction]), messages: messages.map(unmarked) };
}

describe.each(FAMILIES)('over $id', (family) => {
  test.each(SCENES)('$name: each request begins with the one before it', async (scene) => {
    const { world, server } = await asked(family, scene);

    expect(server.problems).toEqual([]);
    expect(await world.row()).toMatchObject({ status: 'completed', output: scene.output });
    const { speaker = 'You are root' } = scene;
    const talk = server.requests.map(({ body }) => body).filter((body) => JSON.stringify(body).includes(speaker));
    expect(talk).toHaveLength(scene.said);
    for (const [index, body] of talk.slice(1).entries()) {
      const [before, now] = [saidIn(talk[index]), saidIn(body)];
      expect(now.head).toBe(before.head);
      expect(now.messages.slice(0, before.messages.length)).toEqual(before.messages);
    }
  });
});
