/** One entry of a tar archive to be made: names and types as hostile as a test wants them. */
export interface TarPart {
  readonly path: string;
  readonly text?: string;
  /** Type flag of ustar; default `0`, a file. */
  readonly type?: string;
  readonly target?: string;
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits - 1, '0')}\0`;

/** An uncompressed tar archive, written by hand: no tool would write such names. */
export function tarOf(parts: readonly TarPart[]): Uint8Array {
  const blocks = parts.flatMap(({ path, text = '', type = '0', target = '' }) => {
    const body = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(path, 0, 100);
    header.write(octal(0o644, 8), 100);
    header.write(octal(body.length, 12), 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(target, 157, 100);
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
