import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import { openReviewWorld, type ReviewWorld, refusalOf } from '../../support/review-world.js';

const workspace = '/nowhere';
let world: ReviewWorld;
beforeEach(async () => {
  world = await openReviewWorld();
});
afterEach(() => world.dispose());

const taskOf = (gateId: string, role: string): string => `mpa-${gateId}-0-${role}`;
const resolve = (item: string, identity: string, outcome: string, comment: string) =>
  world.app.resolve({ workspace, item, identity, auth: LOCAL_AUTH, outcome, comment });

describe('whoever may not decide', () => {
  it.each([
    ['reject', '', '--reject'],
    ['reject', "it's late", "--reject --comment 'it'\\''s late'"],
    ['changes-requested', 'name the risk', "--changes-requested --comment 'name the risk'"],
  ])('hands on the verdict that was asked for: %s %j', async (outcome, comment, flags) => {
    const { gate } = await world.parked();
    const item = taskOf(gate.gateId, 'qa');
    const { hint } = await refusalOf(resolve(item, 'mallory', outcome, comment));
    expect(hint).toBe(`qa-1 or qa-2 can: kit review resolve ${item} --as qa-1 ${flags}`);
  });

  it('hands on no line where its comment has several', async () => {
    const { gate } = await world.parked();
    const { hint } = await refusalOf(resolve(taskOf(gate.gateId, 'qa'), 'mallory', 'reject', 'no\nnever'));
    expect(hint).toBe('qa-1 or qa-2 can');
  });

  it('is named as an author who holds a role that is asked, in why', async () => {
    const { job, gate } = await world.parked();
    const author = job.submittedBy.identity;
    const reasons = async () => (await world.app.why({ workspace, what: job.id })).reasons.join('\n');
    expect(await reasons()).not.toContain('may not decide');
    world.registry.roles = world.registry.roles.map((role) => ({ ...role, members: [...role.members, author] }));
    expect(await reasons()).toContain(
      `${author} may not decide gate ${gate.gateId} as qa and ops: the policy excludes authors of the run`,
    );
  });
});
