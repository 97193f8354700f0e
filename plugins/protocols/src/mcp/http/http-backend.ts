import { type App, httpHint, overHttp } from '@kit-run/kit/command';
import { byOf, type Caller, type Log, type Served, submitterOf } from '@kit-run/kit/plugin';
import { gateUrlOf } from '../../shared/gate-url.js';
import type { Backend } from '../backend.js';
import { ONE_WORKSPACE, topologyTool } from '../tools/topology-tools.js';

/** The use cases of HTTP that MCP stands on; the one that decides is not among them. */
export interface HttpUses extends Pick<App, 'serve' | 'jobs' | 'artifacts' | 'info'> {
  readonly review: Pick<App['review'], 'why' | 'inbox' | 'show'>;
}

/** One request. */
export interface Asking {
  readonly caller: Caller;
  /** Where this server is reached, without a slash at its end. */
  readonly base: string;
  /** Aborts when nobody reads the answer any more, or the server stops. */
  readonly over: AbortSignal;
  readonly log: Log;
}

/** The backend of one HTTP request: its caller submits, reads and stops as over HTTP. */
export function httpBackend({ app, workspace }: Pick<Served<HttpUses>, 'app' | 'workspace'>, asking: Asking): Backend {
  const { serve, jobs, artifacts, info, review } = app;
  const { caller, base, over, log } = asking;
  const { assurance, clientName, provider } = caller;
  const viewer = {
    identity: caller.clientId,
    auth: { assurance, clientName, isUnauthenticated: provider === 'none' },
    refused: null,
  };
  return {
    caller: caller.clientId,
    tools: async () =>
      (await info.offered(workspace)).topologies.map((topology) => topologyTool(topology, workspace, ONE_WORKSPACE)),
    waitMs: async () => serve.current().server.mcp.waitMs,
    // A connection that was lost looks like one that was closed.
    onCallEnded: 'leave',
    rests: 'store',
    over,
    submit: async ({ tool, input, attachments, marks, traceParent }) => {
      const { job } = await serve.submit({
        workspace,
        topology: tool.topology,
        input,
        attachments,
        correlationId: marks.correlationId,
        labels: marks.labels,
        supersedes: null,
        submittedBy: submitterOf(caller),
        source: 'mcp',
        ...(marks.onBehalfOf.length === 0 ? {} : { asked: { onBehalfOf: marks.onBehalfOf, depth: 0 } }),
        once: marks.key === null ? null : { clientId: caller.clientId, key: marks.key },
        ...(traceParent === null ? {} : { traceParent }),
      });
      return { job, workspace };
    },
    find: async (job) => ({ job: await jobs.get({ workspace, job }), workspace }),
    follow: ({ job }, signal) => jobs.stream({ workspace, job: job.id, afterSeq: 0, signal }),
    stop: async ({ job }) => {
      await serve.stop({ job: job.id, ...byOf(caller) });
    },
    gateUrl: ({ job }) => gateUrlOf(review, job, { workspace, rests: 'store', base }),
    artifacts: ({ job }, limit) => artifacts.list({ workspace, correlation: null, run: job.id, limit }),
    artifact: (ref) => artifacts.get({ workspace, ref }),
    workspaces: [workspace],
    inbox: (_, { limit, after }) => review.inbox({ workspace, ...viewer, limit, afterId: after }),
    runs: (_, { limit, after }) => jobs.list({ workspace, limit, ...(after === null ? {} : { before: after }) }),
    newest: (_, limit) => artifacts.list({ workspace, correlation: null, run: null, limit }),
    item: async (item) => ({
      details: await review.show({ workspace, item, viewer, withArtifact: true }),
      place: base,
    }),
    wordsOf: ({ code, message, hint }) => `${overHttp(message)}. ${httpHint(code, hint)}`,
    onDefect: (error) => log.error('a call over MCP failed', { error }),
  };
}
