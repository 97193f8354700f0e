import { describe, expect, it } from 'vitest';
import { detailedTask } from '../../../../plugins/protocols/src/mcp/tasks/task-of.js';
import { CLIENTS, textOf } from '../../../support/mcp/clients.js';
import { openMcpServer } from '../../../support/mcp/server.js';
import { serveA2a } from '../../../support/protocols/a2a-world.js';
import { caller, cardOf, desk, frontOf, PEER, sign } from '../../../support/protocols/remote-world.js';

/** No call of these tests lasts so long: one that waits to its end fails its test. */
const LONG = 'server: { a2a: { enabled: true }, mcp: { wait_seconds: 600 } }\n';

/** A kit that is asked over MCP, which asks a kit, which asks a kit with a gate. */
async function threeKits() {
  const last = await desk();
  const between = await serveA2a(caller(cardOf(last), 'release', { workspace: LONG }), { env: PEER });
  const first = await openMcpServer(caller(cardOf(between), 'front', { workspace: LONG }), { variables: PEER });
  return { last, first };
}

describe.each(CLIENTS)('$name', ({ open }) => {
  it('is told that people two kits away are asked, and where', { timeout: 150_000 }, async () => {
    const { last, first } = await threeKits();
    const client = await open({ url: first.url });

    const asked = await client.call('run_front', { input: 'hello' });

    const place = `${last.url}/gates/`;
    expect(asked.isError).not.toBe(true);
    expect(asked.structuredContent).toMatchObject({ status: 'running', gate_url: expect.stringContaining(place) });
    expect(textOf(asked)).toContain(`waits for people of another system to decide. They decide at ${place}`);
    const job = { job_id: asked.structuredContent?.job_id };
    const again = await client.call('kit_job', job);
    expect(again.structuredContent).toEqual(asked.structuredContent);

    await sign(last);
    await expect
      .poll(async () => (await client.call('kit_job', { ...job, wait_seconds: 1 })).structuredContent, {
        timeout: 90_000,
      })
      .toMatchObject({ status: 'completed', output: 'passed on' });
  });
});

it('is a task that needs input while people elsewhere are asked, and works before', async () => {
  const { first } = await threeKits();
  const url = 'https://last.example/gates/g';
  const { job } = await first.app.serve.submit(frontOf(first));
  const running = { ...job, status: 'running' } as const;
  const result = { content: [] };

  expect(detailedTask(running, { result, gateUrl: null })).toMatchObject({ status: 'working' });
  expect(detailedTask(running, { result, gateUrl: url })).toMatchObject({
    status: 'input_required',
    inputRequests: { gate: { method: 'elicitation/create', params: { mode: 'url', url } } },
  });
});
