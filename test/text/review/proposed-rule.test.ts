import { expect, it } from 'vitest';
import type { ResolvedItem } from '../../../src/app/review/decision.js';
import type { Job } from '../../../src/domain/job.js';
import { recordedText } from '../../../src/text/inbox/recorded-text.js';
import { resolvedText } from '../../../src/text/item-text.js';
import { itemOf } from '../../support/review-samples.js';
import { jobOf } from '../../support/view-samples.js';

const plain = { color: false, width: null, workspaceArgument: 'shop' };
const approved = (proposed: readonly string[]): ResolvedItem => ({
  item: itemOf('0123456789ab', 'ask-1', { kind: 'permission', status: 'approved' }),
  ...{ gate: null, decision: null, unchanged: false, reopened: null, proposed },
  job: jobOf({}) as Job,
  seq: 3,
});

it('an approval that makes kit propose a rule says where it stands, on the command line and in the inbox', () => {
  expect(resolvedText(approved(['0123456789ab']), plain)).toMatch(/\na rule is proposed: kit trust list shop$/);
  expect(recordedText(approved(['0123456789ab']))).toMatch(/; a rule is proposed: kit trust list$/);
  expect(resolvedText(approved([]), plain) + recordedText(approved([]))).not.toContain('trust');
});
