import type { CompressionRule } from '../../domain/compression.js';
import type { JsonObject } from '../../domain/json.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import { assertNever } from '../../lib/assert-never.js';
import { compressed } from '../../prompts/shortened.js';
import { outputText } from '../results.js';
import type { RunServices } from '../services.js';
import type { ToolValue } from '../skills/tool-result.js';
import type { StepEnd } from '../step-types.js';
import { columnar } from './columnar.js';
import { headtail } from './headtail.js';
import { RETRIEVE, refOf } from './ref.js';
import { isKept, ruleFor, type ToolPlace } from './rule-for.js';

/** One call whose result goes to a model. */
export interface ResultCall {
  readonly skill: LinkedSkill;
  readonly key: string;
}

/** A finished call with the text for the conversation, and what its event says of that. */
export interface CompressedEnd {
  readonly end: StepEnd<ToolValue>;
  /** `compression` of `skill.executed`; {} where no rule applies. */
  readonly facts: JsonObject;
}

/**
 * Compresses the result of a tool inside its step, so that what the model saw is recorded with what
 * the tool answered (docs/design/journal.md#outcomes). Secrets are replaced first: half of one
 * would be recognised by nobody. Failures, and texts below the minimum, are left as they are.
 */
export async function compressEnd(
  services: RunServices,
  call: ResultCall,
  end: StepEnd<ToolValue>,
): Promise<CompressedEnd> {
  const policy = services.snapshot.compression;
  if (policy === undefined || end.outcome.status !== 'ok') return { end, facts: {} };
  const place = placeOf(call.skill);
  const rule = ruleFor(policy, place);
  if (rule.backend === 'off') return { end, facts: {} };
  const output = services.steps.deps.mask(end.outcome.value.output);
  const text = outputText(output);
  if (text.length < rule.minBytes) return { end, facts: {} };
  const made = await compress(services, { rule, text, place, key: call.key });
  const shown = typeof made === 'string' ? null : made.text.length < text.length ? made.text : null;
  const compression = {
    backend: rule.backend,
    bytes_in: Buffer.byteLength(text),
    bytes_out: Buffer.byteLength(shown ?? text),
    left: typeof made === 'string' ? made : shown === null ? 'not_shorter' : null,
  };
  const value: ToolValue = { ...end.outcome.value, output, ...(shown === null ? {} : { shown }) };
  return { end: { ...end, outcome: { status: 'ok', value } }, facts: { compression } };
}

interface Compressing {
  readonly rule: CompressionRule;
  readonly text: string;
  readonly place: ToolPlace;
  readonly key: string;
}

/** The shorter text, or why there is none. */
async function compress(
  services: RunServices,
  { rule, text, place, key }: Compressing,
): Promise<{ readonly text: string } | string> {
  switch (rule.backend) {
    case 'off':
      return 'off';
    case 'columnar': {
      const made = columnar(text);
      return made.taken ? made : made.why;
    }
    case 'headtail': {
      const made = headtail(text, refOf(place.tool, key));
      return made === null ? 'too_short' : { text: made };
    }
    case 'plugin': {
      if (rule.backendClass === null) return 'failed';
      const made = await services.compressors.compress(rule.backendClass, text, place);
      const policy = services.snapshot.compression;
      if (typeof made === 'string' || policy === undefined || !isKept(policy, rule.backendClass)) return made;
      const note = compressed({ tool: RETRIEVE, ref: refOf(place.tool, key) }, text.length);
      return { text: `${made.text}\n${note}` };
    }
    default:
      return assertNever(rule.backend);
  }
}

const placeOf = ({ id, implementation }: LinkedSkill): ToolPlace => ({
  tool: id,
  server: implementation.type === 'mcp_tool' ? implementation.server : null,
});
