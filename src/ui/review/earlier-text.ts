import type { GateDetails } from '../../view/gate-details.js';
import { oneLine } from '../../view/lines/words.js';

/** Who else is an author: submitters of the runs that the run of the gate goes on from. */
export const earlierText = ({ earlierAuthors, excludeAuthor }: GateDetails): string =>
  `goes on from ${earlierAuthors.map(({ identity, jobId }) => `run ${jobId} of ${oneLine(identity, 60)}`).join(', ')}${excludeAuthor ? ', who may not approve either' : ''}`;
