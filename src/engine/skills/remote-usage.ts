import type { Usage } from '../../domain/job.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { AgentTask } from '../../domain/ports/agent-transport.js';
import type { StepEnd } from '../step-types.js';
import type { RemoteNote } from './remote-note.js';
import type { AgentCall } from './skill-call.js';

type Answer = StepEnd<{ output: Json }>;

/** What a failed call tells of its task. */
export const factsOf = ({ task, url }: RemoteNote): JsonObject => ({ task, endpoint: url ?? null });

const UNUSED = { inputTokens: 0, outputTokens: 0, costUsd: 0 } as const;

/** Usage of nothing is left out by who tells of usage at all. */
const unusedBy = ({ returnsUsage }: RemoteNote, { state }: AgentTask): AgentTask['usage'] =>
  returnsUsage === true && state !== 'input-required' ? UNUSED : null;

/**
 * What the other side says it used counts towards the limits here; what it does not say is
 * unknown.
 */
export function withUsage({ agent, call }: AgentCall, note: RemoteNote, task: AgentTask, end: Answer): Answer {
  const reported = task.usage ?? unusedBy(note, task);
  const usage: Usage = {
    inputTokens: reported?.inputTokens ?? 0,
    outputTokens: reported?.outputTokens ?? 0,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    costUsd: reported?.costUsd ?? null,
  };
  return {
    ...end,
    usage,
    events: [
      ...(end.events ?? []),
      {
        type: 'a2a.remote_usage',
        agentId: call.activation.node.id,
        skillId: call.skill.id,
        payload: {
          card: agent.cardUrl ?? '',
          skill_id: agent.skillId,
          remote_run_id: task.runId ?? task.id,
          input_tokens: reported?.inputTokens ?? null,
          output_tokens: reported?.outputTokens ?? null,
          cost_usd: usage.costUsd,
          endpoint: note.url ?? '',
          source: reported === null ? 'unknown' : 'reported',
        },
      },
    ],
  };
}
