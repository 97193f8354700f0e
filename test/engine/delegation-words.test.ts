import { expect, it } from 'vitest';
import { agent, call } from '../support/run-world.js';
import { lawfulWorlds } from './laws.js';

const open = lawfulWorlds();

/** What the root is told of its tools. */
async function toolsReported(description?: string): Promise<ReadonlyMap<string, string>> {
  const reported = new Map<string, string>();
  const child = agent('alpha', description === undefined ? {} : { description });
  const world = await open({
    root: agent('root', { role: 'root', children: [child] }),
    script: ({ agent: id, turn, request }) => {
      if (id !== 'root') return 'done';
      for (const tool of request.tools) reported.set(tool.name, tool.description);
      return turn === 0 ? [call('delegate_to_alpha', { task: 'look' })] : 'fine';
    },
  });
  await world.run();
  expect(await world.row()).toMatchObject({ status: 'completed', output: 'fine' });
  return reported;
}

it('tells whoever gives tasks what an agent is for, and what a task has to hold', async () => {
  const tool = (await toolsReported('Knows the\n  markets of Europe.')).get('delegate_to_alpha');

  expect(tool).toContain('the agent alpha (worker: Knows the markets of Europe.)');
  expect(tool).toContain('it sees only the text of the task');
});

it('tells a page of it in short, and nothing where nothing is said', async () => {
  const long = (await toolsReported('x'.repeat(5_000))).get('delegate_to_alpha') ?? '';

  expect(long).toContain(`${'x'.repeat(500)}...)`);
  expect(long.length).toBeLessThan(1_000);
  expect((await toolsReported()).get('delegate_to_alpha')).toContain('the agent alpha (worker) to do one task');
});
