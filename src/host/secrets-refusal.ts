import type { PluginHost } from '../domain/extension-points.js';
import type { JsonObject } from '../domain/json.js';
import { isOwnSource } from '../domain/own-source.js';
import type { Refusal } from '../domain/ports/credential-source.js';
import type { Files, Log } from '../domain/ports/system.js';
import type { CredentialEntry } from '../domain/workspace.js';

/** One entry whose value a server did not take. */
interface SecretRequest {
  readonly ref: string;
  readonly refusal: Refusal;
  /** Its `config` with every `${VAR}` filled in. */
  readonly expanded: (ref: string, config: JsonObject) => JsonObject;
}

/** Asks the source of an entry what a refusal means; see `CredentialSource.refused`. */
export async function reportRefusal(
  { entry: entryOf, plugins }: Pick<CredentialDeps, 'entry' | 'plugins'>,
  { ref, refusal, expanded }: SecretRequest,
): Promise<boolean> {
  const entry = entryOf(ref);
  // What kit reads itself is not a login: a refusal of it is no more than it says.
  if (entry === null || isOwnSource(entry)) return false;
  const wanted = entry.providerId ?? entry.source;
  if (plugins().find('credentialSources', wanted) === null) return false;
  const source = await plugins().resolve('credentialSources', wanted, {});
  return (await source.refused?.({ name: ref, config: expanded(ref, entry.config) }, refusal)) === true;
}

export interface CredentialDeps {
  /** The process environment (or what a test gives). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Value of a `${NAME}`: the property file of the workspace, then the environment. Default: the
   * environment.
   */
  readonly lookup?: (name: string) => string | undefined;
  readonly files: Pick<Files, 'readText'>;
  readonly workspaceRoot: string;
  /** Entry of a name, read live: the workspace of now, not of the snapshot. */
  readonly entry: (ref: string) => CredentialEntry | null;
  /**
   * Asked only for sources other than `env` and `file`; a function, because the host itself needs
   * this service.
   */
  readonly plugins: () => Pick<PluginHost, 'find' | 'resolve'>;
  readonly log: Log;
  /** Secrets that are masked from the start: nobody resolves them any more. */
  readonly known?: readonly string[];
}
