import { isKitError, messageOf } from '../domain/errors.js';
import type { MessagePart } from '../domain/ports/model.js';
import { runActivation } from './activation.js';
import { NO_HISTORY } from './activation-call.js';
import { PluginCompressors } from './compress/plugin-compressors.js';
import { GateOrder } from './funnel/gate-order.js';
import type { RunOutcome } from './judge-run.js';
import { remembers } from './memory/recall.js';
import { outageWaits } from './outage.js';
import { outputText } from './results.js';
import type { RunPass, RunServices } from './services.js';
import { createToolCache } from './skills/tool-cache.js';
import type { TaskSlots } from './tasks/task-slots.js';
import { Unfinished } from './unfinished.js';

/**
 * What a run brings along; the interpreter adds what lives as long as one pass over the journal.
 */
export type RunParts = Omit<RunServices, keyof RunPass | 'task'>;

/**
 * Runs, or goes on with, the topology of a snapshot. A resume is the same call over a journal that
 * is not empty.
 */
export function interpretRun(parts: RunParts, input: string): Promise<RunOutcome> {
  const bounded = slotsOf(parts.snapshot);
  return bounded === null
    ? interpretWith(servicesOf(parts), input)
    : bounded.then((slots) => interpretWith({ ...servicesOf(parts), slots }, input));
}

/** For one pass over the journal; the parts themselves are not held. */
function servicesOf(parts: RunParts): RunServices {
  const { compressor, clock, log, signal, jobId } = parts;
  return {
    ...parts,
    gateOrder: new GateOrder(),
    compressors: new PluginCompressors({ compressor, clock, log, signal, jobId }),
    toolCache: createToolCache(),
  };
}

async function interpretWith(services: RunServices, input: string): Promise<RunOutcome> {
  const { judge, topology } = services.snapshot;
  const { root } = topology;
  try {
    if (judge !== undefined) return await (await import('./judge-run.js')).judgeRun(services, judge, input);
    // A finished root is one hit: nothing of the outside is read for it, and its attachments may be
    // gone.
    const isOpen = services.steps.rowOf('root')?.outcome == null;
    const task = [{ type: 'text', text: input } as const, ...(isOpen ? await imageParts(services) : [])];
    const result = await runActivation(services, {
      key: 'root',
      parentKey: null,
      node: root,
      task,
      history: NO_HISTORY,
    });
    switch (result.status) {
      case 'ok':
        // Only what came to a good end is remembered; code that a run without memory never loads.
        if (remembers(services)) await remembering(services, input);
        return { kind: 'completed', output: outputText(result.output) };
      case 'failed':
        return { kind: 'failed', reason: result.reason, message: result.message };
      case 'denied':
        return { kind: 'failed', reason: 'denied', message: `${root.id}: ${result.reason}` };
      case 'parked':
        return { kind: 'parked', waits: result.waits };
    }
  } catch (error) {
    if (error instanceof Unfinished && error.reason === 'outage')
      return { kind: 'parked', waits: outageWaits(services.steps.deps.session.all()) };
    if (error instanceof Unfinished)
      return { kind: 'unfinished', reason: error.reason, ...(error.detail === null ? {} : { message: error.detail }) };
    throw error;
  }
}

/**
 * The answer is there, and stays it: a clock that strikes now, or a signal, ends what is remembered
 * and not the run, as a replay of it would tell. A lease that is over is another matter: somebody
 * else ends the run.
 */
async function remembering(services: RunServices, request: string): Promise<void> {
  try {
    await (await import('./memory/remember.js')).remember(services, request);
  } catch (error) {
    if (
      error instanceof Unfinished
        ? error.reason !== 'abort'
        : isKitError(error) && error.code === 'KIT_JOURNAL_DIVERGED'
    )
      throw error;
    if (error instanceof Unfinished) return;
    services.log.warn('nothing is remembered of a run', {
      job: services.jobId,
      error: services.steps.deps.mask(messageOf(error)),
    });
  }
}

/** A run without bounds never loads what holds them. */
function slotsOf({ tasks }: RunServices['snapshot']): Promise<TaskSlots> | null {
  return tasks === undefined
    ? null
    : import('./tasks/task-slots.js').then(({ TaskSlots }) => new TaskSlots(tasks.maxConcurrent));
}

/**
 * Attachments reach only the entry agent's first message (docs/design/execution.md#attachments).
 */
async function imageParts(services: RunServices): Promise<readonly MessagePart[]> {
  return Promise.all(
    services.attachments.map(async (attachment) => {
      const bytes = await services.blob(attachment.sha256);
      if (bytes === null) throw new Error(`the bytes of attachment ${attachment.name} are gone`);
      return { type: 'image', mediaType: attachment.mediaType, data: Buffer.from(bytes).toString('base64') } as const;
    }),
  );
}
