import type { StoredEvent } from '../domain/events.js';
import { addEvent } from './reduce-run.js';
import { RunDraft } from './run-draft.js';
import type { RunView } from './run-view.js';

/**
 * A view of a run whose events come one by one and that is looked at now and then. Only a look
 * costs a copy of what the run has grown to, and only if events follow it.
 */
export class RunFold {
  #draft: RunDraft;
  #isGiven = false;

  constructor(from: RunView) {
    this.#draft = new RunDraft(from);
  }

  add(event: StoredEvent): void {
    if (this.#isGiven) this.#draft = new RunDraft(this.#draft.view);
    this.#isGiven = false;
    addEvent(this.#draft, event);
  }

  /** With everything that was added; a view that was given out does not change any more. */
  get view(): RunView {
    this.#isGiven = true;
    return this.#draft.view;
  }
}
