import { expect, test } from 'vitest';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { type A2aWorld, serveA2a } from '../../../support/protocols/a2a-world.js';
import {
  askServed,
  caller,
  cardOf,
  frontOf,
  linesOf,
  PEER,
  peer,
  rpc,
  task,
  withUrl,
} from '../../../support/protocols/remote-world.js';

const PATIENT = { timeout: 50_000 };
/** One run at once, and agents may ask. */
const NARROW = 'server: { jobs: { max_concurrent: 1 }, a2a: { enabled: true } }\n';
const UNKNOWN = { env: { ...PEER, CARD: 'http://127.0.0.1:1' } };

/** Two kits whose `front` asks a topology of the other one; each has one slot. */
async function circle(asked: { readonly ofB: string; readonly ofA: string }) {
  const serve = (skill: string) =>
    serveA2a({ ...gated({ workspace: '' }), ...caller('${CARD}', skill, { workspace: NARROW }) }, UNKNOWN);
  const [a, b] = [await serve(asked.ofB), await serve(asked.ofA)];
  // Where a kit listens is known once it does; what a name means is read where it is used.
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const)
    Object.assign(one.env, { CARD: cardOf(other) });
  const { job } = await a.app.serve.submit(frontOf(a));
  return { a, b, ended: async () => (await a.job(job.id)).status };
}

const runsOf = async ({ app, workspace }: A2aWorld) =>
  (await app.jobs.list({ workspace })).map(({ topology, status }) => `${topology} ${status}`).toSorted();
const reported = async (kit: A2aWorld): Promise<string> =>
  (await Promise.all((await kit.app.jobs.list({ workspace: kit.workspace })).map(({ id }) => linesOf(kit, id))))
    .flat()
    .join('\n');

test('A calls B calls A, with one slot each: no call is lost, and each is one run', { timeout: 60_000 }, async () => {
  const { a, b, ended } = await circle({ ofB: 'front', ofA: 'plain' });
  await expect.poll(ended, PATIENT).toBe('completed');
  expect(await runsOf(b)).toEqual(['front completed']);
  expect(await runsOf(a)).toEqual(['front completed', 'plain completed']);
  expect(await reported(b)).not.toContain('failed');
});

test('kits that call each other without end come to one at the sixth call', { timeout: 60_000 }, async () => {
  const { a, b, ended } = await circle({ ofB: 'front', ofA: 'front' });
  await expect.poll(ended, PATIENT).toBe('completed');
  expect(await runsOf(a)).toEqual(Array(3).fill('front completed'));
  expect(await runsOf(b)).toEqual(Array(3).fill('front completed'));
  expect((await reported(b)).match(/5 levels deep at most/g)).toHaveLength(1);
});

test.each([
  ['in words of 0.3', { status: 429, retry_after: 1 }],
  ['in those of 1.0', [{ '@type': 'x', metadata: { status: '429', retry_after: '1' } }]],
])('a peer that has no room, %s, is asked again with the same message', async (_what, data) => {
  const sent: string[] = [];
  const url = await peer((path, body, origin) => {
    if (path !== '/a2a') return { body: JSON.stringify(withUrl(`${origin}/a2a`)) };
    const { id, params } = JSON.parse(body);
    sent.push(params.message.messageId);
    if (sent.length > 1) return { body: rpc(body, task('TASK_STATE_COMPLETED')) };
    return { body: JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no slot', data } }) };
  });
  const front = await askServed(url, 'plain');
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect(sent).toHaveLength(2);
  expect(new Set(sent).size).toBe(1);
  expect((await linesOf(front, front.job.id)).join('\n')).not.toContain('failed');
});
