import type { ModelChoice } from './agent-node.js';
import type { Effects, OnInDoubt } from './journal.js';
import type { JsonObject, JsonSchema } from './json.js';
import type { KnowledgeBase } from './knowledge.js';

/**
 * Upper bound of what the log keeps of calls: nothing, a summary, all that a skill's own policy
 * allows.
 */
export type AuditLevel = 'minimal' | 'standard' | 'detailed';

/**
 * How much of a call the log keeps; `redact` lists the paths whose values are never written,
 * whatever the level.
 */
export type SkillAudit = {
  readonly logInputs: 'full' | 'summary' | 'none';
  readonly logOutputs: 'full' | 'summary' | 'none';
  readonly redact: readonly string[];
};

/** A skill as the engine runs it. Plain JSON. */
export interface LinkedSkill {
  readonly id: string;
  readonly description: string;
  readonly category: 'capability' | 'decision' | 'coordination' | 'persistence';
  readonly inputs: JsonSchema | null;
  readonly outputs: JsonSchema | null;
  readonly requiredScopes: readonly string[];
  readonly effects: Effects;
  readonly onInDoubt: OnInDoubt;
  /**
   * What becomes of a call that failed: the agent is told (absent), or a person answers for it
   * first.
   */
  readonly onFailure?: 'escalate_to_human';
  /** Absent: none are written. */
  readonly constraints?: SkillConstraints;
  /** Category default, then the skill's own keys; `auditLevel` of the run's topology bounds it. */
  readonly audit: SkillAudit;
  readonly implementation: LinkedImplementation;
}

/** What a call of the skill does, by the `type` of its YAML. */
export type LinkedImplementation =
  | { readonly type: 'llm_prompt'; readonly prompt: string; readonly model: ModelChoice }
  | { readonly type: 'command'; readonly pack: string; readonly command: LinkedCommand }
  | { readonly type: 'mcp_tool'; readonly server: string; readonly tool: string; readonly arguments: JsonObject }
  | { readonly type: 'knowledge'; readonly base: KnowledgeBase }
  | {
      readonly type: 'composed';
      readonly composes: readonly string[];
      readonly strategy: string;
      /**
       * Beside the strategy `custom`: the contribution to `skillStrategies`, by its id once a run
       * is frozen.
       */
      readonly strategyClass?: string;
    }
  | {
      readonly type: 'agent';
      /** A topology of the workspace, or else `cardUrl`. */
      readonly topology: string | null;
      /** Address of the Agent Card of an agent that runs elsewhere. */
      readonly cardUrl: string | null;
      /** Which skill of the card; null = the agent chooses. */
      readonly skillId: string | null;
      readonly credentialsRef: string | null;
      /** Of execution; what the other side waits for people does not count. Default 600 s. */
      readonly timeoutMs: number;
      readonly permission: LinkedCommand['permission'];
      /**
       * Who answers what an agent that runs elsewhere asks before it goes on, and how often the
       * calling agent does. Absent: the calling agent, twice.
       */
      readonly onUnanswerable?: 'agent' | 'relay' | 'abort';
      readonly maxAgentAnswers?: number;
    };

/** `constraints` of a skill. */
export interface SkillConstraints {
  /** Of one attempt: the stricter of `timeout_seconds` and `max_latency_ms`; null = none. */
  readonly timeoutMs: number | null;
  /**
   * Attempts after the first, of a skill whose effects are `none` or `read`; others are never
   * repeated.
   */
  readonly retries: number;
  readonly backoff: 'exponential' | 'linear' | 'none';
}

/**
 * One command of a pack; `env` keeps `${VAR}` and `{credential.<ref>}` as references
 * (docs/design/journal.md#references).
 */
export interface LinkedCommand {
  readonly id: string;
  readonly argv: readonly string[];
  /** Relative to the workspace root; '' = the root. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly credentialsRef: string | null;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly parse: 'text' | 'json' | 'lines';
  readonly permission: 'open' | 'cautious' | 'strict' | 'readonly';
  /**
   * Binaries of its pack with the version that they must have, such as `>=2.40`; absent: none is
   * asked for.
   */
  readonly requires?: readonly { readonly binary: string; readonly version: string }[];
}
