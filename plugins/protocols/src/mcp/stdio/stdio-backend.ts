import { type App, isKitError, KitError, LOCAL_AUTH, shellWord } from '@kit-run/kit/command';
import { ERROR_REGISTRY } from '@kit-run/kit/plugin';
import { gateUrlOf } from '../../shared/gate-url.js';
import type { Backend, BackendRun, FoundJob } from '../backend.js';
import type { TopologyTool } from '../tools/topology-tools.js';
import type { ServedWorkspace } from './offered-tools.js';
import type { OwnRuns } from './own-runs.js';

/** The use cases of the shell that MCP stands on; the one that decides is not among them. */
export interface StdioUses extends Pick<App, 'runs' | 'jobs' | 'artifacts' | 'info'> {
  readonly review: Pick<App['review'], 'why' | 'inbox' | 'show'>;
}

/** What the server of one client is made of. */
export interface StdioParts {
  readonly app: StdioUses;
  readonly workspaces: readonly ServedWorkspace[];
  readonly tools: readonly TopologyTool[];
  /** Who submits; the OS user or a name, and nobody proved it. */
  readonly identity: string;
  readonly own: OwnRuns;
  /** Aborts when the client has gone. */
  readonly over: AbortSignal;
  readonly onDefect: (error: unknown) => void;
}

/** A client of MCP is not a terminal: what is asked once there stands as a line to paste. */
function withLine(error: unknown, workspace: string): unknown {
  if (!isKitError(error) || error.code !== 'KIT_ADAPTER_UNTRUSTED') return error;
  const adapters = Array.isArray(error.data.adapters)
    ? (error.data.adapters as readonly { readonly id: string }[])
    : [];
  const lines = adapters.map(({ id }) => `kit adapters approve ${id} ${shellWord(workspace)}`);
  return new KitError(error.code, error.message, {
    hint: `Read it and approve it in a terminal: ${lines.join('; ')}`,
    cause: error,
  });
}

/** The first that does not refuse it as unknown. */
async function firstKnown<T>(
  workspaces: readonly ServedWorkspace[],
  code: string,
  ask: (directory: string) => Promise<T>,
): Promise<{ readonly found: T; readonly workspace: string }> {
  let unknown: unknown;
  for (const { directory } of workspaces) {
    try {
      return { found: await ask(directory), workspace: directory };
    } catch (error) {
      if (!isKitError(error) || error.code !== code) throw error;
      unknown = error;
    }
  }
  throw unknown;
}

/**
 * The backend of a client that started this process: its runs are ordinary runs of this machine.
 */
export function stdioBackend(parts: StdioParts): Backend {
  const { app, workspaces, tools, identity, own, over, onDefect } = parts;
  const viewer = { identity, auth: LOCAL_AUTH, refused: null };
  const settingsOf = (workspace: string) => {
    const found = workspaces.find(({ directory }) => directory === workspace);
    if (found === undefined) throw new KitError('KIT_INTERNAL', `${workspace} is not served`);
    return found.offered;
  };

  async function submit({ tool, input, attachments, marks, traceParent }: BackendRun): Promise<FoundJob> {
    const { workspace, topology } = tool;
    const start = () =>
      app.runs.start({
        workspace,
        topology,
        input,
        attachments,
        correlationId: marks.correlationId,
        labels: marks.labels,
        supersedes: null,
        submittedBy: { identity, assurance: 'asserted' },
        source: 'mcp',
        timeoutMs: null,
        trust: [],
        patience: 'unattended',
        ...(marks.onBehalfOf.length === 0 ? {} : { asked: { onBehalfOf: marks.onBehalfOf, depth: 0 } }),
        ...(traceParent === null ? {} : { traceParent }),
      });
    try {
      const max = settingsOf(workspace).maxConcurrent;
      return { job: await own.begin({ directory: workspace, max }, start), workspace };
    } catch (error) {
      throw withLine(error, workspace);
    }
  }

  return {
    caller: identity,
    tools: async () => tools,
    waitMs: async (workspace) => settingsOf(workspace).server.mcp.waitMs,
    onCallEnded: 'stop',
    rests: 'process',
    over,
    submit,
    find: async (job) => {
      const { found, workspace } = await firstKnown(workspaces, 'KIT_JOB_UNKNOWN', (directory) =>
        app.jobs.get({ workspace: directory, job }),
      );
      return { job: found, workspace };
    },
    follow: ({ job, workspace }, signal) => app.jobs.stream({ workspace, job: job.id, afterSeq: 0, signal }),
    stop: async ({ job, workspace }) => {
      if (!(await own.stop(job.id))) await app.runs.stop({ workspace, job: job.id, by: identity });
    },
    gateUrl: async ({ job, workspace }) => {
      const { publicUrl } = settingsOf(workspace).server;
      return gateUrlOf(app.review, job, { workspace, rests: 'process', base: publicUrl });
    },
    artifacts: ({ job, workspace }, limit) => app.artifacts.list({ workspace, correlation: null, run: job.id, limit }),
    artifact: async (ref) =>
      (
        await firstKnown(workspaces, 'KIT_ARTIFACT_UNKNOWN', (directory) =>
          app.artifacts.get({ workspace: directory, ref }),
        )
      ).found,
    workspaces: workspaces.map(({ directory }) => directory),
    inbox: (workspace, { limit, after }) => app.review.inbox({ workspace, ...viewer, limit, afterId: after }),
    runs: (workspace, { limit, after }) =>
      app.jobs.list({ workspace, limit, ...(after === null ? {} : { before: after }) }),
    newest: (workspace, limit) => app.artifacts.list({ workspace, correlation: null, run: null, limit }),
    item: async (item) => {
      const { found, workspace } = await firstKnown(workspaces, 'KIT_ITEM_UNKNOWN', (directory) =>
        app.review.show({ workspace: directory, item, viewer, withArtifact: true }),
      );
      return { details: found, place: workspace };
    },
    wordsOf: ({ code, message, hint }) => `${message}. ${hint ?? ERROR_REGISTRY[code].hint}`,
    onDefect,
  };
}
