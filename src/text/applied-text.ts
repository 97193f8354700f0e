import type { AppliedChanges } from '../app/changes/changes-app.js';
import type { AgentChange } from '../domain/changes.js';
import { shellWord } from '../lib/shell-word.js';
import { countText, oneLine } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';

const LETTERS = { added: 'A', deleted: 'D', changed: 'M' } as const;

/** What was written where, who signed it, and what to do next. */
export function appliedText(applied: AppliedChanges, options: { readonly color: boolean }): string {
  const paint = createPaint(options.color);
  const { job, paths, branch, topLevel, changes, ungated, missingBases } = applied;
  const where = branch === null ? topLevel : `branch ${branch.name}, ${branch.commit.slice(0, 12)}, in ${topLevel}`;
  const head =
    paths.length === 0
      ? `run ${job.id}: nothing to write, all of it is in ${where}`
      : `${paint('good', 'applied')} ${countText(paths.length, 'file')} of run ${job.id} to ${where}`;
  return [
    head,
    ...paths.map(({ path, change, linkTo }) =>
      linkTo === null
        ? `  ${LETTERS[change]} ${oneLine(path)}`
        : `  ${LETTERS[change]} ${oneLine(path)} -> ${oneLine(linkTo)}`,
    ),
    ...changes.map((change) => `  ${signedText(change)}`),
    ...ungated.map((gate) => paint('warn', `  gate ${oneLine(gate, 120)}: nobody could be asked`)),
    ...missingBases.map((commit) =>
      paint('warn', `  this repository does not have ${commit}, the commit that the work began with`),
    ),
    ...(paths.length === 0 ? [] : [nextOf(applied)]),
  ].join('\n');
}

function signedText({ agentId, files, signed, state, reason }: AgentChange): string {
  const name = oneLine(agentId, 60);
  const whole = state === 'whole' ? '' : `${state} (${oneLine(reason ?? '')}), `;
  if (signed === null && files.length === 0) return `${name}: ${whole}no file changed`;
  if (signed === null) return `${name}: ${whole}no gate of its own, nobody had to sign these files`;
  const by = signed.by.map((person) => oneLine(person, 60)).join(', ');
  return `${name}: ${whole}signed by ${by} at gate ${oneLine(signed.gateId, 120)}; these are the bytes that were signed`;
}

/** Git's own diff shows no file that is new. */
const nextOf = ({ branch, topLevel, paths }: AppliedChanges): string =>
  branch === null
    ? `look: git -C ${shellWord(topLevel)} ${paths.some(({ change }) => change === 'added') ? 'status' : 'diff'}`
    : `then: git -C ${shellWord(topLevel)} merge ${shellWord(branch.name)}`;
