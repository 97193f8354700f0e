import type { Sources } from '../../support/compile.js';
import { judge, MAIN, prompt, workspace } from './artifact-text.js';
import type { RuleCase } from './rule-case.js';

const ws = (rest: string): Sources => ({ 'topologies/t.yaml': MAIN, 'workspace.yaml': workspace(rest) });
const route = (versions: string, name = 'main'): Sources =>
  ws(`server: { canary: { routes: [{ topology: ${name}, versions: [${versions}] }] } }\n`);
const JWT = 'server: { auth: { provider: jwt } }\n';
const preset = (identity: string, server = JWT): Sources => ws(`${server}identity: ${identity}\n`);
const sink = (entry: string): Sources => ws(`events: [${entry}]\n`);
export const SETTINGS: readonly RuleCase[] = [
  {
    code: 'events.unknown-type',
    at: 'workspace.yaml#/events/0/types/1',
    sources: sink('{ sink: stdout, types: [run.ended, run.finished] }'),
  },
  {
    code: 'events.unknown-sink',
    at: 'workspace.yaml#/events/0/provider_id',
    sources: sink('{ sink: plugin, provider_id: kafak }'),
  },
  {
    code: 'events.bad-config',
    at: 'workspace.yaml#/events/0/url',
    sources: sink('{ sink: webhook, url: "ftp://example.org" }'),
  },
  {
    code: 'events.bad-config',
    at: 'workspace.yaml#/events/0/url',
    sources: sink('{ sink: webhook, url: "https://me:word@example.org" }'),
  },
  {
    code: 'events.bad-config',
    at: 'workspace.yaml#/events/0/config',
    sources: sink('{ sink: plugin, provider_id: webhook, config: {} }'),
  },
  {
    code: 'events.bad-config',
    at: 'workspace.yaml#/server/signal/url',
    sources: ws('server: { signal: { url: "listener:8080" } }\n'),
  },
  {
    code: 'interpolation.secret-exposed',
    at: 'workspace.yaml#/events/0/url',
    sources: sink('{ sink: webhook, url: "https://a.example/{credential.key}" }'),
  },
  { code: 'auth.no-issuer', at: 'workspace.yaml#/server/auth', sources: ws(JWT) },
  { code: 'auth.no-issuer', at: 'workspace.yaml#/server/auth', sources: preset('{ provider: builtin }') },
  {
    code: 'auth.unknown-provider',
    at: 'workspace.yaml#/server/auth/provider',
    sources: ws('server: { auth: { provider: apikey } }\n'),
  },
  {
    code: 'identity.no-effect',
    at: 'workspace.yaml#/identity/provider',
    sources: preset('{ provider: oidc, config: { issuer: "https://a.example" } }', ''),
  },
  {
    code: 'identity.no-effect',
    at: 'workspace.yaml#/identity/provider',
    sources: preset(
      '{ provider: auth0, config: { domain: a.example, audience: kit } }',
      'server: { auth: { provider: jwt, issuer: "https://a.example" } }\n',
    ),
  },
  {
    code: 'identity.bad-config',
    at: 'workspace.yaml#/identity',
    sources: preset('{ provider: auth0, config: { audience: kit } }'),
  },
  {
    code: 'identity.bad-config',
    at: 'workspace.yaml#/identity/config/domian',
    sources: preset('{ provider: okta, config: { domain: a.example, domian: b } }'),
  },
  {
    code: 'identity.bad-config',
    at: 'workspace.yaml#/identity/config/tier',
    sources: preset('{ provider: google, config: { client_id: c, tier: run } }'),
  },
  {
    code: 'identity.bad-config',
    severity: 'warning',
    at: 'workspace.yaml#/identity/config/session_hours',
    sources: preset('{ provider: builtin, config: { session_hours: 8 } }', ''),
  },
  {
    code: 'governance.custom',
    at: 'workspace.yaml#/governance/provider',
    sources: ws('governance: { provider: custom }\n'),
  },
  {
    code: 'workspace.yaml-parse',
    at: 'workspace.yaml#/<line 4>',
    sources: ws('governance: { provider: mock, limits: { max_cost_per_run_usd: .nan } }\n'),
  },
  {
    code: 'workspace.yaml-parse',
    at: 'workspace.yaml#/<line 4>',
    sources: ws('governance: { provider: mock, limits: { max_cost_per_run_usd: .inf } }\n'),
  },
  {
    code: 'binding.unknown-skill',
    at: 'workspace.yaml#/governance/decision_skills/0/id',
    sources: ws('governance: { provider: mock, decision_skills: [{ id: none, trigger: post_output }] }\n'),
  },
  {
    code: 'binding.duplicate-id',
    at: 'workspace.yaml#/governance/decision_skills/1/id',
    sources: {
      ...ws(
        'governance: { provider: mock, decision_skills: [{ id: j, trigger: post_output }, { id: j, trigger: pre_input }] }\n',
      ),
      'skills/j.yaml': judge('j'),
    },
  },
  {
    code: 'binding.unknown-agent',
    severity: 'warning',
    at: 'workspace.yaml#/governance/decision_skills/0/scope',
    sources: {
      ...ws(
        "governance: { provider: mock, decision_skills: [{ id: j, trigger: post_output, scope: 'root, none' }] }\n",
      ),
      'skills/j.yaml': judge('j'),
    },
  },
  {
    code: 'memory.disabled-but-bound',
    at: 'workspace.yaml#/governance/decision_skills/0/id',
    sources: ws(
      'memory: { enabled: false }\ngovernance: { provider: mock, decision_skills: [{ id: memory-reader, trigger: pre_input }] }\n',
    ),
  },
  {
    code: 'planning.unknown-agent',
    severity: 'warning',
    at: 'workspace.yaml#/planning/synthesis_roles/1',
    sources: ws('planning: { synthesis_roles: [self, none] }\n'),
  },
  {
    code: 'canary.weights',
    at: 'workspace.yaml#/server/canary/routes/0/versions',
    sources: {
      ...route('{ version: 1.0.0, weight: 60 }, { version: 2.0.0, weight: 60 }'),
      'topologies/u.yaml': MAIN.replace('1.0.0', '2.0.0'),
    },
  },
  {
    code: 'canary.unknown-version',
    at: 'workspace.yaml#/server/canary/routes/0/versions/1/version',
    sources: route('{ version: 1.0.0, weight: 50 }, { version: 2.0.0, weight: 50 }'),
  },
  {
    code: 'canary.duplicate-version',
    at: 'workspace.yaml#/server/canary/routes/0/versions/1/version',
    sources: route('{ version: 1.0.0, weight: 50 }, { version: 1.0.0, weight: 50 }'),
  },
  {
    code: 'canary.unknown-topology',
    at: 'workspace.yaml#/server/canary/routes/0/topology',
    sources: route('{ version: 1.0.0, weight: 50 }, { version: 2.0.0, weight: 50 }', 'none'),
  },
  {
    code: 'compression.no-class',
    at: 'workspace.yaml#/context_compression/overrides/0',
    sources: ws("context_compression: { overrides: [{ match: '*', backend: plugin }] }\n"),
  },
  {
    code: 'compression.unknown-class',
    at: 'workspace.yaml#/context_compression/backend_class',
    sources: ws('context_compression: { backend: plugin, backend_class: acmee }\n'),
  },
  {
    code: 'compression.unknown-class',
    at: 'workspace.yaml#/context_compression/overrides/0/backend_class',
    sources: ws("context_compression: { overrides: [{ match: '*', backend: plugin, backend_class: acme.zipp }] }\n"),
  },
  {
    code: 'workspace.duplicate-server',
    at: 'workspace.yaml#/mcp_servers/1/id',
    sources: ws(
      'mcp_servers: [{ id: a, transport: stdio, command: [x] }, { id: a, transport: stdio, command: [y] }]\n',
    ),
  },
  {
    code: 'workspace.duplicate-pack',
    at: 'workspace.yaml#/command_packs/1/id',
    sources: ws(
      'command_packs: [{ id: a, commands: [{ id: x, argv: [x] }] }, { id: a, commands: [{ id: y, argv: [y] }] }]\n',
    ),
  },
  {
    code: 'command-pack.duplicate-command',
    at: 'workspace.yaml#/command_packs/0/commands/1/id',
    sources: ws('command_packs: [{ id: a, commands: [{ id: x, argv: [x] }, { id: x, argv: [y] }] }]\n'),
    also: ['command-pack.id-collision'],
  },
  {
    code: 'command-pack.reserved-id',
    at: 'workspace.yaml#/command_packs/0/id',
    sources: ws('command_packs: [{ id: workspace, commands: [{ id: x, argv: [x] }] }]\n'),
  },
  {
    code: 'command-pack.unknown-command',
    at: 'workspace.yaml#/command_packs/0/timeout_overrides/y',
    sources: ws('command_packs: [{ id: a, timeout_overrides: { y: 1 }, commands: [{ id: x, argv: [x] }] }]\n'),
  },
  {
    code: 'command-pack.id-collision',
    at: 'workspace.yaml#/command_packs/0/commands/0/id',
    sources: {
      ...ws('command_packs: [{ id: a, commands: [{ id: x, argv: [x] }] }]\n'),
      'skills/s.yaml': prompt('a-x'),
    },
  },
];
