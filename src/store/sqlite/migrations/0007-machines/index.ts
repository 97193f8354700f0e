import { FLEET } from './fleet.js';
import { PRUNE } from './prune.js';
import { TRACE } from './trace.js';

/** What many machines on one database need. */
export const MACHINES = [TRACE, FLEET, PRUNE].join('\n');
