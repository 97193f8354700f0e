import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadWorkspace } from '../../src/app/load-workspace.js';
import { validateWorkspace } from '../../src/app/validate-workspace.js';
import { funnel, ONE_RULE, roles } from '../compile/rules/artifact-text.js';
import { deps, WORKSPACE } from '../support/compile.js';

let directory = '';

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-policies-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

async function write(approve: string, registry: string, identities = ''): Promise<void> {
  const sources = {
    'workspace.yaml': WORKSPACE,
    'funnels/f.yaml': funnel('f', approve),
    'roles/r.yaml': `${roles(registry)}${identities}`,
  };
  for (const [path, text] of Object.entries(sources)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

/** What the diagnostics of a workspace underline. */
async function underlined(): Promise<readonly string[]> {
  const { diagnostics, sources } = await validateWorkspace(directory, deps());
  return diagnostics.flatMap(({ span }) =>
    span === undefined ? [] : [sources.get(span.path)?.slice(span.start, span.end) ?? ''],
  );
}

async function found(approve: string, registry: string, identities = ''): Promise<readonly string[]> {
  await write(approve, registry, identities);
  const { diagnostics } = await validateWorkspace(directory, deps());
  return diagnostics
    .filter(({ code }) => code !== 'key.not-yet')
    .map(
      ({ severity, code, pointer, message, span }) =>
        `${severity} ${code} ${span === undefined ? 'nowhere' : pointer}: ${message}`,
    );
}

const TEAM = '[{ id: qa, members: [ann, bob], scopes: [a:b] }, { id: ops, members: [cid, dan], scopes: [a:b] }]';
const ALL = '{ scope: a:b, roles: [qa, ops], quorum: all }';

test('a policy that enough people hold has nothing to report', async () => {
  expect(await found(ONE_RULE(ALL, 'min_distinct_approvers: 2'), TEAM)).toEqual([]);
});

test('a policy that nobody can satisfy is an error, and a run may start all the same', async () => {
  const one = ONE_RULE('{ scope: a:b, roles: [qa], quorum: all }', 'min_distinct_approvers: 2');
  expect(await found(one, TEAM)).toEqual([
    'error funnel.unsatisfiable /approve: nobody can satisfy this policy: it asks for 2 people, and at most 1 can each complete a task of their own',
  ]);
  expect(
    await found(ONE_RULE(ALL), '[{ id: qa, members: [ann], scopes: [a:b] }, { id: ops, members: [], scopes: [a:b] }]'),
  ).toEqual([
    'error funnel.unsatisfiable /approve: nobody can satisfy this policy: rule 1 needs 2 of its roles and 1 has a member who may sign (`ops` has none)',
  ]);
  expect(await validateWorkspace(directory, deps())).toMatchObject({ workspace: null, ids: { topologies: [] } });
  await expect(loadWorkspace(directory, deps())).resolves.toMatchObject({ diagnostics: [] });
});

test('what helps with too few tasks is another role, and with too few people another member', async () => {
  const help = async (approve: string, registry: string): Promise<readonly (string | undefined)[]> => {
    await write(approve, registry);
    return (await validateWorkspace(directory, deps())).diagnostics.flatMap((one) =>
      one.code === 'funnel.unsatisfiable' ? [one.help] : [],
    );
  };
  const one = '{ scope: a:b, roles: [qa], quorum: all }';
  expect(await help(ONE_RULE(one, 'min_distinct_approvers: 2'), TEAM)).toEqual([
    expect.stringContaining('name another role (the same people may stand in several)'),
  ]);
  const alone = '[{ id: qa, members: [ann], scopes: [a:b] }, { id: ops, members: [ann], scopes: [a:b] }]';
  expect(await help(ONE_RULE(ALL, 'min_distinct_approvers: 2, exclude_author: false'), alone)).toEqual([
    'add members to its roles, or ask for fewer approvals',
  ]);
});

test('the only member of a role cannot submit, and is a single point of failure', async () => {
  expect(await found(ONE_RULE(ALL, 'exclude_author: true'), TEAM.replace('[cid, dan]', '[cid]'))).toEqual([
    'warning funnel.single-point /approve: without `cid` no run can be approved',
    'warning funnel.unsatisfiable /approve: a run submitted by `cid` can never be approved',
  ]);
  expect(await underlined()).toEqual(['approve', 'approve']);
});

test('two names of one person are one person', async () => {
  const identities = 'identities: [{ id: ann, aliases: [cid, dan, bob] }]\n';
  expect(await found(ONE_RULE(ALL, 'min_distinct_approvers: 2, exclude_author: false'), TEAM, identities)).toEqual([
    'error funnel.unsatisfiable /approve: nobody can satisfy this policy: it asks for 2 people, and at most 1 can each complete a task of their own',
  ]);
});

test('a corner into which people can sign themselves is named with them and the task', async () => {
  const registry =
    '[{ id: qa, members: [ann, bob, dan], scopes: [a:b] }, { id: ops, members: [ann, eve], scopes: [a:b] }]';
  expect(await found(ONE_RULE(ALL, 'min_distinct_approvers: 2, exclude_author: false'), registry)).toEqual([]);
  expect(await found(ONE_RULE(ALL, 'min_distinct_approvers: 2, exclude_author: true'), registry)).toEqual([
    'warning funnel.deadlock /approve/min_distinct_approvers: when `ann` signs a run of `eve` alone, the task of `ops` in rule 1 stays open and nobody may complete it',
  ]);
});

test('a rule that can never matter is named at its place', async () => {
  const rules =
    'approve: { rules: [{ scope: a:b, roles: [qa, ops], quorum: all }, { scope: a:b, roles: [qa, ops], quorum: any }] }\n';
  expect(await found(rules, TEAM)).toEqual([
    'warning funnel.idle-rule /approve/rules/1: this rule has no effect: everybody who satisfies the other rule satisfies it too',
  ]);
  expect(await underlined()).toEqual(['{ scope: a:b, roles: [qa, ops], quorum: any }']);
});

test('an escalation to a role without members is reported where it stands', async () => {
  const approve = ONE_RULE(
    '{ scope: a:b, roles: [qa], quorum: all }',
    'expires_after: 48h, on_expiry: escalate, escalate_to: [boss]',
  );
  expect(
    await found(approve, '[{ id: qa, members: [ann, bob], scopes: [a:b] }, { id: boss, members: [], scopes: [a:b] }]'),
  ).toEqual([
    'warning funnel.unsatisfiable /approve/escalate_to: once it is escalated, nobody can satisfy this policy: rule 2 needs 1 of its roles and 0 have a member who may sign (`boss` has none)',
  ]);
});

test('a policy with a role that nobody defines is advisory: only that is reported', async () => {
  const messages = await found(
    ONE_RULE('{ scope: a:b, roles: [none], quorum: all }', 'min_distinct_approvers: 3'),
    TEAM,
  );
  expect(messages.map((message) => message.split(' ')[1])).toEqual(['funnel.unknown-role']);
});
