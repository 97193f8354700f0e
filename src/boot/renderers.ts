import type { Renderers } from '../cli/renderers.js';
import { jobControl, type LogLines, refreshTerminalSize } from './terminal.js';

/** The renderers that commands use; none of them brings React before `loadLiveRun` is called. */
export async function loadRenderers(logLines: LogLines): Promise<Renderers> {
  const [{ validationText }, { validationJson }, { eventLine }, { runSummary }] = await Promise.all([
    import('../ui/validation-text.js'),
    import('../ui/validation-json.js'),
    import('../ui/lines/event-line.js'),
    import('../ui/lines/run-summary.js'),
  ]);
  return { validationText, validationJson, eventLine, runSummary, loadLiveRun: () => loadLiveRun(logLines) };
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
