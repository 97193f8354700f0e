import type { ObserveRenderers, Renderers } from '../cli/renderers.js';

/** The renderers that commands use; none of them brings React. */
export async function loadRenderers(): Promise<Renderers> {
  const [{ validationText }, { validationJson }, { eventLine }, { runSummary }] = await Promise.all([
    import('../ui/validation-text.js'),
    import('../ui/validation-json.js'),
    import('../ui/lines/event-line.js'),
    import('../ui/lines/run-summary.js'),
  ]);
  return { validationText, validationJson, eventLine, runSummary, observe: loadObserveRenderers };
}

async function loadObserveRenderers(): Promise<ObserveRenderers> {
  const [{ statusText }, { traceText }, { logHeader, waitText }, { logMarkdown }, { gapsText, inertText }, { reportHtml }] = await Promise.all([
    import('../ui/observe/status-text.js'),
    import('../ui/observe/trace-text.js'),
    import('../ui/observe/log-text.js'),
    import('../ui/observe/log-markdown.js'),
    import('../ui/observe/gaps-text.js'),
    import('../ui/report/report-html.js'),
  ]);
  return { statusText, traceText, logHeader, waitText, logMarkdown, gapsText, inertText, reportHtml };
}
