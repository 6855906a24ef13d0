/** An agent dials a number at the desk, with the keyboard alone, in a real browser (campaigns-111). */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importTasks } from '../../e2e/campaign-live.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { SOON } from '../../support/soon.ts'
import { auditOf, picture, watched } from '../page-checks.ts'
import { atDesk, type DeskPlace, openDeskPlace } from './desk-place.ts'

let place: DeskPlace
let page: Page
let faults: string[]
let callCode: number

beforeAll(async () => {
  place = await openDeskPlace()
  page = await place.browser.page()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const hand = { dialMode: 'manual', agentsDialNumbers: true }
  callCode = await place.campaign({ ...hand, name: 'Own numbers' }, [{ name: 'Spoke to them', key: '1' }])
  await place.campaign({ ...hand, name: 'Second numbers' })
  await place.desk(page)
  faults = watched(page)
}, BROWSER_PATIENCE_MS)
afterAll(() => place?.close())

/** The kind of field that the caret is in: no other one of the desk is for a telephone number. */
const CARET = 'document.activeElement.type'
const { becomes, keys } = atDesk(
  () => page,
  () => place,
)
const field = () => page.getByRole('textbox', { name: 'Number', exact: true })
const dialed = async (number: string) => {
  await field().fill(number)
  await page.keyboard.press('Enter')
}
const tasks = async () =>
  (await place.client.ask('POST /dialer/calltaskget', { body: { callCodes: [callCode], detail: true } })).callTasks

test('the field is reached with F7 and from the palette; it is whole at 390 px, in both themes', async () => {
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await becomes('ready')
  await field().waitFor(SOON)
  await page.keyboard.press('F7')
  expect(await page.evaluate(CARET)).toBe('tel')
  await page.getByRole('button', { name: 'Dial', exact: true }).focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('dial a number')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(CARET), SOON).toBe('tel')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await auditOf(page), colorScheme).toEqual([])
    await picture(page, `dial-number-${colorScheme}`, 1440)
    await picture(page, `dial-number-${colorScheme}-390`, 390, 844)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), colorScheme).toBe(true)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('a refusal stands below the strip, and what was typed stays', async () => {
  await dialed('90 12 34 56')
  await page.getByRole('alert').getByText('The number costs more than a call to a person.').waitFor(SOON)
  expect(await field().inputValue()).toBe('90 12 34 56')
  expect(await tasks()).toEqual([])
})

test('a number and Enter: the call comes up with the outcomes of the campaign', async () => {
  await dialed('20 15 11 01')
  await becomes('talking')
  await page.getByRole('radio', { name: /Spoke to them/ }).waitFor(SOON)
  expect(await tasks()).toMatchObject([{ callReceiverName: '+4520151101' }])
  expect(faults.filter((fault) => !fault.includes('409'))).toEqual([])
})

test('a number that is half typed when a call comes is there after it, with its campaign', async () => {
  const finish = async () => {
    await keys('F8')
    await becomes('wrap-up')
    await page.getByRole('radio').first().focus()
    await keys('1', 'Enter')
    await becomes('ready')
  }
  await finish()
  expect(await field().inputValue()).toBe('')
  await field().fill('20 15 11')
  const campaign = page.getByRole('combobox', { name: 'Campaign' })
  await campaign.selectOption('Second numbers')
  const chosen = await campaign.inputValue()
  const comes = await place.campaign({ name: 'Comes by itself' }, [{ name: 'Spoke', key: '1' }])
  await place.people(comes, ['+4520151201'])
  await becomes('talking')
  await finish()
  expect(await field().inputValue()).toBe('20 15 11')
  expect(await campaign.inputValue()).toBe(chosen)
  expect(chosen).not.toBe(String(callCode))
})

test('a call task that was found by a number rings no other one; found by its case it rings the next', async () => {
  const listed = await place.campaign({ dialMode: 'manual', name: 'List' }, [{ name: 'Spoke', key: '1' }])
  const both = { numbers: ['+4520151301', '+4520151302'], caseNumber: 'case-1301' }
  await importTasks(place.client, listed, [both])
  const search = page.getByRole('textbox', { name: 'Number or case' })
  await search.fill('20 15 13 02')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Another number of the call task is next.').waitFor(SOON)
  expect(await search.inputValue()).toBe('20 15 13 02')
  await search.fill('case-1301')
  await page.keyboard.press('Enter')
  await becomes('talking')
  const { callTasks } = await place.client.ask('POST /dialer/calltaskget', {
    body: { callCodes: [listed], detail: true },
  })
  expect(callTasks[0]?.callAttempts).toMatchObject([{ callNumber: '+4520151301' }])
})
