/** The longest hostile texts that a call can have, at the desk while its agent works, and on the page of the call. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../../src/client/client.ts'
import { tokenOf } from '../../app/service-process.ts'
import { SYSTEM_CODE } from '../../e2e/campaign-live.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { signIn } from '../console-place.ts'
import { LOOK } from '../hostile-look.ts'
import { auditOf, picture, watched } from '../page-checks.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'

/** What the node takes: of a name, a field, a note, a summary; and what somebody may paste. */
const MOST = { name: 255, field: 1_000, note: 1_000, summary: 10_000, pasted: 65_536 }
const FIELDS = 50
/** Repeated until a field is full. */
const KINDS: readonly string[] = [
  ...['<script>hit()</script>', '"><img src=x onerror=hit()>', '</dl></section><style>*{display:none}</style>'],
  ...['\u202egnp.exe \u2067', 'a\u200bb\u200d\u2060', '\u0301\u0489\u0e47', 'Z\u0300\u0315\u031b\u0321\u0330'],
  ...[
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}',
    '\ufdfd',
    '\u{12031}',
  ],
  ...['W', '名', 'שלום ', 'مرحبا', '\u2400\\u0000%00', '$' + '{hit()}{{hit()}}<%= hit() %>', 'a\n\n\t', '{name}'],
  ...[
    '*{position:fixed;inset:0}',
    'javascript:hit() ',
    '=HYPERLINK("http://canary.example/")',
    '&lt;b&gt;&#0;',
    '\u3164',
  ],
]
const full = (at: number, most: number) =>
  `#${at};${KINDS[at % KINDS.length]!.repeat(most)}`.slice(0, most).toWellFormed()
/** What is seen of a text: no signs for what is hidden, no marks, no blanks. */
const seen = (text: string) =>
  text.normalize('NFD').replaceAll(/[\s␣…\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')

let place: DeskPlace
let page: Page
let outcomes: number[]
const faults: string[] = []
const fields = Array.from({ length: FIELDS }, (_, at) => full(at, MOST.field))
const note = full(3, 300) + full(6, 300) + full(0, MOST.note - 600)
const name = full(9, MOST.name)

beforeAll(async () => {
  place = await openDeskPlace()
  page = await openPage()
  const callCode = await place.campaign({ dialMode: 'preview', wrapUpSeconds: 600 }, [
    { name: full(13, 64), key: '1' },
    { name: full(7, 64), key: '2' },
  ])
  const catalogue = await place.client.ask('GET /dialer/callcode/{callCode}/outcomes', {
    params: { callCode: String(callCode) },
  })
  outcomes = catalogue.map(({ outcomeId }) => outcomeId)
  const properties = []
  for (const [at, value] of fields.entries()) {
    const { emprId } = await place.client.ask('POST /rest/svcems/infofields', { body: { name: full(at, 100) } })
    properties.push({ emprId, value })
  }
  const callTask = { callReceiverName: name, callNumberList: ['+4520123401'], properties }
  const attempts = { maxCallAttempts: 3, minCallIntervalHours: 0 }
  const body = { systemCode: SYSTEM_CODE, callCode, ...attempts, callTasks: [callTask] }
  expect((await place.client.ask('POST /svcdialer/calltaskimport', { body })).callTaskErrors).toEqual([])
  await place.desk(page)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

/** A page that counts the scripts that ran in it. */
async function openPage(): Promise<Page> {
  const made = await place.browser.page()
  await made.addInitScript('globalThis.ran = []; globalThis.hit = () => ran.push("hit")')
  await made.emulateMedia({ reducedMotion: 'reduce' })
  watched(made, faults)
  return made
}

const contact = () => page.getByRole('region', { name: 'Contact' })
const noteField = () => page.getByRole('textbox', { name: 'Note' })
const { becomes } = atDesk(
  () => page,
  () => place,
)
const topOf = async (of: ReturnType<Page['getByRole']>) => (await of.boundingBox())!.y

/** Nothing ran, nothing is wider than the window, nothing lies over what is pressed. */
async function looksRight(name: string): Promise<void> {
  for (const width of [390, 1440]) {
    await picture(page, `desk-hostile-${name}-${width}`, width)
    const wrong = async () => ((await page.evaluate(LOOK)) as { readonly wrong: string[] }).wrong
    await expect.poll(wrong, { ...SOON, message: `${name} at ${width}` }).toEqual([])
  }
}

test('fifty full fields leave the outcomes where they are, and each is read whole on request', async () => {
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await page.getByRole('button', { name: 'Call now' }).press('Enter')
  await becomes('talking')
  await expect.poll(() => contact().getByRole('term').count(), SOON).toBeGreaterThan(FIELDS)
  await looksRight('talking')
  expect(await auditOf(page)).toEqual([])
  expect(await topOf(page.getByRole('radio').first())).toBeLessThan(400)
  await page.setViewportSize({ width: 390, height: 900 })
  expect((await contact().boundingBox())!.height).toBeLessThan(700)
  const more = contact().getByRole('button', { name: 'Show all' })
  for (let left = await more.count(); left > 0; left--) await more.first().press('Enter')
  const shown = await contact().getByRole('definition').allInnerTexts()
  const whole = new Set(shown.map((text) => seen(text.replace(/Show less$/, ''))))
  expect(fields.filter((field) => !whole.has(seen(field)))).toEqual([])
  expect(seen(await contact().getByRole('heading', { level: 2 }).innerText())).toContain(seen(name))
  await looksRight('whole')
})

test('a note of 64 KB stays to be shortened, and the keys save it when it is', async () => {
  const pasted = note.repeat(100).slice(0, MOST.pasted)
  await noteField().fill(pasted)
  await page.keyboard.press('Escape')
  await page.keyboard.press('1')
  await expect.poll(() => page.getByRole('radio').first().isChecked(), SOON).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The note is too long: 1,000 characters are kept.').waitFor(SOON)
  await expect.poll(() => page.evaluate('document.activeElement.tagName'), SOON).toBe('TEXTAREA')
  await looksRight('pasted')
  // What is said from elsewhere meanwhile is history when the call is over.
  const credential = await tokenOf(place.env, '--name', 'elsewhere', '--user', 'anna')
  const anna = connect({ ssoUrl: `http://127.0.0.1:${place.env['SSO_PORT']}`, credential })
  await anna.ask('POST /svcpbx/agents/me/orders', { body: { type: 'outcome', outcomeId: outcomes[1]!, note } })
  await page.keyboard.press('F8')
  await becomes('wrap-up')
  await page.reload()
  expect(await noteField().inputValue()).toBe(pasted)
  const said = contact().getByRole('listitem').first()
  await said.getByRole('button', { name: 'Show all' }).press('Enter')
  expect(seen(await said.innerText())).toContain(seen(note))
  await looksRight('history')
  await noteField().fill(note)
  await page.keyboard.press('Control+Enter')
  await becomes('ready')
})

test('the page of the call shows the notes, and a summary that is what was stored', async () => {
  const [call] = (await place.client.ask('GET /svcems/calls', { query: {} })).calls
  expect(call!.feedback.map((one) => one.note)).toEqual([note.trim(), note.trim()])
  const params = { eactId: call!.eactId! }
  const text = KINDS.map((_, at) => full(at, MOST.summary / KINDS.length - 1)).join('\n')
  await place.client.ask('PUT /rest/svcems/activity-summary/{eactId}', { params, body: { text, version: 0 } })
  page = await openPage()
  await signIn(page, `${place.url}/calls/${params.eactId}`, await place.person('vera', full(3, 80), 'supervisor'))
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect.poll(async () => seen(await summary.innerText()), SOON).toContain(seen(text))
  expect(seen(await page.getByRole('main').innerText())).toContain(seen(note))
  await looksRight('call')
  await summary.getByRole('button', { name: 'Edit' }).press('Enter')
  expect(await summary.getByRole('textbox').inputValue()).toBe(text)
  await looksRight('summary')
  expect(faults).toEqual([])
})
