import type { AgentNode } from '../../domain/agent-node.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { WireCredential, WireEditProblem, WireEditReport } from '../../view/schemas/editing.js';

/** Folders whose files are edited one by one. The first three are listed and shown as well. */
export type EditableKind = 'topologies' | 'skills' | 'archetypes' | 'funnels' | 'contracts' | 'roles';

/**
 * An artifact of one workspace. `id`: what its file says; a topology may be `name@version`, a bare
 * name is its highest version.
 */
export interface ArtifactAsk {
  /** Absolute directory. */
  readonly workspace: string;
  readonly kind: EditableKind;
  readonly id: string;
}

/** One row of a list. */
export interface ArtifactRow {
  /** Names exactly this file: the lower versions of a topology are `name@version`. */
  readonly id: string;
  readonly name: string;
  /** Topologies alone. */
  readonly version: string | null;
  /** '' when the file has none, or cannot be read as YAML. */
  readonly description: string;
  /** Skills alone. */
  readonly category: string | null;
  /** Archetypes alone. */
  readonly role: string | null;
  /** Workspace-relative. */
  readonly path: string;
}

/** An agent of a topology after merge. */
export interface ResolvedAgent extends Pick<AgentNode, 'id' | 'role' | 'skills' | 'requires' | 'funnel'> {
  readonly sourceArchetype: string | null;
  /** Ids of the siblings that it waits for. */
  readonly dependsOn: readonly string[];
  /** As the files name it; null for an agent that calls no model. */
  readonly model: { readonly provider: string | null; readonly name: string | null } | null;
  readonly children: readonly ResolvedAgent[];
}

/** What one file says. Text of files is as it was written: `${VAR}` stays. */
export type ArtifactDetail =
  | {
      readonly kind: 'topologies';
      readonly id: string;
      readonly version: string | null;
      readonly description: string;
      /** Null while anything in the workspace is an error. */
      readonly resolved: ResolvedAgent | null;
      /** What a run is asked with; null: any text, or the workspace has an error. */
      readonly inputSchema: JsonObject | null;
    }
  | {
      readonly kind: 'skills';
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly category: string | null;
      readonly implementationType: string | null;
    }
  | {
      readonly kind: 'archetypes';
      readonly id: string;
      readonly name: string;
      readonly description: string;
      readonly role: string | null;
      readonly defaults: { readonly model: JsonObject | null; readonly skills: readonly Json[] };
    };

/**
 * What a file is to say: its whole text, or its content, which is laid into the text that is there.
 */
export type Change =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'content'; readonly content: JsonObject };

/**
 * What the caller knows of the file (RFC 9110, 13.1); null = nothing was said, the last write wins.
 */
export interface Preconditions {
  /** `If-Match` as it came. */
  readonly ifMatch: string | null;
  /** `If-None-Match` as it came: `*` = the file must not exist. */
  readonly ifNoneMatch: string | null;
}

/**
 * One thing that makes a workspace invalid. `code`: of the diagnostic (docs/diagnostics/<code>.md),
 * or `edit.*` for a mistake of the request (docs/authoring-api.md). `pointer`: RFC 6901. `line`:
 * from 1; null when there is no text to point into.
 */
export type EditProblem = WireEditProblem;

/**
 * What a change came to, or what it would come to, with the ids of the workspace with the change.
 * `written`: false for `dryRun`, and when the file said so already. `reloaded`: new runs see it;
 * false for `dryRun`, and when the server could not take the files over: `POST /reload` says why.
 */
export type EditReport = WireEditReport;

/** A change with the place and the state of what was changed. */
export interface Edited {
  readonly id: string;
  /** Strong; null for a refused `dryRun`. */
  readonly etag: string | null;
  readonly report: EditReport;
}

/**
 * One credential of a workspace: where it comes from, never what it is. `config`: the keys that
 * hold no secret. `identity`: whose it is, where the source knows owners. `resolves`: it yields a
 * value right now.
 */
export type CredentialRow = WireCredential;

/**
 * The sections of the workspace file that are shown; literals that look like secrets are masked.
 */
export interface ConfigReport {
  readonly credentials: readonly CredentialRow[];
  readonly mcpServers: readonly JsonObject[];
  readonly events: readonly JsonObject[];
  readonly etag: string;
}

/** An entry of a section of the workspace file. */
export interface EntryAsk {
  readonly workspace: string;
  readonly section: string;
  readonly entry: string;
}

/**
 * Changing the files of a workspace through kit. A change is compiled with the whole workspace, in
 * memory, before anything is written; a refused one throws KIT_EDIT_INVALID, whose `data` has
 * `valid: false` and `errors` (EditProblem), and leaves every file as it was. One change at a time,
 * reloads among them; a file is replaced in one step, and the server takes the new files over.
 *
 * All throw KIT_WORKSPACE_NOT_FOUND, and KIT_EDIT_INVALID for an id that is none. Changes throw
 * KIT_EDIT_STALE for a precondition that does not hold and KIT_EDIT_FAILED for files that cannot be
 * written.
 */
export interface EditingApp {
  /** By path. Works while the workspace has errors. */
  list(ask: Omit<ArtifactAsk, 'id'>): Promise<readonly ArtifactRow[]>;
  /** Throws KIT_EDIT_UNKNOWN. */
  show(ask: ArtifactAsk): Promise<{ readonly detail: ArtifactDetail; readonly etag: string }>;
  /** The file as it was written. Throws KIT_EDIT_UNKNOWN. */
  text(ask: ArtifactAsk): Promise<{ readonly text: string; readonly etag: string }>;
  /** The id is that of the text. Throws KIT_EDIT_EXISTS. */
  create(ask: Omit<ArtifactAsk, 'id'> & { readonly change: Change; readonly dryRun: boolean }): Promise<Edited>;
  /** Makes what is not there. */
  change(ask: ArtifactAsk & Preconditions & { readonly change: Change; readonly dryRun: boolean }): Promise<Edited>;
  /** Throws KIT_EDIT_UNKNOWN, KIT_EDIT_IN_USE with the places that name it. */
  remove(ask: ArtifactAsk & Preconditions): Promise<{ readonly id: string; readonly reloaded: boolean }>;
  /** Works while the workspace has errors. */
  config(ask: { readonly workspace: string }): Promise<ConfigReport>;
  /**
   * Replaces one entry, or adds it. Throws KIT_REQUEST_MALFORMED for a section that is not edited
   * here.
   */
  changeEntry(ask: EntryAsk & Preconditions & { readonly value: JsonObject }): Promise<Edited>;
  /** Throws KIT_EDIT_UNKNOWN, KIT_EDIT_IN_USE, KIT_REQUEST_MALFORMED. */
  removeEntry(
    ask: EntryAsk & Preconditions,
  ): Promise<{ readonly id: string; readonly etag: string; readonly reloaded: boolean }>;
  /**
   * Takes over the files as they stand; invalid ones leave everything as it was. Waits for a change
   * that is under way. Throws KIT_NOT_READY.
   */
  reload(ask: { readonly workspace: string }): Promise<EditReport>;
}
