/** Loaded before the service (`node --import`): on SIGURG its clock is off by what the file of CLOCK_STEP_FILE says. */
import { readFileSync } from 'node:fs'

const trueNow = Date.now
const file = process.env['CLOCK_STEP_FILE']!
let offMs = 0

Date.now = () => trueNow() + offMs
process.on('SIGURG', () => {
  offMs = Number(readFileSync(file, 'utf8'))
})
