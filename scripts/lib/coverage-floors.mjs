// What the coverage of each room is held to: a pure decision over a table of floors and what a run
// has seen.

const KINDS = ['lines', 'branches'];
/** A floor lies this far below what was measured when it was set, in points. */
const MARGIN = 2;
/** A floor this far below what is seen holds nothing any more, in points. */
const SLACK = 10;

const percent = (figures, kind) => `${kind} ${figures[kind].toFixed(2)} %`;
const bothOf = (figures) => KINDS.map((kind) => percent(figures, kind)).join(', ');
const floorFor = (seen) => Math.max(0, Math.floor(seen - MARGIN));
const rowFor = (seen) => `{ ${KINDS.map((kind) => `"${kind}": ${floorFor(seen[kind])}`).join(', ')} }`;

const isLeftOut = (row) => row?.leftOut !== undefined;

/** The rooms to measure: those that have tests, but for those that the table leaves out. */
export const measuredRooms = (rooms, table) => rooms.filter((room) => !isLeftOut(table[room])).toSorted();

function judgeRoom(room, row, seen) {
  if (seen === null) return { faults: [`${room}: its tests gave no figures`], notes: [] };
  if (row === undefined)
    return { faults: [`${room}: no floor; seen ${bothOf(seen)}; add "${room}": ${rowFor(seen)}`], notes: [] };
  return {
    faults: KINDS.filter((kind) => seen[kind] < row[kind]).map(
      (kind) => `${room}: seen ${percent(seen, kind)}, floor ${row[kind]} %`,
    ),
    notes: KINDS.filter((kind) => seen[kind] - row[kind] > SLACK).map(
      (kind) => `${room}: seen ${percent(seen, kind)}, floor ${row[kind]} %; raise it to ${floorFor(seen[kind])}`,
    ),
  };
}

/**
 * `table`: room -> `{ lines, branches }`, the least percentages, or `{ leftOut }`, why it is not
 * measured; `rooms`: all that have tests; `seen`: room -> `{ lines, branches }` in percent, null =
 * the run gave none. `faults` fail the check; `notes` say which floor can be raised.
 */
export function judgeCoverage(table, rooms, seen) {
  const judged = measuredRooms(rooms, table).map((room) => judgeRoom(room, table[room], seen[room] ?? null));
  const gone = Object.keys(table).filter((room) => !rooms.includes(room));
  return {
    faults: [
      ...judged.flatMap(({ faults }) => faults),
      ...gone.map((room) => `${room}: no such room with tests; take it out of the table`),
    ].toSorted(),
    notes: judged.flatMap(({ notes }) => notes).toSorted(),
  };
}
