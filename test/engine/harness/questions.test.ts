import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, goOn, isOpenItem, reviews } from '../../support/gated.js';
import { type HarnessWorld, openHarness } from '../../support/harness-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import type { World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterEach(() => repository.dispose());

const ask = (more: object = {}) => ({
  call: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: 'Which DB?',
        header: 'DB',
        multiSelect: false,
        options: [
          { label: 'Postgres', description: 'pg' },
          { label: 'SQLite', description: 'lite' },
        ],
      },
    ],
  },
  ...more,
});
const TURNS = [[{ say: 'I must know one thing.' }, ask()], [{ say: 'Then so.' }]];

const start = (of: Partial<HarnessWorld> = {}): Promise<World> =>
  openHarness(open, { repository, turns: TURNS as never, ...of });
const openItem = async (world: World) => (await reviews(world)).items.find(isOpenItem);
const reported = async (world: World) =>
  payloadsOf(await world.events(), 'executor.tool_call').map((one) => one.summary);

describe('a question of a model', () => {
  it('parks the run as an item of kind input, and its answer is what the model is told', async () => {
    const world = await start();
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(await openItem(world)).toMatchObject({
      kind: 'input',
      agentId: 'coder',
      question: 'Which DB?',
      options: ['Postgres', 'SQLite'],
      stepKey: 'root/d0/s0/question',
      details: { tool: 'AskUserQuestion', rationale: { said_by: 'model', text: 'I must know one thing.' } },
    });
    await answer(world, { action: 'answer', text: 'SQLite' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect((await world.row()).output).toBe('Then so.');
    expect(await reported(world)).toContain(
      'Your questions have been answered: "Which DB?"="SQLite". You can now continue with these answers in mind.',
    );
  });

  it('is answered by the option and the comment where there is one', async () => {
    const world = await start();
    await world.run();
    await answer(world, { action: 'answer', text: 'Postgres', comment: 'version 18, in a container' });
    await goOn(world);
    expect((await reported(world)).join(' ')).toContain('"Which DB?"="Postgres: version 18, in a container"');
    expect((await reviews(world)).items[0]).toMatchObject({ status: 'approved', answer: 'Postgres' });
  });

  it('is refused to the model when a person rejects it, and it goes on', async () => {
    const world = await start();
    await world.run();
    await answer(world, { action: 'reject', comment: 'Read the README.' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect((await reported(world)).join(' ')).toContain('nobody answers this question. Read the README.');
  });

  it('of an agent that the session started waits for nobody', async () => {
    const world = await start({ turns: [[ask({ agent: 'a-1' })], [{ say: 'Done.' }]] as never });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
  });

  it('is not offered where the program itself knows what it may do', async () => {
    const world = await start({ config: { allowed_tools: 'Read' } });
    expect((await world.run()).kind).toBe('ended');
    expect(await reported(world)).toContain('<tool_use_error>Error: No such tool available: AskUserQuestion');
  });
});
