/**
 * Questions of one kind that are asked in the same turn are put together: `answer` gets their
 * distinct keys once, and gives what answers each. `defer` says when a turn is over. A failure is
 * everybody's.
 */
export function askTogether<K, V>(
  answer: (keys: readonly K[]) => Promise<(key: K) => V>,
  defer: (work: () => void) => void,
): (key: K) => Promise<V> {
  let asked: Set<K> | null = null;
  let answers = Promise.resolve<(key: K) => V>(() => {
    throw new Error('nothing was asked');
  });
  return (key) => {
    if (asked === null) {
      const keys = new Set<K>();
      asked = keys;
      answers = new Promise((resolve) => {
        defer(() => {
          asked = null;
          resolve(answer([...keys]));
        });
      });
    }
    asked.add(key);
    return answers.then((answerTo) => answerTo(key));
  };
}
