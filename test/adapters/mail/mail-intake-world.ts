/** A database, a store of files and mailboxes, into which email comes. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { openFileStore } from '../../../src/adapters/files/file-store.ts'
import { MailIntake } from '../../../src/adapters/mail/mail-intake.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { TeamName } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import { systemSecretBytes } from '../../../src/kernel/secret-bytes.ts'
import type { MailboxEntry } from '../../../src/ports/mail.ts'
import { HELP, OURS, openMailWorld } from '../../store/mail/mail-world.ts'
import { readerHere } from './reader-here.ts'

/** A mailbox that opens cases, and one that does not. */
export const MAILBOXES: readonly MailboxEntry[] = [
  { corporation: OURS, address: HELP, name: 'Help', team: 'support' as TeamName, opensCases: true },
  { corporation: OURS, address: 'info@us.example', name: 'Info', team: undefined, opensCases: false },
]

/** Opens it. */
export async function openIntakeWorld() {
  const world = await openMailWorld()
  const directory = mkdtempSync(join(tmpdir(), 'switchboard-mail-'))
  const clock = new RealClock()
  const fileStore = await openFileStore({ directory, clock, secretBytes: systemSecretBytes, log: silentLog })
  const intake = new MailIntake({
    clock,
    log: silentLog,
    reader: readerHere(clock),
    mails: world.mails,
    fileStore,
    mailboxes: MAILBOXES,
  })
  /** How many files lie there. */
  const filesOnDisk = () => {
    return readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
  }
  const emails = async () => world.rows('select message_id as "messageId", activity_id as id from emails order by 2')
  const close = async () => {
    await world.drop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { ...world, clock, fileStore, intake, filesOnDisk, emails, close }
}

/** Delivers an email over SMTP; returns the reply or the refusal. */
export function bring(
  port: number,
  raw: Buffer,
  { from = 'petra@debtor.example', to = [HELP] as readonly string[], lmtp = false } = {},
): Promise<{ readonly code: number; readonly text: string }> {
  const connection = new SMTPConnection({ host: '127.0.0.1', port, ignoreTLS: true, lmtp })
  return new Promise<{ code: number; text: string }>((resolve) => {
    const refuse = (error: Error) => resolve({ code: Number(Reflect.get(error, 'responseCode')), text: error.message })
    connection.once('error', refuse)
    connection.connect((error) => {
      if (error) return refuse(error)
      connection.send({ from, to: [...to] }, raw, (refused, info) => {
        if (refused) return refuse(refused)
        resolve({ code: Number(info.response?.slice(0, 3)), text: info.response ?? '' })
      })
    })
  }).finally(() => connection.quit())
}
