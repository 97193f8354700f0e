import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import type { A2aVersion } from '../rpc/protocol.js';
import type { Output, Task, TaskState, TaskStatus } from './task.js';

/** How one version writes what a task is and what becomes of it. */
export interface TaskWire {
  task(task: Task): JsonObject;
  /** What a send answers. */
  sent(task: Task): JsonObject;
  list(tasks: readonly Task[], next: { readonly token: string; readonly pageSize: number }): JsonObject;
  /** A frame of a stream. */
  frame(frame: Frame): JsonObject;
}

/** What a stream tells. */
export type Frame =
  | { readonly kind: 'task'; readonly task: Task }
  /** `isFinal`: the stream ends here. */
  | {
      readonly kind: 'status';
      readonly task: Pick<Task, 'id' | 'contextId' | 'status' | 'metadata'>;
      readonly isFinal: boolean;
    }
  | { readonly kind: 'output'; readonly task: Task; readonly output: Output };

const artifactId = (task: Pick<Task, 'id'>): string => `${task.id}-output`;
/** The same status has the same message, whoever asks and how often. */
const messageId = ({ id, status }: Pick<Task, 'id' | 'status'>): string => `${id}-${status.state}-${status.timestamp}`;

/** 0.3 knows objects as data; another value is its JSON text. */
const partOf0 = (output: Output): JsonObject => {
  if (output.kind === 'text') return { kind: 'text', text: output.text };
  const { value } = output;
  return isObject(value) ? { kind: 'data', data: value } : { kind: 'text', text: JSON.stringify(value) };
};

function status0(task: Pick<Task, 'id' | 'contextId' | 'status'>): JsonObject {
  const { state, timestamp, text } = task.status;
  const { id: taskId, contextId } = task;
  const said = { kind: 'message', role: 'agent', messageId: messageId(task), taskId, contextId };
  return { state, timestamp, ...(text === null ? {} : { message: { ...said, parts: [{ kind: 'text', text }] } }) };
}

const artifact0 = (task: Task, output: Output): JsonObject => ({
  artifactId: artifactId(task),
  name: 'output',
  parts: [partOf0(output)],
});

function task0(task: Task): JsonObject {
  const { id, contextId, output, metadata } = task;
  const artifacts = output === null ? {} : { artifacts: [artifact0(task, output)] };
  return { id, contextId, kind: 'task', status: status0(task), ...artifacts, metadata };
}

const WIRE_0: TaskWire = {
  task: task0,
  sent: task0,
  list: (tasks) => ({ tasks: tasks.map(task0) }),
  frame: (frame) => {
    const { id: taskId, contextId } = frame.task;
    switch (frame.kind) {
      case 'task':
        return task0(frame.task);
      case 'status': {
        const { metadata } = frame.task;
        return {
          kind: 'status-update',
          taskId,
          contextId,
          status: status0(frame.task),
          final: frame.isFinal,
          metadata,
        };
      }
      case 'output': {
        const artifact = artifact0(frame.task, frame.output);
        return { kind: 'artifact-update', taskId, contextId, artifact, lastChunk: true };
      }
    }
  },
};

const STATES_1: Readonly<Record<TaskState, string>> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
};

/** A state as a filter of `ListTasks` names it; null = 1.0 has no such state. */
export const stateOf1 = (name: Json): TaskState | null =>
  (Object.keys(STATES_1) as TaskState[]).find((state) => STATES_1[state] === name) ?? null;

function status1(task: { readonly id: string; readonly contextId: string; readonly status: TaskStatus }): JsonObject {
  const { state, timestamp, text } = task.status;
  const { id: taskId, contextId } = task;
  const said = { role: 'ROLE_AGENT', messageId: messageId(task), taskId, contextId };
  return { state: STATES_1[state], timestamp, ...(text === null ? {} : { message: { ...said, parts: [{ text }] } }) };
}

const artifact1 = (task: Task, output: Output): JsonObject => ({
  artifactId: artifactId(task),
  name: 'output',
  parts: [
    output.kind === 'text'
      ? { text: output.text, mediaType: 'text/plain' }
      : { data: output.value, mediaType: 'application/json' },
  ],
});

function task1(task: Task): JsonObject {
  const { id, contextId, output, metadata } = task;
  const artifacts = output === null ? {} : { artifacts: [artifact1(task, output)] };
  return { id, contextId, status: status1(task), ...artifacts, metadata };
}

const WIRE_1: TaskWire = {
  task: task1,
  sent: (task) => ({ task: task1(task) }),
  list: (tasks, { token, pageSize }) => ({
    tasks: tasks.map(task1),
    nextPageToken: token,
    pageSize,
    totalSize: tasks.length,
  }),
  frame: (frame) => {
    const { id: taskId, contextId } = frame.task;
    switch (frame.kind) {
      case 'task':
        return { task: task1(frame.task) };
      case 'status':
        return { statusUpdate: { taskId, contextId, status: status1(frame.task), metadata: frame.task.metadata } };
      case 'output':
        return {
          artifactUpdate: { taskId, contextId, artifact: artifact1(frame.task, frame.output), lastChunk: true },
        };
    }
  },
};

const WIRES: Readonly<Record<A2aVersion, TaskWire>> = { '0.3': WIRE_0, '1.0': WIRE_1 };

export const wireOf = (version: A2aVersion): TaskWire => WIRES[version];
