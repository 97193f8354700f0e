import { expect, test } from 'vitest';
import { roleDirectory } from '../../../src/compile/link/role-directory.js';
import { REVIEW_SCHEMA } from '../../../src/domain/review-findings.js';
import { compileSources, errorsOf, type Sources } from '../../support/compile.js';
import { archetype, funnel, judge, LEAD, ONE_RULE, prompt, roles } from '../rules/artifact-text.js';

async function linked(sources: Sources) {
  const result = await compileSources(sources);
  expect(errorsOf(result)).toEqual([]);
  if (result.workspace === null) throw new Error('no workspace');
  return result.workspace;
}

const RULE = '{ scope: a:b, roles: [lead], quorum: all }';

test('a funnel of one rule has the defaults', async () => {
  const { linkedFunnels } = await linked({
    'funnels/f.yaml': funnel('f', `approve: { rules: [${RULE}] }\n`),
    'roles/r.yaml': LEAD,
  });

  expect(linkedFunnels.get('f')).toEqual({
    id: 'f',
    validate: null,
    judge: null,
    review: null,
    maxRetries: 2,
    approve: {
      rules: [{ scope: 'a:b', roles: ['lead'], quorum: 'all', covers: null }],
      excludeAuthor: true,
      onRevision: 'reset_all',
      minDistinctApprovers: null,
      expiry: null,
    },
  });
});

test('every layer is linked: files inlined, durations in milliseconds, the reviewer as an agent that reads', async () => {
  const layers = `validate: { schema: ../schemas/s.json, autocorrect: false, slice_budget: { max_files: 3 }, cited_change: true }
judge: { skill: j, rubric: rubrics/r.md, threshold: 0.5, max_retries: 0 }
review: { archetype: critic, read_scope: [src, docs/a.md], route_back_at: low }
${ONE_RULE(
  '{ scope: a:b, roles: [lead], quorum: { k-of: 1 }, covers: [/plan] }',
  'exclude_author: false, on_revision: reconfirm_changed, min_distinct_approvers: 1, expires_after: 90m, remind_before: 30s, on_expiry: escalate, escalate_to: [lead]',
)}`;
  const { linkedFunnels } = await linked({
    'funnels/f.yaml': funnel('f', layers),
    'schemas/s.json': '{"type":"object"}',
    'rubrics/r.md': 'Be strict.\n',
    'skills/j.yaml': judge('j'),
    'skills/p.yaml': prompt('p'),
    'archetypes/critic.yaml': archetype(
      'critic',
      '{ prompt: { system: Look. }, output_schema: { type: string }, skills: [p] }',
      'executor: { kind: harness, ref: claude-code }\n',
    ),
    'roles/r.yaml': LEAD,
  });

  expect(linkedFunnels.get('f')).toMatchObject({
    validate: {
      schema: { type: 'object' },
      autocorrect: false,
      sliceBudget: { maxDiffLines: null, maxFiles: 3 },
      citedChange: true,
    },
    judge: { skill: 'j', rubric: 'Be strict.\n', threshold: 0.5 },
    review: {
      reviewer: {
        id: 'critic@f',
        archetype: 'critic',
        executor: { kind: 'harness', ref: 'claude-code' },
        systemPrompt: 'Look.',
        skills: ['p'],
        outputSchema: REVIEW_SCHEMA,
        children: [],
        funnel: null,
      },
      readScope: ['src', 'docs/a.md'],
      routeBackAt: 'low',
    },
    maxRetries: 0,
    approve: {
      rules: [{ quorum: { kOf: 1 }, covers: ['/plan'] }],
      excludeAuthor: false,
      onRevision: 'reconfirm_changed',
      minDistinctApprovers: 1,
      expiry: { afterMs: 5_400_000, remindBeforeMs: 30_000, action: 'escalate', escalateTo: ['lead'] },
    },
  });
});

test('a reviewer holds no skill that writes', async () => {
  const pack =
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\ncommand_packs: [{ id: git, commands: [{ id: log, argv: [git, log], effects: read }, { id: push, argv: [git, push], effects: write }] }]\n';
  const { linkedFunnels } = await linked({
    'workspace.yaml': pack,
    'funnels/f.yaml': funnel('f', `review: { archetype: critic }\n${ONE_RULE(RULE)}`),
    'archetypes/critic.yaml': archetype('critic', '{ skills: ["pack:git"] }'),
    'roles/r.yaml': LEAD,
  });

  expect(linkedFunnels.get('f')?.review?.reviewer.skills).toEqual(['git-log']);
});

test('all registries are one directory, and its digest follows what stands in it', async () => {
  const more = `${roles('[{ id: qa, members: [bob], scopes: [c:d] }]')}identities: [{ id: alice, aliases: [al] }]\n`;
  const { roles: both } = await linked({ 'roles/a.yaml': LEAD, 'roles/b.yaml': more });
  const { roles: one } = await linked({ 'roles/a.yaml': LEAD });

  const directory = roleDirectory(both);

  expect(directory).toMatchObject({
    roles: [
      { id: 'lead', members: ['alice'], scopes: ['a:b'] },
      { id: 'qa', members: ['bob'], scopes: ['c:d'] },
    ],
    identities: [{ id: 'alice', aliases: ['al'] }],
  });
  expect(directory.digest).not.toBe(roleDirectory(one).digest);
});
