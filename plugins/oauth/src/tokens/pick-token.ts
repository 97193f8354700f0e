import { consentText, isSameEndpoint, type JsonObject, KitError, type VaultEntry } from '@kit-run/kit/plugin';
import { type Parts, TOKEN } from '../parts.js';
import { decodeToken, type TokenRow } from './token-row.js';

/** The row that a credential uses. */
export interface Picked {
  readonly entry: VaultEntry;
  readonly row: TokenRow;
}

const ownerIn = (config: JsonObject): string | null =>
  typeof config.owner === 'string' && config.owner !== '' ? config.owner : null;

/** A shell splits none of these. */
const whose = (owner: string): string =>
  owner === 'local' ? '' : ` --owner ${/^[\w@.+-]+$/.test(owner) ? owner : '<identity>'}`;

/** What a person types to log in. */
export const loginWords = ({ credential, owner }: { readonly credential: string; readonly owner: string }): string =>
  `kit credentials login ${credential}${whose(owner)}`;

/** Not tried again: a person has to log in. Names credential and owner. */
export function consentRequired(credential: string, owner: string, why: string): KitError {
  const login = { credential, owner };
  return new KitError('KIT_CONSENT_REQUIRED', consentText(login, why), {
    hint: `Log in with \`${loginWords(login)}\`, then go on.`,
    data: login,
  });
}

/**
 * The row of the owner that the entry names, else of `owner`, else of the only one. Throws
 * KIT_CONSENT_REQUIRED where nobody has logged in, KIT_CREDENTIAL_OWNER where several have.
 */
export async function pickToken(
  { vault }: Pick<Parts, 'vault'>,
  use: { readonly name: string; readonly config: JsonObject; readonly owner: string | null },
): Promise<Picked> {
  const { name, config } = use;
  const owners = (await vault.list(TOKEN)).filter((row) => row.name === name).map((row) => row.owner);
  const wanted = ownerIn(config) ?? use.owner;
  if (wanted === null && owners.length > 1)
    throw new KitError('KIT_CREDENTIAL_OWNER', `several people have logged in for ${name}: ${owners.join(', ')}`, {
      hint: `Write config.owner of the credential ${name}.`,
      data: { credential: name, owners },
    });
  const owner = wanted ?? owners[0];
  const entry = owner === undefined ? null : await vault.get({ kind: TOKEN, name, owner });
  if (entry === null) throw consentRequired(name, owner ?? 'local', 'nobody has logged in');
  const row = decodeToken(entry.value);
  if (typeof config.endpoint === 'string' && !isSameEndpoint(config.endpoint, row.endpoint))
    throw consentRequired(name, entry.owner, 'the login is for another endpoint than the workspace names');
  return { entry, row };
}
