import { expect, it } from 'vitest';
import { hostsOnce } from '../../src/lib/hosts-once.js';

const asked = (host: string, answer: 'reached' | 'refused') => ({ host, port: 443, answer });

it('tells each host and answer once, the refused ones above fifty in one sentence, and every reached one', async () => {
  const told: string[] = [];
  const more: string[] = [];
  const tell = hostsOnce(
    async ({ host, answer }: { host: string; port: number; answer: string }) => void told.push(`${answer} ${host}`),
    async (text) => void more.push(text),
  );

  await tell(asked('a', 'reached'));
  await tell(asked('a', 'reached'));
  for (let n = 0; n < 60; n++) await tell(asked(`host-${n}`, 'refused'));
  await tell(asked('b', 'reached'));

  expect(told).toHaveLength(51);
  expect([told[0], told.at(-1)]).toEqual(['reached a', 'reached b']);
  expect(more).toEqual(['more than 50 hosts were asked for; of the others the refused ones are not listed']);
});
