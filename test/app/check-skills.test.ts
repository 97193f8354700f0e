import { expect, it } from 'vitest';
import { type CheckDeps, checkSkills } from '../../src/app/skills/check-skills.js';

it('names of tools are words of a server: without secrets', async () => {
  const servers = new Map([['h', {}]]) as unknown as CheckDeps['servers'];
  const { servers: found } = await checkSkills(
    {
      skills: [],
      servers,
      open: async () => ({ tools: async () => [{ name: 'find-hunter22' }] as never }),
      mask: (text) => text.replaceAll('hunter22', '[MASKED]'),
    },
    'all',
  );
  expect(found).toEqual([{ server: 'h', tools: ['find-[MASKED]'], detail: '' }]);
});
