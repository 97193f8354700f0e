import { isObject, type JsonObject, type ModelRequest } from '@kit-run/kit/plugin';
import { isList, own } from '../shared/json.js';
import { strictSchema } from './strict-schema.js';

/** A setting of the agent that the request does not say: it is not sent. */
export class UnsaidSetting extends Error {
  override readonly name = 'UnsaidSetting';
}

/** What of a request its settings are read from. */
export type Settled = Pick<ModelRequest, 'model' | 'tools' | 'toolChoice' | 'strict' | 'options'>;

/** Settings of the request that its body has to say, so that none is dropped in silence. */
const mustSay = ({ tools, toolChoice, strict }: Settled): { readonly choice: boolean; readonly strict: boolean } => ({
  choice: toolChoice?.type === 'required' || (toolChoice?.type === 'tool' && toolChoice.must === true),
  strict: strict === true && tools.some(({ inputSchema }) => strictSchema(inputSchema) !== null),
});

/** True when somebody has to look at the body before it is sent. */
export function hasToSay(request: Settled): boolean {
  const must = mustSay(request);
  return must.choice || must.strict;
}

/**
 * Throws UnsaidSetting where the body lacks what the agent asked for: its protocol has no word for
 * it, or the model takes it not, or not beside its thinking.
 */
export function assertSaid(request: Settled, body: JsonObject): void {
  const must = mustSay(request);
  const missing = [
    ...(must.choice && !saysChoice(body) ? ['tool_choice'] : []),
    ...(must.strict && !saysStrict(body) ? ['strict'] : []),
  ];
  if (missing.length > 0)
    throw new UnsaidSetting(
      `${missing.map((name) => `\`${name}\``).join(' and ')} cannot be said to ${request.model} here: its protocol, the model or its thinking does not take it; remove it from the model block, or take another model`,
    );
}

function saysChoice(body: JsonObject): boolean {
  const choice = own(body, 'tool_choice');
  if (choice !== undefined) return choice !== 'auto' && !(isObject(choice) && own(choice, 'type') === 'auto');
  return modeOf(body) === 'ANY';
}

function saysStrict(body: JsonObject): boolean {
  const tools = own(body, 'tools');
  if (!isList(tools)) return false;
  const isStrict = tools.some((tool) => {
    if (!isObject(tool)) return false;
    const inner = own(tool, 'function');
    return own(tool, 'strict') === true || (isObject(inner) && own(inner, 'strict') === true);
  });
  // Gemini holds all calls to their schemas in these modes, whichever is called.
  return isStrict || modeOf(body) === 'VALIDATED' || modeOf(body) === 'ANY';
}

/** How Gemini says it. */
function modeOf(body: JsonObject): string | null {
  const config = own(body, 'toolConfig');
  const calling = isObject(config) ? own(config, 'functionCallingConfig') : undefined;
  const mode = isObject(calling) ? own(calling, 'mode') : undefined;
  return typeof mode === 'string' ? mode : null;
}
