// How long the validation of many artifacts takes beside what the YAML parser alone needs for their
// texts; the built code, which is what people run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { writeBigWorkspace } from '../support/big-workspace.mjs';
import { median, ms as millis, show, syncedPageMs } from './support/figures.mjs';

const REPEATS = Number(process.argv[2] ?? 9);
const COLD_REPEATS = 5;
const bin = fileURLToPath(new URL('../../bin/kit.js', import.meta.url));
const built = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href);
const base = mkdtempSync(join(tmpdir(), 'kit-bench-'));

/** Wall and processor time of some work, in ms. */
async function timed(work) {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await work();
  const wallMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000 };
}

/** Each in its turn, so that a busy machine is busy for all of them. */
async function interleaved(works, repeats) {
  const times = works.map(() => []);
  for (let n = 0; n < repeats; n++) {
    for (const [index, work] of works.entries()) {
      globalThis.gc(); // What one leaves behind is not billed to the other.
      times[index].push(await timed(work));
    }
  }
  return times.map((list) => ({
    wallMs: median(list.map((one) => one.wallMs)),
    cpuMs: median(list.map((one) => one.cpuMs)),
  }));
}

function coldMs(argv) {
  const times = Array.from({ length: COLD_REPEATS }, () => {
    const startedMs = performance.now();
    const { status, stderr } = spawnSync(process.execPath, argv, {
      env: { PATH: process.env.PATH, HOME: base },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - startedMs;
  });
  return median(times);
}

const ms = (value) => millis(value, value < 10 ? 2 : 0);
const both = ({ wallMs, cpuMs }) => `${ms(wallMs)}, processor ${ms(cpuMs)}`;
const beside = (a, b) => `${(a.wallMs / b.wallMs).toFixed(2)}x, processor ${(a.cpuMs / b.cpuMs).toFixed(2)}x`;
/** By processor time: a busy machine counts for both sides alike. */
const barOf = (a, b, most) => ({ bar: `<= ${most}x`, holds: a.cpuMs <= most * b.cpuMs });

try {
  const sizes = [1_000, 4_000].map((count) => {
    const directory = join(base, String(count));
    const texts = writeBigWorkspace(directory, count);
    return {
      count,
      directory,
      texts,
      meanBytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / texts.length,
    };
  });
  const [{ validateWorkspace }, { nodeFiles }] = await Promise.all([
    built('app/validate-workspace.js'),
    built('system/files.js'),
  ]);
  const deps = {
    files: nodeFiles,
    environment: {},
    adapterSources: [],
    executors: new Map([['harness', null]]),
    modelProviders: [],
  };
  const validate = (size) => async () => {
    const report = await validateWorkspace(size.directory, deps);
    const wrong = report.diagnostics.find(({ severity }) => severity === 'error');
    if (wrong !== undefined) throw new Error(`the workspace is not valid: ${wrong.path}: ${wrong.message}`);
  };
  const parseAll = (size) => () => {
    for (const text of size.texts) parse(text);
  };
  const [thousand, four] = sizes;
  show('calibration: node starts', ms(coldMs(['-e', '0'])));
  show('calibration: one synced page', ms(syncedPageMs(base)));
  for (const size of sizes) show(`${size.count} artifacts`, `${size.meanBytes.toFixed(0)} bytes in the mean`);
  await interleaved([parseAll(thousand), validate(thousand)], 4); // warm
  const [bare, full, bareFour, fullFour] = await interleaved(
    [parseAll(thousand), validate(thousand), parseAll(four), validate(four)],
    REPEATS,
  );
  show('warm: the parser alone, 1,000', both(bare));
  show('warm: validation, 1,000', both(full));
  show('warm: validation beside the parser, 1,000', beside(full, bare), barOf(full, bare, 1.7));
  show('warm: the parser alone, 4,000', both(bareFour));
  show('warm: validation, 4,000', both(fullFour));
  show('warm: validation beside the parser, 4,000', beside(fullFour, bareFour));
  show('validation of 4,000 beside 1,000', beside(fullFour, full), barOf(fullFour, full, 4.4));
  show('the parser alone, 4,000 beside 1,000', beside(bareFour, bare));
  const script = `const { readFileSync, readdirSync } = require('node:fs'); const { parse } = require('yaml');
    for (const path of readdirSync(process.argv[1], { recursive: true })) if (path.endsWith('.yaml')) parse(readFileSync(process.argv[1] + '/' + path, 'utf8'));`;
  const coldParse = coldMs(['-e', script, thousand.directory]);
  const coldValidate = coldMs([bin, 'validate', '-q', thousand.directory]);
  show('cold: node reads and parses 1,000', ms(coldParse));
  show('cold: kit validate, 1,000', `${ms(coldValidate)}, ${(coldValidate / coldParse).toFixed(2)}x`);
} finally {
  rmSync(base, { recursive: true, force: true });
}
