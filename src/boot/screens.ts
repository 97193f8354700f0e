import type { ProcessIo } from '../cli/process-io.js';
import type { Screens } from '../cli/screens.js';
import { loadReact } from './load-react.js';
import { jobControl, type LogLines, refreshTerminalSize } from './terminal.js';

/** What takes the terminal, with React: a command loads the one that it shows. */
export function createScreens(io: ProcessIo, logLines: LogLines): Screens {
  return {
    loadTop: () => loadTop(io, logLines),
    loadInbox: () => loadInbox(io, logLines),
    loadLiveRun: () => loadLiveRun(io, logLines),
  };
}

async function loadLiveRun(io: ProcessIo, logLines: LogLines): ReturnType<Screens['loadLiveRun']> {
  const [{ openLiveRun }, { createClock }] = await Promise.all([
    loadReact(process.env, () => import('../ui/live-run.js')),
    import('../system/clock.js'),
  ]);
  const parts = {
    stderr: io.stderr,
    stdin: io.stdin,
    clock: createClock(),
    takeLogLines: logLines.takeOver,
    jobControl: jobControl(io.events),
    refreshSize: () => refreshTerminalSize(io.events),
  };
  return (options) => openLiveRun(parts, options);
}

async function loadInbox(io: ProcessIo, logLines: LogLines): ReturnType<Screens['loadInbox']> {
  const { holdYoungGeneration } = await import('../system/young-generation.js');
  const release = holdYoungGeneration();
  const { runInbox } = await loadReact(process.env, () => import('../ui/inbox-screen.js'));
  return (options) => runInbox(screenParts(io, logLines), options).finally(release);
}

async function loadTop(io: ProcessIo, logLines: LogLines): ReturnType<Screens['loadTop']> {
  const [{ holdYoungGeneration }, { createClock }] = await Promise.all([
    import('../system/young-generation.js'),
    import('../system/clock.js'),
  ]);
  const release = holdYoungGeneration();
  const { runTop } = await loadReact(process.env, () => import('../ui/top-screen.js'));
  return (options) => runTop({ ...screenParts(io, logLines), clock: createClock() }, options).finally(release);
}

/** The terminal for a screen of its own. */
const screenParts = (io: ProcessIo, logLines: LogLines) => ({
  stdout: io.stdout,
  stdin: io.stdin,
  jobControl: jobControl(io.events),
  takeLogLines: logLines.takeOver,
  writeLog: (line: string) => logLines.write(line),
});
