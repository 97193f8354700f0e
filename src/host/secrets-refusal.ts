import type { JsonObject } from '../domain/json.js';
import { isOwnSource } from '../domain/own-source.js';
import type { Refusal } from '../domain/ports/credential-source.js';
import type { CredentialDeps } from './secrets.js';

/** One entry whose value a server did not take. */
interface Asked {
  readonly ref: string;
  readonly refusal: Refusal;
  /** Its `config` with every `${VAR}` filled in. */
  readonly expanded: (ref: string, config: JsonObject) => JsonObject;
}

/** Asks the source of an entry what a refusal means; see `CredentialSource.refused`. */
export async function tellRefusal(
  { entry: entryOf, plugins }: Pick<CredentialDeps, 'entry' | 'plugins'>,
  { ref, refusal, expanded }: Asked,
): Promise<boolean> {
  const entry = entryOf(ref);
  // What kit reads itself is no login: a refusal of it is no more than it says.
  if (entry === null || isOwnSource(entry)) return false;
  const wanted = entry.providerId ?? entry.source;
  if (plugins().find('credentialSources', wanted) === null) return false;
  const source = await plugins().resolve('credentialSources', wanted, {});
  return (await source.refused?.({ name: ref, config: expanded(ref, entry.config) }, refusal)) === true;
}
