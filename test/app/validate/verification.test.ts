import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { validateWorkspace } from '../../../src/app/validate-workspace.js';
import { validationText } from '../../../src/text/validation-text.js';
import { toWireReachability } from '../../../src/view/schemas/workspace.js';
import { APPROVE, funnel, judge, LEAD, topology } from '../../compile/rules/artifact-text.js';
import { deps, WORKSPACE } from '../../support/compile.js';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-verified-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function reportOf(governance: string, version = '1.0.0', ofRoot = '') {
  const files = {
    'workspace.yaml': `${WORKSPACE}${governance}`,
    'topologies/plain.yaml': topology('plain', 'children: []'),
    'topologies/again.yaml': topology('plain', 'children: []').replaceAll('1.0.0', version),
    'topologies/shaped.yaml': topology('shaped', `output_schema: { type: object }${ofRoot}`),
    'skills/j.yaml': judge('j'),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return validateWorkspace(directory, deps());
}

it('an output schema checks the output of its agent', async () => {
  const { verification } = await reportOf('', '2.0.0');

  expect(verification.map(({ topology: id, verified, layers }) => [id, verified, layers])).toEqual([
    ['plain@2.0.0', false, []],
    ['plain@1.0.0', false, []],
    ['shaped@1.0.0', true, ['output_schema']],
  ]);
});

it('a decision skill after the output checks it, one at another place does not; keys tell versions apart', async () => {
  const after = await reportOf(
    'governance: { provider: mock, decision_skills: [{ id: j, trigger: post_output }] }\n',
    '2.0.0',
  );
  const before = await reportOf(
    'governance: { provider: mock, decision_skills: [{ id: j, trigger: pre_input }] }\n',
    '2.0.0',
  );

  expect(after.verification.map(({ layers }) => layers)).toEqual([
    ['decision:j'],
    ['decision:j'],
    ['output_schema', 'decision:j'],
  ]);
  expect(before.verification.map(({ verified }) => verified)).toEqual([false, false, true]);
  const keys = after.reachability.reachable.map(({ key }) => key);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(keys.length);
});

it('the text names what is unchecked once something is checked', async () => {
  const options = { color: false, quiet: false, tree: false, failures: [], width: 80 };

  expect(validationText(await reportOf('', '2.0.0'), options as never)).toContain('unchecked plain@1.0.0');
});

it('what nothing names is unreachable: a skill that no agent holds, a funnel that no agent names', async () => {
  const files = {
    'funnels/left.yaml': funnel('left', APPROVE),
    'funnels/used.yaml': funnel('used', APPROVE),
    'roles/people.yaml': LEAD,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }

  const unused = await reportOf('', '2.0.0', ', funnel: used');
  const asked = await reportOf(
    'governance: { provider: mock, decision_skills: [{ id: j, trigger: post_output }] }\n',
    '2.0.0',
    ', funnel: used',
  );

  expect(unused.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(unused.reachability.orphans.map(({ key, declaredOn }) => [key, declaredOn])).toEqual([
    ['funnel:left', 'funnels/left.yaml#'],
    ['skill:j', 'skills/j.yaml#'],
  ]);
  // No check that anybody declared is missing.
  expect(unused.reachability).toMatchObject({ ok: true, unreachable: [] });
  expect(toWireReachability(unused.reachability).unreachable).toMatchObject([
    { kind: 'funnel', key: 'funnel:left', required: false },
    { kind: 'skill', key: 'skill:j' },
  ]);
  const options = { color: false, quiet: false, tree: false, failures: [], width: 80 };
  expect(validationText(unused, options as never)).toContain('unused    skill skill:j');
  expect(asked.reachability.orphans.map(({ key }) => key)).toEqual(['funnel:left']);
});
