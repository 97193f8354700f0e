import type { ObserveRenderers, Renderers } from '../cli/renderers.js';
import { jobControl, type LogLines, refreshTerminalSize } from './terminal.js';

/** The renderers that commands use; none of them brings React before `loadLiveRun` is called. */
export async function loadRenderers(logLines: LogLines): Promise<Renderers> {
  const [{ validationText }, { validationJson }, { validationSarif }, { validationGithub }, { eventLine }, { runSummary }, { pluginCheckText }] =
    await Promise.all([
      import('../ui/validation-text.js'),
      import('../ui/validation-json.js'),
      import('../ui/findings-sarif.js'),
      import('../ui/findings-github.js'),
      import('../ui/lines/event-line.js'),
      import('../ui/lines/run-summary.js'),
      import('../ui/plugin-check-text.js'),
    ]);
  return {
    validationText,
    validationJson,
    validationSarif,
    validationGithub,
    eventLine,
    runSummary,
    pluginCheckText,
    observe: loadObserveRenderers,
    loadLiveRun: () => loadLiveRun(logLines),
  };
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

async function loadLiveRun(logLines: LogLines): ReturnType<Renderers['loadLiveRun']> {
  const [{ openLiveRun }, { createClock }] = await Promise.all([import('../ui/live/live-run.js'), import('../system/clock.js')]);
  const parts = {
    stderr: process.stderr,
    stdin: process.stdin,
    clock: createClock(),
    takeLogLines: logLines.takeOver,
    jobControl: jobControl(process),
    refreshSize: () => refreshTerminalSize(process),
  };
  return (options) => openLiveRun(parts, options);
}
