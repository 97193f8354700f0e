import type { ModelRequest } from '../../src/domain/ports/model.js';

/** Who asks the model, and how often it was answered before. */
export function speakerOf({ messages }: ModelRequest): { readonly agent: string; readonly turn: number } {
  const system = messages.find((message) => message.role === 'system')?.parts[0];
  const agent = /^You are ([a-z0-9-]+)\./.exec(system?.type === 'text' ? system.text : '')?.[1] ?? '';
  return { agent, turn: messages.filter((message) => message.role === 'assistant').length };
}
