import { describe, expect, it } from 'vitest';
import type { ItemDetails } from '../../../src/app/review/review-app.js';
import type { Job } from '../../../src/domain/job.js';
import type { Json } from '../../../src/domain/json.js';
import { gateText } from '../../../src/text/gate-text.js';
import { itemsText, itemText, resolvedText, runAfterText } from '../../../src/text/item-text.js';
import { itemLines } from '../../../src/text/lines/gate-actions.js';
import { simulateText } from '../../../src/text/simulate-text.js';
import { whyText } from '../../../src/text/why-text.js';
import type { GateDetails } from '../../../src/view/gate-details.js';
import { askedSample } from '../../support/asked-samples.js';
import { gateOf, itemOf, taskOf } from '../../support/review-samples.js';
import { jobOf } from '../../support/view-samples.js';
import { artifactOf } from '../inbox/samples.js';

const plain = { color: false, width: null, workspaceArgument: 'my ws' };
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;
const HOSTILE = 'x\u001b[31m\u0007\u202ey\u001b]0;title\u0007';

const gate = gateOf('0123456789ab');
const task = taskOf(gate, 'qa');
const details = (over: Partial<GateDetails> = {}): GateDetails => ({
  gateId: gate.gateId,
  runId: gate.jobId,
  topologyId: 'release',
  agentId: 'writer',
  funnelId: 'sign-off',
  round: 1,
  status: 'pending',
  resolved: false,
  quorumEvaluated: true,
  artifactRef: gate.artifactRef,
  sha256: gate.sha256,
  mediaType: 'text/plain',
  items: [task],
  resolutions: [
    {
      itemId: task.id,
      role: 'qa',
      scope: 'a:b',
      status: 'changes-requested',
      resolvedBy: 'qa-1',
      comment: 'no',
      round: 0,
      at: gate.openedAt,
      stale: true,
      carriedFrom: null,
    },
  ],
  distinctApprovers: [],
  outstanding: ['qa (a:b)'],
  actors: [
    { itemId: task.id, ruleIndex: 0, role: 'qa', scope: 'a:b', members: ['qa 1', 'b', 'c', 'd', 'e', 'f', 'g'] },
  ],
  stuck: ['nobody holds ops'],
  halted: null,
  earlierAuthors: [],
  excludeAuthor: true,
  excludeAuthorUnapplied: true,
  author: { identity: 'dana', person: 'dana', assurance: 'asserted', identified: false, note: 'author not identified' },
  policy: gate.policy,
  evidence: gate.evidence,
  escalatedTo: ['lead'],
  openedAt: gate.openedAt,
  expiresAt: gate.openedAt,
  expired: false,
  decidedAt: null,
  withdrawn: false,
  ...over,
});

/** What is shown of an item beside it. */
const NO_ITEMS = { items: [], hasMore: false, total: 0, asked: new Map(), elsewhere: [] };
const ALONE = { job: jobOf({}) as Job, gate: null, asked: null, artifact: null };

/** Every text of the value is hostile; keys and literals that decide the shape stay. */
function hostile<T>(value: T, key = ''): T {
  if (typeof value === 'string')
    return (
      ['status', 'kind', 'outcome', 'severity', 'failedLayers', 'at'].includes(key) ||
      /(At|Id)$/.test(key) ||
      value === '0123456789ab'
        ? value
        : HOSTILE
    ) as T;
  if (Array.isArray(value)) return value.map((one) => hostile(one, key)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hostile(one, name)])) as T;
}

describe('a gate in text', () => {
  it('says what is decided about, who decided, who can act with a line to paste, and what nobody can do', () => {
    const text = gateText(details(), plain);
    expect(text).toContain(
      'gate 0123456789ab:writer  pending, round 1  escalated: its checks did not pass  not decided in time, it went to lead',
    );
    expect(text).toContain('author dana (author not identified)');
    expect(text).toContain('1 draft sent back; failed at the end: judge');
    expect(text).toContain('judge fit says fail (0.25): no');
    expect(text).toContain('qa (a:b)  changes-requested by qa-1 2026-01-02 03:04:06Z: no  stale');
    expect(text).toContain(
      `qa (a:b): qa 1, b, c, d, e and 2 more\n    kit review resolve ${task.id} 'my ws' --as 'qa 1' --approve`,
    );
    expect(text).toContain('! nobody holds ops');
  });

  it('has no line to paste once it is decided or withdrawn', () => {
    const decided = gateText(
      details({ status: 'approved', resolved: true, actors: [], stuck: [], decidedAt: gate.openedAt }),
      plain,
    );
    expect(decided).not.toContain('kit review resolve');
    expect(decided).toContain('decided 2026-01-02');
    expect(gateText(details({ withdrawn: true, quorumEvaluated: false }), plain)).toMatch(
      /withdrawn.*policy could not be located/,
    );
  });
});

describe('a gate in text, where its state asks for a word', () => {
  it('says how to look at what is decided about', () => {
    expect(gateText(details(), plain)).toContain(`kit artifacts get '${gate.artifactRef}' 'my ws'`);
  });

  it('has no line to paste while its run is stopped, and says what to do first', () => {
    const text = gateText(details({ halted: 'run 0123456789ab is stopped' }), plain);
    expect(text).toMatch(/qa \(a:b\): qa 1, .*\n.*! run 0123456789ab is stopped/);
    expect(text).not.toContain('kit review resolve');
  });

  it('says that nobody decided it where the clock rejected it', () => {
    const over = {
      status: 'rejected',
      resolved: true,
      expired: true,
      actors: [],
      stuck: [],
      decidedAt: gate.openedAt,
    } as const;
    expect(gateText(details(over), plain)).toMatch(/rejected, round 1 .*nobody decided it in time/);
    expect(gateText(details(over), plain)).toContain('expired 2026-01-02');
    expect(gateText(details({ ...over, expired: false }), plain)).not.toMatch(/expire|nobody decided it/);
  });

  it('says who the author is under another name, and from which round a decision was kept', () => {
    const { author } = details();
    const [resolution] = details().resolutions;
    if (resolution === undefined) throw new Error('no resolution');
    const text = gateText(
      details({
        author: { ...author, person: 'dana-id' },
        resolutions: [{ ...resolution, stale: false, round: 1, carriedFrom: 0 }],
      }),
      plain,
    );
    expect(text).toContain('author dana, who is dana-id');
    expect(text).toContain(': no  kept from round 0');
  });
});

describe('items in text', () => {
  it('are one a line with their whole id, however narrow the terminal is', () => {
    const page = {
      ...NO_ITEMS,
      items: [task, itemOf('0123456789ab', 'ask-1', { kind: 'input', escalated: true })],
      ...{ hasMore: true, total: 7 },
      asked: new Map([[task.id, askedSample()]]),
    };
    const text = itemsText(page, { ...plain, width: 30, all: false });
    expect(text).toContain(task.id);
    expect(itemsText(page, { ...plain, all: false })).toMatch(/ask-1 +pending, escalated +input +go on\?/);
    expect(text).toContain('5 items more');
    expect(itemsText(NO_ITEMS, { ...plain, all: false })).toBe('nothing waits for a decision');
  });

  it('say which command settles them', () => {
    const shown = (over: Parameters<typeof itemOf>[2]) =>
      itemText({ item: itemOf('0123456789ab', 'ask-1', over), ...ALONE }, plain);
    expect(shown({ kind: 'input' })).toMatch(/0 {2}yes\n {2} {2}1 {2}no|0 {2}yes/);
    expect(shown({ kind: 'input' })).toContain("kit review answer ask-1 TEXT 'my ws'");
    // A permission asks in words too, and takes none: `kit review answer` would be refused.
    for (const question of [null, 'May writer call wipe?']) {
      expect(shown({ kind: 'permission', question, options: [] })).toContain("kit review approve ask-1 'my ws'");
      expect(shown({ kind: 'permission', question, options: [] })).not.toContain('kit review answer');
    }
    expect(itemLines(itemOf('0123456789ab', 'ask-1', { kind: 'permission' }), plain).at(-1)).toBe(
      "  kit review approve ask-1 'my ws'",
    );
    expect(itemLines(itemOf('0123456789ab', 'ask-1', { kind: 'other' }), plain).at(-1)).toBe(
      "  kit review answer ask-1 TEXT 'my ws'",
    );
    expect(shown({ status: 'approved', resolvedBy: 'ada', answer: 'yes' })).not.toContain('kit review');
  });
});

describe('what a person is asked to permit', () => {
  const asked = (over: Readonly<Record<string, Json>>): string => {
    const of = { skill: 'write', server: 'files', tool: 'write_file', effects: 'write', digest: 'abcdef', ...over };
    return itemText({ item: itemOf('0123456789ab', 'ask-1', { kind: 'permission', details: of }), ...ALONE }, plain);
  };

  it('shows each argument, however long another one is, and says what is cut', () => {
    const text = asked({ arguments: { note: 'harmless '.repeat(2_000), path: '/etc/passwd', mode: { all: true } } });

    expect(text).toMatch(/^ {2}arguments "note": "harmless .*… \(18002 characters in all; --json shows them\)$/m);
    expect(text).toContain('  arguments "path": "/etc/passwd"\n  arguments "mode": {"all":true}');
    expect(text).toMatch(/^ {2}digest: "abcdef"$/m);
    expect(text.indexOf('digest')).toBeLessThan(text.indexOf('arguments'));
  });

  it('says how many arguments are left out where they are too many', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, index]));

    expect(asked({ arguments: many })).toContain('... and 45 more; --json shows all of it');
  });

  it('makes visible what would not be seen', () => {
    expect(asked({ arguments: { path: 'a\u200bb\u009b1m\u202ec', 'x\u2028effects: "read"': 1 } })).toContain(
      'arguments "path": "a\\u{200b}b\\u{9b}1m\\u{202e}c"\n  arguments "x\\u{2028}effects: \\"read\\"": 1',
    );
    expect(asked({ arguments: {} })).toContain('arguments: {}');
  });
});

describe('a decision in text', () => {
  const resolved: Parameters<typeof resolvedText>[0] = {
    item: { ...task, status: 'approved', resolvedBy: 'qa-1' },
    gate: details(),
    decision: null,
    unchanged: false,
    reopened: 'mpa-x',
    proposed: [],
    job: jobOf({}) as Job,
    seq: 3,
  };

  it('says what was recorded, what opened again, and who goes on with the run', () => {
    expect(resolvedText(resolved, plain)).toMatch(
      /is approved by qa-1 for qa \(release\)\ntoo few people signed: mpa-x is open again/,
    );
    expect(resolvedText({ ...resolved, unchanged: true }, plain)).toContain('already; nothing changed');
    const job = jobOf({ id: '0123456789ab', status: 'pending', topology: 'release' }) as Job;
    expect(runAfterText({ job, resumed: 'left', why: 'because' }, plain)).toBe(
      "run 0123456789ab is pending; because\ngo on here: kit run 'my ws' release --resume=0123456789ab",
    );
    const failed: Job = { ...job, status: 'failed', error: 'gate rejected' };
    expect(runAfterText({ job: failed, resumed: 'here', why: null }, plain)).toMatch(/is failed: gate rejected$/);
  });

  it('names who approved the task that opened again by this very approval', () => {
    const [resolution] = details().resolutions;
    if (resolution === undefined) throw new Error('no resolution');
    const signed = details({ resolutions: [{ ...resolution, status: 'approved', resolvedBy: 'both', stale: true }] });
    const text = resolvedText(
      { ...resolved, item: { ...task, status: 'pending', resolvedBy: '' }, gate: signed, reopened: task.id },
      plain,
    );
    expect(text).toMatch(
      new RegExp(
        `^${task.id} is approved by both for qa \\(release\\)\ntoo few people signed: ${task.id} is open again`,
      ),
    );
  });

  it('shows the beginning of what is decided about, and how all of it is had', () => {
    const artifact = artifactOf(Array.from({ length: 70 }, (_, at) => `line ${at}`).join('\n'), { sizeBytes: 400 });
    const cut = itemText({ ...ALONE, item: task, artifact }, plain);
    expect(cut).toMatch(/what is decided about {2}text\/plain, 400 bytes\n {2}line 0\n/);
    expect(cut).toContain("  line 59\n  ... 10 more lines: kit artifacts get 'c/j/writer#dddddddddddd' 'my ws'");
    expect(itemText({ ...ALONE, item: task, artifact }, { ...plain, isWhole: true })).toContain('  line 69');
    expect(itemText({ ...ALONE, item: task, artifact: { ...artifact, text: null } }, plain)).toContain('no text; kit');
    const wide = { ...artifact, text: 'x'.repeat(9_000) };
    expect(itemText({ ...ALONE, item: task, artifact: wide }, plain)).toContain('... more of the last line: kit');
  });

  it('says what a run came to that went on here, with its answer and where to look', () => {
    const job = jobOf({ status: 'completed', output: 'one\ntwo' }) as Job;
    expect(runAfterText({ job, resumed: 'here', why: null }, plain)).toBe(
      `run ${job.id} is completed\n  one\n  two\nlook: kit trace ${job.id} 'my ws'`,
    );
  });

  it('names nobody for an item that records nobody', () => {
    const item = itemOf('0123456789ab', 'ask-1', { status: 'approved', answer: 'yes', comment: 'as always' });
    expect(resolvedText({ ...resolved, item, gate: null, reopened: null }, plain)).toBe('ask-1 is approved: yes');
    expect(itemText({ item, ...ALONE }, plain)).toMatch(/answer: yes\n {2}approved: as always/);
  });

  it('prints nothing that moves a cursor, whatever people, models and files say', () => {
    const item: ItemDetails = hostile({
      item: itemOf('0123456789ab', 'ask-1'),
      job: jobOf({}) as Job,
      gate: details(),
      asked: askedSample(),
      artifact: { ref: 'r', name: 'n', sha256: 's', mediaType: 'm', sizeBytes: 1, text: 't' },
    });
    const texts = [
      gateText(hostile(details()), plain),
      itemText(item, plain),
      itemsText(
        { ...NO_ITEMS, items: [hostile(task)], asked: new Map([[task.id, hostile(askedSample())]]) },
        { ...plain, all: true },
      ),
      resolvedText(hostile(resolved), plain),
      runAfterText(hostile({ job: jobOf({ status: 'pending' }) as Job, resumed: 'left', why: 'x' }), plain),
      simulateText(
        hostile([
          {
            agentId: 'a',
            funnelId: 'f',
            status: 'pending',
            outstanding: ['x'],
            stuck: ['y'],
            steps: [
              {
                identity: 'i',
                outcome: 'approve',
                role: 'r',
                allowed: true,
                reason: '',
                reopened: 'z',
                status: 'pending',
                outstanding: [],
                distinctApprovers: [],
              },
              {
                identity: 'i',
                outcome: 'approve',
                role: null,
                allowed: false,
                reason: 'w',
                reopened: null,
                status: 'pending',
                outstanding: [],
                distinctApprovers: [],
              },
            ],
          },
        ]),
        plain,
      ),
      whyText(
        hostile({
          job: jobOf({}) as Job,
          gates: [details()],
          items: [],
          reasons: ['r'],
          situation: { code: 'c', cause: 'x', actors: [], command: ['kit', 'x'], fact: 'f' },
          ...{ facts: [], autoResume: true },
        }),
        plain,
      ),
    ];
    for (const text of texts) {
      expect(text).toMatch(/x ?y/);
      expect(text).not.toMatch(CONTROLS);
    }
  });
});
