#!/usr/bin/env node
require('../preflight.cjs')
import('../src/cli/switchboard.ts').catch((error) => {
  console.error(error)
  process.exitCode = 1
})
