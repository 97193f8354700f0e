import { KNOWLEDGE } from './knowledge.js';
import { MEMORY } from './memory.js';

/** What agents keep beside their runs. */
export const AGENTS = [MEMORY, KNOWLEDGE].join('\n');
