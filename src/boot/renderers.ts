import type { AdapterRenderers, ChangesRenderers, TrustRenderers } from '../cli/harness-renderers.js';
import type { InfoRenderers } from '../cli/info-renderers.js';
import type { ProcessIo } from '../cli/process-io.js';
import type {
  DoctorRenderers,
  EvalRenderers,
  ObserveRenderers,
  Renderers,
  ReviewRenderers,
  RunRenderers,
  ValidationFindingsRenderers,
  ValidationRenderers,
} from '../cli/renderers.js';
import { loadReact } from './load-react.js';
import { jobControl, type LogLines, refreshTerminalSize } from './terminal.js';

/**
 * The renderers that commands use, a loader for each concern: a command loads what it shows, and
 * React for the live tree alone.
 */
export function createRenderers(io: ProcessIo, logLines: LogLines): Renderers {
  return {
    validation: loadValidationRenderers,
    validationFindings: loadFindingsRenderers,
    run: loadRunRenderers,
    pluginCheck: async () => (await import('../ui/plugin-check-text.js')).pluginCheckText,
    proofVerdict: async () => (await import('../ui/proof-verdict-text.js')).proofVerdictText,
    observe: loadObserveRenderers,
    review: loadReviewRenderers,
    artifacts: async () => (await import('../ui/observe/artifacts-text.js')).artifactsText,
    adapters: loadAdapterRenderers,
    trust: loadTrustRenderers,
    changes: loadChangesRenderers,
    evals: loadEvalRenderers,
    info: loadInfoRenderers,
    usageText: async () => (await import('../ui/info/usage-text.js')).usageText,
    fleet: async () => ({ topText: (await import('../ui/top/top-text.js')).topText }),
    stopText: async () => (await import('../ui/top/stop-text.js')).stopText,
    loadTop: () => loadTop(io, logLines),
    doctor: loadDoctorRenderers,
    loadInbox: () => loadInbox(io, logLines),
    loadLiveRun: () => loadLiveRun(io, logLines),
  };
}

async function loadAdapterRenderers(): Promise<AdapterRenderers> {
  const [{ adaptersText, adapterText, approvalText }, { adapterJson, adapterDetailsJson }] = await Promise.all([
    import('../ui/adapters/adapters-text.js'),
    import('../ui/adapters/adapters-json.js'),
  ]);
  return { adaptersText, adapterText, approvalText, adapterJson, adapterDetailsJson };
}

async function loadTrustRenderers(): Promise<TrustRenderers> {
  const { trustText, proposalText, trustJson, proposalJson } = await import('../ui/trust/trust-text.js');
  return { trustText, proposalText, trustJson, proposalJson };
}

async function loadChangesRenderers(): Promise<ChangesRenderers> {
  const [{ diffText, diffStatText }, { appliedText }, { changesJson, appliedJson }] = await Promise.all([
    import('../ui/changes/diff-text.js'),
    import('../ui/changes/applied-text.js'),
    import('../ui/changes/changes-json.js'),
  ]);
  return { diffText, diffStatText, appliedText, changesJson, appliedJson };
}

async function loadEvalRenderers(): Promise<EvalRenderers> {
  const [{ evalCaseText, evalSummary }, { evalJunit }, { toReport }] = await Promise.all([
    import('../ui/evals/eval-text.js'),
    import('../ui/evals/junit.js'),
    import('../app/evals/report.js'),
  ]);
  return { evalCaseText, evalSummary, evalJunit, toReport };
}

async function loadValidationRenderers(): Promise<ValidationRenderers> {
  const [{ validationText }, { validationJson }] = await Promise.all([
    import('../ui/validation-text.js'),
    import('../ui/validation-json.js'),
  ]);
  return { validationText, validationJson };
}

async function loadFindingsRenderers(): Promise<ValidationFindingsRenderers> {
  const [{ validationSarif }, { validationGithub }] = await Promise.all([
    import('../ui/findings-sarif.js'),
    import('../ui/findings-github.js'),
  ]);
  return { validationSarif, validationGithub };
}

async function loadRunRenderers(): Promise<RunRenderers> {
  const [{ eventLine }, { runSummary }] = await Promise.all([
    import('../ui/lines/event-line.js'),
    import('../ui/lines/run-summary.js'),
  ]);
  return {
    eventLine,
    runSummary,
    // Of a run that failed alone: all others go without it.
    goOn: async (job, how) =>
      job.status === 'failed' ? (await import('../ui/lines/go-on-after.js')).goOnAfter(job, how) : null,
  };
}

async function loadObserveRenderers(): Promise<ObserveRenderers> {
  const [
    { statusText },
    { traceText },
    { logHeader, looseLine, waitText },
    { logMarkdown },
    { gapsText, inertText },
    { queueText },
    { reportHtml },
    { debugText, promptsText },
  ] = await Promise.all([
    import('../ui/observe/status-text.js'),
    import('../ui/observe/trace-text.js'),
    import('../ui/observe/log-text.js'),
    import('../ui/observe/log-markdown.js'),
    import('../ui/observe/gaps-text.js'),
    import('../ui/observe/queue-text.js'),
    import('../ui/report/report-html.js'),
    import('../ui/observe/debug-text.js'),
  ]);
  return {
    statusText,
    traceText,
    logHeader,
    looseLine,
    waitText,
    logMarkdown,
    gapsText,
    inertText,
    queueText,
    reportHtml,
    debugText,
    promptsText,
  };
}

async function loadReviewRenderers(): Promise<ReviewRenderers> {
  const [
    { itemsText, itemText, resolvedText, runAfterText },
    { askedGateText: gateText },
    { simulateText },
    { whyText },
  ] = await Promise.all([
    import('../ui/review/item-text.js'),
    import('../ui/review/gate-text.js'),
    import('../ui/review/simulate-text.js'),
    import('../ui/review/why-text.js'),
  ]);
  return { itemsText, itemText, resolvedText, runAfterText, gateText, simulateText, whyText };
}

async function loadInfoRenderers(): Promise<InfoRenderers> {
  const [
    { storageText },
    { systemText },
    { comprehensionText },
    { movePlanText, moveReportText, pruneText },
    { drawGraphs },
  ] = await Promise.all([
    import('../ui/info/storage-text.js'),
    import('../ui/info/system-text.js'),
    import('../ui/info/comprehension-text.js'),
    import('../ui/info/moving-text.js'),
    import('../view/graph/draw.js'),
  ]);
  return { drawGraphs, storageText, systemText, comprehensionText, movePlanText, moveReportText, pruneText };
}

async function loadDoctorRenderers(): Promise<DoctorRenderers> {
  const [{ doctorText }, { crashProgress, crashText }] = await Promise.all([
    import('../ui/doctor/doctor-text.js'),
    import('../ui/doctor/crash-text.js'),
  ]);
  return { doctorText, crashText, crashProgress };
}

async function loadLiveRun(io: ProcessIo, logLines: LogLines): ReturnType<Renderers['loadLiveRun']> {
  const [{ openLiveRun }, { createClock }] = await Promise.all([
    loadReact(process.env, () => import('../ui/live/live-run.js')),
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

async function loadInbox(io: ProcessIo, logLines: LogLines): ReturnType<Renderers['loadInbox']> {
  const { holdYoungGeneration } = await import('../system/young-generation.js');
  const release = holdYoungGeneration();
  const { runInbox } = await loadReact(process.env, () => import('../ui/inbox/inbox-screen.js'));
  return (options) => runInbox(screenParts(io, logLines), options).finally(release);
}

async function loadTop(io: ProcessIo, logLines: LogLines): ReturnType<Renderers['loadTop']> {
  const [{ holdYoungGeneration }, { createClock }] = await Promise.all([
    import('../system/young-generation.js'),
    import('../system/clock.js'),
  ]);
  const release = holdYoungGeneration();
  const { runTop } = await loadReact(process.env, () => import('../ui/top/top-screen.js'));
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
