import { afterEach, describe, expect, it } from 'vitest';
import { inertText } from '../../../src/text/gaps-text.js';
import { HOSTILE, observe } from '../../support/observed-run.js';
import { agent, call, commandSkill, openWorld, type World } from '../../support/run-world.js';

let world: World;
afterEach(() => world.close());

const skills = [
  commandSkill('say', ['echo', 'hi']),
  commandSkill('fall', ['false']),
  commandSkill('judge', ['true'], { category: 'decision' }),
];

describe('what is wired and never fired', () => {
  it('is an agent that was never asked, and a skill that was never called; a skill that failed was called', async () => {
    world = await openWorld({
      root: agent('lead', {
        role: 'root',
        skills: ['say', 'fall'],
        children: [
          agent('reader', { skills: ['say', 'judge'] }),
          agent('writer', { skills: ['say'], children: [agent('typist')] }),
        ],
      }),
      skills,
      script: ({ agent: id, turn }) =>
        id === 'lead' && turn === 0 ? [call('delegate_to_reader', { task: 'x' }), call('fall', { input: '' })] : 'done',
    });
    await world.run();

    const inert = await observe(world).inert({ workspace: '' });

    expect(inert.map(({ topology, runs, agent: id, skill }) => [topology, runs, id, skill])).toEqual([
      ['test', 1, 'lead', 'say'],
      ['test', 1, 'reader', 'say'],
      ['test', 1, 'writer', null],
      ['test', 1, 'typist', null],
    ]);
    expect(inertText(inert, { color: false, width: null })).toBe(`test, in 1 run
  lead never called say
  reader never called say
  the agent writer was never asked
  the agent typist was never asked`);
  });

  it('is nothing where all was used, and prints nothing that a terminal would obey', async () => {
    world = await openWorld({ root: agent('lead', { role: 'root' }), script: () => 'done' });
    await world.run();

    expect(await observe(world).inert({ workspace: '' })).toEqual([]);
    expect(
      inertText([{ topology: HOSTILE, runs: 2, agent: HOSTILE, skill: HOSTILE }], { color: false, width: null }),
    ).not.toContain('\u001b');
  });
});
