/** What every mail sender must do; the simulated one and the real one alike. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mail, MailToSend } from '../../../src/ports/mail.ts'

/** A mail sender, and the place where its email arrives. */
export interface MailWorld {
  readonly mail: Mail
  /** Message-ID, subject and text of the emails that arrived, in order. */
  arrived(): Promise<readonly { readonly messageId: string; readonly subject: string; readonly text: string }[]>
  close(): Promise<void>
}

const party = (address: string, name = '') => ({ address, name })
let count = 0

/** An email of ours. */
export function outgoing(to: string, change: Partial<MailToSend> = {}): MailToSend {
  return {
    messageId: `m${++count}@us.example`,
    inReplyTo: undefined,
    references: [],
    subject: 'Your case',
    cc: [],
    from: party('help@us.example', 'Help'),
    to: [party(to)],
    text: 'Hello',
    html: undefined,
    dateAtMs: 1_000,
    files: [],
    ...change,
  }
}

/** The suite. Recipients behave as in `SimMail`: `nobody@`, `later@`, `silence@`. */
export function mailContract(name: string, open: () => Promise<MailWorld>): void {
  describe(`email by ${name}`, () => {
    let world: MailWorld
    beforeAll(async () => {
      world = await open()
    })
    afterAll(() => world.close())

    test('an email arrives once, under its Message-ID', async () => {
      const message = outgoing('petra@debtor.example', { subject: 'Teie võlg – 12 €' })
      expect(await world.mail.send(message)).toEqual({ outcome: 'sent', refused: [] })
      const arrived = await world.arrived()
      expect(arrived.filter(({ messageId }) => messageId === message.messageId)).toEqual([
        { messageId: message.messageId, subject: message.subject, text: 'Hello' },
      ])
    })

    test('an unknown recipient is refused for good, a busy one for now, and nothing arrives', async () => {
      const before = await world.arrived()
      expect(await world.mail.send(outgoing('nobody@debtor.example'))).toMatchObject({ outcome: 'refused' })
      expect(await world.mail.send(outgoing('later@debtor.example'))).toMatchObject({ outcome: 'later' })
      expect(await world.arrived()).toEqual(before)
    })

    test('given one refused recipient of two, the other gets the email, and the outcome says so', async () => {
      const message = outgoing('petra@debtor.example', { cc: [party('nobody@debtor.example')] })
      expect(await world.mail.send(message)).toEqual({ outcome: 'sent', refused: ['nobody@debtor.example'] })
      expect((await world.arrived()).at(-1)?.messageId).toBe(message.messageId)
    })

    test('given one busy recipient of two, the outcome says who is left, and it can go to them alone', async () => {
      const later = 'later@debtor.example'
      const message = outgoing('petra@debtor.example', { cc: [party(later)] })
      expect(await world.mail.send(message)).toEqual({ outcome: 'sent', refused: [], later: [later] })
      const arrived = (await world.arrived()).length
      expect(await world.mail.send({ ...message, recipients: [later] })).toMatchObject({ outcome: 'later' })
      expect((await world.arrived()).length).toBe(arrived)
    })

    test('given no final reply of the server, the outcome is unknown', async () => {
      expect(await world.mail.send(outgoing('silence@debtor.example'))).toMatchObject({ outcome: 'unknown' })
    })
  })
}
