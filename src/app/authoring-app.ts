import type { InitPlan, Template } from './init/init-workspace.js';

/** Use cases of someone who writes a workspace; they start no run. */
export interface AuthoringApp {
  /** Page of a diagnostic code, in Markdown. Throws KIT_USAGE for an unknown code. */
  explain(code: string): Promise<string>;
  /** Templates that `kit init` can write. */
  templates(): Promise<readonly Template[]>;
  /**
   * Plans a new workspace; writes nothing. Throws KIT_USAGE: unknown template, or files in the way
   * (all of them named).
   */
  planInit(request: { readonly directory: string; readonly template: string }): Promise<InitPlan>;
  /** Writes a plan; never overwrites. */
  writeInit(plan: InitPlan): Promise<void>;
}
