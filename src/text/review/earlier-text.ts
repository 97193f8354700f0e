import type { GateDetails } from '../../view/gate-details.js';
import { oneLine } from '../../view/lines/words.js';

/** Who else is an author: submitters of the runs that the run of the gate goes on from. */
export function earlierText({ earlierAuthors, excludeAuthor }: GateDetails): string {
  const named = earlierAuthors.filter(({ jobId }) => jobId === '');
  const before = earlierAuthors.filter(({ jobId }) => jobId !== '');
  const said = [
    ...(before.length === 0
      ? []
      : [`goes on from ${before.map(({ identity, jobId }) => `run ${jobId} of ${oneLine(identity, 60)}`).join(', ')}`]),
    ...(named.length === 0
      ? []
      : [
          `asked for by another system in the name of ${named.map(({ identity }) => oneLine(identity, 60)).join(', ')}`,
        ]),
  ];
  return `${said.join('; ')}${excludeAuthor ? ', who may not approve either' : ''}`;
}
