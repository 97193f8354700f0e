import { createHash, randomUUID } from 'node:crypto';
import type { Job, Offered, ServerRun } from '@kit-run/kit/command';
import { type Caller, submitterOf } from '@kit-run/kit/plugin';
import { badParams, RpcFailure } from '../rpc/failure.js';
import { CONTEXT_LABEL, isOver, stateOf } from '../wire/task.js';
import type { SentMessage } from './message.js';
import type { TaskReader } from './task-reader.js';
import type { A2aParts } from './uses.js';

export interface Sending {
  readonly message: SentMessage;
  readonly offered: Offered;
  readonly caller: Caller;
  /** The topology of the path; null: the message names it. */
  readonly path: string | null;
  readonly reader: TaskReader;
  /** Header `traceparent` as it came. */
  readonly traceParent: string | undefined;
}

/** Texts that the digest keeps apart. */
const digest = (...texts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(texts)).digest('hex');

/**
 * The message of a caller who names no context is always of the same one, however often it comes.
 */
const contextOf = ({ message, caller }: Sending): string =>
  message.contextId ?? (message.key === null ? randomUUID() : digest(caller.clientId, message.key).slice(0, 32));

function runOf(sending: Sending, workspace: string): ServerRun {
  const { message, offered, caller, path, traceParent } = sending;
  const { input, attachments, key, maxSteps, budget, onBehalfOf, depth } = message;
  const contextId = contextOf(sending);
  const steps = [maxSteps, budget.turns].filter((max) => typeof max === 'number');
  return {
    workspace,
    topology: chooseTopology(offered, { path, named: message.topology }),
    input,
    attachments,
    correlationId: contextId,
    labels: { [CONTEXT_LABEL]: contextId },
    supersedes: null,
    submittedBy: submitterOf(caller),
    source: 'a2a',
    once: key === null ? null : { clientId: caller.clientId, key, isKept: true },
    ...(steps.length === 0 ? {} : { maxSteps: Math.min(...steps) }),
    asked: {
      ...(budget.costUsd === undefined ? {} : { maxCostUsd: budget.costUsd }),
      ...(budget.wallClockMs === undefined ? {} : { timeoutMs: budget.wallClockMs }),
      onBehalfOf,
      depth,
    },
    ...(traceParent === undefined ? {} : { traceParent }),
  };
}

/**
 * A message becomes a run: the same message of the same caller is the same run. One for a task that
 * there is gets no run: nobody answers for people. Throws RpcFailure, and what a submit throws.
 */
export async function sendMessage({ serve, workspace }: A2aParts, sending: Sending): Promise<Job> {
  const { message, reader } = sending;
  if (message.taskId !== null) throw await followUp(reader, message.taskId);
  return (await serve.submit(runOf(sending, workspace))).job;
}

async function followUp(reader: TaskReader, id: string): Promise<RpcFailure> {
  const job = await reader.job(id);
  const gateUrl = await reader.gateUrl(job);
  if (job.status !== 'deferred' && gateUrl === null)
    return new RpcFailure(-32004, `task ${id} is ${stateOf(job.status)} and takes no further message`);
  const where = gateUrl === null ? '' : `: ${gateUrl}`;
  return new RpcFailure(
    -32004,
    `task ${id} waits for people, and no message decides for them${where}`,
    gateUrl === null ? {} : { gate_url: gateUrl },
  );
}

/** Waits until the run has ended, waits for people, or `waitMs` are over. */
export async function settled(
  { jobs, workspace, closing }: A2aParts,
  job: Job,
  { waitMs, gone }: { readonly waitMs: number; readonly gone: AbortSignal },
): Promise<Job> {
  if (isOver(stateOf(job.status)) || job.status === 'deferred') return job;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort('waited'), waitMs);
  const signal = AbortSignal.any([late.signal, gone, closing]);
  try {
    const items = await jobs.stream({ workspace, job: job.id, afterSeq: 0, signal });
    for await (const item of items) if (item.kind === 'end') break;
  } finally {
    clearTimeout(timer);
  }
  return jobs.get({ workspace, job: job.id });
}

/**
 * Which topology a message is for: the one of the path, else the one that it names, else the only
 * one. Throws -32602.
 */
function chooseTopology(
  { topologies }: Pick<Offered, 'topologies'>,
  of: { readonly path: string | null; readonly named: string | null },
): string {
  const names = topologies.map(({ name }) => name);
  const list = names.slice(0, 50).join(', ');
  if (of.path !== null && of.named !== null && of.named !== of.path)
    throw badParams(`this address is that of ${of.path}, and the message names ${of.named}`);
  const asked = of.path ?? of.named;
  if (asked === null) {
    const [only, ...others] = names;
    if (only !== undefined && others.length === 0) return only;
    throw badParams(
      names.length === 0
        ? 'this server has no topology'
        : `message.metadata.skill names none of the topologies; there are ${list}`,
    );
  }
  if (names.includes(asked)) return asked;
  throw badParams(`there is no topology ${asked}; there are ${names.length === 0 ? 'none' : list}`);
}
