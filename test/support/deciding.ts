import type { DecisionBinding } from '../../src/domain/decision-binding.js';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import type { ModelRequest } from '../../src/domain/ports/model.js';
import { commandSkill } from './run-world.js';

const NO_MODEL = {
  provider: null,
  name: null,
  temperature: null,
  maxTokens: null,
  toolProvider: null,
  toolModel: null,
  options: {},
};

/**
 * A decision skill that a model answers; it introduces itself by its id, like an agent of a
 * scripted world.
 */
export const decisionSkill = (id: string): LinkedSkill => ({
  ...commandSkill(id, []),
  category: 'decision',
  effects: 'none',
  implementation: { type: 'llm_prompt', prompt: `You are ${id}.`, model: NO_MODEL },
});

export const binding = (
  skill: string,
  trigger: DecisionBinding['trigger'],
  over: Partial<DecisionBinding> = {},
): DecisionBinding => ({
  skill,
  trigger,
  agents: null,
  required: true,
  config: {},
  maxRetries: 4,
  ...over,
});

export const verdict = (word: string, more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ verdict: word, confidence: 0.9, reasoning: `said ${word}`, flagged_items: [], ...more });

/** The last thing that a model was told, as text. */
export const lastText = (request: ModelRequest): string =>
  (request.messages.at(-1)?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');

/** How many tools a request has, and what may be done with them. */
export const toolsIn = ({ tools, toolChoice }: ModelRequest): string => `${tools.length} ${toolChoice?.type ?? 'auto'}`;
