import { KNOWLEDGE } from './knowledge.js';
import { MEMORY } from './memory.js';
import { PROMPTS } from './prompts.js';

/** What agents keep beside their runs. */
export const AGENTS = [MEMORY, KNOWLEDGE, PROMPTS].join('\n');
