import { MEMORY } from './memory.js';
import { PROMPTS } from './prompts.js';

/** What agents keep beside their runs. */
export const AGENTS = [MEMORY, PROMPTS].join('\n');
