import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noteSkill, talk } from '../../e2e/workspaces.js';
import { runHere, serveInfo } from '../../support/http/info-world.js';
import { as } from '../../support/http/serve-group.js';
import { projectRoot } from '../../support/kit-process.js';

/** Each in another place, so that what leaks is known by its name. */
const PLANTED = {
  variable: 'planted-in-a-variable',
  provider: 'planted-in-a-provider-key',
  url: 'planted-in-a-store-url',
  query: 'planted-in-a-query',
  declared: 'planted-and-declared',
  named: 'planted-by-its-name',
  composed: 'planted-in-a-composed-value',
  credential: 'planted-in-a-credential',
  password: 'planted-in-a-runtime-url',
  plugin: 'planted-in-an-endpoint',
} as const;

const PROPERTIES = `secrets: [db.plain]
db:
  plain: ${PLANTED.declared}
  password: ${PLANTED.named}
  url: postgres://kit:${PLANTED.password}@127.0.0.1:1/runs?token=${PLANTED.query}
greeting: hello \${API_TOKEN}
mail: see https://kit:${PLANTED.composed}@example.org/x for more
page: https://kit:${PLANTED.composed}@example.org/x?key=${PLANTED.query}
`;

const STORAGE = `storage:
  memory: { backend: postgres, url: "\${db.url}" }
  fleet: { backend: postgres, url: "${PLANTED.url}" }
  artifacts: { backend: s3, bucket: b, endpoint: "https://kit:${PLANTED.plugin}@127.0.0.1:1/?key=${PLANTED.query}" }
credentials:
  vault: { source: env, config: { env: PLAIN_VALUE } }
organisation: { id: acme, name: "Acme \${API_TOKEN}" }
`;

const files = (storage = STORAGE) => ({
  ...talk({
    ...noteSkill('[echo, "{text}"]'),
    workspace: `${storage}${noteSkill('[echo, "{text}", "${API_TOKEN}"]').workspace}`,
  }),
  'workspace.env.yaml': PROPERTIES,
});

const VARIABLES = {
  API_TOKEN: PLANTED.variable,
  ANTHROPIC_API_KEY: PLANTED.provider,
  KIT_SIGNING_KEY: PLANTED.provider,
  PLAIN_VALUE: PLANTED.credential,
  OLLAMA_BASE_URL: `http://kit:${PLANTED.url}@127.0.0.1:1/?key=${PLANTED.query}`,
  KIT_MODEL: `m-${PLANTED.credential}`,
};

const leaksOf = (text: string): readonly string[] => Object.values(PLANTED).filter((secret) => text.includes(secret));

const ROUTES = [
  ...[
    '/whoami',
    '/auth-info',
    '/capabilities',
    '/topologies',
    '/skills',
    '/archetypes',
    '/funnels',
    '/contracts',
    '/validate',
    '/system',
    '/storage',
  ],
  ...[
    '/workspace/reachability',
    '/workspace/verification',
    '/comprehension',
    '/fleet',
    '/gaps',
    '/gaps/all',
    '/providers',
    '/usage',
    '/api/schema/workspace',
  ],
];

it('no body of any route, and no log line, holds a planted secret', async () => {
  const { server, logged } = await serveInfo(files(), VARIABLES);
  const routes = server.serving
    .routes()
    .flatMap(({ method, pattern }) => (method === 'GET' && !pattern.includes(':') ? [pattern] : []));
  expect([...ROUTES].filter((route) => !route.startsWith('/api')).sort()).toEqual([...routes].sort());

  const leaks: Record<string, readonly string[]> = {};
  for (const url of ROUTES) {
    const { body, statusCode } = await server.inject({ url, headers: as('read') });
    expect(`${url} ${statusCode}`).toBe(`${url} 200`);
    leaks[url] = leaksOf(body);
  }

  expect(leaks).toEqual(Object.fromEntries(ROUTES.map((url) => [url, []])));
  expect(leaksOf(logged())).toEqual([]);
  const { properties, environment, storage } = (await server.inject({ url: '/system', headers: as('read') })).json();
  expect(
    Object.fromEntries(
      properties.map(({ name, value }: { readonly name: string; readonly value: string }) => [name, value]),
    ),
  ).toEqual({
    'db.password': 'set',
    'db.plain': 'set',
    'db.url': 'postgres://***@127.0.0.1:1/runs?token=***',
    greeting: 'hello [MASKED]',
    mail: 'see https://***@example.org/x for more',
    page: 'https://***@example.org/x?key=***',
  });
  expect(environment).toContainEqual(
    expect.objectContaining({ name: 'ANTHROPIC_API_KEY', set: true, value: 'set', sensitive: true }),
  );
  // What was looked at is really there: the test would otherwise pass over an empty page.
  expect(storage.stores).toContainEqual(
    expect.objectContaining({ store: 'memory', location: 'postgres://kit@127.0.0.1:1/runs' }),
  );
  expect(storage.stores).toContainEqual(expect.objectContaining({ store: 'fleet', backend: 'UNRESOLVED' }));
});

it('a run that a label follows tells the label and no secret', async () => {
  const world = await serveInfo(talk({ workspace: 'organisation: { id: acme, name: "Acme ${API_TOKEN}" }\n' }), {
    API_TOKEN: PLANTED.variable,
  });
  const job = await runHere(world, 'talk');

  const { events } = await world.app.observe.report({ workspace: world.workspace, run: job.id });

  expect(events[0]).toMatchObject({
    type: 'run.started',
    payload: { organisation: { id: 'acme', name: 'Acme [REDACTED]' } },
  });
  const trace = await world.server.inject({ url: `/observability/runs/${job.id}/trace`, headers: as('read') });
  expect(leaksOf(trace.body + JSON.stringify(events[0]))).toEqual([]);
});

it.each([
  ['storage status', 2],
  ['storage status --json', 2],
  ['system --all', 2],
  ['system --all --json', 2],
])('kit %s tells no planted secret', async (line, exit) => {
  const { workspace, env } = await serveInfo(files(), VARIABLES);
  const variables = { ...env, DATABASE_URL: `mysql://kit:${PLANTED.url}@127.0.0.1/x` };

  for (const given of [env, variables]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(projectRoot, 'bin', 'kit.js'), ...line.split(' '), '-w', workspace],
      {
        env: given,
        encoding: 'utf8',
      },
    );
    expect({ status, stderr }).toEqual({ status: exit, stderr: '' });
    expect(stdout).toContain('UNRESOLVED');
    expect(leaksOf(stdout)).toEqual([]);
  }
});
