/** Remembers the texts that were asked about last, at most `size` of them. */
export function createRecent(size: number): { seen(text: string): boolean } {
  const known = new Set<string>();
  return {
    /** Whether it was asked about lately; from now on it was. */
    seen(text) {
      const wasThere = known.delete(text);
      known.add(text);
      const [oldest] = known;
      if (known.size > size && oldest !== undefined) known.delete(oldest);
      return wasThere;
    },
  };
}
