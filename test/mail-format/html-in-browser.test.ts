/** Foreign HTML in a real browser (F-J2, G22). */
import type { JSHandle, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMail } from '../../src/adapters/mail/parse-mail.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { COMMENT_TAGS, MAIL_TAGS, safeHtml } from '../../src/mail-format/safe-html.ts'
import { email, HEAD } from '../adapters/mail/ugly-mails.ts'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../support/browser.ts'
import { htmlPayloads, type Payload, PLAIN_PAYLOADS } from '../support/html-payloads.ts'

/** Of the page: `in-page.js`. */
interface Judge {
  open(html: string): Promise<unknown>
  poke(frame: unknown, events: readonly string[]): void
  hitsIn(frame: unknown): number
  placeOf(frame: unknown): string
  examine(results: readonly string[], rules: object, events: readonly string[]): Promise<{ frame: unknown }>
}
declare const judge: Judge

let browser: TestBrowser
beforeAll(async () => {
  browser = await testBrowser()
}, BROWSER_PATIENCE_MS)
afterAll(() => browser?.close())

const PAYLOADS = htmlPayloads()
/** Results that share a page. */
const TOGETHER = 50
const POKES = ['focus', 'mouseover', 'mouseenter', 'pointerover', 'keydown', 'error', 'load', 'toggle']

const rulesOf = (tags: ReadonlySet<string>) => ({
  // Browsers put a body into every table.
  tags: [...tags, 'tbody'],
  attributes: ['href', 'rel', 'src', 'alt', 'width', 'height', 'colspan', 'rowspan'],
  schemes: { href: ['http:', 'https:', 'mailto:'], src: ['cid:'] },
})

/** Opens one in a frame of its own. */
const open = (page: Page, html: string): Promise<JSHandle> => page.evaluateHandle((given) => judge.open(given), html)
const poke = (page: Page, frame: JSHandle) => page.evaluate((given) => judge.poke(given, []), frame)

/** Waits for a condition as long as it takes; `about` names it if it never holds. */
const comesTrue = (about: string, isTrue: () => unknown) =>
  expect.poll(isTrue, { interval: 5, message: about }).toBe(true)
const isAsked = (what: RegExp) => comesTrue(String(what), () => browser.asked.some((line) => what.test(line)))
const runsIn = (page: Page, frame: JSHandle, about: string) =>
  comesTrue(about, () => page.evaluate((given) => judge.hitsIn(given) > 0, frame))

/** Everything that the earlier frames started is done after this: the slowest path of each kind. */
async function letAllHappen(page: Page): Promise<void> {
  const own = 'http://control.example/'
  await open(
    page,
    `<link rel=prefetch href=${own}a><style>@import url(${own}b)</style><p style="background:url(${own}c)">`,
  )
  await open(page, `<meta http-equiv=refresh content="0;url=${own}d">`)
  const runs = await open(page, '<svg><set onbegin=hit() attributeName=x dur=1s></svg>')
  await runsIn(page, runs, 'an animation begins')
  for (const name of ['a', 'b', 'c', 'd']) await isAsked(new RegExp(`control\\.example/${name}`))
}

/** Shows cleaned results, touches everything in them, and returns the violations. */
async function wrongWith(results: readonly string[], tags: ReadonlySet<string>): Promise<unknown[]> {
  const page = await browser.page()
  const asked = browser.asked.length
  const wrong: unknown[] = []
  const frames: JSHandle[] = []
  const unique = [...new Set(results)]
  for (let from = 0; from < unique.length; from += TOGETHER) {
    const given = [unique.slice(from, from + TOGETHER), rulesOf(tags), POKES] as const
    const examined = await page.evaluateHandle((all) => judge.examine(...all), given)
    wrong.push(...((await (await examined.getProperty('wrong')).jsonValue()) as unknown[]))
    frames.push(await examined.getProperty('frame'))
  }
  await letAllHappen(page)
  for (const frame of frames) {
    const [hits, place] = await page.evaluate((given) => [judge.hitsIn(given), judge.placeOf(given)], frame)
    if (hits !== 0) wrong.push(`a script ran ${hits} times`)
    if (place !== 'about:srcdoc') wrong.push(`a page went to ${place}`)
  }
  if (page.url() !== 'about:blank') wrong.push(`the outermost page went to ${page.url()}`)
  wrong.push(...browser.asked.slice(asked).filter((line) => !line.includes('//control.example/')))
  await page.close()
  return wrong
}

test('F-J2: none of 1,000 payloads and more runs, fetches, navigates or leaves its place', async () => {
  expect(PAYLOADS.length).toBeGreaterThan(1_000)
  for (const tags of [COMMENT_TAGS, MAIL_TAGS]) {
    const results = PAYLOADS.map((html) => safeHtml(html, tags))
    expect(results.map((html) => safeHtml(html, tags))).toEqual(results)
    expect(await wrongWith(results, tags)).toEqual([])
  }
})

test('F-J2: the same holds in an email, in every format', async () => {
  const clock = new RealClock()
  const results: string[] = []
  for (const [place, html] of PAYLOADS.filter((_, place) => place % 15 === 0).entries()) {
    const { type, encoding, bytes } = WAYS[place % WAYS.length]!(html)
    const head = [`Content-Type: text/html; charset=${type}`, `Content-Transfer-Encoding: ${encoding}`, '', '']
    const mail = await readMail(Buffer.concat([email(...HEAD, ...head), bytes]), clock)
    const trouble = mail.html?.includes('\uFFFD') ? 'letters of it could not be read' : undefined
    expect([mail.trouble, mail.subject]).toEqual([trouble, 'My invoice'])
    results.push(mail.html ?? '')
  }
  expect(results.filter((html) => html.length > 0).length).toBeGreaterThan(results.length / 2)
  expect(await wrongWith(results, MAIL_TAGS)).toEqual([])
})

const quoted = (bytes: Buffer) => [...bytes].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
/** HTML as programs send it, and as attackers send it to be read otherwise. */
const WAYS: readonly ((html: string) => {
  readonly type: string
  readonly encoding: string
  readonly bytes: Buffer
})[] = [
  (html) => ({ type: 'utf-8', encoding: '8bit', bytes: Buffer.from(html) }),
  (html) => ({ type: 'utf-8', encoding: 'base64', bytes: Buffer.from(Buffer.from(html).toString('base64')) }),
  (html) => ({
    type: 'utf-16le',
    encoding: 'base64',
    bytes: Buffer.from(Buffer.from(html, 'utf16le').toString('base64')),
  }),
  (html) => {
    const lines = quoted(Buffer.from(html)).map((sign, place) => (place % 20 === 19 ? `${sign}=\r\n` : sign))
    return { type: 'utf-8', encoding: 'quoted-printable', bytes: Buffer.from(lines.join('')) }
  },
  (html) => ({ type: 'iso-2022-jp', encoding: '7bit', bytes: Buffer.from(`\u001b$B\u001b(B${html}`, 'latin1') }),
  (html) => ({ type: 'utf-7', encoding: '7bit', bytes: Buffer.from(html.replaceAll('<', '+ADw-'), 'latin1') }),
]

/** Proof that the tests above detect violations. */
describe('control: without the cleaner', () => {
  test('each payload acts, and is detected', async () => {
    const page = await browser.page()
    const seen = async ({ html, does }: Payload) => {
      const frame = await open(page, html)
      if (does.endsWith('when poked')) await poke(page, frame)
      if (does.startsWith('runs')) await runsIn(page, frame, html)
      else await isAsked(new RegExp(`${/canary\.example\/\d*/.exec(html)?.[0]}\\b`))
    }
    await Promise.all(PLAIN_PAYLOADS.filter(({ does }) => does !== 'nothing').map(seen))
    await page.close()
  })

  test('a forbidden tag, attribute, link and closing tag are detected', async () => {
    const page = await browser.page()
    const bad = [
      '<form>x</form>',
      '<b class=x>x</b>',
      '<a href="ftp://x.example/">x</a>',
      '</section>x',
      '<math>x</math>',
    ]
    for (const html of bad) {
      const given = [[html, 'x'], rulesOf(MAIL_TAGS), POKES] as const
      const examined = await page.evaluateHandle((all) => judge.examine(...all), given)
      expect(await (await examined.getProperty('wrong')).jsonValue()).not.toEqual([])
    }
    await page.close()
  })
})
