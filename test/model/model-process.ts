// Runs one check in a process of its own; the report is the only line it prints.
import { type Order, runCheck } from './check.js';

// The order is written by the one who starts this process.
const order = JSON.parse(process.argv[2] ?? '') as Order;
process.stdout.write(`${JSON.stringify(runCheck(order))}\n`);
