import type { Renderers } from '../cli/renderers.js';
import { jobControl, type LogLines } from './terminal.js';

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
  const clock = createClock();
  return (options) =>
    openLiveRun({ stderr: process.stderr, stdin: process.stdin, clock, takeLogLines: logLines.takeOver, jobControl: jobControl(process) }, options);
}
