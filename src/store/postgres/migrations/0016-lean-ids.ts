/** Nothing: several processes write to one log here, and its index of ids is what they share. */
export const LEAN_IDS = '';
