import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestHost, governanceConformance, readFixtures } from '@kit-run/kit/testing';
import { contribution } from '../src/governance.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).governanceProviders['sample-publisher.sample-name'];

for (const { name, run } of governanceConformance(contribution, fixtures)) test(name, run);

test('allows what the policy server allows', async (context) => {
  const fetch = async (_url, { body }) => Response.json({ allow: JSON.parse(body).action === 'agent:execute' });
  const opened = await createTestHost({ plugin, fetch });
  context.after(() => opened.dispose());
  const provider = await opened.host.resolve('governanceProviders', 'sample-name', {
    url: 'https://policy.invalid/decide',
  });
  const ask = (action) =>
    provider.evaluate({ agentId: 'a', action, scopesRequired: [], context: {} }, new AbortController().signal);

  assert.deepEqual(await ask('agent:execute'), { verdict: 'allow' });
  assert.equal((await ask('command:call:git:push')).verdict, 'deny');
});
