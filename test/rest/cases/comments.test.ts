/** Comments on cases: displaying them is harmless (D-22, F-J2). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CaseWorld, openCaseWorld } from './case-world.ts'

let world: CaseWorld
let eactId: number

beforeAll(async () => {
  world = await openCaseWorld()
  eactId = (await world.create()).eactId
})
afterAll(() => world.close())

describe('a comment', () => {
  test('is returned, and part of the case', async () => {
    const { status, body } = await world.comment(eactId, '<p>Paid on <b>Friday</b>.</p>')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      text: '<p>Paid on <b>Friday</b>.</p>',
      activity: { eactId },
      creator: null,
      internal: true,
      external: false,
    })
    const read = await world.read(eactId)
    expect(read.texts).toEqual([body])
    expect([read.updateTs, read.internalUpdateTs, read.externalUpdateTs]).toEqual([read.updateTs, read.updateTs, null])
    expect(Date.parse(read.updateTs)).toBeGreaterThan(Date.parse(read.creationTs))
  })

  test('from outside reopens a closed case, and one of ours does not', async () => {
    const closed = (await world.create({ status: 2 })).eactId
    await world.comment(closed, 'note')
    expect((await world.read(closed)).status).toBe(2)
    const reply = await world.comment(closed, 'reply', { external: true })
    expect(reply.body).toMatchObject({ internal: false, external: true })
    const read = await world.read(closed)
    expect(read).toMatchObject({ status: 1, emsStatus: { internalStatus: 1 } })
    expect(read.externalUpdateTs).not.toBeNull()
  })

  test('is refused if it shows nothing, is too long, or is about an unknown case', async () => {
    const nothing = [
      '',
      '  ',
      '<p> </p>',
      '<script>alert(1)</script>',
      '<img src="https://spy.example/x.gif">',
      '\u200b'.slice(1),
    ]
    for (const text of nothing) expect((await world.comment(eactId, text)).status, text).toBe(400)
    expect((await world.comment(eactId, 'é'.repeat(32_768))).status).toBe(200)
    expect((await world.comment(eactId, 'é'.repeat(32_769))).status).toBe(400)
    expect((await world.comment(999_999, 'x')).status).toBe(404)
    expect((await world.comment(eactId, '<img src="cid:photo@1">')).body.text).toContain('cid:photo@1')
  })
})

/** Ways in which HTML becomes active. Each is tried in different surroundings. */
const HARM = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="cid:a" onerror="alert(1)">',
  '<b onmouseover=alert(1)>x</b>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<style>@import "//evil.example/x.css"; body{display:none}</style>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<object data="//evil.example"></object><embed src="//evil.example">',
  '<form action="//evil.example"><input name=p><button formaction="javascript:alert(1)">x</button></form>',
  '<base href="//evil.example/"><meta http-equiv=refresh content="0;url=//evil.example">',
  '<link rel=stylesheet href="//evil.example/x.css">',
  '<!--<img src="--><img src=x onerror=alert(1)//">',
  '<template><img src=x onerror=alert(1)></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '<table background="javascript:alert(1)"><td background="javascript:alert(1)">x</table>',
  '<details open ontoggle=alert(1)>x</details><video><source onerror=alert(1)></video>',
  '<xss id=x tabindex=1 onfocus=alert(1)></xss>',
]
const AROUND = [
  (harm: string) => harm,
  (harm: string) => `<p>before ${harm} after</p>`,
  (harm: string) => `<blockquote><ul><li>${harm}`,
  (harm: string) => `<<b>${harm}</b`,
  (harm: string) => `<b title="${harm}">${harm}</b>`,
  (harm: string) => harm.toUpperCase(),
]
const ALLOWED = new Set(
  'p br b i u strong em ul ol li a blockquote code pre table caption colgroup col thead tbody tfoot tr td th img'.split(
    ' ',
  ),
)

test('no HTML becomes active in any place: the result has listed tags only (F-J2)', async () => {
  const texts = HARM.flatMap((harm) => AROUND.map((around) => `seen ${around(harm)}`))
  // Many in one comment each: an opening tag of one may be closed by another.
  for (let first = 0; first < texts.length; first += 30) {
    const { status, body } = await world.comment(eactId, texts.slice(first, first + 30).join('\n'))
    expect(status).toBe(200)
    check(body.text)
  }
  for (const { text } of (await world.read(eactId)).texts) check(text)
  const { rows } = await world.pools.jobs.query<{ original: string }>('select original from case_texts order by id')
  expect(rows.some(({ original }) => original.includes('<script>'))).toBe(true)
})

/** Reads it as a browser would: every `<` begins a tag of the list, with attributes of the list. */
function check(html: string) {
  for (const [, rest = ''] of html.matchAll(/<([^>]*>?)/g)) {
    const [, name = '', attributes = ''] = /^\/?([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)>$/.exec(rest) ?? []
    expect(ALLOWED.has(name), `<${rest}`).toBe(true)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      expect(['href', 'src', 'alt', 'rel', 'width', 'height', 'colspan', 'rowspan']).toContain(attribute)
      if (attribute === 'href') expect(value).toMatch(/^(https?:|mailto:)/)
      if (attribute === 'src') expect(value).toMatch(/^cid:/i)
    }
  }
}
