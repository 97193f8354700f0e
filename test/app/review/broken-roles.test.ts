import { afterEach, beforeEach, expect, it } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import { openReviewWorld, type ReviewWorld } from '../../support/review-world.js';

let world: ReviewWorld;
beforeEach(async () => {
  world = await openReviewWorld();
});
afterEach(() => world.dispose());

const BROKEN = 'nobody can decide: the role registry has an error: roles/people.yaml: a value is missing';
const breakRoles = (): void => world.breakRoles(new KitError('KIT_WORKSPACE_INVALID', BROKEN));

it('an open gate is shown while a role file is broken, and says that nobody can decide', async () => {
  const { gate } = await world.parked();
  breakRoles();

  const details = await world.app.gate({ workspace: '/w', gate: gate.gateId, author: null });
  const { item, gate: ofItem } = await world.app.show({ workspace: '/w', item: `mpa-${gate.gateId}-0-qa` });

  expect(details).toMatchObject({ status: 'pending', halted: BROKEN, actors: [], stuck: [] });
  expect(details.items.map(({ role, status }) => [role, status])).toEqual([
    ['qa', 'pending'],
    ['ops', 'pending'],
  ]);
  expect([item.status, ofItem?.halted]).toEqual(['pending', BROKEN]);
});

it('whatever else is wrong with the registry is told as it is', async () => {
  const { gate } = await world.parked();
  world.breakRoles(new Error('the disk is gone'));

  await expect(world.app.gate({ workspace: '/w', gate: gate.gateId, author: null })).rejects.toThrow(
    'the disk is gone',
  );
});
