import formats from 'ajv-formats';

export { Ajv2020 } from 'ajv/dist/2020.js';

/** Makes a validator assert `format`. */
export const addFormats = formats.default;
