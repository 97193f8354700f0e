import type { Metric, MetricSource, MetricsApp } from './metrics-app.js';

interface Named {
  readonly name: string;
  readonly source: MetricSource;
}

type Answer = { readonly name: string; readonly metrics: readonly Metric[]; readonly hasFailed: boolean };

type OnFailure = (source: string, error: unknown) => void;

async function ask({ name, source }: Named, workspace: string, onFailure: OnFailure): Promise<Answer> {
  try {
    return { name, metrics: await source(workspace), hasFailed: false };
  } catch (error) {
    onFailure(name, error);
    return { name, metrics: [], hasFailed: true };
  }
}

/** Sources are asked together; of two metrics with one name the first source has it. */
export function createMetricsApp(first: readonly Named[], onFailure: OnFailure): MetricsApp {
  const sources = new Set<Named>(first);
  return {
    add: async (name, source) => {
      const named = { name, source };
      sources.add(named);
      return () => void sources.delete(named);
    },
    read: async (workspace) => {
      const answers = await Promise.all([...sources].map((named) => ask(named, workspace, onFailure)));
      const failed: Metric = {
        name: 'kit_metrics_source_failed',
        help: '1 for a source that could not be read at this scrape.',
        kind: 'gauge',
        samples: answers.map(({ name, hasFailed }) => ({ labels: { source: name }, value: hasFailed ? 1 : 0 })),
      };
      const byName = new Map<string, Metric>();
      for (const metric of [...answers.flatMap(({ metrics }) => metrics), failed])
        if (!byName.has(metric.name)) byName.set(metric.name, metric);
      return [...byName.values()];
    },
  };
}
