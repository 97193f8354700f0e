type Texts = ReadonlyMap<string, string>;
export function pastFacades(files: Texts): Map<string, string>;
export function withBareBuiltins(files: Texts): Map<string, string>;
export function inAscii(files: Texts): Map<string, string>;
