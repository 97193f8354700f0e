import { expect, it } from 'vitest';
import type { SituationFacts } from '../../src/view/situation/situation.js';
import { situationOf } from '../../src/view/situation/situation-of.js';
import { jobOf } from '../support/view-samples.js';

const task = (itemId: string, members: readonly string[]) => ({ itemId, role: 'r', scope: 's', members });
const GATE = {
  ...{ gateId: 'g', resolved: false, withdrawn: false, round: 0, items: [], distinctApprovers: [], escalatedTo: [] },
  ...{ actors: [task('i1', ['bob']), task('i2', ['cy', 'ann'])], evidence: { escalated: false } },
};
const next = (readers: readonly string[]): string =>
  situationOf({
    ...{ job: jobOf({ status: 'deferred', waitingOn: ['g'] }), gates: [GATE], items: [], approvers: [], readers },
    ...{ isWaiting: true, autoResume: true, successor: null, events: [] },
  } as unknown as SituationFacts).command.join(' ');

it('names the task of whoever looks, by the name that they use; else the first', () => {
  expect(next(['ann'])).toBe('kit review resolve i2 --as ann --approve');
  expect(next(['annie', 'ann'])).toBe('kit review resolve i2 --as annie --approve');
  expect(next(['dana'])).toBe('kit review resolve i1 --as bob --approve');
  expect(next([])).toBe('kit review resolve i1 --as bob --approve');
});
