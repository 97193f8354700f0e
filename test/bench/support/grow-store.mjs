import Database from 'better-sqlite3';
import '../../support/processes-typescript.mjs';

const { addFunctions } = await import('../../../src/store/sqlite/functions.ts');
const { fillByHand } = await import('../../support/fill-rows.ts');

const DAY_MS = 86_400_000;
/** Runs of one transaction. */
const AT_ONCE = 1000;
/** What the rows of a view lie in the order of. */
const ORDER = { steps: 'ord', events: 'pos' };
const COPIED = ['jobs', 'steps', 'events', 'gates', 'review_items', 'usage_runs'];
/** Columns that are times; they move with the run. */
const TIMES = new Set([
  ...['created_at', 'started_at', 'completed_at', 'parked_at', 'ended_at', 'timestamp', 'first_at', 'last_at'],
  ...['opened_at', 'decided_at', 'resolved_at'],
]);

/**
 * Fills a store that holds three runs, over or parked: copies of the first, and one in a hundred of
 * the second, until there are `runs` more, spread over the `days` before now; then one copy of the
 * third, the newest of all, with `turns` turns. Rows are as a commit writes them, with ids and
 * times of their own; the hashes of their chains are not right, and nothing that reads a page looks
 * at them. Gives the id of the long run.
 */
export function growStore(path, { runs, days, turns }) {
  const db = open(path);
  const [often, seldom, long] = db.prepare('SELECT ord, id, created_at AS at FROM jobs ORDER BY ord').all();
  const copies = [copiesOf(db, often), copiesOf(db, seldom)];
  const [first, beginMs] = [long.ord + 1, Date.now() - days * DAY_MS];
  const kindOf = (n) => (n % 100 === 99 ? 1 : 0);
  const want = db.prepare('INSERT INTO wanted VALUES (?, ?, ?)');
  for (let from = 0; from < runs; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, runs - from) }, (_, n) => from + n);
    db.transaction(() => {
      for (const [kind, copy] of copies.entries()) {
        db.exec('DELETE FROM wanted');
        for (const n of numbers.filter((one) => kindOf(one) === kind))
          want.run(first + n, idOf(first + n), beginMs + (n * days * DAY_MS) / runs);
        for (const statement of copy) statement.run();
      }
    })();
  }
  const id = idOf(first + runs);
  db.transaction(() => copyLong(db, long, { ord: first + runs, id, turns }))();
  settle(db);
  return id;
}

function open(path) {
  const db = new Database(path);
  addFunctions(db, 'write');
  fillByHand(db);
  // Nobody else has it open, and a store that a crash leaves half filled is thrown away.
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -400000', 'foreign_keys = OFF'])
    db.pragma(pragma);
  db.exec('CREATE TEMP TABLE wanted (ord INTEGER PRIMARY KEY, id TEXT NOT NULL, at REAL NOT NULL)');
  return db;
}

const idOf = (ord) => ord.toString(16).padStart(12, '0');

/** A statement a table: the rows of the pattern for each run that is wanted. */
function copiesOf(db, pattern) {
  const atMs = Date.parse(pattern.at);
  const expressionOf = (table) => (name) => {
    if (name === 'pos' || (name === 'ord' && table !== 'jobs')) return 'NULL';
    if (name === 'ord' || name === 'run') return 'w.ord';
    // Its first digits are those of its run; PostgreSQL holds an id once in all runs.
    if (name === 'event_id') return "printf('%s-%s-4000-8000-%012x', substr(w.id, 1, 8), substr(w.id, 9, 4), t.seq)";
    if (name === 'hash') return "printf('%032x%032x', w.ord, t.seq)";
    if (name === 'prev_hash') return "iif(t.seq = 1, '', printf('%032x%032x', w.ord, t.seq - 1))";
    if (name === 'day') return "strftime('%Y-%m-%d', w.at / 1000, 'unixepoch')";
    if (TIMES.has(name))
      return `strftime('%Y-%m-%dT%H:%M:%fZ', (w.at - ${atMs}) / 1000 + unixepoch(t.${name}, 'subsec'), 'unixepoch')`;
    return holdsId(db, { table, name, pattern }) ? `replace(t.${name}, '${pattern.id}', w.id)` : `t.${name}`;
  };
  return COPIED.map((table) => {
    const names = columnsOf(db, table);
    const of = table === 'jobs' ? 'id' : 'job_id';
    return db.prepare(
      `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map(expressionOf(table)).join(', ')}
      FROM wanted AS w CROSS JOIN ${table} AS t WHERE t.${of} = '${pattern.id}' ORDER BY w.ord, t.${ORDER[table] ?? 'rowid'}`,
    );
  });
}

const columnsOf = (db, table) => db.pragma(`table_info(${table})`).map(({ name }) => name);

const holdsId = (db, { table, name, pattern }) =>
  db
    .prepare(`SELECT 1 FROM ${table} WHERE ${table === 'jobs' ? 'id' : 'job_id'} = ? AND instr(${name}, ?) > 0`)
    .get(pattern.id, pattern.id) !== undefined;

/** Its sixth turn stands for all: a call of a model, one of an agent, and that agent's own. */
const TURN = 'root/d0/t5';

function copyLong(db, pattern, { ord, id, turns }) {
  const rowsOf = (table, of, order) =>
    db
      .prepare(`SELECT * FROM ${table} WHERE ${of} = ? ORDER BY ${order}`)
      .all(table === 'steps' ? pattern.ord : pattern.id);
  const inserts = new Map(
    ['jobs', 'steps', 'events'].map((table) => {
      const names = columnsOf(db, table);
      const values = names.map((name) => `@${name}`).join(', ');
      return [table, db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values})`)];
    }),
  );
  const put = (table, row) => inserts.get(table).run(row);
  const isOfTurn = (key) => key === TURN || key?.startsWith(`${TURN}/`);
  const isOfTurns = (key) => /^root\/d0\/t\d+\/c/.test(key ?? '');
  const events = rowsOf('events', 'job_id', 'seq');
  const turnEnd = events.findLastIndex(({ step_key: key }) => isOfTurns(key)) + 1;
  const [head, turn, tail] = [
    events.slice(0, 2),
    events.filter(({ step_key: key }) => isOfTurn(key)),
    events.slice(turnEnd),
  ];
  const inTurn = (text, n) => text.replaceAll(TURN, `root/d0/t${n}`);
  let seq = 0;
  const tell = (event) => {
    seq += 1;
    const hash = (n) => n.toString(16).padStart(64, '0');
    const eventId = `${event.event_id.slice(0, 24)}${seq.toString(16).padStart(12, '0')}`;
    put('events', {
      ...event,
      pos: null,
      run: ord,
      job_id: id,
      seq,
      event_id: eventId,
      hash: hash(seq),
      prev_hash: seq === 1 ? '' : hash(seq - 1),
    });
  };
  put('jobs', { ...rowsOf('jobs', 'id', 'ord')[0], ord, id });
  const steps = rowsOf('steps', 'run', 'ord');
  for (const event of head) tell(event);
  for (let n = 0; n < turns; n++) {
    for (const step of steps.filter(({ key }) => isOfTurn(key)))
      put('steps', { ...step, ord: null, run: ord, job_id: id, key: inTurn(step.key, n) });
    for (const event of turn)
      tell({ ...event, step_key: inTurn(event.step_key, n), payload: inTurn(event.payload, n) });
  }
  for (const event of tail) tell(event);
  put('steps', { ...steps[0], ord: null, run: ord, job_id: id });
}

/** What a store keeps beside its rows: sums of days, places of types, figures for its planner. */
function settle(db) {
  const names = ['calls', 'priced', 'input_tokens', 'output_tokens', 'cached_input_tokens', 'cost_usd'];
  db.exec(`DELETE FROM usage_days;
    INSERT INTO usage_days (day, topology_id, model, ${names.join(', ')})
    SELECT day, topology_id, model, ${names.map((name) => `sum(${name})`).join(', ')} FROM usage_runs GROUP BY day, topology_id, model;
    DELETE FROM event_types;
    INSERT INTO event_types (type, pos) SELECT type, pos FROM events ORDER BY type, pos;
    INSERT INTO event_types (type, pos) SELECT '', max(pos) FROM events;
    ANALYZE;`);
  db.pragma('journal_mode = WAL');
  db.close();
}
