import type { MailReader } from '../../../src/adapters/mail/mail-reader.ts'
import { readMail } from '../../../src/adapters/mail/parse-mail.ts'
import type { Clock } from '../../../src/kernel/clock.ts'

/** Reads emails in this process. */
export const readerHere = (clock: Clock): MailReader => ({ read: (raw) => readMail(raw, clock) })
