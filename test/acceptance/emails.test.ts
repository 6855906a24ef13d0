/** §4.4, §4.5: all communication of a case, as a client of the contract reads it. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAILBOX } from './place/installation.ts'
import { bring, type Letter, putIntoMailbox, sentMails } from './place/mail.ts'
import { type Activity, activitiesOf, type Case, caseNamed, type Desk, openDesk, sourcesOf } from './place/records.ts'

/** The smallest PNG, and a file with every byte. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, value) => value))

let root: Desk
/** Each test has a credential of its own. */
let desk: Desk

beforeAll(async () => {
  root = await openDesk('emails')
})

beforeEach(async () => {
  desk = await root.another()
})

/** An email with a picture and an attachment. */
const illustrated = (from: string, subject: string): Letter => ({
  from,
  subject,
  html: '<p>See <b>this</b>: <img src="cid:pic@pictures.example"><script>alert(1)</script></p>',
  files: [
    { filename: 'pic.png', content: PICTURE, cid: 'pic@pictures.example' },
    { filename: 'bytes.pdf', content: EVERY_BYTE },
  ],
})

/** The emails of the only conversation of a case, oldest first. */
async function emailsOf(found: Case): Promise<Activity[]> {
  const [talk] = await activitiesOf(desk, ...sourcesOf(found, 14))
  return [...(await activitiesOf(desk, ...sourcesOf(talk!, 13)))].reverse()
}

/** File references of an activity, by type. */
function filesOf(email: Activity, type: number) {
  return email.coreFileReferences!.filter((file) => file.type === type)
}

test('files of an email are pictures, attachments and its content [acc 93, 94, 202 by HTTP, SMTP]', async () => {
  await bring(illustrated('paula@pictures.example', 'Pictures of 94'))
  const [email] = await emailsOf(await caseNamed(desk, 'Pictures of 94'))
  expect(email!.coreFileReferences!.map(({ type }) => type).sort()).toEqual([1, 17, 2])
  const [picture, attachment, content] = [1, 2, 17].map((type) => filesOf(email!, type)[0]!)
  expect(picture).toMatchObject({ fileName: 'pic.png', mimeType: 'image/png', size: PICTURE.length })
  expect(attachment).toMatchObject({ fileName: 'bytes.pdf', mimeType: 'application/pdf', size: 256 })
  expect(new Set([picture, attachment, content].map((file) => file!.cfreId)).size).toBe(3)

  const fetched = (cfreId: number) => desk.raw('GET', `/rest/core/corefile?cfreId=${cfreId}`)
  const image = await fetched(picture!.cfreId)
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(image.bytes.equals(PICTURE)).toBe(true)
  const file = await fetched(attachment!.cfreId)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(file.bytes.equals(EVERY_BYTE)).toBe(true)
  expect((await fetched(999_999_999)).status).toBe(404)
  expect((await desk.raw('GET', '/rest/core/corefile')).status).toBe(400)
})

describe('the content of an email', () => {
  const content = (eactId: number | string, headers = {}) =>
    desk.raw('GET', `/rest/svcems/emailcontent?eactId=${eactId}`, undefined, headers)

  test('is its HTML with its pictures, and without what could do harm [acc 201 by HTTP, SMTP]', async () => {
    await bring(illustrated('paula@pictures.example', 'Pictures of 201'))
    const [email] = await emailsOf(await caseNamed(desk, 'Pictures of 201'))
    const shown = await content(email!.eactId)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const base64 = PICTURE.toString('base64')
    expect(String(shown.body)).toBe(`<p>See <b>this</b>: <img src="data:image/png;base64,${base64}"></p>`)
    const asJson = await content(email!.eactId, { accept: 'application/json' })
    expect(asJson.body).toMatchObject({
      eactId: email!.eactId,
      subject: 'Pictures of 201',
      from: { address: 'paula@pictures.example' },
      to: [{ address: MAILBOX }],
      html: '<p>See <b>this</b>: <img src="cid:pic@pictures.example"></p>',
    })
    // It is stored as its file of type 17.
    const html = (asJson.body as { html: string }).html
    expect(filesOf(email!, 17)).toMatchObject([{ mimeType: 'text/html', size: Buffer.byteLength(html) }])
  })

  test('is its text where it has no HTML; and nothing but an email has one [acc 201 by HTTP, SMTP]', async () => {
    const text = 'Dear all,\n<b>this</b> is text, å é 漢.\n'
    await bring({ from: 'tom@text.example', subject: 'Text of 201', text })
    const found = await caseNamed(desk, 'Text of 201')
    const [email] = await emailsOf(found)
    const shown = await content(email!.eactId)
    expect(shown.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(String(shown.body).trimEnd()).toBe(text.trimEnd())
    expect(filesOf(email!, 17)).toMatchObject([{ mimeType: 'text/plain' }])
    for (const other of [found.eactId, sourcesOf(found, 14)[0]!, 999_999_999]) {
      expect((await content(other)).status).toBe(404)
    }
    expect((await content('')).status).toBe(400)
  })
})

/** What the contract says (§4.5): each email of a case with content and files. */
async function allCommunication(eactId: number) {
  const [found] = (await desk.raw('POST', '/rest/svcems/cases/search', { eactIds: [eactId] })).body as Case[]
  const ofCase = found!.links.filter(({ type, to }) => type === 14 && to.eactId === eactId)
  const sources = ofCase.map(({ from }) => from.eactId).join()
  const activities = (await desk.raw('GET', `/rest/svcems/activities?eactId=${sources}&getFiles=true`))
    .body as Activity[]
  expect(activities.every(({ activityType }) => activityType.eatyId === 21)).toBe(true)
  const threads = activities.map(async (conversation) => {
    const filter = { eactIds: [conversation.eactId], linkTypes: [13], linkDirection: 'FROM' }
    const body = { activityLinkFilters: [filter], getFiles: true }
    const emails = (await desk.raw('POST', '/rest/svcems/activities/search', body)).body as Activity[]
    // The same, by the links of the conversation.
    expect(emails.map((email) => email.eactId).reverse()).toEqual(sourcesOf(conversation, 13))
    return Promise.all(
      emails.map(async (email) => {
        const content = await desk.raw('GET', `/rest/svcems/emailcontent?eactId=${email.eactId}`)
        const files = [...filesOf(email, 1), ...filesOf(email, 2)].map(async ({ cfreId, fileName }) => {
          const { bytes } = await desk.raw('GET', `/rest/core/corefile?cfreId=${cfreId}`)
          return [fileName, bytes.toString('base64')] as const
        })
        return { subject: email.subject, content: String(content.body).trim(), files: await Promise.all(files) }
      }),
    )
  })
  return (await Promise.all(threads)).flat()
}

test('all communication of a case is read by its links [acc 225, 226, 227 by HTTP, IMAP, SMTP]', async () => {
  const subject = 'Communication of 225'
  // The first one comes into our mailbox, from where it is fetched.
  await putIntoMailbox('first-of-225', { ...illustrated('carl@comms.example', subject), id: 'first@comms.example' })
  const search = () => desk.client.ask('POST /rest/svcems/cases/search', { body: { text: subject } })
  await expect.poll(search).toHaveLength(1)
  const { eactId, seqNo } = await caseNamed(desk, subject)
  await bring({
    from: 'carl@comms.example',
    subject: `Re: ${subject}`,
    text: 'The second.',
    answers: 'first@comms.example',
  })
  const send = (address: string, title: string, files: { cfreId: number }[] = []) => {
    const body = { activity: { eactId }, to: [{ address }], subject: title, text: `About ${title}.`, files }
    return desk.client.ask('POST /rest/svcems/emails', { body })
  }
  const form = new FormData()
  form.append('files', new Blob([EVERY_BYTE]), 'bill.pdf')
  const uploaded = await desk.raw('POST', `/rest/core/corefile?tblId=35007&type=3&id=${eactId}`, form)
  const [{ cfreId }] = uploaded.body as [{ cfreId: number }]
  await send('carl@comms.example', 'Our answer', [{ cfreId }])
  await send('court@comms.example', 'Our question')
  // Another case with its own, which is not of ours.
  await bring({ from: 'dora@comms.example', subject: 'Communication of another' })

  const all = await allCommunication(eactId)
  expect(all).toHaveLength(4)
  const [picture, bytes] = [PICTURE.toString('base64'), EVERY_BYTE.toString('base64')]
  expect(all).toEqual(
    expect.arrayContaining([
      {
        subject,
        content: `<p>See <b>this</b>: <img src="data:image/png;base64,${picture}"></p>`,
        files: [
          ['pic.png', picture],
          ['bytes.pdf', bytes],
        ],
      },
      { subject: `Re: ${subject}`, content: 'The second.', files: [] },
      { subject: `[#${seqNo}] Our answer`, content: 'About Our answer.', files: [['bill.pdf', bytes]] },
      { subject: `[#${seqNo}] Our question`, content: 'About Our question.', files: [] },
    ]),
  )
  await expect.poll(() => sentMails().filter((mail) => mail.includes(`[#${seqNo}]`))).toHaveLength(2)
})
