import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { validateWorkspace } from '../../src/app/validate-workspace.js';
import { unmetDemands } from '../../src/cli/validation-demands.js';
import { funnel, judge, ONE_RULE, roles, topology } from '../compile/rules/artifact-text.js';
import { deps, type Sources, WORKSPACE } from '../support/compile.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-validate-funnels-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const rule = (scope: string, role: string): string =>
  ONE_RULE(`{ scope: ${scope}, roles: [${role}], quorum: all }`, 'exclude_author: true');
const PEOPLE = `${roles('[{ id: lead, members: [alice, bob], scopes: ["release:sign"] }]')}identities: [{ id: alice, aliases: [asmith] }]\n`;
const BASE: Sources = {
  'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\n`,
  'topologies/t.yaml': topology('t', 'funnel: gate'),
  'funnels/gate.yaml': funnel('gate', `judge: { skill: j }\n${rule('release:sign', 'lead')}`),
  'skills/j.yaml': judge('j'),
  'roles/people.yaml': PEOPLE,
};

async function reportOf(over: Sources = {}, submitter: string | null = null) {
  for (const [path, text] of Object.entries({ ...BASE, ...over })) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return validateWorkspace(directory, { ...deps(), submitter });
}

describe('a funnel that can be carried out', () => {
  it('is wired whole, and stands behind the output of its agent', async () => {
    const report = await reportOf();

    expect(report.diagnostics).toEqual([]);
    expect(report.reachability).toMatchObject({ ok: true, unreachable: [] });
    expect(report.reachability.reachable.map((entry) => entry.key)).toEqual([
      't@1.0.0:root:gate',
      't@1.0.0:root:gate:judge',
      't@1.0.0:root:gate:approve',
    ]);
    expect(report.verification).toMatchObject([
      { agent: 'root', verified: true, layers: ['judge', 'approve'], inert: [] },
    ]);
    expect(unmetDemands(report, { require: true, requireVerified: true })).toEqual([]);
  });
});

describe('an approve layer that cannot be enforced', () => {
  const advisory = { 'funnels/gate.yaml': funnel('gate', rule('release:sign', 'nobody')) };

  it('is a warning', async () => {
    const report = await reportOf(advisory);

    expect(report.workspace).not.toBeNull();
    expect(report.diagnostics).toMatchObject([
      { code: 'funnel.unknown-role', severity: 'warning', pointer: '/approve/rules/0/roles/0' },
    ]);
  });

  it('fails --require, with the role that is missing', async () => {
    const report = await reportOf(advisory);

    expect(report.reachability.unreachable).toMatchObject([
      {
        kind: 'funnel_layer',
        key: 't@1.0.0:root:gate:approve',
        message: expect.stringContaining('no role registry defines nobody, so the gate is advisory'),
      },
    ]);
    expect(unmetDemands(report, { require: true, requireVerified: false })).toMatchObject([
      { flag: 'require', subjects: ['funnel_layer t@1.0.0:root:gate:approve (funnels/gate.yaml#/approve)'] },
    ]);
    expect(unmetDemands(report, { require: false, requireVerified: false })).toEqual([]);
  });
});

describe('whoever submits runs here', () => {
  it.each(['tester', 'anonymous'])('is told where %j would not be identified', async (submitter) => {
    const report = await reportOf({}, submitter);

    expect(report.diagnostics).toMatchObject([
      {
        code: 'funnel.author-unidentified',
        severity: 'info',
        path: 'funnels/gate.yaml',
        pointer: '/approve',
        help: expect.stringContaining('--as <identity>'),
      },
    ]);
    expect(unmetDemands(report, { require: true, requireVerified: true })).toEqual([]);
  });

  it.each([
    ['a member', 'bob', {}],
    ['an alias', 'asmith', {}],
    ['nobody known', null, {}],
    ['anybody, where no agent names the funnel', 'tester', { 'topologies/t.yaml': topology('t', 'children: []') }],
    [
      'anybody, where the author may sign',
      'tester',
      {
        'funnels/gate.yaml': BASE['funnels/gate.yaml']?.replace('exclude_author: true', 'exclude_author: false') ?? '',
      },
    ],
  ])('is told nothing as %s', async (_name, submitter, over) => {
    expect((await reportOf(over, submitter)).diagnostics).toEqual([]);
  });
});
