import { expect, test } from 'vitest'
import { freePort } from '../../asterisk/ports.ts'
import { mailboxesOf, mailWork } from '../../src/app/mail.ts'
import { readConfig } from '../../src/installation/read-config.ts'
import { silentLog } from '../../src/kernel/log.ts'
import { bring, openIntakeWorld } from '../adapters/mail/mail-intake-world.ts'
import { mailServer } from '../adapters/mail/mail-server.ts'
import { email, HEAD } from '../adapters/mail/ugly-mails.ts'
import { file, HELP, OURS, party } from '../store/mail/mail-world.ts'

test('given a configuration with email, incoming email opens a case, and an email from the case is sent', async () => {
  const world = await openIntakeWorld()
  const elsewhere = await mailServer()
  const port = await freePort('tcp', '127.0.0.1')
  const text = `
mail:
  mailboxes: { help: { address: ${HELP}, title: Help, opensCases: true } }
  intake: { protocol: lmtp, port: ${port} }
  outbound: { host: 127.0.0.1, port: ${elsewhere.port}, tls: none, username: us, passwordFrom: SMTP_PASSWORD }
`
  const { installation: config, problems } = readConfig('s.yaml', text)
  expect(problems).toEqual([])
  const dependencies = { ...world, node: 'node1', log: silentLog }
  const { intake, fetching, sending } = mailWork({ dependencies, mail: config?.mail, secret: () => 'secret' })
  expect(fetching).toBeUndefined()
  await intake?.start()
  await sending?.start()
  expect(await bring(port, email(...HEAD, '', 'Hello'), { lmtp: true })).toMatchObject({ code: 250 })
  const [{ id }] = await world.rows('select max(activity_id) as id from cases')
  const content = Buffer.from('Thank you')
  async function* once() {
    yield content
  }
  const queue = async (to: string, messageName: string) => {
    const stored = await world.fileStore.write(once(), 100)
    if (typeof stored === 'string') throw new Error(stored)
    const queued = await world.mails.queue({
      case: id,
      corporations: [OURS],
      mailboxes: mailboxesOf(config?.mail),
      to: [party(to)],
      cc: [],
      subject: 'Your invoice',
      text: 'Thank you',
      files: [{ ...file(), ...stored }],
      node: 'node1',
      messageName,
      user: null,
      atMs: 0,
    })
    expect(queued.outcome).toBe('queued')
  }
  // The server takes this one, and never says so: others go on.
  await queue('hang@debtor.example', 'first')
  while (elsewhere.arrived.length === 0) await new Promise(setImmediate)
  await queue('petra@debtor.example', 'core')
  while (elsewhere.arrived.length === 1) await new Promise(setImmediate)
  expect(elsewhere.arrived[1]).toMatchObject({ messageId: 'core@us.example', subject: '[#1] Your invoice' })
  expect(elsewhere.arrived[1]?.inReplyTo).toEqual(['one@debtor.example'])
  await elsewhere.close()
  await sending?.stop()
  await intake?.stop()
  await world.close()
})
