import type { Json } from '../../domain/json.js';
import type { LinkedImplementation } from '../../domain/linked-skill.js';
import type { SkillStrategy, Vote } from '../../domain/ports/skill-strategy.js';
import { panelSize, strategyOf } from '../../govern/checks/panel.js';
import { readVerdict } from '../../govern/checks/verdict.js';
import { namedBy } from '../decision/prompt.js';
import { joinBranches } from '../join.js';
import { isParked, mergeWaits, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';
import type { SkillCall, SkillResult } from './skill-call.js';

/**
 * The one way of a call, handed in: a panel calls its members like an agent calls its tools,
 * governance and limits included.
 */
type RunSkill = (services: RunServices, call: SkillCall) => Promise<SkillResult | Parked>;

type Panel = Extract<LinkedImplementation, { type: 'composed' }>;

/**
 * A panel of skills: each of them is asked the same, as far as its inputs name it, and the strategy
 * makes one verdict of what they say (docs/design/execution.md#panels).
 */
export async function runComposed(
  services: RunServices,
  run: { readonly call: SkillCall; readonly panel: Panel; readonly ask: RunSkill },
): Promise<StepEnd<{ output: Json }> | Parked> {
  const { call, panel, ask } = run;
  const strategy = strategyOf(panel.strategy) ?? (await customStrategy(services, panel));
  if (strategy === null) return failedEnd('strategy_unknown', `nothing here knows the strategy ${panel.strategy}`);
  const votes = await votesOf(panel.composes, strategy, (id, index) => vote(services, { call, ask, id, index }));
  if (isParked(votes)) return votes;
  const { verdict, confidence, reasoning } = strategy.decide(votes.cast);
  const { valid, needed } = panelSize(votes.cast);
  const output = {
    verdict,
    confidence,
    reasoning,
    panel_votes: votes.cast.map(
      (one, index) => one ?? { skill: panel.composes[index] ?? '', verdict: null, confidence: 0, reasoning: '' },
    ),
    quorum_missed: valid < needed,
  };
  return { outcome: { status: 'ok', value: { output } } };
}

/** Of a plugin; its module is loaded with the first of them. */
async function customStrategy(services: RunServices, { strategyClass }: Panel): Promise<SkillStrategy | null> {
  return strategyClass === undefined
    ? null
    : (await import('./plugin-strategy.js')).pluginStrategy(services, strategyClass);
}

type Votes = { readonly cast: readonly Vote[] };

async function votesOf(
  ids: readonly string[],
  strategy: SkillStrategy,
  cast: (id: string, index: number) => Promise<Vote | Parked>,
): Promise<Votes | Parked> {
  if (strategy.isSettled === undefined) {
    const all = await joinBranches(
      ids.map((id, index) => async () => ({ one: await cast(id, index) })),
      { isFailure: () => false, abort: () => undefined },
    );
    const waits = all.flatMap((done) => (done?.one != null && isParked(done.one) ? done.one.parked : []));
    return waits.length > 0
      ? { parked: mergeWaits(waits) }
      : { cast: all.map((done) => (done?.one == null || isParked(done.one) ? null : done.one)) };
  }
  const votes: Vote[] = [];
  for (const [index, id] of ids.entries()) {
    const one = await cast(id, index);
    if (one !== null && isParked(one)) return one;
    votes.push(one);
    if (strategy.isSettled(votes)) break;
  }
  return { cast: votes };
}

/** A call that failed or was denied, or whose answer holds no verdict, is not a vote. */
async function vote(
  services: RunServices,
  of: { readonly call: SkillCall; readonly ask: RunSkill; readonly id: string; readonly index: number },
): Promise<Vote | Parked> {
  const { call, ask, id, index } = of;
  const skill = services.snapshot.skills[id];
  if (skill === undefined) return null;
  const result = await ask(services, {
    ...call,
    isForModel: false,
    skill,
    input: namedBy(skill.inputs, call.input),
    key: `${call.key}/v${index}:${encodeURIComponent(id)}`,
  });
  if (isParked(result)) return result;
  if (result.status !== 'ok') return null;
  const { isInvalid, verdict, confidence, reasoning } = readVerdict(result.output);
  return isInvalid || (confidence === 0 && reasoning === 'The answer holds no JSON object.')
    ? null
    : { skill: id, verdict, confidence, reasoning };
}
