/** Bounds of the column that the queue is sorted by. */
const [LOWEST, HIGHEST] = [-(2 ** 31), 2 ** 31 - 1];

/** The rank of a run in the queue; `warning`: what of the label could not be taken as it stands. */
export interface Priority {
  readonly value: number;
  readonly warning: string | null;
}

/**
 * From the label `priority`: a whole number, the highest is claimed first. One beyond ±2^31 counts
 * as the bound, and what is no whole number as 0, both with a warning.
 */
export function priorityOf(labels: Readonly<Record<string, string>>): Priority {
  const text = Object.hasOwn(labels, 'priority') ? (labels.priority ?? '') : null;
  if (text === null) return { value: 0, warning: null };
  const shown = JSON.stringify(text.slice(0, 40));
  if (!/^\s*[+-]?\d+\s*$/.test(text))
    return { value: 0, warning: `the label priority is ${shown}, no whole number: it counts as 0` };
  const asked = Number(text);
  const value = Math.min(HIGHEST, Math.max(LOWEST, asked));
  if (value === asked) return { value: value === 0 ? 0 : value, warning: null };
  return { value, warning: `the label priority is ${shown}: it counts as ${value}` };
}
