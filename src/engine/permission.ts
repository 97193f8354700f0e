import { approversOf, isLeftTo, withApprovers } from '../domain/approvers.js';
import type { StepOutcome } from '../domain/journal.js';
import type { Json } from '../domain/json.js';
import type { Decision } from '../domain/ports/governance.js';
import { onceKnown } from '../lib/soon.js';
import { askPeople, type PersonQuestion, personItemId } from './ask-people.js';
import { isNotDone } from './outage.js';
import { isParked, type Parked } from './park.js';
import type { RunServices } from './services.js';
import type { StepSpec } from './step-types.js';

/** Gives a step the way in which it is authorised. */
type RunStep<V extends Json> = (authorize: NonNullable<StepSpec['authorize']>) => Promise<StepOutcome<V> | Parked>;

/** A step as people are shown it. */
export type AskedAbout = Pick<PersonQuestion, 'agentId' | 'skillId' | 'question' | 'details'>;

/** A step about which people may have to be asked first. */
export interface Permitted<V extends Json> {
  readonly spec: StepSpec & { readonly authorize: NonNullable<StepSpec['authorize']> };
  /** What people are shown: the same whenever the run comes by. */
  readonly asked: () => Promise<AskedAbout>;
  /** What a rejection is about, for the reason of the denial: `the call`. */
  readonly what: string;
  /** They approved it already, on an item of another step. Absent: they did not. */
  readonly isApproved?: boolean;
  readonly run: RunStep<V>;
}

/** Key of the item that a step waits for. */
const permissionKey = ({ key }: StepSpec): string => `${key}/permission`;

/**
 * What a person must be asked about first (tier `strict`, or a provider that says `ask`) parks on
 * an item of kind `permission`. Its approval is good for this one step: the next one, with the same
 * arguments or others, asks anew, and what denies by then still denies. A rejection is a denial
 * like any other.
 */
export function withPermission<V extends Json>(
  services: RunServices,
  of: Permitted<V>,
): Promise<StepOutcome<V> | Parked> {
  const { spec, run } = of;
  const { steps } = services;
  if (steps.rowOf(permissionKey(spec)) !== undefined) return settle(services, of, { reason: '' });
  const row = steps.rowOf(spec.key);
  // Whether a call that was under way is repeated is asked of nobody; an agent that goes on, or a
  // call that an outage kept from being made, may have to be asked about by now.
  const isBegun = row !== undefined && !isNotDone(row);
  if (isBegun && (row.outcome !== null || spec.kind !== 'activation')) return run(spec.authorize);
  if (of.isApproved === true) return run(async () => approved(await spec.authorize(), null));
  return onceKnown(steps.decide(spec.authorize), (decision) =>
    decision.verdict === 'ask' ? settle(services, of, decision) : run(() => decision),
  );
}

type Asks = Pick<Extract<Decision, { verdict: 'ask' }>, 'reason' | 'approvers'>;

async function settle<V extends Json>(
  services: RunServices,
  of: Permitted<V>,
  asks: Asks,
): Promise<StepOutcome<V> | Parked> {
  const { spec, run, what } = of;
  const asked = await of.asked();
  const details = withApprovers(asked.details, asks.approvers ?? []);
  const { reason } = asks;
  const answered = await askPeople(services, {
    ...asked,
    details,
    key: permissionKey(spec),
    kind: 'permission',
    reason,
    options: [],
  });
  if (isParked(answered)) return answered;
  if (answered.status === 'ok') return run(async () => approved(await spec.authorize(), await askedOf(services, spec)));
  const said = answered.message === '' ? `a person rejected ${what}` : `a person rejected ${what}: ${answered.message}`;
  return run(() => ({ verdict: 'deny', reason: said, needs: [] }));
}

/** To whom the answer was left when it was asked for. */
async function askedOf({ reviews, jobId }: RunServices, spec: StepSpec): Promise<readonly string[]> {
  const id = personItemId({ jobId }, { kind: 'permission', key: permissionKey(spec) });
  const item = (await reviews.state(jobId))?.items.find((one) => one.id === id);
  return item === undefined ? [] : approversOf(item);
}

/**
 * What a person approved may still be denied by now, or left to others than were asked; it is not
 * asked about again. Which policies asked stays on record. `asked`: null = whoever approved it was
 * one of them.
 */
function approved(decision: Decision, asked: readonly string[] | null): Decision {
  if (decision.verdict !== 'ask') return decision;
  const { approvers = [] } = decision;
  if (asked !== null && !isLeftTo(asked, approvers))
    return { verdict: 'deny', reason: `it was approved, and is left to ${approvers.join(' or ')} by now`, needs: [] };
  return { verdict: 'allow', ...(decision.policyDigest === undefined ? {} : { policyDigest: decision.policyDigest }) };
}
