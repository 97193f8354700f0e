import type { Case } from './bench-port.js';
import { CASES } from './cases.js';
import { END_CASES } from './cases-ends.js';
import { GATE_CASES } from './cases-gate.js';
import { USAGE_CASES } from './cases-usage.js';

/** Every case, in the order in which they are run. Those of the gate come last. */
export const ALL_CASES: Readonly<Record<string, Case>> = { ...CASES, ...USAGE_CASES, ...END_CASES, ...GATE_CASES };
