import type { Metric, RunSpan, RunTrace, TracePart } from '@kit-run/kit/plugin';
import type { Meter, Attributes as MetricAttributes } from '@opentelemetry/api';

/** Boundaries that the GenAI conventions name for tokens and for seconds of one operation. */
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];
const OPERATION_S = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/** From a second to the week that a run may wait for people. */
const LONG_S = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400, 604_800];

/** What is counted of runs. */
export interface Instruments {
  /** A run that ended, as far as its row tells: every one, exported or not. */
  countRun(trace: RunTrace): void;
  /** What the events of a run tell of: of those that are exported. */
  countPart(part: TracePart): void;
  /**
   * Figures of the whole queue, as `/metrics` has them; the next collection tells the last ones.
   */
  observe(figures: readonly Metric[]): void;
}

/** Figure of `/metrics` -> gauge; with a status only the sample of that status. */
const GAUGES = [
  {
    name: 'queue.depth',
    unit: '{run}',
    description: 'Runs that wait for a claim.',
    figure: 'kit_queue_depth',
    status: null,
  },
  {
    name: 'queue.oldest_age',
    unit: 's',
    description: 'Age of the run that waits longest.',
    figure: 'kit_queue_oldest_seconds',
    status: null,
  },
  {
    name: 'runs.active',
    unit: '{run}',
    description: 'Runs that a worker has claimed.',
    figure: 'kit_jobs',
    status: 'running',
  },
] as const;

export function createInstruments(meter: Meter): Instruments {
  const runs = meter.createCounter('runs.total', { unit: '{run}', description: 'Runs that ended, by status.' });
  const steps = meter.createCounter('agent.steps.total', {
    unit: '{step}',
    description: 'Activations of agents that ended.',
  });
  const calls = meter.createCounter('tool.calls.total', {
    unit: '{call}',
    description: 'Tool calls of agents and harnesses.',
  });
  const decisions = meter.createCounter('governance.decisions.total', {
    unit: '{decision}',
    description: 'Decisions about agents, tools and people.',
  });
  const seconds = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries } });
  const runS = seconds('runs.duration', 'From the first claim of a run to its end.', LONG_S);
  const toolS = seconds('tool.duration', 'Duration of a tool call.', OPERATION_S);
  const waitS = seconds('approval.wait', 'How long people were waited for.', LONG_S);
  const operationS = seconds(
    'gen_ai.client.operation.duration',
    'Duration of a model call, retries included.',
    OPERATION_S,
  );
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Tokens of a model call.',
    advice: { explicitBucketBoundaries: TOKENS },
  });
  let figures: readonly Metric[] = [];
  for (const { name, unit, description, figure, status } of GAUGES) {
    meter.createObservableGauge(name, { unit, description }).addCallback((result) => {
      const metric = figures.find((one) => one.name === figure);
      const sample =
        status === null ? metric?.samples[0] : metric?.samples.find(({ labels }) => labels.status === status);
      // Without a run of that status there is no sample, and none is 0 of them; without the figure
      // nothing is known.
      if (metric !== undefined) result.observe(sample?.value ?? 0);
    });
  }
  const countSpan = (span: RunSpan): void => {
    const { of, error } = span;
    const s = (span.endMs - span.startMs) / 1000;
    const failed: MetricAttributes = error === null ? {} : { 'error.type': error };
    switch (of.type) {
      case 'agent':
        steps.add(1, { 'gen_ai.agent.name': of.agentId, 'kit.status': of.status });
        break;
      case 'tool':
        calls.add(1, { 'gen_ai.tool.name': of.tool, 'kit.status': of.status });
        // A harness tells of its tools without their duration.
        if (!of.isInside) toolS.record(s, { 'gen_ai.tool.name': of.tool, ...failed });
        break;
      case 'model': {
        const model = {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': of.provider,
          'gen_ai.request.model': of.model,
        };
        operationS.record(s, { ...model, ...failed });
        if (of.usage.inputTokens > 0) tokens.record(of.usage.inputTokens, { ...model, 'gen_ai.token.type': 'input' });
        if (of.usage.outputTokens > 0)
          tokens.record(of.usage.outputTokens, { ...model, 'gen_ai.token.type': 'output' });
        break;
      }
      case 'wait':
        waitS.record(s, { 'kit.wait.kind': of.kind, 'kit.wait.outcome': of.outcome });
        break;
      case 'submit':
      case 'run':
      case 'queue':
      case 'attempt':
      case 'session':
        break;
    }
  };
  return {
    countRun: ({ end, durationMs, topology }) => {
      if (end === null) return;
      const run = { 'kit.topology': topology, 'kit.run.status': end };
      runs.add(1, run);
      if (durationMs !== null) runS.record(durationMs / 1000, run);
    },
    countPart: ({ spans, decisions: { allow, deny } }) => {
      for (const span of spans) countSpan(span);
      if (allow > 0) decisions.add(allow, { 'kit.decision': 'allow' });
      if (deny > 0) decisions.add(deny, { 'kit.decision': 'deny' });
    },
    observe: (next) => {
      figures = next;
    },
  };
}
