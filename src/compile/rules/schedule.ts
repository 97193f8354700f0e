import { Cron } from 'croner';

const FIELDS = /\s+/;

/** Why a zone name is none, or null. */
export function timezoneProblem(zone: string): string | null {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return null;
  } catch {
    return `\`${zone}\` is not an IANA time zone`;
  }
}

/**
 * Why a cron expression cannot be scheduled, or null. Exactly five or six fields; a nickname such
 * as `@daily` is none.
 */
export function cronProblem(expression: string): string | null {
  const count = expression.trim() === '' ? 0 : expression.trim().split(FIELDS).length;
  if (count !== 5 && count !== 6) return `a cron expression has 5 or 6 fields, this one has ${count}`;
  try {
    // Paused and without a job: nothing is scheduled, the pattern alone is parsed. The zone is
    // fixed so that the machine's has no say.
    const cron = new Cron(expression.trim(), { paused: true, utcOffset: 0 });
    // Without a year in it an expression comes again and again, or never: any time to ask from will
    // do.
    return cron.nextRun(new Date(0)) === null ? `\`${expression.trim()}\` names a time that never comes` : null;
  } catch (error) {
    return `\`${expression.trim()}\` is not a cron expression${reasonOf(error)}`;
  }
}

/** What the library says of one field, in our words; the rest is of its inside. */
function reasonOf(error: unknown): string {
  const found = /Invalid value for (\w+): (\S{1,40})$/.exec(error instanceof Error ? error.message : '');
  return found === null ? '' : `: \`${found[2]}\` is not a ${found[1]}`;
}
