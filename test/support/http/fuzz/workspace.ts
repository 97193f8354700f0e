import { idleTopology } from '../idle-workspace.js';

/**
 * Each lies in another place, so that what leaks is known by its name. Signs that URLs and base64
 * write differently are among them.
 */
export const PLANTED = {
  reader: 'planted-reader-key/7f+3a=0123456789abcdef',
  runner: 'planted-runner-key/7f+3a=0123456789abcdef',
  signer: 'planted-signer-key/7f+3a=0123456789abcdef',
  admin: 'planted-admin-key/7f+3a=0123456789abcdef',
  stranger: 'planted-stranger-key/7f+3a=0123456789abcd',
  variable: 'planted+in/a variable=1',
  provider: 'planted+in/a-provider-key=2',
  hook: 'planted+in/a-hook-secret=3',
  vault: 'planted+in/a-credential=4',
  declared: 'planted+and/declared=5',
  password: 'planted-in-a-store-password',
  query: 'planted-in-a-store-query',
  endpoint: 'planted-in-an-endpoint',
  signal: 'planted-in-a-signal-query',
  sink: 'planted-in-a-sink-query',
} as const;

export const VARIABLES: Readonly<Record<string, string>> = {
  READER_TOKEN: PLANTED.reader,
  RUNNER_TOKEN: PLANTED.runner,
  SIGNER_TOKEN: PLANTED.signer,
  ADMIN_TOKEN: PLANTED.admin,
  API_TOKEN: PLANTED.variable,
  ANTHROPIC_API_KEY: PLANTED.provider,
  OPENAI_API_KEY: PLANTED.provider,
  HOOK_SECRET: PLANTED.hook,
  VAULT_VALUE: PLANTED.vault,
  OLLAMA_BASE_URL: `http://kit:${PLANTED.endpoint}@127.0.0.1:1/?key=${PLANTED.query}`,
};

const provenance = { authored_by: 'human', version: '1.0.0' };
const head = (kind: string, id: string) => ({
  apiVersion: 'kit/v1',
  kind,
  metadata: { id, name: id, description: `The ${kind} ${id} of a test.` },
  provenance,
});
const trigger = (id: string, of: object) =>
  JSON.stringify({ apiVersion: 'kit/v1', kind: 'Trigger', metadata: { id, name: id }, ...of });
const key = (client_id: string, tier: string, variable: string) => ({ key_ref: `env:${variable}`, client_id, tier });

const SERVER = {
  auth: {
    provider: 'api_key',
    config: {
      keys: [
        key('reader', 'read', 'READER_TOKEN'),
        key('runner', 'run', 'RUNNER_TOKEN'),
        key('qa-1', 'run', 'SIGNER_TOKEN'),
        key('admin', 'admin', 'ADMIN_TOKEN'),
      ],
    },
  },
  jobs: { max_concurrent: 4, shutdown_seconds: 0 },
  a2a: { enabled: true, wait_seconds: 1 },
  signal: { url: `\${SIGNAL_ORIGIN}/in?key=${PLANTED.signal}`, credentials_ref: 'vault' },
  canary: {
    routes: [
      {
        topology: 'idle',
        versions: [
          { version: '1.0.0', weight: 70 },
          { version: '2.0.0', weight: 30 },
        ],
      },
    ],
  },
};

const WORKSPACE = {
  apiVersion: 'kit/v1',
  kind: 'Workspace',
  metadata: { id: 'attacked', name: 'Attacked', annotations: { stage: 'test', token: '${API_TOKEN}' } },
  organisation: { id: 'acme', name: 'Acme ${API_TOKEN}' },
  memory: { enabled: true },
  server: SERVER,
  events: [{ sink: 'webhook', url: `http://127.0.0.1:1/out?signature=${PLANTED.sink}`, credentials_ref: 'vault' }],
  credentials: {
    vault: { source: 'env', config: { env: 'VAULT_VALUE' } },
    hook: { source: 'env', config: { env: 'HOOK_SECRET' } },
  },
  command_packs: [
    {
      id: 'notes',
      credentials_ref: 'vault',
      env: { VAULT: '{credential.vault}' },
      commands: [
        {
          id: 'note',
          description: 'Notes a text.',
          argv: ['echo', '{text}', '${API_TOKEN}'],
          effects: 'write',
          output: { parse: 'text' },
        },
        {
          id: 'deploy',
          description: 'Fails.',
          argv: ['sh', '-c', 'exit 3', '{text}'],
          effects: 'write',
          output: { parse: 'text' },
        },
      ],
    },
  ],
};

const PROPERTIES = `secrets: [db.plain]
db:
  plain: "${PLANTED.declared}"
  url: postgres://kit:${PLANTED.password}@127.0.0.1:1/runs?token=${PLANTED.query}
greeting: hello \${API_TOKEN}
`;

const gated = JSON.stringify({
  apiVersion: 'kit/v1',
  kind: 'Topology',
  metadata: { name: 'release', version: '1.0.0', description: 'Waits for two people.' },
  agents: { root: { id: 'writer', role: 'root', model: { provider: 'mock', name: 'mock' }, funnel: 'sign-off' } },
});

const noting = idleTopology('noting', {
  skills: ['note'],
  options: {
    script: [{ tool_calls: [{ name: 'note', input: { text: 'seen' } }, { name: 'get_issue_7' }] }, { text: 'noted' }],
  },
});

const calls = (tool: string): object => ({ script: [{ tool_calls: [{ name: tool, input: { text: 'seen' } }] }] });

const commandSkill = (id: string, more: object = {}): string =>
  JSON.stringify({
    ...head('Skill', id),
    category: 'capability',
    inputs: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    implementation: { type: 'command', pack: 'notes', command: id },
    ...more,
  });

/**
 * A workspace with everything that the routes of a server show, and a secret in each place that
 * holds one.
 */
export const FUZZED_FILES: Readonly<Record<string, string>> = {
  'workspace.yaml': JSON.stringify(WORKSPACE),
  'workspace.env.yaml': PROPERTIES,
  'topologies/idle/v1.yaml': idleTopology('idle'),
  'topologies/idle/v2.yaml': idleTopology('idle', { version: '2.0.0' }),
  'topologies/release.yaml': gated,
  'topologies/noting.yaml': noting,
  'topologies/shaped.yaml': idleTopology('shaped', {
    input_schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } },
  }),
  // Its failure is a question to a person.
  'topologies/asking.yaml': idleTopology('asking', { skills: ['deploy'], options: calls('deploy') }),
  'topologies/failing.yaml': idleTopology('failing', {
    options: { script: [{ fail: { kind: 'auth', message: 'no key' } }] },
  }),
  'skills/note.yaml': commandSkill('note'),
  'skills/deploy.yaml': commandSkill('deploy', { constraints: { on_failure: 'escalate_to_human' } }),
  'archetypes/writer.yaml': JSON.stringify({
    ...head('Archetype', 'writer'),
    role: 'root',
    defaults: { model: { provider: 'mock', name: 'mock' }, prompt: { system: 'You write with ${API_TOKEN}.' } },
  }),
  'funnels/sign-off.yaml': JSON.stringify({
    ...head('Funnel', 'sign-off'),
    approve: { rules: [{ scope: 'release:sign', roles: ['qa', 'ops'], quorum: 'all' }], exclude_author: true },
  }),
  'roles/people.yaml': JSON.stringify({
    apiVersion: 'kit/v1',
    kind: 'RoleRegistry',
    metadata: { id: 'people', name: 'People' },
    roles: [
      { id: 'qa', members: ['qa-1'], scopes: ['release:sign'] },
      { id: 'ops', members: ['admin'], scopes: ['release:sign', 'pipeline:advance'] },
    ],
  }),
  'triggers/pr.yaml': trigger('pr', {
    type: 'webhook',
    targets: ['idle'],
    config: { auth: { method: 'hmac', credentials_ref: 'hook' } },
  }),
  'triggers/plain.yaml': trigger('plain', { type: 'webhook', targets: ['shaped'], config: {} }),
  'triggers/night.yaml': trigger('night', {
    type: 'cron',
    targets: ['idle'],
    config: { expression: '0 3 1 1 *', timezone: 'UTC' },
  }),
  'triggers/hand.yaml': trigger('hand', { type: 'manual', targets: ['idle', 'noting'] }),
  'triggers/lost.yaml': trigger('lost', {
    type: 'webhook',
    targets: ['noting'],
    config: { auth: { method: 'bearer', credentials_ref: 'nowhere' } },
  }),
};
