import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KitResult } from '../support/kit-process.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { copyJob } from './store-rows.js';
import { localProvider, talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let server: ModelServer;
/**
 * A workspace with two runs, the second of which called a tool that nobody holds; its YAML is
 * broken by now.
 */
let dir: string;
let first: string;
let second: string;
/** A workspace that never ran anything. */
let fresh: string;

const kit = (...argv: string[]): Promise<KitResult> =>
  world.here(argv, { env: { MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' } });

beforeAll(async () => {
  world = await makeWorld();
  server = await startModelServer((request) =>
    JSON.stringify(request.body.messages).includes('take off') && request.body.messages.at(-1)?.role !== 'tool'
      ? { do: 'answer', calls: [{ name: 'delegate_to_helpr', arguments: { task: 'x' } }] }
      : { do: 'answer', text: 'done' },
  );
  fresh = world.files('fresh', talk());
  dir = world.files('ran', talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));
  first = String(lastOf(await kit('run', dir, 'talk', '--input', 'hello', '--json')).id);
  second = String(lastOf(await kit('run', dir, 'talk', '--input', 'take off', '--json')).id);
  writeFileSync(join(dir, 'topologies/talk.yaml'), 'agents: [');
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

const COMMANDS = [['logs'], ['status'], ['trace'], ['gaps']] as const;

describe.each(COMMANDS)('kit %s', (command) => {
  it('of a workspace that never ran anything says so, exits 0 and makes no store', async () => {
    const text = await kit(command, fresh);
    const json = await kit(command, fresh, '--json');

    expect(text).toMatchObject({ code: 0 });
    expect(text.stdout + text.stderr).toMatch(/nothing was ever run|no run recorded/);
    expect(json.code).toBe(0);
    expect(json.lines()).toEqual([{ type: 'result', [command === 'gaps' ? 'gaps' : 'runs']: [] }]);
    expect(existsSync(join(fresh, '.kit'))).toBe(false);
  });

  it('of a directory without a workspace exits 2', async () => {
    const result = await kit(command, '-w', world.base, '--json');

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({ type: 'error', code: 'KIT_WORKSPACE_NOT_FOUND' });
  });

  it('works while the YAML is broken', async () => {
    expect(await kit(command, dir)).toMatchObject({ code: 0 });
  });
});

describe('kit status', () => {
  it('lists the newest runs first with id, topology, status, start, wall time and use', async () => {
    const { stdout } = await kit('status', dir);
    const [head, ...rows] = stdout.trimEnd().split('\n');

    expect(head).toMatch(/^RUN +TOPOLOGY +STATUS +STARTED +TIME +AGENTS +TOKENS +COST +ISSUES$/);
    expect(rows.map((row) => row.slice(0, 12))).toEqual([second, first]);
    expect(rows[0]).toMatch(/talk 1\.0\.0 +completed +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ /);
    expect(rows[0]).toMatch(/ 1$/);
  });

  it('gives one JSON document, and as many runs as asked for', async () => {
    const [line, ...rest] = (await kit('status', dir, '--last', '1', '--json')).lines();

    expect(rest).toEqual([]);
    expect(line).toMatchObject({
      type: 'result',
      runs: [
        {
          id: second,
          status: 'completed',
          agents: 1,
          issues: 1,
          wall_ms: expect.any(Number),
          usage: { cost_usd: null },
        },
      ],
    });
  });
});

describe('kit trace', () => {
  it('lists the runs with --limit and says how to look at one', async () => {
    const text = await kit('trace', '--limit', '10', '-w', dir);
    const json = await kit('trace', dir, '--limit', '1', '--json');

    expect(text.stdout).toContain(`look at one with: kit trace ${second} -w ${dir}`);
    expect(lastOf(json)).toMatchObject({ type: 'result', runs: [{ id: second }] });
  });

  it('shows the run that a prefix names: head, calls, tokens by agent and by model', async () => {
    const { code, stdout } = await kit('trace', second.slice(0, 8), dir);

    expect(code).toBe(0);
    expect(stdout).toContain(`run ${second} of talk 1.0.0  completed`);
    expect(stdout).toMatch(/boss ok in .*\n├─ local\/m1 ok .*\n├─ delegate_to_helpr refused\n└─ local\/m1 ok/);
    expect(stdout).toMatch(/AGENT +INPUT +OUTPUT +COST\nboss/);
    expect(stdout).toMatch(/MODEL +INPUT .*\nlocal\/m1/);
  });

  it('gives the run as one JSON document, each call with its activation', async () => {
    const json = lastOf(await kit('trace', second, '-w', dir, '--json'));

    expect(json).toMatchObject({
      type: 'result',
      job: { id: second },
      wall_ms: expect.any(Number),
      trace: {
        run_id: second,
        agents: [
          {
            agent_id: 'boss',
            trail: [
              { kind: 'model' },
              { kind: 'tool', name: 'delegate_to_helpr', status: 'refused' },
              { kind: 'model' },
            ],
          },
        ],
      },
    });
  });
});

describe('kit logs', () => {
  it('tells the flag where a run stands in the place of the workspace', async () => {
    const { code, stderr } = await kit('logs', first.slice(0, 8));
    expect(code).toBe(2);
    expect(stderr).toContain('KIT_WORKSPACE_NOT_FOUND');
    expect(stderr).toContain(`kit logs --run-id ${first.slice(0, 8)}`);
  });

  it('shows the newest run, one line an event with its time, agent and what happened', async () => {
    const { code, stdout, stderr } = await kit('logs', dir);
    const [head, ...lines] = stdout.trimEnd().split('\n');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(head).toContain(`run ${second} of talk 1.0.0  completed`);
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d +run [0-9a-f]{12} of talk 1\.0\.0 submitted by/);
    expect(stdout).toContain('called delegate_to_helpr, which it does not hold');
    expect(lines.at(-1)).toContain('run completed');
  });

  it('counts runs with --last, oldest first, and finds one by a prefix', async () => {
    const both = await kit('logs', dir, '--last', '2');
    const one = await kit('logs', dir, '--run-id', first.slice(0, 8));

    expect(both.stdout.match(/^run [0-9a-f]{12}/gm)).toEqual([`run ${first}`, `run ${second}`]);
    expect(one.stdout.match(/^run [0-9a-f]{12}/gm)).toEqual([`run ${first}`]);
  });

  it('combines its filters, and says when nothing passes them', async () => {
    const some = await kit(
      'logs',
      dir,
      '--last',
      '2',
      '--topology',
      'talk',
      '--agent',
      'boss',
      '--type',
      'skill,agent.started',
      '--json',
    );
    const none = await kit('logs', dir, '--run-id', first, '--type', 'skill.gap');

    expect(some.lines().map(({ type, event_type }) => event_type ?? type)).toEqual([
      'agent.started',
      'agent.started',
      'skill.gap',
      'result',
    ]);
    expect(lastOf(some)).toMatchObject({
      runs: [
        { id: first, events: 1 },
        { id: second, events: 2 },
      ],
    });
    expect(none.code).toBe(0);
    expect(none.stderr).toMatch(/none of its \d+ events passes the filters/);
  });

  it('writes wire events as JSON Lines: with --json a result at the end, with --format json the events alone', async () => {
    const json = (await kit('logs', dir, '--json')).lines();
    const format = (await kit('logs', dir, '--format', 'json')).lines();

    expect(json.at(-1)).toMatchObject({ type: 'result', runs: [{ id: second, events: json.length - 1 }] });
    expect(format).toEqual(json.slice(0, -1));
    expect(format[0]).toMatchObject({ type: 'event', event_type: 'run.started', run_id: second, seq: 1 });
  });

  it('writes a page of Markdown', async () => {
    const { stdout } = await kit('logs', dir, '--format', 'markdown');

    expect(stdout).toContain(`# Run ${second} of talk 1.0.0`);
    expect(stdout).toContain('## Denials');
    expect(stdout).toMatch(/\n- `\d\d:\d\d:\d\d` \*\*boss\*\* started\n/);
  });

  it('of a run that is over ends at once with --follow', async () => {
    expect(await kit('logs', dir, '--follow')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('run completed'),
    });
  });
});

describe('kit gaps', () => {
  it('says which tool was called, by whom, what was there and what to do', async () => {
    const { stdout } = await kit('gaps', dir);

    expect(stdout).toContain('delegate-to-helpr  1 call, written delegate_to_helpr');
    expect(stdout).toContain('called by  boss in talk');
    expect(stdout).toContain('boss means delegate_to_helper');
  });

  it('gives the same as one JSON document', async () => {
    const json = lastOf(await kit('gaps', dir, '--json'));

    expect(json).toMatchObject({
      type: 'result',
      gaps: [
        {
          pattern: 'delegate-to-helpr',
          tools: ['delegate_to_helpr'],
          occurrences: 1,
          agents: ['boss'],
          topologies: ['talk'],
          runs: [second],
          meant: 'delegate_to_helper',
        },
      ],
    });
  });
});

describe('kit gaps --inert', () => {
  it('lists what is wired and never fired, while the YAML is broken', async () => {
    const text = await kit('gaps', dir, '--inert');
    const json = await kit('gaps', dir, '--inert', '--json');
    const none = await kit('gaps', fresh, '--inert', '--json');

    expect(text).toMatchObject({ code: 0, stdout: 'talk, in 2 runs\n  the agent helper was never asked\n' });
    expect(json.lines()).toEqual([
      { type: 'result', inert: [{ topology: 'talk', runs: 2, agent: 'helper', skill: null }] },
    ]);
    expect(none.lines()).toEqual([{ type: 'result', inert: [] }]);
  });
});

describe('kit report', () => {
  it('writes one page in the current directory, says where, and does not write over it', async () => {
    const cwd = join(world.base, 'reports');
    mkdirSync(cwd);
    const report = (...argv: string[]) => world.here(['report', second.slice(0, 8), dir, ...argv], { cwd });
    const file = join(cwd, `kit-report-${second}.html`);

    const written = await report();
    const page = readFileSync(file, 'utf8');
    writeFileSync(file, 'mine');
    const refused = await report('--json');
    const kept = readFileSync(file, 'utf8');
    const forced = await report('--force', '--json');

    expect(written).toMatchObject({ code: 0, stdout: `${file}\n`, stderr: '' });
    expect(page).toContain('Content-Security-Policy');
    expect(page).toContain('delegate_to_helpr');
    expect(refused.code).toBe(2);
    expect(lastOf(refused)).toMatchObject({
      type: 'error',
      code: 'KIT_REPORT_EXISTS',
      hint: expect.stringContaining('--force'),
    });
    expect(kept).toBe('mine');
    expect(lastOf(forced)).toMatchObject({ type: 'result', run_id: second, file, events_left_out: 0 });
    expect(readFileSync(file, 'utf8')).toBe(page);
    expect(readdirSync(cwd)).toEqual([`kit-report-${second}.html`]);
  });

  it('writes to another file or to stdout', async () => {
    const file = join(world.base, 'other.html');

    expect(await kit('report', first, dir, '--output', file)).toMatchObject({ code: 0, stdout: `${file}\n` });
    expect((await kit('report', first, dir, '-o', '-')).stdout).toBe(readFileSync(file, 'utf8'));
  });
});

/**
 * What a user may get wrong; nothing is written then. `{run}` is the id of a run, `{prefix}` one
 * that fits two.
 */
const BAD: readonly { readonly argv: readonly string[]; readonly code: string; readonly says?: RegExp }[] = [
  { argv: ['trace', '000000000000', 'DIR'], code: 'KIT_JOB_UNKNOWN', says: /kit status/ },
  { argv: ['trace', 'no-such-run', 'DIR'], code: 'KIT_JOB_UNKNOWN' },
  { argv: ['trace', 'abc', 'FRESH'], code: 'KIT_JOB_UNKNOWN', says: /nothing was ever run/ },
  { argv: ['trace', 'PREFIX', 'DIR'], code: 'KIT_JOB_ID_AMBIGUOUS', says: /candidates/ },
  { argv: ['trace', '--limit', '0', 'DIR'], code: 'KIT_USAGE' },
  { argv: ['report', '000000000000', 'DIR'], code: 'KIT_JOB_UNKNOWN' },
  { argv: ['report', 'PREFIX', 'DIR'], code: 'KIT_JOB_ID_AMBIGUOUS' },
  { argv: ['report', 'FRESH'], code: 'KIT_JOB_UNKNOWN', says: /nothing was ever run/ },
  { argv: ['report', 'RUN', 'DIR', '--output', 'no/such/dir/a.html'], code: 'KIT_USAGE', says: /cannot be written/ },
  { argv: ['report', 'RUN', 'DIR', '--output', ''], code: 'KIT_USAGE' },
  { argv: ['report', 'RUN', 'DIR', '--output', '-'], code: 'KIT_USAGE', says: /both want stdout/ },
  { argv: ['logs', 'DIR', '--run-id', '000000000000'], code: 'KIT_JOB_UNKNOWN' },
  { argv: ['logs', 'DIR', '--run-id', 'PREFIX'], code: 'KIT_JOB_ID_AMBIGUOUS' },
  { argv: ['logs', 'DIR', '--topology', 'tlak'], code: 'KIT_FILTER_UNKNOWN', says: /Did you mean --topology talk\?/ },
  {
    argv: ['logs', 'DIR', '--run-id', 'RUN', '--agent', 'bos'],
    code: 'KIT_FILTER_UNKNOWN',
    says: /Did you mean --agent boss\?/,
  },
  { argv: ['logs', 'DIR', '--type', 'skil.gap'], code: 'KIT_USAGE', says: /Did you mean --type skill\.gap\?/ },
  { argv: ['logs', 'DIR', '--format', 'xml'], code: 'KIT_USAGE', says: /text, markdown, json/ },
  { argv: ['logs', 'DIR', '--last', '-3'], code: 'KIT_USAGE' },
  { argv: ['logs', 'DIR', '--last', '0'], code: 'KIT_USAGE' },
  { argv: ['logs', 'DIR', '--last', 'many'], code: 'KIT_USAGE' },
  { argv: ['logs', 'DIR', '--last', '2', '--follow'], code: 'KIT_USAGE', says: /one run/ },
  { argv: ['logs', 'DIR', '--last', '2', '--run-id', 'RUN'], code: 'KIT_USAGE' },
  { argv: ['status', 'DIR', '--last', '-1'], code: 'KIT_USAGE' },
  { argv: ['status', 'DIR', '--limit', '3'], code: 'KIT_USAGE' },
  { argv: ['gaps', 'DIR', 'too-much'], code: 'KIT_USAGE' },
  { argv: ['queue-stats', 'DIR', '--last', '3'], code: 'KIT_USAGE' },
];

describe('kit queue-stats', () => {
  it('counts what waits and runs, tells the times of completed runs, and works while the YAML is broken', async () => {
    const text = await kit('queue-stats', dir);
    const json = lastOf(await kit('queue-stats', dir, '--json'));

    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(
      /waiting\s+0\nrunning\s+0\nwait\s+p50 .*\nexecution\s+p50 .*p95 .*\nof 2 runs that completed without parking or moving/,
    );
    expect(json).toEqual({
      type: 'result',
      queued: 0,
      running: 0,
      waiting_for_outage: 0,
      next_outage_look_at: null,
      oldest_queued_age_seconds: null,
      queue_wait_p50_seconds: expect.any(Number),
      queue_wait_p95_seconds: expect.any(Number),
      execution_p50_seconds: expect.any(Number),
      execution_p95_seconds: expect.any(Number),
      depth_by_topology: {},
      sample_size: 2,
      blocked: [],
    });
  });

  it('of a workspace that never ran anything shows nothing, and makes no store', async () => {
    expect(lastOf(await kit('queue-stats', fresh, '--json'))).toMatchObject({
      queued: 0,
      running: 0,
      sample_size: 0,
      execution_p50_seconds: null,
    });
    expect(existsSync(join(fresh, '.kit'))).toBe(false);
  });
});

describe('bad input', () => {
  let prefix: string;
  let copied: string;
  beforeAll(() => {
    copied = copyJob(join(dir, '.kit/store.sqlite'), second);
    prefix = second.slice(0, 11);
  });

  it.each(BAD)('kit $argv exits 2 with $code', async ({ argv, code, says }) => {
    const words: Readonly<Record<string, string>> = { DIR: dir, FRESH: fresh, PREFIX: prefix, RUN: second };
    const cwd = join(world.base, 'nothing-here');
    mkdirSync(cwd, { recursive: true });

    const result = await world.here([...argv.map((word) => words[word] ?? word), '--json'], { cwd });

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({ type: 'error', code, exit: 2, hint: expect.any(String) });
    if (says !== undefined) expect(JSON.stringify(lastOf(result))).toMatch(says);
    if (code === 'KIT_JOB_ID_AMBIGUOUS') expect(lastOf(result).data).toEqual({ candidates: [copied, second] });
    expect(readdirSync(cwd)).toEqual([]);
    expect(existsSync(join(fresh, '.kit'))).toBe(false);
  });

  it('is text on stderr without --json, and stdout stays empty', async () => {
    const result = await kit('logs', dir, '--format', 'xml');

    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toBe('error[KIT_USAGE]: --format takes no "xml"\n  hint: Known: text, markdown, json.\n');
  });
});
