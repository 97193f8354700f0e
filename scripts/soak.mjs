// The chaos soak at full length: `npm run soak -- [--runs 2000] [--seed 1] [--minutes M]
// [--audit-elsewhere]`. One api and four workers on a PostgreSQL of their own, something of them
// killed, stopped or cut off every 5 s; exit 1 when anything was lost or came twice.
import '../test/support/processes-typescript.mjs';

const { main } = await import('../test/soak/main.ts');
process.exitCode = await main(process.argv.slice(2));
