import { join } from 'node:path';
import type { EvalApp } from '../app/evals/eval-app.js';
import { onAbort } from '../lib/on-abort.js';
import type { AppParts, Runs } from './parts.js';
import { stateDirOf } from './state-dir.js';

/** Wires the use cases of eval sets; their runs are those of `kit run`. */
export async function openEvals(
  { env }: Pick<AppParts, 'env'>,
  runs: Pick<Runs, 'app' | 'session' | 'observe'>,
): Promise<EvalApp> {
  const [{ createEvalApp }, { clock }, { nodeFiles }, { nodeNewFiles }, patterns, { REGEX_MS }] = await Promise.all([
    import('../app/evals/create-eval-app.js'),
    runs.observe(),
    import('../system/files.js'),
    import('../system/new-files.js'),
    import('../system/patterns-in-time.js'),
    import('../app/evals/expectations.js'),
  ]);
  return createEvalApp({
    clock,
    execute: async (start, signal) => {
      const handle = await runs.app.start(start);
      // A stop that cannot be recorded leaves the run to its end.
      const off = onAbort(signal, () => void handle.stop(start.submittedBy.identity).catch(() => undefined));
      return handle.done.finally(off);
    },
    openStores: async (workspace) => (await runs.session(workspace)).openStores(),
    judgePatterns: patterns.createPatternJudge(REGEX_MS),
    loadWorkspace: async (workspace) => (await runs.session(workspace)).workspace,
    resolveCheck: async (workspace, name) => (await runs.session(workspace)).plugins.resolve('evalChecks', name, {}),
    files: nodeFiles,
    newFiles: nodeNewFiles,
    resultsDir: (workspace) => join(stateDirOf(workspace, env), 'eval-results'),
  });
}
