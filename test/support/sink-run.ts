import type { SinkRun } from '../../src/domain/ports/sinks.js';

/** What a sink is told of the run of an event, as a test has it. */
export const runOf = (traceParent: string | null = null): SinkRun => ({
  links: null,
  traceParent: async () => traceParent,
  trace: async () => null,
});
