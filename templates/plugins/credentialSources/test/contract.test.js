import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestHost, credentialSourceConformance, readFixtures } from '@kit-run/kit/testing';
import { contribution } from '../src/credential-source.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).credentialSources['sample-publisher.sample-name'];

for (const { name, run } of credentialSourceConformance(contribution, fixtures)) test(name, run);

test('asks the vault with the token that its manifest declares', async (context) => {
  const asked = [];
  const fetch = async (url, { headers }) => {
    asked.push([url, headers['x-vault-token']]);
    return Response.json({ value: 'the value' });
  };
  const opened = await createTestHost({ plugin, fetch, env: { VAULT_TOKEN: 'a token', OTHER: 'not declared' } });
  context.after(() => opened.dispose());
  const source = await opened.host.resolve('credentialSources', 'sample-name', {});

  assert.equal(await source.resolve('team-key', { url: 'https://vault.invalid' }), 'the value');
  assert.deepEqual(asked, [['https://vault.invalid/secrets/team-key', 'a token']]);
});
