import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import { openReviewWorld, type ReviewWorld, refusalOf } from '../../support/review-world.js';

const workspace = '/nowhere';
let world: ReviewWorld;
beforeEach(async () => {
  world = await openReviewWorld();
});
afterEach(() => world.dispose());

const viewer = (identity: string) => ({ identity, auth: LOCAL_AUTH });
const taskOf = (gateId: string, role: string): string => `mpa-${gateId}-0-${role}`;
const youOf = async (item: string, identity: string) =>
  (await world.app.show({ workspace, item, viewer: viewer(identity) })).asked?.you;

describe('what is asked of whoever looks', () => {
  it('stands beside an item, a gate, a row of a list and a row of an inbox, and is the same', async () => {
    const { job, gate } = await world.parked();
    const item = taskOf(gate.gateId, 'qa');
    const shown = (await world.app.show({ workspace, item, viewer: viewer('qa-1') })).asked;
    const listed = await world.app.list({
      workspace,
      kind: null,
      gate: null,
      show: 'pending',
      limit: 9,
      afterId: null,
      viewer: viewer('qa-1'),
    });
    const whole = (await world.app.gate({ workspace, gate: gate.gateId, author: null, viewer: viewer('qa-1') })).asked;
    const inbox = await world.app.inbox({ workspace, identity: 'qa-1', limit: 9, afterId: null });
    const opened = await world.app.inboxItem({ workspace, identity: 'qa-1', item });
    expect(shown).toMatchObject({
      runId: job.id,
      submittedBy: { identity: 'dana', assurance: 'authenticated' },
      you: { canDecide: true, whyNot: null },
    });
    expect(shown?.led).not.toBeNull();
    expect(listed.asked.get(item)).toEqual({ ...shown, led: null });
    expect(inbox.rows[0]?.asked).toEqual({ ...shown, led: null });
    expect(opened.asked).toEqual(shown);
    expect(whole).toEqual(shown);
  });

  it('says by the rule that decides whether they can, in the words of the refusal', async () => {
    const { gate } = await world.parked();
    const item = taskOf(gate.gateId, 'qa');
    for (const who of ['stranger', 'ops-1', 'dana']) {
      const you = await youOf(item, who);
      const refusal = await refusalOf(
        world.app.resolve({ workspace, item, identity: who, auth: LOCAL_AUTH, outcome: 'approve', comment: '' }),
      );
      expect(you?.canDecide, who).toBe(false);
      expect(refusal.message, who).toContain(you?.whyNot ?? 'nothing was said');
    }
    expect(await youOf(item, 'quinn@example.org')).toEqual({ canDecide: true, whyNot: null });
    await world.app.resolve({ workspace, item, identity: 'qa-1', auth: LOCAL_AUTH, outcome: 'approve', comment: '' });
    expect((await youOf(item, 'qa-1'))?.whyNot).toBe('you have approved it already');
    expect((await youOf(item, 'qa-2'))?.whyNot).toContain('approved already');
  });

  it('of a gate says that whoever can decide one of its tasks can', async () => {
    const { gate } = await world.parked();
    const you = async (identity: string) =>
      (await world.app.gate({ workspace, gate: gate.gateId, author: null, viewer: viewer(identity) })).asked?.you;
    expect(await you('ops-1')).toEqual({ canDecide: true, whyNot: null });
    expect((await you('stranger'))?.canDecide).toBe(false);
    for (const [role, identity] of [
      ['qa', 'qa-1'],
      ['ops', 'ops-1'],
    ] as const)
      await world.app.resolve({
        ...{ workspace, item: `mpa-${gate.gateId}-0-${role}`, identity, auth: LOCAL_AUTH },
        ...{ outcome: 'approve', comment: '' },
      });
    for (const who of ['qa-1', 'ops-1', 'stranger'])
      expect(await you(who), who).toEqual({ canDecide: false, whyNot: 'it is approved already' });
  });

  it('of a permission that names its approvers says who they are not', async () => {
    const job = await world.run();
    const item = await world.ask(job, {
      kind: 'permission',
      details: { server: 'files', tool: 'write', arguments: { path: 'a' }, approvers: ['ops'] },
    });
    await world.park(job, [item.id]);
    expect(await youOf(item.id, 'ops-1')).toEqual({ canDecide: true, whyNot: null });
    expect((await youOf(item.id, 'qa-1'))?.canDecide).toBe(false);
    const shown = await world.app.show({ workspace, item: item.id, viewer: viewer('qa-1') });
    expect(shown.asked?.call).toMatchObject({ name: 'files/write', approvers: ['ops'] });
  });

  it('says so where a role file is broken, the bytes are gone, or no decision is taken there', async () => {
    const { gate } = await world.parked();
    const item = taskOf(gate.gateId, 'qa');
    const refused = { ...viewer('qa-1'), refused: 'qa-1 lacks the scope serve:run' };
    expect((await world.app.show({ workspace, item, viewer: refused })).asked?.you).toEqual({
      canDecide: false,
      whyNot: 'qa-1 lacks the scope serve:run',
    });
    await rm(join(world.sqlite.stateDir, 'blobs', gate.sha256.slice(0, 2), gate.sha256));
    expect((await youOf(item, 'qa-1'))?.whyNot).toContain('gone from the store');
    world.breakRoles(new KitError('KIT_WORKSPACE_INVALID', 'nobody can decide: roles/people.yaml'));
    expect((await youOf(item, 'qa-1'))?.whyNot).toContain('roles/people.yaml');
  });

  it('is told nobody who is nobody in particular', async () => {
    const { gate } = await world.parked();
    expect((await world.app.show({ workspace, item: taskOf(gate.gateId, 'qa') })).asked).toBeNull();
    expect((await world.app.gate({ workspace, gate: gate.gateId, author: null })).asked).toBeNull();
  });
});
