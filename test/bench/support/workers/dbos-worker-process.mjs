// argv: database URL, polling interval in ms. DBOS as a process that works off the queue of the
// bench: a workflow of two steps that do nothing.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { answerLines } from './answer-lines.mjs';
import { DBOS_APP, dbosConfig } from './peers.mjs';

const [url, pollMs] = process.argv.slice(2);
// Processes of one executor id would take each other's workflows for their own, and do them twice.
DBOS.setConfig({ ...dbosConfig(url), executorID: `bench-${process.pid}` });
DBOS.registerWorkflow(
  async (input) => {
    const first = await DBOS.runStep(async () => input, { name: 'first' });
    return DBOS.runStep(async () => ({ done: true, first }), { name: 'second' });
  },
  { name: DBOS_APP.workflow },
);
await answerLines({
  start: async () => {
    await DBOS.launch();
    await DBOS.registerQueue(DBOS_APP.queue, { minPollingIntervalMs: Number(pollMs) });
  },
});
await DBOS.shutdown();
