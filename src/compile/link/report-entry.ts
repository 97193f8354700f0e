import type { Place, Report } from '../report.js';
import { didYouMean, orMake } from '../report.js';
import type { EntryResult } from './skill-entries.js';

/** Says why an entry of an agent's `skills` list grants nothing. */
export function reportEntry(
  report: Report,
  place: Place,
  result: Extract<EntryResult, { ok: false }>,
  known: readonly string[],
): void {
  switch (result.why) {
    case 'no-match':
      report.add(place, {
        code: 'agent.abstract-no-match',
        message: `no skill matches the abstract entry \`${result.word}\``,
        help: 'add a skill of that category whose id contains the capability',
      });
      return;
    case 'ambiguous':
      report.add(place, {
        code: 'agent.abstract-ambiguous',
        message: `several skills match the abstract entry \`${result.word}\`: ${result.candidates.join(', ')}`,
        help: 'narrow the capability, or name the skills of this agent one by one',
      });
      return;
    case 'unknown':
      report.add(place, {
        code: 'agent.unknown-skill',
        message: `no skill is called \`${result.word}\``,
        help: orMake(didYouMean(result.word, known), 'skill', result.word),
      });
      return;
  }
}
