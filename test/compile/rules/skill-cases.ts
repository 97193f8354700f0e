import {
  APPROVE,
  adapter,
  archetype,
  contract,
  EVENTS,
  evalSet,
  funnel,
  LEAD,
  MAIN,
  prompt,
  provider,
  skill,
  topology,
  trigger,
  twice,
  workspace,
} from './artifact-text.js';
import type { RuleCase } from './rule-case.js';

export const SKILLS: readonly RuleCase[] = [
  {
    code: 'skill.composed-unknown',
    at: 'skills/s.yaml#/implementation/composes/0',
    sources: { 'skills/s.yaml': skill('s', '{ type: composed, composes: [none] }') },
  },
  {
    code: 'skill.composed-cycle',
    at: 'skills/s.yaml#/implementation/composes',
    sources: { 'skills/s.yaml': skill('s', '{ type: composed, composes: [s] }') },
  },
  {
    code: 'skill.strategy-custom',
    at: 'skills/s.yaml#/implementation/strategy',
    sources: {
      'skills/s.yaml': skill('s', '{ type: composed, composes: [a], strategy: custom }'),
      'skills/a.yaml': prompt('a'),
    },
  },
  {
    code: 'skill.strategy-custom',
    at: 'skills/s.yaml#/implementation/strategy_class',
    sources: {
      'skills/s.yaml': skill('s', '{ type: composed, composes: [a], strategy: custom, strategy_class: none }'),
      'skills/a.yaml': prompt('a'),
    },
  },
  {
    code: 'skill.strategy-custom',
    at: 'skills/s.yaml#/implementation/strategy_class',
    sources: {
      'skills/s.yaml': skill('s', '{ type: composed, composes: [a], strategy_class: weigh }'),
      'skills/a.yaml': prompt('a'),
    },
  },
  {
    code: 'skill.prompt-no-tools',
    severity: 'warning',
    at: 'skills/s.yaml#/implementation/model/tool_model',
    sources: { 'skills/s.yaml': skill('s', '{ type: llm_prompt, prompt: Answer., model: { tool_model: m } }') },
  },
  {
    code: 'skill.no-fallback',
    at: 'skills/s.yaml#/constraints/on_failure',
    sources: {
      'skills/s.yaml': skill('s', '{ type: llm_prompt, prompt: Answer. }', 'constraints: { on_failure: fallback }\n'),
    },
  },
  {
    code: 'topology.call-cycle',
    at: 'topologies/main.yaml#/agents/root',
    sources: {
      'topologies/main.yaml': topology('main', 'skills: [topology-x]'),
      'topologies/x.yaml': topology('x', 'skills: [topology-main]'),
    },
  },
  {
    code: 'topology.call-cycle',
    at: 'topologies/main.yaml#/agents/root',
    sources: {
      'topologies/main.yaml': topology('main', 'children: [{ id: w, role: worker, archetype: held }]'),
      'archetypes/held.yaml': archetype('held', '{ skills: [panel] }'),
      'skills/panel.yaml': skill('panel', '{ type: composed, composes: [again] }'),
      'skills/again.yaml': skill('again', '{ type: agent, topology: main }'),
    },
  },
  {
    code: 'skill.unknown-server',
    severity: 'warning',
    at: 'skills/s.yaml#/implementation/server',
    sources: { 'skills/s.yaml': skill('s', '{ type: mcp_tool, server: none, tool: t }') },
  },
  {
    code: 'skill.unknown-command',
    at: 'skills/s.yaml#/implementation/pack',
    sources: { 'skills/s.yaml': skill('s', '{ type: command, pack: none, command: c }') },
  },
  {
    code: 'skill.unknown-command',
    at: 'skills/s.yaml#/implementation/command',
    sources: {
      'skills/s.yaml': skill('s', '{ type: command, pack: p, command: none }'),
      'workspace.yaml': workspace('command_packs: [{ id: p, commands: [{ id: c, argv: [echo] }] }]\n'),
    },
  },
  {
    code: 'skill.missing-input',
    at: 'skills/s.yaml#/inputs',
    sources: {
      'skills/s.yaml': skill(
        's',
        '{ type: command, pack: p, command: c }',
        'inputs: { type: object, properties: { b: { type: string } } }\n',
      ),
      'workspace.yaml': workspace("command_packs: [{ id: p, commands: [{ id: c, argv: [echo, '{a}'] }] }]\n"),
    },
  },
  {
    code: 'skill.unknown-topology',
    at: 'skills/s.yaml#/implementation/topology',
    sources: { 'skills/s.yaml': skill('s', '{ type: agent, topology: none }') },
  },
  ...['on_unanswerable: relay', 'max_agent_answers: 1', 'skill_id: x', 'credentials_ref: k'].map((key) => ({
    code: 'skill.remote-only',
    at: `skills/s.yaml#/implementation/${key.split(':')[0]}`,
    sources: {
      'skills/s.yaml': skill('s', `{ type: agent, topology: main, ${key} }`),
      'topologies/t.yaml': MAIN,
      'workspace.yaml': workspace('credentials: { k: { source: env, config: { env: K } } }\n'),
    },
  })),
  {
    code: 'skill.flat-inputs',
    severity: 'warning',
    at: 'skills/s.yaml#/inputs/oneOf',
    sources: {
      'skills/s.yaml': skill(
        's',
        '{ type: llm_prompt, prompt: Answer. }',
        'inputs: { oneOf: [{ required: [a] }, { required: [b] }] }\n',
      ),
    },
  },
  {
    code: 'skill.bad-schema',
    at: 'skills/s.yaml#/inputs/type',
    sources: { 'skills/s.yaml': skill('s', '{ type: llm_prompt, prompt: x }', 'inputs: { type: objekt }\n') },
  },
  {
    code: 'skill.runtime-too-old',
    at: 'skills/s.yaml#/provenance/requires_runtime',
    sources: {
      'skills/s.yaml': prompt('s').replace('version: 1.0.0 }', "version: 1.0.0, requires_runtime: '>=1.257.0' }"),
    },
  },
  {
    code: 'archetype.unknown-skill',
    at: 'archetypes/w.yaml#/defaults/skills/0',
    sources: { 'archetypes/w.yaml': archetype('w', "{ skills: ['pack:none'] }") },
  },
  {
    code: 'archetype.grants-nothing',
    severity: 'warning',
    at: 'archetypes/w.yaml#/defaults/skills/0',
    sources: {
      'workspace.yaml': workspace('command_packs: [{ id: clock, commands: [{ id: today, argv: [date] }] }]\n'),
      'archetypes/w.yaml': archetype('w', "{ skills: ['pack:clock'] }"),
    },
  },
  {
    code: 'archetype.grants-nothing',
    severity: 'warning',
    at: 'archetypes/w.yaml#/defaults/skills/0',
    sources: {
      'workspace.yaml': workspace('mcp_servers: [{ id: files, transport: stdio, command: [node] }]\n'),
      'archetypes/w.yaml': archetype('w', "{ skills: ['server:files'] }"),
    },
  },
  {
    code: 'archetype.unknown-skill',
    at: 'archetypes/w.yaml#/skills/0',
    sources: { 'archetypes/w.yaml': archetype('w', '{}', 'skills: [none]\n') },
  },
  {
    code: 'archetype.executor-invalid',
    at: 'archetypes/w.yaml#/executor',
    sources: { 'archetypes/w.yaml': archetype('w', '{}', 'executor: { kind: harness }\n') },
  },
  {
    code: 'archetype.executor-invalid',
    at: 'archetypes/w.yaml#/executor',
    sources: { 'archetypes/w.yaml': archetype('w', '{}', 'executor: { kind: harness, ref: claud-code }\n') },
  },
  {
    code: 'archetype.executor-invalid',
    at: 'archetypes/w.yaml#/executor/config/budget/max_cost_usd',
    sources: {
      'archetypes/w.yaml': archetype(
        'w',
        '{}',
        'executor: { kind: harness, ref: claude-code, config: { budget: { max_cost_usd: -1 } } }\n',
      ),
    },
  },
  { code: 'skill.duplicate-id', at: 'skills/b.yaml#/metadata/id', sources: twice('skills', prompt('s')) },
  {
    code: 'archetype.duplicate-id',
    at: 'archetypes/b.yaml#/metadata/id',
    sources: twice('archetypes', archetype('w', '{}')),
  },
  { code: 'topology.duplicate-id', at: 'topologies/b.yaml#/metadata/name', sources: twice('topologies', MAIN) },
  {
    code: 'funnel.duplicate-id',
    at: 'funnels/b.yaml#/metadata/id',
    sources: { ...twice('funnels', funnel('g', APPROVE)), 'roles/r.yaml': LEAD },
  },
  {
    code: 'contract.duplicate-id',
    at: 'contracts/b.yaml#/metadata/id',
    sources: twice('contracts', contract('c', '[a, b]')),
  },
  {
    code: 'trigger.duplicate-id',
    at: 'schedules/b.yaml#/metadata/id',
    sources: {
      'topologies/t.yaml': MAIN,
      'triggers/a.yaml': trigger('x', 'type: manual\ntargets: [main]\n'),
      'schedules/b.yaml': trigger('x', 'type: manual\ntargets: [main]\n'),
    },
  },
  {
    code: 'adapter.duplicate-id',
    at: 'adapters/b.yaml#/metadata/id',
    sources: twice('adapters', adapter('x', EVENTS)),
  },
  {
    code: 'provider.duplicate-id',
    at: 'providers/b.yaml#/metadata/id',
    sources: twice('providers', provider('x', '{ extends: ollama }')),
  },
  {
    code: 'eval-set.duplicate-id',
    at: 'evals/b.yaml#/metadata/id',
    sources: { ...twice('evals', evalSet('x', 'target: main\ncases: []\n')), 'topologies/t.yaml': MAIN },
  },
];
