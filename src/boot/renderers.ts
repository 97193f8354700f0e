import type { Renderers } from '../cli/renderers.js';

/** The renderers that commands use; none of them brings React. */
export async function loadRenderers(): Promise<Renderers> {
  const [{ validationText }, { validationJson }, { validationSarif }, { validationGithub }, { eventLine }, { runSummary }] = await Promise.all([
    import('../ui/validation-text.js'),
    import('../ui/validation-json.js'),
    import('../ui/findings-sarif.js'),
    import('../ui/findings-github.js'),
    import('../ui/lines/event-line.js'),
    import('../ui/lines/run-summary.js'),
  ]);
  return { validationText, validationJson, validationSarif, validationGithub, eventLine, runSummary };
}
