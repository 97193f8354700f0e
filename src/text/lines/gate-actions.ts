import { approversOf } from '../../domain/approvers.js';
import type { ReviewItem } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import { asWord, isServerPlace, type PastePlace, placeWord, sentPlaceWord, shellWord } from '../../lib/shell-word.js';
import type { GateActor, GateDetails } from '../../view/gate-details.js';
import { oneLine } from '../../view/lines/words.js';
import type { Paint } from './paint.js';

/** What people can decide about a run now. */
export interface Waiting {
  readonly gates: readonly GateDetails[];
  /** Items that are not role tasks. */
  readonly items: readonly ReviewItem[];
  /** What is decided wakes the run; absent = that is not known. */
  readonly autoResume?: boolean;
}

/** Where a command is pasted, and what it may leave out. */
export interface PasteOptions {
  readonly workspaceArgument: PastePlace;
  /** The gate that alone waits of its run (`onlyGateOf`); absent = another one may. */
  readonly onlyGate?: string;
}

/** A long list of members says less than its beginning. */
const SHOWN_MEMBERS = 5;

/** ` my-workspace`, or nothing. */
export const workspaceWord = ({ workspaceArgument }: PasteOptions): string => placeWord(workspaceArgument);

/** The same in a line that is another person's. */
const sentWord = ({ workspaceArgument }: PasteOptions): string => sentPlaceWord(workspaceArgument);

/** Who acts; nothing at a server, which takes it from whoever is signed in. */
const actorWord = (identity: string, { workspaceArgument }: PasteOptions): string =>
  asWord(oneLine(identity, 200), workspaceArgument);

/** The line with which one member completes a task. */
export const resolveCommand = (itemId: string, identity: string, options: PasteOptions): string =>
  `kit review resolve ${shellWord(oneLine(itemId, 400))}${sentWord(options)}${actorWord(identity, options)} --approve`;

/** The gate that alone waits of a run: whoever has one task there signs by naming the run. */
export function onlyGateOf(
  { gates, items }: Waiting,
  { waitingOn }: Pick<Job, 'waitingOn'>,
): Pick<PasteOptions, 'onlyGate'> {
  const [gate, another] = gates.filter(({ resolved, withdrawn }) => !resolved && !withdrawn);
  const isAlone = another === undefined && items.length === 0 && waitingOn.length === 1;
  return isAlone && gate !== undefined && gate.gateId === waitingOn[0] ? { onlyGate: gate.gateId } : {};
}

/** At a server the line names nobody: it has to work for each of the members who pastes it. */
function signCommand(gate: GateDetails, actor: GateActor, identity: string, options: PasteOptions): string {
  const pasters = isServerPlace(options.workspaceArgument) ? actor.members : [identity];
  const isAnothers = gate.actors.some(
    ({ itemId, members }) => itemId !== actor.itemId && pasters.some((one) => members.includes(one)),
  );
  // Somebody who is not asked for another task may still decide it, while a floor of people stands.
  const isSteered = gate.actors.length > 1 && (gate.policy.minDistinctApprovers ?? 1) > 1;
  if (options.onlyGate !== gate.gateId || isAnothers || isSteered)
    return resolveCommand(actor.itemId, identity, options);
  return `kit review approve ${shellWord(gate.runId)}${sentWord(options)}${actorWord(identity, options)}`;
}

/** The line that prints what is decided about. */
export const artifactCommand = (ref: string, options: PasteOptions): string =>
  `kit artifacts get ${shellWord(oneLine(ref, 400))}${workspaceWord(options)}`;

/**
 * Who can act at an open gate: each task with its members and the line to paste, and what nobody
 * can do.
 */
export function gateActions(gate: GateDetails, options: PasteOptions, paint: Paint): readonly string[] {
  const warnings = [...(gate.halted === null ? [] : [gate.halted]), ...gate.stuck].map((why) =>
    paint('bad', `! ${oneLine(why, 400)}`),
  );
  return [
    ...gate.actors.flatMap((actor) => actorLines(gate, actor, gate.halted === null ? options : null, paint)),
    ...warnings,
  ];
}

/** `options` null: the line would be refused now. */
function actorLines(
  gate: GateDetails,
  actor: GateActor,
  options: PasteOptions | null,
  paint: Paint,
): readonly string[] {
  const head = `${paint('strong', oneLine(actor.role, 80))} (${oneLine(actor.scope, 80)}): ${membersText(actor.members)}`;
  const [first] = actor.members;
  return first === undefined || options === null ? [head] : [head, `  ${signCommand(gate, actor, first, options)}`];
}

export function membersText(members: readonly string[]): string {
  if (members.length === 0) return 'nobody can';
  const shown = members.slice(0, SHOWN_MEMBERS).map((member) => oneLine(member, 80));
  const hidden = members.length - shown.length;
  return `${shown.join(', ')}${hidden === 0 ? '' : ` and ${hidden} more`}`;
}

/**
 * The command that lets an item pass that is not a role task: a permission takes no text, a
 * question takes nothing else, any other item takes both, unless only yes or no is asked.
 */
export const settlingVerb = ({
  kind,
  question,
  options,
  freeTextAllowed,
}: Pick<ReviewItem, 'kind' | 'question' | 'options' | 'freeTextAllowed'>): 'approve' | 'answer' =>
  kind === 'input' || (kind === 'other' && question !== null && (options.length > 0 || freeTextAllowed))
    ? 'answer'
    : 'approve';

/** What can be said besides one of the options; [] where any text is an answer. */
export const besideOptions = (item: Pick<ReviewItem, 'options' | 'freeTextAllowed'>): readonly string[] =>
  item.options.length === 0 || item.freeTextAllowed
    ? []
    : ['  TEXT is an option or its number; in your own words: --comment TEXT besides'];

/** An item that is not a role task: what is asked, and the line that settles it. */
export function itemLines(item: ReviewItem, options: PasteOptions): readonly string[] {
  const question = oneLine(item.question ?? item.reason, 300);
  const choices =
    item.options.length === 0
      ? ''
      : ` (${item.options.map((option, at) => `${at} ${oneLine(option, 80)}`).join(', ')})`;
  const verb = settlingVerb(item);
  const line = `  kit review ${verb} ${shellWord(oneLine(item.id, 400))}${verb === 'answer' ? ' TEXT' : ''}${sentWord(options)}${approversOf(item).length > 0 ? actorWord('IDENTITY', options) : ''}`;
  const own = verb === 'answer' ? besideOptions(item) : [];
  return [`${oneLine(item.agentId, 80)} asks: ${question}${choices}`, line, ...own];
}
