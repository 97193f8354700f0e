/** What any list of spans has, from the fold or from a receiver. */
export interface TreeSpan {
  readonly spanId: string;
  /** null or '' = none. */
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * What is wrong with the spans of one trace: [] = nothing. `outside` is the parent of the root,
 * which somebody else tells of.
 */
export function faultsOf(spans: readonly TreeSpan[], outside: string | null = null): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const roots = spans.filter(({ parentSpanId }) => (parentSpanId || null) === outside);
  const twice = spans.length === byId.size ? [] : ['a span id is there twice'];
  const rootFaults =
    roots.length === 1 ? [] : [`there are ${roots.length} roots: ${roots.map(({ name }) => name).join(', ')}`];
  const faults = spans.flatMap((span): readonly string[] => {
    if (span.endMs < span.startMs) return [`${span.name} ends before it begins`];
    if (roots.includes(span)) return [];
    const parent = byId.get(span.parentSpanId ?? '');
    if (parent === undefined) return [`${span.name} hangs below nothing that is there`];
    return span.startMs < parent.startMs || span.endMs > parent.endMs
      ? [`${span.name} is not within ${parent.name}`]
      : [];
  });
  return [...twice, ...rootFaults, ...faults];
}

/** `a > b > c` for each span, sorted: names from the root down. */
export function pathsOf(spans: readonly TreeSpan[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const path = (span: TreeSpan): string => {
    const parent = byId.get(span.parentSpanId ?? '');
    return parent === undefined ? span.name : `${path(parent)} > ${span.name}`;
  };
  return spans.map(path).sort();
}
