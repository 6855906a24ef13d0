/**
 * `npm run ledger-proof -- --sequences 1000000 [--seed N]`: random hostile lives of one ledger, and of two campaigns
 * that share agents. Ends with 1 at the first one in which a cap was broken for no named reason.
 */
import { parseArgs } from 'node:util'
import { proveJointLedgers } from '../test/dialer/joint-sequences.ts'
import { proveLedger } from '../test/dialer/ledger-sequences.ts'

const { values } = parseArgs({
  options: { sequences: { type: 'string', default: '1000000' }, seed: { type: 'string' } },
})
const sequences = Number(values.sequences)
const asked = { sequences, ...(values.seed !== undefined && { seed: Number(values.seed) }) }

proveLedger({ ...asked, withBreakers: false })
console.log(`${sequences} sequences of ordinary events: never above the cap`)
const broken = proveLedger({ ...asked, withBreakers: true })
console.log(`${sequences} sequences with breakers: every excess has its cause, in calls: ${JSON.stringify(broken)}`)
const lost = proveJointLedgers(asked)
console.log(`${sequences} sequences of campaigns that share agents: no ledger above its cap; ${lost} calls abandoned`)
