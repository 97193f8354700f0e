import type { MessagePart, ModelMessage, ModelRequest, ToolSpec } from '@kit-run/kit/plugin';

const DELEGATE_PREFIX = 'delegate_to_';

/** One tool that hands a task to a child agent. */
export interface ChildTool {
  readonly child: string;
  readonly tool: ToolSpec;
}

/**
 * The delegation tools that a request lets the model call, in the order in which they are offered.
 */
export function childTools(request: ModelRequest): readonly ChildTool[] {
  if (request.toolChoice?.type === 'none' || request.toolChoice?.type === 'text') return [];
  return request.tools.flatMap((tool) => {
    const child = childOf(tool.name);
    return child === null ? [] : [{ child, tool }];
  });
}

/** The child that a tool name delegates to; null for every other tool. */
export function childOf(toolName: string): string | null {
  return toolName.startsWith(DELEGATE_PREFIX) ? toolName.slice(DELEGATE_PREFIX.length) : null;
}

/** Names of the children that an assistant message of this conversation has already called. */
export function calledChildren(messages: readonly ModelMessage[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) {
      const child = part.type === 'tool_call' ? childOf(part.name) : null;
      if (child !== null) names.add(child);
    }
  }
  return names;
}

/** Text of the last user message that has any; '' when there is none. */
export function lastUserText(messages: readonly ModelMessage[]): string {
  const last = messages.findLast((message) => message.role === 'user' && textOf(message) !== '');
  return last === undefined ? '' : textOf(last);
}

/** The text parts of one message, joined by a line break. */
export function textOf({ parts }: ModelMessage): string {
  let text: string | null = null;
  for (const part of parts) if (part.type === 'text') text = text === null ? part.text : `${text}\n${part.text}`;
  return text ?? '';
}

/** How many answers the conversation holds: the number of the turn that is asked for now. */
export function turnOf(messages: readonly ModelMessage[]): number {
  let turns = 0;
  for (const { role } of messages) if (role === 'assistant') turns += 1;
  return turns;
}

/**
 * One call per child that was not called yet, with the last user text as its task. Ids follow from
 * turn and child, so a replay is equal.
 */
export function delegations(request: ModelRequest): readonly MessagePart[] {
  const tools = childTools(request);
  if (tools.length === 0) return [];
  const called = calledChildren(request.messages);
  const turn = turnOf(request.messages);
  const task = lastUserText(request.messages);
  return tools
    .filter(({ child }) => !called.has(child))
    .map(({ child, tool }) => ({ type: 'tool_call', id: `call_${turn}_${child}`, name: tool.name, input: { task } }));
}
