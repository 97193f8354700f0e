import type { JsonObject } from '../domain/json.js';

/** A skill file of a workspace. */
export interface SkillRow {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** `implementation.type`. */
  readonly backing: string;
  /** Id of the tool server that it calls; null = none. */
  readonly server: string | null;
  /** Workspace-relative. */
  readonly path: string;
  /**
   * Who names it, in words: `archetype writer`, `agent main/reader`, `binding of main`,
   * `binding of the workspace`, `judge of sign-off`, `skill panel`.
   */
  readonly heldBy: readonly string[];
}

/** A bundle of a catalogue. */
export interface BundleRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Ids. */
  readonly skills: readonly string[];
  /** In words: how somebody made sure that it works; '' = nobody says. */
  readonly verification: string;
  /** Lowest interface level, such as `>=1.199.0`; null = any. */
  readonly requiresRuntime: string | null;
  /** Programs that have to be on PATH. */
  readonly needs: readonly string[];
}

/** A skill of a catalogue. */
export interface OfferedSkill extends Pick<SkillRow, 'id' | 'name' | 'backing' | 'server'> {
  /** Id of its bundle. */
  readonly bundle: string;
  readonly description: string;
  /** The workspace has a skill of this id. */
  readonly isInstalled: boolean;
}

export interface CatalogueReport {
  /** `bundled`, a directory, or an address. */
  readonly source: string;
  readonly bundles: readonly BundleRow[];
  readonly skills: readonly OfferedSkill[];
  /** Bundles that cannot be added, with the reason. */
  readonly broken: readonly { readonly id: string; readonly problem: string }[];
  /** Ids of skills of the workspace that the question finds. */
  readonly workspace: readonly string[];
}

/** What a file or an entry would become. */
export type ChangeState = 'new' | 'same' | 'differs';

/** One file as it would be written. */
export interface SkillFile {
  /** Workspace-relative. */
  readonly path: string;
  readonly text: string;
  readonly state: ChangeState;
}

/** An entry of workspace.yaml as it would be written. */
export interface ConfigEntry {
  readonly section: 'mcp_servers' | 'credentials';
  readonly id: string;
  readonly value: JsonObject;
  /** A credential that differs is kept as it is. */
  readonly state: ChangeState;
}

/** What would be written. Nothing has been written yet. */
export interface SkillPlan {
  readonly files: readonly SkillFile[];
  /** Null: none is needed. */
  readonly server: ConfigEntry | null;
  readonly credentials: readonly ConfigEntry[];
  /** What to know, a sentence each. */
  readonly notes: readonly string[];
  /** SHA-256 hex of what is written, whatever the workspace holds. */
  readonly digest: string;
}

/** What was written. */
export interface AppliedSkills {
  /** Workspace-relative; those that said so already are left out. */
  readonly files: readonly string[];
  /** The entry of the server was added or replaced. */
  readonly server: boolean;
  /** A server took the files over; false where none runs. */
  readonly reloaded: boolean;
}

/** A SKILL.md as a skill. */
export interface ImportPlan extends SkillPlan {
  readonly skill: string;
  /** Where the skill goes. */
  readonly path: string;
  /** What of the folder is not part of the workspace afterwards, a sentence each. */
  readonly leftOut: readonly string[];
}

/** What the tool servers of a workspace say of their tools. */
export interface SkillChecks {
  /** A row for each skill that calls a tool, by id of the skill. */
  readonly checks: readonly SkillCheck[];
  /** A row for each server that was started, by id. */
  readonly servers: readonly ServerTools[];
}

/** The tools that a server has; `detail` says why it did not start, else it is ''. */
export interface ServerTools {
  readonly server: string;
  readonly tools: readonly string[];
  readonly detail: string;
}

/** Whether the tool behind a skill is there. */
export interface SkillCheck {
  readonly skill: string;
  readonly server: string;
  readonly tool: string;
  readonly status: 'ok' | 'missing' | 'server-failed';
  readonly detail: string;
}
