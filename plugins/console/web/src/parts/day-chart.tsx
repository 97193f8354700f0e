import { count, money } from './words.js';

/** What was used on one day of UTC, `2030-01-02`; null = the price of a call is unknown. */
interface Day {
  readonly day: string;
  readonly cost_usd: number | null;
  readonly calls: number;
}

const DAY_MS = 86_400_000;
/** More would be thinner than a finger. */
const MOST_DAYS = 90;
const WIDEST_REM = 4;

/**
 * A bar a day; days on which nothing was called are there too, so that a gap is seen. Bars show
 * cost; where nothing cost anything (local models, mocks) they show calls.
 */
export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const shown = everyDay(days);
  const isFree = shown.every((day) => day.cost_usd === 0);
  const figureOf = (day: Day): number | null => (isFree ? day.calls : day.cost_usd);
  const words = (day: Day): string => (isFree ? `${count(day.calls)} calls` : money(day.cost_usd));
  const most = Math.max(1e-12, ...shown.map((day) => figureOf(day) ?? 0));
  const [first, last] = [shown[0]?.day ?? '', shown.at(-1)?.day ?? ''];
  const bound = isFree ? `${count(Math.round(most))} calls` : money(most < 1e-9 ? 0 : most);
  return (
    <figure className="days" style={{ maxWidth: `${Math.min(50, shown.length * WIDEST_REM)}rem` }}>
      <div
        className="plot"
        role="img"
        aria-label={`${isFree ? 'Calls' : 'Cost'} by day from ${first} to ${last}, at most ${bound} a day`}
      >
        {shown.map((day) => {
          const figure = figureOf(day);
          return (
            <span className="day" key={day.day} title={`${day.day}: ${words(day)}`}>
              <span
                className={figure === null ? 'bar unknown' : 'bar'}
                style={{ height: figure === null ? '100%' : `${(figure / most) * 100}%` }}
              />
            </span>
          );
        })}
      </div>
      <figcaption>
        {first !== last && <span>{first}</span>}
        <span>
          {last} (UTC), {isFree ? 'calls' : 'cost'}
        </span>
      </figcaption>
    </figure>
  );
}

/** From the first day to the last one without a hole, the newest of them. */
function everyDay(days: readonly Day[]): readonly Day[] {
  const known = new Map(days.map((one) => [one.day, one]));
  const times = days.map(({ day }) => Date.parse(day)).filter((ms) => !Number.isNaN(ms));
  const last = Math.max(...times);
  const first = Math.max(Math.min(...times), last - (MOST_DAYS - 1) * DAY_MS);
  if (!Number.isFinite(first) || !Number.isFinite(last)) return [];
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, n) => {
    const day = new Date(first + n * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, cost_usd: 0, calls: 0 };
  });
}
