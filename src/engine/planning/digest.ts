import type { Json } from '../../domain/json.js';
import { textTask } from '../activation-call.js';
import { fenced } from '../fenced.js';
import { callModel } from '../model-call.js';
import { textOf } from '../model-ends.js';
import { outputText } from '../results.js';
import type { RunServices } from '../services.js';
import { stopAtBoundary } from '../stop.js';
import { MAX_RESULT_CHARS } from './edit-plan.js';
import type { PlanRun } from './plan-run.js';

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
  run: PlanRun,
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
  const outcome = await callModel(services, {
    key,
    agentId: node.id,
    skillId: null,
    purpose: 'skill',
    provider: model.provider,
    model: model.model,
    choice: node.model,
    messages: [
      {
        role: 'system',
        parts: textTask(
          'Summarise the result that you are given in three to five points, with its figures and names. Add nothing.',
        ),
      },
      { role: 'user', parts: textTask(fenced('result', text.slice(0, MAX_RESULT_CHARS).toWellFormed())) },
    ],
    tools: [],
    outputSchema: null,
    check: null,
    checkIsFinal: true,
    attempt: 0,
    corrections: 0,
    activation: run.activation.key,
  });
  const summary = outcome.status === 'ok' ? textOf(outcome.value.parts).trim() : '';
  return summary === '' ? cut(text) : summary;
}

const cut = (text: string): string =>
  `${text.slice(0, SHORT_CHARS).toWellFormed()} ... (${text.length} characters in all)`;

function findingsIn(output: Json): readonly Json[] | null {
  if (output === null || typeof output !== 'object' || !('findings' in output)) return null;
  return Array.isArray(output.findings) ? output.findings : null;
}
