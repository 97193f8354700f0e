import type { ModelRouting } from './fallback-model.js';
import type { IntentSettings } from './intent.js';
import type { OnInDoubt } from './journal.js';
import type { JsonObject, JsonSchema } from './json.js';
import type { ModelSettings } from './ports/model.js';

/**
 * The model that the files name, before KIT_PROVIDER and KIT_MODEL are looked at; null = not named.
 * The tool pair answers the turns after the first of an agent that has tools.
 */
export interface ModelChoice extends ModelSettings, ModelRouting {
  readonly provider: string | null;
  readonly name: string | null;
  readonly toolProvider: string | null;
  readonly toolModel: string | null;
}

/** How a node executes; from its archetype alone. */
export type ExecutorChoice =
  | { readonly kind: 'model' }
  | { readonly kind: 'harness'; readonly ref: string; readonly config: JsonObject; readonly onInDoubt: OnInDoubt }
  /** An executor contribution of a plugin, by its `kind` name. */
  | { readonly kind: 'plugin'; readonly ref: string; readonly config: JsonObject; readonly onInDoubt: OnInDoubt };

/**
 * One agent of a topology after merge (docs/design/workspace.md#merging). Plain JSON: it goes into
 * the snapshot as it is.
 */
export interface AgentNode {
  readonly id: string;
  readonly role: 'root' | 'leader' | 'worker';
  readonly archetype: string | null;
  /** What it is for, in its own words or those of its archetype; absent: nothing is said. */
  readonly description?: string;
  readonly executor: ExecutorChoice;
  readonly model: ModelChoice;
  /** persona, then system, joined by a blank line; null = none. */
  readonly systemPrompt: string | null;
  /** Skill ids in order, without duplicates. */
  readonly skills: readonly string[];
  readonly requires: Readonly<Record<string, readonly string[]>>;
  readonly baseScope: readonly string[];
  readonly elevatedScopes: readonly string[];
  /** The effective schema; null = none. */
  readonly outputSchema: JsonSchema | null;
  readonly funnel: string | null;
  /** Absent: drift is not measured. */
  readonly intent?: IntentSettings;
  readonly dependsOn: readonly string[];
  readonly children: readonly AgentNode[];
  readonly pointer: string;
}
