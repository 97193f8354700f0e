import type { Json } from '../../domain/json.js';
import { type BoundVerdict, refuses } from '../../govern/bindings.js';
import { NOT_ACCEPTED } from '../../prompts/judge.js';
import { taskText } from '../activation-call.js';
import { checkOutput } from '../answer-check.js';
import type { DraftCall, DraftEnd } from '../drafts.js';
import { isParked } from '../park.js';
import type { ActivationValue } from '../results.js';
import type { RunServices } from '../services.js';
import type { StepEnd } from '../step-types.js';
import { verdictOf } from '../timed-verdict.js';
import { askBindings, bindingsOf, decisionFailed } from './ask-bindings.js';

/**
 * The decisions before a draft. Null lets it begin. A refused task ends the draft without a model
 * call or a session: the suggested response, else the reasoning, of the first binding that refused
 * is the agent's result. Where a schema is in force only a suggestion that fits it can be one;
 * without it the draft has failed. Each draft is asked about, because rework is a new task.
 */
export async function beforeInput(services: RunServices, { activation, first }: DraftCall): Promise<DraftEnd | null> {
  const bindings = bindingsOf(services, 'pre_input', activation.node.id);
  if (bindings.length === 0) return null;
  const ended = (end: DraftEnd['end']): DraftEnd => ({ end, next: first + 1, diff: null });
  const content = taskText(activation.task);
  const found = await askBindings(services, bindings, {
    base: `${activation.key}/d${first}`,
    activation,
    trigger: 'pre_input',
    content,
    facts: {},
  });
  if (isParked(found)) return ended(found);
  const refused = found.filter(refuses);
  const [foremost] = refused;
  return foremost === undefined
    ? null
    : ended(await responseOf(services, { activation, key: `${activation.key}/d${first}/fits`, foremost, refused }));
}

interface Refused {
  readonly activation: DraftCall['activation'];
  /** Of the verdict about what is suggested, where it is a step. */
  readonly key: string;
  readonly foremost: BoundVerdict;
  readonly refused: readonly BoundVerdict[];
}

async function responseOf(
  services: RunServices,
  { activation, key, foremost, refused }: Refused,
): Promise<StepEnd<ActivationValue>> {
  const { suggestedResponse, reasoning } = foremost.verdict;
  const { id, outputSchema: schema } = activation.node;
  const ok = (output: Json): StepEnd<ActivationValue> => ({ outcome: { status: 'ok', value: { output } } });
  if (schema === null) return ok(suggestedResponse ?? (reasoning === '' ? NOT_ACCEPTED : reasoning));
  if (suggestedResponse === undefined) return decisionFailed('pre_input', refused);
  const check = await verdictOf(services, { key, agentId: id, schema }, () =>
    checkOutput(services, schema, suggestedResponse),
  );
  return check.valid ? ok(check.value) : decisionFailed('pre_input', refused);
}
