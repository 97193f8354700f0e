import { type CanaryReport, oneLine } from '@kit-run/kit/command';

type Route = CanaryReport['routes'][number];
type Version = Route['versions'][number];
type Promotion = CanaryReport['promotions'][number];

const REASONS = { promote: 'promoted', rollback: 'rolled back', criteria: 'promoted by its conditions' } as const;
/** Changes that are shown of a route; `--json` has more. */
const SHOWN = 3;

/** Each route with its versions, their conditions, and what was decided last. */
export const canaryLines = ({ routes, promotions }: CanaryReport): readonly string[] =>
  routes.flatMap((route, place) => [
    ...(place === 0 ? [] : ['']),
    `${oneLine(route.topology, 80)}${route.isOverridden ? '  (decided here; workspace.yaml has other weights)' : ''}`,
    ...route.versions.flatMap(versionLines),
    ...promotions
      .filter(({ topology }) => topology === route.topology)
      .slice(0, SHOWN)
      .map(promotionLine),
  ]);

/** `1.0.0 90 %, 1.1.0 10 %`. */
export const weightsText = (weights: Readonly<Record<string, number>>): string =>
  Object.entries(weights)
    .map(([version, weight]) => `${oneLine(version, 40)} ${weight} %`)
    .join(', ');

function versionLines({ version, weight, runs, failed, promoteWhen }: Version): readonly string[] {
  const counted = runs === 0 ? 'no run counted yet' : `${runs} ${runs === 1 ? 'run' : 'runs'}, ${failed} failed`;
  const conditions = (promoteWhen?.conditions ?? []).map(
    ({ name, bound, value, met, note }) =>
      `    ${met ? 'met' : 'open'}: ${name} ${bound}, is ${value ?? 'not measured'}${note === '' ? '' : ` (${oneLine(note, 200)})`}`,
  );
  return [`  ${oneLine(version, 40)}  ${weight} %  ${counted}`, ...conditions];
}

const promotionLine = ({ at, reason, by, weights }: Promotion): string =>
  `  ${at.slice(0, 10)} ${at.slice(11, 19)}Z  ${REASONS[reason]} by ${oneLine(by, 80)}: ${weightsText(weights)}`;
