import { useAsked } from '../api/live.js';
import { useMayAdmin, useSession } from '../api/session.js';
import type { Canary, CanaryRoute, CanaryVersion } from '../api/work-types.js';
import { AskedButton } from './asked-button.js';
import { At, Problem } from './small.js';

const REASONS = { promote: 'promoted', rollback: 'rolled back', criteria: 'promoted by its conditions' } as const;
const share = (rate: number | null): string => (rate === null ? '-' : `${(100 * rate).toFixed(1)} %`);

/** How the runs of a topology are split between its versions; nothing where no route does that. */
export function Traffic({ topology }: { readonly topology: string }) {
  const { data, error, again } = useAsked<Canary>('/canary');
  const route = data?.routes.find((one) => one.topology === topology);
  if (data === null && error !== null) return <Problem error={error} again={again} />;
  if (data === null || route === undefined) return null;
  return (
    <section aria-label="Traffic">
      <h2>Traffic</h2>
      <Versions route={route} changed={again} />
      {route.override && (
        <p className="quiet">These weights were decided here or by a condition: workspace.yaml has others.</p>
      )}
      <ol className="decisions">
        {data.promotions
          .filter((one) => one.topology === topology)
          .map(({ timestamp, reason, by, weights }) => (
            <li key={timestamp} className="words">
              <At at={timestamp} /> {REASONS[reason]} by {by}:{' '}
              {Object.entries(weights)
                .map(([version, weight]) => `${version} ${weight} %`)
                .join(', ')}
            </li>
          ))}
      </ol>
    </section>
  );
}

function Versions({ route, changed }: { readonly route: CanaryRoute; readonly changed: () => void }) {
  const mayAdmin = useMayAdmin();
  return (
    <>
      {!mayAdmin && (
        <p className="quiet">You may look at traffic, not change it: your key lacks the scope serve:admin.</p>
      )}
      <table>
        <thead>
          <tr>
            {['version', 'traffic', 'runs', 'failed', 'conditions', ...(mayAdmin ? ['decide'] : [])].map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {route.versions.map((one, place) => (
            <tr key={one.version}>
              <td>{one.version}</td>
              <td>{one.weight} %</td>
              <td>{one.metrics.total_runs}</td>
              <td>{share(one.metrics.error_rate)}</td>
              <td>
                <Conditions version={one} />
              </td>
              {mayAdmin && (
                <td>
                  {one.weight < 100 && (
                    <Change topology={route.topology} version={one.version} isFirst={place === 0} changed={changed} />
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Conditions({ version: { promote_when: when } }: { readonly version: CanaryVersion }) {
  if (when === null) return <span className="quiet">none</span>;
  return when.conditions.map(({ name, bound, value, met }) => (
    <span key={name} className="line">
      {met ? 'met: ' : 'open: '}
      {name} {bound}, is {value ?? 'not measured'}
    </span>
  ));
}

/** All traffic to one version. The first of a route is where a rollback leads. */
function Change({ topology, version, isFirst, changed }: ChangeProps) {
  const { client } = useSession();
  const change = async (): Promise<void> => {
    const route = `/canary/${encodeURIComponent(topology)}`;
    try {
      await (isFirst ? client.post(`${route}/rollback`, {}) : client.post(`${route}/promote`, { version }));
    } finally {
      changed();
    }
  };
  return <AskedButton word={isFirst ? 'Roll back' : 'Promote'} yes={`Yes, all traffic to ${version}`} act={change} />;
}

interface ChangeProps {
  readonly topology: string;
  readonly version: string;
  readonly isFirst: boolean;
  readonly changed: () => void;
}
