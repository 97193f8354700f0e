import type { JsonObject } from '@kit-run/kit/plugin';
import type { MappedEvent } from '../interpret/mapped-event.js';
import { foldUsage, NO_USAGE, type UsageFold } from '../interpret/usage.js';
import { answerUsage, usageEvents } from './updates.js';

/**
 * The tokens of the prompts of one session. What is told answer by answer counts until the prompt
 * says what it used as a whole: one that is put off never does.
 */
export class PromptUsage {
  #answers: UsageFold = NO_USAGE;
  #prompts = 0;

  /** The next prompt begins. */
  begin(): void {
    this.#answers = NO_USAGE;
    this.#prompts += 1;
  }

  /** What an update tells of one answer; null = nothing. */
  take(update: JsonObject): MappedEvent | null {
    const report = answerUsage(update);
    if (report === null) return null;
    this.#answers = foldUsage(this.#answers, { type: 'usage', key: null, replaces: null, report });
    return { type: 'usage', key: this.#key(), replaces: null, report: this.#answers.sum ?? report };
  }

  /** What the prompt says at its end; [] = nothing. */
  end(result: JsonObject): readonly MappedEvent[] {
    return usageEvents(result, this.#key());
  }

  #key(): string {
    return `answers of prompt ${this.#prompts}`;
  }
}
