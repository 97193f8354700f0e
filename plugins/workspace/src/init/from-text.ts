import { type FromPlan, oneLine } from '@kit-run/kit/command';

/** As long as a command line may be; nothing of it is cut. */
const WHOLE = 20_000;

const sizeOf = (content: string | Uint8Array): string => {
  const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength;
  return bytes < 1024 ? `${bytes} B` : `${Math.ceil(bytes / 1024)} KiB`;
};

/**
 * Where it comes from, each file, and each thing that would start a program: before anything is
 * written. Text of the source is escaped.
 */
export function fromLines(plan: FromPlan, isAgreed: boolean): readonly string[] {
  const { source, directory, files, programs, leftOut, skipped } = plan;
  const what = Math.max(0, ...programs.map((program) => oneLine(program.what, WHOLE).length));
  return [
    `from ${oneLine(source, WHOLE)}`,
    `-> ${directory}${isAgreed ? '' : '; nothing is written yet, it would be:'}`,
    ...files.map(({ path, text }) => `  ${oneLine(path, WHOLE)}  ${sizeOf(text)}`),
    ...skipped.map((path) => `  ${oneLine(path, WHOLE)} (left out: there is one)`),
    ...leftOut.map((path) => `  ${oneLine(path, WHOLE)} (left out)`),
    programs.length === 0
      ? 'it starts no program, and no run by itself'
      : 'a run, a server or npm would start, as written there (nothing is started now):',
    ...programs.map(
      (program) =>
        `  ${oneLine(program.what, WHOLE).padEnd(what)}  ${oneLine(program.text, WHOLE)}  ${oneLine(program.place, WHOLE)}`,
    ),
  ];
}
