/**
 * Rows are copied in the database: how many runs came to be there is not what is measured. Ids
 * count up, as hexadecimal.
 */

const columnsOf = async ({ query }, table, without) =>
  (
    await query(
      `SELECT string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position) AS names FROM information_schema.columns
       WHERE table_schema = 'kit' AND table_name = $1 AND column_name <> ALL($2)`,
      [table, without],
    )
  )[0].names;

const ID = "lpad(to_hex(n), 12, '0')";

/** Copies of the one job that waits. */
export async function cloneQueued(queue, count) {
  const names = await columnsOf(queue, 'jobs', ['ord', 'id']);
  await queue.query(
    `INSERT INTO kit.jobs (id, ${names}) SELECT ${ID}, ${names} FROM kit.jobs, generate_series(1, ${Number(count)}) AS n`,
  );
}

/** Runs that wait for people: a job, the journal and the log of one that has gone some way. */
export async function cloneParked(queue, count) {
  if (count === 0) return;
  const [first] = await queue.submit('two');
  await queue.runOne(first);
  await queue.query(
    `UPDATE kit.jobs SET status = 'deferred', waiting_on = '["gate"]', worker_id = NULL, lease_until = NULL, holder = NULL, completed_at = NULL,
       output = NULL, parked_at = created_at WHERE id = $1`,
    [first.id],
  );
  const jobs = await columnsOf(queue, 'jobs', ['ord', 'id']);
  const steps = await columnsOf(queue, 'steps', ['ord', 'job_id']);
  const events = await columnsOf(queue, 'events', ['pos', 'job_id', 'event_id']);
  const many = `generate_series(1, ${Number(count)}) AS n`;
  await queue.query(`INSERT INTO kit.jobs (id, ${jobs}) SELECT ${ID}, ${jobs} FROM kit.jobs, ${many} WHERE id = $1`, [
    first.id,
  ]);
  await queue.query(
    `INSERT INTO kit.steps (job_id, ${steps}) SELECT ${ID}, ${steps} FROM kit.steps, ${many} WHERE job_id = $1`,
    [first.id],
  );
  await queue.query(
    `INSERT INTO kit.events (job_id, event_id, ${events})
     SELECT ${ID}, ${ID} || substr(event_id, 13), ${events} FROM kit.events, ${many} WHERE job_id = $1`,
    [first.id],
  );
}
