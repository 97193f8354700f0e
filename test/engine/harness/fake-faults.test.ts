import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash } from '../../support/fake-claude.js';
import { answer, goOn } from '../../support/gated.js';
import { effectsOf, type HarnessWorld, linesOf, openHarness } from '../../support/harness-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import type { World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterEach(() => repository.dispose());

const start = (turns: HarnessWorld['turns'], more: Partial<HarnessWorld> = {}): Promise<World> =>
  openHarness(open, { repository, turns, ...more });
const once = (): string => `echo ran >> ${effectsOf(repository)}`;
const effects = (): readonly string[] => linesOf(effectsOf(repository));
const saidTo = async (world: World) =>
  payloadsOf(await world.events(), 'executor.permission').map((one) => `${one.answer}: ${one.reason}`);

describe('a session that kit asks people about, and whose program', () => {
  it.each([
    ['input', () => ({ input: { command: `echo other >> ${effectsOf(repository)}` } })],
    ['tool', () => ({ name: 'Write', input: { file_path: effectsOf(repository), content: 'other' } })],
  ])('finds another %s in its transcript makes nothing of what was approved', async (_what, becomes) => {
    const world = await start([[bash(once(), { fault: 'edited', becomes: becomes() })], [{ say: 'Done.' }]]);
    await world.run();
    await answer(world, { action: 'approve' });
    await goOn(world);

    expect(effects()).toEqual([]);
    expect((await saidTo(world)).at(-1)).toBe(
      'denied: this is not the call that was decided about: its tool or its input has changed',
    );
  });

  it('does not hear that it has to wait makes no call, and has not done its work', async () => {
    const world = await start([[bash(once(), { fault: 'answer-lost' })], [{ say: 'Done.' }]]);
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'executor.gate_lost' });
    expect(effects()).toEqual([]);
  });

  it('tells nothing of a call that was denied goes on without it', async () => {
    const world = await start([[bash(once(), { fault: 'no-result' })], [{ say: 'Done.' }]], {
      permissions: ['deny execute'],
    });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'Done.' });
    expect(effects()).toEqual([]);
  });

  it('prints what is not JSON is read on; one that goes without a result has not answered', async () => {
    const garbage = await start([[{ fault: 'garbage' }, { say: 'Done.' }]]);
    await garbage.run();
    const gone = await start([[{ say: 'Nearly.' }, { fault: 'exit' }]]);
    await gone.run();

    expect(await garbage.row()).toMatchObject({ status: 'completed', output: 'Done.' });
    expect(await gone.row()).toMatchObject({ status: 'failed', reason: 'executor.no_terminal_event' });
  });

  it('has lost its session cannot go on: nothing of what was approved is made', async () => {
    const world = await start([[bash(once())], [{ say: 'Done.' }]]);
    await world.run();
    await answer(world, { action: 'approve' });
    rmSync(join(String(repository.env.HOME), '.claude'), { recursive: true });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'failed' });
    expect(effects()).toEqual([]);
    expect(readdirSync(repository.temp)).toEqual([]);
  });

  it('leaves a process behind has none left when it has put itself down', async () => {
    const world = await start([[{ fault: 'background' }, bash(once())], [{ say: 'Done.' }]]);

    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(processesOf(String(repository.env.HOME))).toEqual([]);
  });
});

/** Command lines of processes that have this HOME. */
function processesOf(home: string): readonly string[] {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return ''; // It has ended.
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(`HOME=${home}`))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '));
}
