import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../../src/app/observe/observe-app.js';
import { block, html, text } from '../../../src/text/report/html.js';
import { reportHtml } from '../../../src/text/report-html.js';
import { ledHere } from '../../../src/view/led-here.js';
import { reduceRun } from '../../../src/view/reduce-run.js';
import { EMPTY_TRACE } from '../../../src/view/run-view.js';
import { askedSample } from '../../support/asked-samples.js';
import { HOSTILE } from '../../support/observed-run.js';
import { recordedStreams } from '../../support/recorded-streams.js';
import { RUN_SKETCH, skillExecuted, storedEvents } from '../../support/stored-events.js';
import { jobOf } from '../../support/view-samples.js';

function report(over: Partial<RunReport> = {}, events = storedEvents(RUN_SKETCH)): RunReport {
  const view = events.reduce(reduceRun, EMPTY_TRACE);
  const asked = askedSample({
    input: { text: 'do it', chars: 5, isCut: false },
    labels: { team: 'core' },
    correlationId: 'c-1',
    critique: 'too short',
    decisions: [
      {
        by: 'qa-1',
        role: 'qa',
        outcome: 'changes_requested',
        comment: 'name it',
        round: 0,
        at: '2026-01-02T03:04:06.000Z',
        counts: false,
      },
    ],
    led: ledHere(view),
  });
  return {
    job: jobOf(),
    view,
    asked,
    wallMs: 15_000,
    events,
    eventsLeftOut: 0,
    diffs: null,
    ...over,
  };
}

/** What the page's own code decides by; everything else of a run is text of somebody. */
const WORDS = new Set([
  'type',
  'status',
  'kind',
  'keeps',
  'timestamp',
  'startedAt',
  'endedAt',
  'createdAt',
  'completedAt',
  'activation',
  'parent',
  'order',
  'policy_decision',
  'assurance',
  'outcome',
  'tone',
]);

/** The same value with hostile text in every string and in every key of a record of names. */
function poisoned<T>(value: T, key = ''): T {
  if (typeof value === 'string') return (WORDS.has(key) ? value : `${value}${HOSTILE}`) as T;
  if (Array.isArray(value)) return (key === 'order' ? value : value.map((one) => poisoned(one, key))) as T;
  if (typeof value !== 'object' || value === null) return value;
  const rename = (name: string): string =>
    ['usageByAgent', 'usageByModel', 'labels', 'diffs'].includes(key) ? `${name}${HOSTILE}` : name;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [rename(name), poisoned(one, name)])) as T;
}

/** The page without its own style and script. */
const bodyOf = (page: string): string =>
  page.replace(/<style>[\s\S]*?<\/style>/, '').replace(/<script>[\s\S]*?<\/script>/, '');
const contentOf = (page: string, tag: 'style' | 'script'): string =>
  new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';

const TAG =
  /^<\/?(!doctype|html|head|meta|title|style|script|body|header|main|section|h1|h2|h3|p|ul|li|div|dl|dt|dd|span|strong|code|pre|table|thead|tbody|tr|th|td|svg|rect|details|summary|input|select|option)( (?!on)[a-zA-Z-]+(="[^"<>]*")?)*\/?>/;

/**
 * Every `<` of the page begins a tag that the page's own code writes, with attributes in quotes.
 */
function strangeTags(page: string): readonly string[] {
  return [...page.matchAll(/</g)]
    .map(({ index }) => page.slice(index, index + 2_000))
    .filter((rest) => !TAG.test(rest));
}

describe('the page of a run that waits for people', () => {
  it('leads with what is asked and how it is decided; figures come after it', () => {
    const page = reportHtml(report({ job: jobOf({ status: 'deferred', error: 'awaiting review: gate 1 awaits qa' }) }));
    const places = ['awaiting review', 'kit review approve', 'What is asked', 'Figures', 'Wall time', 'Timeline'];
    const at = places.map((words) => page.indexOf(words));
    expect(at).not.toContain(-1);
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(reportHtml(report())).not.toContain('Figures');
  });
});

describe('the page about a run', () => {
  it('shows how it stands, what was asked and answered, timeline, calls, decisions, cost, warnings and every event', () => {
    const page = reportHtml(report({ diffs: { tester: '--- a\n+++ b' } }));

    expect([...page.matchAll(/<h2>([^<]*)</g)].map((match) => match[1])).toEqual([
      'What is asked',
      'Answered',
      'Warnings',
      'Timeline',
      'Calls',
      'Decisions',
      'Cost',
      'Changes',
      'Events',
    ]);
    for (const shown of [
      '0123456789ab',
      'completed',
      'release 1.0.0: Writes the notes and has them signed.',
      'do it',
      'dana (only said, proved by nobody), through cli',
      'team=core, correlation c-1',
      'too short',
      'qa-1 for qa asked for changes, round 0, no longer counts: name it',
      'done',
      'read-file',
      'called the tool fly',
      '15.0 s',
      'at least $0.25',
      '--- a\n+++ b',
    ])
      expect(page).toContain(shown);
    expect([...page.matchAll(/<tr data-type="/g)]).toHaveLength(RUN_SKETCH.length);
  });

  it('needs no network, no other file and no script to be read', () => {
    const page = reportHtml(report());

    expect(page).not.toMatch(/https?:|\bsrc=|\bhref=|url\(|@import|<link|<iframe|<object|<embed/i);
    expect(bodyOf(page)).toContain('agent.completed');
    expect(page).toContain('id="filter" hidden');
  });

  it('forbids everything but its own style and script, which it names by their digests', () => {
    const page = reportHtml(report());
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    const digest = (tag: 'style' | 'script') =>
      `'sha256-${createHash('sha256').update(contentOf(page, tag)).digest('base64')}'`;

    expect(policy).toBe(
      `default-src 'none'; style-src ${digest('style')}; script-src ${digest('script')}; base-uri 'none'; form-action 'none'`,
    );
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    expect(bodyOf(page)).not.toMatch(/ style="| on[a-z]+="/);
  });

  it('shows hostile text of a run as text, wherever it stands', () => {
    const page = reportHtml(
      poisoned(
        report({
          diffs: { tester: 'x' },
          job: jobOf({ labels: { team: 'a' }, waitingOn: ['gate'], correlationId: 'c', error: 'e', reason: 'r' }),
        }),
      ),
    );

    expect(page).toContain('&lt;/script&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.match(/alert\(1\)/g)?.length).toBeGreaterThan(60);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(strangeTags(bodyOf(page))).toEqual([]);
    for (const control of ['\u001b', '\u202e']) expect(page).not.toContain(control);
  });

  it('would notice a tag of the run: the check can fail', () => {
    expect(strangeTags(`<p>${HOSTILE}</p>`)).not.toEqual([]);
  });

  it.each(recordedStreams())('draws the recorded run $name', ({ events }) => {
    const page = reportHtml(report({}, events));

    expect(strangeTags(bodyOf(page))).toEqual([]);
    expect(page).not.toMatch(/NaN|undefined|Infinity|\[object/);
    expect(page).toContain('<svg viewBox="0 0 1000');
  });

  it('says that a run has not begun', () => {
    const page = reportHtml(
      report({ job: jobOf({ status: 'queued', startedAt: null, completedAt: null, output: null }), wallMs: null }, []),
    );

    expect(page).toContain('not begun');
    expect(page).toContain('No agent has started.');
  });

  it('says what it leaves out of a very long run, and cuts very long texts', () => {
    const page = reportHtml(report({ eventsLeftOut: 7, job: jobOf({ output: 'y'.repeat(300_000) }) }));

    expect(page).toContain('7 events after these are left out; kit logs --run-id 0123456789ab shows them all.');
    expect(page).toContain('… 100000 more characters');
    expect(page).toContain('Only of the events that stand below.');
    expect(reportHtml(report())).not.toContain('Only of the events');
    expect(page.length).toBeLessThan(300_000);
  });
});

describe('html', () => {
  it('escapes text in elements and attributes, and takes marks that reorder it away', () => {
    expect(text(`a"b'c<d>&e\u202ef`).markup).toBe('a&quot;b&#39;c&lt;d&gt;&amp;e f');
    expect(block('a\n<b>\r\nc\td', 100).markup).toBe('a\n&lt;b&gt;\nc    d');
  });

  it('never cuts a character in two', () => {
    expect(block('a😀b', 2).markup).not.toMatch(/[\ud800-\udfff](?![\udc00-\udfff])/);
  });

  it('takes numbers, markup, lists of markup and nothing', () => {
    expect(html`<p>${1}${text('<')}${[text('a'), text('b')]}${null}</p>`.markup).toBe('<p>1&lt;ab</p>');
  });
});

describe('the page about a very large run', () => {
  const CALLS = 1_500;
  const calls = Array.from({ length: CALLS }, (_, index) => ({
    type: 'skill.executed' as const,
    agentId: 'lead',
    stepKey: `root/d0/t0/c${index}`,
    payload: skillExecuted({ tool: `tool-${index}` }),
  }));

  it('counts the calls that it does not draw', () => {
    const page = reportHtml(report({}, storedEvents([...RUN_SKETCH.slice(0, 2), ...calls])));

    expect(page).toContain(`and ${CALLS - 200} more, which kit trace 0123456789ab shows`);
    expect(page.match(/<rect class="tool"/g)?.length).toBeLessThanOrEqual(1_001);
  });
});
