/**
 * Does a pattern fit a whole name? `*` stands for any run of characters, `?` for exactly one; all
 * else for itself. Never backtracks far.
 */
export function fitsName(pattern: string, name: string): boolean {
  let [at, place] = [0, 0];
  // Where the last star stood, and how much of the name it has taken so far.
  let [star, taken] = [-1, 0];
  while (place < name.length) {
    if (pattern[at] === '*') {
      star = at++;
      taken = place;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[place])) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      at = star + 1;
      place = ++taken;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
