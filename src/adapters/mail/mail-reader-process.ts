/** The process that `mail-reader.ts` starts: an email in, what it says out, one after another. */
import { RealClock } from '../../kernel/clock.ts'
import { giveWay } from '../../kernel/job-process.ts'
import { readMail } from './parse-mail.ts'

const clock = new RealClock()
// Calls have more right to the processor.
giveWay()
process.on('message', async (raw: Buffer) => {
  process.send?.(await readMail(Buffer.from(raw), clock))
})
