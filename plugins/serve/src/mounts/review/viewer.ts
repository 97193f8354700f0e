import type { Asked, Door, GateDetails, Viewer } from '@kit-run/kit/command';
import { type Caller, missingScope } from '@kit-run/kit/plugin';

/**
 * Under `none` nobody is authenticated, and the server stands where the CLI does
 * (docs/design/decisions.md#open-door). A provider that only asserts who calls opens no door by
 * that.
 */
export const doorOf = ({
  assurance,
  provider,
  clientName,
}: Pick<Caller, 'assurance' | 'provider' | 'clientName'>): Door => ({
  assurance,
  clientName,
  openDoor: provider === 'none',
});

/** Who looks. A caller below the tier of decisions is told so before anything about roles. */
export function viewerOf(caller: Caller): Viewer {
  const missing = missingScope(caller, 'run');
  return {
    identity: caller.clientId,
    door: doorOf(caller),
    refused: missing === null ? null : `${caller.clientId} lacks the scope ${missing}, without which nobody decides`,
  };
}

/** The same with words that whoever asks can follow. */
export const saidTo = (asked: Asked, words: Words): Asked =>
  asked.you === null || asked.you.whyNot === null
    ? asked
    : { ...asked, you: { ...asked.you, whyNot: words(asked.you.whyNot) } };

/** A gate with words that whoever asks can follow. */
export const gateSaidTo = <T extends Pick<GateDetails, 'halted'>>(gate: T, words: Words): T => ({
  ...gate,
  halted: gate.halted === null ? null : words(gate.halted),
});

/** See `wordsFor`. */
export type Words = (text: string) => string;
