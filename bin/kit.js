#!/usr/bin/env node
// Only syntax that an old Node can parse: the version check must be able to speak.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 15)) {
  process.stderr.write(
    'kit needs Node.js 22.15 or newer; this is ' + process.version + '. In a checkout, use `npx kit`.\n',
  );
  process.exitCode = 2;
} else {
  // Nobody catches it: Node tells what cannot be loaded, and ends with 1.
  process.getBuiltinModule('node:module').enableCompileCache();
  void import('../dist/program/boot/main.js').then((boot) => boot.main(process.argv.slice(2), boot.processWorld()));
}
