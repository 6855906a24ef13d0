/** Emails in the charsets of Europe, said and unsaid, with what a person must read in them. */
import { TextDecoder } from 'node:util'
import { multipart } from './ugly-mails.ts'

/** One of them. */
export interface WrittenMail {
  readonly name: string
  readonly raw: Buffer
  readonly words: string
}

const WORDS = {
  danish: 'Smørrebrød på åen',
  polish: 'Zażółć gęślą jaźń',
  russian: 'Привет, должник',
  greek: 'Καλημέρα κόσμε',
  turkish: 'Işık ve gölge',
  estonian: 'Võlgnik täna õhtul',
  latvian: 'Jānis šodien',
} as const

/** Charset → what is written in it. The names are those of the Encoding Standard, which decodes them here. */
const CHARSETS: Readonly<Record<string, keyof typeof WORDS>> = {
  'utf-8': 'danish',
  'iso-8859-1': 'danish',
  'iso-8859-15': 'estonian',
  'windows-1252': 'danish',
  macintosh: 'danish',
  'iso-8859-2': 'polish',
  'windows-1250': 'polish',
  'iso-8859-5': 'russian',
  'windows-1251': 'russian',
  'koi8-r': 'russian',
  ibm866: 'russian',
  'iso-8859-7': 'greek',
  'windows-1253': 'greek',
  'iso-8859-9': 'turkish',
  'windows-1254': 'turkish',
  'windows-1257': 'latvian',
  'iso-8859-13': 'latvian',
}

/** The bytes of a text in a charset of one byte a letter: its decoder, turned around. */
function bytesIn(charset: string, text: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text)
  const decoder = new TextDecoder(charset)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Buffer.from(
    Array.from(text, (letter) => {
      const byte = bytes.get(letter)
      if (byte === undefined) throw new Error(`${charset} has no ${letter}`)
      return byte
    }),
  )
}

const CODINGS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  '8bit': (bytes) => bytes.toString('latin1'),
  'quoted-printable': (bytes) =>
    Array.from(bytes, (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  base64: (bytes) => bytes.toString('base64'),
}

type Part = (said: boolean, charset: string, words: string) => { readonly type: string; readonly text: string }

const saying = (type: string, said: boolean, charset: string) => (said ? `${type}; charset=${charset}` : type)
const plain: Part = (said, charset, words) => ({ type: saying('text/plain', said, charset), text: words })
const page: Part = (said, charset, words) => ({ type: saying('text/html', said, charset), text: `<p>${words}</p>` })
const meta: Part = (_, charset, words) => {
  return { type: 'text/html', text: `<html><head><meta charset="${charset}"></head><p>${words}</p></html>` }
}

/** All of them: over 300. */
export function writtenMails(): WrittenMail[] {
  const mails: WrittenMail[] = []
  const add = (name: string, charset: string, part: Part, said: boolean) => {
    const words = WORDS[CHARSETS[charset]!]
    for (const [coding, encode] of Object.entries(CODINGS)) {
      const { type, text } = part(said, charset, words)
      const lines = [
        `Content-Type: ${type}`,
        `Content-Transfer-Encoding: ${coding}`,
        '',
        encode(bytesIn(charset, text)),
      ]
      const other = ['Content-Type: text/plain; charset=us-ascii', '', 'and more']
      const bodies = { alone: lines, 'beside another': multipart('m', other, lines) }
      for (const [where, body] of Object.entries(bodies)) {
        const place = mails.length
        const head = [`From: written${place}@debtor.example`, 'To: help@us.example', `Subject: letters ${place}`]
        const all = [...head, `Message-ID: <written${place}@debtor.example>`, 'MIME-Version: 1.0', ...body]
        const raw = Buffer.from(all.join('\r\n'), 'latin1')
        mails.push({ name: `${charset} ${name}, ${coding}, ${where}`, raw, words })
      }
    }
  }
  for (const charset of Object.keys(CHARSETS)) {
    add('in a text', charset, plain, true)
    add('in a page', charset, page, true)
    if (charset !== 'utf-8') add('said by the page alone', charset, meta, false)
  }
  for (const charset of ['utf-8', 'windows-1252']) {
    add('unsaid in a text', charset, plain, false)
    add('unsaid in a page', charset, page, false)
  }
  return mails
}
