import type { Job, JobQuery } from '@kit-run/kit/command';
import { byOf, type Caller, type JsonObject } from '@kit-run/kit/plugin';
import { badParams, RpcFailure } from '../rpc/failure.js';
import { countOf, memberOf, textOf } from '../rpc/members.js';
import type { A2aVersion } from '../rpc/protocol.js';
import { isOver, stateOf, type Task, type TaskState } from '../wire/task.js';
import { stateOf1, wireOf } from '../wire/versions.js';
import type { TaskReader } from './task-reader.js';
import type { A2aParts } from './uses.js';

/** Throws -32602 where `params.id` is none. */
export function taskIdOf(params: JsonObject): string {
  const id = textOf(params, 'id', 'params', 128);
  if (id === undefined) throw badParams('there is no params.id');
  return id;
}

/**
 * Asks the run to stop; its state changes when it has. Throws -32002 for one that is over, and
 * -32001.
 */
export async function cancelTask(
  { serve }: A2aParts,
  { id, caller, reader }: { readonly id: string; readonly caller: Caller; readonly reader: TaskReader },
): Promise<Task> {
  const { status } = await reader.job(id);
  if (isOver(stateOf(status))) throw overAlready(id, status);
  const { job, outcome } = await serve.stop({ job: id, ...byOf(caller) });
  // It ended between the two looks.
  if (outcome === 'finished') throw overAlready(id, job.status);
  return reader.of(job, { stopRequested: true });
}

const overAlready = (id: string, status: Job['status']): RpcFailure =>
  new RpcFailure(-32002, `task ${id} is ${stateOf(status)}: there is nothing to cancel`);

const DEFAULT_PAGE = 50;
const MAX_PAGE = 100;

const STATUSES: Readonly<Record<TaskState, JobQuery['status']>> = {
  submitted: ['pending', 'queued'],
  working: ['running'],
  'input-required': ['deferred'],
  completed: ['completed'],
  failed: ['failed'],
  canceled: ['stopped'],
};

/** Unset, however a client writes it. */
const NO_STATE: readonly unknown[] = [undefined, '', 'TASK_STATE_UNSPECIFIED'];

/**
 * Tasks that came through this protocol, newest first. A filter that nobody knows is ignored; a
 * state that no task of ours has finds nothing. Throws -32602 for a page that there is not.
 */
export async function listTasks(
  { jobs, workspace }: A2aParts,
  of: { readonly version: A2aVersion; readonly params: JsonObject; readonly reader: TaskReader },
): Promise<JsonObject> {
  const { version, params, reader } = of;
  const wire = wireOf(version);
  const pageSize = Math.min(MAX_PAGE, countOf(params, 'pageSize', 'params', 0) || DEFAULT_PAGE);
  const contextId = textOf(params, 'contextId', 'params');
  const before = textOf(params, 'pageToken', 'params', 128);
  const asked = memberOf(params, 'status');
  const state = version === '1.0' && !NO_STATE.includes(asked) ? stateOf1(asked ?? null) : undefined;
  if (state === null) return wire.list([], { token: '', pageSize });
  const status = state === undefined ? undefined : STATUSES[state];
  const found = await jobs
    .list({
      ...{ workspace, source: 'a2a', limit: pageSize + 1 },
      ...(contextId === undefined ? {} : { correlationId: contextId }),
      ...(before === undefined ? {} : { before }),
      ...(status === undefined ? {} : { status }),
    })
    .catch((error: unknown) => {
      throw before === undefined ? error : badParams('params.pageToken is none of this server', {});
    });
  const page = found.slice(0, pageSize);
  const token = found.length > pageSize ? (page.at(-1)?.id ?? '') : '';
  return wire.list(await Promise.all(page.map((job) => reader.of(job))), { token, pageSize });
}
