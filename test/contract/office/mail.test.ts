import { smtpMail } from '../../../src/adapters/mail/smtp-mail.ts'
import { mailServer } from '../../adapters/mail/mail-server.ts'
import { SimMail } from '../../sim/sim-mail.ts'
import { mailContract } from './mail.contract.ts'

mailContract('the simulated world', async () => {
  const mail = new SimMail()
  const arrived = async () => mail.arrived.map(({ messageId, subject, text }) => ({ messageId, subject, text }))
  return { mail, arrived, close: async () => {} }
})

mailContract('SMTP', async () => {
  const server = await mailServer()
  const mail = smtpMail({ host: '127.0.0.1', port: server.port, username: 'us', password: 'secret', tls: 'none' })
  const arrived = async () => {
    return server.arrived.map(({ messageId = '', subject, text }) => ({ messageId, subject, text: text.trim() }))
  }
  return { mail, arrived, close: server.close }
})
