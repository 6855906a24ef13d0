/** A real browser for tests: the windowless Chromium of Debian, which reaches nobody but us. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { SOON } from './soon.ts'

/** Installing it takes a quarter of a minute on a good day. */
export const BROWSER_PATIENCE_MS = 300_000

/** Of a test's own: no window, no profile, gone with the test. */
export interface TestBrowser {
  /** A page in which `judge` of `in-page.js` is there, and `hit()` in each of its frames. */
  page(): Promise<Page>
  /** Everything that any page asked the world for, or wanted to be connected to. */
  readonly asked: string[]
  close(): Promise<void>
}

const SCRIPT = fileURLToPath(new URL('in-page.js', import.meta.url))
/** What Chromium would ask its maker for by itself: the tests take every address that is asked for as a page's. */
const UNWANTED = ['OptimizationHints', 'NetworkTimeServiceQuerying', 'AutofillServerCommunication', 'Translate']
const QUIET = [
  ...'gpu quic background-networking component-update component-extensions-with-background-pages sync'.split(' '),
  ...'domain-reliability client-side-phishing-detection default-apps field-trial-config'.split(' '),
  `features=${UNWANTED.join(',')}`,
].map((name) => `--disable-${name}`)

/**
 * Starts it. Installs it first where there is none; fails loudly where it cannot be had. `reaches`: `host:port` of
 * the servers of ours that its pages reach; everything else they ask for is noted and answered with nothing.
 * `permissions` are what people have given to the pages: without that of the microphone, a page that hears it
 * nevertheless keeps the addresses of its computer from the switch, which no page of an agent does.
 */
export async function testBrowser({
  reaches = [],
  args = [],
  permissions = [],
}: {
  readonly reaches?: readonly string[]
  readonly args?: readonly string[]
  readonly permissions?: readonly 'microphone'[]
} = {}): Promise<TestBrowser> {
  const asked: string[] = []
  // Whatever leaves the browser comes through here, also what no page would ever tell of.
  const proxy = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.writeHead(204).end()
  })
  proxy.on('connect', ({ url }, socket) => {
    asked.push(`CONNECT ${url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const browser = await chromium.launch({
    executablePath: await program(),
    args: ['--no-sandbox', '--no-first-run', '--no-pings', '--font-render-hinting=none', ...QUIET, ...args],
    proxy: {
      server: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      bypass: ['<-loopback>', ...reaches].join(','),
    },
  })
  return {
    asked,
    async page() {
      const page = await browser.newPage({ permissions: [...permissions] })
      page.context().setDefaultTimeout(SOON.timeout)
      await page.addInitScript({ path: SCRIPT })
      const route = page.route.bind(page)
      page.route = async (...given) => {
        const made = await route(...given)
        await goesThroughUs(page, route)
        return made
      }
      // A dialog that nobody answers would stop everything.
      page.on('dialog', (dialog) => {
        asked.push(`dialog ${dialog.message()}`)
        void dialog.dismiss()
      })
      await page.goto('about:blank')
      return page
    },
    async close() {
      await browser.close()
      proxy.closeAllConnections()
      await new Promise((closed) => proxy.close(closed))
    },
  }
}

const isProbe = ({ search }: URL) => search === '?goes-through-us'

/** Chromium says that it holds the requests of a page before the page that is shown has heard of it. */
async function goesThroughUs(page: Page, route: Page['route']): Promise<void> {
  if (!page.url().startsWith('http')) return
  await route(isProbe, (one) => one.fulfill({ status: 204 }))
  while ((await page.evaluate("fetch('?goes-through-us').then(({ status }) => status)")) !== 204);
  await page.unroute(isProbe)
}

/** The one on the PATH, else our own, which is installed once and kept. */
async function program(): Promise<string> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const onPath = folders.flatMap((folder) => [join(folder, 'chromium-headless-shell'), join(folder, 'chromium')])
  const found = onPath.find(mayRun)
  if (found) return found
  const directory = fileURLToPath(new URL('../../.data/chromium', import.meta.url))
  const script = fileURLToPath(new URL('install-chromium.sh', import.meta.url))
  try {
    await promisify(execFile)('bash', [script, directory])
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    throw new Error(`the tests of HTML need a real browser:\n${stderr || error}`)
  }
  return join(directory, 'chromium')
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
