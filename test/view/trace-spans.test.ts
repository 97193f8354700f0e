import { describe, expect, it } from 'vitest';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_TRACE } from '../../src/view/run-view.js';
import { toWireSpan } from '../../src/view/schemas/event.js';
import { type Span, spansOf } from '../../src/view/trace-spans.js';
import { type AnySketch, RUN_SKETCH, storedEvents } from '../support/stored-events.js';

const viewOf = (sketches: readonly AnySketch[]) => storedEvents(sketches).reduce(reduceRun, EMPTY_TRACE);
const tree = (span: Span): unknown =>
  span.children.length === 0 ? span.name : { [span.name]: span.children.map(tree) };
const start = Date.UTC(2030, 0, 2, 3, 4, 5);

describe('the spans of a run', () => {
  it('are a tree of run, agents and calls, in the order of their beginnings', () => {
    const span = spansOf(viewOf(RUN_SKETCH));

    expect(span === null ? null : tree(span)).toEqual({
      'topology.run': [
        {
          'agent.step.lead': [
            'model.call.mock/m1',
            {
              'agent.step.tester': expect.arrayContaining([
                expect.stringMatching(/^tool\.call\./),
                expect.stringMatching(/^executor\.run\./),
              ]),
            },
            { 'agent.step.reader': expect.arrayContaining(['model.call.mock/m2', 'tool.call.read-file']) },
          ],
        },
      ],
    });
  });

  it('carry times, what was used and what went wrong', () => {
    const span = spansOf(viewOf(RUN_SKETCH));
    const wire = span === null ? null : toWireSpan(span);

    expect(wire).toMatchObject({
      start_ns: start * 1e6,
      end_ns: (start + 15_000) * 1e6,
      duration_ms: 15_000,
      error: null,
      attributes: { run_id: '0123456789ab', topology: 'demo', status: 'completed', input_tokens: 200, cost_usd: null },
    });
    const reader = span?.children[0]?.children.find(({ name }) => name === 'agent.step.reader');
    expect(reader).toMatchObject({ error: 'provider.timeout', attributes: { status: 'failed' } });
  });

  it('have no end while the run goes on, and an agent whose caller is unknown hangs on the run', () => {
    const orphan = RUN_SKETCH.filter(
      ({ type, agentId }) => type === 'run.started' || (type === 'agent.started' && agentId === 'reader'),
    );
    const span = spansOf(viewOf(orphan));

    expect(span).toMatchObject({ endMs: null, children: [{ name: 'agent.step.reader', endMs: null, error: null }] });
    expect(span === null ? null : toWireSpan(span)).toMatchObject({ end_ns: null, duration_ms: null });
  });

  it('are none before the first event', () => {
    expect(spansOf(EMPTY_TRACE)).toBeNull();
  });
});
