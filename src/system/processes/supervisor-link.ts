import { type ChildProcess, spawn } from 'node:child_process';
import { Duplex, type Readable, type Writable } from 'node:stream';
import { runnableFile } from '../runnable-file.js';
import { CONTROL_FD, REPORT_FD, type SupervisorCommand, type SupervisorReport } from './protocol.js';

/** The worker's end of one supervisor. */
export interface SupervisorLink {
  /**
   * Also the id of the process group; undefined when the supervisor itself could not be started.
   */
  readonly pid: number | undefined;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  send(command: SupervisorCommand): void;
  /**
   * Settles when the supervisor has exited and everything it reported was handed on. Rejects when
   * it could not be started.
   */
  readonly closed: Promise<void>;
}

/**
 * Starts a supervisor as leader of a new session and process group (`detached`): a Ctrl-C at the
 * terminal does not reach it, and its children have no terminal to ask at. It gets no environment.
 */
export function startSupervisor(nodePath: string, onReport: (report: SupervisorReport) => void): SupervisorLink {
  const child = spawn(nodePath, [runnableFile(new URL('./supervisor.ts', import.meta.url))], {
    detached: true,
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { stdin, stdout, stderr } = child;
  const control = child.stdio[CONTROL_FD];
  const reports = child.stdio[REPORT_FD];
  const isWhole = control instanceof Duplex && reports instanceof Duplex;
  if (stdin === null || stdout === null || stderr === null || !isWhole) {
    throw new Error('a supervisor was started without its five pipes');
  }
  // The supervisor may be gone before the worker knows it; `closed` tells.
  for (const pipe of [control, reports]) pipe.on('error', () => {});
  // It says nothing here: only a pipe that is read is known to have ended.
  control.resume();
  const drained = readReports(reports, onReport);
  const closed = Promise.all([exitOf(child), drained]).then(() => {});
  const send = (command: SupervisorCommand): void => {
    if (control.writable) control.write(`${JSON.stringify(command)}\n`);
  };
  return { pid: child.pid, stdin, stdout, stderr, send, closed };
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => reject(new Error(`cannot start a supervisor: ${error.message}`, { cause: error })));
  });
}

function readReports(reports: Readable, onReport: (report: SupervisorReport) => void): Promise<void> {
  let pending = '';
  reports.setEncoding('utf8');
  reports.on('data', (text: string) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    // Only the supervisor that this process started holds the other end.
    for (const line of lines) onReport(JSON.parse(line) as SupervisorReport);
  });
  return new Promise((resolve) => {
    for (const event of ['end', 'close']) reports.once(event, () => resolve());
  });
}
