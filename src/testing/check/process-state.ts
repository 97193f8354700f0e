/** Reading them starts something, or warns. */
const UNTOUCHED: ReadonlySet<string> = new Set(['localStorage', 'sessionStorage']);

const BUILT_INS: Readonly<Record<string, object>> = {
  'Object.prototype': Object.prototype,
  'Array.prototype': Array.prototype,
  'String.prototype': String.prototype,
  'Function.prototype': Function.prototype,
  'Promise.prototype': Promise.prototype,
  'Map.prototype': Map.prototype,
  'Set.prototype': Set.prototype,
  'Error.prototype': Error.prototype,
  JSON,
  Math,
  console,
};

type Values = ReadonlyMap<string, unknown>;

/** What one module can change for all others in a process. */
export interface ProcessState {
  readonly globals: Values;
  readonly builtIns: Readonly<Record<string, Values>>;
  readonly environment: Values;
  readonly listeners: Values;
  readonly directory: string;
}

function membersOf(object: object): Values {
  return new Map(
    Reflect.ownKeys(object).map((key) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
      return [String(key), descriptor?.value ?? descriptor?.get];
    }),
  );
}

/** Node fills some globals in when they are first read: read them before anything is compared. */
function touchGlobals(): void {
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!UNTOUCHED.has(name)) Reflect.get(globalThis, name);
  }
}

export function processState(environment: NodeJS.ProcessEnv): ProcessState {
  touchGlobals();
  return {
    globals: membersOf(globalThis),
    builtIns: Object.fromEntries(Object.entries(BUILT_INS).map(([name, object]) => [name, membersOf(object)])),
    environment: new Map(Object.entries(environment)),
    listeners: new Map(process.eventNames().map((event) => [String(event), process.listenerCount(event)])),
    directory: process.cwd(),
  };
}

const changed = (before: Values, after: Values): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => !Object.is(before.get(key), after.get(key)) || before.has(key) !== after.has(key),
  );

/** What differs, one phrase each. */
export function stateChanges(before: ProcessState, after: ProcessState): readonly string[] {
  return [
    ...changed(before.globals, after.globals).map((name) => `the global ${name}`),
    ...Object.entries(before.builtIns).flatMap(([name, members]) =>
      changed(members, after.builtIns[name] ?? new Map()).map((key) => `${name}.${key}`),
    ),
    ...changed(before.environment, after.environment).map((name) => `the environment variable ${name}`),
    ...changed(before.listeners, after.listeners).map((event) => `listeners of the process for ${event}`),
    ...(before.directory === after.directory ? [] : ['the working directory']),
  ];
}
