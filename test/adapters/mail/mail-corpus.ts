/** Emails as broken programs and attackers write them (F-E15): each has a name, and words that must survive. */

import { NASTY_NAMES } from '../files/nasty-names.ts'
import { HEAD, multipart } from './ugly-mails.ts'

/** One of them. */
export interface UglyMail {
  readonly name: string
  readonly raw: Buffer
  /** Stands in it somewhere; undefined where it says nothing. */
  readonly words: string | undefined
}

type Lines = readonly string[]

const plain = (words: string): Lines => ['Content-Type: text/plain', '', words]
const html = (words: string): Lines => ['Content-Type: text/html', '', `<p>${words}`]
const as = (type: string, lines: Lines): Lines => lines.map((line) => line.replace('multipart/mixed', type))
const within = (boundary: string, ...parts: readonly Lines[]): Lines => multipart(boundary, ...parts)

/** Bodies with their own `Content-` headers. */
const STRUCTURES: Readonly<Record<string, (words: string) => Lines>> = {
  'no type': (words) => ['', words],
  'a type that is none': (words) => ['Content-Type: text', '', words],
  'an empty type': (words) => ['Content-Type:', '', words],
  'two types': (words) => ['Content-Type: image/png', 'Content-Type: text/html', '', words],
  'a type without end': (words) => [`Content-Type: text/plain; ${'x=y; '.repeat(5_000)}`, '', words],
  'a calendar': (words) => ['Content-Type: text/calendar', '', 'BEGIN:VCALENDAR', words],
  'a program': (words) => ['Content-Type: application/x-msdownload; name=a.exe', '', words],
  'an external body': (words) => [
    'Content-Type: message/external-body; access-type=local-file; name=/etc/passwd',
    '',
    words,
  ],
  'a partial message': (words) => ['Content-Type: message/partial; number=1; total=99; id=x', '', words],
  'a winmail.dat': (words) => ['Content-Type: application/ms-tnef; name=winmail.dat', '', `\x78\x9f\x3e\x22${words}`],
  'an encrypted one': (words) =>
    as(
      'multipart/encrypted',
      within(
        'e',
        ['Content-Type: application/pgp-encrypted', '', 'Version: 1'],
        ['Content-Type: application/octet-stream', '', words],
      ),
    ),
  'a signed one': (words) =>
    as('multipart/signed', within('s', plain(words), ['Content-Type: application/pkcs7-signature', '', 'x'])),
  alternatives: (words) => as('multipart/alternative', within('a', plain('other'), html(words))),
  'alternatives that differ': (words) => as('multipart/alternative', within('a', plain(words), html('nothing of it'))),
  'an unknown kind of multipart': (words) => as('multipart/x-new', within('u', plain(words))),
  'related, alternative and mixed in each other': (words) =>
    within(
      'm',
      as('multipart/related', within('r', as('multipart/alternative', within('a', plain(words), html('b'))))),
    ),
  'no parts': (words) => ['Content-Type: multipart/mixed; boundary=b', '', words, '--b--', ''],
  'no end': (words) => ['Content-Type: multipart/mixed; boundary=b', '', '--b', ...plain(words)],
  'its end first': (words) => [
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b--',
    '--b',
    ...plain(words),
    '--b--',
  ],
  'a boundary within a boundary': (words) => within('b', within('bb', plain(words)), plain('x')),
  'the same boundary inside': (words) => within('b', within('b', plain(words))),
  'an empty boundary': (words) => ['Content-Type: multipart/mixed; boundary=""', '', '--', ...plain(words), '----'],
  'a boundary of 1,000 letters': (words) => within('b'.repeat(1_000), plain(words)),
  'a boundary of strange letters': (words) => within("'()+_,-./:=? x", plain(words)),
  'a part without a head': (words) => within('b', ['', words]),
  'a part that is a head': (words) => within('b', [`X-Words: ${words}`], plain(words)),
  'parts of nothing': (words) => within('b', [], [''], plain(words), []),
  '100 parts': (words) => within('b', ...Array.from({ length: 100 }, () => plain(words))),
  '700 parts': (words) => within('b', ...Array.from({ length: 700 }, () => plain(words))),
  '300 files': (words) =>
    within('b', plain(words), ...Array.from({ length: 300 }, () => ['Content-Disposition: attachment', '', 'x'])),
  'an email in an email in an email': (words) =>
    Array.from({ length: 20 }).reduce<Lines>(
      (inner) => ['Content-Type: message/rfc822', '', 'Subject: inner', ...inner],
      plain(words),
    ),
  'HTML of 2,000,000 letters': (words) => [
    'Content-Type: text/html',
    '',
    words,
    `<b>${'x'.repeat(1_000)}</b>\r\n`.repeat(2_000),
  ],
  'HTML 50,000 deep': (words) => ['Content-Type: text/html', '', words, '<div>'.repeat(50_000)],
  'HTML of open comments': (words) => ['Content-Type: text/html', '', words, '<!--'.repeat(50_000)],
  'HTML of attributes': (words) => ['Content-Type: text/html', '', words, `<a ${'x=y '.repeat(10_000)}>z</a>`],
  'HTML of entities': (words) => [
    'Content-Type: text/html',
    '',
    words,
    '&#x26;&ampamp;&notin;&#99999999;'.repeat(1_000),
  ],
  'a line of 3 MB': (words) => ['Content-Type: text/plain', '', words + 'x'.repeat(3_000_000)],
  'format flowed': (words) => [
    'Content-Type: text/plain; format=flowed; delsp=yes',
    '',
    `> >${' '.repeat(5_000)}`,
    words,
  ],
  'dots and From lines': (words) => ['', '.', '..', 'From me', '>From you', words, '.'],
}

const CHARSETS = (
  'utf-8 utf8 UTF-16 utf-16be utf-16le utf-7 us-ascii iso-8859-1 iso-8859-8-i iso-8859-99 windows-1252 cp1251 cp437 ' +
  'macintosh koi8-u gb2312 gb18030 big5 shift_jis euc-jp euc-kr iso-2022-jp iso-2022-kr hz-gb-2312 x-user-defined ' +
  'binary "" "utf-8" =?utf-8?q?utf-8?= utf-8;utf-8 ../../etc/passwd __proto__ constructor'
).split(' ')
const CODINGS = '7bit 8bit binary base64 quoted-printable uuencode x-uue BASE64; 8bit,base64 __proto__'.split(' ')

/** Bytes that mean something else in every charset. */
const ODD_BYTES = '\x00\x1b$B\xff\xfe\xc0\xaf\xed\xa0\x80\x80=ZZ=\r\n=?x?=\x1b(B ~{<:Ky2;~}'

/** Headers that stand before all others. */
const HEADS: Readonly<Record<string, Lines>> = {
  'no sender': ['From:'],
  'a sender that is no address': ['From: "The <b>boss</b>" <not an address>'],
  senders: ['From: a@b.example, c@d.example', 'From: e@f.example', 'Sender: g@h.example'],
  'a sender of 100,000 letters': [`From: ${'x'.repeat(100_000)}@b.example`],
  'a sender with a second address in its name': ['From: "help@us.example" <mallory@evil.example>'],
  'a name with a line break': ['From: =?utf-8?q?Bcc:_x=0D=0ABcc:_victim@x.example?= <a@b.example>'],
  '5,000 recipients': [`To: ${Array.from({ length: 5_000 }, (_, place) => `p${place}@b.example`).join(', ')}`],
  'groups in groups': ['To: a: b: c@d.example;, e@f.example;;;', 'Cc: undisclosed-recipients:;'],
  'comments in comments': [`To: ${'('.repeat(2_000)}a@b.example`],
  'quotes that stay open': ['To: "a@b.example, c@d.example', 'Cc: <a@b.example'],
  'a subject of 100,000 letters': [`Subject: ${'x'.repeat(100_000)}`],
  'a subject in pieces': [`Subject: ${'=?utf-8?b?4oKs?= '.repeat(2_000)}`],
  'a subject cut in a letter': ['Subject: =?utf-8?b?4oI=?= =?utf-8?b?rA==?='],
  'a subject with a NUL and a bell': ['Subject: a\u0000b\u0007c\u001b[31m'],
  'a subject of bytes': ['Subject: \xff\xfe\xc0\x80'],
  'a subject with the numbers of cases': ['Subject: [#1][#2][#999999999999999999][#-1][#0x1][#1e9]'],
  'a date of no calendar': ['Date: 31 Feb 2026 25:61:61 +9999'],
  'a date before all dates': ['Date: Thu, 01 Jan 0000 00:00:00 +0000'],
  'two dates': ['Date: now', 'Date: then'],
  'an id without brackets': ['Message-ID: x y z'],
  'an id of 100,000 letters': [`Message-ID: <${'i'.repeat(100_000)}@x>`],
  'an id with a NUL': ['Message-ID: <a\u0000b@x>'],
  ids: ['Message-ID: <m1@x>', 'Message-ID: <m2@x>'],
  '5,000 references': [`References: ${Array.from({ length: 5_000 }, (_, place) => `<r${place}@x>`).join('\r\n ')}`],
  'references to itself': ['Message-ID: <self@x>', 'In-Reply-To: <self@x>', 'References: <self@x> <self@x>'],
  'a header without a colon': ['this is no header', 'Neither is this'],
  'a header without a name': [': nothing', ' : nothing'],
  'a name of a prototype': ['__proto__: x', 'constructor: y', 'toString: z'],
  '5,000 headers': Array.from({ length: 5_000 }, (_, place) => `X-${place}: y`),
  'a fold of 5,000 lines': [`X-Fold: a${'\r\n '.repeat(5_000)}b`],
  'bare line feeds': ['X-A: b\nSubject: injected\nBcc: victim@x.example'],
  'bare carriage returns': ['X-A: b\rSubject: injected\rBcc: victim@x.example'],
}

/** Headers of autoresponders. */
const LOOPS: Readonly<Record<string, Lines>> = {
  'an absence note': ['Auto-Submitted: auto-replied', 'Subject: Automatic reply: My invoice'],
  'an absence note of old programs': ['Precedence: bulk', 'X-Autoreply: yes'],
  'what asks for no answer': ['X-Auto-Response-Suppress: All'],
  'a list': ['List-Id: <news.example>', 'Precedence: list'],
  'our own address': ['From: help@us.example'],
  'a mail server': ['From: MAILER-DAEMON@mx.example'],
  'a loop': [...Array.from({ length: 50 }, () => 'Received: from us.example by us.example'), 'X-Loop: help@us.example'],
  'a notice of reading': ['Content-Type: multipart/report; report-type=disposition-notification; boundary=r'],
  'an abuse report': ['Content-Type: multipart/report; report-type=feedback-report; boundary=r'],
}

const asFile = (name: string, words: string): Lines =>
  within('f', plain('see file'), [
    ...['Content-Type: application/octet-stream', `Content-Disposition: attachment; filename="${name}"`, '', words],
  ])

/** All of them, each from another sender: no sender exceeds the hourly limit. */
export function uglyMails(): UglyMail[] {
  const mails: UglyMail[] = []
  const add = (name: string, before: Lines, body: (words: string) => Lines, hasWords = true) => {
    const place = mails.length
    const words = `words-${place}-end`
    const given = before.map((line) => line.split(':')[0]!.toLowerCase())
    const head = HEAD.map((line) => line.replace('petra@', `petra${place}@`).replace('<one@', `<ugly${place}@`))
    const own = head.filter((line) => !given.includes(line.split(':')[0]!.toLowerCase()))
    const lines = [...before, ...own, ...body(words)]
    mails.push({ name, raw: Buffer.from(lines.join('\r\n'), 'latin1'), words: hasWords ? words : undefined })
  }
  for (const [name, body] of Object.entries(STRUCTURES)) add(name, [], body)
  for (const charset of CHARSETS) {
    // In some charsets these are other letters.
    const isReadable = !/utf-?16|utf-7/i.test(charset)
    const type = `Content-Type: text/plain; charset=${charset}`
    add(
      `charset ${charset}`,
      [],
      (words) => [type, 'Content-Transfer-Encoding: 8bit', '', words, ODD_BYTES],
      isReadable,
    )
  }
  for (const coding of CODINGS) {
    // The words of an encoded email are not in its plain bytes.
    const isReadable = !/^(base64|uuencode|x-uue)/i.test(coding)
    add(`coding ${coding}`, [], (words) => [`Content-Transfer-Encoding: ${coding}`, '', words, ODD_BYTES], isReadable)
    add(
      `coding ${coding} of a multipart`,
      [`Content-Transfer-Encoding: ${coding}`],
      (words) => within('b', plain(words)),
      isReadable,
    )
  }
  for (const [name, before] of Object.entries(HEADS)) add(name, before, plain)
  for (const [name, before] of Object.entries(LOOPS)) {
    const isMultipart = before.some((line) => line.includes('boundary='))
    add(name, before, isMultipart ? (words) => within('r', plain(words)).slice(1) : plain)
  }
  const names = NASTY_NAMES.filter((name, place) => place % 60 === 0 && !/[\r\n]/.test(name))
  for (const name of names)
    add(`a file called ${JSON.stringify(name.slice(0, 40))}`, [], (words) => asFile(name, words))
  add('nothing but a head', [], () => [], false)
  return mails
}
