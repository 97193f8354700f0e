import type { Sources } from '../../support/compile.js';
import { archetype, MAIN, trigger } from './artifact-text.js';
import type { RuleCase } from './rule-case.js';

const main = (rest: string, others: Sources = {}): Sources => ({ 'topologies/t.yaml': `${MAIN}${rest}\n`, ...others });
const cron = (rest: string): Sources => ({
  'triggers/x.yaml': trigger('x', `type: cron\n${rest}\nconfig: { expression: '0 6 * * *' }\n`),
});
const workspace = (rest: string): Sources => ({
  'workspace.yaml': `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n${rest}\n`,
});
const SCHEDULED = 'runtime: { mode: scheduled }';
const at = (pointer: string): string => `topologies/t.yaml#${pointer}`;

const worker = (executor: string): Sources => ({
  'archetypes/w.yaml': archetype('w', '{}', `executor: ${executor}\n`),
});
const atVersion = 'archetypes/w.yaml#/executor/version_constraint';

export const TOPOLOGIES: readonly RuleCase[] = [
  {
    code: 'archetype.other-version',
    at: atVersion,
    sources: worker("{ kind: harness, ref: claude-code, version_constraint: '>=999.0.0' }"),
  },
  {
    code: 'archetype.other-version',
    at: atVersion,
    sources: worker("{ kind: claude-code, version_constraint: '0.0.1' }"),
  },
  {
    code: 'archetype.bad-version',
    at: atVersion,
    sources: worker("{ kind: harness, ref: claude-code, version_constraint: 'newest' }"),
  },
  { code: 'archetype.bad-version', at: atVersion, sources: worker("{ kind: model, version_constraint: '^1.0.0' }") },
  {
    code: 'topology.input-schema',
    at: at('/input_schema/type'),
    sources: main('input_schema: { type: objekt }'),
  },
  {
    code: 'topology.input-schema',
    at: at('/input_schema'),
    sources: main("input_schema: { $ref: 'https://example.org/a.json' }"),
  },
  {
    code: 'schema.timed-pattern',
    severity: 'warning',
    at: at('/input_schema'),
    sources: main('input_schema: { type: object, properties: { a: { type: string, pattern: "^(?=.*[0-9]).+$" } } }'),
  },
  { code: 'topology.mode-persistent', at: at('/runtime/mode'), sources: main('runtime: { mode: persistent }') },
  { code: 'topology.not-scheduled', at: at('/runtime/mode'), sources: main(SCHEDULED) },
  {
    code: 'topology.not-scheduled',
    at: at('/runtime/mode'),
    sources: main(SCHEDULED, cron('targets: [main]\nenabled: false')),
  },
  {
    code: 'topology.not-scheduled',
    at: at('/runtime/mode'),
    sources: main(SCHEDULED, { 'triggers/x.yaml': trigger('x', 'type: manual\ntargets: [main]\n') }),
  },
  {
    code: 'topology.other-storage',
    at: at('/runtime/checkpointing/storage'),
    sources: main('runtime: { checkpointing: { storage: postgres } }'),
  },
  {
    code: 'topology.other-storage',
    at: at('/runtime/checkpointing/storage'),
    sources: main(
      'runtime: { checkpointing: { storage: sqlite } }',
      workspace("storage: { runtime: { backend: postgres, url: 'postgres://h/d' } }"),
    ),
    also: ['interpolation.secret-exposed'],
  },
  {
    code: 'topology.other-storage',
    at: at('/artifacts/audit/storage'),
    sources: main('artifacts: { audit: { storage: postgres } }'),
  },
  {
    code: 'topology.other-retention',
    at: at('/artifacts/audit/retention_days'),
    sources: main('artifacts: { audit: { retention_days: 30 } }'),
  },
  {
    code: 'topology.audit-weaker',
    at: at('/artifacts/audit/level'),
    sources: main('artifacts: { audit: { level: minimal } }', workspace('audit: { level: standard }')),
  },
  {
    code: 'topology.unread-key',
    severity: 'warning',
    at: at('/runtime/checkpointing/every'),
    sources: main('runtime: { checkpointing: { every: 10 } }'),
  },
];
