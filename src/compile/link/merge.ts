import type { ModelChoice } from '../../domain/agent-node.js';
import type { ModelBlock, PromptBlock } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';

const AUTO = DEFAULTS.ModelBlock.tool_choice;

/**
 * The agent's block over that of its archetype, key by key (docs/design/workspace.md#merging): an
 * output limit of the agent wins, whichever of its two names each of them uses.
 */
export const mergeModel = (defaults: ModelBlock | undefined, own: ModelBlock | undefined): ModelBlock => ({
  ...renamedLimit(defaults),
  ...renamedLimit(own),
});

function renamedLimit({ max_tokens: earlier, ...rest }: ModelBlock = {}): ModelBlock {
  return earlier === undefined ? rest : { max_output_tokens: earlier, ...rest };
}

/**
 * A merged `model` block in the words of the engine. Absent parts are null: the run decides, or
 * refuses.
 */
export function modelChoice(block: ModelBlock = {}): ModelChoice {
  const { effort, strict, tool_choice: choice = AUTO, fallback = [] } = block;
  const others = fallback.map(({ provider, name, options = {} }) => ({ provider, model: name, options }));
  return {
    ...(effort === undefined ? {} : { effort }),
    ...(choice === AUTO ? {} : { firstCall: choice === 'required' ? choice : { tool: choice } }),
    ...(others.length === 0 ? {} : { fallback: others }),
    ...(strict === true ? { strict } : {}),
    provider: block.provider ?? null,
    name: block.name ?? null,
    temperature: block.temperature ?? null,
    maxTokens: block.max_output_tokens ?? block.max_tokens ?? null,
    toolProvider: block.tool_provider ?? null,
    toolModel: block.tool_model ?? null,
    options: block.options ?? {},
  };
}

/** `persona` stands before `system`, with a blank line between. */
export function systemPrompt({ persona = '', system = '' }: PromptBlock): string | null {
  const parts = [persona, system].filter((part) => part.trim() !== '');
  return parts.length === 0 ? null : parts.join('\n\n');
}
