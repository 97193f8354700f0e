import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { LogEntry } from '../../src/domain/log-entry.js';
import { openReceiver } from '../support/http/receiver.js';
import { startServe } from '../support/http/serve-process.js';
import { makeHome } from '../support/kit-process.js';
import { gated } from './review/gated-workspace.js';

const KEYS = { DANA_KEY: 'the-long-key-of-dana', QA_KEY: 'the-long-key-of-qa-1', OPS_KEY: 'the-long-key-of-ops-1' };
const PUSHED = ['run.started', 'run.parked', 'run.ended'];

const settings = (
  events: string,
  listener: string,
): string => `credentials: { app: { source: env, config: { env: APP_TOKEN } } }
events: [{ sink: webhook, url: "${events}", credentials_ref: app, types: [${PUSHED.join(', ')}] }]
server:
  signal: { url: "${listener}", credentials_ref: app }
  auth:
    provider: api_key
    config:
      keys:
        - { key_ref: "env:DANA_KEY", client_id: dana, tier: run }
        - { key_ref: "env:QA_KEY", client_id: qa-1, tier: run }
        - { key_ref: "env:OPS_KEY", client_id: ops-1, tier: run }
`;

it('a gated run over HTTP is announced, signed by the people of its roles, finished, and pushed as the log tells it', async () => {
  const home = await makeHome();
  onTestFinished(() => home.remove());
  const [app, listener] = [await openReceiver(), await openReceiver()];
  const dir = await mkdtemp(join(tmpdir(), 'kit-serve-gates-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(gated({ workspace: settings(app.url, listener.url) }))) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
  const server = await startServe([dir], { ...home.env, ...KEYS, APP_TOKEN: 'the-bearer-of-the-app' });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const ask = async (
    by: keyof typeof KEYS,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, unknown> }> => {
    const headers = {
      authorization: `Bearer ${KEYS[by]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${server.url}${path}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const until = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

  const { id } = (await ask('DANA_KEY', '/run/release', { input: 'write it' })).body;
  const gate = `/gates/${id}:writer`;
  await until(async () =>
    expect((await ask('DANA_KEY', gate)).body).toMatchObject({ status: 'pending', quorum_evaluated: true }),
  );
  await until(async () => expect((await ask('DANA_KEY', `/jobs/${id}`)).body).toMatchObject({ status: 'deferred' }));
  const items = (await ask('QA_KEY', `/review?kind=role_task&gate_id=${id}:writer`)).body as unknown as readonly {
    id: string;
    role: string;
  }[];
  const decide = (by: keyof typeof KEYS, role: string) =>
    ask(by, `/review/${encodeURIComponent(items.find((item) => item.role === role)?.id ?? '')}/resolve`, {
      outcome: 'approve',
    });
  expect((await decide('DANA_KEY', 'qa')).status).toBe(403);
  expect((await decide('QA_KEY', 'qa')).body).toMatchObject({ status: 'approved', resolved_by: 'qa-1' });
  expect((await decide('OPS_KEY', 'ops')).status).toBe(200);
  await until(async () => expect((await ask('DANA_KEY', `/jobs/${id}`)).body).toMatchObject({ status: 'completed' }));

  const artifact = String((await ask('DANA_KEY', gate)).body.artifact_ref);
  expect((await ask('DANA_KEY', `/artifacts/${encodeURIComponent(artifact)}`)).body).toMatchObject({
    content: expect.any(String),
    run_id: id,
  });

  await until(async () => expect(app.received).toHaveLength(PUSHED.length));
  const { events } = (await ask('DANA_KEY', `/events?types=${PUSHED.join(',')}`)).body as unknown as {
    readonly events: readonly LogEntry[];
  };
  expect(app.received.map(({ body }) => body)).toEqual(events);
  expect(events.map((event) => event.event_type)).toEqual(PUSHED);
  expect(new Set(app.received.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer the-bearer-of-the-app']),
  );

  expect((await ask('DANA_KEY', '/events/signal', { correlation_id: 'order-7', event: 'paid' })).status).toBe(200);
  expect(listener.received).toMatchObject([{ body: { correlation_id: 'order-7', event: 'paid', source: 'api:dana' } }]);
  expect(
    (await ask('DANA_KEY', '/events/signal', { correlation_id: 'order-7', event: 'paid', mode: 'skip' })).status,
  ).toBe(403);
  const audit = (await ask('DANA_KEY', '/audit?types=pipeline.ingress')).body as unknown as readonly {
    payload: { outcome: string };
  }[];
  expect(audit.map(({ payload }) => payload.outcome)).toEqual(['denied', 'delivered']);

  const metrics = await (
    await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${KEYS.DANA_KEY}` } })
  ).text();
  expect(metrics).toContain('kit_sink_delivered_total{sink="webhook#0"} 3');
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.stderr()).not.toContain('the-bearer-of-the-app');
});
