/**
 * Detects email written by a machine. Such an email is stored, but it gets no answer, opens no case and reopens none.
 * Our choice: an absence note would reopen a closed case without a reason, and two machines that answer each other
 * never stop (F-E15, RFC 3834 §2).
 */

/** Names of headers are in lower case. */
interface MailHeaders {
  readonly headers: ReadonlyMap<string, string>
  /** Sender in the envelope; empty for a delivery notice; undefined if unknown. */
  readonly envelopeFrom: string | undefined
  readonly sender: string | undefined
}

export interface MailSurroundings {
  /** Its Message-ID is that of an email we sent. */
  readonly isOurs: boolean
  readonly mailboxes: ReadonlySet<string>
  /** Emails of its sender, or of none, in the last hour, in all conversations and mailboxes of the corporation. */
  readonly sameInLastHour: number
}

/** More than a person writes in an hour; two machines write it in a minute. */
export const SAME_IN_HOUR_MAX = 20

/** Why the email counts as written by a machine; undefined for a person's. */
export function automaticBecause(mail: MailHeaders, surroundings: MailSurroundings): string | undefined {
  return saidByHeaders(mail) ?? saidBySurroundings(mail, surroundings)
}

function saidByHeaders({ headers, envelopeFrom }: MailHeaders): string | undefined {
  const said = (name: string) => headers.get(name)?.trim().toLowerCase()
  const submitted = said('auto-submitted')
  // RFC 3834 §5: every value except "no", without parameters.
  if (submitted !== undefined && submitted.split(';')[0]?.trim() !== 'no') return 'Auto-Submitted says so'
  // `list` is not among them: a group forwards what people write.
  if (/^(bulk|junk|auto_reply)\b/.test(said('precedence') ?? '')) return 'Precedence says so'
  for (const name of ['x-auto-response-suppress', 'x-autoreply', 'x-autorespond', 'x-loop']) {
    if ((said(name) ?? 'no') !== 'no') return `it has the header ${name}`
  }
  // RFC 8058: a sender of many. A list that people write to has an address for it (RFC 2369 section 3.4).
  const isForPeople = (said('list-post') ?? 'no') !== 'no'
  if (headers.has('list-unsubscribe-post') && !isForPeople) return 'a newsletter sent it (list-unsubscribe-post)'
  // RFC 5321 §4.5.5: notices of delivery have an empty return path, so that nobody answers them.
  if (envelopeFrom === '' || said('return-path') === '<>') return 'its return path is empty'
  if (/^multipart\/report\b/.test(said('content-type') ?? '')) return 'it is a report of delivery'
  return undefined
}

function saidBySurroundings({ sender }: MailHeaders, around: MailSurroundings): string | undefined {
  if (around.isOurs) return 'it is our own email that came back'
  if (sender !== undefined && around.mailboxes.has(sender)) return 'it came from a mailbox of ours'
  if (/^mailer-daemon@/.test(sender ?? '')) return 'a mail server wrote it'
  if (around.sameInLastHour >= SAME_IN_HOUR_MAX) return `its sender wrote ${SAME_IN_HOUR_MAX} times within an hour`
  return undefined
}
