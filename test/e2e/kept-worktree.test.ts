import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeRepositoryIn } from './repository.js';
import { harnessWorkspace } from './workspaces.js';
import { eventsOf, lastOf, makeWorld, untilExecuted, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

/** Works without an end the first time; the second time it says whether it finds what it left. */
const TWICE = [
  'if [ ! -e "$HOME/begun" ]',
  'then touch "$HOME/begun" mark',
  'trap "" INT TERM',
  'sleep 600 & wait',
  'fi',
  'if [ -e mark ]',
  'then echo "{\\"type\\":\\"done\\",\\"text\\":\\"found it\\"}"',
  'else echo "{\\"type\\":\\"done\\",\\"text\\":\\"lost it\\"}"',
  'fi',
]
  .join('; ')
  .replaceAll('then; ', 'then ');

it('Ctrl-C twice keeps what a harness has begun: the run goes on in the same worktree, and then nothing is left', async () => {
  const { root } = makeRepositoryIn(world, 'twice', harnessWorkspace(TWICE));
  const refused = await world.kit(['run', root, 'own', '--input', 'hi']);
  const trust = /--trust ([0-9a-f]{64})/.exec(refused.stderr)?.[1] ?? '';
  const live = world.start(['run', root, 'own', '--input', 'hi', '--trust', trust, '--json'], { stdin: '' });
  await live.sees(/"executor.started"/);
  await untilExecuted(world.temp, 'sleep 600');
  live.child.kill('SIGINT');
  await live.sees(/press Ctrl-C again/);
  live.child.kill('SIGINT');
  const stopped = await live.ended;

  const resumed = await world.kit(['run', root, 'own', `--resume=${lastOf(stopped).id}`, '--json']);

  expect(stopped.code).toBe(130);
  expect(lastOf(resumed)).toMatchObject({ status: 'completed', output: 'found it' });
  expect(
    eventsOf(resumed)
      .filter(({ type }) => type === 'executor.started')
      .at(-1),
  ).toMatchObject({
    payload: { lost: null },
  });
  expect(world.leftovers()).toEqual([]);
});
