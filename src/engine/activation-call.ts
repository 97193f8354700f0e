import type { AgentNode } from '../domain/agent-node.js';
import type { Json } from '../domain/json.js';
import type { MessagePart } from '../domain/ports/model.js';
import type { TreeView } from '../domain/ports/worktrees.js';
import type { AgentResult } from './results.js';

/**
 * One call of one agent. `key` is the path of call sites that led to it; no counter is shared by
 * two activations.
 */
export interface Activation {
  readonly key: string;
  readonly parentKey: string | null;
  readonly node: AgentNode;
  /** What it is asked; images appear only at the entry agent. */
  readonly task: readonly MessagePart[];
  /** What the same caller asked of this agent before, and what it answered. */
  readonly history: History;
  /** A reviewer alone: what it is shown instead of the whole repository, and may not change. */
  readonly view?: TreeView;
}

/**
 * The first `count` of exchanges, oldest first. The list is the caller's own and goes on growing:
 * an agent that is asked a thousand times takes no copy each time.
 */
export interface History {
  readonly exchanges: readonly Exchange[];
  readonly count: number;
}

export const NO_HISTORY: History = { exchanges: [], count: 0 };

/** A task and the answer it got. */
export interface Exchange {
  readonly task: string;
  readonly answer: Json;
}

/**
 * Runs an agent and everything below it; agents get it as a parameter to call their children.
 * `tolerant`: the caller goes on from its failure, so a failure inside ends nothing beside it.
 */
export type Activate = (activation: Activation, scope?: 'tolerant') => Promise<AgentResult>;

export const textTask = (text: string): readonly MessagePart[] => [{ type: 'text', text }];

/** The wording of a task, for an executor that takes one statement. */
export function taskText(task: readonly MessagePart[]): string {
  return task.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}
