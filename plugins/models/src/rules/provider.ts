import {
  type JsonObject,
  type LinearPatterns,
  loadLinearPatterns,
  type ModelProvider,
  type ModelRequest,
  type ModelResult,
  messageOf,
} from '@kit-run/kit/plugin';
import { answer, failed } from '../shared/answer.js';
import { delegations } from '../shared/conversation.js';
import { fillSchema } from './fill.js';
import { createSelect } from './query.js';
import { childResults } from './results.js';

/** What `model` of an answer names: there is no model. */
export const RULES_MODEL = 'rules';

/**
 * The provider without a language model. While delegation tools are offered it calls each child
 * once; after that it answers with the children's results, under the output schema where there is
 * one.
 */
export function createRules(jsonPath: typeof import('json-p3')): ModelProvider {
  let loading: Promise<LinearPatterns> | undefined;
  return {
    schemaBesideTools: true,
    generate: async (request, { signal }) =>
      signal.aborted
        ? failed('timeout', 'the provider rules was stopped before it answered')
        : respond(request, jsonPath, () => (loading ??= loadLinearPatterns())),
    price: () => 0,
  };
}

async function respond(
  request: ModelRequest,
  jsonPath: typeof import('json-p3'),
  patterns: () => Promise<LinearPatterns>,
): Promise<ModelResult> {
  const calls = delegations(request);
  if (calls.length > 0) return answer(RULES_MODEL, calls);
  const results = childResults(request.messages);
  if (request.outputSchema === null) return structured({ results: results.root }, { '/results': '$' });
  const linear = await patterns();
  try {
    const filled = fillSchema(request.outputSchema, results, {
      select: createSelect(jsonPath, results.root, linear),
      testOf: linear.testOf,
    });
    if (!filled.ok)
      return failed(
        'unfilled',
        `rules.unfilled: ${filled.pointer === '' ? 'the answer' : filled.pointer}: ${filled.reason}`,
      );
    return answer(RULES_MODEL, [{ type: 'text', text: JSON.stringify(filled.value) }], {
      annotations: { sources: Object.fromEntries(filled.sources) },
    });
  } catch (error) {
    // A hint that is not a JSONPath, or a pattern that is not an expression: the author's mistake.
    return failed('bad_request', `the output schema cannot be filled: ${messageOf(error)}`);
  }
}

function structured(value: JsonObject, sources: JsonObject): ModelResult {
  return answer(RULES_MODEL, [{ type: 'text', text: JSON.stringify(value) }], { annotations: { sources } });
}
