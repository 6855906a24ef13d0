/** What our answers allow in a real browser if harmful content gets past the cleaner (F-J2, D-19, D-20). */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFileStore } from '../../../src/adapters/files/file-store.ts'
import { RealClock } from '../../../src/kernel/clock.ts'
import type { ActivityId } from '../../../src/kernel/ids.ts'
import { silentLog } from '../../../src/kernel/log.ts'
import type { FileKind, FileStore } from '../../../src/ports/files.ts'
import { coreFileRoutes } from '../../../src/rest/cases/files.ts'
import { emailContentRoutes } from '../../../src/rest/mail/email-content.ts'
import { postgresFiles } from '../../../src/store/cases/files.ts'
import { postgresDialerAdmin } from '../../../src/store/dialer/dialer-admin-repository.ts'
import { postgresMails } from '../../../src/store/mail/mail-repository.ts'
import { HELP, words } from '../../store/mail/mail-world.ts'
import { BROWSER_PATIENCE_MS, type TestBrowser, testBrowser } from '../../support/browser.ts'
import { PLAIN_PAYLOADS } from '../../support/html-payloads.ts'
import { OURS, openRestWorld, type RestWorld } from '../rest-world.ts'

const directory = mkdtempSync(join(tmpdir(), 'switchboard-shown-'))
let world: RestWorld
let fileStore: FileStore
let browser: TestBrowser
beforeAll(async () => {
  browser = await testBrowser()
  fileStore = await openFileStore({ directory, clock: new RealClock(), secretBytes: randomBytes, log: silentLog })
  world = await openRestWorld({
    routes: (dependencies) => [...emailContentRoutes(dependencies), ...coreFileRoutes(dependencies)],
    parts: (pools) => ({
      mails: postgresMails(pools),
      files: postgresFiles(pools),
      dialerAdmin: postgresDialerAdmin(pools),
      fileStore,
      mailboxes: [],
      log: silentLog,
    }),
  })
}, BROWSER_PATIENCE_MS)
afterAll(async () => {
  await browser?.close()
  await world?.close()
  rmSync(directory, { recursive: true, force: true })
})

const US = 'http://us.example'
const HARM = '<script>hit()</script><img src=http://canary.example/img>'

/** An email with such a file, stored past the cleaner. */
async function keep(kind: FileKind, mimeType: string, text: string, fileName = 'a.html') {
  async function* once() {
    yield Buffer.from(text)
  }
  const stored = await fileStore.write(once(), 1e6)
  if (typeof stored === 'string') throw new Error(stored)
  const mailbox = { corporation: OURS, address: HELP, name: 'Help', team: undefined, opensCases: false }
  const kept = await world.parts.mails.keep({
    mailbox,
    ours: new Set([HELP]),
    envelopeFrom: 'petra@debtor.example',
    atMs: 1_000,
    words: words({ messageId: `${randomBytes(8).toString('hex')}@x` }),
    files: [{ ...stored, kind, fileName, mimeType, ...(kind === 'inline image' && { contentId: 'a@b' }) }],
  })
  const mail = await world.parts.mails.find(kept.activity as ActivityId, [OURS])
  return { email: kept.activity, file: mail?.files[0]?.id }
}

/** A page whose requests to us are answered by us; `hit()` is a request as well. */
async function openPage(): Promise<Page> {
  const page = await browser.page()
  await page.route(`${US}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    if (pathname === '/bare') return route.fulfill({ contentType: 'text/html', body: HARM })
    const { status, headers, text } = await world.call('GET', pathname + search, undefined, {
      headers: { accept: '*/*' },
    })
    return route.fulfill({ status, headers, body: text })
  })
  await page.addInitScript("globalThis.hit = () => void new Image().setAttribute('src', 'http://canary.example/hit')")
  return page
}

/** Proof that the same page would have been shown and reported; by then all else has happened. */
async function controlSees(page: Page): Promise<void> {
  await page.goto(`${US}/bare`)
  for (const what of ['hit', 'img']) {
    await expect.poll(() => browser.asked).toContain(`GET http://canary.example/${what}`)
  }
}

test('F-J2: the content of an email runs, fetches and leaves nothing, even if it was never cleaned', async () => {
  const page = await openPage()
  const harm = PLAIN_PAYLOADS.filter(({ does }, place) => {
    return does === 'leaves' || ((does === 'runs' || does === 'fetches') && place % 3 === 0)
  })
  for (const { html } of harm) {
    const { email } = await keep('email content', 'text/html', html)
    const address = `${US}/rest/svcems/emailcontent?eactId=${email}`
    const answer = await page.goto(address)
    expect([answer?.status(), answer?.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.url()).toBe(address)
  }
  expect(browser.asked).toEqual([])
  await controlSees(page)
  await page.close()
  browser.asked.length = 0
})

test('F-J2: a file that is a page is downloaded, never displayed', async () => {
  const page = await openPage()
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="hit()"><image href="http://canary.example/svg"/></svg>`
  const files = [
    ['attachment', 'text/html', HARM, 'a.html'],
    ['attachment', 'image/svg+xml', svg, 'a.svg'],
    ['attachment', 'application/xhtml+xml', HARM, 'a.xhtml'],
    ['attachment', 'text/plain', HARM, 'a.txt'],
    ['inline image', 'image/svg+xml', svg, 'a.svg'],
    ['inline image', 'text/html', HARM, 'a.png'],
    ['upload', 'text/html; charset=utf-7', HARM, 'a.html'],
  ] as const
  for (const [kind, type, text, name] of files) {
    const { file } = await keep(kind, type, text, name)
    await expect(page.goto(`${US}/rest/core/corefile?cfreId=${file}`)).rejects.toThrow(
      /Download is starting|ERR_ABORTED/,
    )
  }
  // A picture that is a page shows as a broken picture at most.
  const { file } = await keep('inline image', 'image/png', HARM, 'a.png')
  await page.goto(`${US}/rest/core/corefile?cfreId=${file}`)
  expect(browser.asked).toEqual([])
  await controlSees(page)
  await page.close()
})
