import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { authProviderConformance, createTestHost, readFixtures } from '@kit-run/kit/testing';
import { contribution } from '../src/auth-provider.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).authProviders['sample-publisher.sample-name'];

for (const { name, run } of authProviderConformance(contribution, fixtures)) test(name, run);

test('asks the token service with the secret that its manifest declares', async (context) => {
  const asked = [];
  const fetch = async (url, { headers, body }) => {
    asked.push([url, headers.authorization, body.get('token')]);
    return Response.json({ active: true, sub: 'alice', username: 'Alice', scope: 'serve:read approvals:resolve' });
  };
  const opened = await createTestHost({ plugin, fetch, env: { TOKEN_SERVICE_SECRET: 'a secret' } });
  context.after(() => opened.dispose());
  const provider = await opened.host.resolve('authProviders', 'sample-name', { url: 'https://tokens.invalid' });

  const verdict = await provider.authenticate({ authorization: 'Bearer abc' });

  assert.deepEqual(verdict.caller.scopes, ['serve:read']);
  assert.deepEqual(asked, [['https://tokens.invalid', 'Bearer a secret', 'abc']]);
});
