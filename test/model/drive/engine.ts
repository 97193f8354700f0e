// The engine as the model check meets it, and nothing of how it works.
export { expireDue } from '../../../src/govern/approval/expire-due.js';
export { openRound } from '../../../src/govern/approval/open-round.js';
export type { Resolution } from '../../../src/govern/approval/resolution.js';
export { resolveItem } from '../../../src/govern/approval/resolve-item.js';
