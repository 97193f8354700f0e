import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import { gated } from '../../e2e/review/gated-workspace.js';
import { noteSkill, talk } from '../../e2e/workspaces.js';
import { runHere, serveInfo } from '../../support/http/info-world.js';
import { as } from '../../support/http/serve-group.js';

const get = (server: FastifyInstance, url: string) => server.inject({ url, headers: as('read') });
const bodyOf = async (server: FastifyInstance, url: string) => {
  const response = await get(server, url);
  expect(`${url} ${response.statusCode}`).toBe(`${url} 200`);
  return response.json();
};
const refusalOf = async (server: FastifyInstance, url: string) => {
  const { status, code, detail } = (await get(server, url)).json();
  return { status, code, detail };
};

const LABELS = `organisation: { id: acme, name: Acme }
team: { id: core }
`;

describe('who and what', () => {
  it('tells a caller who it is and how callers are known', async () => {
    const { server } = await serveInfo(talk());

    expect(await bodyOf(server, '/whoami')).toEqual({
      client_id: 'alice',
      client_name: 'alice',
      provider: 'test',
      scopes: ['serve:read'],
      roles: [],
      mode: 'none',
      workspace: null,
    });
    const info = await server.inject({ url: '/auth-info' });
    expect(info.json()).toEqual({ mode: 'none' });
  });

  it('asks for a token of the tier read everywhere but at /auth-info', async () => {
    const { server } = await serveInfo(talk());

    const open: string[] = [];
    for (const { method, pattern } of server.serving.routes()) {
      const url = pattern.replace(/:\w+/, 'x');
      if (method === 'GET' && (await server.inject({ url })).statusCode !== 401) open.push(pattern);
    }
    expect(open).toEqual(['/auth-info']);
  });

  it('says what a client may count on, with the labels of the workspace', async () => {
    const files = talk({ workspace: LABELS });
    files['workspace.yaml'] =
      files['workspace.yaml']?.replace(
        'name: Talk }',
        'name: Talk, description: A place to talk., annotations: { stage: test } }',
      ) ?? '';
    const { server } = await serveInfo(files);

    expect(await bodyOf(server, '/capabilities')).toMatchObject({
      schema_version: '1.256.0',
      workspace_id: 'talk',
      workspace_name: 'Talk',
      organisation: { id: 'acme', name: 'Acme' },
      team: { id: 'core', name: null },
      metadata: { description: 'A place to talk.', annotations: { stage: 'test' } },
      topologies: ['talk'],
      model_providers: expect.arrayContaining(['anthropic', 'mock', 'openai']),
      governance_provider: 'mock',
      features: { auth: 'none', compression: 'off', canary: false, a2a: false },
    });
  });

  it('gives the schema of every kind, which stands alone and fits what a workspace holds', async () => {
    const { server } = await serveInfo(talk());
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);

    for (const kind of [
      'workspace',
      'topology',
      'archetype',
      'skill',
      'funnel',
      'contract',
      'role-registry',
      'trigger',
      'eval-set',
      'ModelProvider',
      'executor_adapter',
    ]) {
      const schema = await bodyOf(server, `/api/schema/${kind}`);
      expect(JSON.stringify(schema)).not.toMatch(/"\$ref":"[^#]/);
      ajv.compile(schema);
    }
    const validate = ajv.compile(await bodyOf(server, '/api/schema/workspace'));
    const head = { apiVersion: 'kit/v1', kind: 'Workspace', metadata: { id: 'w', name: 'W' } };
    expect(validate(head)).toBe(true);
    expect(validate({ ...head, metadata: { id: 'Not An Id' } })).toBe(false);
    expect(await refusalOf(server, '/api/schema/topologie')).toMatchObject({
      status: 404,
      code: 'schema-unknown',
      detail: expect.stringContaining('role-registry'),
    });
  });
});

describe('what is in the workspace', () => {
  it('lists it by kind, and what the compiler says of it', async () => {
    const { server } = await serveInfo(gated());

    expect(await bodyOf(server, '/topologies')).toEqual(['plain', 'plain@1.0.0', 'release', 'release@1.0.0']);
    expect(await bodyOf(server, '/funnels')).toEqual(['sign-off']);
    for (const kind of ['archetypes', 'contracts', 'skills']) expect(await bodyOf(server, `/${kind}`)).toEqual([]);
    const { diagnostics, ...validation } = await bodyOf(server, '/validate');
    expect(validation).toMatchObject({
      valid: true,
      workspace_id: 'gated',
      topologies: ['plain@1.0.0', 'release@1.0.0'],
    });
    // The user that the server runs as submits nothing here.
    expect(diagnostics).not.toContainEqual(expect.objectContaining({ code: 'funnel.author-unidentified' }));
    expect(await bodyOf(server, '/workspace/reachability')).toMatchObject({ ok: true, unreachable: [] });
    const { ok, agents, unverified_roots } = await bodyOf(server, '/workspace/verification');
    expect(ok).toBe(false);
    expect(agents).toContainEqual(
      expect.objectContaining({
        topology_id: 'release@1.0.0',
        agent_id: 'writer',
        funnel_id: 'sign-off',
        is_root: true,
      }),
    );
    expect(unverified_roots).toContain('nothing checks what talker of plain@1.0.0 answers');
  });

  it('names skills with their category', async () => {
    const { server } = await serveInfo(talk({ ...noteSkill('[echo, "{text}"]'), root: '    skills: [note]\n' }));

    expect(await bodyOf(server, '/skills')).toEqual([
      { id: 'note', category: 'capability' },
      { id: 'notes-note', category: 'capability' },
    ]);
  });

  it('says that files have errors, and does not pass over it where nothing is known then', async () => {
    const { server, write } = await serveInfo(talk());
    await write({ 'topologies/broken.yaml': 'kind: Topology\n' });

    const { valid, workspace_id, diagnostics } = await bodyOf(server, '/validate');
    expect({ valid, workspace_id }).toEqual({ valid: false, workspace_id: null });
    expect(diagnostics).toContainEqual(expect.objectContaining({ severity: 'error', path: 'topologies/broken.yaml' }));
    for (const url of ['/workspace/reachability', '/workspace/verification'])
      expect(await refusalOf(server, url)).toMatchObject({ status: 422, code: 'workspace-invalid' });
    expect(await bodyOf(server, '/system')).toMatchObject({ valid: false, workspace: null, launches: [] });
  });
});

describe('where everything lies', () => {
  it('shows each store, also beside one that cannot be had', async () => {
    const { server } = await serveInfo(talk({ workspace: 'storage: { audit: { backend: postgres } }\n' }));

    const storage = await bodyOf(server, '/storage');
    const rows = Object.fromEntries(
      storage.stores.map(({ store, ...row }: { readonly store: string }) => [store, row]),
    );
    expect(rows.audit).toEqual({
      backend: 'UNRESOLVED',
      location: null,
      source: 'storage.audit',
      setting: null,
      error: expect.stringContaining('storage.audit names postgres, and no URL says where it is'),
    });
    expect(rows.runtime).toEqual({
      backend: 'sqlite',
      location: 'workspace-local',
      source: 'default',
      setting: null,
      error: null,
    });
    expect((await bodyOf(server, '/system')).storage).toEqual(storage);
  });

  it('warns where earlier runs lie beside a remote configuration', async () => {
    const world = await serveInfo(talk(), { KIT_STORE_BACKEND: '' });
    await runHere(world, 'talk');
    expect((await bodyOf(world.server, '/storage')).warnings).toEqual([]);

    writeFileSync(
      join(world.workspace, 'workspace.yaml'),
      `${talk({ workspace: 'storage: { runtime: { url: "postgres://127.0.0.1:1/x" } }\n' })['workspace.yaml']}`,
    );
    expect((await bodyOf(world.server, '/storage')).warnings).toEqual([
      expect.stringContaining('.kit/store.sqlite holds runs ('),
    ]);
  });

  it('shows versions, plugins and every command line that a run can start', async () => {
    const { server, workspace } = await serveInfo(talk(noteSkill('[echo, "{text}"]')));

    const system = await bodyOf(server, '/system');
    expect(system).toMatchObject({
      workspace: 'talk',
      root: workspace,
      node_version: process.versions.node,
      webui_version: null,
      valid: true,
    });
    expect(system.launches).toEqual([{ kind: 'command', id: 'notes/note', argv: ['echo', '{text}'] }]);
    expect(system.plugins).toContainEqual(
      expect.objectContaining({ name: '@kit-run/plugin-models', state: 'registered', code: null }),
    );
    expect(system.environment).toContainEqual(
      expect.objectContaining({ name: 'KIT_STORE_URL', group: 'process', set: false, value: null }),
    );
  });
});

const scripted = (script: string): string => `apiVersion: kit/v1
kind: Topology
metadata: { name: scripted, version: 1.0.0, description: Says what it is told. }
agents:
  root:
    id: boss
    role: root
    model: { provider: mock, name: m1, options: { script: ${script} } }
    prompt: { system: You call. }
`;
const CALLS =
  '[{ tool_calls: [{ name: get_issue_7, input: {} }], usage: { input_tokens: 10, output_tokens: 2, cost_usd: 0.1 } }, { text: done, usage: { input_tokens: 5, output_tokens: 1, cost_usd: 0.2 } }]';

describe('what runs did', () => {
  it('sums what models used, for all runs and for one', async () => {
    const world = await serveInfo({ ...talk(), 'topologies/scripted.yaml': scripted(CALLS) });
    const { server } = world;
    expect(await bodyOf(server, '/usage')).toMatchObject({
      summary: { total_calls: 0, total_cost_usd: 0 },
      by_model: [],
    });
    expect(await refusalOf(server, '/usage/0123456789ab')).toMatchObject({ status: 404, code: 'job-unknown' });

    const job = await runHere(world, 'scripted');

    const summary = {
      total_calls: 2,
      total_input_tokens: 15,
      total_output_tokens: 3,
      total_cache_tokens: 0,
      total_cost_usd: 0.3,
    };
    expect(await bodyOf(server, '/usage')).toEqual({
      summary,
      by_model: [
        {
          model: expect.stringContaining('m1'),
          calls: 2,
          input_tokens: 15,
          output_tokens: 3,
          cache_tokens: 0,
          cost_usd: 0.3,
        },
      ],
    });
    expect(await bodyOf(server, '/usage?by=topology&younger_than_ms=600000')).toEqual({
      summary,
      by_topology: [expect.objectContaining({ topology: 'scripted', calls: 2, cost_usd: 0.3 })],
    });
    expect(await bodyOf(server, '/usage?by=day&topology=scripted')).toEqual({
      summary,
      by_day: [expect.objectContaining({ day: job.createdAt.slice(0, 10), calls: 2, cost_usd: 0.3 })],
    });
    expect(await bodyOf(server, `/usage/${job.id}`)).toEqual(summary);
    expect(await bodyOf(server, '/usage?until=2001-01-01T00:00:00Z')).toMatchObject({ by_model: [] });
    // The same instant in another zone: a comparison of texts would leave everything out.
    expect(await bodyOf(server, '/usage?since=2001-01-01T00:00:00%2B14:00')).toMatchObject({ summary });
    expect(await refusalOf(server, `/usage/${job.id.slice(0, 6)}`)).toMatchObject({ status: 404, code: 'job-unknown' });
  });

  it('shows a run as a tree of spans, and the tools that were missing', async () => {
    const world = await serveInfo({ ...talk(), 'topologies/scripted.yaml': scripted(CALLS) });
    const job = await runHere(world, 'scripted');

    const trace = await bodyOf(world.server, `/observability/runs/${job.id}/trace`);
    expect(trace).toMatchObject({
      name: 'topology.run',
      error: null,
      attributes: { run_id: job.id, status: 'completed', input_tokens: 15 },
    });
    // A JSON number holds nanoseconds since 1970 to the quarter of a microsecond.
    expect((trace.end_ns - trace.start_ns) / 1e6).toBeCloseTo(trace.duration_ms, 2);
    expect(trace.children).toEqual([expect.objectContaining({ name: 'agent.step.boss', error: null })]);
    const names = trace.children[0].children.map(({ name }: { readonly name: string }) => name);
    expect(names.filter((name: string) => name.startsWith('model.call.'))).toHaveLength(2);
    expect(await refusalOf(world.server, '/observability/runs/ffffffffffff/trace')).toMatchObject({
      status: 404,
      code: 'job-unknown',
    });

    expect(await bodyOf(world.server, '/gaps')).toEqual([
      expect.objectContaining({
        skill_id: 'get_issue_7',
        topology_id: 'scripted',
        pattern: 'get-issue-*',
        occurrences: 1,
      }),
    ]);
  });

  it('finds the approval that came faster than anybody reads', async () => {
    const world = await serveInfo(gated());
    const { app, server, workspace } = world;
    const report = (query = '') => bodyOf(server, `/comprehension${query}`);
    expect(await report()).toMatchObject({ verdict: 'unknown', threshold_seconds: 20, approvals_seen: 0 });
    const job = await runHere(world, 'release');

    const { items } = await app.review.list({
      workspace,
      kind: null,
      gate: null,
      show: 'pending',
      limit: 10,
      afterId: null,
    });
    for (const [role, identity] of [
      ['qa', 'qa-1'],
      ['ops', 'ops-1'],
    ] as const) {
      const item = items.find((one) => one.role === role)?.id ?? '';
      await app.review.resolve({ workspace, item, identity, auth: LOCAL_AUTH, outcome: 'approve', comment: '' });
    }

    const { fast_approvals, ...rest } = await report();
    expect(rest).toMatchObject({ verdict: 'debt', approvals_seen: 1 });
    expect(fast_approvals).toEqual([
      expect.objectContaining({ run_id: job.id, gate_id: expect.stringContaining(job.id), distinct_approvers: 2 }),
    ]);
    expect(await report('?fast_approve_seconds=0.000001')).toMatchObject({ verdict: 'ok', fast_approvals: [] });
    expect(await report('?younger_than_ms=0')).toMatchObject({ verdict: 'unknown', approvals_seen: 0 });
  });

  it.each([
    ['/comprehension?limit=0', '/query/limit'],
    ['/comprehension?limit=1001', '/query/limit'],
    ['/comprehension?fast_approve_seconds=never', '/query/fast_approve_seconds'],
    ['/comprehension?fast_approve_seconds=0', '/query/fast_approve_seconds'],
    ['/comprehension?younger_than_ms=-1', '/query/younger_than_ms'],
    ['/usage?since=yesterday', '/query/since'],
    ['/usage?since=2016-12-31T23:59:60Z', '/query/since'],
    ['/usage?until=2030-13-01T00:00:00Z', '/query/until'],
  ])('refuses %s', async (url, pointer) => {
    const { server } = await serveInfo(talk());

    const response = await get(server, url);

    expect(response.json()).toMatchObject({
      status: 422,
      code: 'request-invalid',
      errors: [expect.objectContaining({ pointer })],
    });
  });
});
