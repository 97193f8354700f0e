import type { InertBinding } from '../app/observe/observe-app.js';
import { countText, oneLine, timeText } from '../view/lines/words.js';
import { suggestedAction } from '../view/schemas/gap.js';
import type { SkillGap } from '../view/skill-gaps.js';
import { createPaint } from './lines/paint.js';
import type { TableOptions } from './lines/table.js';

const SHOWN_TOOLS = 12;

/** Each pattern with who called it, what was there, and what to do. */
export function gapsText(gaps: readonly SkillGap[], options: TableOptions): string {
  const paint = createPaint(options.color);
  return gaps
    .map((gap) => {
      const spelled = gap.tools.length === 1 && gap.tools[0] === gap.pattern ? '' : `, written ${names(gap.tools)}`;
      return [
        `${paint('strong', oneLine(gap.pattern, 80))}  ${countText(gap.occurrences, 'call')}${spelled}`,
        `  called by  ${names(gap.agents)} in ${names(gap.topologies)}`,
        `  last seen  ${timeText(gap.lastSeen)} in run ${names(gap.runs.slice(0, 1))}`,
        `  available  ${availableText(gap.available)}`,
        `  ${paint('warn', 'to do')}      ${oneLine(suggestedAction(gap), 400)}`,
      ].join('\n');
    })
    .join('\n\n');
}

/** What is wired and never fired, a block a topology. */
export function inertText(bindings: readonly InertBinding[], options: TableOptions): string {
  const paint = createPaint(options.color);
  const topologies = [...new Set(bindings.map(({ topology }) => topology))];
  return topologies
    .map((topology) => {
      const own = bindings.filter((one) => one.topology === topology);
      const lines = own.map(({ agent, skill }) =>
        skill === null
          ? `  the agent ${names([agent])} was never asked`
          : `  ${names([agent])} never called ${names([skill])}`,
      );
      return [`${paint('strong', names([topology]))}, in ${countText(own[0]?.runs ?? 0, 'run')}`, ...lines].join('\n');
    })
    .join('\n\n');
}

function availableText(available: readonly string[]): string {
  if (available.length === 0) return 'no tool at all';
  const more = available.length - SHOWN_TOOLS;
  return `${names(available.slice(0, SHOWN_TOOLS))}${more > 0 ? ` and ${more} more` : ''}`;
}

const names = (list: readonly string[]): string =>
  list.length === 0 ? 'nobody' : list.map((name) => oneLine(name, 60)).join(', ');
