import type { RunSpan, RunTrace, SpanUsage, TracePart } from '@kit-run/kit/plugin';

/** Values that a span or a resource can carry. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/**
 * Name and kind as tools list spans, and its attributes: names of the GenAI semantic conventions
 * where they have one, `kit.` for the rest.
 */
export interface Described {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer';
  readonly attributes: Attributes;
}

/** What of a span is told. */
export function describe({ of }: Pick<RunSpan, 'of'>, trace: RunTrace): Described {
  switch (of.type) {
    case 'submit':
      return {
        name: `run.submit ${trace.topology}`,
        kind: of.source === 'cli' ? 'internal' : 'server',
        attributes: { 'kit.door': of.source, ...runFacts(trace) },
      };
    case 'run':
      return {
        name: 'topology.run',
        kind: 'internal',
        attributes: { 'gen_ai.operation.name': 'invoke_workflow', 'kit.run.status': of.status, ...runFacts(trace) },
      };
    case 'queue':
      return { name: 'run.queue', kind: 'internal', attributes: {} };
    case 'attempt':
      return {
        name: 'run.attempt',
        kind: 'internal',
        attributes: {
          ...(of.attempt === null ? {} : { 'kit.attempt': of.attempt }),
          ...(of.workerId === null ? {} : { 'kit.worker.id': of.workerId }),
        },
      };
    case 'agent':
      return {
        name: `agent.step.${of.agentId}`,
        kind: 'internal',
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          ...agentName(of.agentId),
          'kit.agent.role': of.role,
          'kit.agent.executor': of.executor,
          'kit.agent.activation': of.activation,
          'kit.status': of.status,
          ...costOf(of.usage),
        },
      };
    case 'model':
      return {
        name: `chat ${of.model}`,
        kind: 'client',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': of.provider,
          'gen_ai.request.model': of.model,
          ...agentName(of.agentId),
          ...tokens(of.usage),
          'kit.status': of.status,
        },
      };
    case 'tool':
      return {
        name: `tool.call.${of.tool}`,
        kind: 'internal',
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': of.tool,
          ...agentName(of.agentId),
          'kit.tool.inside_harness': of.isInside,
          'kit.status': of.status,
        },
      };
    case 'session':
      return {
        name: `executor.run.${of.executor}`,
        kind: 'internal',
        attributes: {
          'gen_ai.operation.name': 'invoke_agent',
          'gen_ai.provider.name': of.executor,
          ...agentName(of.agentId),
          ...tokens(of.usage),
          'kit.status': of.status,
        },
      };
    case 'wait':
      return {
        name: `${of.kind === 'gate' ? 'gate' : 'review'}.wait`,
        kind: 'internal',
        attributes: {
          ...agentName(of.agentId),
          'kit.wait.kind': of.kind,
          'kit.wait.id': of.id,
          'kit.wait.round': of.round,
          'kit.wait.outcome': of.outcome,
        },
      };
  }
}

const agentName = (agentId: string | null): Attributes => (agentId === null ? {} : { 'gen_ai.agent.name': agentId });

/** Only where they were used: sums over the spans of a run count each token once. */
const tokens = (usage: SpanUsage): Attributes => ({
  'gen_ai.usage.input_tokens': usage.inputTokens,
  'gen_ai.usage.output_tokens': usage.outputTokens,
  'gen_ai.usage.cache_read.input_tokens': usage.cachedInputTokens,
  'kit.usage.reasoning_tokens': usage.reasoningTokens,
  ...costOf(usage),
});

/** An unknown cost is left out: 0 would say that it was free. */
const costOf = ({ costUsd }: SpanUsage): Attributes => (costUsd === null ? {} : { 'kit.usage.cost_usd': costUsd });

/** What finds a run: on its two outer spans, beside the id that each span has. */
const runFacts = (trace: RunTrace): Attributes => ({
  'gen_ai.workflow.name': trace.topology,
  'kit.topology': trace.topology,
  ...(trace.version === null ? {} : { 'kit.topology.version': trace.version }),
  ...(trace.correlationId === null ? {} : { 'kit.correlation_id': trace.correlationId }),
  ...Object.fromEntries(Object.entries(trace.labels).map(([name, value]) => [`kit.label.${name}`, value])),
});

/** Of whom the run is. */
export const ownerAttributes = (
  { workspaceId }: RunTrace,
  { organisation, team, annotations }: TracePart,
): Attributes => ({
  ...(workspaceId === '' ? {} : { 'kit.workspace.id': workspaceId }),
  ...(organisation === null ? {} : { 'kit.organisation': organisation }),
  ...(team === null ? {} : { 'kit.team': team }),
  ...Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`kit.annotation.${name}`, value])),
});
