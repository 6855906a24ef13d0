// Old syntax on purpose: this file must run on any Node, to say why the rest cannot.
var major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    'Switchboard needs Node 24; this is Node ' +
      process.versions.node +
      '.\n' +
      'Run it through npm (npm start, npm run demo): on Linux x64 and arm64 `npm ci` brings its own Node 24.\n' +
      'If you used `npm ci --omit=optional`, or are on another system, install Node 24 (see .nvmrc).',
  )
  process.exit(1)
}

// Compiled code is kept, so a service is back a second earlier after a crash. Where nothing can be written, it is not.
var path = require('node:path')
require('node:module').enableCompileCache(path.join(__dirname, 'node_modules', '.cache', 'node'))
