import { expect, test } from 'vitest';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { said, serveA2a } from '../../../support/protocols/a2a-world.js';
import { askServed, caller, cardOf, linesOf, onlyRun, PEER } from '../../../support/protocols/remote-world.js';

const PATIENT = { timeout: 30_000 };
const SERVES = 'server: { a2a: { enabled: true } }\n';

test('what a run may still use goes with its call, and bounds the run of the other kit', async () => {
  const callee = await serveA2a(gated({ workspace: SERVES }));
  const limits = 'governance: { provider: mock, limits: { max_cost_per_run_usd: 2, max_steps_per_run: 7 } }\n';
  const front = await askServed(cardOf(callee), 'plain', { workspace: limits, more: ', timeout_s: 90' });
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect(await front.now()).toMatchObject({ output: 'passed on' });
  const run = await onlyRun(callee);
  expect(run).toMatchObject({ status: 'completed', timeoutMs: 90_000 });
});

test('a budget is the limit of the run, the stricter of it and the local one', async () => {
  const world = await serveA2a(gated({ workspace: SERVES }));
  const budget = { max_turns: 3.9, max_wall_clock_minutes: 0.5 };
  const metadata = { skill: 'plain', swarmkit: { budget } };
  const { result } = await world.rpc('message/send', said('x', { metadata }));
  const job = await world.job(result.id);
  expect(job.timeoutMs).toBe(30_000);
  const loose = { skill: 'plain', swarmkit: { budget: { max_wall_clock_minutes: 1e9 } } };
  const other = await world.rpc('message/send', said('x', { metadata: loose }));
  expect((await world.job(other.result.id)).timeoutMs).toBe(300_000);
});

const usage = { input_tokens: 1, output_tokens: 1, cost_usd: 0.5 };
/** Two turns, the first of which costs something and takes its time. */
const SCRIPT = [
  { tool_calls: [{ name: 'desk', input: { input: 'x' } }], usage, latency_ms: 200 },
  { text: 'done', usage },
];

test.each([
  ['max_turns', 1, 'failed.max-steps-run'],
  ['max_cost_usd', 0.25, 'failed.max-cost'],
  ['max_wall_clock_minutes', 0.001, 'failed.timeout'],
])('a run that is over by the %s of its caller fails as by a limit of its own', async (name, value, code) => {
  const workspace = `${SERVES}governance: { provider: mock, limits: { max_remote_calls: 0 } }\n`;
  const world = await serveA2a(caller('http://127.0.0.1:1', 'plain', { workspace, script: SCRIPT }), { env: PEER });
  const ask = async (budget: object) => {
    const metadata = { skill: 'front', swarmkit: { budget } };
    const message = { ...said('x', { metadata }), configuration: { blocking: true } };
    return (await world.rpc('message/send', message)).result;
  };
  const within = await ask({});
  expect(within.status.state).toBe('completed');
  expect((await linesOf(world, within.id)).join('\n')).toContain('max_remote_calls');
  const over = await ask({ [name]: value });
  expect(over.status.state).toBe('failed');
  const { situation } = await world.app.review.why({ workspace: world.workspace, what: over.id });
  expect(situation.code).toBe(code);
  expect(over.metadata.swarmkit.usage === null).toBe(name === 'max_wall_clock_minutes');
});

test('a task that is over tells what it used, also where that is nothing', async () => {
  const world = await serveA2a(gated({ workspace: SERVES }));
  const message = { ...said('x', { metadata: { skill: 'plain' } }), configuration: { blocking: true } };
  const { result } = await world.rpc('message/send', message);
  expect(result.metadata.swarmkit).toMatchObject({
    run_id: result.id,
    usage: { input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    observability: { events: true, audit: true },
  });
  const waits = said('x', { metadata: { skill: 'release' } });
  const { id } = (await world.rpc('message/send', { ...waits, configuration: { blocking: true } })).result;
  const canceled = (await world.rpc('tasks/cancel', { id })).result;
  expect(canceled).toMatchObject({
    status: { state: 'canceled' },
    metadata: { swarmkit: { run_id: id, usage: null } },
  });
});
