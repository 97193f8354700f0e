import type { ResolvedProvider } from '../../compile/link/providers.js';

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
export interface ProviderDetails
  extends Pick<
    ResolvedProvider,
    'id' | 'chain' | 'baseUrl' | 'liftToRoot' | 'headers' | 'extraBody' | 'contextWindow' | 'limits' | 'prices'
  > {
  /** Protocol, or the contribution that answers; null when the chain reaches none. */
  readonly family: string | null;
  readonly source: 'bundled' | 'workspace' | 'plugin';
  /** Workspace-relative file; null for a bundled one and for one of a plugin. */
  readonly path: string | null;
  readonly state: ProviderState;
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
