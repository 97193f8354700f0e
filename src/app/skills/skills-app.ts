import type {
  AppliedSkills,
  CatalogueReport,
  ImportPlan,
  SkillChecks,
  SkillPlan,
  SkillRow,
} from '../../view/skill-report.js';

export type {
  AppliedSkills,
  BundleRow,
  CatalogueReport,
  ChangeState,
  ConfigEntry,
  ImportPlan,
  OfferedSkill,
  SkillChecks,
  SkillFile,
  SkillPlan,
  SkillRow,
} from '../../view/skill-report.js';

/** What a skill is made of. */
export type ImportSource =
  | { readonly kind: 'text'; readonly text: string; readonly origin: string }
  /** A file, a folder with a SKILL.md, or an http(s) address. Files are relative to `cwd`. */
  | { readonly kind: 'place'; readonly place: string; readonly cwd: string };

interface InWorkspace {
  /** Absolute directory. */
  readonly workspace: string;
}

interface PerhapsInWorkspace {
  /** Absolute directory; null = there is none, and only the catalogue is looked into. */
  readonly workspace: string | null;
}

export interface AddSkills extends InWorkspace {
  /**
   * Id of a bundle or of a skill of the catalogue. With `cwd` also a file (relative to it) or an
   * http(s) address of a Skill.
   */
  readonly ref: string;
  readonly cwd: string | null;
  /** Reads a remote catalogue anew. */
  readonly refresh: boolean;
}

/**
 * Skills of a workspace and of the catalogue (docs/skill-catalogue.md).
 *
 * All throw KIT_WORKSPACE_NOT_FOUND for a workspace that is named; what looks into the catalogue
 * KIT_CATALOGUE_UNREACHABLE.
 */
export interface SkillsApp {
  /** By id. Works while the workspace has errors. */
  list(ask: InWorkspace): Promise<readonly SkillRow[]>;
  /** What can be added; `query`: words that all have to occur, '' = everything. */
  catalogue(ask: PerhapsInWorkspace & { readonly query: string; readonly refresh: boolean }): Promise<CatalogueReport>;
  /** The file of a skill, of the workspace first. Throws KIT_SKILL_UNKNOWN. */
  show(
    ask: PerhapsInWorkspace & { readonly id: string; readonly refresh: boolean },
  ): Promise<{ readonly source: string; readonly path: string; readonly text: string }>;
  /**
   * Plans skills with the server that carries them out. What it would write compiles; problems that
   * the workspace had before are not in the way. Throws KIT_SKILL_UNKNOWN, KIT_SKILL_REFUSED.
   */
  planAdd(ask: AddSkills): Promise<SkillPlan>;
  /**
   * Plans again and writes all of it or nothing. `digest`: of the plan that was agreed to. Throws
   * what `planAdd` throws, KIT_CATALOGUE_CHANGED, KIT_EDIT_STALE, KIT_EDIT_FAILED.
   */
  add(
    ask: AddSkills & { readonly digest: string },
  ): Promise<{ readonly plan: SkillPlan; readonly applied: AppliedSkills }>;
  /** Plans a skill from a SKILL.md. Throws KIT_SKILL_UNKNOWN, KIT_SKILL_REFUSED. */
  planImport(ask: ImportSkill): Promise<ImportPlan>;
  /** Throws what `planImport` throws, KIT_EDIT_STALE, KIT_EDIT_FAILED. */
  import(ask: ImportSkill): Promise<{ readonly plan: ImportPlan; readonly applied: AppliedSkills }>;
  /**
   * Starts servers and looks for the tools that skills call: `named` starts those that skills name,
   * `all` every one of the workspace. Throws KIT_WORKSPACE_INVALID.
   */
  check(ask: InWorkspace & { readonly start: 'named' | 'all' }): Promise<SkillChecks>;
  /** Throws KIT_SKILL_UNKNOWN, KIT_SKILL_HELD with the holders, KIT_EDIT_FAILED. */
  remove(ask: InWorkspace & { readonly id: string }): Promise<{ readonly path: string; readonly reloaded: boolean }>;
}

export interface ImportSkill extends InWorkspace {
  readonly source: ImportSource;
  /** Topology that gets the documents as a knowledge base; null = the only one, if there is one. */
  readonly topology: string | null;
}
