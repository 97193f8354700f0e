import { isKitError, messageOf } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/json.js';
import { CallTimeout } from '../../domain/ports/system.js';
import type { ToolAnswer, ToolServer } from '../../domain/ports/tools.js';
import { numberOf } from '../../domain/snapshot.js';
import { identityDigest, stepTraceParent } from '../derive.js';
import { inTime } from '../in-time.js';
import { leaveForLease } from '../lease-over.js';
import { outageOf } from '../outage.js';
import type { Down } from '../outage-patience.js';
import { ABORTED } from '../race-abort.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import { Unfinished } from '../unfinished.js';
import { openServer, type ToolSkill } from './tool-facts.js';
import type { ToolRun } from './tool-progress.js';
import { reportProgress } from './tool-progress.js';
import { type ToolValue, toolEnd } from './tool-result.js';

/** Largest answer of one call, as for a command pack (docs/design/execution.md#tool-calls). */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024;
/**
 * A server that keeps its own bound answers within it; one that does not is left this much later.
 */
const SLACK_MS = 2_000;
const PAUSE_MS = 500;
/** Reasons of a failed call that the same call would fail for again. */
const FINAL: ReadonlySet<string> = new Set(['too_large', 'malformed', 'error', 'refused']);
/** Reasons of a server that could not be reached which pass. */
const PASSING: ReadonlySet<string> = new Set(['unreachable', 'timeout']);

export interface ToolRan {
  readonly end: StepEnd<ToolValue>;
  /** The answer of an earlier call of this run. */
  readonly isCached: boolean;
  /** The server is down, and nothing came of the call; null = it came to its end. */
  readonly down: Down | null;
}

/** What is called with which arguments: the identity of the step, and what an approval names. */
export const toolIdentity = ({ implementation }: ToolSkill, input: JsonObject): JsonObject => ({
  server: implementation.server,
  tool: implementation.tool,
  input: toolInput({ implementation }, input),
});

/** Fixed arguments override the model's (docs/design/workspace.md#skill-defaults). */
export const toolInput = ({ implementation }: Pick<ToolSkill, 'implementation'>, input: JsonObject): JsonObject => ({
  ...input,
  ...implementation.arguments,
});

/**
 * One call of a tool of a server, from the cache of the run where it only reads and was asked
 * before (docs/design/execution.md#tool-calls).
 */
export async function runTool(services: RunServices, run: ToolRun): Promise<ToolRan> {
  const { skill, facts, input } = run;
  const { server } = skill.implementation;
  const isRead = facts.effects === 'read' || facts.effects === 'none';
  const digest = identityDigest('tool', { ...toolIdentity(skill, input), skill: skill.outputs });
  const known = isRead ? services.toolCache.get(server, digest) : null;
  if (known !== null) return { end: { outcome: { status: 'ok', value: known } }, isCached: true, down: null };
  const since = services.toolCache.mark(server);
  try {
    const { end, down } = await attempts(services, run);
    if (isRead && end.outcome.status === 'ok')
      services.toolCache.put(server, { digest, since, value: end.outcome.value });
    return { end, isCached: false, down };
  } finally {
    if (!isRead) services.toolCache.changed(server);
  }
}

/** A call whose effect nobody knows is made again only where that does no harm. */
async function attempts(services: RunServices, run: ToolRun): Promise<Omit<ToolRan, 'isCached'>> {
  // After a wait for a server that was down a try is one call.
  const retries = outageOf(run.context.notes) === undefined ? numberOf(services.snapshot, 'KIT_MCP_RETRIES') : 0;
  for (let done = 0; ; done += 1) {
    const asked = await ask(services, run);
    if (services.signal.aborted) throw new Unfinished('abort');
    if (asked.ok) return { end: toolEnd(run.skill, asked.answer), down: null };
    // What a lease took away with the server says nothing about the call.
    if (services.lease.until() <= services.clock.now()) throw leaveForLease(services);
    const { reason, message, isRepeatable, down } = asked.failure;
    if (!isRepeatable || done >= retries)
      return { end: failedEnd(reason, message, done === 0 ? null : { attempts: done + 1 }), down };
    await (services.pause ?? ((ms, signal) => services.clock.sleep(ms, signal)))(
      PAUSE_MS * 2 ** done,
      services.signal,
    ).catch(() => undefined);
    if (services.signal.aborted) throw new Unfinished('abort');
  }
}

interface Failure {
  readonly reason: string;
  readonly message: string;
  readonly isRepeatable: boolean;
  readonly down: Down | null;
}

type ToolAnswered =
  | { readonly ok: true; readonly answer: ToolAnswer }
  | { readonly ok: false; readonly failure: Failure };

async function ask(services: RunServices, run: ToolRun): Promise<ToolAnswered> {
  const timeoutMs = 1000 * numberOf(services.snapshot, 'KIT_MCP_TIMEOUT');
  try {
    const server = await openServer(services, run.skill, run.key);
    return { ok: true, answer: await withinTime(services, { server, run, timeoutMs }) };
  } catch (error) {
    const { callDown } = await import('./tool-outage.js');
    return { ok: false, failure: { ...failureOf(error, run), down: callDown(error, run.facts.effects) } };
  }
}

/** The bound is the source's to keep; who ignores it does not hold the run. */
async function withinTime(
  services: RunServices,
  of: { readonly server: ToolServer; readonly run: ToolRun; readonly timeoutMs: number },
): Promise<ToolAnswer> {
  const { server, run, timeoutMs } = of;
  const late = () => new CallTimeout(`no answer within ${timeoutMs} ms`);
  const progress = reportProgress(services, run);
  try {
    const { tool } = run.skill.implementation;
    const { stepId, attempt } = run.context;
    const traceParent = stepTraceParent({ ...services, key: run.key, attempt });
    const { onProgress } = progress;
    const call = { tool, input: run.input, stepId, traceParent, timeoutMs, maxBytes: MAX_ANSWER_BYTES, onProgress };
    const answer = await inTime(services, { ms: timeoutMs + SLACK_MS, late }, (signal) => server.call(call, signal));
    if (answer === ABORTED) throw services.signal.aborted ? services.signal.reason : late();
    return answer;
  } finally {
    progress.end();
  }
}

function failureOf(error: unknown, { facts }: ToolRun): Omit<Failure, 'down'> {
  if (error instanceof CallTimeout)
    return { reason: 'timeout', message: error.message, isRepeatable: facts.isIdempotent };
  const message = messageOf(error);
  const reason = isKitError(error) ? error.code : 'internal_error';
  const wasSent = !isKitError(error) || error.data.sent !== false;
  switch (reason) {
    case 'KIT_TOOL_SERVER_FAILED':
      // Nothing was sent yet. A server that cannot be started does not get better by being asked
      // again at once.
      return { reason, message, isRepeatable: isKitError(error) && PASSING.has(String(error.data.reason)) };
    case 'KIT_TOOL_CALL_FAILED':
      return {
        reason,
        message,
        isRepeatable:
          !wasSent || (facts.isIdempotent && !FINAL.has(String(isKitError(error) ? error.data.reason : ''))),
      };
    default:
      return { reason, message, isRepeatable: false };
  }
}
