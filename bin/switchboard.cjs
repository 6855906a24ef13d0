#!/usr/bin/env node
require('../preflight.cjs')
import('../src/cli/switchboard.ts')
