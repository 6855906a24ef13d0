import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import type { FileStore, NewFile } from '../../ports/files.ts'
import { MAIL_BYTES_MAX, type MailboxEntry, type MailKept, type Mails, type ReadMail } from '../../ports/mail.ts'
import type { MailReader } from './mail-reader.ts'
import { bareMail } from './parse-mail.ts'

interface MailIntakeDependencies {
  readonly clock: Clock
  readonly log: Log
  readonly reader: MailReader
  readonly mails: Mails
  readonly fileStore: FileStore
  readonly mailboxes: readonly MailboxEntry[]
}

/** Letters of a text that are listed and searched. The stored content has all of it. */
const TEXT_LETTERS_MAX = 256 * 1024

/** All emails pass here, whichever way they came. One at a time: an email of 25 MiB takes that much memory. */
export class MailIntake {
  readonly #dependencies: MailIntakeDependencies
  #last: Promise<unknown> = Promise.resolve()

  constructor(dependencies: MailIntakeDependencies) {
    this.#dependencies = dependencies
  }

  /** The mailbox of an address; undefined if it is not ours. */
  mailboxOf(address: string): MailboxEntry | undefined {
    const wanted = address.trim().toLowerCase()
    return this.#dependencies.mailboxes.find((mailbox) => mailbox.address === wanted)
  }

  /**
   * The email is on disk when this resolves. Rejects if that fails now: the sender must retry. Bytes remain only where
   * nobody knows whether the email was stored (files-and-activities-08).
   */
  take(raw: Buffer, mailbox: MailboxEntry, envelopeFrom: string | undefined): Promise<MailKept> {
    const taken = this.#last.then(() => this.#take(raw, mailbox, envelopeFrom))
    this.#last = taken.catch(() => {})
    return taken
  }

  async #take(raw: Buffer, mailbox: MailboxEntry, envelopeFrom: string | undefined): Promise<MailKept> {
    const { log, reader } = this.#dependencies
    const read = await reader.read(raw)
    try {
      return await this.#keep(read, mailbox, envelopeFrom)
    } catch (error) {
      if (!isAboutData(error)) throw error
      // One email that the database does not take must not keep those after it from being taken.
      log.error(
        { err: error, mailbox: mailbox.name },
        'an email could not be stored as it was read: it is kept as it came',
      )
      return this.#keep(bareMail(raw, 'the database does not take it'), mailbox, envelopeFrom)
    }
  }

  async #keep(
    { html, files, ...words }: ReadMail,
    mailbox: MailboxEntry,
    envelopeFrom: string | undefined,
  ): Promise<MailKept> {
    const { clock, mails, mailboxes } = this.#dependencies
    const stored: NewFile[] = []
    try {
      await this.#store({ html, files, text: words.text }, stored)
      const ours = new Set(mailboxes.map(({ address }) => address))
      const text = words.text.slice(0, TEXT_LETTERS_MAX)
      const about = { mailbox, ours, envelopeFrom, atMs: clock.nowMs() }
      const kept = await mails.keep({ ...about, words: { ...words, text }, files: stored })
      if (kept.outcome === 'here already') await this.#remove(stored)
      return kept
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable && error.mayBeDone)) await this.#remove(stored)
      throw error
    }
  }

  /** `stored` grows, to know what was stored when a later file fails. */
  async #store({ html, text, files }: Pick<ReadMail, 'html' | 'text' | 'files'>, stored: NewFile[]): Promise<void> {
    const content =
      html === undefined
        ? { fileName: 'content.txt', mimeType: 'text/plain', bytes: Buffer.from(text) }
        : { fileName: 'content.html', mimeType: 'text/html', bytes: Buffer.from(html) }
    for (const { bytes, ...file } of [{ kind: 'email content' as const, ...content }, ...files]) {
      stored.push({ ...file, ...(await writeBytes(this.#dependencies.fileStore, bytes)) })
    }
  }

  async #remove(stored: readonly NewFile[]): Promise<void> {
    for (const { storage } of stored) await this.#dependencies.fileStore.remove(storage)
  }
}

/** PostgreSQL's classes "data exception" and "integrity constraint violation": a repetition fails as well. */
function isAboutData(error: unknown): boolean {
  return /^2[23]/.test(String((error as { code?: unknown }).code))
}

async function writeBytes(fileStore: FileStore, bytes: Uint8Array) {
  async function* once() {
    yield bytes
  }
  // Decoding makes an email smaller, and its text at most four times as long.
  const written = await fileStore.write(once(), 4 * MAIL_BYTES_MAX)
  if (written === 'disk full') throw new Error('the disk is full: the sender is asked to try again later')
  if (written === 'too large') throw new Error('a part of an email was larger than an email may be')
  return written
}
