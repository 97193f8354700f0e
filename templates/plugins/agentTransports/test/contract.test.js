import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentTransportConformance, createTestHost } from '@kit-run/kit/testing';
import { contribution } from '../src/agent-transport.js';

for (const { name, run } of agentTransportConformance(contribution)) test(name, run);

test('sends a message to the address of the card, with the credential', async (context) => {
  const opened = await createTestHost({ plugin: join(import.meta.dirname, '..') });
  context.after(() => opened.dispose());
  const transport = await opened.host.resolve('agentTransports', 'sample-name', {});
  const asked = [];
  const world = {
    fetch: async (url, { headers }) => {
      asked.push([url, headers.authorization]);
      return Response.json({ id: 'task-1', state: 'completed', output: 'hello' });
    },
    bearer: async () => 'a token',
    signal: AbortSignal.timeout(5000),
  };

  const message = { messageId: 'm', contextId: null, skillId: null, input: 'hi', onBehalfOf: [], depth: 1 };
  const task = await transport.send({ url: 'https://agent.invalid', version: '1' }, message, world);

  assert.deepEqual(asked, [['https://agent.invalid/tasks', 'Bearer a token']]);
  assert.equal(task.output, 'hello');
});
