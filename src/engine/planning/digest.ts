import type { Json } from '../../domain/json.js';
import { fenced } from '../../prompts/fenced.js';
import { DIGEST } from '../../prompts/plan.js';
import { endGone } from '../../prompts/shortened.js';
import { askText } from '../ask-text.js';
import { outputText } from '../results.js';
import type { RunServices } from '../services.js';
import { stopAtBoundary } from '../stop.js';
import { MAX_RESULT_CHARS } from './edit-plan.js';
import type { RunningPlan } from './plan.js';

const MAX_FINDINGS = 10;
/** A result below this many characters is its own digest (docs/design/execution.md#plans). */
const SHORT_CHARS = 500;

/**
 * What a coordinator is told of a result: its `findings`, the first ten; a short result whole; else
 * three to five points that the coordinator's model makes of it. A result that cannot be summarised
 * is told by its beginning: it can be read with `read-task-result`.
 */
export async function digestOf(
  services: RunServices,
  run: RunningPlan,
  of: { readonly key: string; readonly output: Json },
): Promise<Json> {
  const { key, output } = of;
  const text = outputText(output);
  const findings = findingsIn(output);
  if (findings !== null)
    return {
      findings: findings.slice(0, MAX_FINDINGS),
      ...(findings.length > MAX_FINDINGS ? { of: findings.length } : {}),
    };
  if (text.length < SHORT_CHARS) return output;
  const { node } = run.activation;
  const model = services.snapshot.models[node.id];
  if (model === undefined) return cut(text);
  if (services.steps.rowOf(key)?.outcome == null) await stopAtBoundary(services);
  const summary = await askText(services, {
    key,
    agentId: node.id,
    purpose: 'skill',
    model,
    choice: node.model,
    system: DIGEST,
    user: fenced('result', text.slice(0, MAX_RESULT_CHARS).toWellFormed()),
    activation: run.activation.key,
  });
  return summary === '' ? cut(text) : summary;
}

const cut = (text: string): string => `${text.slice(0, SHORT_CHARS).toWellFormed()} ${endGone(text.length)}`;

function findingsIn(output: Json): readonly Json[] | null {
  if (output === null || typeof output !== 'object' || !('findings' in output)) return null;
  return Array.isArray(output.findings) ? output.findings : null;
}
