import type { FixReport } from './fix-report.js';
import type { FromPlan, FromRequest } from './init/from/plan-from.js';
import type { InitPlan, InitRequest, Template, WritablePlan } from './init/init-workspace.js';
import type { SchemasReport } from './init/write-schemas.js';
import type { PartPlan, PartRequest } from './scaffold/part-request.js';

/** Use cases of someone who writes a workspace; they start no run. */
export interface AuthoringApp {
  /** Page of a diagnostic code, in Markdown. Throws KIT_USAGE for an unknown code. */
  explain(code: string): Promise<string>;
  /** Templates that `kit init` can write: those to begin with first. */
  templates(): Promise<readonly Template[]>;
  /**
   * Plans a new workspace; writes nothing. Throws KIT_USAGE: unknown template, or files in the way
   * (all of them named).
   */
  planInit(request: InitRequest): Promise<InitPlan>;
  /**
   * Fetches a workspace from elsewhere into memory and plans it as a new one; writes nothing and
   * starts nothing of it. Throws KIT_USAGE: what it cannot be fetched from, what it may not hold,
   * files in the way.
   */
  planFrom(request: FromRequest): Promise<FromPlan>;
  /** Writes a plan; never overwrites. */
  writeInit(plan: WritablePlan): Promise<void>;
  /**
   * Plans a part of a workspace (`kit new`); writes nothing. What it would write compiles. Throws
   * KIT_WORKSPACE_NOT_FOUND; KIT_USAGE: an id that is none or is taken, a name that leads nowhere,
   * what would not be valid.
   */
  planPart(ask: { readonly workspace: string; readonly request: PartRequest }): Promise<PartPlan>;
  /** Writes a plan; never overwrites. KIT_USAGE, KIT_EDIT_STALE: what is there has changed. */
  writePart(plan: PartPlan): Promise<void>;
  /**
   * The schemas of a workspace's files, beside it for editors (`kit schemas`): says what is not
   * yet there, and writes it with `write`. Throws KIT_WORKSPACE_NOT_FOUND; KIT_USAGE for a link in
   * the way.
   */
  schemas(ask: { readonly workspace: string; readonly write: boolean }): Promise<SchemasReport>;
  /**
   * Fixes the problems of a workspace that have only one right answer (`kit validate --fix`):
   * writes all files or none, or nothing without `write`. Throws KIT_WORKSPACE_NOT_FOUND;
   * KIT_EDIT_INVALID for a file that is a link out of its folder; KIT_EDIT_STALE, KIT_EDIT_FAILED.
   */
  fix(ask: { readonly workspace: string; readonly write: boolean }): Promise<FixReport>;
}
