import { FLEET } from './fleet.js';
import { TRACE } from './trace.js';

/** What many machines on one database need. */
export const MACHINES = [TRACE, FLEET].join('\n');
