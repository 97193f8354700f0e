/**
 * Loads what draws with React in React's production build: the other one keeps a measurement of
 * every drawing for as long as the process lives, which is memory that grows with each key and each
 * tick. React asks NODE_ENV while it is loaded, and nobody else is to see the answer.
 *
 * The layout of Ink fetches its WebAssembly, which it carries as text: that alone would load the
 * HTTP client of Node, 30 ms of the first screen. Meanwhile `fetch` reads such text by itself.
 */
export async function loadReact<T>(env: NodeJS.ProcessEnv, load: () => Promise<T>): Promise<T> {
  const before = env.NODE_ENV;
  const { fetch } = globalThis;
  env.NODE_ENV = 'production';
  const light: typeof fetch = (input, init) => carriedIn(input) ?? fetch(input, init);
  globalThis.fetch = light;
  try {
    return await load();
  } finally {
    if (globalThis.fetch === light) globalThis.fetch = fetch;
    if (before === undefined) delete env.NODE_ENV;
    else env.NODE_ENV = before;
  }
}

const CARRIED = 'data:application/octet-stream;base64,';

/** As much of an answer as is read of it; null: it is not carried as text. */
function carriedIn(input: Parameters<typeof fetch>[0]): Promise<Response> | null {
  if (typeof input !== 'string' || !input.startsWith(CARRIED)) return null;
  const bytes = new Uint8Array(Buffer.from(input.slice(CARRIED.length), 'base64'));
  return Promise.resolve({ ok: true, arrayBuffer: async () => bytes.buffer } as Response);
}
