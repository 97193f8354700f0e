import { expect, it } from 'vitest';
import type { AppliedChanges } from '../../../src/app/changes/changes-app.js';
import { appliedText } from '../../../src/text/applied-text.js';

const applied = (over: object = {}): AppliedChanges =>
  ({
    job: { id: 'r1' },
    topLevel: '/my repo',
    branch: null,
    missingBases: [],
    ungated: [],
    paths: [
      { path: 'a', change: 'changed', linkTo: null },
      { path: 'l', change: 'added', linkTo: 'a' },
    ],
    changes: [
      { agentId: 'writer', files: [{ path: 'a' }], state: 'partial', reason: 'executor.idle', signed: null },
      {
        agentId: 'builder',
        files: [{ path: 'l' }],
        state: 'whole',
        reason: null,
        signed: { gateId: 'g', by: ['ann', 'bob'] },
      },
      { agentId: 'tests', files: [], state: 'whole', reason: null, signed: null },
    ],
    ...over,
  }) as unknown as AppliedChanges;

it('says what was written, who signed it, and what to look at', () => {
  expect(appliedText(applied(), { color: false }).split('\n')).toEqual([
    'applied 2 files of run r1 to /my repo',
    '  M a',
    '  A l -> a',
    '  writer: partial (executor.idle), no gate of its own, nobody had to sign these files',
    '  builder: signed by ann, bob at gate g; these are the bytes that were signed',
    '  tests: no file changed',
    "look: git -C '/my repo' status",
  ]);
  const paths = [{ path: 'a', change: 'changed', linkTo: null }];
  expect(appliedText(applied({ paths }), { color: false })).toMatch(/look: git -C '\/my repo' diff$/);
});

it('says where a branch is, and what nobody could be asked about or merge', () => {
  const text = appliedText(
    applied({ branch: { name: 'kit/x', commit: 'abcdef0123456789' }, ungated: ['g2'], missingBases: ['e'] }),
    { color: false },
  );

  expect(text).toContain('to branch kit/x, abcdef012345, in /my repo');
  expect(text).toContain('gate g2: nobody could be asked');
  expect(text).toContain('does not have e, the commit that the work began with');
  expect(text).toContain("then: git -C '/my repo' merge kit/x");
});

it('says that there is nothing to write', () => {
  expect(appliedText(applied({ paths: [] }), { color: false })).toContain('nothing to write, all of it is in /my repo');
});
