/** Emails with encoded words that decode to no text: odd bytes, halves of characters, U+0000. */
import { type Random, randomInt, seededRandom } from '../../../src/kernel/random.ts'
import { email, HEAD } from './ugly-mails.ts'

const CHARSETS = [
  'utf-16le',
  'utf-16be',
  'utf-16',
  'utf-32le',
  'utf-32',
  'utf-7',
  'utf-8',
  'iso-2022-jp',
  'gb18030',
  'x-none',
]
/** Half a character, and nothing. */
const TORN = [Buffer.from([0x00, 0xd8]), Buffer.from([0xd8, 0x00]), Buffer.from([0, 0, 0, 0])]

/** As `count` broken or evil programs write them; each has a Message-ID of its own. */
export function tornMails(count: number, seed: number): Buffer[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const [from, to, cc, subject] = [address(random), address(random), address(random), word(random)]
    return email(
      ...HEAD.filter((line) => !/^(From|To|Subject|Message-ID)/.test(line)),
      `From: ${from}`,
      `To: help@us.example, ${to}`,
      `Cc: ${cc}`,
      `Subject: ${subject}`,
      `Message-ID: <torn-${seed}-${index}@x>`,
      '',
      `words ${index}`,
    )
  })
}

/** A word is the name, a part of the address, or all of it. */
function address(random: Random): string {
  const some = word(random)
  return [`${some} <a@b.example>`, `${some}@b.example`, some, `<${some}>`, `"${some}" <${some}@c.example>`][
    randomInt(random, 0, 4)
  ]!
}

function word(random: Random): string {
  const charset = CHARSETS[randomInt(random, 0, CHARSETS.length - 1)]
  const letters = Buffer.from('per@d\u00e6btor.example', charset === 'utf-16le' ? 'utf16le' : 'utf8')
  const bytes = Buffer.concat([
    letters.subarray(0, randomInt(random, 0, letters.length)),
    TORN[randomInt(random, 0, 2)]!,
  ])
  const noise = Buffer.from(Array.from({ length: randomInt(random, 0, 5) }, () => randomInt(random, 0, 255)))
  return `=?${charset}?B?${Buffer.concat([bytes, noise]).toString('base64')}?=`
}
