import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openScene, type Scene, talk } from '../why/scene.js';
import { noteSkill } from '../workspaces.js';
import { lastOf, makeWorld, type World } from '../world.js';

const set = (cases: string): Record<string, string> => ({
  'evals/smoke.yaml': `apiVersion: kit/v1\nkind: EvalSet\nmetadata: { id: smoke }\ntarget: talk\ncases:\n${cases}`,
});
const ids = (...names: readonly string[]): string =>
  names.map((id) => `  - { id: ${id}, input: 'Say ${id}.', expect: { contains: [ok] } }\n`).join('');

interface Set {
  readonly total: number;
  readonly passed: number;
  readonly not_run: readonly string[];
  readonly report: string;
  readonly cases: readonly { readonly id: string; readonly passed: boolean }[];
  readonly comparison?: {
    readonly trend: string;
    readonly regressed: readonly string[];
    readonly fixed: readonly string[];
    readonly report: string;
  };
}

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());
beforeEach(async () => {
  scene = await openScene(world);
  scene.write(set(ids('a', 'b')));
});
afterEach(async () => {
  scene.letGo();
  await scene.close();
});

const evaluate = async (...argv: readonly string[]): Promise<{ readonly code: number | null; readonly set: Set }> => {
  const result = await scene.kit('eval', 'smoke', '--json', ...argv);
  const [first] = (lastOf(result).sets ?? []) as readonly Set[];
  if (first === undefined) throw new Error(`no set: ${result.stdout}${result.stderr}`);
  return { code: result.code, set: first };
};

describe('kit eval', { timeout: 120_000 }, () => {
  it('exits 0 when every case passes and 1 when one does not, with JUnit that a parser takes and one JSON document', async () => {
    const good = await scene.kit('eval', 'smoke', '--junit', 'good.xml', '--output', 'good.json');
    scene.reply = (request) => ({
      do: 'answer',
      text: JSON.stringify(request.body.messages).includes('Say b.') ? '<no> & "bad"' : 'ok',
    });
    const bad = await scene.kit('eval', 'smoke', '--junit', 'bad.xml');

    expect([good.code, bad.code]).toEqual([0, 1]);
    expect(good.stdout).toMatch(/\[PASS\] a +run [0-9a-f]{12}\n\[PASS\] b/);
    expect(bad.stdout).toMatch(/\[FAIL\] b[^\n]*\n +contains: the output lacks "ok"/);
    expect(JSON.parse(readFileSync(join(scene.dir, 'good.json'), 'utf8'))).toMatchObject({
      sets: [{ eval_set_id: 'smoke', passed: 2, not_run: [] }],
    });
    const xml = readFileSync(join(scene.dir, 'bad.xml'), 'utf8');
    expect(XMLValidator.validate(xml)).toBe(true);
    const { testsuites } = new XMLParser({
      ignoreAttributes: false,
      isArray: (name) => ['testsuite', 'testcase'].includes(name),
    }).parse(xml);
    expect(testsuites.testsuite).toMatchObject([
      { '@_name': 'smoke', '@_tests': '2', '@_failures': '1', '@_errors': '0', '@_skipped': '0' },
    ]);
    expect(testsuites.testsuite[0].testcase).toMatchObject([
      { '@_name': 'a' },
      { '@_name': 'b', failure: { '@_message': expect.stringContaining('lacks') } },
    ]);
  });

  it('says which report is better: regressed cases exit 1, fixed ones are named, and a report may be named', async () => {
    const first = await evaluate();
    scene.reply = { do: 'answer', text: 'nothing' };
    const second = await evaluate('--compare');
    scene.reply = { do: 'answer', text: 'ok' };
    const third = await evaluate('--compare');
    const named = await evaluate('--against', first.set.report);
    const none = await scene.kit('eval', 'smoke', '--against', 'workspace.yaml', '--json');

    expect([first.code, second.code, third.code, named.code]).toEqual([0, 1, 0, 0]);
    expect(second.set.comparison).toMatchObject({
      trend: 'worse',
      regressed: ['a', 'b'],
      fixed: [],
      report: first.set.report,
    });
    expect(third.set.comparison).toMatchObject({
      trend: 'better',
      regressed: [],
      fixed: ['a', 'b'],
      report: second.set.report,
    });
    expect(named.set.comparison).toMatchObject({ trend: 'same', regressed: [], fixed: [], report: first.set.report });
    expect([none.code, lastOf(none).code]).toEqual([2, 'KIT_USAGE']);
  });

  it('runs no more cases at a time than --concurrency says', async () => {
    scene.write(set(ids('a', 'b', 'c', 'd', 'e')));
    let [now, most] = [0, 0];
    const together = Promise.withResolvers<void>();
    scene.letGo = () => together.resolve();
    scene.reply = () => {
      now += 1;
      most = Math.max(most, now);
      if (now === 2) together.resolve();
      // Nobody is answered before two have asked, and a third one has time to ask beside them.
      const answered = together.promise.then(async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        now -= 1;
      });
      return { do: 'hold', until: answered, reply: { do: 'answer', text: 'ok' } };
    };

    const { code } = await evaluate('--concurrency', '2');

    expect([code, most]).toEqual([0, 2]);
  });

  it('reports what was done when Ctrl-C interrupts it, and compares with no such report later', async () => {
    const whole = await evaluate();
    let asked = 0;
    const gate = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    scene.letGo = () => gate.resolve();
    scene.reply = () => {
      asked += 1;
      if (asked === 1) return { do: 'answer', text: 'ok' };
      second.resolve();
      return { do: 'hold', until: gate.promise, reply: { do: 'answer', calls: [{ name: 'nothing', arguments: {} }] } };
    };

    const live = scene.start('eval', 'smoke', '--junit', 'cut.xml');
    await second.promise;
    live.child.kill('SIGINT');
    await live.sees(/stopping once the steps in flight have ended/);
    scene.letGo();
    const ended = await live.ended;

    expect(ended.code).toBe(4);
    expect(ended.stdout).toContain('1 of 1 passed');
    expect(ended.stdout).toContain('interrupted; not run: b');
    const reports = readdirSync(join(scene.dir, '.kit/eval-results')).sort();
    expect(reports).toHaveLength(2);
    const xml = readFileSync(join(scene.dir, 'cut.xml'), 'utf8');
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(xml).toContain('tests="2" failures="0" errors="0" skipped="1"');
    scene.reply = { do: 'answer', text: 'ok' };
    expect((await evaluate('--compare')).set.comparison).toMatchObject({ report: whole.set.report, trend: 'same' });
  });

  it('costs nothing under --replay: no model is asked and no key is needed', async () => {
    const recorded = await evaluate('--record', 'tapes');
    const asked = scene.server.requests.length;
    scene.env.LOCAL_KEY = '';
    scene.env.MODEL_URL = 'http://127.0.0.1:9/v1';

    const replayed = await evaluate('--replay', 'tapes');

    expect([recorded.code, replayed.code]).toEqual([0, 0]);
    expect(replayed.set.cases.map(({ id, passed }) => [id, passed])).toEqual([
      ['a', true],
      ['b', true],
    ]);
    expect(scene.server.requests.length).toBe(asked);
  });

  it('keeps no secret in report, JUnit, document or cassettes', async () => {
    const TOKEN = 'planted-token-77a0de';
    const skill = noteSkill(
      `[sh, -c, 'echo "noted $TOKEN"', note, '{text}']`,
      "    credentials_ref: token\n    env: { TOKEN: '{credential.token}' }\n",
    );
    scene.env.PLANTED = TOKEN;
    scene.write(
      talk({
        workspace: `credentials:\n  token: { source: env, config: { env: PLANTED } }\n${skill.workspace}`,
        agent: '    skills: [note]\n',
        files: skill.files,
      }),
    );
    scene.write(set(ids('a')));
    scene.reply = ({ body }) => {
      const last = body.messages.at(-1);
      return last.role === 'tool'
        ? { do: 'answer', text: `${last.content} ${TOKEN}` }
        : { do: 'answer', calls: [{ name: 'note', arguments: { text: 'x' } }] };
    };

    const result = await scene.kit('eval', 'smoke', '--junit', 'a.xml', '--output', 'a.json', '--record', 'tapes');

    const files = readdirSync(scene.dir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['a.xml', 'a.json', 'store.sqlite']));
    expect(existsSync(join(scene.dir, 'tapes'))).toBe(true);
    for (const { parentPath, name } of files)
      expect([name, readFileSync(join(parentPath, name)).includes(TOKEN)]).toEqual([name, false]);
    expect(result.stdout + result.stderr).not.toContain(TOKEN);
    expect(result.code).toBe(1);
  });

  it.each(['--junit', '--output'])('asks no model where %s names a place that is not there', async (flag) => {
    scene.write(set(ids('a')));
    const before = scene.server.requests.length;

    const result = await scene.kit('eval', 'smoke', flag, 'none/report');

    expect([result.code, scene.server.requests.length - before]).toEqual([2, 0]);
    expect(result.stderr).toMatch(/none\/report cannot be written\n {2}hint: /);
  });

  it.each([
    { what: 'two cases with one id', cases: ids('a', 'a'), code: 'eval-set.duplicate-case' },
    {
      what: 'an unknown judge',
      cases: '  - { id: a, input: x, expect: { judge: nobody } }\n',
      code: 'eval-set.unknown-judge',
    },
  ])('refuses $what by name, exits 2 and runs nothing', async ({ cases, code }) => {
    scene.write(set(cases));

    const result = await scene.kit('eval', 'smoke', '--json');
    const validated = await scene.kit('validate', '--json');

    expect(result.code).toBe(2);
    expect(JSON.stringify(lastOf(result))).toContain('KIT_EVAL_INVALID');
    expect(validated.stdout).toContain(code);
    expect(existsSync(join(scene.dir, '.kit'))).toBe(false);
  });

  it('names the sets that there are for one that there is not', async () => {
    const result = await scene.kit('eval', 'smok', '--json');

    expect([result.code, lastOf(result).code, String(lastOf(result).hint)]).toEqual([
      2,
      'KIT_EVAL_UNKNOWN',
      expect.stringContaining('smoke'),
    ]);
  });
});
