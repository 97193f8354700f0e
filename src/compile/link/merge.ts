import type { ModelChoice } from '../../domain/agent-node.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import { EFFORTS } from '../../domain/ports/model.js';
import { flagAt, numberAt, objectAt, objectsAt, textAt } from '../read.js';

const AUTO = DEFAULTS.ModelBlock.tool_choice;

/**
 * Overlays the agent's block on the archetype's, one level deep: nested objects and lists are
 * replaced whole (docs/design/workspace.md#merging).
 */
export const mergeBlock = (defaults: JsonObject | null, own: JsonObject | null): JsonObject => ({
  ...defaults,
  ...own,
});

/**
 * The same for a `model` block: an output limit of the agent wins over that of the archetype,
 * whichever of its two names each of them uses.
 */
export const mergeModel = (defaults: JsonObject | null, own: JsonObject | null): JsonObject =>
  mergeBlock(renamedLimit(defaults), renamedLimit(own));

function renamedLimit(block: JsonObject | null): JsonObject | null {
  if (block?.max_tokens === undefined) return block;
  const { max_tokens: earlier, ...rest } = block;
  return { max_output_tokens: earlier, ...rest };
}

/**
 * A merged `model` block in the words of the engine. Absent parts are null: the run decides, or
 * refuses.
 */
export const modelChoice = (block: JsonObject | null): ModelChoice => ({
  ...effortOf(textAt(block, 'effort')),
  ...toolChoiceOf(block),
  ...fallbackOf(block),
  ...(flagAt(block, 'strict') === true ? { strict: true } : {}),
  provider: textAt(block, 'provider'),
  name: textAt(block, 'name'),
  temperature: numberAt(block, 'temperature'),
  maxTokens: numberAt(block, 'max_output_tokens') ?? numberAt(block, 'max_tokens'),
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

function toolChoiceOf(block: JsonObject | null): Pick<ModelChoice, 'firstCall'> {
  const choice = textAt(block, 'tool_choice') ?? AUTO;
  if (choice === AUTO) return {};
  return { firstCall: choice === 'required' ? choice : { tool: choice } };
}

function fallbackOf(block: JsonObject | null): Pick<ModelChoice, 'fallback'> {
  const fallback = objectsAt(block, 'fallback').map((entry) => ({
    provider: textAt(entry, 'provider') ?? '',
    model: textAt(entry, 'name') ?? '',
    options: objectAt(entry, 'options') ?? {},
  }));
  return fallback.length === 0 ? {} : { fallback };
}
