import type { Json } from '../json.js';

/** What is about to be done, by whom. Actions: execution.md 3.1 (`agent:execute`, `command:call:<pack>:<command>`, ...). */
export interface PolicyRequest {
  readonly agentId: string;
  readonly action: string;
  readonly scopesRequired: readonly string[];
  readonly context: Readonly<Record<string, Json>>;
}

/** An unknown verdict is a denial: the engine accepts these three and nothing else. */
export type Decision =
  | { readonly verdict: 'allow' }
  | { readonly verdict: 'deny'; readonly reason: string; readonly needs: readonly string[] }
  | { readonly verdict: 'ask'; readonly reason: string };

/** Missing, failed, timed out or thrown = denied and audited (plugin-contract 2.4). */
export interface GovernanceProvider {
  evaluate(request: PolicyRequest, signal: AbortSignal): Promise<Decision>;
}
