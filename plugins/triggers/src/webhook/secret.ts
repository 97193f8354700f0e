import { isKitError, type Secrets } from '@kit-run/kit/plugin';

export type Found = { readonly ok: true; readonly secret: string } | { readonly ok: false; readonly reason: string };

/**
 * The secret of a `credentials_ref`: the entry of that name, and where there is no entry the
 * environment variable (docs/design/decisions.md#hooks).
 */
export async function findSecret(secrets: Secrets, ref: string): Promise<Found> {
  try {
    const secret = await secrets.credential(ref);
    return secret === '' ? { ok: false, reason: `the secret \`${ref}\` is empty` } : { ok: true, secret };
  } catch (error) {
    // An entry that cannot be resolved is not replaced by a variable of its name: that may be
    // another secret.
    const isEntryMissing =
      isKitError(error) && error.code === 'KIT_CREDENTIAL_UNRESOLVED' && error.data?.missing === 'entry';
    if (!isEntryMissing)
      return { ok: false, reason: isKitError(error) ? error.message : `the secret \`${ref}\` cannot be resolved` };
  }
  const secret = secrets.env(ref);
  if (secret !== null) return { ok: true, secret };
  return {
    ok: false,
    reason: `there is no credentials entry \`${ref}\`, and the environment variable of that name is not set`,
  };
}
