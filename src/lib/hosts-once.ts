/** What came of a wish to reach a host. */
interface Answered {
  readonly host: string;
  readonly port: number;
  readonly answer: string;
}

/** A program can ask for as many names as it likes; nobody reads more. */
const MOST = 50;

/**
 * Reports each host and answer once. Refused ones above 50 share one sentence, which is
 * reported once; a host that was reached is always reported.
 */
export function hostsOnce<T extends Answered>(
  report: (answer: T) => Promise<void>,
  reportMore: (text: string) => Promise<void>,
): (answer: T) => Promise<void> {
  const reports = new Map<string, Promise<void>>();
  let isFull = false;
  return (answer) => {
    const key = `${answer.answer} ${answer.host}:${answer.port}`;
    const earlier = reports.get(key);
    // Who comes second goes on no sooner than the first: the record is there when it does.
    if (earlier !== undefined) return earlier;
    if (reports.size >= MOST && answer.answer === 'refused') {
      if (isFull) return Promise.resolve();
      isFull = true;
      return reportMore(`more than ${MOST} hosts were asked for; of the others the refused ones are not listed`);
    }
    const reporting = report(answer);
    reports.set(key, reporting);
    return reporting;
  };
}
