import { afterAll, describe, expect, it } from 'vitest';
import { oneOfEachFirst } from '../../src/app/doctor/crash/choose-points.js';
import { createCrashRoom } from '../support/crash-case.js';
import type { CrashedRun } from '../support/crash-check.js';
import { CRASH_STORES, type CrashStoreName } from '../support/crash-database.js';
import type { CrashPlan, CrashPoint } from '../support/crash-plan.js';
import { crashAndResume, recordReference } from '../support/crash-run.js';
import { isFull, shuffled } from '../support/crash-share.js';

/** As a share: as many points as fit, in the seed's order, one of each name first. */
const SHARE_MS: Readonly<Record<CrashStoreName, number>> = { SQLite: 5_000, PostgreSQL: 2_500 };
const LEAST: Readonly<Record<CrashStoreName, number>> = { SQLite: 6, PostgreSQL: 3 };
/**
 * Claude Code carries the very call out that was approved; over ACP its model asks for it again.
 * `gateway`: the call is a skill of the agent, which the program has of kit; `plain`: nobody is
 * asked, and the model makes the call again that was cut off.
 */
const SCENARIOS = ['asking', 'asking-acp', 'asking-gateway', 'asking-gateway-plain'] as const;
const CASES = CRASH_STORES.flatMap((store) => SCENARIOS.map((scenario) => [store, scenario] as const));
const AT_ONCE = 3;

const payloadsOf = ({ final }: CrashedRun, type: string): readonly Record<string, unknown>[] =>
  final.events
    .filter((event) => event.type === type)
    .map((event) => JSON.parse(String(event.payload)) as Record<string, unknown>);

/** What must hold of a run that was killed somewhere, whatever people were asked on the way. */
function violationsOf(run: CrashedRun, isAsked: boolean): readonly string[] {
  const { report, stderr } = run.last;
  if (report?.kind !== 'ended') return [`no end: ${JSON.stringify(report)} ${stderr}`];
  const made = run.final.effects.filter(({ name }) => name === 'deploy').length;
  const answers = payloadsOf(run, 'executor.permission').map(({ answer }) => answer);
  const granted = answers.filter((answer) => answer === 'granted').length;
  const doubts = payloadsOf(run, 'step.in_doubt').length;
  return [
    ...(report.status === 'completed' ? [] : [`it ended ${report.status}: ${report.reason}`]),
    ...(made <= 1 ? [] : [`the call was made ${made} times`]),
    ...(made === 1 || doubts > 0 ? [] : ['the call was not made, and nobody is told why']),
    ...(granted >= made || !isAsked ? [] : [`the call was made ${made} times and granted ${granted} times`]),
    ...(JSON.stringify(report.replayed) === JSON.stringify({ kind: 'completed', output: report.output })
      ? []
      : [`it replays to ${JSON.stringify(report.replayed)}`]),
  ];
}

describe.each(CASES)('a call of a harness that people approve, on %s, %s,', (store, scenario) => {
  const room = createCrashRoom(store);
  afterAll(() => room.dispose());

  it('is made once, or is in doubt by name, wherever the run is killed', async () => {
    const { reference, points } = await recordReference(room, { scenario });
    const isAsked = scenario !== 'asking-gateway-plain';
    expect(violationsOf(reference, isAsked)).toEqual([]);
    expect(reference.final.effects.map(({ name }) => name)).toContain('deploy');

    const places: readonly Partial<CrashPlan>[] = [
      { killIn: 'deploy' },
      ...oneOfEachFirst(shuffled(points)).map((dieAt: CrashPoint) => ({ dieAt })),
    ];
    const violations: string[] = [];
    const left = [...places];
    const untilMs = isFull() ? Number.POSITIVE_INFINITY : performance.now() + SHARE_MS[store];
    let begun = 0;
    let worktrees = 0;
    const lane = async (): Promise<void> => {
      while (left.length > 0 && (begun < LEAST[store] || performance.now() < untilMs)) {
        begun += 1;
        const death = left.shift() ?? {};
        const one = await room.open();
        const run = await crashAndResume(one, [death], { scenario });
        const found = violationsOf(run, isAsked);
        // Of one that nobody had noted yet, or that nobody needs any more, the sweep takes care.
        worktrees += run.final.worktrees.length;
        violations.push(...found.map((text) => `${JSON.stringify(death)}: ${text}`));
        await one.dispose();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));

    console.log(
      `crash test of calls on ${store}, ${scenario}: ${begun}/${places.length} places, ${worktrees} worktrees left to the sweep`,
    );
    expect(violations.join('\n')).toBe('');
  }, 600_000);
});
