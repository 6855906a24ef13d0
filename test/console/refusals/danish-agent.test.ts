/** A Danish agent reads in Danish what the node refused and told (bar 24, console-32). */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MantineProvider } from '@mantine/core'
import { createElement, type FunctionComponent } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import type { Language } from '../../../src/console/texts/catalogue.ts'

/** The types of pages are checked apart from those of tests: elements of pages are taken as they are. */
const part = async (path: string, name: string): Promise<FunctionComponent<Record<string, unknown>>> =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../../src/console', `${path}.tsx`)).href))[name]
const Messages = await part('desk/messages', 'Messages')
const LanguageProvider = await part('texts/language', 'LanguageProvider')

const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
afterEach(() => {
  if (before) Object.defineProperty(globalThis, 'localStorage', before)
  else Reflect.deleteProperty(globalThis, 'localStorage')
})

const NOT_CALLED_BACK =
  'The call task was ended or stopped, or is over by then: nobody will call back. Tell the contact.'
const messages = createElement(Messages, {
  supervisor: undefined,
  asks: undefined,
  orders: { give: async () => false, isBusy: false, refusal: 'You are not ready.' },
  news: { news: [{ key: 'callbackRefused', task: '7', why: NOT_CALLED_BACK }], close: () => {} },
  all: [],
  shown: undefined,
  choose: () => {},
  drafts: { drop: () => {} },
})

/** What a browser that keeps this choice shows below the strip. */
function shownIn(language: Language): string {
  const value = { getItem: () => language }
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value })
  const page = createElement(LanguageProvider, null, messages)
  return renderToString(createElement(MantineProvider, null, page)).replaceAll(/<style.*?<\/style>/gs, '')
}

test('a refused order and the news of the desk are in the language of the person', () => {
  const danish = shownIn('da')
  expect(danish).toContain('>Du er ikke klar.<')
  expect(danish).toContain(
    'bliver ikke foretaget: Opkaldsopgaven er afsluttet, stoppet eller udløbet inden da: ingen ringer tilbage.',
  )
  const english = shownIn('en')
  expect(english).toContain('>You are not ready.<')
  expect(english).toContain(`will not be called: ${NOT_CALLED_BACK}`)
})
