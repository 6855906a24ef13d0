/** A promised callback is shown in the time in which it was made: that of the callee. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

/** The types of pages are checked apart from those of tests: elements of pages are taken as they are. */
const part = async (path: string, name: string): Promise<FunctionComponent<Record<string, unknown>>> =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../../src/console', `${path}.tsx`)).href))[name]
const ContactCard = await part('desk/contact-card', 'ContactCard')
const LanguageProvider = await part('texts/language', 'LanguageProvider')

const TASK = { itcaId: 7, callCode: 3, name: 'Ann', caseNumber: null, customer: null }

/** What the card says of a callback at noon in London, where the campaign calls in this zone. */
function shownIn(zone: string | undefined): string {
  const client = new QueryClient()
  client.setQueryData(['callTask', 7], { callBackTs: '2026-01-05T12:00:00Z', callAttempts: [], maxCallAttempts: 3 })
  client.setQueryData(['campaign', 3], { name: 'Reminders', script: '', zone })
  const card = createElement(ContactCard, { task: TASK, number: undefined, nowMs: 0 })
  const page = createElement(QueryClientProvider, { client }, createElement(LanguageProvider, null, card))
  return renderToString(createElement(MantineProvider, null, page))
}

beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => 'en' })
})
afterAll(() => {
  vi.unstubAllGlobals()
})

test.each([
  ['Asia/Tokyo', '5 Jan 2026, 21:00 Tokyo'],
  ['America/New_York', '5 Jan 2026, 07:00 New York'],
])('a promise to somebody in %s is shown as %s', (zone, shown) => {
  expect(shownIn(zone)).toContain(`A callback was promised for ${shown}`)
})
