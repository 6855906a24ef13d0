import type { Clock } from '../../kernel/clock.ts'
import type { FileStore, NewFile } from '../../ports/files.ts'
import { MAIL_BYTES_MAX, type MailboxEntry, type MailKept, type Mails, type ReadMail } from '../../ports/mail.ts'
import { readMail } from './parse-mail.ts'

/** What an intake works with. */
interface MailIntakeDependencies {
  readonly clock: Clock
  readonly mails: Mails
  readonly fileStore: FileStore
  /** The set-up's. */
  readonly mailboxes: readonly MailboxEntry[]
}

/** Of a text, in letters: what is listed and searched. All of it is in the content. */
const TEXT_LETTERS_MAX = 256 * 1024

/** Where every email comes through, whichever way it came. One at a time: reading one of 25 MiB takes its memory. */
export class MailIntake {
  readonly #dependencies: MailIntakeDependencies
  #last: Promise<unknown> = Promise.resolve()

  constructor(dependencies: MailIntakeDependencies) {
    this.#dependencies = dependencies
  }

  /** The mailbox of ours that an address names; undefined: it is none of ours. */
  mailboxOf(address: string): MailboxEntry | undefined {
    const wanted = address.trim().toLowerCase()
    return this.#dependencies.mailboxes.find((mailbox) => mailbox.address === wanted)
  }

  /**
   * Reads it and keeps it; when this resolves it is safe on the disk. Rejects when that cannot be done now, and then
   * nothing of it is left: whoever brought it shall bring it again.
   */
  take(raw: Buffer, mailbox: MailboxEntry, envelopeFrom: string | undefined): Promise<MailKept> {
    const taken = this.#last.then(() => this.#take(raw, mailbox, envelopeFrom))
    this.#last = taken.catch(() => {})
    return taken
  }

  async #take(raw: Buffer, mailbox: MailboxEntry, envelopeFrom: string | undefined): Promise<MailKept> {
    const { clock, mails, mailboxes } = this.#dependencies
    const { html, files, ...words } = await readMail(raw, clock)
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
      await this.#remove(stored)
      throw error
    }
  }

  /** `stored` grows, so that what was stored is known also when the next cannot be. */
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

/** Keeps bytes that are in memory; they were measured before they came here. */
async function writeBytes(fileStore: FileStore, bytes: Uint8Array) {
  async function* once() {
    yield bytes
  }
  // Decoding makes an email smaller, and its text at the most four times as long.
  const written = await fileStore.write(once(), 4 * MAIL_BYTES_MAX)
  if (written === 'disk full') throw new Error('the disk is full: the sender is asked to try again later')
  if (written === 'too large') throw new Error('a part of an email was larger than an email may be')
  return written
}
