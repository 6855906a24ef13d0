/** `npm run ledger-proof -- --help`: random hostile lives of ledgers. */
import { proveJointLedgers } from '../test/dialer/joint-sequences.ts'
import { proveLedger } from '../test/dialer/ledger-sequences.ts'
import { developmentCommand, wholeNumber } from './command.ts'

const DESCRIPTION = `Random hostile lives of one ledger, and of two campaigns that share agents. Ends with 1 at the
first one in which a cap was broken for no named reason.`

const asked = developmentCommand('ledger-proof', DESCRIPTION)
  .option('--sequences <count>', 'so many lives of each kind', wholeNumber, 1_000_000)
  .option('--seed <number>', 'live one run again', wholeNumber)
  .parse()
  .opts<{ sequences: number; seed?: number }>()
const { sequences } = asked

proveLedger({ ...asked, withBreakers: false })
console.log(`${sequences} sequences of ordinary events: never above the cap`)
const broken = proveLedger({ ...asked, withBreakers: true })
console.log(`${sequences} sequences with breakers: every excess has its cause, in calls: ${JSON.stringify(broken)}`)
const lost = proveJointLedgers(asked)
console.log(`${sequences} sequences of campaigns that share agents: no ledger above its cap; ${lost} calls abandoned`)
