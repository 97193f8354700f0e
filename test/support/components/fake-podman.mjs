#!/usr/bin/env node
/**
 * A `podman` whose containers are processes of this machine. As with the real one, a container
 * belongs to nobody who asks for it: a monitor of its own holds it, in a session of its own and
 * without the client's environment, and it lives on when the client is killed. State lies in
 * the directory of this file: a file `NAME.box` a container.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);
const dir = dirname(here);
const fileOf = (name) => join(dir, `${name}.box`);
const boxes = () =>
  readdirSync(dir)
    .filter((name) => name.endsWith('.box'))
    .map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')));

/** What `run` is told: options before the image, the command after it. */
function read(args) {
  const told = { labels: {}, passed: [], mounts: [] };
  for (let i = 0; i < args.length; i++) {
    const [option, ...rest] = args[i].split('=');
    const value = rest.join('=');
    if (option === '-e') told.passed.push(args[++i]);
    else if (option === '--name') told.name = value;
    else if (option === '--label') Object.assign(told.labels, { [rest[0]]: rest.slice(1).join('=') });
    else if (option === '--mount') told.mounts.push(Object.fromEntries(value.split(',').map((one) => one.split('='))));
    else if (!option.startsWith('-')) return { name: randomUUID(), ...told, image: args[i], argv: args.slice(i + 1) };
  }
  throw new Error('no image');
}

/** What lies at a path of the container lies elsewhere on this machine. */
function outside(text, mounts) {
  const places = new Map(mounts.map(({ source, target }) => [target, source]));
  // A path of this machine may hold the name of one of the container.
  return text.replaceAll(/(?<![\w./-])\/[\w/.-]*/g, (path) => {
    const target = [...places.keys()].find((one) => path === one || path.startsWith(`${one}/`));
    return target === undefined ? path : `${places.get(target)}${path.slice(target.length)}`;
  });
}

const variablesOf = (passed) =>
  Object.fromEntries(passed.map((one) => (one.includes('=') ? one.split(/=(.*)/s) : [one, process.env[one]])));

async function run(args) {
  const told = read(args);
  const env = { PATH: process.env.PATH, ...variablesOf(told.passed), FAKE_BOX: JSON.stringify(told) };
  const monitor = spawn(process.execPath, [here, 'monitor'], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  monitor.unref();
  await new Promise((resolve) => monitor.stdout.once('data', resolve));
  const line = connect({ path: sockOf(told.name), allowHalfOpen: true });
  process.stdin.pipe(line);
  line.pipe(process.stdout);
  line.on('close', () => process.exit(0));
}

/** The path of a socket may have 100 characters. */
const sockOf = (name) => join(dir, `${idOf(name)}.sock`);
/** The end of a UUID. */
const idOf = (name) => name.slice(-12);

function monitor() {
  const { name, labels, mounts, argv } = JSON.parse(process.env.FAKE_BOX);
  const env = { ...process.env };
  delete env.FAKE_BOX;
  const [file, ...args] = argv.map((word) => outside(word, mounts));
  const workdir = mounts.find(({ target }) => target === '/workspace')?.source ?? '/';
  const child = spawn(file, args, { env, cwd: workdir, stdio: ['pipe', 'pipe', 'ignore'] });
  writeFileSync(fileOf(name), JSON.stringify({ name, labels, pids: [process.pid, child.pid] }));
  child.stdin.on('error', () => {});
  child.on('exit', () => {
    rmSync(fileOf(name), { force: true });
    setTimeout(() => process.exit(0), 50);
  });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => child.stdin.write(bytes));
    socket.on('end', () => child.stdin.end());
    child.stdout.on('data', (bytes) => socket.write(bytes));
    child.stdout.on('end', () => socket.end());
  });
  server.listen(sockOf(name), () => process.stdout.write('up\n'));
}

function remove(names) {
  for (const one of boxes()) {
    if (!names.includes(one.name) && !names.includes(idOf(one.name))) continue;
    for (const pid of one.pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
    for (const path of [fileOf(one.name), sockOf(one.name)]) if (existsSync(path)) rmSync(path);
  }
}

const labelled = (labels) =>
  `map[${Object.entries(labels)
    .map(([name, value]) => `${name}:${value}`)
    .join(' ')}]`;

const [verb, ...args] = process.argv.slice(2);
switch (verb) {
  case 'version':
    process.stdout.write('0.0.0\n');
    break;
  case 'run':
    await run(args);
    break;
  case 'monitor':
    monitor();
    break;
  case 'ps':
    for (const { name, labels } of boxes()) process.stdout.write(`${idOf(name)} ${labelled(labels)}\n`);
    break;
  case 'rm':
    remove(args);
    break;
  default:
    process.exitCode = 125;
}
