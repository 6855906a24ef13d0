/** A foreign mail server: it treats recipients as `SimMail` does. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { readMail } from '../../../src/adapters/mail/parse-mail.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { ReadMail } from '../../../src/ports/mail.ts'

/** Starts one on a port of its own, for the user `us` with the password `secret`. */
export async function mailServer() {
  const arrived: ReadMail[] = []
  const raws: Buffer[] = []
  const fail = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    logger: false,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 10,
    onAuth({ username, password }, _session, done) {
      if (username === 'us' && password === 'secret') done(null, { user: 'us' })
      else done(fail(535, 'who are you?'))
    },
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('nobody@')) done(fail(550, 'no such person'))
      else if (address.startsWith('later@')) done(fail(450, 'not now'))
      else done()
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        const raw = Buffer.concat(chunks)
        const isSilent = session.envelope.rcptTo.some(({ address }) => address.startsWith('silence@'))
        void readMail(raw, new RealClock()).then((mail) => {
          raws.push(raw)
          arrived.push(mail)
          // It says nothing for as long as it runs.
          if (session.envelope.rcptTo.some(({ address }) => address.startsWith('hang@'))) return
          if (!isSilent) return done()
          // The server has stored the email and disconnects before the reply.
          for (const { _socket } of server.connections as unknown as Set<{ _socket: { destroy(): void } }>) {
            _socket.destroy()
          }
        })
      })
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { port, arrived, raws, close }
}
