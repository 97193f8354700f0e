/** What is wrong with a request. */
export type Wrong = 'unknown id' | 'malformed query' | 'malformed body' | 'misfitting body' | 'oversized body';

/** One refusal that the full server answers with, to a caller who may do everything. */
export interface Refusal {
  readonly why: Wrong;
  readonly path: string;
  /** As it is sent; an object as JSON. */
  readonly body?: object | string;
  readonly status: number;
  readonly code: string;
}

const MIB = 1024 * 1024;
const unknown = (path: string, code: string, body?: object): Refusal => ({
  why: 'unknown id',
  path,
  status: 404,
  code,
  ...(body === undefined ? {} : { body }),
});
const query = (path: string, status = 422, code = 'request-invalid'): Refusal => ({
  why: 'malformed query',
  path,
  status,
  code,
});
const misfit = (path: string, body: object, code = 'request-invalid'): Refusal => ({
  why: 'misfitting body',
  path,
  body,
  status: 422,
  code,
});
const broken = (path: string): Refusal => ({
  why: 'malformed body',
  path,
  body: '{"a":',
  status: 400,
  code: 'request-malformed',
});
const large = (path: string, bytes = MIB): Refusal => ({
  why: 'oversized body',
  path,
  body: JSON.stringify({ a: 'x'.repeat(bytes) }),
  status: 413,
  code: 'request-too-large',
});
/** What is not JSON is refused in the words of JSON-RPC. */
const brokenRpc = (path: string): Refusal => ({ ...broken(path), status: 200, code: '-32700' });
/** Of a route that reads no body: one that is sent must be JSON and small all the same. */
const noBody = (path: string): readonly Refusal[] => [broken(path), large(path)];
const body = (path: string, misfitting: object): readonly Refusal[] => [...noBody(path), misfit(path, misfitting)];

const decided = (path: string, misfitting: object): readonly Refusal[] => [
  unknown(path, 'item-unknown', {}),
  query(`${path}?recorded=odd`),
  ...body(path, misfitting),
];

/** Addresses that no server calls. */
const probed = (url: string): readonly Refusal[] => [
  query(url.replace(/\?.*/, '')),
  query(`${url}ftp%3A%2F%2Fexample.org`, 422, 'outbound-refused'),
  query(`${url}http%3A%2F%2F169.254.169.254%2F`, 422, 'outbound-refused'),
];

const change = (kind: string) => ({
  [`PUT /api/${kind}/{id}`]: [
    { ...unknown(`/api/${kind}/Not%20An%20Id`, 'request-invalid', { yaml: 'a: b' }), status: 422 },
    ...body(`/api/${kind}/scratch`, { yaml: 1 }),
    misfit(`/api/${kind}/scratch`, { yaml: 'a: b', content: {} }),
  ],
  [`GET /api/${kind}/{id}/yaml`]: [unknown(`/api/${kind}/nobody/yaml`, 'edit-unknown')],
});

const crud = (kind: string) => ({
  [`POST /api/${kind}`]: [...body(`/api/${kind}`, { yaml: 1 }), misfit(`/api/${kind}`, {})],
  [`GET /api/${kind}/{id}`]: [unknown(`/api/${kind}/nobody`, 'edit-unknown')],
  [`DELETE /api/${kind}/{id}`]: [unknown(`/api/${kind}/nobody`, 'edit-unknown')],
  ...change(kind),
});

/** Deep enough to exhaust the stack of whoever walks through it. */
const NESTED = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
const deep = (path: string, input: string, code = 'request-invalid'): Refusal => ({
  ...misfit(path, {}, code),
  body: `{"input":${input}}`,
});

const job = (path: (id: string) => string): Refusal => unknown(path('ffffffffffff'), 'job-unknown');

/**
 * `METHOD path` -> what it refuses. A route with an id has an unknown one, a route with a query a
 * malformed one, and a route that takes a body, or a method that may carry one, a malformed and an
 * oversized one; a body with a schema also one that does not fit.
 */
export const REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  ...crud('topologies'),
  ...crud('skills'),
  ...crud('archetypes'),
  ...change('funnels'),
  ...change('contracts'),
  ...change('roles'),
  'PUT /api/workspace/config/{section}/{entry_id}': [
    { ...unknown('/api/workspace/config/nothing/x', 'request-malformed', {}), status: 400 },
    ...body('/api/workspace/config/credentials/x', []),
  ],
  'DELETE /api/workspace/config/{section}/{entry_id}': [
    { ...unknown('/api/workspace/config/nothing/x', 'request-malformed'), status: 400 },
    unknown('/api/workspace/config/credentials/nobody', 'edit-unknown'),
  ],
  'GET /api/skill-catalogue': [query('/api/skill-catalogue?refresh=perhaps'), query('/api/skill-catalogue?q=a&q=b')],
  'POST /api/skills/add': [
    { ...unknown('/api/skills/add', 'skill-unknown', { ref: 'no-such-bundle', dry_run: true }), status: 422 },
    { ...unknown('/api/skills/add', 'skill-unknown', { ref: '../../etc/passwd', dry_run: true }), status: 422 },
    {
      ...unknown('/api/skills/add', 'skill-unknown', { ref: 'https://example.org/x.yaml', dry_run: true }),
      status: 422,
    },
    misfit('/api/skills/add', { ref: 'filesystem' }, 'skill-refused'),
    ...body('/api/skills/add', { ref: 1 }),
  ],
  'POST /api/skills/import': [
    misfit('/api/skills/import', { text: 'no front matter' }, 'skill-refused'),
    ...body('/api/skills/import', {}),
  ],
  'GET /api/skills/check': [],
  'POST /api/oauth/login': [
    ...body('/api/oauth/login', { credential_id: '' }),
    misfit('/api/oauth/login', { credential_id: 'x', endpoint: 1 }),
    unknown('/api/oauth/login', 'credential-unknown', { credential_id: 'nobody' }),
    misfit('/api/oauth/login', { credential_id: 'x', endpoint: 'http://169.254.169.254/latest' }, 'outbound-refused'),
    {
      ...unknown('/api/oauth/login', 'login-failed', { credential_id: 'x', endpoint: 'http://127.0.0.1:9/mcp' }),
      status: 400,
    },
  ],
  'POST /auth/oidc/token': [
    ...body('/auth/oidc/token', { code: 'c', code_verifier: 'short', redirect_uri: 'http://127.0.0.1/callback' }),
  ],
  'GET /api/oauth/credentials': [],
  // Whoever has no login is told so, with 200.
  'DELETE /api/oauth/credentials/{credential_id}': [
    { ...unknown(`/api/oauth/credentials/${'x'.repeat(201)}`, 'request-invalid'), status: 422 },
    ...noBody('/api/oauth/credentials/nobody'),
  ],
  // A page for people; its refusals have tests of their own.
  'GET /auth/mcp/callback': [],
  'GET /auth/mcp/client.json': [unknown('/auth/mcp/client.json', 'route-unknown')],
  'GET /auth/mcp/probe': probed('/auth/mcp/probe?endpoint='),
  'GET /api/a2a/probe': probed('/api/a2a/probe?card_url='),
  'GET /api/a2a/agents': [],
  'POST /reload': noBody('/reload'),
  'POST /api/reload': noBody('/api/reload'),
  'GET /api/schema/{type}': [unknown('/api/schema/topologie', 'schema-unknown')],
  'GET /artifacts': [query('/artifacts?limit=0'), query('/artifacts?run_id='), query('/artifacts?limit=1&limit=2')],
  'GET /artifacts/{ref}': [unknown('/artifacts/nobody/nothing', 'artifact-unknown')],
  'GET /audit': [
    query('/audit?since=yesterday'),
    query('/audit?limit=1001'),
    query('/audit?since=9999-12-31T23:59:59-14:00'),
    query('/audit?types='),
    query('/audit?before=forged', 400, 'cursor-invalid'),
  ],
  'GET /evals/reports': [query('/evals/reports?limit=0')],
  'GET /evals/reports/{name}': [unknown('/evals/reports/none', 'eval-unknown'), query('/evals/reports/a%2F..%2Fb')],
  'GET /fleet': [query('/fleet?limit=0')],
  'GET /health': [query('/health?alive=1')],
  'GET /events': [query('/events?limit=many'), query('/events?after=forged', 400, 'cursor-invalid')],
  'GET /events/loose': [query('/events/loose?limit=0'), query('/events/loose?types=')],
  'POST /events/signal': body('/events/signal', { correlation_id: 1, event: 'x' }),
  'GET /canary': [],
  'POST /canary/{topology}/promote': [
    unknown('/canary/nobody/promote', 'canary-unknown', { version: '1.0.0' }),
    ...body('/canary/idle/promote', {}),
  ],
  'POST /canary/{topology}/rollback': [
    unknown('/canary/nobody/rollback', 'canary-unknown'),
    ...noBody('/canary/idle/rollback'),
  ],
  'GET /comprehension': [query('/comprehension?limit=0'), query('/comprehension?fast_approve_seconds=0')],
  'GET /usage': [
    query('/usage?since=yesterday'),
    query('/usage?until=2016-12-31T23:59:60Z'),
    query('/usage?by=mood'),
    query('/usage?topology=talk@1.0.0'),
    query('/usage?younger_than_ms=-1'),
  ],
  'GET /usage/{job_id}': [job((id) => `/usage/${id}`)],
  'GET /observability/runs/{run_id}/trace': [job((id) => `/observability/runs/${id}/trace`)],
  'GET /memory': [query('/memory?limit=201'), query('/memory?type=rumour')],
  'GET /memory/item': [query('/memory/item?subject=x')],
  'GET /memory/quarantine': [query('/memory/quarantine?status=lost')],
  'POST /memory': [
    ...body('/memory', { subject: 's', attribute: 'a', value: 'v', confidence: 2 }),
    misfit('/memory', { subject: 's', attribute: 'a', value: 'v', type: 'rumour' }),
  ],
  'POST /memory/quarantine': [
    ...body('/memory/quarantine', { id: 'ffff' }),
    unknown('/memory/quarantine', 'memory-unknown', { id: 'ffff', accept: true }),
  ],
  'POST /memory/quarantine/{id}/resolve': [
    unknown('/memory/quarantine/ffff/resolve', 'memory-unknown', { accept: true }),
    ...body('/memory/quarantine/ffff/resolve', { accept: 'maybe' }),
  ],
  'GET /conversations': [query('/conversations?limit=101')],
  'POST /conversations': [
    unknown('/conversations', 'topology-unknown', { topology: 'nobody' }),
    ...body('/conversations', { topology: 1 }),
  ],
  'GET /conversations/{id}': [unknown('/conversations/nobody', 'conversation-unknown')],
  'POST /conversations/{id}/messages': [
    unknown('/conversations/nobody/messages', 'conversation-unknown', { message: 'x' }),
    ...body('/conversations/nobody/messages', { message: '' }),
  ],
  'GET /gates/{gate_id}': [
    unknown('/gates/nobody', 'gate-unknown'),
    query('/gates/nobody?author='),
    query('/gates/nobody?whole=odd'),
  ],
  'GET /jobs': [
    query('/jobs?status=sleeping'),
    query('/jobs?limit=1001'),
    query('/jobs?limit=1.5'),
    query('/jobs?view=1&labels=a'),
  ],
  'GET /jobs/history': [query('/jobs/history?status=sleeping')],
  'GET /jobs/{id}': [job((id) => `/jobs/${id}`), query('/jobs/ffffffffffff?prefix=maybe')],
  'GET /jobs/{id}/changes': [job((id) => `/jobs/${id}/changes`), query('/jobs/ffffffffffff/changes?agent=')],
  'GET /jobs/{id}/events': [job((id) => `/jobs/${id}/events`), query('/jobs/ffffffffffff/events?limit=1001')],
  'GET /jobs/{id}/report': [job((id) => `/jobs/${id}/report`)],
  'GET /jobs/{id}/diff': [job((id) => `/jobs/${id}/diff`)],
  'GET /jobs/{id}/view': [job((id) => `/jobs/${id}/view`)],
  'GET /jobs/{id}/why': [job((id) => `/jobs/${id}/why`)],
  'GET /jobs/{id}/stream': [job((id) => `/jobs/${id}/stream`), query('/jobs/ffffffffffff/stream?format=xml')],
  'POST /jobs/{id}/resume': [
    job((id) => `/jobs/${id}/resume`),
    query('/jobs/ffffffffffff/resume?anew=odd'),
    ...noBody('/jobs/ffffffffffff/resume'),
  ],
  'POST /jobs/{id}/retry': [
    job((id) => `/jobs/${id}/retry`),
    query('/jobs/ffffffffffff/retry?repeat_pruned=odd'),
    ...noBody('/jobs/ffffffffffff/retry'),
  ],
  'POST /jobs/{id}/stop': [job((id) => `/jobs/${id}/stop`), ...noBody('/jobs/ffffffffffff/stop')],
  'GET /inbox': [query('/inbox?limit=0'), query('/inbox?limit=201')],
  'GET /inbox/{item}': [unknown('/inbox/nobody', 'item-unknown')],
  'GET /review': [query('/review?kind=odd'), query('/review?limit=0')],
  'GET /review/all': [query('/review/all?kind=odd')],
  'GET /review/list': [query('/review/list?kind=odd'), unknown('/review/list?gate_id=nobody', 'gate-unknown')],
  'GET /review/{id}/details': [
    unknown('/review/nobody/details', 'item-unknown'),
    query('/review/nobody/details?whole=a'),
  ],
  'GET /review/{id}': [unknown('/review/nobody', 'item-unknown')],
  'POST /review/{id}/approve': decided('/review/nobody/approve', { comment: 1 }),
  'POST /review/{id}/reject': decided('/review/nobody/reject', { comment: [] }),
  'POST /review/{id}/answer': decided('/review/nobody/answer', { answer: 1 }),
  'POST /review/{id}/resolve': decided('/review/nobody/resolve', { outcome: 1 }),
  'POST /run/{topology}': [
    unknown('/run/nobody', 'topology-unknown', { input: 'x' }),
    broken('/run/idle'),
    misfit('/run/idle', {}),
    misfit('/run/shaped', { input: { n: 'one' } }, 'input-invalid'),
    deep('/run/shaped', JSON.stringify(`{"n":1,"m":${NESTED}}`), 'input-invalid'),
    large('/run/idle', 64 * MIB),
  ],
  // What is JSON and fits is for the protocol to refuse, in its own words.
  'POST /mcp': [broken('/mcp'), { ...misfit('/mcp', {}), body: '5' }, large('/mcp', 64 * MIB)],
  'POST /mcp/': [broken('/mcp/'), { ...misfit('/mcp/', {}), body: '5' }, large('/mcp/', 64 * MIB)],
  'POST /triggers/{id}/fire': [
    unknown('/triggers/nobody/fire', 'trigger-unknown', {}),
    ...body('/triggers/hand/fire', []),
    misfit('/triggers/plain/fire', { input: { n: 'one' } }, 'input-invalid'),
    misfit('/triggers/night/fire', { input: 'a\u0000b' }, 'input-invalid'),
    deep('/triggers/night/fire', NESTED),
    deep('/triggers/hand/fire', NESTED),
  ],
  'GET /.well-known/agent-card.json': [],
  'GET /.well-known/oauth-protected-resource/mcp': [],
  'GET /.well-known/oauth-protected-resource/mcp/': [],
  'GET /a2a/{topology}/card': [unknown('/a2a/nobody/card', 'topology-unknown')],
  'POST /a2a': [brokenRpc('/a2a'), large('/a2a', 64 * MIB)],
  'POST /a2a/{topology}': [
    unknown('/a2a/nobody', 'topology-unknown', {}),
    brokenRpc('/a2a/idle'),
    large('/a2a/idle', 64 * MIB),
  ],
  // A body that is not JSON is the text of the input: whether it fits is for the topology to say.
  'POST /hooks/{name}': [
    unknown('/hooks/nobody', 'topology-unknown', {}),
    { ...broken('/hooks/shaped'), status: 422, code: 'input-invalid' },
    misfit('/hooks/shaped', { input: { n: 'one' } }, 'input-invalid'),
    deep('/hooks/shaped', `{"n":1,"m":${NESTED}}`),
    large('/hooks/shaped'),
  ],
};
