/** Bounces of our email: the email shows the failure, and no case reopens (RFC 3464). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import { HELP, OURS, party, THEIRS } from '../../store/mail/mail-world.ts'
import { MAILBOXES, openIntakeWorld } from './mail-intake-world.ts'
import { email, multipart } from './ugly-mails.ts'

let world: Awaited<ReturnType<typeof openIntakeWorld>>
beforeAll(async () => {
  world = await openIntakeWorld()
})
afterAll(() => world.close())

let count = 0
const PETRA = 'petra@debtor.example'
const BEN = 'ben@debtor.example'

/** An email that its server accepted, from a case that was closed afterwards. */
async function sent(to: readonly string[], settled = true) {
  const found = await world.newCase()
  const input = { case: found, corporations: [OURS], mailboxes: MAILBOXES, to: to.map(party), cc: [] }
  const files = [{ kind: 'email content', fileName: 'a', mimeType: 'text/plain', sizeBytes: 0, sha256: '' } as const]
  const stored = files.map((file) => ({ ...file, storage: String(++count).padStart(40, '0') as never }))
  const words = { subject: 'Your case', text: 'Hi', messageName: `out${count}`, node: null, user: null, atMs: 0 }
  const queued = await world.mails.queue({ ...input, ...words, files: stored })
  if (queued.outcome !== 'queued') throw new Error(queued.outcome)
  const job = await world.mails.claim('node1', 1, 1e15)
  expect(job?.activity).toBe(queued.activity)
  const settle = () => world.mails.settle(queued.activity, job!.tries, { state: 'sent', why: null }, 2)
  if (settled) await settle()
  await world.rows(
    `update cases c set status = 2, ems_status_id = s.id from ems_statuses s
      where c.activity_id = $1 and s.corporation_id = 1 and s.status = 2 and s.is_default`,
    [found],
  )
  return { ...queued, settle }
}

const fields = (address: string, action = 'failed') => [
  ...[
    `Final-Recipient: rfc822; ${address}`,
    `Action: ${action}`,
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 unknown',
  ],
]
/** As a mail server writes it. */
function report(about: string, groups: readonly (readonly string[])[], part: readonly string[] = []): Buffer {
  const status = groups.flatMap((lines) => ['', ...lines])
  const original = ['Content-Type: text/rfc822-headers', '', `Message-ID: <${about}>`, 'Subject: Your case']
  const [type = '', ...body] = multipart(
    ...(['b', ['Content-Type: text/plain', '', 'It was not delivered.']] as const),
    ['Content-Type: message/delivery-status', ...part, '', 'Reporting-MTA: dns; mx.example', ...status, ''],
    original,
  )
  return email(
    ...['From: Mail Delivery <MAILER-DAEMON@mx.example>', `To: ${HELP}`, 'Subject: Undelivered', 'MIME-Version: 1.0'],
    ...[`Message-ID: <report${++count}@mx.example>`, 'References: <nothing@of.ours>'],
    type.replace('mixed', 'report; report-type=delivery-status'),
    ...body,
  )
}
const take = (raw: Buffer, envelopeFrom: string | undefined = '') => world.intake.take(raw, MAILBOXES[0]!, envelopeFrom)
const fate = async (activity: ActivityId) => (await world.mails.find(activity, [OURS]))?.outgoing
const statusOf = async (found: ActivityId) => {
  return (await world.rows('select status, external_updated_at_ms from cases where activity_id = $1', [found]))[0]
}

test('given a bounce for every recipient, the email has failed with the reason; its case stays closed', async () => {
  const ours = await sent([PETRA])
  const before = await statusOf(ours.case)
  const kept = await take(report(ours.messageId, [fields(PETRA)]))
  expect(kept).toMatchObject({ outcome: 'kept', conversation: ours.conversation, case: undefined })
  const why = `not delivered to ${PETRA}: 5.1.1 550 unknown`
  expect(await fate(ours.activity)).toMatchObject({ state: 'failed', why, sentAtMs: 2 })
  expect(await statusOf(ours.case)).toEqual(before)
  expect(await world.mails.claim('node1', 1e14, 1e15)).toBeUndefined()
})

test('given a bounce for one of two recipients, it is sent and names that one; it fails with both', async () => {
  const ours = await sent([PETRA, BEN])
  await take(report(ours.messageId, [fields(PETRA), fields(BEN, 'delayed')]))
  expect(await fate(ours.activity)).toMatchObject({
    state: 'sent',
    why: `not delivered to ${PETRA}: 5.1.1 550 unknown`,
  })
  await take(report(ours.messageId, [fields(PETRA)]))
  expect((await fate(ours.activity))?.why).not.toMatch(/; not delivered/)
  await take(report(ours.messageId, [fields(BEN)]))
  expect(await fate(ours.activity)).toMatchObject({ state: 'failed', why: expect.stringMatching(/petra@.*; .*ben@/) })
})

test('given that the address was rewritten on the way, the original recipient is found', async () => {
  const ours = await sent([PETRA])
  await take(report(ours.messageId, [fields('box7@host.example')]))
  expect(await fate(ours.activity)).toMatchObject({ state: 'failed', why: expect.stringContaining(PETRA) })
  const two = await sent([PETRA, BEN])
  await take(report(two.messageId, [fields('box7@host.example')]))
  expect(await fate(two.activity)).toMatchObject({ state: 'sent', why: null })
  await take(report(two.messageId, [[`Original-Recipient: rfc822; ${BEN}`, ...fields('box7@host.example')]]))
  expect(await fate(two.activity)).toMatchObject({ state: 'sent', why: expect.stringContaining(BEN) })
})

test('given a bounce that arrives before the sending is recorded, it counts', async () => {
  const ours = await sent([PETRA], false)
  await take(report(ours.messageId, [fields(PETRA)]))
  expect(await fate(ours.activity)).toMatchObject({ state: 'sending' })
  await ours.settle()
  expect(await fate(ours.activity)).toMatchObject({ state: 'failed', why: expect.stringContaining(PETRA) })
})

test.each([
  ['as base64', ['Content-Transfer-Encoding: base64']],
  ['as a file', ['Content-Disposition: attachment; filename="details.txt"']],
])('given a bounce in the form %s, it is read', async (_, part) => {
  const ours = await sent([PETRA])
  const raw = report(ours.messageId, [fields(PETRA)], part).toString('latin1')
  const encoded = raw.replace(/(base64\r\n\r\n)([\s\S]*?)(?=\r\n--b)/, (_, head, text) => {
    return head + Buffer.from(text as string).toString('base64')
  })
  await take(Buffer.from(encoded))
  expect(await fate(ours.activity)).toMatchObject({ state: 'failed' })
})

test.each([
  ['that it waits', (id: string) => report(id, [fields(PETRA, 'delayed')])],
  ['that it arrived', (id: string) => report(id, [fields(PETRA, 'delivered')])],
  ['of an email that is none of ours', () => report('other@us.example', [fields(PETRA)])],
  [
    'in a common email',
    (id: string) =>
      email('From: a@b.example', `Message-ID: <c${++count}@x>`, `In-Reply-To: <${id}>`, '', ...fields(PETRA)),
  ],
])('given a report %s, it stays sent', async (_, raw) => {
  const ours = await sent([PETRA])
  await take(raw(ours.messageId), PETRA)
  expect(await fate(ours.activity)).toMatchObject({ state: 'sent', why: null })
})

test('given a bounce to another corporation, our email does not change', async () => {
  const ours = await sent([PETRA])
  await world.intake.take(report(ours.messageId, [fields(PETRA)]), { ...MAILBOXES[0]!, corporation: THEIRS }, '')
  expect(await fate(ours.activity)).toMatchObject({ state: 'sent' })
})
