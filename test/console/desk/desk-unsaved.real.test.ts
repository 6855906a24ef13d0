/** Nothing typed at the desk is lost: by a wrap-up that ends, a wrong key, full storage, or a silent network. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { auditOf, picture } from '../page-checks.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'

const OUTCOMES = [
  { name: 'Paid', key: '1', final: true },
  { name: 'Call again', key: '2', needsCallBackDate: true },
]
const ORDERS = '**/agents/me/orders'
let place: DeskPlace
let page: Page
/** Whose wrap-up ends after a second, and whose lasts. */
let [hasty, patient]: number[] = []

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  hasty = await place.campaign({ wrapUpSeconds: 1, name: 'Hasty' }, OUTCOMES)
  patient = await place.campaign({ wrapUpSeconds: 900, name: 'Patient' }, OUTCOMES)
  await place.desk(page)
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await page.getByRole('heading', { name: 'Ready' }).waitFor(SOON)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

const { becomes, button, caret, isOnNode, keys, note } = atDesk(
  () => page,
  () => place,
)
const talksWith = async (callCode: number | undefined, number: string) => {
  await place.people(callCode!, [number])
  await page.getByRole('heading', { name: `Debtor case-${number.slice(-4)}`, level: 2 }).waitFor(SOON)
  await becomes('talking')
  await page.getByRole('radio').first().waitFor(SOON)
}
const isOver = async () => {
  await keys('F8')
  await becomes('wrap-up')
}

test('a wrap-up that ends while somebody writes leaves the note under their fingers', async () => {
  await talksWith(hasty, '+4520161101')
  await page.keyboard.type('pays on')
  await keys('F8')
  await becomes('ready')
  await page.keyboard.type(' Friday')
  expect(await note().inputValue()).toBe('pays on Friday')
  expect(await auditOf(page)).toEqual([])
  await picture(page, 'desk-finishing', 1440)
  await button('Finish later: Debtor case-1101').press('Enter')
  await page.getByRole('heading', { name: 'Ready' }).waitFor(SOON)
  await button('Finish: Debtor case-1101').waitFor(SOON)
})

test('what was discarded by a wrong key comes back with the same key, also after the next call', async () => {
  await button('Discard').press('Enter')
  await page.getByText('Discarded', { exact: true }).waitFor(SOON)
  expect(await auditOf(page)).toEqual([])
  await picture(page, 'desk-discarded', 390)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(caret, SOON).toBe('Put back: Debtor case-1101')
  await keys('Enter')
  await button('Finish: Debtor case-1101').waitFor(SOON)
  await expect.poll(caret, SOON).toBe('Discard')
  await keys('Enter')
  await talksWith(patient, '+4520161201')
  await page.reload()
  await becomes('talking')
  await page.getByRole('radio').first().waitFor(SOON)
  await isOver()
  await keys('Escape', '1', 'Enter')
  await becomes('ready')
  await button('Put back: Debtor case-1101').press('Enter')
  await button('Finish: Debtor case-1101').press('Enter')
  await expect.poll(() => note().inputValue(), SOON).toBe('pays on Friday')
  // The caret goes to the outcomes when they are there.
  await expect.poll(() => page.evaluate('document.activeElement.type'), SOON).toBe('radio')
})

test('what stays discarded is gone with the second call after it', async () => {
  await button('Finish later: Debtor case-1101').press('Enter')
  await button('Discard').press('Enter')
  const kept = () =>
    page.evaluate("Object.values(localStorage).filter((text) => text.includes('pays on Friday')).length")
  for (const [at, number] of ['+4520161301', '+4520161401'].entries()) {
    expect(await kept()).toBe(1)
    await talksWith(patient, number)
    await expect.poll(kept, SOON).toBe(at === 0 ? 1 : 0)
    await isOver()
    await keys('Escape', '1', 'Enter')
    await becomes('ready')
  }
  await page.getByRole('heading', { name: 'Ready' }).waitFor(SOON)
  expect(await page.getByText('Discarded', { exact: true }).count()).toBe(0)
})

test('however many calls are not finished, the present one takes every letter', async () => {
  await page.evaluate(`for (let at = 0; at < 40; at++) {
    const call = { callId: '!' + at, isIncoming: true, number: '+45201700' + (10 + at), task: null, queue: null }
    const typed = { outcomeId: null, result: '', note: 'left', callback: '', forMe: false, fields: {} }
    const draft = { call, ...typed, saved: null }
    localStorage.setItem('sb-own:anna:draft:!' + at, JSON.stringify(draft))
  }`)
  await page.reload()
  await becomes('ready')
  await page.getByText('Not saved yet besides these: 35').waitFor(SOON)
  // They keep their places: the storage of a browser has no order.
  const listed = await button(/^Finish: /).allInnerTexts()
  expect(listed).toEqual(['10', '11', '20', '21', '22'].map((end) => `Finish: +452017${end.padStart(4, '0')}`))
  await picture(page, 'desk-many-unsaved', 1440)
  await talksWith(patient, '+4520161501')
  await page.keyboard.type('every letter')
  expect(await note().inputValue()).toBe('every letter')
  const forget =
    'for (const name of Object.keys(localStorage)) if (name.includes("draft:!")) localStorage.removeItem(name)'
  await page.evaluate(forget)
})

test('a browser whose storage is full takes every letter all the same', async () => {
  await page.evaluate(`{
    const setItem = Storage.prototype.setItem
    Storage.prototype.setItem = function (name, value) {
      if (name.includes('draft:')) throw new DOMException('full', 'QuotaExceededError')
      setItem.call(this, name, value)
    }
  }`)
  await note().focus()
  await keys('End')
  await page.keyboard.type(' of it')
  expect(await note().inputValue()).toBe('every letter of it')
  await isOver()
  await keys('Escape', '1', 'Enter')
  await becomes('ready')
  expect(await place.feedbackOf('case-1501')).toMatchObject([{ note: 'every letter of it' }])
  await page.reload()
  await becomes('ready')
})

/** The first order is carried out, and the page does not hear of it. */
const SWALLOWS_FIRST = `{
  const real = fetch
  let isFirst = true
  globalThis.swallowed = undefined
  globalThis.fetch = (path, init) => {
    if (!isFirst || !String(path).endsWith('/agents/me/orders')) return real(path, init)
    isFirst = false
    globalThis.swallowed = real(path, { ...init, signal: undefined }).then(({ status }) => status)
    const { promise, reject } = Promise.withResolvers()
    init.signal?.addEventListener('abort', () => reject(init.signal.reason))
    return promise
  }
}`

test('a save that the network swallows is told, and the next try promises one callback', async () => {
  await talksWith(patient, '+4520161601')
  await isOver()
  await page.getByRole('radio').first().focus()
  await page.evaluate(SWALLOWS_FIRST)
  await keys('2')
  await page.getByRole('textbox', { name: /^Call back/ }).focus()
  await page.keyboard.type('in 2 h')
  await keys('Enter')
  await page.getByText('The network gave no answer. Everything is still here; press Enter to try again.').waitFor(SOON)
  await keys('Enter')
  await becomes('ready')
  expect(await page.evaluate('swallowed')).toBe(200)
  expect(await place.feedbackOf('case-1601')).toHaveLength(1)
})

test('a save whose answer did not come is the same one after the page was loaded again', async () => {
  await talksWith(patient, '+4520162201')
  await isOver()
  await page.getByRole('radio').first().focus()
  await page.evaluate(SWALLOWS_FIRST)
  await keys('2')
  const when = page.getByRole('textbox', { name: /^Call back/ })
  await when.focus()
  await page.keyboard.type('in 2 h')
  await keys('Enter')
  await expect.poll(() => page.evaluate('globalThis.swallowed'), SOON).toBe(200)
  const promised = async () => {
    const { callbacks } = await place.client.ask('GET /dialer/callbacks', { query: { callCode: patient! } })
    return callbacks.find(({ callReceiverName }) => callReceiverName === 'Debtor case-2201')?.callBackTs
  }
  await expect.poll(promised, SOON).toBeDefined()
  const first = await promised()
  await page.reload()
  await becomes('wrap-up')
  await when.waitFor(SOON)
  await when.focus()
  await keys('Enter')
  await becomes('ready')
  expect(await place.feedbackOf('case-2201')).toHaveLength(1)
  expect(await promised()).toBe(first)
})

test('a pause that is asked for in the last moment of a wrap-up begins', async () => {
  await talksWith(await place.campaign({ wrapUpSeconds: 5, name: 'Brief' }, OUTCOMES), '+4520161701')
  await page.keyboard.type('x')
  await keys('Escape', '1')
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  await page.route(ORDERS, async (route) => {
    if (route.request().postDataJSON().type === 'outcome') await isFree
    await route.continue()
  })
  await isOver()
  await keys('Shift+Enter')
  await isOnNode('ready')
  free()
  await becomes('paused')
  await page.unroute(ORDERS)
  expect(await place.feedbackOf('case-1701')).toMatchObject([{ note: 'x' }])
  await keys('F9')
  await becomes('ready')
})

test('a pause that is asked for when the wrap-up is over begins, also where it is refused at first', async () => {
  await talksWith(hasty, '+4520162101')
  await page.keyboard.type('x')
  await keys('F8')
  await becomes('ready')
  await page.route(ORDERS, (route) =>
    route.request().postDataJSON().type === 'pause'
      ? route.fulfill({ status: 503, json: { detail: 'not now' } })
      : route.continue(),
  )
  await keys('Escape', '1', 'Shift+Enter')
  await page.getByRole('alert').getByText('not now').waitFor(SOON)
  await page.unroute(ORDERS)
  await keys('Shift+Enter')
  await becomes('paused')
  await page.getByRole('heading', { name: 'Paused' }).waitFor(SOON)
  expect(await place.feedbackOf('case-2101')).toMatchObject([{ note: 'x' }])
  await keys('F9')
  await becomes('ready')
})

test('a pause in the call that is refused is told, and asked for again when the call has ended', async () => {
  await talksWith(hasty, '+4520162001')
  await page.keyboard.type('x')
  await keys('Escape', '1')
  const isPause = ({ type }: { readonly type: string }) => type === 'pause'
  await page.route(ORDERS, (route) =>
    isPause(route.request().postDataJSON())
      ? route.fulfill({ status: 503, json: { detail: 'not now' } })
      : route.continue(),
  )
  await keys('Shift+Enter')
  const told = page.getByRole('alert')
  await told.getByText('not now').waitFor(SOON)
  await page.unroute(ORDERS)
  await page.route(ORDERS, (route) => (isPause(route.request().postDataJSON()) ? route.abort() : route.continue()))
  await keys('Shift+Enter')
  await told.getByText('That did not work. Check the network, and try again.').waitFor(SOON)
  await page.unroute(ORDERS)
  await keys('Shift+Enter')
  await told.getByText('That did not work').waitFor({ ...SOON, state: 'detached' })
  await keys('F8')
  await becomes('paused')
  expect(await place.feedbackOf('case-2001')).toMatchObject([{ note: 'x' }])
  await keys('F9')
  await becomes('ready')
})

test('an offered task is seen also by whoever finishes an earlier call, and a pause by the node says why', async () => {
  await talksWith(hasty, '+4520161801')
  await page.keyboard.type('to be finished')
  await keys('F8')
  await becomes('ready')
  await button('Finish later: Debtor case-1801').waitFor(SOON)
  const preview = await place.campaign({ dialMode: 'preview', previewSeconds: 10 }, OUTCOMES)
  await place.people(preview, ['+4520161901'])
  await page.getByRole('heading', { name: 'Look first: your next call' }).waitFor(SOON)
  await becomes('paused')
  expect(await note().inputValue()).toBe('to be finished')
  await button('Finish later: Debtor case-1801').press('Enter')
  const why = 'You were paused: did not look at the task that was offered. No calls come until you press F9.'
  await page.getByText(why).waitFor(SOON)
  await keys('F9')
  await page.getByRole('heading', { name: 'Debtor case-1901' }).waitFor(SOON)
})

test('a session that ends elsewhere leads to the login by itself, and what was typed is there after it', async () => {
  await page.evaluate(`fetch('/rest/core/session/logout', { method: 'POST', headers: { 'svc-console': '1' } })`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor(SOON)
  const { userName, password } = place.personOf('anna')
  await page.getByLabel('User name').fill(userName)
  await page.getByLabel('Password').fill(password)
  await keys('Enter')
  await button('Finish: Debtor case-1801').waitFor(SOON)
})
