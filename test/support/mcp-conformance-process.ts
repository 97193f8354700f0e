/**
 * The client under test of the official conformance suite: kit's tool source opens the server of
 * the scenario, lists its tools and calls each once. Started by the suite with the address as its
 * last argument.
 */
import { contribution } from '../../plugins/mcp/src/mcp.js';
import { createTestContext } from '../../src/domain/testing.js';
import { createClock } from '../../src/system/clock.js';

const endpoint = process.argv.at(-1) ?? '';
const clock = createClock();
const never = new AbortController().signal;
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
// The scenario on defaults asks for a client that offers them; kit's own servers get none unless
// the contribution is configured so.
const config = process.env.MCP_CONFORMANCE_SCENARIO?.startsWith('elicitation') ? { elicitation: 'defaults' } : {};
const source = await contribution.create(config, createTestContext({ clock, fetch: globalThis.fetch }));
const server = await source.open(
  { id: 'scenario', settings: async () => ({ transport: 'http', endpoint }), bearer: async () => null },
  {
    signal: never,
    log: silent,
    clock,
    env: {},
    workspaceRoot: process.cwd(),
    spawn: () => {
      throw new Error('nothing is started here');
    },
  },
);
for (const { name } of await server.tools()) {
  const input = name === 'add_numbers' ? { a: 2, b: 3 } : {};
  await server.call(
    { tool: name, input, stepId: name, traceParent: null, timeoutMs: 20_000, maxBytes: 1_000_000 },
    never,
  );
}
await server.close();
