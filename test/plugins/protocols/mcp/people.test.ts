import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../../support/kit-process.js';
import { CLIENTS } from '../../../support/mcp/clients.js';
import { openMcpServer } from '../../../support/mcp/server.js';
import { mcpWorkspace } from '../../../support/mcp/workspace.js';

/** Words of every backend that takes a decision. */
const DECISIONS = ['approve', 'approved', 'accept', 'reject', 'resolve', 'answer', 'changes_requested'];

/** Methods that some client or extension might send a decision with. */
const METHODS = [
  'tasks/update',
  'tasks/result',
  'tasks/cancel',
  'tasks/get',
  'elicitation/create',
  'elicitation/complete',
  'completion/complete',
  'prompts/get',
  'logging/setLevel',
  'review/resolve',
];

it.each(CLIENTS)('nothing that $name can say decides what people are asked', { timeout: 60_000 }, async ({ open }) => {
  const { url, app, workspace } = await openMcpServer(mcpWorkspace());
  const client = await open({ url });
  const { structuredContent = {} } = await client.call('run_release', { input: 'ship it' });
  const job = String(structuredContent.job_id);
  const gate = `${job}:boss`;
  const pending = () =>
    app.review.list({ workspace, kind: null, gate: null, show: 'pending', limit: 10, afterId: null });
  const [item] = (await pending()).items;

  const tools = await client.tools();
  for (const { name } of tools)
    for (const word of DECISIONS)
      for (const args of [
        { job_id: job, wait_seconds: 0, outcome: word, [word]: true },
        { job_id: job, wait_seconds: 0, item: item?.id, gate, decision: word },
        { job_id: job, wait_seconds: 0, stop: false, comment: word, identity: 'qa-1' },
      ])
        if (name === 'kit_job') expect(await client.call(name, args)).toMatchObject({ isError: true });
  for (const method of METHODS)
    for (const word of DECISIONS)
      await fetch(`${url}/mcp/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method,
          params: {
            taskId: job,
            id: item?.id,
            gate_id: gate,
            outcome: word,
            action: word,
            inputResponses: { gate: { action: word } },
          },
        }),
      });
  // Answers that nobody asked for: what a client would send to a form.
  for (const result of [{ action: 'accept', content: { outcome: 'approve' } }, { outcome: 'approve' }])
    await fetch(`${url}/mcp/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: item?.id, result }),
    });

  expect((await app.jobs.get({ workspace, job })).status).toBe('deferred');
  expect((await pending()).items.map(({ id, status }) => [id, status])).toEqual([[item?.id, 'pending']]);
  const types = ['approval.role_task_resolved', 'hitl.resolved'];
  const { entries } = await app.events.read({ workspace, after: null, types, run: null, limit: 10 });
  expect(entries).toEqual([]);
});

it('no module of the plugin calls what decides', async () => {
  const root = join(projectRoot, 'plugins/protocols/src');
  const files = (await readdir(root, { recursive: true })).filter((path) => path.endsWith('.ts'));
  const texts = await Promise.all(files.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const));

  expect(files.length).toBeGreaterThan(10);
  expect(
    texts.flatMap(([path, text]) => (/review\w*\s*\.\s*(?!(?:why|inbox|show)\b)\w+\(/.test(text) ? [path] : [])),
  ).toEqual([]);
});
