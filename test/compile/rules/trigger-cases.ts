import type { Sources } from '../../support/compile.js';
import { APPROVE, evalSet, funnel, LEAD, MAIN, topology, trigger } from './artifact-text.js';
import type { RuleCase } from './rule-case.js';

const MAIN_TRIGGER = (rest: string): Sources => ({ 'topologies/t.yaml': MAIN, 'triggers/x.yaml': trigger('x', rest) });
export const TRIGGERS: readonly RuleCase[] = [
  {
    code: 'trigger.unknown-target',
    at: 'triggers/x.yaml#/targets/0',
    sources: MAIN_TRIGGER('type: manual\ntargets: [main@2.0.0]\n'),
  },
  {
    code: 'trigger.bad-schedule',
    at: 'triggers/x.yaml#/config/expression',
    sources: MAIN_TRIGGER("type: cron\ntargets: [main]\nconfig: { expression: '0 25 * * *' }\n"),
  },
  {
    code: 'trigger.bad-schedule',
    at: 'triggers/x.yaml#/config/expression',
    sources: MAIN_TRIGGER("type: cron\ntargets: [main]\nconfig: { expression: '@daily' }\n"),
  },
  {
    code: 'trigger.bad-schedule',
    at: 'triggers/x.yaml#/config/expression',
    sources: MAIN_TRIGGER("type: cron\ntargets: [main]\nconfig: { expression: '0 0 6 1 1 * 2026' }\n"),
  },
  {
    code: 'trigger.bad-schedule',
    at: 'triggers/x.yaml#/config/timezone',
    sources: MAIN_TRIGGER("type: cron\ntargets: [main]\nconfig: { expression: '0 6 * * *', timezone: Mars/Base }\n"),
  },
  {
    code: 'trigger.bad-schedule',
    at: 'triggers/x.yaml#/config',
    sources: MAIN_TRIGGER('type: cron\ntargets: [main]\nconfig: {}\n'),
  },
  {
    code: 'trigger.bad-schedule',
    at: 'triggers/x.yaml#/config/expression',
    sources: MAIN_TRIGGER("type: cron\ntargets: [main]\nconfig: { expression: '0 0 31 2 *' }\n"),
  },
  {
    code: 'trigger.unknown-provider',
    at: 'triggers/x.yaml#/provider_id',
    sources: MAIN_TRIGGER('type: plugin\nprovider_id: acme-queu\ntargets: [main]\nconfig: { topic: t }\n'),
  },
  {
    code: 'trigger.bad-config',
    at: 'triggers/x.yaml#/config',
    sources: MAIN_TRIGGER('type: plugin\nprovider_id: acme-queue\ntargets: [main]\nconfig: {}\n'),
  },
  {
    code: 'trigger.bad-config',
    at: 'triggers/x.yaml#/config/events/0',
    sources: MAIN_TRIGGER('type: file_watch\ntargets: [main]\nconfig: { events: [renamed] }\n'),
  },
  {
    code: 'trigger.bad-config',
    at: 'triggers/x.yaml#/config/auth/header',
    sources: MAIN_TRIGGER(
      "type: webhook\ntargets: [main]\nconfig: { auth: { method: hmac, credentials_ref: x, header: 'X Sig' } }\n",
    ),
    also: ['credentials.unknown-ref'],
  },
  {
    code: 'trigger.unread-config',
    severity: 'warning',
    at: 'triggers/x.yaml#/config/whatever',
    sources: MAIN_TRIGGER('type: webhook\ntargets: [main]\nconfig: { whatever: 5 }\n'),
  },
  {
    code: 'trigger.unread-config',
    severity: 'warning',
    at: 'triggers/x.yaml#/config/anything',
    sources: MAIN_TRIGGER('type: manual\ntargets: [main]\nconfig: { anything: 1 }\n'),
  },
  {
    code: 'credentials.unknown-ref',
    severity: 'warning',
    at: 'triggers/x.yaml#/config/secret_ref',
    sources: MAIN_TRIGGER('type: webhook\ntargets: [main]\nconfig: { secret_ref: x }\n'),
  },
  {
    code: 'trigger.auth-not-webhook',
    at: 'triggers/x.yaml#/config/auth',
    sources: MAIN_TRIGGER(
      "type: cron\ntargets: [main]\nconfig: { expression: '0 6 * * *', auth: { method: hmac, credentials_ref: x } }\n",
    ),
  },
  {
    code: 'credentials.unknown-ref',
    severity: 'warning',
    at: 'triggers/x.yaml#/config/auth/credentials_ref',
    sources: MAIN_TRIGGER('type: webhook\ntargets: [main]\nconfig: { auth: { method: hmac, credentials_ref: x } }\n'),
  },
  {
    code: 'trigger.duplicate-route',
    severity: 'warning',
    at: 'triggers/y.yaml#/targets/0',
    sources: {
      ...MAIN_TRIGGER('type: webhook\ntargets: [main]\nconfig: {}\n'),
      'triggers/y.yaml': trigger('y', 'type: webhook\ntargets: [main@1.0.0]\nconfig: {}\n'),
    },
  },
  {
    code: 'trigger.inline-form',
    severity: 'warning',
    at: 'triggers/x.yaml#',
    sources: MAIN_TRIGGER("topology: main\nschedule: '0 6 * * *'\n"),
  },
  {
    code: 'trigger.bad-schedule',
    at: 'triggers/x.yaml#/schedule',
    sources: MAIN_TRIGGER("topology: main\nschedule: 'often'\n"),
    also: ['trigger.inline-form'],
  },
  {
    code: 'eval-set.unknown-target',
    at: 'evals/e.yaml#/target',
    sources: { 'evals/e.yaml': evalSet('e', 'target: none\ncases: []\n') },
  },
  {
    code: 'eval-set.gated-target',
    severity: 'warning',
    at: 'evals/e.yaml#/target',
    sources: {
      'topologies/t.yaml': topology('main', 'funnel: f'),
      'funnels/f.yaml': funnel('f', APPROVE),
      'roles/r.yaml': LEAD,
      'evals/e.yaml': evalSet('e', 'target: main\ncases: []\n'),
    },
    also: ['funnel.single-point'],
  },
  {
    code: 'eval-set.duplicate-case',
    at: 'evals/e.yaml#/cases/1/id',
    sources: {
      'topologies/t.yaml': MAIN,
      'evals/e.yaml': evalSet('e', 'target: main\ncases: [{ id: a, input: x }, { id: a, input: y }]\n'),
    },
  },
  {
    code: 'eval-set.bad-regex',
    at: 'evals/e.yaml#/cases/0/expect/regex',
    sources: {
      'topologies/t.yaml': MAIN,
      'evals/e.yaml': evalSet('e', "target: main\ncases: [{ id: a, input: x, expect: { regex: '(?i)[a-' } }]\n"),
    },
  },
  {
    code: 'eval-set.unknown-judge',
    at: 'evals/e.yaml#/cases/0/expect/judge',
    sources: {
      'topologies/t.yaml': MAIN,
      'evals/e.yaml': evalSet('e', 'target: main\ncases: [{ id: a, input: x, expect: { judge: none } }]\n'),
    },
  },
  {
    code: 'eval-set.unknown-skill',
    severity: 'warning',
    at: 'evals/e.yaml#/cases/0/expect/used_skills/0',
    sources: {
      'topologies/t.yaml': MAIN,
      'evals/e.yaml': evalSet('e', 'target: main\ncases: [{ id: a, input: x, expect: { used_skills: [none] } }]\n'),
    },
  },
];
