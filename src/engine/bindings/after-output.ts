import { ruleSetOf } from '../../domain/snapshot.js';
import { refuses, retriesOf, sendsBack } from '../../govern/bindings.js';
import { isNoVerdict } from '../../govern/checks/verdict.js';
import { sentBack } from '../../prompts/turns.js';
import type { DraftCall, DraftEnd } from '../drafts.js';
import { revisedTask } from '../funnel/revise.js';
import { isParked } from '../park.js';
import { outputText } from '../results.js';
import type { RunServices } from '../services.js';
import { askBindings, bindingsOf, decisionFailed, findingsOf } from './ask-bindings.js';

/**
 * The decisions after a draft: what they find goes back to the agent, a model in its own
 * conversation and without tools, a harness in a new session, until they let an answer through or
 * the attempts are used up. `draft` makes one draft, and whatever belongs to it.
 */
export async function afterOutput(
  services: RunServices,
  call: DraftCall,
  draft: (call: DraftCall) => Promise<DraftEnd>,
): Promise<DraftEnd> {
  const bindings = bindingsOf(services, 'post_output', call.activation.node.id);
  let made = await draft(call);
  if (bindings.length === 0) return made;
  for (let retries = 0; ; retries += 1) {
    const { end, next, diff } = made;
    if (isParked(end) || end.outcome.status === 'failed') return made;
    const { output } = end.outcome.value;
    const found = await askBindings(services, bindings, {
      // The last session of a harness is the draft; those before it did not fit its schema.
      base: `${call.activation.key}/d${next - 1}`,
      activation: call.activation,
      trigger: 'post_output',
      content: outputText(output),
      facts: diff === null || diff === '' ? {} : { diff },
    });
    if (isParked(found)) return { ...made, end: found };
    const back = found.filter(sendsBack);
    if (back.length === 0) return made;
    // Another draft fixes no judge. Before rule set 3 its author paid for it.
    const silent = ruleSetOf(services.snapshot) >= 3 ? back.filter(({ verdict }) => isNoVerdict(verdict)) : [];
    if (silent.length > 0) return { end: decisionFailed('post_output', silent), next, diff: null };
    if (retries >= retriesOf(bindings)) {
      const refused = back.filter(refuses);
      return refused.length === 0 ? made : { end: decisionFailed('post_output', refused), next, diff: null };
    }
    made = await draft(
      againCall(call, made, {
        output,
        source: back.map(({ binding }) => binding.skill).join(', '),
        findings: findingsOf(back),
      }),
    );
  }
}

interface Back {
  readonly output: Parameters<typeof outputText>[0];
  readonly source: string;
  readonly findings: string;
}

function againCall(
  call: DraftCall,
  { next, diff, conversation }: DraftEnd,
  { output, source, findings }: Back,
): DraftCall {
  const again = { ...call, first: next };
  if (conversation !== undefined)
    return { ...again, revise: { conversation, words: sentBack(findings), mayCall: false } };
  const draft = { number: next - 1, output, diff };
  return {
    ...again,
    activation: revisedTask(call.activation, {
      draft,
      round: null,
      decisions: [],
      critique: { source, text: findings },
    }),
  };
}
