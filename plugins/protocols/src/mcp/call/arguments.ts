import { isObject, type Json, type JsonObject, KitError } from '@kit-run/kit/plugin';
import { MAX_WAIT_SECONDS } from '../tools/job-tool.js';
import type { TopologyTool } from '../tools/topology-tools.js';

/** An image that came with a call. */
export interface CallAttachment {
  readonly [member: string]: unknown;
  /** Base64. */
  readonly data: string;
  readonly name?: string;
}

/** What a call of a topology asks. */
export interface CalledRun {
  readonly input: Json;
  readonly attachments: readonly CallAttachment[];
}

/** What a call of `kit_job` asks. `waitMs` null: as long as the server waits. */
export interface CalledJob {
  readonly job: string;
  readonly waitMs: number | null;
  readonly stop: boolean;
}

const MAX_ATTACHMENTS = 16;

const invalid = (argument: string, message: string): KitError =>
  new KitError('KIT_REQUEST_INVALID', `${argument} ${message}`, {
    hint: 'tools/list shows the arguments of the tool.',
    data: { errors: [{ pointer: `/${argument}`, message, code: 'value' }] },
  });

function attachmentOf(value: Json, index: number): CallAttachment {
  const place = `attachments/${index}`;
  if (!isObject(value)) throw invalid(place, 'is not an object with data and perhaps a name');
  const { data, name, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(place, `has the member ${unknown.slice(0, 60)}; there are data and name`);
  if (typeof data !== 'string') throw invalid(`${place}/data`, 'is not base64 text');
  if (name !== undefined && name !== null && typeof name !== 'string') throw invalid(`${place}/name`, 'is not text');
  return { data, ...(typeof name === 'string' ? { name } : {}) };
}

function attachmentsOf(value: Json | undefined): readonly CallAttachment[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid('attachments', 'is not a list');
  if (value.length > MAX_ATTACHMENTS) throw invalid('attachments', `has more than ${MAX_ATTACHMENTS} entries`);
  return value.map(attachmentOf);
}

/**
 * The input of a run out of the arguments of a call. Whether it fits the schema of the topology,
 * the submit judges, as for every entry point. Throws KIT_REQUEST_INVALID.
 */
export function calledRun(tool: Pick<TopologyTool, 'input' | 'takesAttachments'>, args: JsonObject): CalledRun {
  if (tool.input === 'whole') {
    if (!tool.takesAttachments) return { input: args, attachments: [] };
    const { attachments, ...input } = args;
    return { input, attachments: attachmentsOf(attachments) };
  }
  const { input, attachments, ...others } = args;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(unknown.slice(0, 60), 'is not an argument; there are input and attachments');
  if (input === undefined) throw invalid('input', 'is missing');
  // A value that is not text is taken as every other entry point takes it.
  if (tool.input === 'text' && typeof input === 'string' && input.trim() === '') throw invalid('input', 'is empty');
  return { input, attachments: attachmentsOf(attachments) };
}

/** Throws KIT_REQUEST_INVALID. */
export function calledJob(args: JsonObject): CalledJob {
  const { job_id: job, wait_seconds: wait, stop, ...others } = args;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw invalid(unknown.slice(0, 60), 'is not an argument; there are job_id, wait_seconds and stop');
  if (typeof job !== 'string') throw invalid('job_id', job === undefined ? 'is missing' : 'is not text');
  if (stop !== undefined && stop !== null && typeof stop !== 'boolean')
    throw invalid('stop', 'is neither true nor false');
  if (wait === undefined || wait === null) return { job, waitMs: null, stop: stop === true };
  if (typeof wait !== 'number' || !(wait >= 0 && wait <= MAX_WAIT_SECONDS))
    throw invalid('wait_seconds', `is not a number from 0 to ${MAX_WAIT_SECONDS}`);
  return { job, waitMs: wait * 1000, stop: stop === true };
}
