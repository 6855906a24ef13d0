/** Malformed emails through the real intake: none is lost, none breaks the intake (F-E15, G22). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAIL_TAGS, safeHtml } from '../../../src/mail-format/safe-html.ts'
import type { StoredMail } from '../../../src/ports/mail.ts'
import { OURS } from '../../store/mail/mail-world.ts'
import { uglyMails } from './mail-corpus.ts'
import { MAILBOXES, openIntakeWorld } from './mail-intake-world.ts'

let world: Awaited<ReturnType<typeof openIntakeWorld>>
beforeAll(async () => {
  world = await openIntakeWorld()
})
afterAll(() => world.close())

const bytesOf = async (storage: Parameters<typeof world.fileStore.read>[0]) =>
  Buffer.concat((await (await world.fileStore.read(storage))!.toArray()) as Buffer[])

/** Everything that a person can find of it. */
async function allOf(mail: StoredMail) {
  const files = await Promise.all(mail.files.map(async (file) => ({ ...file, bytes: await bytesOf(file.storage) })))
  return { files, text: [mail.text, ...files.map(({ bytes }) => bytes.toString('latin1'))].join('\n') }
}

test('F-E15: each of 100 and more malformed emails is stored with its words, and none is answered', async () => {
  const mails = uglyMails()
  expect(mails.length).toBeGreaterThan(100)
  const wrong: string[] = []
  for (const { name, raw, words } of mails) {
    const kept = await world.intake.take(raw, MAILBOXES[0]!, 'somebody@debtor.example')
    if (kept.outcome !== 'kept') {
      wrong.push(`${name}: ${kept.outcome}`)
      continue
    }
    const found = await world.mails.find(kept.activity, [OURS])
    const { files, text } = await allOf(found!)
    const content = files.find(({ kind }) => kind === 'email content')
    if (!content) wrong.push(`${name}: it has no content`)
    else if (content.mimeType === 'text/html') {
      const shown = content.bytes.toString('utf8')
      if (safeHtml(shown, MAIL_TAGS) !== shown) wrong.push(`${name}: its HTML is not safe`)
    }
    if (words !== undefined && !text.includes(words)) wrong.push(`${name}: its words are lost`)
    const whole = files.find(({ fileName }) => fileName === 'email.eml')
    if (
      whole &&
      whole.mimeType === 'message/rfc822' &&
      /could not be read/.test(found!.text) &&
      !whole.bytes.equals(raw)
    ) {
      wrong.push(`${name}: it is not as it came`)
    }
    for (const { fileName } of files) {
      if (!/^(?!\.*$)[^/\\\p{Cc}]{1,200}$/u.test(fileName)) wrong.push(`${name}: a file is called ${fileName}`)
    }
    // Each email has another sender: none belongs to the thread of another.
    if (!kept.automatic && kept.case === undefined) wrong.push(`${name}: it opened no case`)
  }
  expect(wrong).toEqual([])
  expect(await world.rows('select count(*) from outgoing_emails')).toEqual([{ count: 0 }])
  expect(await world.rows('select count(*) from emails')).toEqual([{ count: mails.length }])
})
