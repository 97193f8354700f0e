import type { Job } from '../../domain/job.js';
import type { Tone } from '../../view/lines/tone.js';
import { costText, countText, durationText, oneLine, tokensText, usageNotes } from '../../view/lines/words.js';
import type { AgentCall, AgentView } from '../../view/run-view.js';
import { costOf, type UsageView } from '../../view/usage-view.js';

export const jobTone = (status: Job['status']): Tone =>
  status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'warn';

export const agentTone = (status: AgentView['status']): Tone =>
  status === 'ok' ? 'good' : status === 'running' ? 'warn' : 'bad';

export function callTone(status: AgentCall['status']): Tone {
  if (status === 'failed') return 'bad';
  return status === 'denied' || status === 'refused' ? 'warn' : 'plain';
}

/**
 * Where something of the cost is not known, what is known is only a lower bound, and it says so.
 */
export function spentText(usage: UsageView): string {
  const cost = costOf(usage);
  return cost === null && usage.knownCostUsd > 0 ? `at least ${costText(usage.knownCostUsd)}` : costText(cost);
}

/** The same for a column with the title COST. */
export function shortSpentText(usage: UsageView): string {
  const cost = costOf(usage);
  if (cost !== null) return costText(cost);
  return usage.knownCostUsd > 0 ? `≥${costText(usage.knownCostUsd)}` : 'unknown';
}

export const usageText = (usage: UsageView): string => `${tokensText(usage)} · ${spentText(usage)}${usageNotes(usage)}`;

export const isUsed = (usage: UsageView): boolean =>
  usage.inputTokens + usage.outputTokens > 0 || usage.knownCostUsd > 0 || usage.unknownCosts > 0;

/** What used tokens or cost something, most tokens first. */
export const mostUsed = (by: Readonly<Record<string, UsageView>>): readonly (readonly [string, UsageView])[] =>
  Object.entries(by)
    .filter(([, usage]) => isUsed(usage))
    .sort(([, a], [, b]) => b.inputTokens + b.outputTokens - a.inputTokens - a.outputTokens);

/** `talk 1.0.0`. */
export function topologyText(job: Pick<Job, 'topology' | 'version'>): string {
  const name = oneLine(job.topology, 80);
  return job.version === null || job.topology.includes('@') ? name : `${name} ${oneLine(job.version, 40)}`;
}

export const wallText = (wallMs: number | null): string => (wallMs === null ? '' : durationText(wallMs));

/** `8 tool calls (1 failed, 2 denied)`. */
export function toolCallsText(calls: {
  readonly tools: number;
  readonly failed: number;
  readonly denied: number;
}): string {
  const bad = [
    calls.failed === 0 ? '' : `${calls.failed} failed`,
    calls.denied === 0 ? '' : `${calls.denied} denied`,
  ].filter((part) => part !== '');
  return `${countText(calls.tools, 'tool call')}${bad.length === 0 ? '' : ` (${bad.join(', ')})`}`;
}
