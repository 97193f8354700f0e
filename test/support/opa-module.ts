import { gzipSync } from 'node:zlib';

/**
 * One rule of such a module: under an entrypoint, input or data that holds the text give the
 * result. What OPA's compiler would make of Rego is not shown by it: what is shown is that bundle,
 * data, input, entrypoint and result pass through OPA's ABI as they should.
 */
export interface ModuleRule {
  readonly entrypoint: number;
  readonly of: 'input' | 'data';
  readonly holds: string;
  readonly result: unknown;
}

export interface OpaModule {
  readonly entrypoints: readonly string[];
  readonly rules: readonly ModuleRule[];
  /**
   * Built-in functions that it says it needs; the first is called by rules whose result is
   * `undefined`.
   */
  readonly builtins?: readonly string[];
}

const FIRST_ADDRESS = 1024;
const HEAP = 32_768;
const [I32, FUNC, VOID] = [0x7f, 0x60, 0x40];
/** Positions in the table of functions; the imported one comes first. */
const [BUILTIN0, CONTAINS] = [0, 8];

/**
 * A WebAssembly module with the ABI 1.2 of OPA, written by hand. Source:
 * https://www.openpolicyagent.org/docs/wasm#abi-versions
 */
export function opaModule({ entrypoints, rules, builtins = [] }: OpaModule): Uint8Array {
  const texts: number[] = [];
  const put = (text: string): number => {
    const at = FIRST_ADDRESS + texts.length;
    texts.push(...Buffer.from(text), 0);
    return at;
  };
  const numbered = (names: readonly string[]): string =>
    JSON.stringify(Object.fromEntries(names.map((name, index) => [name, index])));
  const constant = (value: number): readonly number[] => [0x41, ...signed(value)];
  const returned = (value: readonly number[]): readonly number[] => [...value, 0x0f];
  const rule = ({ entrypoint, of, holds, result }: ModuleRule): readonly number[] => {
    const where = of === 'input' ? [0x20, 3, 0x20, 4] : [0x20, 2, 0x23, 3];
    const needle = [...constant(put(holds)), ...constant(Buffer.byteLength(holds))];
    const call = [...constant(0), ...constant(0), 0x10, BUILTIN0];
    const found = result === undefined ? returned(call) : returned(constant(put(JSON.stringify([{ result }]))));
    const matches = [...where, ...needle, 0x10, CONTAINS, 0x04, VOID, ...found, 0x0b];
    return [0x20, 1, ...constant(entrypoint), 0x46, 0x04, VOID, ...matches, 0x0b];
  };
  const bodies = [
    constant(put(numbered(builtins))),
    constant(put(numbered(entrypoints))),
    [0x23, 2, 0x23, 2, 0x20, 0, 0x6a, 0x24, 2], // opa_malloc: bump
    [0x20, 1, 0x24, 3, 0x20, 0], // opa_json_parse: keeps the length, values are texts
    [0x20, 0], // opa_json_dump
    [0x23, 2], // opa_heap_ptr_get
    [0x20, 0, 0x24, 2], // opa_heap_ptr_set
    contains(),
    [...rules.flatMap(rule), ...constant(put('[]'))], // opa_eval
  ].map((body, index) => (index === CONTAINS - 1 ? [1, 2, I32, ...body] : [0, ...body]));
  const results = (count: number): readonly number[] => [FUNC, count, ...Array<number>(count).fill(I32), 1, I32];
  const types = [results(0), results(1), results(2), [FUNC, 1, I32, 0], results(4), results(7)];
  const typeOf = [0, 0, 1, 2, 1, 0, 3, 4, 5];
  const names = [
    'builtins',
    'entrypoints',
    'opa_malloc',
    'opa_json_parse',
    'opa_json_dump',
    'opa_heap_ptr_get',
    'opa_heap_ptr_set',
    null,
    'opa_eval',
  ];
  const exported = names.flatMap((name, index) => (name === null ? [] : [[...text(name), 0, index + 1]]));
  const globals = [
    [I32, 0, ...constant(1), 0x0b],
    [I32, 0, ...constant(2), 0x0b],
    [I32, 1, ...constant(HEAP), 0x0b],
    [I32, 1, ...constant(0), 0x0b],
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(
      2,
      vector([
        [...text('env'), ...text('memory'), 2, 0, 1],
        [...text('env'), ...text('opa_builtin0'), 0, 2],
      ]),
    ),
    ...section(3, vector(typeOf.map((type) => [type]))),
    ...section(6, vector(globals)),
    ...section(
      7,
      vector([...exported, [...text('opa_wasm_abi_version'), 3, 0], [...text('opa_wasm_abi_minor_version'), 3, 1]]),
    ),
    ...section(10, vector(bodies.map((body) => [...unsigned(body.length + 1), ...body, 0x0b]))),
    ...section(11, vector([[0, ...constant(FIRST_ADDRESS), 0x0b, ...unsigned(texts.length), ...texts]])),
  ]);
}

/** (haystack, length, needle, length) -> 1 or 0; locals 4 and 5 are the places in both. */
function contains(): readonly number[] {
  const byteAt = (...at: readonly number[]): readonly number[] => [...at, 0x2d, 0, 0];
  const add = (local: number): readonly number[] => [0x20, local, 0x41, 1, 0x6a, 0x21, local];
  const isOver = [0x20, 4, 0x20, 3, 0x6a, 0x20, 1, 0x4b, 0x04, VOID, 0x41, 0, 0x0f, 0x0b];
  const isFound = [0x20, 5, 0x20, 3, 0x46, 0x04, VOID, 0x41, 1, 0x0f, 0x0b];
  const differs = [...byteAt(0x20, 0, 0x20, 4, 0x6a, 0x20, 5, 0x6a), ...byteAt(0x20, 2, 0x20, 5, 0x6a), 0x47, 0x0d, 1];
  const inner = [0x02, VOID, 0x03, VOID, ...isFound, ...differs, ...add(5), 0x0c, 0, 0x0b, 0x0b];
  return [0x03, VOID, ...isOver, 0x41, 0, 0x21, 5, ...inner, ...add(4), 0x0c, 0, 0x0b, 0x00];
}

/** What `opa build -t wasm` packs: a gzipped tar. */
export function opaBundle(files: Readonly<Record<string, Uint8Array | string>>): Uint8Array {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const body = Buffer.from(content);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000644\0', 100);
    header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        ', 148);
    header.write('0', 156);
    header.write('ustar\0' + '00', 257);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const section = (id: number, content: readonly number[]): readonly number[] => [
  id,
  ...unsigned(content.length),
  ...content,
];
const vector = (items: readonly (readonly number[])[]): readonly number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
const text = (value: string): readonly number[] => [value.length, ...Buffer.from(value)];

/** LEB128. */
function unsigned(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): readonly number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
