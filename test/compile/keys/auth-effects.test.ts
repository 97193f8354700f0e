import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFacts, startRefusals } from '../../../src/app/serve/auth/start-facts.js';
import { isKitError } from '../../../src/domain/errors.js';
import { openAuthScene } from '../../support/serving/auth-scene.js';
import { startIssuers, type TestIssuers } from '../../support/serving/issuer.js';
import { showsEffect } from '../../support/shows-effect.js';
import { AUTH_ENV, AUTH_PROOFS, authProofs } from './proofs/auth-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

let issuers: TestIssuers;
beforeAll(async () => {
  issuers = await startIssuers();
});
afterAll(() => issuers.close());

const SETTINGS = {
  host: '0.0.0.0',
  insecure: false,
  profile: 'standard',
  corsOrigins: [],
  oauthKey: 'unset',
} as const;

/** Headers that callers of all kinds send; each proof shows what becomes of them. */
const headers = (): readonly (string | undefined)[] => [
  undefined,
  ...Object.values(AUTH_ENV).map((key) => `Bearer ${key}`),
  ...[{ roles: ['serve:run'], email: 'alice@kit.test' }, { aud: 'other' }, { iss: `${issuers.base}/b` }].map(
    (claims) => `Bearer ${issuers.token(claims)}`,
  ),
];

/** What a server with the settings of a directory does with callers. */
async function look(directory: string): Promise<{ readonly refused: string | null; readonly seen: unknown }> {
  const scene = await openAuthScene(directory, { ...AUTH_ENV, PATH: process.env.PATH ?? '' });
  try {
    const { name, provider } = await scene.open();
    const verdicts = [];
    for (const authorization of headers()) verdicts.push(await provider.authenticate({ authorization }));
    const answer = { code: 'c', verifier: 'v'.repeat(43), redirectUri: 'http://127.0.0.1/callback', issuer: null };
    const signedIn = await provider.signIn?.finish(answer).catch((error: unknown) => String(error));
    const { workspace, roles } = scene;
    const facts = startFacts(workspace, { settings: SETTINGS, roles, identities: provider.identities, plugins: [] });
    return {
      refused: null,
      seen: [name, provider.info(), provider.identities, verdicts, signedIn, startRefusals(facts).length],
    };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { refused: error.code, seen: error.message };
  } finally {
    await scene.close();
  }
}

test.each(AUTH_PROOFS.map(({ key }) => key))('%s changes who may call a server', async (key) => {
  const { a, b, given } = authProofs(issuers.base).find((one) => one.key === key) ?? expect.fail(key);
  const refusals = new Set<string | null>();
  const observe = async (directory: string): Promise<unknown> => {
    const { refused, seen } = await look(directory);
    refusals.add(refused);
    return seen;
  };

  await showsEffect(key, a, b, { base: VERDICTS, observe, ...(given === undefined ? {} : { given }) });

  expect(refusals).toEqual(new Set([null]));
});
