import type { Renderers } from '../cli/renderers.js';

/** The renderers that commands use; none of them brings React. */
export async function loadRenderers(): Promise<Renderers> {
  const [{ validationText }, { validationJson }, { eventLine }, { runSummary }, { pluginCheckText }] = await Promise.all([
    import('../ui/validation-text.js'),
    import('../ui/validation-json.js'),
    import('../ui/lines/event-line.js'),
    import('../ui/lines/run-summary.js'),
    import('../ui/plugin-check-text.js'),
  ]);
  return { validationText, validationJson, eventLine, runSummary, pluginCheckText };
}
