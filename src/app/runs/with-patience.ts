import type { RunSession } from './run-session.js';
import type { PlanRun } from './runs-app.js';

const PATIENCE = 'KIT_OUTAGE_PATIENCE_S';

/** Seconds: nobody looks on, and what started the run has a bound of its own. */
const UNATTENDED_S = 60;

/** The same session; a run that is prepared in it has the patience that its start asks for. */
export function withPatience(session: RunSession, { patience }: Pick<PlanRun, 'patience'>): RunSession {
  if (patience === undefined) return session;
  const { prepare } = session;
  if (patience === 'unattended' && prepare.isSet(PATIENCE)) return session;
  const seconds = patience === 'unattended' ? UNATTENDED_S : patience;
  return { ...session, prepare: { ...prepare, env: { ...prepare.env, [PATIENCE]: seconds } } };
}
