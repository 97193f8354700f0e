/** Whether a JSON value has more than `max` levels below it. Level by level: recursion would end where the value does its harm. */
export function isDeeperThan(value: unknown, max: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= max; depth++) {
    const next: unknown[] = [];
    for (const one of level) if (typeof one === 'object' && one !== null) for (const member of Object.values(one)) next.push(member);
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
