import { expect, it } from 'vitest';
import type { Json } from '../../../src/domain/json.js';
import type { ServerCall } from '../../../src/domain/ports/tools.js';
import { fakeServer, saying, serverTool, toolSkill } from '../../support/fake-tools.js';
import { typesOf } from '../../support/gated.js';
import { agent, call, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';
import { withTools } from './tool-world.js';

const open = lawfulWorlds();
type Progress = NonNullable<ServerCall['onProgress']>;

/** A run with one call whose server tells what `tell` says before it answers. */
async function progressOf(report: (progress: Progress) => void, options: Partial<WorldOptions> = {}) {
  const late: Progress[] = [];
  const server = fakeServer([serverTool('index')], async ({ onProgress }) => {
    if (onProgress === undefined) throw new Error('nobody listens');
    late.push(onProgress);
    report(onProgress);
    await new Promise((resolve) => setImmediate(resolve));
    return saying('indexed');
  });
  const world = await open(
    withTools(server.source, {
      ...options,
      root: agent('root', { role: 'root', skills: ['index'] }),
      skills: [toolSkill('index')],
      script: ({ turn }) => (turn === 0 ? [call('index', { text: 'all' })] : 'told'),
    }),
  );
  await world.run();
  return { world, late, told: payloadsOf(await world.events(), 'tool.progress') };
}

it('what a server tells of a call is an event inside its step, and no more than one a second', async () => {
  const { world, told: reported } = await progressOf((progress) => {
    for (let done = 1; done <= 50; done += 1) progress({ done, total: 50, message: `file ${done}` });
  });

  expect(reported).toEqual([{ tool: 'index', server: 'files', done: 1, total: 50, message: 'file 1' }]);
  const types = await typesOf(world);
  expect(types.indexOf('tool.progress')).toBeLessThan(types.indexOf('skill.executed'));
});

it('nothing is told of a call that is over, and what is not a number is not progress', async () => {
  const {
    world,
    late,
    told: reported,
  } = await progressOf((progress) => progress({ done: Number.NaN, total: null, message: null }));
  late[0]?.({ done: 1, total: null, message: 'too late' });
  await new Promise((resolve) => setImmediate(resolve));

  expect(reported).toEqual([]);
  expect(payloadsOf(await world.events(), 'tool.progress')).toEqual([]);
});

it('words of a server are hidden where the outputs of the skill are', async () => {
  const hidden = async (_skill: string | null, { inputs }: { readonly inputs: Json }) => ({ inputs });
  const { told: reported } = await progressOf(
    (progress) => progress({ done: 1, total: null, message: 'the name of a patient' }),
    {
      facilities: () => ({ redactCall: hidden }),
    },
  );

  expect(reported).toEqual([{ tool: 'index', server: 'files', done: 1, total: null, message: null }]);
});
