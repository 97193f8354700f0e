import type { ModelMessage, ToolSpec } from '@kit-run/kit/plugin';
import { textOf } from '../shared/conversation.js';

/**
 * Names what requests of one agent begin with, so that a service with many machines sends them to
 * the one whose cache holds it: a digest of the system text and the names of the tools.
 */
export function prefixKey(
  { hash }: typeof import('node:crypto'),
  messages: readonly ModelMessage[],
  tools: readonly ToolSpec[],
): string {
  const system = messages.filter(({ role }) => role === 'system').map(textOf);
  const text = JSON.stringify([system, tools.map(({ name }) => name)]);
  return hash('sha256', text, 'hex').slice(0, 32);
}
