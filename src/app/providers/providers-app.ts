import type { JsonObject } from '../../domain/json.js';

/**
 * Whether a run could call the provider now. `ready`: no key is needed (`variable` null), or its
 * variable is set. `needs`: the variable is not set. `invalid`: a run that names it is refused, for
 * the reason given.
 */
export type ProviderState =
  | { readonly kind: 'ready'; readonly variable: string | null }
  | { readonly kind: 'needs'; readonly variable: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * One model provider as `kit providers` shows it. Never holds a key: values of variables are not
 * looked at, and a header that looks like it carries a secret shows only the names of what it
 * refers to.
 */
export interface ProviderDetails {
  readonly id: string;
  /** Protocol, or the contribution that answers; null when the chain reaches none. */
  readonly family: string | null;
  /** Ids from this one to its family. */
  readonly chain: readonly string[];
  readonly source: 'bundled' | 'workspace' | 'plugin';
  /** Workspace-relative file; null for a bundled one and for one of a plugin. */
  readonly path: string | null;
  readonly state: ProviderState;
  /**
   * As written: references are resolved where the provider is called. null = the provider has none.
   */
  readonly baseUrl: string | null;
  /** null = no key is sent. */
  readonly auth: {
    readonly variable: string;
    readonly header: string;
    readonly scheme: string;
    readonly isSet: boolean;
  } | null;
  /** Model names that select the provider when an agent names none. */
  readonly models: { readonly pattern: string | null; readonly acceptAny: boolean };
  /** null = the plugin does not say. */
  readonly capabilities: Readonly<Record<'images' | 'tools' | 'streaming' | 'structuredOutput', boolean>> | null;
  /** null = all of them. */
  readonly liftToRoot: readonly string[] | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly extraBody: JsonObject;
  /** Tokens, as written; null = what is known of each model. */
  readonly contextWindow: number | null;
  /** As written (`in_flight`, `requests_per_minute`); {} = they are found out. */
  readonly limits: JsonObject;
  /** What the workspace says that models cost, as written; the built-in table is not in it. */
  readonly prices: readonly JsonObject[];
}

/**
 * What `kit providers list` shows: files and entries of the workspace, then bundled ones, then
 * those of plugins.
 */
export interface ProviderList {
  readonly providers: readonly ProviderDetails[];
}

/** Use cases around model providers. They start no run and call no provider. */
export interface ProvidersApp {
  /**
   * Everything that an agent of the workspace may name. Throws KIT_WORKSPACE_NOT_FOUND;
   * KIT_WORKSPACE_INVALID when workspace.yaml itself cannot be read.
   */
  list(directory: string): Promise<ProviderList>;
  /** One of them. Throws KIT_PROVIDER_UNKNOWN with what is close, and what `list` throws. */
  show(directory: string, id: string): Promise<ProviderDetails>;
}
