import { money } from './words.js';

/** Cost of one day of UTC, `2030-01-02`; null = the price of a call is unknown. */
interface DayCost {
  readonly day: string;
  readonly usd: number | null;
}

const DAY_MS = 86_400_000;
/** More would be thinner than a finger. */
const MOST_DAYS = 90;
const WIDEST_REM = 4;

/** A bar a day; days on which nothing was called are there too, so that a gap is seen. */
export function DayChart({ days }: { readonly days: readonly DayCost[] }) {
  const shown = everyDay(days);
  const most = Math.max(1e-12, ...shown.map(({ usd }) => usd ?? 0));
  const [first, last] = [shown[0]?.day ?? '', shown.at(-1)?.day ?? ''];
  return (
    <figure className="days" style={{ maxWidth: `${Math.min(50, shown.length * WIDEST_REM)}rem` }}>
      <div
        className="plot"
        role="img"
        aria-label={`Cost by day from ${first} to ${last}, at most ${money(most < 1e-9 ? 0 : most)} a day`}
      >
        {shown.map(({ day, usd }) => (
          <span className="day" key={day} title={`${day}: ${money(usd)}`}>
            <span
              className={usd === null ? 'bar unknown' : 'bar'}
              style={{ height: usd === null ? '100%' : `${(usd / most) * 100}%` }}
            />
          </span>
        ))}
      </div>
      <figcaption>
        {first !== last && <span>{first}</span>}
        <span>{last} (UTC)</span>
      </figcaption>
    </figure>
  );
}

/** From the first day to the last one without a hole, the newest of them. */
function everyDay(days: readonly DayCost[]): readonly DayCost[] {
  const costs = new Map(days.map(({ day, usd }) => [day, usd]));
  const times = days.map(({ day }) => Date.parse(day)).filter((ms) => !Number.isNaN(ms));
  const last = Math.max(...times);
  const first = Math.max(Math.min(...times), last - (MOST_DAYS - 1) * DAY_MS);
  if (!Number.isFinite(first) || !Number.isFinite(last)) return [];
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, n) => {
    const day = new Date(first + n * DAY_MS).toISOString().slice(0, 10);
    return { day, usd: costs.has(day) ? (costs.get(day) ?? null) : 0 };
  });
}
