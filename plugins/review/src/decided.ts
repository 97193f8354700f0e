import {
  type JsonObject,
  type ResolvedItem,
  toWireDecision,
  toWireGate,
  toWireItem,
  toWireJob,
} from '@kit-run/kit/command';
import type { RunAfter } from './go-on.js';

/**
 * What a decision came to, as JSON. `item` and `decision` tell the decision; the run after it is a
 * field of its own (docs/design/decisions.md#recorded).
 */
export function decidedToWire(resolved: ResolvedItem, run: RunAfter): JsonObject {
  return {
    item: toWireItem(resolved.item),
    decision: resolved.decision === null ? null : toWireDecision(resolved.decision),
    unchanged: resolved.unchanged,
    reopened: resolved.reopened,
    proposed: [...resolved.proposed],
    gate: resolved.gate === null ? null : toWireGate(resolved.gate),
    run: { id: run.job.id, status: run.job.status, resumed: run.resumed, why: run.why, job: toWireJob(run.job) },
  };
}
