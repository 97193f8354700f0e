import { archetype, LEAD, prompt, topology, workspace } from './artifact-text.js';
import type { RuleCase } from './rule-case.js';

export const AGENTS: readonly RuleCase[] = [
  {
    code: 'agent.unknown-archetype',
    at: 'topologies/t.yaml#/agents/root/archetype',
    sources: {
      'topologies/t.yaml': topology('t', 'archetype: wroker'),
      'archetypes/w.yaml': archetype('worker', '{}'),
    },
  },
  {
    code: 'agent.unknown-skill',
    at: 'topologies/t.yaml#/agents/root/skills_additional/1',
    sources: { 'topologies/t.yaml': topology('t', 'skills_additional: [ask, aks]'), 'skills/ask.yaml': prompt('ask') },
  },
  {
    code: 'agent.unknown-funnel',
    at: 'topologies/t.yaml#/agents/root/funnel',
    sources: { 'topologies/t.yaml': topology('t', 'funnel: gate') },
  },
  {
    code: 'agent.duplicate-id',
    at: 'topologies/t.yaml#/agents/root/children/0/id',
    sources: { 'topologies/t.yaml': topology('t', 'children: [{ id: root, role: worker }]') },
  },
  {
    code: 'agent.abstract-no-match',
    at: 'topologies/t.yaml#/agents/root/skills/0',
    sources: {
      'topologies/t.yaml': topology('t', 'archetype: w'),
      'archetypes/w.yaml': archetype('w', '{ skills: [{ abstract: { category: decision } }] }'),
    },
  },
  {
    code: 'agent.requires-unknown-skill',
    at: 'topologies/t.yaml#/agents/root/requires',
    sources: {
      'topologies/t.yaml': topology('t', 'skills: [ask], requires: { ask: [read] }'),
      'skills/ask.yaml': prompt('ask'),
      'skills/read.yaml': prompt('read'),
    },
  },
  {
    code: 'agent.requires-cycle',
    at: 'topologies/t.yaml#/agents/root/requires',
    sources: {
      'topologies/t.yaml': topology('t', 'skills: [ask], requires: { ask: [ask] }'),
      'skills/ask.yaml': prompt('ask'),
    },
  },
  {
    code: 'agent.depends-on-self',
    at: 'topologies/t.yaml#/agents/root/children/0/depends_on/0',
    sources: { 'topologies/t.yaml': topology('t', 'children: [{ id: a, role: worker, depends_on: [a] }]') },
  },
  {
    code: 'agent.depends-on-unknown',
    at: 'topologies/t.yaml#/agents/root/children/0/depends_on/0',
    sources: { 'topologies/t.yaml': topology('t', 'children: [{ id: a, role: worker, depends_on: [b] }]') },
  },
  {
    code: 'agent.depends-on-cycle',
    at: 'topologies/t.yaml#/agents/root/children/0/depends_on',
    sources: {
      'topologies/t.yaml': topology(
        't',
        'children: [{ id: a, role: worker, depends_on: [b] }, { id: b, role: worker, depends_on: [a] }]',
      ),
    },
  },
  {
    code: 'agent.depends-on-distant',
    severity: 'warning',
    at: 'topologies/t.yaml#/agents/root/children/0/depends_on/0',
    sources: { 'topologies/t.yaml': topology('t', 'children: [{ id: a, role: worker, depends_on: [root] }]') },
  },
  {
    code: 'agent.output-schema',
    at: 'topologies/t.yaml#/agents/root/output_schema',
    sources: { 'topologies/t.yaml': topology('t', 'output_schema: ../schemas/none.json') },
  },
  {
    code: 'agent.output-schema',
    at: 'topologies/t.yaml#/agents/root/output_schema',
    sources: { 'topologies/t.yaml': topology('t', 'output_schema: ../../../etc/passwd.json') },
  },
  {
    code: 'agent.output-schema',
    at: 'topologies/t.yaml#/agents/root/output_schema',
    sources: { 'topologies/t.yaml': topology('t', 'output_schema: https://example.org/a.json') },
  },
  {
    code: 'agent.output-schema',
    at: 'topologies/t.yaml#/agents/root/output_schema',
    sources: {
      'topologies/t.yaml': topology('t', 'output_schema: ../schemas/a.json'),
      'schemas/a.json': '{"type": "objekt"}',
    },
  },
  {
    code: 'agent.output-schema',
    at: 'topologies/t.yaml#/agents/root/output_schema/type',
    sources: { 'topologies/t.yaml': topology('t', 'output_schema: { type: 7 }') },
  },
  {
    // Told once, where it is written, however many agents take it.
    code: 'agent.output-schema',
    at: 'archetypes/clerk.yaml#/defaults/output_schema/required',
    sources: {
      'archetypes/clerk.yaml': archetype('clerk', '{ output_schema: { type: object, required: yes } }'),
      'topologies/t.yaml': topology(
        't',
        'children: [{ id: a, role: worker, archetype: clerk }, { id: b, role: worker, archetype: clerk }]',
      ),
    },
  },
  {
    code: 'schema.timed-pattern',
    severity: 'warning',
    at: 'topologies/t.yaml#/agents/root/output_schema',
    sources: {
      'topologies/t.yaml': topology('t', 'output_schema: ../schemas/a.json'),
      'schemas/a.json': '{"type": "object", "properties": {"a": {"type": "string", "pattern": "(.)\\\\1"}}}',
    },
  },
  {
    code: 'agent.unknown-provider',
    severity: 'warning',
    at: 'topologies/t.yaml#/agents/root',
    sources: { 'topologies/t.yaml': topology('t', 'model: { provider: opnai }') },
  },
  {
    code: 'provider.unknown-model',
    severity: 'warning',
    at: 'topologies/t.yaml#/agents/root',
    sources: { 'topologies/t.yaml': topology('t', 'model: { provider: anthropic, name: claude-sonet-4-5 }') },
  },
  {
    code: 'model.unread-key',
    severity: 'warning',
    at: 'topologies/t.yaml#/agents/root/model/temprature',
    sources: { 'topologies/t.yaml': topology('t', 'model: { provider: mock, temprature: 1 }') },
  },
  {
    code: 'model.max-tokens',
    severity: 'warning',
    at: 'topologies/t.yaml#/agents/root/model/max_tokens',
    sources: { 'topologies/t.yaml': topology('t', 'model: { provider: mock, max_tokens: 10 }') },
  },
  {
    code: 'iam.reserved-scope',
    at: 'topologies/t.yaml#/agents/root/iam/base_scope/1',
    sources: { 'topologies/t.yaml': topology('t', 'iam: { base_scope: [kb:read, approvals:resolve] }') },
  },
  {
    code: 'iam.reserved-scope',
    at: 'topologies/t.yaml#/agents/root/children/0/iam/elevated_scopes/0',
    sources: {
      'topologies/t.yaml': topology(
        't',
        "children: [{ id: a, role: worker, iam: { elevated_scopes: ['audit:read'] } }]",
      ),
    },
  },
  {
    code: 'iam.reserved-scope',
    at: 'archetypes/w.yaml#/defaults/iam/base_scope/0',
    sources: { 'archetypes/w.yaml': archetype('w', '{ iam: { base_scope: [a:b] } }'), 'roles/r.yaml': LEAD },
  },
  {
    code: 'iam.reserved-scope',
    at: 'workspace.yaml#/server/auth/config/keys/0/scopes/0',
    sources: {
      'workspace.yaml': workspace(
        "server: { auth: { provider: api_key, config: { keys: [{ key_ref: env:K, client_id: c, scopes: ['*'] }] } } }\n",
      ),
    },
  },
];
