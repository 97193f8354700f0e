import type { Posted, SinkOutcome } from '@kit-run/kit/plugin';

/**
 * 2xx and 3xx are taken, 4xx is final, everything else may pass (docs/design/decisions.md#pushes).
 */
export function outcomeOf(posted: Posted): SinkOutcome {
  if (posted.kind !== 'answered') return { kind: 'failed', detail: posted.detail };
  const { status } = posted;
  if (status >= 200 && status < 400) return { kind: 'delivered' };
  return { kind: status >= 400 && status < 500 ? 'rejected' : 'failed', detail: `the receiver answered ${status}` };
}
