import type { Json, JsonObject } from '../../domain/json.js';
import type { LinkedCommand } from '../../domain/linked-skill.js';
import type { ChildRuns } from '../../domain/ports/child-runs.js';
import type { Compressor } from '../../domain/ports/compressor.js';
import type { ContainerSettings, Executor } from '../../domain/ports/executor.js';
import type { ModelLimiter } from '../../domain/ports/limiter.js';
import type { ModelProvider } from '../../domain/ports/model.js';
import type { AskVersion } from '../../domain/ports/programs.js';
import type { RemoteAgents } from '../../domain/ports/remote-agents.js';
import type { SkillStrategy } from '../../domain/ports/skill-strategy.js';
import type { Clock, LeaseSignal, Processes } from '../../domain/ports/system.js';
import type { ToolServer } from '../../domain/ports/tools.js';
import type { Worktrees } from '../../domain/ports/worktrees.js';
import type { ProviderBinding } from '../../domain/snapshot.js';
import type { LinkedServer } from '../../domain/tool-server.js';
import type { RunStores } from './run-stores.js';

/** How a run reaches the outside: models, programs, servers, files and other runs. */
export interface RunPorts extends RunStores {
  readonly clock: Clock;
  /** Waits between two attempts of one call; default: the clock. A replay waits for nobody. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A provider for the calls of one step; `stepKey` is the key of that step. */
  readonly provider: (binding: ProviderBinding, stepKey: string) => Promise<ModelProvider>;
  /** Bounds the requests to each provider; absent: they are not bounded. */
  readonly limiter?: ModelLimiter;
  /** An executor for the session of one step. */
  readonly executor: (kind: string, config: JsonObject, stepKey: string) => Promise<Executor>;
  /** A contribution to `compressors`, by name or id. Rejects with KIT_PLUGIN_*. */
  readonly compressor: (nameOrId: string) => Promise<Compressor>;
  /** A contribution to `skillStrategies`, by name or id. Rejects with KIT_PLUGIN_*. */
  readonly strategy: (nameOrId: string) => Promise<SkillStrategy>;
  readonly processes: Processes;
  readonly worktrees: Worktrees;
  /** Absolute workspace directory; commands and worktrees start from it. */
  readonly workspaceRoot: string;
  /** The allowlisted environment of any child process, without secrets. */
  readonly childEnv: Readonly<Record<string, string>>;
  /**
   * Values of variables that an agent hands to its program by name; masked from then on. Throws
   * KIT_CREDENTIAL_UNRESOLVED for one that is not set. Absent: none is to be had.
   */
  readonly variables?: (names: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  /**
   * What a program says of itself; the answer is kept for a while. Absent: it is not asked. It is
   * started with nothing but `--version`.
   */
  readonly askVersion?: AskVersion;
  /** For executors that run in a container; absent: nothing is set. */
  readonly containers?: Omit<ContainerSettings, 'workspaceRoot'>;
  /**
   * Environment of one command with `${VAR}` and credential references resolved, at the point of
   * use: the step of this key. Throws KIT_BINARY_VERSION where a binary of its pack is there in
   * another version than the pack asks for.
   */
  readonly commandEnv: (command: LinkedCommand, stepKey: string) => Promise<Readonly<Record<string, string>>>;
  /**
   * The server of a tool, opened when it is first asked for: its processes run under the lease of
   * the run, or as long as this process where servers are shared. `stepKey` is the key of the step
   * that asks. Throws KIT_TOOL_SERVER_FAILED with the last lines of stderr in its message.
   */
  readonly toolServer: (server: LinkedServer, lease: LeaseSignal, stepKey: string) => Promise<ToolServer>;
  /**
   * The runs that this one asks for; absent: there can be none, and a skill that needs one fails.
   */
  readonly children?: ChildRuns;
  /** The way to agents that run elsewhere; absent: a skill that calls one fails. */
  readonly remoteAgents?: RemoteAgents;
  /** Errors of a value against a JSON Schema, as short sentences with a pointer. */
  readonly validate: (schema: JsonObject, value: Json) => Promise<readonly SchemaError[]>;
}

export type SchemaError = {
  readonly pointer: string;
  readonly message: string;
};
