/**
 * Two spellings of one name give the same text: normal form C, and no case. `ß` folds as `ss`, and
 * `İ` as an i with its dot. For telling people apart where a mistake must lock somebody out and
 * never let somebody in; what is shown and stored keeps its spelling.
 */
export const foldName = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
