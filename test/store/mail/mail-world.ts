/** A database with a mailbox, and emails as they come in. */
import { createHash } from 'node:crypto'
import type { ActivityId, CorporationId, StorageName } from '../../../src/kernel/ids.ts'
import type { NewFile } from '../../../src/ports/files.ts'
import type { MailHeaders, MailKept, MailParty, MailToKeep } from '../../../src/ports/mail.ts'
import { inTransaction } from '../../../src/store/db/transaction.ts'
import { openCaseOf } from '../../../src/store/mail/mail-case.ts'
import { postgresMails } from '../../../src/store/mail/mail-repository.ts'
import { makeDatabase, servers } from '../db/database.ts'

export const OURS = 1 as CorporationId
export const THEIRS = 2 as CorporationId
export const HELP = 'help@us.example'
export const PETRA = 'petra@debtor.example'

/** A party with an address and no name. */
export const party = (address: string): MailParty => ({ address, name: '' })

/** The default fields of an email. */
export function words(change: Partial<MailHeaders> = {}): MailHeaders {
  const plain: Omit<MailHeaders, 'fingerprint'> = {
    messageId: undefined,
    inReplyTo: [],
    references: [],
    from: party(PETRA),
    to: [party(HELP)],
    cc: [],
    subject: 'My invoice',
    dateAtMs: 1_000,
    text: 'Hello',
    headers: new Map(),
    authenticationResults: [],
    sizeBytes: 100,
    report: undefined,
    trouble: undefined,
    ...change,
  }
  const said = JSON.stringify([plain.messageId, plain.from, plain.subject, plain.text, plain.references])
  return { fingerprint: createHash('sha256').update(said).digest('hex'), ...plain, ...change }
}

/** A file whose bytes are not stored. */
export function file(change: Partial<NewFile> = {}): NewFile {
  const storage = createHash('sha1').update(String(++files)).digest('hex') as StorageName
  const bytes = { storage, sizeBytes: 5, sha256: 'ab'.repeat(32) }
  return { ...bytes, kind: 'email content', fileName: 'content.txt', mimeType: 'text/plain', ...change }
}
let files = 0

/** Differences of the way in. */
type More = Partial<MailToKeep> & { readonly corporation?: CorporationId }

/** Opens it. */
export async function openMailWorld() {
  const database = await makeDatabase(servers[0]!)
  const { pools } = database
  await pools.jobs.query(`insert into corporations (id, name, created_at_ms) values (1, 'Ours', 0), (2, 'Theirs', 0)`)
  await pools.jobs.query(`insert into teams (corporation_id, name, title) values (1, 'support', 'Support')`)
  const mails = postgresMails(pools)
  let atMs = 10_000
  const keep = async (change: Partial<MailHeaders> = {}, more: More = {}) => {
    const { corporation = OURS, ...rest } = more
    const mailbox = { corporation, address: HELP, name: 'Help', team: undefined, opensCases: false }
    atMs += 1_000
    const about = { mailbox, ours: new Set([HELP]), envelopeFrom: PETRA, atMs }
    return mails.keep({ ...about, words: words(change), files: [file()], ...rest })
  }
  /** An email that must be new. */
  const kept = async (change: Partial<MailHeaders> = {}, more: More = {}) => {
    const result = await keep(change, more)
    if (result.outcome !== 'kept') throw new Error(result.outcome)
    return result as Extract<MailKept, { outcome: 'kept' }>
  }
  const newCase = (corporation = OURS): Promise<ActivityId> =>
    inTransaction(pools.jobs, (transaction) =>
      openCaseOf(transaction, { corporation, team: undefined, title: 'A case', extension: null, atMs: 5_000 }),
    )
  const rows = async (text: string, values: readonly unknown[] = []) => (await pools.jobs.query(text, [...values])).rows
  const links = async (type: number) => {
    return rows('select from_id as "from", to_id as "to" from activity_links where type = $1 order by from_id', [type])
  }
  return { pools, mails, keep, kept, newCase, rows, links, drop: database.drop }
}

/** A world of a test file. */
export type MailWorld = Awaited<ReturnType<typeof openMailWorld>>
