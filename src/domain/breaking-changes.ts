/**
 * A change that takes something away. `at`: the interface level or the version of the package from
 * which on it holds.
 */
export interface BreakingChange {
  readonly at: { readonly level: string } | { readonly version: string };
  readonly summary: string;
  /** What to do about it. */
  readonly migration: string;
}

/**
 * Of the interface and of kit itself, oldest first. A package carries the table as `kitRuntime` too
 * (`breaking`), so that an older kit shows what it does not know yet.
 */
export const BREAKING_CHANGES: readonly BreakingChange[] = [
  {
    at: { level: '1.189.0' },
    summary:
      'The bundled pipeline layer is gone: kind StageGraph, the saga controller, kit orchestrator, kit pipeline, POST /pipelines/*.',
    migration:
      'Sequence runs in your application and tie them together with correlation_id; a topology with children or depends_on does the work of a stage graph.',
  },
  {
    at: { level: '1.199.0' },
    summary: 'permission: readonly decides by the declared effects of a tool, not by words in its name.',
    migration: 'Declare `effects` of the tools of each server; kit validate lists servers that are readonly.',
  },
];
