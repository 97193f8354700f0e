const say = (message, fields) => process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);

/** What a worker complains of is told; the rest is not. */
export const createSilentLog = () => ({ debug: () => {}, info: () => {}, warn: say, error: say });
