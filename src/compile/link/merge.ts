import type { JsonObject } from '../../domain/json.js';
import { EFFORTS } from '../../domain/ports/model.js';
import type { ModelChoice } from '../../domain/workspace.js';
import { numberAt, objectAt, textAt } from '../read.js';

/**
 * Overlays the agent's block on the archetype's, one level deep: nested objects and lists are
 * replaced whole (docs/design/workspace.md#merging).
 */
export const mergeBlock = (defaults: JsonObject | null, own: JsonObject | null): JsonObject => ({
  ...defaults,
  ...own,
});

/**
 * A merged `model` block in the words of the engine. Absent parts are null: the run decides, or
 * refuses.
 */
export const modelChoice = (block: JsonObject | null): ModelChoice => ({
  ...effortOf(textAt(block, 'effort')),
  provider: textAt(block, 'provider'),
  name: textAt(block, 'name'),
  temperature: numberAt(block, 'temperature'),
  maxTokens: numberAt(block, 'max_tokens'),
  toolProvider: textAt(block, 'tool_provider'),
  toolModel: textAt(block, 'tool_model'),
  options: objectAt(block, 'options') ?? {},
});

/** `persona` stands before `system`, with a blank line between. */
export function systemPrompt(block: JsonObject): string | null {
  const parts = [textAt(block, 'persona'), textAt(block, 'system')].filter(
    (part) => part !== null && part.trim() !== '',
  );
  return parts.length === 0 ? null : parts.join('\n\n');
}

function effortOf(text: string | null): Pick<ModelChoice, 'effort'> {
  const effort = EFFORTS.find((one) => one === text);
  return effort === undefined ? {} : { effort };
}
