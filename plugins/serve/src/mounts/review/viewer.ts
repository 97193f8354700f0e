import type { DeciderAuth, GateDetails, ReviewRequest, Viewer, WhyReport } from '@kit-run/kit/command';
import { type Caller, isKitError, KitError, missingScope } from '@kit-run/kit/plugin';

/**
 * Under `none` nobody is authenticated, and the server stands where the CLI does
 * (docs/design/decisions.md#open-server). A provider that only asserts who calls opens nothing by
 * that.
 */
export const authOf = ({
  assurance,
  provider,
  clientName,
}: Pick<Caller, 'assurance' | 'provider' | 'clientName'>): DeciderAuth => ({
  assurance,
  clientName,
  isUnauthenticated: provider === 'none',
});

/** Who looks. A caller below the tier of decisions is told so before anything about roles. */
export function viewerOf(caller: Caller): Viewer {
  const missing = missingScope(caller, 'run');
  return {
    identity: caller.clientId,
    auth: authOf(caller),
    refused: missing === null ? null : `${caller.clientId} lacks the scope ${missing}, without which nobody decides`,
  };
}

/** See `wordsFor`. */
export type Words = (text: string) => string;

/** Who is told, and in which words. */
export interface Hearer {
  readonly caller: Caller;
  readonly words: Words;
}

/** The same with words that whoever asks can follow. */
export const saidTo = (asked: ReviewRequest, words: Words): ReviewRequest =>
  asked.you === null || asked.you.whyNot === null
    ? asked
    : { ...asked, you: { ...asked.you, whyNot: words(asked.you.whyNot) } };

/**
 * Everybody is one identity at a server without auth: a line that names another one would work for
 * nobody. Null: whoever asks is among those who can act, or proves who they are.
 */
function provesNobody({ provider, clientId }: Caller, people: readonly string[]): string | null {
  if (provider !== 'none' || people.length === 0 || people.includes(clientId)) return null;
  return openTo(clientId);
}

const openTo = (clientId: string): string =>
  `this server has no auth, and knows everybody as ${clientId}, who cannot decide this; whoever operates it sets server.auth (kit docs auth), or decides in the directory of the workspace`;

/** A refused decision; its hint names no other person where nobody can be another one. */
export function refusedTo({ provider, clientId }: Caller, error: unknown): unknown {
  const isUnknownPerson = provider === 'none' && isKitError(error) && error.code === 'KIT_APPROVAL_DENIED';
  if (!isUnknownPerson || error.hint?.includes('--as') !== true) return error;
  const { code, message, data } = error;
  return new KitError(code, message, { hint: `${openTo(clientId).replace(/^t/, 'T')}.`, cause: error, data });
}

/** A gate with words that whoever asks can follow, and why nobody can decide it here. */
export function gateSaidTo<T extends Pick<GateDetails, 'halted' | 'actors'>>(gate: T, { caller, words }: Hearer): T {
  const people = gate.actors.flatMap(({ members }) => members);
  return { ...gate, halted: gate.halted === null ? provesNobody(caller, people) : words(gate.halted) };
}

/**
 * What is to be done about a run, where whoever asks could do it here. `isShell`: they are told
 * lines that decide as whoever is signed in.
 */
export function situationSaidTo(
  situation: WhyReport['situation'],
  { caller, isShell }: { readonly caller: Caller; readonly isShell: boolean },
): WhyReport['situation'] {
  const { command } = situation;
  const at = command.indexOf('--as');
  const people = situation.actors.flatMap(({ names }) => names);
  if (at === -1 || people.length === 0) return situation;
  const [, , , item = ''] = command;
  const fact = provesNobody(caller, people) ?? (isShell ? anothersDecision(caller, command[at + 1], people) : null);
  return fact === null ? situation : { ...situation, fact, command: ['kit', 'review', 'show', item] };
}

/** `named`: whom the command names. Null: that is who is signed in. */
const anothersDecision = ({ clientId }: Caller, named: string | undefined, people: readonly string[]): string | null =>
  named === clientId ? null : `the decision of ${people.slice(0, 3).join(' or ')}`;
