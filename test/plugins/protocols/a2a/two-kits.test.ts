import { expect, test } from 'vitest';
import { LOCAL_AUTH } from '../../../../src/domain/gates.js';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { serveA2a } from '../../../support/protocols/a2a-world.js';
import { askServed, cardOf, onlyRun } from '../../../support/protocols/remote-world.js';

const PATIENT = { timeout: 30_000 };
/** One run at once, and agents may ask. */
const NARROW = 'server: { jobs: { max_concurrent: 1 }, a2a: { enabled: true } }\n';

test('whoever submitted on one kit signs nothing of it on the other', async () => {
  const excluding = { workspace: NARROW, approve: '  exclude_author: true\n' };
  const callee = await serveA2a(gated(excluding));
  const front = await askServed(cardOf(callee), 'release');
  await expect.poll(async () => (await onlyRun(callee))?.status, PATIENT).toBe('deferred');
  const { app, workspace } = callee;
  const { items } = await app.review.list({
    ...{ workspace, kind: null, gate: null, show: 'pending', limit: 10, afterId: null },
  });
  const resolve = (item: string, identity: string) =>
    app.review.resolve({ workspace, item, identity, auth: LOCAL_AUTH, outcome: 'approve', comment: '' });
  const ofRole = (role: string): string => items.find((item) => item.role === role)?.id ?? '';
  // qa-1 submitted the run of the other kit, and is a member of qa here.
  await expect(resolve(ofRole('qa'), 'qa-1')).rejects.toMatchObject({
    data: { reason: expect.stringMatching(/author/) },
  });
  await resolve(ofRole('qa'), 'qa-2');
  await resolve(ofRole('ops'), 'ops-1');
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
});

test.each([6, 99, -1, 1.5])('a caller that says it stands %d deep is refused', async (depth) => {
  const callee = await serveA2a(gated({ workspace: NARROW }));
  const message = { kind: 'message', role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'x' }] };
  const { error } = await callee.rpc(
    'message/send',
    { message: { ...message, metadata: { swarmkit: { depth } } } },
    { path: '/a2a/plain' },
  );
  expect(error?.code).toBe(-32602);
  expect(await callee.app.jobs.list({ workspace: callee.workspace })).toEqual([]);
});
