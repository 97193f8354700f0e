import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  CancelTaskResultV2Schema,
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import { describe, expect, it, vi } from 'vitest';
import { openClient2, textOf } from '../../../support/mcp/clients.js';
import { type McpServer, openMcpServer } from '../../../support/mcp/server.js';
import { mcpWorkspace } from '../../../support/mcp/workspace.js';

const REVISION = '2026-07-28';
let asked = 0;

/** One message of the 2026 revision, by a client with these capabilities. */
async function send(
  { url }: McpServer,
  method: string,
  params: Readonly<Record<string, unknown>>,
  capabilities: Readonly<Record<string, unknown>> = {},
) {
  const name = params.name ?? params.taskId;
  const answer = await fetch(`${url}/mcp/`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: ++asked,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': REVISION,
          'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': capabilities,
        },
      },
    }),
  });
  const { result, error } = (await answer.json()) as {
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly message: string };
  };
  return { result, error };
}

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const URLS = { elicitation: { url: {} } };
const callOf = (name: string) => ({ name, arguments: { input: 'ship it' } });

async function approve({ app, workspace }: McpServer): Promise<void> {
  const { items } = await app.review.list({
    workspace,
    kind: null,
    gate: null,
    show: 'pending',
    limit: 10,
    afterId: null,
  });
  await app.review.resolve({
    workspace,
    item: items[0]?.id ?? '',
    identity: 'qa-1',
    auth: { kind: 'http', assurance: 'authenticated' } as never, // as a server with authentication has it
    outcome: 'approve',
    comment: '',
  });
}
const jobsOf = ({ app, workspace }: McpServer) => app.jobs.list({ workspace });

describe('a client that opens addresses', { timeout: 60_000 }, () => {
  it.each(['accept', 'decline', 'cancel'] as const)(
    'is shown where people decide, and its answer (%s) decides nothing',
    async (action) => {
      const server = await openMcpServer(mcpWorkspace({ server: { mcp: { wait_seconds: 2 } } }));
      const shown: string[] = [];
      const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/`));
      const { client, call } = await openClient2(transport, '2026', URLS);
      client.setRequestHandler('elicitation/create', ({ params }) => {
        shown.push('url' in params ? String(params.url) : 'a form');
        return { action };
      });

      const parked = await call('run_release', { input: 'ship it' });

      const jobs = await jobsOf(server);
      expect(jobs.map(({ status }) => status)).toEqual(['deferred']);
      expect(shown).toEqual([`${server.url}/gates/${jobs[0]?.id}:boss`]);
      expect(parked.structuredContent).toMatchObject({ status: 'deferred', job_id: jobs[0]?.id });
    },
  );

  it('joins its run when it asks again, and hears what came of it', async () => {
    const server = await openMcpServer(mcpWorkspace());
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp/`));
    const { client, call } = await openClient2(transport, '2026', URLS);
    client.setRequestHandler('elicitation/create', async () => {
      await approve(server);
      return { action: 'accept' };
    });

    const done = await call('run_release', { input: 'ship it' });

    expect(textOf(done)).toBe('mock answer to: ship it');
    expect(await jobsOf(server)).toHaveLength(1);
  });

  it('cannot join the run of somebody else, or one that it made up', async () => {
    const server = await openMcpServer(mcpWorkspace({ server: { mcp: { wait_seconds: 1 } } }));
    const { result } = await send(server, 'tools/call', callOf('run_release'), URLS);
    const state = String(result?.requestState);
    const [job] = await jobsOf(server);
    const codeOf = async (requestState: string) => {
      const again = await send(server, 'tools/call', { ...callOf('run_release'), requestState }, URLS);
      return (again.result?._meta as Record<string, unknown> | undefined)?.['kit/code'] ?? null;
    };

    expect(result?.resultType).toBe('input_required');
    expect(await codeOf(`${job?.id}.${'A'.repeat(43)}`)).toBe('request-invalid');
    expect(await codeOf(`${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`)).toBe('request-invalid');
    expect(await codeOf('000000000000.x')).toBe('request-invalid');
    expect(await codeOf('')).toBe('request-invalid');
    expect(await codeOf(state)).toBeNull();
    expect(await jobsOf(server)).toHaveLength(1);
  });

  it('is answered as ever when it does not say so', async () => {
    const server = await openMcpServer(mcpWorkspace());

    for (const capabilities of [{}, { elicitation: {} }, { elicitation: { form: {} } }]) {
      const { result } = await send(server, 'tools/call', callOf('run_release'), capabilities);
      expect(result).toMatchObject({ resultType: 'complete', structuredContent: { status: 'deferred' } });
    }
  });
});

describe('a client that follows tasks', { timeout: 60_000 }, () => {
  it('is given the run as a task at once, and asks for what became of it', async () => {
    const server = await openMcpServer(mcpWorkspace());
    const { result } = await send(server, 'tools/call', callOf('run_steps'), TASKS);
    expect(CreateTaskResultV2Schema.safeParse(result).error).toBeUndefined();
    const taskId = String(result?.taskId);
    const get = async () => (await send(server, 'tasks/get', { taskId }, TASKS)).result ?? {};

    expect(await get()).toMatchObject({ taskId, status: 'working' });
    await writeFile(join(server.workspace, 'go'), '');
    const done = await vi.waitUntil(async () => {
      const task = await get();
      return task.status === 'completed' ? task : null;
    }, 20_000);

    expect(GetTaskResultV2Schema.safeParse(done).error).toBeUndefined();
    expect(done.result).toMatchObject({
      structuredContent: { job_id: taskId, status: 'completed', output: 'all done' },
    });
    expect((await jobsOf(server)).map(({ id }) => id)).toEqual([taskId]);
  });

  it('sees a run that waits for people as one that needs input, which it cannot give', async () => {
    const server = await openMcpServer(mcpWorkspace());
    const { result } = await send(server, 'tools/call', callOf('run_release'), TASKS);
    const taskId = String(result?.taskId);
    const get = async () => (await send(server, 'tasks/get', { taskId }, TASKS)).result ?? {};
    const parked = await vi.waitUntil(async () => {
      const task = await get();
      return task.status === 'input_required' ? task : null;
    }, 20_000);

    expect(GetTaskResultV2Schema.safeParse(parked).error).toBeUndefined();
    expect(parked.inputRequests).toMatchObject({
      gate: { method: 'elicitation/create', params: { mode: 'url', url: `${server.url}/gates/${taskId}:boss` } },
    });
    for (const action of ['accept', 'decline', 'approve']) {
      const inputResponses = { gate: { action } };
      const { error } = await send(server, 'tasks/update', { taskId, inputResponses }, TASKS);
      expect(error?.code).toBe(-32_602);
    }
    expect(await get()).toMatchObject({ status: 'input_required' });
    await approve(server);
    await vi.waitUntil(async () => (await get()).status === 'completed', 20_000);
  });

  it('cancels a task, hears of one that failed, and of one that there is not', async () => {
    const server = await openMcpServer(mcpWorkspace());
    const began = await send(server, 'tools/call', callOf('run_steps'), TASKS);
    const taskId = String(began.result?.taskId);
    const hasBegun = async () =>
      (await readFile(join(server.workspace, 'lines.txt'), 'utf8').catch(() => '')).includes('second');
    await vi.waitUntil(hasBegun, 20_000);
    const statusOf = async (id: string) => (await send(server, 'tasks/get', { taskId: id }, TASKS)).result?.status;

    const cancelled = await send(server, 'tasks/cancel', { taskId }, TASKS);
    await writeFile(join(server.workspace, 'go'), '');
    await vi.waitUntil(async () => (await statusOf(taskId)) === 'cancelled', 20_000);
    const failing = await send(server, 'tools/call', callOf('run_failing'), TASKS);
    const failed = await vi.waitUntil(async () => {
      const { result } = await send(server, 'tasks/get', { taskId: failing.result?.taskId }, TASKS);
      return result?.status === 'failed' ? result : null;
    }, 20_000);

    expect(CancelTaskResultV2Schema.safeParse(cancelled.result).error).toBeUndefined();
    expect(GetTaskResultV2Schema.safeParse(failed).error).toBeUndefined();
    for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
      expect((await send(server, method, { taskId: 'nobody' }, TASKS)).error?.code).toBe(-32_602);
    expect((await send(server, 'tasks/get', {}, TASKS)).error?.code).toBe(-32_602);
  });

  it('is told so by the server, in the 2026 revision alone', async () => {
    const server = await openMcpServer(mcpWorkspace());
    const { result } = await send(server, 'server/discover', {});
    const legacy = await fetch(`${server.url}/mcp/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId: 'x' } }),
    });

    expect(result?.capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    expect(((await legacy.json()) as { error: { code: number } }).error.code).toBe(-32_601);
  });
});
