/** Nothing: a row of this dialect is changed where it lies. */
export const ROOM_IN_ROWS = '';
