/**
 * Shows how far something is on stderr: one line that is rewritten on a terminal, else a line every
 * few seconds, and at each quarter.
 */
export interface ProgressLine {
  show(done: number, of: number, what: string): void;
  /** Leaves nothing half-written behind. */
  end(): void;
}

export interface ProgressParts {
  readonly write: (text: string) => void;
  readonly isTty: boolean;
  /** Milliseconds. */
  readonly now: () => number;
}

const BAR_CELLS = 24;
const REDRAW_MS = 100;
const LINE_MS = 5_000;
const LINES_AT_LEAST = 4;

export function createProgressLine({ write, isTty, now }: ProgressParts): ProgressLine {
  let shownAtMs = Number.NEGATIVE_INFINITY;
  let shownQuarter = 0;
  let width = 0;
  return {
    show(done, of, what) {
      const part = of === 0 ? 1 : Math.min(1, done / of);
      const quarter = Math.floor(part * LINES_AT_LEAST);
      const isNews = done >= of || (!isTty && quarter > shownQuarter);
      if (now() - shownAtMs < (isTty ? REDRAW_MS : LINE_MS) && !isNews) return;
      shownAtMs = now();
      shownQuarter = quarter;
      const percent = `${Math.floor(part * 100)}`.padStart(3);
      if (!isTty) return write(`${percent}% ${done}/${of} ${what}\n`);
      const filled = Math.round(part * BAR_CELLS);
      const line = `${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)} ${percent}% ${done}/${of} ${what}`;
      write(`\r${line.padEnd(width)}`);
      width = line.length;
    },
    end() {
      if (isTty && width > 0) write(`\r${' '.repeat(width)}\r`);
      width = 0;
    },
  };
}
