/** What is typed into a filter: each word has to be found, whatever its case. */
export const filterWords = (filter: string): readonly string[] =>
  filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
