import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { CLIENTS, textOf } from '../../../support/mcp/clients.js';
import { openMcpServer } from '../../../support/mcp/server.js';
import { mcpWorkspace } from '../../../support/mcp/workspace.js';

const jobIdOf = (result: { readonly structuredContent?: Readonly<Record<string, unknown>> }): string =>
  String(result.structuredContent?.job_id);
const statusOf = (result: { readonly structuredContent?: Readonly<Record<string, unknown>> }): unknown =>
  result.structuredContent?.status;
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.each(CLIENTS)('$name', { timeout: 60_000 }, ({ open }) => {
  it('lists every topology as a tool, whatever its input is, and none of its versions', async () => {
    const { url } = await openMcpServer(mcpWorkspace());
    const client = await open({ url });

    const tools = await client.tools();

    expect(tools.map(({ name }) => name)).toEqual([
      ...[
        'either',
        'failing',
        'held',
        'idle',
        'lists',
        'points',
        'release',
        'shaped',
        'steps',
        'texts',
        'versioned',
      ].map((name) => `run_${name}`),
      'kit_job',
    ]);
    expect(tools.every(({ inputSchema }) => inputSchema.type === 'object')).toBe(true);
    expect(new Set(tools.map(({ outputSchema }) => JSON.stringify(outputSchema?.required)))).toEqual(
      new Set(['["job_id","status"]']),
    );
  });

  it('runs topologies with every kind of input', async () => {
    const { url, app, workspace } = await openMcpServer(mcpWorkspace());
    const client = await open({ url });
    const inputs = async (): Promise<readonly string[]> =>
      (await app.jobs.list({ workspace })).map(({ input }) => input).reverse();

    const answers = [
      await client.call('run_idle', { input: 'hi' }),
      await client.call('run_texts', { input: 'hello' }),
      await client.call('run_lists', { input: [1, 2] }),
      await client.call('run_either', { input: { a: 'b' } }),
      await client.call('run_shaped', { n: 3 }),
      await client.call('run_held', { attachments: 4 }),
      await client.call('run_points', { input: 'where' }),
    ];

    expect(answers.map(statusOf)).toEqual(Array(7).fill('completed'));
    expect(await inputs()).toEqual(['hi', 'hello', '[1,2]', '{"a":"b"}', '{"n":3}', '{"attachments":4}', 'where']);
    expect(textOf(answers[0] ?? { content: [] })).toBe('mock answer to: hi');
    expect(answers[0]?.structuredContent?.output).toBe('mock answer to: hi');
    expect(answers[6]?.structuredContent?.output).toEqual({ points: [{ n: 1 }] });
    expect((await app.jobs.list({ workspace })).every(({ source }) => source === 'mcp')).toBe(true);
  });

  it('hands on images, marks of the caller, and the trace', async () => {
    const { url, app, workspace } = await openMcpServer(mcpWorkspace());
    const client = await open({ url });
    const meta = {
      'kit/correlation_id': 'ticket-7',
      'kit/labels': { team: 'red', priority: '3' },
      'kit/step_id': 'step-1',
      'kit/on_behalf_of': ['ada', 'grace'],
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    };

    const first = await client.call('run_shaped', { n: 1, attachments: [{ name: 'dot.png', data: PNG }] }, { meta });
    const again = await client.call('run_shaped', { n: 1, attachments: [{ name: 'dot.png', data: PNG }] }, { meta });
    const other = await client.call('run_shaped', { n: 2 }, { meta });

    const job = await app.jobs.get({ workspace, job: jobIdOf(first) });
    expect(job).toMatchObject({
      correlationId: 'ticket-7',
      labels: { team: 'red', priority: '3' },
      priority: 3,
      input: '{"n":1}',
    });
    expect(job.attachments.map(({ name, mediaType }) => ({ name, mediaType }))).toEqual([
      { name: 'dot.png', mediaType: 'image/png' },
    ]);
    expect(job.traceParent).toBe(meta.traceparent);
    expect(job.earlier.map(({ submittedBy }) => submittedBy.identity)).toEqual(['ada', 'grace']);
    expect(jobIdOf(again)).toBe(job.id);
    expect(other).toMatchObject({ isError: true, _meta: { 'kit/code': 'idempotency-conflict' } });
  });

  it('is told that a run waits for people, and where they decide; a decision lets it go on', async () => {
    const { url, app, workspace } = await openMcpServer(mcpWorkspace());
    const client = await open({ url });

    const parked = await client.call('run_release', { input: 'ship it' });

    const job = jobIdOf(parked);
    const gate_url = `${url}/gates/${job}:boss`;
    expect(parked.isError ?? false).toBe(false);
    expect(parked.structuredContent).toMatchObject({ status: 'deferred', gate_url });
    expect(textOf(parked)).toContain(gate_url);
    expect((await fetch(gate_url)).status).toBe(200);
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
    await vi.waitFor(
      async () => expect(statusOf(await client.call('kit_job', { job_id: job }))).toBe('completed'),
      10_000,
    );
  });

  it('is answered before its patience ends, and asks again', async () => {
    const { url, workspace } = await openMcpServer(mcpWorkspace({ server: { mcp: { wait_seconds: 0 } } }));
    const client = await open({ url });

    const begun = await client.call('run_steps', { input: 'go' });
    const still = await client.call('kit_job', { job_id: jobIdOf(begun), wait_seconds: 0 });
    await writeFile(join(workspace, 'go'), '');
    const done = await client.call('kit_job', { job_id: jobIdOf(begun), wait_seconds: 50 });

    expect(statusOf(begun)).not.toBe('completed');
    expect(textOf(begun)).toContain('kit_job');
    expect(statusOf(still)).toMatch(/pending|running/);
    expect(done.structuredContent).toMatchObject({ status: 'completed', output: 'all done' });
  });

  it('hears of progress when it asks for it', async () => {
    const { url } = await openMcpServer(mcpWorkspace());
    const client = await open({ url });
    const notices: { readonly progress: number; readonly message?: string }[] = [];

    const done = await client.call('run_idle', { input: 'hi' }, { onProgress: (notice) => notices.push(notice) });

    expect(statusOf(done)).toBe('completed');
    expect(notices.length).toBeGreaterThan(2);
    expect(notices.map(({ progress }) => progress)).toEqual(notices.map((_, index) => index + 1));
    expect(notices[0]?.message).toContain('submitted by');
  });

  it('stops a run with kit_job, and leaves it when it goes away', async () => {
    const { url, app, workspace } = await openMcpServer(mcpWorkspace());
    const client = await open({ url });
    const over = new AbortController();
    const left = client.call('run_steps', { input: 'x' }, { signal: over.signal });
    const gone = expect(left).rejects.toThrow();
    const job = await vi.waitUntil(async () => (await app.jobs.list({ workspace }))[0], 20_000);
    await vi.waitUntil(
      async () => (await readFile(join(workspace, 'lines.txt'), 'utf8').catch(() => '')).includes('second'),
      20_000,
    );

    over.abort();
    await gone;
    const before = await client.call('kit_job', { job_id: job?.id, wait_seconds: 0 });
    await client.call('kit_job', { job_id: job?.id, wait_seconds: 0, stop: true });
    await writeFile(join(workspace, 'go'), '');
    const stopped = await client.call('kit_job', { job_id: job?.id });

    expect(statusOf(before)).toBe('running');
    expect(stopped).toMatchObject({ isError: true, structuredContent: { status: 'stopped' } });
  });

  it('reads why nothing came of a call', async () => {
    const { url, app, workspace } = await openMcpServer(mcpWorkspace());
    const client = await open({ url });
    const codeOf = async (
      name: string,
      args?: Readonly<Record<string, unknown>>,
      meta?: Readonly<Record<string, unknown>>,
    ) => {
      const { isError, _meta } = await client.call(name, args, meta === undefined ? {} : { meta });
      return isError === true ? _meta?.['kit/code'] : null;
    };

    expect(await codeOf('run_idle')).toBe('request-invalid');
    expect(await codeOf('run_idle', { input: 'a', more: 1 })).toBe('request-invalid');
    expect(await codeOf('run_idle', { input: 'a\u0000b' })).toBe('input-invalid');
    expect(await codeOf('run_shaped', { n: 'one' })).toBe('input-invalid');
    expect(await codeOf('run_idle', { input: 'a', attachments: [{ path: 'workspace.yaml' }] })).toBe('request-invalid');
    expect(await codeOf('run_idle', { input: 'a', attachments: [{ data: 'bm90IGFuIGltYWdl' }] })).toBe(
      'attachment-invalid',
    );
    expect(await codeOf('run_idle', { input: 'a' }, { 'kit/labels': { a: 1 } })).toBe('request-invalid');
    expect(await codeOf('run_idle', { input: 'a' }, { 'kit/step_id': '' })).toBe('request-invalid');
    const crowd = { 'kit/on_behalf_of': Array(9).fill('a') };
    expect(await codeOf('run_idle', { input: 'a' }, crowd)).toBe('request-invalid');
    expect(await codeOf('kit_job', { job_id: 'nobody' })).toBe('job-unknown');
    expect(await codeOf('kit_job', { job_id: 'nobody', wait_seconds: 601 })).toBe('request-invalid');
    expect(await app.jobs.list({ workspace })).toEqual([]);
    const failed = await client.call('run_failing', { input: 'a' });
    expect(failed).toMatchObject({ isError: true, structuredContent: { status: 'failed' } });
    expect(textOf(failed)).toContain('failed');
    await expect(client.call('run_nobody', {})).rejects.toThrow(/no tool run_nobody/);
  });

  it('reads topologies and artifacts', async () => {
    const { url, app, workspace } = await openMcpServer(mcpWorkspace());
    const client = await open({ url });
    const called = await client.call('run_release', { input: 'ship it' }, { meta: { 'kit/correlation_id': 'corr' } });
    const [record] = await app.artifacts.list({ workspace, correlation: null, run: null, limit: 10 });

    expect((await client.resources()).map(({ uri }) => uri)).toContain('topology://idle');
    expect((await client.templates()).map((one) => one.uriTemplate)).toEqual(['artifact://{+ref}', 'run://{run}']);
    expect((await client.read('topology://idle'))[0]?.text).toContain('run_idle');
    expect((await client.read(`artifact://${record?.ref}`))[0]?.text).toBe('mock answer to: ship it');
    expect((await client.read(`artifact://${record?.ref.replace('#', '%23')}`))[0]?.text).toBe(
      'mock answer to: ship it',
    );
    const { job_id, artifacts } = called.structuredContent as { job_id: string; artifacts: readonly { uri: string }[] };
    expect(artifacts).toHaveLength(1);
    expect((await client.read(artifacts[0]?.uri ?? ''))[0]?.text).toBe('mock answer to: ship it');
    expect((await client.call('kit_job', { job_id, wait_seconds: 0 })).structuredContent).toMatchObject({ artifacts });
    for (const uri of ['artifact://corr/x/y', 'artifact://%', 'topology://nobody', 'file:///etc/passwd'])
      await expect(client.read(uri)).rejects.toThrow();
  });

  it('sees a topology after the server has read its files again', async () => {
    const { url, app, write } = await openMcpServer(mcpWorkspace());
    const client = await open({ url });
    const names = async () => (await client.tools()).map(({ name }) => name);
    const before = await names();

    await write({ 'topologies/later.yaml': mcpWorkspace()['topologies/idle.yaml']?.replaceAll('idle', 'later') ?? '' });
    await app.serve.reload();

    expect(before).not.toContain('run_later');
    expect(await names()).toContain('run_later');
  });
});
