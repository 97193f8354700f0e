import { expect, it } from 'vitest';
import { withLogin } from '../../../plugins/harness/src/executor.js';
import { failed } from '../../../plugins/harness/src/run/refuse.js';
import { KitError } from '../../../src/domain/errors.js';
import type { ExecutorResult, PluginContext } from '../../../src/sdk/plugin.js';

const over = new KitError('KIT_CREDENTIAL_EXPIRED', 'the token has ended');
const loginOver = { code: over.code, message: over.message };
async function isOver(): Promise<never> {
  throw over;
}
const holds = async () => 'token';
const ref = { config: { credentials_ref: 'notes' } };

it.each([
  ['its server answered 401', { credential: holds, refused: isOver }, 401, ref, loginOver],
  ['it tells no status, and the token has ended', { credential: isOver, refused: isOver }, undefined, ref, loginOver],
  ['its server answered 500', { credential: holds, refused: isOver }, 500, ref, undefined],
  ['its token holds', { credential: holds, refused: isOver }, undefined, ref, undefined],
  ['its key is not a login of the workspace', { credential: isOver, refused: isOver }, 401, { config: {} }, undefined],
  [
    'its source cannot be asked',
    {
      credential: async (): Promise<string> => Promise.reject(new Error('no')),
      refused: async (): Promise<boolean> => false,
    },
    undefined,
    ref,
    undefined,
  ],
] as const)('a session that failed and %s', async (_says, secrets, refusedStatus, request, wanted) => {
  const result: ExecutorResult = {
    ...failed('api_error', 'no'),
    ...(refusedStatus === undefined ? {} : { refusedStatus }),
  };
  const plugin: Pick<PluginContext, 'secrets'> = { secrets: { env: () => null, ...secrets } };

  const reported = await withLogin(result, { request, plugin, credential: 'token' });

  expect(reported).toMatchObject({ reason: 'api_error', message: 'no' });
  expect(reported.loginOver).toEqual(wanted);
});

it('a session that did its work is asked nothing about', async () => {
  const result: ExecutorResult = { ...failed('', ''), status: 'success' };
  const plugin = { secrets: { env: () => null, credential: isOver, refused: isOver } };

  expect(await withLogin(result, { request: ref, plugin, credential: 'token' })).toBe(result);
});
