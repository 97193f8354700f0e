import { expect } from 'vitest';
import type { LoginProvider } from '../../support/components/login-provider.js';
import type { World } from '../world.js';

interface PlantParts {
  readonly provider: LoginProvider;
  readonly world: Pick<World, 'kit'>;
  readonly dir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly see: (name: string, content: string, canary: string) => void;
}

/** A person logs in for `notes`, with a token that the first run finds near its end. */
export async function plantLogin({ provider, world, dir, env, see }: PlantParts): Promise<void> {
  await provider.behave({ ttl: 300 });
  const login = await world.kit(['credentials', 'login', 'notes'], { cwd: dir, env });
  expect(login.code, login.stderr).toBe(0);
  // The address on stderr is for whoever logs in: it names the state, which is used up by now.
  see('kit credentials login: result', login.stdout, 'logged in: notes');
  await provider.behave({ ttl: 3600 });
}

/** What both sides of that login have kept to themselves, once a run has refreshed it. */
export async function loginSecrets(provider: LoginProvider): Promise<Readonly<Record<string, string>>> {
  const { secrets, refresh, calls } = await provider.counts();
  expect(refresh).toBe(1);
  expect(calls).toBeGreaterThan(0);
  // Two access tokens, two refresh tokens, a code, a verifier, a state, and what a client is given.
  expect(secrets.length).toBeGreaterThanOrEqual(7);
  return Object.fromEntries(secrets.map((secret, n) => [`login ${n}`, secret]));
}
