// argv: directory, store URL. A worker of kit as a process: the work loop of every process that works, over the bench's workspace. For each
// line on stdin one line of JSON on stdout: `go` starts it, `cost` tells what it has used, `gc` the same after a garbage collection.
import { answerLines } from './answer-lines.mjs';
import { openWorkersApp } from './kit-app.mjs';

const [directory, url] = process.argv.slice(2);
const app = openWorkersApp(directory, url);
await answerLines({ start: () => app.serve.start({ workspace: directory }) });
await app.serve.drain(0);
await app.close();
