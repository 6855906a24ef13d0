import type { Mail, MailToSend, Sending } from '../../src/ports/mail.ts'

/**
 * The world's mail without a network. It goes by the address: `nobody@` is refused for ever, `later@` for now, and of
 * an email to `silence@` no delivery report arrives, although the email did.
 */
export class SimMail implements Mail {
  /** What arrived, in order; refused recipients are in it, as in any email. */
  readonly arrived: MailToSend[] = []

  /** Sends at once. */
  async send(message: MailToSend): Promise<Sending> {
    const recipients = message.recipients ?? [...message.to, ...message.cc].map(({ address }) => address)
    const to = (name: string) => recipients.filter((address) => address.startsWith(`${name}@`))
    const [refused, later] = [to('nobody'), to('later')]
    if (refused.length + later.length === recipients.length) {
      const isForEver = later.length === 0
      return { outcome: isForEver ? 'refused' : 'later', why: isForEver ? '550 no such person' : '450 not now' }
    }
    this.arrived.push(message)
    if (to('silence').length > 0) return { outcome: 'unknown', why: 'the connection ended before the answer' }
    return { outcome: 'sent', refused, ...(later.length > 0 && { later }) }
  }
}
