// Loaded by the Node that runs the tests, whichever that is: one file, no imports, nothing newer
// than Node 20.

interface NodeTestEvent {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly nesting?: number;
    readonly file?: string;
    readonly line?: number;
    readonly skip?: unknown;
    readonly todo?: unknown;
    readonly details?: {
      readonly type?: string;
      readonly duration_ms?: number;
      readonly error?: {
        readonly message?: string;
        readonly failureType?: string;
        readonly cause?: { readonly message?: string } | string;
      };
    };
  };
}

function statusOf(event: NodeTestEvent): string {
  const isOff = (mark: unknown): boolean => mark !== undefined && mark !== false;
  if (isOff(event.data.skip) || isOff(event.data.todo)) return 'skipped';
  return event.type === 'test:pass' ? 'passed' : 'failed';
}

function messageOf(event: NodeTestEvent): string {
  const error = event.data.details?.error;
  if (event.type === 'test:pass' || error === undefined) return '';
  const cause = typeof error.cause === 'string' ? error.cause : error.cause?.message;
  return cause ?? error.message ?? '';
}

/**
 * One JSON line per test. Suites are not tests; a test that holds subtests is one, as in Node's own
 * count.
 */
async function* report(source: AsyncIterable<NodeTestEvent>): AsyncGenerator<string> {
  const names: string[] = [];
  for await (const event of source) {
    const { nesting = 0, name = '', file = '', line = null, details } = event.data;
    if (event.type === 'test:start') names.splice(nesting, names.length, name);
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    // A suite that fails because of its tests adds nothing; one that fails by itself (a hook) would
    // else go unseen.
    const isSuite = details?.type === 'suite';
    if (isSuite && (event.type === 'test:pass' || details?.error?.failureType === 'subtestsFailed')) continue;
    const path = [...names.slice(0, nesting), name].join(' > ');
    const record = {
      name: path,
      file,
      line,
      status: statusOf(event),
      durationMs: details?.duration_ms ?? 0,
      message: messageOf(event),
    };
    yield `${JSON.stringify(record)}\n`;
  }
}

// biome-ignore lint/style/noDefaultExport: Node loads a reporter by its default export.
export default report;
