// Creates one contribution through the real host and runs the contract suite of its point: argv =
// directory, point, id.
import { runContract } from '../../testing/check/run-contract.js';

const [, , root, point, id] = process.argv;
const send = (message: object): Promise<void> => new Promise((resolve) => process.send?.(message, () => resolve()));
await runContract({ root: root ?? '', point: point ?? '', id: id ?? '' }, send);
process.disconnect();
// A contribution that leaves something open was told of it when its module was loaded; here only
// its contract counts.
process.exit(0);
