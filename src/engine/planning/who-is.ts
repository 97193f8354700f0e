import type { AgentNode } from '../../domain/workspace.js';

/** A description is for a person too, and may be a page. */
const MAX_CHARS = 500;

/** `alpha (worker: knows the markets of Europe)`: what whoever gives it tasks can choose by. */
export function whoIs({ id, role, description }: AgentNode): string {
  if (description === undefined) return `${id} (${role})`;
  const words = description.replace(/\s+/g, ' ');
  const shown = words.length <= MAX_CHARS ? words : `${words.slice(0, MAX_CHARS).toWellFormed()}...`;
  return `${id} (${role}: ${shown})`;
}
