import type { AgentNode } from './agent-node.js';
import type { CompressionPolicy } from './compression.js';
import type { DecisionBinding } from './decision-binding.js';
import type { EarlierTurn } from './earlier-turn.js';
import type { ErrorCode } from './error-registry.js';
import type { FallbackModel } from './fallback-model.js';
import type { JobClass } from './job.js';
import type { JsonObject, JsonSchema } from './json.js';
import type { Judgement } from './judgement.js';
import type { FrozenKnowledge } from './knowledge.js';
import type { Limits } from './limits.js';
import type { LinkedFunnel } from './linked-funnel.js';
import type { AuditLevel, LinkedSkill } from './linked-skill.js';
import type { GapSettings, TaskBounds } from './linked-topology.js';
import type { MemorySettings } from './memory-settings.js';
import type { Planning, Synthesis } from './planning.js';
import type { LinkedServer } from './tool-server.js';

/** Raised when the shape changes; a resume refuses a format it does not know. */
export const SNAPSHOT_FORMAT = 1;

/**
 * Which rules the conversations of a run with its models follow, frozen with it, so that a run of
 * before goes on by its own (docs/design/journal.md#snapshot). 1, and absent: an answer that the
 * output limit cut off is an answer, and calls of a tool are counted per activation. 2: such an
 * answer is asked to go on (src/engine/cut-answer.ts), calls that cannot be read are bounded
 * (src/engine/refused-turns.ts), and calls of a tool are counted per turn. 3: the tools of a
 * conversation stay in all its requests, and the schema of the answer stands beside them
 * (src/engine/answer-tool.ts). 4: results are bounded in tokens, `context_retrieve` gives what was
 * left out of any, and a conversation that outgrows its model's window is made shorter
 * (src/engine/context). 5: a judge has its rubric in its system prompt and is asked for how sure it
 * is, rework goes on in the conversation of the draft, a coordinator is offered the tools of a
 * scope where one is asked for, and the curator of memory sees the request. 6: a question to a
 * prompt skill or a judge that is too long for its model is put again shorter. 7: an agent that was
 * asked very often is told of its newest tasks alone (src/engine/history.ts).
 */
export const RULE_SET = 7;

/** The rule set of a run; one frozen before there were any follows the first. */
export const ruleSetOf = ({ ruleSet = 1 }: Pick<RunSnapshot, 'ruleSet'>): number => ruleSet;

/**
 * Who makes embeddings of memories, as `models` of a snapshot calls it: no agent has such an id.
 */
export const EMBEDDING_MODEL = 'role:embedding';

/** Who chooses what is remembered of a run; absent: the model of its first agent. */
export const MEMORY_MODEL = 'role:memory';

/** Who answers an agent, a skill or a judge. */
export interface ChosenModel {
  readonly provider: string;
  readonly model: string;
  readonly toolProvider: string;
  readonly toolModel: string;
  /** In the order in which they are asked; absent: none. */
  readonly fallback?: readonly FallbackModel[];
}

/** A provider as an agent uses it: the resolved spec; key and headers stay references. */
export interface ProviderBinding {
  /** Provider id, as agents name it. */
  readonly id: string;
  /** Contribution of a plugin that implements the family. */
  readonly contribution: string;
  /** Configuration for the contribution; `${VAR}` and credential references unresolved. */
  readonly config: JsonObject;
}

/**
 * A topology that a run may ask for through an `agent` skill, frozen with the run: an edit of the
 * workspace reaches a run that was asked for no more than the one that asked. `refused`: it cannot
 * run, and a call of it fails with that code.
 */
export type FrozenTopology =
  | {
      readonly jobClass: JobClass;
      /** What the input of such a run must fit; null = anything. */
      readonly inputSchema: JsonSchema | null;
      /** Without `children`: those of the caller are handed on. */
      readonly snapshot: RunSnapshot;
    }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } };

/**
 * What decides the work of a run, frozen at submit, in compiled form
 * (docs/design/journal.md#snapshot). Never a secret: credentials are read live
 * (docs/design/journal.md#references).
 */
export interface RunSnapshot {
  readonly format: number;
  /** See RULE_SET. */
  readonly ruleSet?: number;
  readonly workspaceId: string;
  readonly topology: {
    readonly name: string;
    readonly version: string;
    /** For people; decides nothing. Absent: there is none, or it was frozen before. */
    readonly description?: string;
    readonly root: AgentNode;
  };
  /** Digest of the canary route that chose the version; absent: no route did. */
  readonly route?: string;
  /** Runs of other systems above this one and the runs that it asks for; absent: none. */
  readonly depth?: number;
  readonly skills: Readonly<Record<string, LinkedSkill>>;
  /**
   * Funnels that some agent names. Absent in snapshots from before funnels: no agent of theirs can
   * name one.
   */
  readonly funnels?: Readonly<Record<string, LinkedFunnel>>;
  /**
   * Tool servers that some skill of the run calls, by id. This and what follows is absent where
   * there is none.
   */
  readonly servers?: Readonly<Record<string, LinkedServer>>;
  readonly decisions?: readonly DecisionBinding[];
  readonly planning?: Planning;
  readonly synthesis?: Synthesis;
  readonly compression?: CompressionPolicy;
  readonly memory?: MemorySettings;
  /** Knowledge bases that some skill of the run searches. */
  readonly knowledge?: readonly FrozenKnowledge[];
  readonly tasks?: TaskBounds;
  /** Absent: each gap is recorded, and listed from the first on. */
  readonly gaps?: GapSettings;
  /** Upper bound of what the log keeps of a call, with the one of now; absent = `detailed`. */
  readonly auditLevel?: AuditLevel;
  /** Topologies that this run or one below it may ask for, by the name that skills use. */
  readonly children?: Readonly<Record<string, FrozenTopology>>;
  /**
   * Earlier turns of the conversation that the run is a turn of, oldest first: messages before its
   * input. Absent: there are none, or it was frozen when the input still held them.
   */
  readonly conversation?: readonly EarlierTurn[];
  /** Set for a run that judges an output in place of carrying out the topology. */
  readonly judge?: Judgement;
  /** `gates.auto_resume`; absent = true. */
  readonly autoResume?: boolean;
  readonly adapters: Readonly<
    Record<
      string,
      {
        readonly spec: JsonObject;
        readonly digest: string;
        readonly source: 'bundled' | 'workspace';
        /** Variables that agents hand to its program; absent: none. */
        readonly env?: readonly string[];
      }
    >
  >;
  /** Provider id -> binding, for every provider that some agent or skill may call. */
  readonly providers: Readonly<Record<string, ProviderBinding>>;
  /**
   * Agent id -> provider and model after KIT_PROVIDER / KIT_MODEL; skills under `skill:<id>`, bound
   * decision skills of agents without a model under `judge:<id>`, the synthesis under
   * `role:synthesis`.
   */
  readonly models: Readonly<Record<string, ChosenModel>>;
  readonly limits: Limits;
  /** Every KIT_* variable marked `run` in the registry, with its effective value. */
  readonly env: Readonly<Record<string, string | number>>;
  readonly humanScopes: readonly string[];
  readonly governance: { readonly provider: string; readonly config: JsonObject };
  /** HEAD of the repository at submit; null without one or without a harness agent. */
  readonly baseCommit: string | null;
}

/** Effective value of a numeric `run` variable, frozen in the snapshot. */
export function numberOf(snapshot: RunSnapshot, name: string): number {
  const value = snapshot.env[name];
  if (typeof value !== 'number') throw new Error(`snapshot holds no number for ${name}`);
  return value;
}

export function stringOf(snapshot: RunSnapshot, name: string): string {
  const value = snapshot.env[name];
  return value === undefined ? '' : String(value);
}
