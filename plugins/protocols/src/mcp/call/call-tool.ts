import { createHmac, timingSafeEqual } from 'node:crypto';
import { hintFor, type Job, pause } from '@kit-run/kit/command';
import { isKitError, type JsonObject, KitError, problemCode } from '@kit-run/kit/plugin';
import { runMarks } from '../../shared/run-marks.js';
import type { Backend, FoundJob } from '../backend.js';
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  TRACEPARENT_META_KEY,
} from '../sdk/parts.js';
import { taskBase, urlRequest } from '../tasks/task-of.js';
import { JOB_TOOL } from '../tools/job-tool.js';
import type { TopologyTool } from '../tools/topology-tools.js';
import { answer, answerOf, outputOf } from './answer-of.js';
import { calledJob, calledRun } from './arguments.js';
import { followsTasks, opensUrls } from './client-capabilities.js';
import { refusedCall } from './envelope.js';
import { type ProgressLine, waitForRun } from './wait-for-run.js';

/** What a ticket is made from: a run, and the digest of its snapshot, which nothing shows. */
type Ticketed = Pick<Job, 'id' | 'snapshot'>;

const macOf = ({ id, snapshot }: Ticketed, caller: string): string =>
  createHmac('sha256', snapshot).update(`${id}\n${caller}`).digest('base64url');

/**
 * What a client hands back to join the run that its call began. Every server of the store reads it,
 * also after a restart, and it is good for its caller alone.
 */
export const ticketOf = (job: Ticketed, caller: string): string => `${job.id}.${macOf(job, caller)}`;

/** The id that a ticket names; '' = it is none. Whether it is genuine, `isGenuine` tells. */
export const jobOfTicket = (ticket: string): string => /^[0-9a-f]{12}(?=\.)/.exec(ticket)?.[0] ?? '';

export function isGenuine(ticket: string, job: Ticketed, caller: string): boolean {
  const [sent, made] = [Buffer.from(ticket), Buffer.from(ticketOf(job, caller))];
  return sent.length === made.length && timingSafeEqual(sent, made);
}

/** How often a run that waits for people is looked at: nobody writes down who waits for it here. */
const LOOK_MS = 500;

/**
 * The run that a call began before, for the caller who began it. Throws KIT_REQUEST_INVALID for a
 * state that this server did not give to this caller.
 */
async function joinRun(backend: Backend, state: string): Promise<FoundJob> {
  const refused = new KitError('KIT_REQUEST_INVALID', 'requestState was not issued by this server to this caller');
  const of = await backend.find(jobOfTicket(state)).catch((error: unknown) => {
    throw isKitError(error) && error.code === 'KIT_JOB_UNKNOWN' ? refused : error;
  });
  if (!isGenuine(state, of.job, backend.caller)) throw refused;
  return of;
}

/** Waits until people have decided and the run has gone on to its end, at most so long. */
async function waitPastGate(
  backend: Backend,
  { of, waitMs, signal }: { readonly of: FoundJob; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<FoundJob> {
  const end = AbortSignal.any([signal, AbortSignal.timeout(waitMs)]);
  let now = of;
  while (!end.aborted && (now.job.status === 'deferred' || (await backend.gateUrl(now)) !== null)) {
    await pause(LOOK_MS, end);
    now = await backend.find(of.job.id);
  }
  return waitForRun(backend, { of: now, waitMs, signal: end, onLine: null });
}

const MARKS = {
  correlationId: 'kit/correlation_id',
  labels: 'kit/labels',
  key: 'kit/step_id',
  onBehalfOf: 'kit/on_behalf_of',
} as const;

/** What a call comes to: its answer, a task in its place, or an address to open first. */
type CalledTool = CallToolResult | InputRequiredResult;

/** A call of one tool. */
interface Call {
  readonly backend: Backend;
  readonly name: string;
  readonly args: JsonObject;
  readonly ctx: ServerContext;
}

/** What the protocol says of a call beside its arguments; JSON, as it came. */
const metaOf = ({ ctx }: Call): JsonObject => (ctx.mcpReq._meta ?? {}) as JsonObject;

/** Notices for a client that asked for them, and for no other. */
function progressOf({ ctx }: Call): ((line: ProgressLine) => Promise<void>) | null {
  const progressToken = ctx.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return null;
  return ({ seq, text }) =>
    ctx.mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: seq, message: text },
    });
}

/**
 * Waits for a run on behalf of a call. Where the end of a call is a wish, a call that is cancelled
 * stops its run.
 */
async function wait(call: Call, of: FoundJob, waitMs: number): Promise<FoundJob> {
  const { backend, ctx } = call;
  const { signal: cancelled } = ctx.mcpReq;
  const found = await waitForRun(backend, {
    of,
    waitMs,
    signal: AbortSignal.any([cancelled, backend.over]),
    onLine: progressOf(call),
  });
  if (cancelled.aborted && backend.onCallEnded === 'stop') await backend.stop(found);
  return found;
}

/** Where the client of a call opens it for its user; what that user does there is between them. */
async function askToOpen({ backend, ctx }: Call, of: FoundJob): Promise<InputRequiredResult | null> {
  const url = opensUrls(ctx) ? await backend.gateUrl(of) : null;
  if (url === null) return null;
  const { params } = urlRequest(of.job, url);
  return inputRequired({
    inputRequests: { gate: inputRequired.elicitUrl(params as { message: string; url: string }) },
    requestState: ticketOf(of.job, backend.caller),
  });
}

async function beginRun(call: Call, tool: TopologyTool): Promise<CalledTool> {
  const { backend, args, ctx } = call;
  const meta = metaOf(call);
  const trace = meta[TRACEPARENT_META_KEY];
  const submitted = await backend.submit({
    tool,
    ...calledRun(tool, args),
    marks: runMarks(meta, MARKS),
    traceParent: typeof trace === 'string' ? trace : null,
  });
  if (followsTasks(ctx)) return { resultType: 'task', ...taskBase(submitted.job), content: [] };
  const found = await wait(call, submitted, await backend.waitMs(tool.workspace));
  return (await askToOpen(call, found)) ?? answer(backend, found, outputOf(tool, found));
}

/** A call that was repeated joins its run and never begins another one. */
async function runTool(call: Call, tool: TopologyTool): Promise<CalledTool> {
  const { backend, ctx } = call;
  const state = ctx.mcpReq.requestState();
  if (typeof state !== 'string') return beginRun(call, tool);
  const of = await joinRun(backend, state);
  const signal = AbortSignal.any([ctx.mcpReq.signal, backend.over]);
  const found = await waitPastGate(backend, { of, waitMs: await backend.waitMs(of.workspace), signal });
  return answer(backend, found, outputOf(tool, found));
}

async function describeJob(call: Call): Promise<CallToolResult> {
  const { backend, args } = call;
  const { job, waitMs, stop } = calledJob(args);
  const before = await backend.find(job);
  if (stop) await backend.stop(before);
  const found = await waitForRun(backend, {
    of: before,
    waitMs: waitMs ?? (await backend.waitMs(before.workspace)),
    signal: AbortSignal.any([call.ctx.mcpReq.signal, backend.over]),
    onLine: progressOf(call),
  });
  return answerOf(backend, found);
}

/**
 * Carries out `tools/call`. What kit refuses is an answer of the tool that a model can read; an
 * unknown tool is an error of the protocol.
 */
export async function callTool(backend: Backend, { params }: CallToolRequest, ctx: ServerContext): Promise<CalledTool> {
  const call: Call = { backend, name: params.name, args: (params.arguments ?? {}) as JsonObject, ctx };
  const tools = params.name === JOB_TOOL ? [] : await backend.tools();
  const tool = params.name === JOB_TOOL ? null : tools.find(({ definition }) => definition.name === params.name);
  if (tool === undefined) throw unknownTool(params.name, tools);
  try {
    return await (tool === null ? describeJob(call) : runTool(call, tool));
  } catch (error) {
    return refusalOf(backend, error);
  }
}

/** A model that has lost the list goes on with what it is told here. */
function unknownTool(name: string, tools: readonly TopologyTool[]): ProtocolError {
  const names = [...tools.map(({ definition }) => definition.name), JOB_TOOL];
  const hint = hintFor(name, names, { fallback: 'tools/list shows what there is.' });
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${name.slice(0, 100)}. ${hint}`);
}

function refusalOf(backend: Backend, error: unknown): CallToolResult {
  if (!isKitError(error)) backend.onDefect(error);
  const refusal = isKitError(error) ? error : new KitError('KIT_INTERNAL', 'the server failed to answer');
  return refusedCall({ code: problemCode(refusal.code), text: backend.wordsOf(refusal) });
}
