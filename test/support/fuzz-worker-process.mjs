// Entry of the worker thread: plain Node runs the tests' TypeScript.
import './processes-typescript.mjs';

await import('./fuzz-cases.ts');
