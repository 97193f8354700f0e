import type { JsonObject } from '../../domain/json.js';
import type { ModelChoice } from '../init/choose-provider.js';

/** What `kit new` writes. Ids are lower-case letters, digits and dashes. */
export type PartRequest =
  /** A tree of two levels. Agents without an archetype get one. */
  | { readonly part: 'topology'; readonly id: string; readonly root: string; readonly agents: readonly string[] }
  /** `harness`: id of the adapter of a coding harness that does its work; null = a model. */
  | {
      readonly part: 'agent';
      readonly id: string;
      readonly role: AgentRole;
      readonly skills: readonly string[];
      readonly harness: string | null;
    }
  | { readonly part: 'skill'; readonly id: string; readonly does: SkillWork }
  | {
      readonly part: 'tool-server';
      readonly id: string;
      readonly reach: ServerReach;
      readonly credential: string | null;
    }
  /**
   * `people`: distinct people who must sign; null = as many as the roles need. `topology`: whose
   * root agent passes it; null = nobody yet.
   */
  | {
      readonly part: 'funnel';
      readonly id: string;
      readonly roles: readonly string[];
      readonly people: number | null;
      readonly topology: string | null;
    }
  | {
      readonly part: 'role';
      readonly id: string;
      readonly members: readonly string[];
      readonly scopes: readonly string[];
    }
  | { readonly part: 'trigger'; readonly id: string; readonly topology: string; readonly fires: Firing }
  | {
      readonly part: 'provider';
      readonly id: string;
      readonly family: string;
      readonly baseUrl: string | null;
      readonly keyEnv: string | null;
    }
  | { readonly part: 'eval'; readonly id: string; readonly topology: string }
  /** `path`: file or folder of documents, relative to the workspace. */
  | { readonly part: 'knowledge'; readonly id: string; readonly topology: string; readonly path: string };

export type PartName = PartRequest['part'];
export type PartOf<P extends PartName> = Extract<PartRequest, { readonly part: P }>;

export type AgentRole = 'root' | 'leader' | 'worker';

/** What a call of a new skill does. */
export type SkillWork =
  | { readonly by: 'prompt' }
  | { readonly by: 'tool'; readonly server: string; readonly tool: string }
  | { readonly by: 'topology'; readonly topology: string };

/** How a tool server is reached: an argv that starts it, or its address. */
export type ServerReach =
  | { readonly by: 'command'; readonly argv: readonly string[] }
  | { readonly by: 'url'; readonly url: string };

/**
 * What makes a trigger fire. `timezone`: IANA name. `input`: what the run is asked; null = a
 * placeholder for its author. `pattern`: glob below the workspace.
 */
export type Firing =
  | { readonly on: 'schedule'; readonly cron: string; readonly timezone: string; readonly input: string | null }
  | { readonly on: 'webhook' }
  | { readonly on: 'files'; readonly pattern: string };

/** What stands in the workspace already, as far as a new part refers to it. */
export interface Known {
  readonly archetypes: readonly string[];
  /** Bundled adapters of coding harnesses, and whether their program asks kit before a call. */
  readonly adapters: ReadonlyMap<string, boolean>;
  /** Role id to the scopes that it confers. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** The model that agents of a new file use; null = what needs no model. */
  readonly model: ModelChoice | null;
}

/** One file of a new part. */
export interface PartFile {
  /** Relative to the workspace, `/` between its parts. */
  readonly path: string;
  readonly text: string;
}

/** A change of a file that is there; `keys` lead to it from the top of the file. */
export type FileChange = {
  readonly in: { readonly file: 'workspace' } | { readonly file: 'topology'; readonly topology: string };
  readonly keys: readonly string[];
} & (
  | { readonly do: 'append'; readonly entry: JsonObject & { readonly id: string } }
  /** Only where nothing stands, or the same. */
  | { readonly do: 'set'; readonly value: string }
);

/** What a part would write, and what its author does next. */
export interface PartDraft {
  readonly files: readonly PartFile[];
  readonly change: FileChange | null;
  /** Lines to read after it was written: sentences, and commands without the program's name. */
  readonly next: readonly NextStep[];
}

/** `command`: arguments of kit, to be pasted; `words`: a sentence. */
export type NextStep = { readonly command: readonly string[] } | { readonly words: string };

/** A file of the workspace as it will be. */
export interface EditedFile extends PartFile {
  /** Where it is written: absolute, links resolved. */
  readonly real: string;
  /** Tag of the bytes that it had when it was planned. */
  readonly before: string;
}

/** What would be written where. Nothing has been written yet. */
export interface PartPlan {
  /** Real path of the workspace. */
  readonly root: string;
  readonly files: readonly PartFile[];
  /** A file that gets one more entry; null = none. */
  readonly edited: EditedFile | null;
  readonly next: readonly NextStep[];
}
