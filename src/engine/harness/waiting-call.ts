import type { Json, JsonObject } from '../../domain/json.js';

/** A call of the gateway that waits for people, or for a run that it asked for. */
export type WaitingCall = {
  /** Key of its turn. */
  readonly turn: string;
  readonly name: string;
  readonly input: JsonObject;
};

/** What a launch notes of such calls; [] = it noted none. */
export function waitingIn(notes: Readonly<Record<string, Json>>): readonly WaitingCall[] {
  // Written by the gateway alone.
  return (notes.waiting as readonly WaitingCall[] | undefined) ?? [];
}
