import type { CredentialService } from '../host/secrets.js';
import type { KnownSecretsDeps, KnownWorkspace } from './known-secrets.js';

/** Finds secrets in what people send; most processes take no input of a run, and load nothing. */
export function lazySecretsFinder(
  known: KnownWorkspace,
  { env, log }: KnownSecretsDeps,
  { masker: resolved }: Pick<CredentialService, 'masker'>,
): (text: string) => Promise<boolean> {
  let finder: Promise<(text: string) => Promise<boolean>> | undefined;
  return async (text) => {
    finder ??= import('./known-secrets.js').then(({ secretsFinder }) => secretsFinder(known, { env, log, resolved }));
    return (await finder)(text);
  };
}
