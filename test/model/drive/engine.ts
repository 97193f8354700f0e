// The engine as the model check meets it: two functions, and nothing of how they work.
export { expireDue } from '../../../src/govern/approval/expire-due.js';
export { openRound } from '../../../src/govern/approval/open-round.js';
export type { Resolution } from '../../../src/govern/approval/resolution.js';
export { resolveItem } from '../../../src/govern/approval/resolve-item.js';
