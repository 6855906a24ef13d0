/**
 * Whether an email was written by a machine. Such an email is kept like any other; nothing is sent back to it, it
 * opens no case and it wakes none. Our choice, and why: an absence note that answers our answer would reopen a closed
 * case for nobody's sake, and two machines that answer each other never stop (F-E15, RFC 3834 §2).
 */

/** What of an email decides. Names of headers are in small letters. */
interface MailHeaders {
  readonly headers: ReadonlyMap<string, string>
  /** Who the envelope says it came from; empty for a notice that something was not delivered; undefined: not known. */
  readonly envelopeFrom: string | undefined
  readonly sender: string | undefined
}

/** What is known beside the email itself. */
export interface MailSurroundings {
  /** It bears the Message-ID of an email that we sent. */
  readonly isOurs: boolean
  /** Addresses of our mailboxes. */
  readonly mailboxes: ReadonlySet<string>
  /** Emails of its sender in its conversation in the hour before it. */
  readonly sameInLastHour: number
}

/** Nobody writes more in an hour by hand; two machines do it in a minute. */
export const SAME_IN_HOUR_MAX = 20

/** Why it counts as a machine's, in words; undefined for what a person wrote. */
export function automaticBecause(mail: MailHeaders, surroundings: MailSurroundings): string | undefined {
  return saidByHeaders(mail) ?? saidBySurroundings(mail, surroundings)
}

/** Headers that only machines write, by the RFC or the habit that gave them their meaning. */
function saidByHeaders({ headers, envelopeFrom }: MailHeaders): string | undefined {
  const said = (name: string) => headers.get(name)?.trim().toLowerCase()
  const submitted = said('auto-submitted')
  // RFC 3834 §5: everything but "no", parameters aside.
  if (submitted !== undefined && submitted.split(';')[0]?.trim() !== 'no') return 'Auto-Submitted says so'
  if (/^(bulk|junk|list|auto_reply)\b/.test(said('precedence') ?? '')) return 'Precedence says so'
  for (const name of ['x-auto-response-suppress', 'x-autoreply', 'x-autorespond', 'x-loop']) {
    if ((said(name) ?? 'no') !== 'no') return `it has the header ${name}`
  }
  // RFC 2369 and 2919.
  const list = [...headers.keys()].find((name) => /^list-(id|post|help|unsubscribe|owner|archive)$/.test(name))
  if (list) return `a mailing list sent it (${list})`
  // RFC 5321 §4.5.5: notices of delivery have an empty return path, so that nobody answers them.
  if (envelopeFrom === '' || said('return-path') === '<>') return 'its return path is empty'
  if (/^multipart\/report\b/.test(said('content-type') ?? '')) return 'it is a report of delivery'
  return undefined
}

function saidBySurroundings({ sender }: MailHeaders, around: MailSurroundings): string | undefined {
  if (around.isOurs) return 'it is our own email that came back'
  if (sender === undefined) return 'nobody says to have sent it'
  if (around.mailboxes.has(sender)) return 'it came from a mailbox of ours'
  if (/^mailer-daemon@/.test(sender)) return 'a mail server wrote it'
  if (around.sameInLastHour >= SAME_IN_HOUR_MAX) return `its sender wrote ${SAME_IN_HOUR_MAX} times within an hour`
  return undefined
}
