import { expect } from 'vitest';
import type { Pools } from './pools.js';
import type { createSender, FuzzAnswer } from './send.js';
import { PLANTED } from './workspace.js';

/** So many gates wait when the attack begins. */
const GATES = 6;
/** So many questions wait, and so many runs have failed. */
const ASKED = 4;
const WITHIN_MS = 60_000;

/**
 * Ordinary use of the server: runs of which some ask or fail, gates of which one is decided, values
 * to remember of which one contradicts, a conversation. What it leaves is what later requests are
 * about.
 */
export async function warmUp({ send }: Pick<ReturnType<typeof createSender>, 'send'>, pools: Pools): Promise<void> {
  const ask = async (
    method: string,
    target: string,
    body: object | null = null,
    token: string = PLANTED.runner,
  ): Promise<FuzzAnswer> => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await send({
      method,
      target,
      headers,
      body: body === null ? null : Buffer.from(JSON.stringify(body)),
    });
    if (answer.statusCode === 200 && String(answer.headers['content-type']).startsWith('application/json'))
      pools.harvest(target, JSON.parse(answer.body));
    return answer;
  };
  const run = (topology: string): Promise<FuzzAnswer> =>
    ask('POST', `/run/${topology}`, { input: 'x', correlation_id: 'order-7' });
  const gates = async (): Promise<readonly { readonly id: string; readonly role: string }[]> =>
    JSON.parse((await ask('GET', '/review')).body);

  for (let n = 0; n < GATES; n++)
    await expect.poll(async () => (await run('release')).statusCode, { timeout: WITHIN_MS }).toBe(200);
  await expect.poll(async () => (await gates()).length, { timeout: WITHIN_MS }).toBe(2 * GATES);
  const task = (await gates()).find(({ role }) => role === 'qa');
  expect((await ask('POST', `/review/${task?.id}/resolve`, { outcome: 'approve' }, PLANTED.signer)).statusCode).toBe(
    200,
  );
  await expect.poll(async () => (await run('noting')).statusCode, { timeout: WITHIN_MS }).toBe(200);
  const { id } = JSON.parse((await ask('POST', '/conversations', { topology: 'idle' })).body);
  await expect
    .poll(async () => (await ask('POST', `/conversations/${id}/messages`, { message: 'x' })).statusCode, {
      timeout: WITHIN_MS,
    })
    .toBe(200);
  for (let n = 0; n < ASKED; n++)
    for (const topology of ['asking', 'failing'])
      await expect.poll(async () => (await run(topology)).statusCode, { timeout: WITHIN_MS }).toBe(200);
  const settled = async (): Promise<readonly string[]> =>
    (JSON.parse((await ask('GET', '/jobs')).body) as readonly { readonly topology: string; readonly status: string }[])
      .filter(({ topology }) => topology === 'asking' || topology === 'failing')
      .map(({ status }) => status)
      .sort();
  await expect
    .poll(settled, { timeout: WITHIN_MS })
    .toEqual([...Array(ASKED).fill('deferred'), ...Array(ASKED).fill('failed')]);
  for (const value of ['in euro', 'in yen'])
    expect(
      (await ask('POST', '/memory', { subject: 'billing', attribute: 'currency', value }, PLANTED.signer)).statusCode,
    ).toBe(200);
  for (const path of [
    '/review',
    '/memory',
    '/memory/quarantine',
    '/jobs',
    '/artifacts',
    '/events',
    '/conversations',
    '/audit',
  ])
    await ask('GET', path);
}
