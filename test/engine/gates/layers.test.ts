import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import type { LinkedFunnel } from '../../../src/domain/linked-funnel.js';
import type { LinkedSkill } from '../../../src/domain/linked-skill.js';
import type { MessagePart } from '../../../src/domain/ports/model.js';
import { decide, gatedBy, goOn, ONE_ROLE, openRounds } from '../../support/gated.js';
import { agent, commandSkill, type Script, type World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();

const writer = agent('writer', { role: 'root', funnel: 'sign-off' });
const JUDGE: LinkedFunnel['judge'] = { skill: 'judge', rubric: 'Short is good.', threshold: 0.8 };

const judge = (over: Partial<LinkedSkill> = {}): LinkedSkill => ({
  ...commandSkill('judge', []),
  category: 'decision',
  effects: 'none',
  implementation: { type: 'llm_prompt', prompt: 'You are judge.', model: writer.model },
  ...over,
});

const textOf = (parts: readonly MessagePart[] = []): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
const verdict = (word: string, confidence: number, reasoning = ''): string =>
  JSON.stringify({ verdict: word, confidence, reasoning, flagged_items: [] });

/**
 * Answers by agent, one after the other; the last one again. Remembers what each was asked last.
 */
function talk(
  answers: Readonly<Record<string, readonly (string | { readonly ok: false; readonly failure: never })[]>>,
) {
  const asked: Record<string, string[]> = {};
  const systems: Record<string, string> = {};
  const script: Script = ({ agent: id, request }) => {
    const before = asked[id] ?? [];
    asked[id] = before;
    const list = answers[id] ?? [];
    const answer = list[Math.min(before.length, list.length - 1)] ?? 'nothing';
    before.push(textOf(request.messages.at(-1)?.parts));
    systems[id] = textOf(request.messages.find(({ role }) => role === 'system')?.parts);
    return answer;
  };
  return { script, asked, systems };
}

interface Given {
  readonly funnel: Partial<LinkedFunnel>;
  readonly answers: Parameters<typeof talk>[0];
  readonly skills?: readonly LinkedSkill[];
  readonly root?: typeof writer;
}

async function ran({
  funnel,
  answers,
  skills = [judge()],
  root = writer,
}: Given): Promise<{ world: World; asked: Record<string, string[]>; systems: Record<string, string> }> {
  const { script, asked, systems } = talk(answers);
  const world = await open({ root, skills, script, ...gatedBy(ONE_ROLE, funnel) });
  await world.run();
  return { world, asked, systems };
}

const evidenceOf = async (world: World) => (await openRounds(world))[0]?.evidence;
const artifactOf = async (world: World): Promise<string> => {
  const [gate] = await openRounds(world);
  return new TextDecoder().decode((await world.stores.artifacts.read(gate?.sha256 ?? '')) ?? undefined);
};
const layers = async (world: World) =>
  payloadsOf(await world.events(), 'funnel.layer_evaluated').map((payload) => {
    const { layer, draft, passed } = payload as { layer: string; draft: number; passed: boolean };
    return `${layer} d${draft} ${passed ? 'passed' : 'failed'}`;
  });

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, pages: { type: 'integer' } },
};
const checks = (over: Partial<NonNullable<LinkedFunnel['validate']>>): LinkedFunnel['validate'] => ({
  schema: null,
  autocorrect: true,
  sliceBudget: null,
  citedChange: false,
  ...over,
});

describe('validate', () => {
  it('lets a draft through that fits, and says so', async () => {
    const { world, asked } = await ran({
      funnel: { validate: checks({ schema: SCHEMA }) },
      answers: { writer: ['Here: {"title": "T"}'] },
    });

    expect(await layers(world)).toEqual(['validate d0 passed']);
    expect(asked.writer).toHaveLength(1);
    expect(await artifactOf(world)).toBe('Here: {"title": "T"}');
    expect(await evidenceOf(world)).toMatchObject({ retries: 0, escalated: false, failedLayers: [], critique: null });
  });

  it('asks the author once for the places that do not fit, before a retry counts', async () => {
    const { world, asked } = await ran({
      funnel: { validate: checks({ schema: SCHEMA }) },
      answers: { writer: ['{"title": 1, "pages": "x"}', '{"title": "T", "pages": 2}'] },
    });

    expect(asked.writer).toHaveLength(2);
    expect(asked.writer?.[1]).toMatch(/^The answer does not fit the schema\. Correct only these places/);
    expect(asked.writer?.[1]).toContain('/title');
    expect(asked.writer?.[1]).toContain('/pages');
    expect(await layers(world)).toEqual(['validate d0 passed']);
    expect(await evidenceOf(world)).toMatchObject({ retries: 0 });
    expect(JSON.parse(await artifactOf(world))).toEqual({ title: 'T', pages: 2 });
  });

  it('counts a retry when the correction does not fit either', async () => {
    const { world, asked } = await ran({
      funnel: { validate: checks({ schema: SCHEMA }) },
      answers: { writer: ['{"title": 1}', '{"title": 2}', '{"title": "T"}'] },
    });

    expect(await layers(world)).toEqual(['validate d0 failed', 'validate d1 passed']);
    expect(asked.writer?.[2]).toContain('does not fit the schema of its funnel');
    expect(await evidenceOf(world)).toMatchObject({ retries: 1, escalated: false });
  });

  it('counts a retry at once where autocorrect is off', async () => {
    const { asked } = await ran({
      funnel: { validate: checks({ schema: SCHEMA, autocorrect: false }) },
      answers: { writer: ['{"title": 1}', '{"title": "T"}'] },
    });

    expect(asked.writer).toHaveLength(2);
    expect(asked.writer?.[1]).toContain('Revise your earlier answer');
  });

  it('joins what all checks found: one retry can fix everything', async () => {
    const { world } = await ran({
      funnel: {
        validate: checks({ schema: SCHEMA, sliceBudget: { maxDiffLines: 1, maxFiles: null }, citedChange: true }),
        maxRetries: 0,
      },
      answers: { writer: ['one\ntwo'] },
    });

    const critique = (await evidenceOf(world))?.critique;
    expect(critique).toContain('the answer holds no JSON value');
    expect(critique).toContain('at most 1 are allowed');
    expect(critique).toContain('There is no diff');
  });

  it('escalates to the people when the retries are used up, with the last critique', async () => {
    const { world } = await ran({
      funnel: { validate: checks({ sliceBudget: { maxDiffLines: 1, maxFiles: null } }), maxRetries: 1 },
      answers: { writer: ['1\n2\n3', '1\n2'] },
    });

    expect(await layers(world)).toEqual(['validate d0 failed', 'validate d1 failed']);
    expect(await evidenceOf(world)).toMatchObject({
      retries: 1,
      escalated: true,
      failedLayers: ['validate'],
      critique: 'The change has 2 added or changed lines, and at most 1 are allowed: make it smaller.',
    });
    expect(await artifactOf(world)).toBe('1\n2');
  });

  it('corrects nothing that must equal what a child reported', async () => {
    const root = {
      ...writer,
      outputSchema: { type: 'object', properties: { title: { type: 'string', 'x-equals': '/child/title' } } },
    };
    const { asked } = await ran({
      funnel: { validate: checks({ schema: SCHEMA }), maxRetries: 0 },
      answers: { writer: ['{}'] },
      root,
    });

    expect(asked.writer).toHaveLength(1);
  });
});

describe('judge', () => {
  it('is asked with the frozen task, the rubric and the draft, and tells both what it decided', async () => {
    const { world, asked, systems } = await ran({
      funnel: { judge: JUDGE },
      answers: { writer: ['draft'], judge: [verdict('pass', 0.9, 'Good.')] },
    });

    // What is the same for each draft stands in the system prompt, where a cache may hold it.
    const rubric =
      /^You are judge\.\n\nJudge the answer of the agent writer below\.[\s\S]*Short is good\.[\s\S]*"verdict"/;
    expect(systems.judge).toMatch(rubric);
    expect(asked.judge?.[0]).toMatch(/^The task that the agent was given:\n[\s\S]*What you judge:\n[\s\S]*\ndraft\n/);
    expect(asked.judge?.[0]).not.toContain('Short is good.');
    expect(payloadsOf(await world.events(), 'decision.evaluated')).toEqual([
      {
        trigger: 'post_output',
        skill: 'judge',
        verdict: 'pass',
        confidence: 0.9,
        reasoning: 'Good.',
        passed: true,
        flagged_items: [],
        verdict_invalid: false,
      },
    ]);
    expect(await layers(world)).toEqual(['judge d0 passed']);
    expect(await evidenceOf(world)).toMatchObject({
      judge: { skill: 'judge', verdict: 'pass', confidence: 0.9, reasoning: 'Good.' },
    });
  });

  it('sends its critique into the next draft', async () => {
    const { world, asked } = await ran({
      funnel: { judge: JUDGE },
      answers: { writer: ['long', 'short'], judge: [verdict('fail', 0.9, 'Too long.'), verdict('pass', 0.9)] },
    });

    expect(asked.writer?.[1]).toContain('What the checks (judge) found in it');
    expect(asked.writer?.[1]).toContain('Too long.');
    expect(await layers(world)).toEqual(['judge d0 failed', 'judge d1 passed']);
    expect(await artifactOf(world)).toBe('short');
  });

  it('counts the verdict of the last pass alone: what was fixed is not told to the people', async () => {
    const { world } = await ran({
      funnel: { judge: JUDGE },
      answers: { writer: ['a', 'b'], judge: [verdict('fail', 1, 'Bad.'), verdict('pass', 1)] },
    });

    expect(await evidenceOf(world)).toMatchObject({
      retries: 1,
      escalated: false,
      critique: null,
      failedLayers: [],
      judge: { verdict: 'pass' },
    });
  });

  it.each([
    ['a pass below the threshold', verdict('pass', 0.7), { verdict: 'pass', confidence: 0.7, verdict_invalid: false }],
    ['needs_revision', verdict('needs_revision', 1), { verdict: 'needs-revision', verdict_invalid: false }],
    ['no known verdict', verdict('fine', 1), { verdict: 'fail', verdict_invalid: true }],
    ['no JSON', 'I like it.', { verdict: 'fail', confidence: 0, verdict_invalid: false }],
  ])('does not pass on %s', async (_name, answer, reported) => {
    const { world } = await ran({
      funnel: { judge: JUDGE, maxRetries: 0 },
      answers: { writer: ['draft'], judge: [answer] },
    });

    expect(payloadsOf(await world.events(), 'decision.evaluated')).toEqual([
      expect.objectContaining({ ...reported, passed: false }),
    ]);
    expect(await evidenceOf(world)).toMatchObject({ escalated: true, failedLayers: ['judge'] });
  });

  it('that cannot be asked has found nothing, and passes nothing: people decide', async () => {
    const failure = { kind: 'auth', message: 'no key', status: 401, retryAfterMs: null } as never;
    const { world } = await ran({
      funnel: { judge: JUDGE, maxRetries: 1 },
      answers: { writer: ['draft'], judge: [{ ok: false, failure }] },
    });

    expect(await layers(world)).toEqual(['judge d0 failed']);
    expect(await evidenceOf(world)).toMatchObject({ escalated: true, judge: { verdict: 'fail', confidence: 0 } });
    expect((await evidenceOf(world))?.critique).toContain('no key');
  });

  it('that does not exist is a fail', async () => {
    const { world } = await ran({
      funnel: { judge: JUDGE, maxRetries: 0 },
      answers: { writer: ['draft'] },
      skills: [],
    });

    expect((await evidenceOf(world))?.critique).toContain('there is no skill judge');
  });

  it('may be a command, which decides by what it prints', async () => {
    const argv = [
      process.execPath,
      '-e',
      'console.log(JSON.stringify({verdict: process.argv[1] === "draft 2" ? "pass" : "fail", confidence: 1, reasoning: "Saw " + process.argv[1]}))',
      '{content}',
    ];
    const inputs = { type: 'object', required: ['content'], properties: { content: { type: 'string' } } };
    const { world } = await ran({
      funnel: { judge: JUDGE },
      answers: { writer: ['draft 1', 'draft 2'] },
      skills: [commandSkill('judge', argv, { category: 'decision', inputs, effects: 'read' })],
    });

    expect(await layers(world)).toEqual(['judge d0 failed', 'judge d1 passed']);
    expect(payloadsOf(await world.events(), 'decision.evaluated')[0]).toMatchObject({ reasoning: 'Saw draft 1' });
  });

  it('is not paid for a draft that the checks refused', async () => {
    const { asked } = await ran({
      funnel: { validate: checks({ sliceBudget: { maxDiffLines: 1, maxFiles: null } }), judge: JUDGE, maxRetries: 0 },
      answers: { writer: ['1\n2'], judge: [verdict('pass', 1)] },
    });

    expect(asked.judge).toBeUndefined();
  });
});

describe('review by a model', () => {
  const critic = agent('critic@sign-off', { systemPrompt: 'You are critic.' });
  const REVIEW: LinkedFunnel['review'] = {
    reviewer: { ...critic, outputSchema: { type: 'object', required: ['findings'] } },
    readScope: [],
    routeBackAt: 'high',
  };
  const found = (severity: string) =>
    JSON.stringify({
      findings: [
        { id: 'f1', severity, location: 'line 1', claim: 'It is wrong.', evidence: ['x'], recommendation: 'Fix it.' },
      ],
    });
  const withModels = async (answers: Parameters<typeof talk>[0], over: Partial<LinkedFunnel> = {}) => {
    const { script, asked } = talk(answers);
    const choice = { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' };
    const gated = gatedBy(ONE_ROLE, { review: REVIEW, ...over });
    const snapshot = { ...gated.snapshot, models: { writer: choice, 'critic@sign-off': choice } };
    const world = await open({ root: writer, script, roles: gated.roles, snapshot });
    await world.run();
    return { world, asked };
  };

  it('sends back what is grave, with what to do', async () => {
    const { world, asked } = await withModels({
      writer: ['bad', 'good'],
      critic: [found('critical'), found('medium')],
    });

    expect(asked.writer?.[1]).toContain('critical f1 at line 1: It is wrong. Fix it.');
    expect(await layers(world)).toEqual(['review d0 failed', 'review d1 passed']);
    expect(await evidenceOf(world)).toMatchObject({ retries: 1, findings: [{ id: 'f1', severity: 'medium' }] });
  });

  it('shows the draft and nothing of how it came about', async () => {
    const { asked } = await withModels({ writer: ['the draft'], critic: ['{"findings": []}'] });

    expect(asked.critic?.[0]).toContain('the draft');
    expect(asked.critic?.[0]).not.toContain('the task');
  });

  it('whose answer fits no findings has not reviewed', async () => {
    const { world } = await withModels({ writer: ['draft'], critic: ['It is fine.'] }, { maxRetries: 0 });

    expect(await evidenceOf(world)).toMatchObject({ escalated: true, failedLayers: ['review'] });
    expect((await evidenceOf(world))?.critique).toMatch(/^The review failed: /);
  });
});

describe('the whole funnel', () => {
  it('goes through every layer in order, then to the people, and begins anew when they ask for changes', async () => {
    const { world, asked } = await ran({
      funnel: { validate: checks({ sliceBudget: { maxDiffLines: 1, maxFiles: null } }), judge: JUDGE },
      answers: { writer: ['1\n2', 'first', 'second'], judge: [verdict('pass', 1)] },
    });
    await decide(world, { role: 'qa', outcome: 'changes_requested', comment: 'Say more.' });
    await goOn(world);
    await decide(world, { role: 'qa' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'second' });
    expect(await layers(world)).toEqual([
      'validate d0 failed',
      'validate d1 passed',
      'judge d1 passed',
      'validate d2 passed',
      'judge d2 passed',
    ]);
    expect(asked.judge).toHaveLength(2);
    expect(asked.writer?.[2]).toContain('Say more.');
  });

  it('without an enforceable gate the run goes on, and says that nobody looked', async () => {
    const { script } = talk({ writer: ['draft'], judge: [verdict('fail', 1, 'Bad.')] });
    const world = await open({
      root: writer,
      skills: [judge()],
      script,
      snapshot: gatedBy(ONE_ROLE, { judge: JUDGE, maxRetries: 0 }).snapshot,
    });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'draft' });
    expect(payloadsOf(await world.events(), 'funnel.advisory_completed')).toEqual([
      expect.objectContaining({ failed_layers: ['judge'], critique: 'Bad.' }),
    ]);
  });
});
