import {
  APPROVE,
  archetype,
  contract,
  funnel,
  judge,
  LEAD,
  ONE_RULE,
  prompt,
  roles,
  topology,
} from './artifact-text.js';
import type { RuleCase } from './rule-case.js';

export const FUNNELS: readonly RuleCase[] = [
  {
    code: 'funnel.missing-file',
    at: 'funnels/f.yaml#/validate/schema',
    sources: {
      'funnels/f.yaml': funnel('f', `validate: { schema: schemas/x.json }\n${APPROVE}`),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.bad-schema',
    at: 'funnels/f.yaml#/validate/schema',
    sources: {
      'funnels/f.yaml': funnel('f', `validate: { schema: schemas/x.json }\n${APPROVE}`),
      'schemas/x.json': '{"type": 1}',
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.missing-file',
    at: 'funnels/f.yaml#/judge/rubric',
    sources: {
      'funnels/f.yaml': funnel('f', `judge: { skill: j, rubric: rubrics/x.md }\n${APPROVE}`),
      'skills/j.yaml': judge('j'),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.unknown-judge',
    at: 'funnels/f.yaml#/judge/skill',
    sources: {
      'funnels/f.yaml': funnel('f', `judge: { skill: p }\n${APPROVE}`),
      'skills/p.yaml': prompt('p'),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.unknown-reviewer',
    at: 'funnels/f.yaml#/review/archetype',
    sources: { 'funnels/f.yaml': funnel('f', `review: { archetype: none }\n${APPROVE}`), 'roles/r.yaml': LEAD },
  },
  {
    code: 'funnel.reviewer-not-harness',
    severity: 'warning',
    at: 'funnels/f.yaml#/review/archetype',
    sources: {
      'funnels/f.yaml': funnel('f', `review: { archetype: w }\n${APPROVE}`),
      'archetypes/w.yaml': archetype('w', '{}'),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.scope-not-conferred',
    at: 'funnels/f.yaml#/approve/rules/0/scope',
    sources: {
      'funnels/f.yaml': funnel('f', ONE_RULE('{ scope: x:y, roles: [lead], quorum: all }')),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.unknown-role',
    severity: 'warning',
    at: 'funnels/f.yaml#/approve/rules/0/roles/0',
    sources: { 'funnels/f.yaml': funnel('f', ONE_RULE('{ scope: x:y, roles: [none], quorum: all }')) },
  },
  {
    // A slip of a name that is there would switch the gate off.
    code: 'funnel.unknown-role',
    at: 'funnels/f.yaml#/approve/rules/0/roles/0',
    sources: {
      'funnels/f.yaml': funnel('f', ONE_RULE('{ scope: a:b, roles: [laed], quorum: all }')),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.unreachable-quorum',
    at: 'funnels/f.yaml#/approve/rules/0/quorum',
    sources: {
      'funnels/f.yaml': funnel('f', ONE_RULE('{ scope: a:b, roles: [lead], quorum: { k-of: 2 } }')),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.bad-expiry',
    at: 'funnels/f.yaml#/approve/remind_before',
    sources: {
      'funnels/f.yaml': funnel(
        'f',
        ONE_RULE(
          '{ scope: a:b, roles: [lead], quorum: all }',
          'exclude_author: false, expires_after: 24h, remind_before: 48h',
        ),
      ),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.bad-expiry',
    at: 'funnels/f.yaml#/approve/expires_after',
    sources: {
      'funnels/f.yaml': funnel(
        'f',
        ONE_RULE('{ scope: a:b, roles: [lead], quorum: all }', 'exclude_author: false, expires_after: 99999999d'),
      ),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.bad-expiry',
    severity: 'warning',
    at: 'funnels/f.yaml#/approve/escalate_to',
    sources: {
      'funnels/f.yaml': funnel(
        'f',
        ONE_RULE(
          '{ scope: a:b, roles: [lead], quorum: all }',
          'exclude_author: false, expires_after: 24h, escalate_to: [lead]',
        ),
      ),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.unknown-role',
    severity: 'warning',
    at: 'funnels/f.yaml#/approve/escalate_to/0',
    sources: {
      'funnels/f.yaml': funnel(
        'f',
        ONE_RULE(
          '{ scope: a:b, roles: [lead], quorum: all }',
          'exclude_author: false, expires_after: 24h, on_expiry: escalate, escalate_to: [none]',
        ),
      ),
      'roles/r.yaml': LEAD,
    },
  },
  {
    code: 'funnel.scope-not-conferred',
    at: 'funnels/f.yaml#/approve/escalate_to/0',
    sources: {
      'funnels/f.yaml': funnel(
        'f',
        ONE_RULE(
          '{ scope: a:b, roles: [lead], quorum: all }',
          'exclude_author: false, expires_after: 24h, on_expiry: escalate, escalate_to: [boss]',
        ),
      ),
      'roles/r.yaml': LEAD,
      'roles/s.yaml': roles('[{ id: boss, members: [zoe], scopes: [x:y] }]'),
    },
  },
  ...['../other', '/etc', 'a/../../b', '.git/config'].map(
    (path): RuleCase => ({
      code: 'funnel.bad-read-scope',
      at: 'funnels/f.yaml#/review/read_scope/1',
      sources: {
        'funnels/f.yaml': funnel('f', `review: { archetype: w, read_scope: [src, ${path}] }\n${APPROVE}`),
        'archetypes/w.yaml': archetype('w', '{}'),
        'roles/r.yaml': LEAD,
      },
      also: ['funnel.reviewer-not-harness'],
    }),
  ),
  {
    code: 'funnel.no-diff',
    severity: 'warning',
    at: 'topologies/t.yaml#/agents/root/funnel',
    sources: {
      'topologies/t.yaml': topology('t', 'funnel: f'),
      'funnels/f.yaml': funnel('f', `validate: { cited_change: true }\n${APPROVE}`),
      'roles/r.yaml': LEAD,
    },
  },
  { code: 'role.duplicate-id', at: 'roles/s.yaml#/roles', sources: { 'roles/r.yaml': LEAD, 'roles/s.yaml': LEAD } },
  {
    code: 'role.round-suffix',
    at: 'roles/r.yaml#/roles/0/id',
    sources: { 'roles/r.yaml': roles('[{ id: lead-r2, members: [], scopes: [a:b] }]') },
  },
  {
    code: 'role.duplicate-identity',
    at: 'roles/r.yaml#/identities/1/id',
    sources: { 'roles/r.yaml': `${LEAD}identities: [{ id: a, aliases: [] }, { id: a, aliases: [] }]\n` },
  },
  {
    code: 'role.duplicate-identity',
    at: 'roles/r.yaml#/identities/1/id',
    sources: { 'roles/r.yaml': `${LEAD}identities: [{ id: a, aliases: [] }, { id: A, aliases: [] }]\n` },
  },
  {
    code: 'role.respelt-member',
    at: 'roles/s.yaml#/roles/0/members/1',
    sources: {
      'roles/r.yaml': roles('[{ id: lead, members: [jos\u00e9], scopes: [a:b] }]'),
      'roles/s.yaml': roles('[{ id: boss, members: [zoe, "jose\u0301"], scopes: [x:y] }]'),
    },
  },
  // The cure that the diagnostic names; what is left is one problem elsewhere.
  {
    code: 'role.duplicate-id',
    at: 'roles/s.yaml#/roles',
    sources: {
      'roles/r.yaml': `${roles('[{ id: lead, members: [bob@x.org, Bob@x.org], scopes: [a:b] }]')}identities: [{ id: bob@x.org, aliases: [Bob@x.org] }]\n`,
      'roles/s.yaml': roles('[{ id: lead, members: [], scopes: [a:b] }]'),
    },
  },
  {
    code: 'contract.same-party',
    at: 'contracts/c.yaml#/parties/1',
    sources: { 'contracts/c.yaml': contract('c', '[a, a]') },
  },
  {
    code: 'topology.unknown-contract',
    at: 'topologies/t.yaml#/locks/0',
    sources: { 'topologies/t.yaml': topology('t', 'children: []', 'locks: [none]\n') },
  },
];
