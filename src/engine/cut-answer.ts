import type { StepOutcome } from '../domain/journal.js';
import type { MessagePart } from '../domain/ports/model.js';
import { GO_ON } from '../prompts/turns.js';
import { textTask } from './activation-call.js';
import type { ModelCall, ModelValue } from './model-ask.js';
import { isCut, textOf } from './model-ends.js';

/**
 * An answer that the output limit cut off goes on in steps of their own, `<key>/more1` and
 * `<key>/more2`, and is put together before anybody judges or sees it. Tools stay on offer: the
 * rest may be a call. A schema is not asked for again, because another value would begin in place
 * of the rest of this one; where it stands among the tools, none of them may be called. The whole
 * text is held to it. The last of these steps fails as `truncated` when it is cut off too, which
 * ends this.
 */
export async function goOnWithAnswer(of: {
  readonly call: ModelCall;
  readonly cut: ModelValue;
  readonly ask: (call: ModelCall) => Promise<StepOutcome<ModelValue>>;
}): Promise<StepOutcome<ModelValue>> {
  const { call, ask } = of;
  let part = of.cut;
  let text = '';
  let messages = call.messages;
  for (let cuts = 1; ; cuts += 1) {
    text += textOf(part.parts);
    messages = [...messages, { role: 'assistant', parts: part.parts }, { role: 'user', parts: textTask(GO_ON) }];
    const outcome = await ask({
      ...call,
      key: `${call.key}/more${cuts}`,
      purpose: 'continuation',
      messages,
      ...(call.outputSchema !== null && call.tools.length > 0 ? { isClosed: true } : { outputSchema: null }),
      soFar: { text, cuts },
    });
    if (outcome.status === 'failed') return outcome;
    if (!isCut(outcome.value)) {
      return { status: 'ok', value: { ...outcome.value, parts: joined(text, outcome.value.parts) } };
    }
    part = outcome.value;
  }
}

/** One text, with the state of its last part: the provider wants that back with the calls. */
function joined(before: string, parts: readonly MessagePart[]): readonly MessagePart[] {
  const state = parts.findLast((part) => part.type === 'text')?.state;
  const text: MessagePart = { type: 'text', text: `${before}${textOf(parts)}` };
  return [state === undefined ? text : { ...text, state }, ...parts.filter(({ type }) => type !== 'text')];
}
