import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainFileName } from '../../../src/adapters/mail/attachments.ts'
import { readMail } from '../../../src/adapters/mail/parse-mail.ts'
import { automaticBecause } from '../../../src/cases/automatic-mail.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import { email, HEAD, multipart, nested, withFile } from './ugly-mails.ts'

const clock = new RealClock()
const read = (raw: Buffer) => readMail(raw, clock)
const plain = ['Content-Type: text/plain', '', 'Hello']

describe('an email', () => {
  test('has its sender, recipients, date and the Message-IDs that it answers', async () => {
    const mail = await read(
      email(
        ...HEAD,
        'Cc: team: Anna <Anna@us.example>, ben@us.example;, nobody',
        'In-Reply-To: <two@us.example>',
        'References: <zero@us.example>',
        '\t<two@us.example>',
        ...plain,
      ),
    )
    expect(mail).toMatchObject({
      messageId: 'one@debtor.example',
      inReplyTo: ['two@us.example'],
      subject: 'My invoice',
      text: 'Hello',
      references: ['zero@us.example', 'two@us.example'],
      from: { address: 'petra@debtor.example', name: 'Petra' },
      to: [{ address: 'help@us.example', name: '' }],
      cc: [{ address: 'anna@us.example', name: 'Anna' }, { address: 'ben@us.example' }],
      dateAtMs: Date.parse('2026-11-22T09:00:00Z'),
      html: undefined,
      files: [],
      trouble: undefined,
    })
  })

  test('has the same fingerprint by either route, and another one for other content', async () => {
    const first = await read(email('Received: from a', ...HEAD, ...plain))
    const second = await read(email('Received: from b', 'X-Spam: no', ...HEAD, ...plain))
    const third = await read(email(...HEAD, ...plain, 'more'))
    expect(second.fingerprint).toBe(first.fingerprint)
    expect(third.fingerprint).not.toBe(first.fingerprint)
  })

  test('has safe HTML without tracking pixels, and its pictures are inline images', async () => {
    const html =
      '<p onclick="x()">Hi<script>alert(1)</script><img src="cid:logo@x"><img src="https://spy.example/p.gif">'
    const picture = (id: string) => [
      ...['Content-Type: image/png; name="logo.png"', `Content-ID: <${id}>`, 'Content-Disposition: inline'],
      ...['Content-Transfer-Encoding: base64', '', 'iVBORw0KGgo='],
    ]
    const mail = await read(
      email(...HEAD, ...multipart('m', ['Content-Type: text/html', '', html], picture('logo@x'), picture('other@x'))),
    )
    expect(mail.html?.trim()).toBe('<p>Hi<img src="cid:logo@x"></p>')
    expect(mail.text.trim()).toBe('Hi')
    expect(mail.files.map(({ kind, contentId }) => [kind, contentId])).toEqual([
      ['inline image', 'logo@x'],
      ['attachment', 'other@x'],
    ])
    expect(mail.files[0]?.bytes).toHaveLength(8)
  })
})

describe('ugly emails', () => {
  test.each([
    ['nothing at all', Buffer.alloc(0)],
    ['no head', email('', 'text')],
    ['no end of its head', email('Subject: x')],
    ['zero bytes', Buffer.alloc(10_000)],
    ['random bytes', Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256))],
    ['a boundary that is never met', email(...HEAD, 'Content-Type: multipart/mixed; boundary="x"', '', 'text')],
    ['a boundary without a value', email(...HEAD, 'Content-Type: multipart/mixed', '', '--', 'text', '----')],
    ['an unknown charset', email(...HEAD, 'Content-Type: text/plain; charset="klingon-8"', '', 'text')],
    ['an unknown encoding', email(...HEAD, 'Content-Transfer-Encoding: rot13', '', 'text')],
    ['broken base64', email(...HEAD, 'Content-Transfer-Encoding: base64', '', '=?=?====!!!')],
    ['broken words in its head', email('Subject: =?utf-8?B?////?= =?x?Q?=ZZ?=', 'From: =?utf-8?Q?<a@b>', '', 'x')],
    ['a date of no calendar', email('Date: 99 Foo 99999 99:99', ...HEAD, '', 'x')],
    ['a date beyond the calendar', email('Date: Sun, 22 Nov 275760 10:00:00 +0000', '', 'x')],
  ])('%s is read without an error', async (_, raw) => {
    const mail = await read(raw)
    expect(mail.sizeBytes).toBe(raw.length)
    expect(mail.fingerprint).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each([
    ['latin-1', 'ISO-8859-1', 'f\xfcr', 'für'],
    ['windows-1257', 'windows-1257', 'J\xe2nis', 'Jānis'],
    ['utf-8 that is not', 'utf-8', 'f\xfcr', 'für\n'],
    ['koi8-r', 'koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'],
  ])('text in %s is read', async (_, charset, bytes, text) => {
    const mail = await read(email(...HEAD, `Content-Type: text/plain; charset=${charset}`, '', bytes))
    expect(mail.text).toBe(text)
  })

  test('given deeply nested multiparts, the email is read or stored whole, and quickly', async () => {
    expect((await read(nested(50))).text.trim()).toBe('at the bottom')
    const deep = await read(nested(5_000))
    expect(deep).toMatchObject({ subject: 'My invoice', messageId: 'one@debtor.example' })
    expect(deep.trouble).toBeTypeOf('string')
    expect(deep.files[0]).toMatchObject({ fileName: 'email.eml', bytes: nested(5_000) })
  })

  test('given 10,000 parts, the email is stored whole under its own subject (F-E15)', async () => {
    const parts = Array.from({ length: 10_000 }, () => ['Content-Type: text/plain', '', 'x'])
    const mail = await read(email(...HEAD, ...multipart('m', ...parts)))
    expect(mail).toMatchObject({ subject: 'My invoice', from: { address: 'petra@debtor.example' } })
    expect(mail.files.map(({ fileName }) => fileName)).toEqual(['email.eml'])
    expect(mail.text).toMatch(/could not be read/)
  })

  test('given a head without end, the email is stored whole', async () => {
    const mail = await read(email(...HEAD, `X-Long: ${'x'.repeat(2_000_000)}`, '', 'text'))
    expect(mail.trouble).toBeTypeOf('string')
    expect(mail.files).toHaveLength(1)
  })

  test('given 25 MB, all of it is there', async () => {
    const bytes = 18 * 1024 * 1024
    const mail = await read(withFile(bytes))
    expect(mail.text.trim()).toBe('see file')
    expect(mail.files[0]?.bytes.length).toBe(bytes)
  })

  test('given 3 MB in no charset, the email is kept whole rather than mended: others wait', async () => {
    const raw = email(...HEAD, 'Content-Type: text/plain', '', 'Sm\xf8r '.repeat(500_000))
    const { trouble, files } = await read(raw)
    expect(trouble).toBe('letters of it could not be read')
    expect(files.map(({ fileName, bytes }) => [fileName, raw.equals(bytes)])).toEqual([['email.eml', true]])
  })

  test('given line breaks within a header value, no header is injected', async () => {
    const mail = await read(
      email('Subject: =?utf-8?Q?a=0D=0ABcc:_all@x.example?=', 'From: =?utf-8?Q?P=0D=0AX:_y?= <p@x.example>', '', 'x'),
    )
    expect(mail.subject).toBe('a Bcc: all@x.example')
    expect(mail.from?.name).not.toMatch(/[\r\n]/)
    expect([...mail.headers.keys()]).toEqual(['subject', 'from'])
  })

  test('winmail.dat is a file like any other', async () => {
    const part = ['Content-Type: application/ms-tnef; name="winmail.dat"', 'Content-Transfer-Encoding: base64']
    const mail = await read(email(...HEAD, ...multipart('m', plain, [...part, '', 'eJ8+IgA='])))
    expect(mail.files).toMatchObject([{ kind: 'attachment', fileName: 'winmail.dat', mimeType: 'application/ms-tnef' }])
  })

  test('an email within an email is part of what is read', async () => {
    const inner = ['Content-Type: message/rfc822', '', 'Subject: inner', 'From: a@x.example', '', 'inner text']
    const mail = await read(email(...HEAD, ...multipart('m', plain, inner)))
    expect(`${mail.text}${mail.files.map(({ fileName }) => fileName)}`).toMatch(/inner text|email/)
    expect(mail.subject).toBe('My invoice')
  })

  test('a delivery status notification belongs to the thread of its email and counts as automatic', async () => {
    const head = [...HEAD.filter((line) => !line.startsWith('From')), 'From: MAILER-DAEMON@mx.example']
    const original = [
      'Content-Type: text/rfc822-headers',
      '',
      'Message-ID: <m1@us.example>',
      'Subject: [#12] Your case',
    ]
    const report = ['Content-Type: message/delivery-status', '', 'Action: failed', 'Status: 5.1.1']
    const [type = '', ...rest] = multipart('m', plain, report, original)
    const mail = await read(email(...head, type.replace('mixed', 'report; report-type=delivery-status'), ...rest))
    expect(mail.references).toEqual(['m1@us.example'])
    const around = { isOurs: false, mailboxes: new Set<string>(), sameInLastHour: 0 }
    expect(automaticBecause({ ...mail, envelopeFrom: '', sender: mail.from?.address }, around)).toBeTypeOf('string')
  })

  test('a report with thousands of Message-IDs belongs to the first of them', async () => {
    const ids = Array.from({ length: 5_000 }, (_, at) => `Message-ID: <m${at}@us.example>`)
    const failed = ['Action: failed', 'Final-Recipient: rfc822; a@x.example']
    const report = ['Content-Type: message/delivery-status', '', ...failed]
    const original = ['Content-Type: text/rfc822-headers', '', ids[0]!, ...ids]
    const [type = '', ...rest] = multipart('m', plain, report, original)
    const answered = Array.from({ length: 200 }, (_, at) => `<r${at}@us.example>`).join('\r\n ')
    const head = [...HEAD, `References: ${answered}`, type.replace('mixed', 'report')]
    const { references, report: told } = await read(email(...head, ...rest))
    const first = [0, 1, 2, 3, 4].map((at) => `m${at}@us.example`)
    expect([references.length, references.slice(-5), told?.about]).toEqual([105, first, first])
  })

  test('given any changed bytes, the email is read without an error', async () => {
    const whole = email(...HEAD, ...multipart('m', plain, ['Content-Type: text/html; charset=utf-8', '', '<b>x</b>']))
    const change = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changes) => {
        const bytes = Buffer.from(whole)
        for (const [place, value] of changes) bytes[place] = value
        const mail = await read(bytes)
        expect(mail.html ?? '').not.toMatch(/<script|onerror/i)
      }),
      { numRuns: 150 },
    )
  })
})

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\system32\\cmd.exe', 'cmd.exe'],
  ['..', 'file'],
  ['.htaccess', 'htaccess'],
  ['a\r\nb\u0000c.txt', 'abc.txt'],
  ['invoice\u202egpj.exe', 'invoicegpj.exe'],
  ['a<b>|c?.pdf', 'abc.pdf'],
  [undefined, 'file'],
  [`${'x'.repeat(500)}.pdf`, `${'x'.repeat(146)}.pdf`],
])('the file name %j becomes %s', (given, name) => {
  expect(plainFileName(given, 'file')).toBe(name)
})
