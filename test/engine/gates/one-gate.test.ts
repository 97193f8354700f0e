import { describe, expect, it } from 'vitest';
import { KitError } from '../../../src/domain/errors.js';
import {
  decide,
  gatedBy,
  goOn,
  isOpenItem,
  ONE_ROLE,
  openRounds,
  policy,
  reviews,
  rule,
  SIGNERS,
  TWO_ROLES,
  typesOf,
} from '../../support/gated.js';
import { agent, type Script } from '../../support/run-world.js';
import { failedSteps, lawfulWorlds, overriding, payloadsOf } from '../laws.js';

const open = lawfulWorlds();

const writer = agent('writer', { role: 'root', funnel: 'sign-off' });

/** Answers `draft <n>` and counts how often it was asked. */
function drafts(): { readonly script: Script; readonly tasks: string[] } {
  const tasks: string[] = [];
  return {
    tasks,
    script: ({ request }) => {
      tasks.push(
        request.messages
          .at(-1)
          ?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
          .join('\n') ?? '',
      );
      return `draft ${tasks.length}`;
    },
  };
}

describe('a gated agent', () => {
  it('parks its run with the gate in the log, the tasks open and nobody resident', async () => {
    const world = await open({ root: writer, ...gatedBy(TWO_ROLES), ...drafts() });
    const gateId = `${world.job.id}:writer`;

    expect(await world.run()).toEqual({ kind: 'parked', waitingOn: [gateId] });

    const row = await world.row();
    expect(row).toMatchObject({ status: 'deferred', waitingOn: [gateId], workerId: null, output: null, reason: null });
    expect(row.error).toBe(`awaiting review: gate ${gateId} awaits sign-off by qa, ops`);
    expect((await typesOf(world)).slice(-5)).toEqual([
      'funnel.gate_opened',
      'approval.gate_opened',
      'hitl.requested',
      'hitl.requested',
      'run.parked',
    ]);
    expect((await reviews(world)).items.filter(isOpenItem).map((item) => item.id)).toEqual([
      `mpa-${gateId}-0-qa`,
      `mpa-${gateId}-0-ops`,
    ]);
    const [gate] = await openRounds(world);
    expect(gate).toMatchObject({
      round: 0,
      activation: 'root',
      mediaType: 'text/plain',
      topologyId: 'test',
      funnelId: 'sign-off',
    });
    expect(new TextDecoder().decode((await world.stores.artifacts.read(gate?.sha256 ?? '')) ?? undefined)).toBe(
      'draft 1',
    );
    expect(gate?.artifactRef).toBe(`${world.job.id}/${world.job.id}/writer#${gate?.sha256.slice(0, 12)}`);
  });

  it('lets the approved draft out without another model call, once every role has signed', async () => {
    const { script, tasks } = drafts();
    const world = await open({ root: writer, ...gatedBy(TWO_ROLES), script });
    await world.run();

    expect(await decide(world, { role: 'qa' })).toMatchObject({ status: 'deferred' });
    expect(await decide(world, { role: 'ops' })).toMatchObject({ status: 'pending', waitingOn: [] });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'draft 1' });
    expect(tasks).toHaveLength(1);
    expect((await typesOf(world)).filter((type) => type === 'run.resumed')).toHaveLength(1);
  });

  it('ends its run when a person rejects, and says who and why', async () => {
    const world = await open({ root: writer, ...gatedBy(TWO_ROLES), ...drafts() });
    await world.run();

    await decide(world, { role: 'ops', outcome: 'reject', comment: 'not on a Friday' });
    await goOn(world);

    const gateId = `${world.job.id}:writer`;
    expect(await world.row()).toMatchObject({
      status: 'failed',
      reason: 'gate_rejected',
      error: `gate ${gateId} rejected by ops-1: not on a Friday`,
    });
    expect(await failedSteps(world)).toEqual({ root: 'gate_rejected', 'root/g0': 'gate_rejected' });
  });

  it('works again with what the people said, and asks them anew', async () => {
    const { script, tasks } = drafts();
    const world = await open({ root: writer, ...gatedBy(TWO_ROLES), script });
    await world.run();

    await decide(world, { role: 'qa', comment: 'fine by me' });
    await decide(world, { role: 'ops', outcome: 'changes_requested', comment: 'shorter,\nplease' });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });

    expect(tasks).toHaveLength(2);
    expect(tasks[1]).toContain(
      '{"identity":"ops-1","role":"ops","outcome":"changes_requested","comment":"shorter,\\nplease","round":0,"stale":false}',
    );
    expect(tasks[1]).toContain('"identity":"qa-1"');
    expect(payloadsOf(await world.events(), 'rework')).toEqual([
      { gate_id: `${world.job.id}:writer`, round: 0, draft: 1 },
    ]);
    expect((await openRounds(world)).map((gate) => gate.round)).toEqual([1]);

    await decide(world, { role: 'qa' });
    await decide(world, { role: 'ops' });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'draft 2' });
    expect(tasks).toHaveLength(2);
  });

  it('tells the decisions of an earlier round as stale', async () => {
    const { script, tasks } = drafts();
    const world = await open({ root: writer, ...gatedBy(ONE_ROLE), script });
    await world.run();
    for (const comment of ['first', 'second']) {
      await decide(world, { role: 'qa', outcome: 'changes-requested', comment });
      await goOn(world);
    }

    expect(tasks[2]).toContain('"comment":"first","round":0,"stale":true}');
    expect(tasks[2]).toContain('"comment":"second","round":1,"stale":false}');
  });

  it.each([
    ['are others', new TextEncoder().encode('draft 2')],
    ['are gone', null],
  ])('is not let out when the bytes that were signed %s', async (_what, bytes) => {
    const { script } = drafts();
    const world = await open({
      root: writer,
      ...gatedBy(ONE_ROLE),
      script,
      wrap: (stores) => overriding(stores, { artifacts: overriding(stores.artifacts, { read: async () => bytes }) }),
    });
    await world.run();
    await decide(world, { role: 'qa' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'KIT_ARTIFACT_CORRUPT', output: null });
  });

  it('fails after twenty rounds, without paying for a draft that nobody would look at', async () => {
    const { script, tasks } = drafts();
    const world = await open({ root: writer, ...gatedBy(ONE_ROLE), script });
    await world.run();
    for (let round = 0; round < 20; round += 1) {
      await decide(world, { role: 'qa', outcome: 'changes_requested', comment: 'again' });
      await goOn(world);
    }
    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'rework_exhausted' });
    expect(tasks).toHaveLength(20);
  });

  it('carries the decision about a part that stayed the same into the next round', async () => {
    const covered = policy([rule(['qa'], { covers: ['/body'] }), rule(['ops'])], { onRevision: 'reconfirm_changed' });
    let asked = 0;
    const world = await open({
      root: agent('writer', { role: 'root', funnel: 'sign-off', outputSchema: { type: 'object' } }),
      ...gatedBy(covered),
      script: () => {
        asked += 1;
        return JSON.stringify({ body: 'same', title: `title ${asked}` });
      },
    });
    await world.run();
    await decide(world, { role: 'qa' });
    await decide(world, { role: 'ops', outcome: 'changes_requested', comment: 'another title' });
    await goOn(world);

    const { items } = await reviews(world);
    expect(items.filter(isOpenItem).map((item) => item.role)).toEqual(['ops']);
    await decide(world, { role: 'ops' });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'completed', output: '{"body":"same","title":"title 2"}' });
  });
});

it('a gate opens also while the role files cannot be read: nobody can sign, and nothing goes on unreviewed', async () => {
  const { snapshot } = gatedBy(ONE_ROLE);
  const world = await open({
    root: writer,
    snapshot,
    ...drafts(),
    facilities: () => ({
      roles: () => Promise.reject(new KitError('KIT_WORKSPACE_INVALID', 'roles/roles.yaml has an error')),
    }),
  });
  expect(await world.run()).toMatchObject({ kind: 'parked' });
  await decide(world, { role: 'qa' });
  await goOn(world);
  expect(await world.row()).toMatchObject({ status: 'completed', output: 'draft 1' });
});

it('a role that is removed after people sent the draft back lets nothing out', async () => {
  let roles = SIGNERS;
  const world = await open({
    root: writer,
    ...gatedBy(ONE_ROLE),
    ...drafts(),
    facilities: () => ({ roles: async () => roles }),
  });
  await world.run();
  await decide(world, { role: 'qa', outcome: 'changes_requested', comment: 'again' });
  roles = { ...SIGNERS, roles: SIGNERS.roles.filter(({ id }) => id !== 'qa') };
  expect(await goOn(world)).toMatchObject({ kind: 'parked' });
  expect(await openRounds(world)).toMatchObject([{ round: 1 }]);
  expect(await typesOf(world)).not.toContain('funnel.advisory_completed');
});

describe('a gate that the registry cannot enforce', () => {
  it.each([
    ['a role that no registry defines', policy([rule(['nobody'])]), 'no role registry defines the role nobody'],
    [
      'a role that does not confer the scope',
      policy([rule(['qa'], { scope: 'budget:sign' })]),
      'the role qa does not confer budget:sign',
    ],
  ])('lets the run go on unreviewed, and says so: %s', async (_what, approve, why) => {
    const world = await open({ root: writer, ...gatedBy(approve), ...drafts() });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'draft 1' });
    expect(payloadsOf(await world.events(), 'funnel.advisory_completed')).toMatchObject([
      { why, funnel_id: 'sign-off', escalated: false },
    ]);
    expect(await typesOf(world)).not.toContain('approval.gate_resolved');
    expect((await reviews(world)).gates).toEqual([]);
  });
});
