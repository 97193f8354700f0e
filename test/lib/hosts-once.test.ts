import { expect, it } from 'vitest';
import { hostsOnce } from '../../src/lib/hosts-once.js';

const asked = (host: string, answer: 'reached' | 'refused') => ({ host, port: 443, answer });

it('tells each host and answer once, the refused ones above fifty in one sentence, and every reached one', async () => {
  const reported: string[] = [];
  const more: string[] = [];
  const report = hostsOnce(
    async ({ host, answer }: { host: string; port: number; answer: string }) => void reported.push(`${answer} ${host}`),
    async (text) => void more.push(text),
  );

  await report(asked('a', 'reached'));
  await report(asked('a', 'reached'));
  for (let n = 0; n < 60; n++) await report(asked(`host-${n}`, 'refused'));
  await report(asked('b', 'reached'));

  expect(reported).toHaveLength(51);
  expect([reported[0], reported.at(-1)]).toEqual(['reached a', 'reached b']);
  expect(more).toEqual(['more than 50 hosts were asked for; of the others the refused ones are not listed']);
});
