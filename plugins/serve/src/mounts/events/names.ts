/** The names of a comma list; what stands between two commas is one, spaces around it are not. */
export const typeNames = (list: string | undefined): readonly string[] =>
  list === undefined ? [] : list.split(',').map((name) => name.trim());
