import { describe, expect, it } from 'vitest';
import type { RunStatus, RunSummary } from '../../../src/app/observe/observe-app.js';
import type { StoredEvent } from '../../../src/domain/events.js';
import type { Job } from '../../../src/domain/job.js';
import { gapsText } from '../../../src/text/gaps-text.js';
import { logMarkdown } from '../../../src/text/log-markdown.js';
import { logHeader, waitText } from '../../../src/text/log-text.js';
import { callsSection } from '../../../src/text/report/calls.js';
import { reportHtml } from '../../../src/text/report-html.js';
import { runSummary } from '../../../src/text/run-summary.js';
import { statusText } from '../../../src/text/status-text.js';
import { traceText } from '../../../src/text/trace-text.js';
import { outagesText } from '../../../src/view/lines/failure-text.js';
import { reduceRun } from '../../../src/view/reduce-run.js';
import { figuresOf } from '../../../src/view/run-figures.js';
import { EMPTY_TRACE } from '../../../src/view/run-view.js';
import { gapsOf } from '../../../src/view/schemas/gap.js';
import { NO_GAPS, reduceGaps } from '../../../src/view/skill-gaps.js';
import { askedSample } from '../../support/asked-samples.js';
import { HOSTILE } from '../../support/observed-run.js';
import { type AnySketch, RUN_SKETCH, skillExecuted, storedEvents } from '../../support/stored-events.js';
import { jobOf } from '../../support/view-samples.js';

const plain = { color: false, width: null };
const status = (job: Partial<Job> = {}, sketches: readonly AnySketch[] = RUN_SKETCH): RunStatus & RunSummary => {
  const view = storedEvents(sketches).reduce(reduceRun, EMPTY_TRACE);
  return { job: jobOf(job), view, figures: figuresOf(view), outage: outagesText(view), wallMs: 15_000 };
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

/** Every name and sentence in it comes from outside. */
const HOSTILE_RUN: readonly AnySketch[] = RUN_SKETCH.map((sketch) => ({
  ...sketch,
  agentId: sketch.agentId == null ? null : `${sketch.agentId}${HOSTILE}`,
}));

it('says why a tool failed, on one line and escaped, in the trace and in the report', () => {
  const outputs = { reason: 'tool_error', message: `no <b>docs/a.txt</b>\n\u001b[31mis there ${'x'.repeat(400)}` };
  const failed = RUN_SKETCH.map((sketch) =>
    sketch.type === 'skill.executed'
      ? { ...sketch, payload: skillExecuted({ status: 'failed', reason: 'tool_error', outputs }) }
      : sketch,
  );
  const line = traceText(status({}, failed), plain)
    .split('\n')
    .find((one) => one.includes('tool_error'));

  expect(line).toContain('read-file failed: tool_error (no <b>docs/a.txt</b> is there xxx');
  expect(line).not.toMatch(CONTROLS);
  expect(line?.length).toBeLessThan(300);
  expect(callsSection(status({}, failed).view).markup).toContain('no &lt;b&gt;docs/a.txt&lt;/b&gt; is there');
});

describe('the table of runs', () => {
  it('shows how each stands, its wall time, what it used and how much to look at', () => {
    expect(
      statusText([status(), status({ id: 'ffffffffffff', status: 'deferred', waitingOn: ['gate-1'] })], plain),
    ).toBe(
      [
        'RUN           TOPOLOGY    STATUS     STARTED                 TIME  AGENTS  TOKENS             COST  ISSUES  WAITING ON',
        '0123456789ab  demo 1.0.0  completed  2030-01-02 03:04:05Z  15.0 s       3  200 in, 40 out  ≥$0.250       2',
        'ffffffffffff  demo 1.0.0  deferred   2030-01-02 03:04:05Z  15.0 s       3  200 in, 40 out  ≥$0.250       2  gate-1',
      ].join('\n'),
    );
  });

  it.each([120, 100, 80, 60, 40])('fits a terminal of %i columns, first without what is looked for least', (width) => {
    const text = statusText(
      [status({ topology: 'a-very-long-name-of-a-topology-indeed', waitingOn: ['g'.repeat(60)] })],
      { color: false, width },
    );

    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(Math.max(width, 56));
    expect(text).toMatch(/^RUN .*TOPOLOGY .*STATUS .*TIME .*WAITING/);
    expect(text.includes('TOKENS')).toBe(width >= 110);
  });
});

it('names the gates of a run by their agents where there is no room for its id twice', () => {
  const run = status({ status: 'deferred', waitingOn: ['0123456789ab:writer'] });

  expect(statusText([run], { color: false, width: 80 })).toMatch(/ writer$/);
  expect(statusText([run], plain)).toMatch(/ 0123456789ab:writer$/);
});

describe('the trace of a run', () => {
  it('leaves the time of execution out where the run never waited: it is that which it took', () => {
    const { job } = status();

    const text = traceText(status({ executedMs: 15_002 }), plain);

    expect(job.executedMs).toBeLessThan(15_000);
    expect(text).toContain('took 15.0 s\n');
  });

  it('shows the head, the graph of calls, and tokens by agent and by model', () => {
    expect(traceText(status(), plain)).toBe(`run 0123456789ab of demo 1.0.0  completed
  submitted by ann · began 2030-01-02 03:04:05Z · took 15.0 s · 9.0 s of execution
  3 agents · 2 model calls · 3 tool calls (1 denied) · 200 in, 40 out · at least $0.250

lead ok in 9.0 s · 100 in, 20 out · $0.250
├─ mock/m1 ok 1.5 s · 100 in, 20 out · $0.250
├─ tester (harness:test-runner) ok in 2.0 s
│  ├─ node --test ok
│  └─ harness:test-runner ok 4.2 s
└─ reader failed: provider.timeout in 2.0 s · 100 in, 20 out · cost unknown
   ├─ mock/m2 ok 1.5 s · 100 in, 20 out · cost unknown
   ├─ read-file ok 30 ms
   └─ fly refused

AGENT   INPUT  OUTPUT     COST
lead      100      20   $0.250
reader    100      20  unknown

MODEL    INPUT  OUTPUT     COST
mock/m1    100      20   $0.250
mock/m2    100      20  unknown

! reader: called the tool fly, which it does not hold`);
  });

  it.each<readonly [AnySketch, string]>([
    [
      {
        type: 'run.parked',
        payload: { waiting_on: [], status: 'stopped', reason: 'stop_requested', error: 'stopped by ann' },
      },
      'not finished',
    ],
    [{ type: 'run.parked', payload: { waiting_on: ['ask-1'], error: 'waiting for ask-1' } }, 'not finished'],
    [{ type: 'run.stopped', payload: { requested_by: 'ann', at: '2030-01-01T00:00:00.000Z' } }, 'running'],
  ])('says of an agent without an end whether it still runs: %j', (last, said) => {
    const run = status({}, [
      ...RUN_SKETCH.slice(0, RUN_SKETCH.findIndex(({ type }) => type === 'agent.started') + 1),
      last,
    ]);

    expect(traceText(run, plain)).toContain(`lead ${said}`);
    expect(logMarkdown({ ...run, shown: [] })).toContain(`| lead | ${said} |`);
    expect(
      runSummary(run.view, { ...jobOf(), output: null }, { ...plain, verbose: true, workspaceArgument: '' }),
    ).toContain(`lead ${said},`);
    expect(reportHtml({ ...run, asked: askedSample(), events: [], eventsLeftOut: 0, diffs: {} })).toContain(
      `>${said}</span>`,
    );
  });

  it('fits a terminal, and is whole where there is none', () => {
    const long = RUN_SKETCH.map((sketch) =>
      sketch.type === 'skill.executed'
        ? { ...sketch, payload: { ...sketch.payload, reason: 'w'.repeat(150) } }
        : sketch,
    );

    expect(traceText(status({}, long), plain)).toContain('w'.repeat(150));
    const graph = traceText(status({}, long), { color: false, width: 60 })
      .split('\n')
      .filter((line) => line.includes('─ '));
    expect(graph.length).toBeGreaterThan(5);
    for (const line of graph) expect(line.length).toBeLessThanOrEqual(60);
  });

  it('prints nothing that a terminal would obey', () => {
    const text = traceText(
      status({ error: HOSTILE, reason: HOSTILE, topology: HOSTILE, waitingOn: [HOSTILE] }, HOSTILE_RUN),
      plain,
    );

    expect(text).toContain('alert(1)');
    expect(text).not.toMatch(CONTROLS);
    expect(statusText([status({ topology: HOSTILE, waitingOn: [HOSTILE] })], plain)).not.toMatch(CONTROLS);
    expect(waitText(jobOf({ waitingOn: [HOSTILE] }))).not.toMatch(CONTROLS);
    expect(logHeader(jobOf({ reason: HOSTILE, topology: HOSTILE }), plain)).not.toMatch(CONTROLS);
  });
});

describe('the list of gaps', () => {
  const gaps = (tool: string, available: readonly string[]) =>
    gapsOf(
      storedEvents([
        { type: 'skill.gap', agentId: 'reader', stepKey: 'root', payload: { tool, available: [...available] } },
      ]).reduce(reduceGaps, NO_GAPS),
    );

  it('says who called what, when, what was there and what to do', () => {
    expect(gapsText(gaps('read_file', ['read-file', 'say']), plain)).toBe(`read-file  1 call, written read_file
  called by  reader in demo
  last seen  2030-01-02 03:04:05Z in run 0123456789ab
  available  read-file, say
  to do      reader means read-file: write that name in the prompt where it says read_file`);
  });

  it('prints no control character of an invented name, and only some of many tools', () => {
    const text = gapsText(
      gaps(
        `fly${HOSTILE}`,
        Array.from({ length: 40 }, (_, index) => `tool-${index}`),
      ),
      plain,
    );

    expect(text).not.toMatch(CONTROLS);
    expect(text).toContain('and 28 more');
  });
});

describe('a run as Markdown', () => {
  const page = (events: readonly StoredEvent[], job: Partial<Job> = {}) =>
    logMarkdown({ job: jobOf(job), view: events.reduce(reduceRun, EMPTY_TRACE), shown: events });

  it('has a title, a summary, performance, denials, failures and a timeline', () => {
    const text = page(storedEvents(RUN_SKETCH));

    expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      '# Run 0123456789ab of demo 1.0.0',
      '## Performance',
      '## Denials',
      '## Failures',
      '## Timeline',
    ]);
    expect(text).toContain('| Time | 15.0 s |');
    expect(text).toContain('| Denials | 1 |');
    expect(text).toContain('| &nbsp;&nbsp;reader | failed | 2.0 s | 1 | 2 | 100 | 20 | cost unknown |');
    expect(text).toContain('- `03:04:18` **reader** failed: provider.timeout in 2.0 s');
  });

  it('leaves out what a run does not have', () => {
    expect(page(storedEvents(RUN_SKETCH.slice(0, 2)))).not.toMatch(/## (Denials|Failures)/);
  });

  it('holds no markup of the run: no HTML, link, heading or cell', () => {
    const text = page(storedEvents(HOSTILE_RUN), { error: `${HOSTILE}\n# owned`, reason: HOSTILE });

    expect(text).toContain('alert');
    expect(text).not.toMatch(CONTROLS);
    expect(text).not.toContain('<');
    expect(text).not.toMatch(/(?<!\\)\]\(/);
    expect(text).not.toMatch(/^# owned/m);
    for (const line of text.split('\n').filter((one) => one.startsWith('| Error')))
      expect(line.match(/(?<!\\)\|/g)).toHaveLength(3);
  });
});
