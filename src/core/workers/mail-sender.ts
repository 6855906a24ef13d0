import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { Periodic } from '../../kernel/periodic.ts'
import { DatabaseUnavailable } from '../../ports/dialer-repository.ts'
import type { ActivityFile, FileStore } from '../../ports/files.ts'
import type { Mail, MailFile, MailProgress, Mails, OutgoingJob, Sending, SettledSending } from '../../ports/mail.ts'

interface MailSenderDependencies {
  /** Whose `fileStore` it is. */
  readonly node: string
  readonly clock: Clock
  readonly log: Log
  readonly mails: Mails
  readonly fileStore: FileStore
  readonly mail: Mail
}

const LOOK_EVERY_MS = 1_000
/** Longer than a server may take to answer; afterwards the sender that holds the claim has died. */
const CLAIM_MS = 15 * 60_000
const MINUTE_MS = 60_000
/** Waits after failed tries, two days in total. Afterwards the email has failed, and a user may send it again. */
const WAITS_MS = [1, 5, 15, 60, 180, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS)

/** Sends queued emails, one after another. Several processes may each run one. */
export function mailSender(dependencies: MailSenderDependencies): Periodic {
  const { clock, log } = dependencies
  const work = async (mayGoOn: () => boolean) => {
    try {
      while (mayGoOn() && (await sendNext(dependencies)));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'emails cannot be sent')
      else log.warn({ error: error.message }, 'emails wait for the database')
    }
  }
  return new Periodic({ clock, pauseMs: () => LOOK_EVERY_MS, work })
}

/** Sends the next queued email; false if there is none. */
export async function sendNext(dependencies: MailSenderDependencies): Promise<boolean> {
  const { node, clock, log, mails, fileStore, mail } = dependencies
  const job = await mails.claim(node, clock.nowMs(), clock.nowMs() + CLAIM_MS)
  if (!job) return false
  const { activity, tries } = job
  const settled = await trySending(job, fileStore, mail, clock).catch((error: unknown): SettledSending => {
    // Nothing was sent yet: an unreadable file may be readable later.
    log.error({ err: error, activity }, 'an email could not be prepared')
    return again(tries, 'it could not be made ready', clock)
  })
  await mails.settle(activity, tries, settled, clock.nowMs())
  log.info({ activity, tries, state: settled.state }, 'an email was tried')
  return true
}

async function trySending(
  { message, files, tries, progress }: OutgoingJob,
  fileStore: FileStore,
  mail: Mail,
  clock: Clock,
): Promise<SettledSending> {
  const content = files.find(({ kind }) => kind === 'email content')
  const isHtml = content?.mimeType === 'text/html'
  const html = content && isHtml ? Buffer.from(await bytesOf(fileStore, content)).toString('utf8') : undefined
  const attached: MailFile[] = []
  for (const file of files) {
    const { kind, fileName, mimeType, contentId } = file
    if (kind !== 'attachment' && kind !== 'inline image') continue
    const bytes = await bytesOf(fileStore, file)
    attached.push({ kind, fileName, mimeType, bytes, ...(contentId !== undefined && { contentId }) })
  }
  const sending = await mail.send({ ...message, html, files: attached, recipients: progress?.left })
  return settledAs(sending, { tries, progress }, clock)
}

function settledAs(sending: Sending, { tries, progress }: Pick<OutgoingJob, 'tries' | 'progress'>, clock: Clock) {
  switch (sending.outcome) {
    case 'sent': {
      const refused = [...(progress?.refused ?? []), ...sending.refused]
      return partly({ left: sending.later ?? [], refused }, 'refused for now', tries, clock)
    }
    case 'refused':
      if (!progress) return { state: 'failed', why: sending.why } as const
      return partly({ left: [], refused: [...progress.refused, ...progress.left] }, sending.why, tries, clock)
    case 'unknown':
      // It may have arrived: sending it again could deliver it twice.
      return { state: 'unknown', why: sending.why } as const
    case 'later':
      if (progress) return partly(progress, sending.why, tries, clock)
      return again(tries, sending.why, clock)
  }
}

/** Some have it (email-24): it goes on to those who may still get it, and is sent when there are none. */
function partly(progress: MailProgress, why: string, tries: number, clock: Clock): SettledSending {
  const { left, refused } = progress
  const lost = refused.length === 0 ? [] : [`not to ${refused.join(', ')}: refused`]
  if (left.length === 0) return { state: 'sent', why: lost[0] ?? null }
  const next = again(tries, why, clock)
  const words = [...lost, `not ${next.state === 'queued' ? 'yet ' : ''}to ${left.join(', ')}: ${next.why}`].join('; ')
  return next.state === 'queued' ? { ...next, why: words, progress } : { state: 'sent', why: words }
}

function again(tries: number, why: string, clock: Clock): SettledSending {
  const waitMs = WAITS_MS[tries - 1]
  if (waitMs === undefined) return { state: 'failed', why: `given up after ${tries} tries: ${why}` }
  return { state: 'queued', why, nextTryAtMs: clock.nowMs() + waitMs }
}

async function bytesOf(fileStore: FileStore, { id, storage }: ActivityFile): Promise<Uint8Array> {
  const stream = await fileStore.read(storage)
  if (!stream) throw new Error(`file ${id} is in the database, and not in its folder`)
  return Buffer.concat((await stream.toArray()) as Buffer[])
}
