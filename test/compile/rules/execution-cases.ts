import { WORKSPACE } from '../../support/compile.js';
import { adapter, archetype, EVENTS, MAIN, prompt, provider, skill, topology, workspace } from './artifact-text.js';
import type { RuleCase } from './rule-case.js';

export const EXECUTION: readonly RuleCase[] = [
  ...(
    [
      ['/spec/grant/arg', 'grant: { arg: [--allow, "{grant.capabilities}"] }'],
      ['/spec/interaction/driver', 'interaction: { driver: hold-stream }'],
      [
        '/spec/interaction/max_approval_wait_seconds',
        'interaction: { driver: park-resume, max_approval_wait_seconds: 120 }',
      ],
      ['/spec/on_unanswerable', 'on_unanswerable: relay, interaction: { driver: park-resume }'],
    ] as const
  ).map(
    ([at, keys]): RuleCase => ({
      code: 'adapter.no-effect',
      at: `adapters/a.yaml#${at}`,
      sources: { 'adapters/a.yaml': adapter('a', EVENTS.replace(/ }$/, `, ${keys} }`)) },
    }),
  ),
  {
    code: 'provider.unknown-base',
    at: 'providers/p.yaml#/spec/extends',
    sources: { 'providers/p.yaml': provider('p', '{ extends: none }') },
  },
  {
    code: 'provider.cycle',
    at: 'providers/p.yaml#/spec/extends',
    sources: {
      'providers/p.yaml': provider('p', '{ extends: q }'),
      'providers/q.yaml': provider('q', '{ extends: p }'),
    },
  },
  {
    code: 'provider.requires-code',
    at: 'providers/p.yaml#/spec/requires',
    sources: { 'providers/p.yaml': provider('p', '{ extends: ollama, requires: code }') },
  },
  {
    code: 'provider.widened-capability',
    at: 'providers/p.yaml#/spec/capabilities/structured_output',
    sources: { 'providers/p.yaml': provider('p', '{ extends: anthropic, capabilities: { structured_output: true } }') },
  },
  {
    code: 'provider.unusable-field',
    at: 'providers/p.yaml#/spec/options/lift_to_root',
    sources: { 'providers/p.yaml': provider('p', '{ extends: anthropic, options: { lift_to_root: [thinking] } }') },
  },
  {
    code: 'provider.duplicate-id',
    at: 'workspace.yaml#/model_providers/0/provider_id',
    sources: {
      'workspace.yaml': workspace('model_providers: [{ class: mock, provider_id: p }]'),
      'providers/p.yaml': provider('p', '{ extends: ollama }'),
    },
  },
  {
    code: 'provider.duplicate-id',
    at: 'workspace.yaml#/model_providers/1/provider_id',
    sources: {
      'workspace.yaml': workspace(
        'model_providers: [{ class: mock, provider_id: p }, { class: rules, provider_id: p }]',
      ),
    },
  },
  {
    code: 'provider.unknown-class',
    at: 'workspace.yaml#/model_providers/0/class',
    sources: { 'workspace.yaml': workspace('model_providers: [{ class: ./own.js, provider_id: p }]') },
    severity: 'warning',
  },
  {
    code: 'provider.config-invalid',
    at: 'workspace.yaml#/model_providers/0/config/base_url',
    sources: {
      'workspace.yaml': workspace(
        'model_providers: [{ class: kit.anthropic, provider_id: p, config: { base_url: "ftp://x" } }]',
      ),
    },
  },
  {
    code: 'provider.config-invalid',
    at: 'workspace.yaml#/model_providers/0',
    sources: { 'workspace.yaml': workspace('model_providers: [{ class: openai-compatible, provider_id: p }]') },
  },
  {
    code: 'adapter.unknown-variable',
    at: 'adapters/a.yaml#/spec/launch/command/1',
    sources: { 'adapters/a.yaml': adapter('a', EVENTS.replace('[tool]', "[tool, '{task.prompt}']")) },
  },
  {
    code: 'adapter.unknown-variable',
    at: 'adapters/a.yaml#/spec/launch/mcp_tool_name',
    sources: { 'adapters/a.yaml': adapter('a', EVENTS.replace('[tool] }', "[tool], mcp_tool_name: '{server}' }")) },
  },
  ...(
    [
      ['network', 'kind: container, network: allowlist'],
      ['network', 'kind: worktree, network: allowlist, allow: [a.example.org]'],
      ['allow', 'kind: container, allow: [a.example.org]'],
      ['allow/1', "kind: container, network: allowlist, allow: [a.example.org, '10.0.0.1']"],
    ] as const
  ).map(([at, sandbox]) => ({
    code: 'adapter.network-allowlist' as const,
    at: `adapters/a.yaml#/spec/sandbox/${at}`,
    sources: { 'adapters/a.yaml': adapter('a', EVENTS.replace('launch:', `sandbox: { ${sandbox} }, launch:`)) },
  })),
  {
    code: 'adapter.unknown-map',
    at: 'adapters/a.yaml#/spec/event_map/0/emit/0/with/status/map',
    sources: {
      'adapters/a.yaml': adapter(
        'a',
        EVENTS.replace('event: result', "event: result, with: { status: { from: '$.s', map: none_map } }"),
      ),
    },
  },
  {
    code: 'agent.harness-skills',
    at: 'topologies/t.yaml#/agents/root',
    sources: {
      'adapters/a.yaml': adapter('a', EVENTS),
      'skills/note.yaml': prompt('note'),
      'archetypes/w.yaml': archetype('w', '{}', 'executor: { kind: harness, ref: a }\nskills: [note]\n'),
      'topologies/t.yaml': topology('main', 'archetype: w'),
    },
  },
  {
    code: 'archetype.no-permission-mode',
    at: 'archetypes/w.yaml#/executor',
    severity: 'warning',
    sources: {
      'adapters/a.yaml': adapter(
        'a',
        EVENTS.replace('[tool] }', "[tool], optional_args: [{ when: config.approval_mode, args: ['-a'] }] }"),
      ),
      'archetypes/w.yaml': archetype('w', '{}', 'executor: { kind: harness, ref: a, config: { model: m } }\n'),
    },
  },
  {
    code: 'archetype.executor-invalid',
    at: 'archetypes/w.yaml#/executor',
    sources: {
      'adapters/a.yaml': adapter('a', EVENTS.replace('launch:', 'requires: code, launch:')),
      'archetypes/w.yaml': archetype('w', '{}', 'executor: { kind: harness, ref: a }\n'),
    },
  },
  {
    code: 'interpolation.unresolved',
    at: 'workspace.yaml#/mcp_servers/0/command/1',
    sources: {
      'workspace.yaml': workspace("mcp_servers: [{ id: a, transport: stdio, command: [x, '${NOWHERE}'] }]\n"),
    },
  },
  {
    code: 'interpolation.unresolved',
    severity: 'warning',
    at: 'workspace.yaml#/metadata/name',
    sources: { 'workspace.yaml': WORKSPACE.replace('name: W', "name: '${NOWHERE}'") },
  },
  {
    code: 'interpolation.secret-exposed',
    severity: 'warning',
    at: 'skills/s.yaml#/implementation/prompt',
    sources: { 'skills/s.yaml': skill('s', "{ type: llm_prompt, prompt: 'with ${API_KEY}' }") },
    environment: { API_KEY: 'abcdef' },
  },
  {
    code: 'interpolation.secret-exposed',
    at: 'skills/s.yaml#/implementation/prompt',
    sources: {
      'skills/s.yaml': skill('s', "{ type: llm_prompt, prompt: 'with ${db.word}' }"),
      'workspace.env.yaml': 'db: { word: abcdef }\nsecrets: [db.word]\n',
    },
  },
  {
    code: 'interpolation.secret-exposed',
    at: 'skills/s.yaml#/implementation/prompt',
    sources: { 'skills/s.yaml': skill('s', "{ type: llm_prompt, prompt: 'with {credential.key}' }") },
  },
  {
    code: 'interpolation.secret-exposed',
    at: 'workspace.yaml#/mcp_servers/0/endpoint',
    sources: {
      'workspace.yaml': workspace(
        "mcp_servers: [{ id: a, transport: http, endpoint: 'https://a.example/mcp?key={credential.key}' }]\n",
      ),
    },
  },
  {
    code: 'interpolation.secret-exposed',
    at: 'workspace.yaml#/command_packs/0/cwd',
    sources: {
      'workspace.yaml': workspace(
        "command_packs: [{ id: p, cwd: 'in/{credential.key}', commands: [{ id: c, description: C., argv: [ls], effects: read }] }]\n",
      ),
    },
  },
  {
    code: 'interpolation.bad-properties',
    at: 'workspace.env.yaml#/secrets/0',
    sources: { 'workspace.env.yaml': 'db: { word: abcdef }\nsecrets: [db.wrod]\n' },
  },
  { code: 'interpolation.bad-properties', at: 'workspace.env.yaml#', sources: { 'workspace.env.yaml': '- a list\n' } },
  { code: 'workspace.kind-mismatch', at: 'skills/s.yaml#/kind', sources: { 'skills/s.yaml': MAIN } },
  {
    code: 'workspace.removed-kind',
    at: 'topologies/s.yaml#/kind',
    sources: { 'topologies/s.yaml': 'apiVersion: kit/v1\nkind: StageGraph\n' },
  },
  {
    code: 'workspace.removed-kind',
    at: 'pipelines/s.yaml#/kind',
    sources: { 'pipelines/s.yaml': 'apiVersion: kit/v1\nkind: StageGraph\n' },
  },
  { code: 'workspace.unknown-folder', at: 'skill/s.yaml#', sources: { 'skill/s.yaml': prompt('s') } },
  { code: 'workspace.unknown-folder', at: 'gates/s.yaml#', sources: { 'gates/s.yaml': prompt('s') } },
  { code: 'workspace.unknown-folder', at: 'topology/s.yaml#', sources: { 'topology/s.yaml': MAIN } },
  { code: 'workspace.unknown-folder', severity: 'warning', at: 'second.yaml#', sources: { 'second.yaml': MAIN } },
  {
    code: 'workspace.unknown-folder',
    severity: 'warning',
    at: 'skills/s.yaml.txt#',
    sources: { 'skills/s.yaml.txt': prompt('s') },
  },
  { code: 'workspace.unknown-folder', severity: 'warning', at: 'skills/s#', sources: { 'skills/s': prompt('s') } },
  { code: 'workspace.deep-nesting', at: 'skills/a/b/s.yaml#', sources: { 'skills/a/b/s.yaml': prompt('s') } },
  {
    code: 'workspace.discovery-error',
    at: 'workspace.json#',
    sources: { 'workspace.yaml': WORKSPACE, 'workspace.json': '{}' },
  },
];
