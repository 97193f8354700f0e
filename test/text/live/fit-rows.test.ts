import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitRows, treePrefixes } from '../../../src/text/live/fit-rows.js';
import { agentTree } from '../../../src/view/agent-tree.js';
import type { AnySketch } from '../../support/stored-events.js';
import { completed, started, viewOf, wide } from './views.js';

const namesOf = (rows: ReturnType<typeof agentTree>): readonly string[] => rows.map(({ agent }) => agent.agentId);

/** A tree of any shape: each agent is called by one before it, and some have ended. */
const anyTree = fc
  .array(fc.tuple(fc.nat(1000), fc.constantFrom('running', 'ok', 'failed')), { minLength: 1, maxLength: 30 })
  .map((agents) => {
    const keys = agents.map((_, index) => `k${index}`);
    const events: AnySketch[] = agents.map(([caller], index) =>
      started(`k${index}`, index === 0 ? null : (keys[caller % index] ?? null)),
    );
    const ends = agents.flatMap(([, status], index) =>
      status === 'running' ? [] : [completed(`k${index}`, { status: status as 'ok' | 'failed' })],
    );
    return agentTree(viewOf([...events, ...ends]));
  });

describe('fitRows', () => {
  it('shows everything that fits', () => {
    const tree = agentTree(wide(4, 2));

    expect(fitRows(tree, 5)).toEqual({ rows: tree, hidden: [] });
  });

  it('gives up those that are done first, and of them the oldest', () => {
    const { rows, hidden } = fitRows(agentTree(wide(6, 4)), 4);

    expect(namesOf(rows)).toEqual(['root', 'c4', 'c5', 'c6']);
    expect(hidden.map(({ agentId }) => agentId)).toEqual(['c1', 'c2', 'c3']);
  });

  it('keeps what went wrong before what is done', () => {
    const keys = ['a', 'b', 'c'].map((name) => `root/${name}`);
    const view = viewOf([
      started('root', null),
      ...keys.map((key) => started(key, 'root')),
      completed('root/a', { status: 'failed', reason: 'provider.timeout' }),
      completed('root/b'),
      completed('root/c'),
    ]);

    expect(namesOf(fitRows(agentTree(view), 2).rows)).toEqual(['root', 'a']);
  });

  it('shows an agent only below its callers, in the order of the tree, within the capacity, and hides no other', () => {
    fc.assert(
      fc.property(anyTree, fc.nat(40), (tree, capacity) => {
        const { rows, hidden } = fitRows(tree, capacity);
        const shown = new Set(rows.map(({ agent }) => agent.activation));

        expect(rows.length).toBeLessThanOrEqual(Math.max(capacity, 0));
        expect(rows.every(({ agent }) => agent.parent === null || shown.has(agent.parent))).toBe(true);
        expect(rows.map(({ agent }) => agent)).toEqual(
          tree.map(({ agent }) => agent).filter(({ activation }) => shown.has(activation)),
        );
        expect(hidden.length + rows.length).toBe(tree.length);
      }),
    );
  });
});

describe('treePrefixes', () => {
  it('leads each child down to its caller', () => {
    const tree = agentTree(
      viewOf([
        started('root', null),
        started('a', 'root'),
        started('a1', 'a'),
        started('a2', 'a'),
        started('b', 'root'),
        started('b1', 'b'),
      ]),
    );

    const drawn = treePrefixes(tree).map((prefix, index) => `${prefix}${tree[index]?.agent.agentId}`);

    expect(drawn).toEqual(['root', '├─ a', '│  ├─ a1', '│  └─ a2', '└─ b', '   └─ b1']);
  });

  it('ends a branch at the last child that is shown', () => {
    const { rows } = fitRows(agentTree(wide(3, 2)), 3);
    const last = fitRows(agentTree(wide(3, 3)), 2).rows;

    expect(treePrefixes(rows)).toEqual(['', '├─ ', '└─ ']);
    expect(treePrefixes(last)).toEqual(['', '└─ ']);
  });
});
