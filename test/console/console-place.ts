/** A started service with people who may sign in, and a real browser that reaches it: for tests of the console. */
import type { Page } from 'playwright-core'
import { openServicePlace } from '../app/service-place.ts'
import { startServiceProcess, switchboard } from '../app/service-process.ts'
import { testBrowser } from '../support/browser.ts'
import { faultProxy } from '../support/fault-proxy.ts'

/** Somebody of the test; their password is made by the command line. */
export interface Person {
  readonly userName: string
  readonly password: string
}

export type ConsolePlace = Awaited<ReturnType<typeof openConsolePlace>>

/** A small centre: one team with one agent. */
const SETUP = `
agents: { maja: { title: Maja Holm, phone: { host: 127.0.0.101 } } }
teams: { front-desk: { title: Front desk, agents: [maja] } }
`

/**
 * Opens it. `setup`: the text of `switchboard.yaml`; `settings` go to the service, `args` to the browser. The browser
 * reaches the service through `proxy`, which can cut it off, and the servers `reaches` of the test.
 */
export async function openConsolePlace({
  setup = SETUP,
  args = [],
  settings = {},
  reaches = [],
  people = [],
}: {
  readonly setup?: string
  readonly args?: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  readonly reaches?: readonly string[]
  /** Added before the first start: who is also an agent of the setup keeps their roles. */
  readonly people?: readonly { readonly userName: string; readonly name: string; readonly roles: string }[]
} = {}) {
  const place = await openServicePlace(setup)
  const database = await place.database()
  const env = await place.env({ DATABASE_URL: database.url, ...settings })
  const add = (userName: string, name: string, roles: string) =>
    switchboard(['user', 'add', userName, '--name', name, '--roles', roles], env)
  for (const { userName, name, roles } of people) await add(userName, name, roles)
  let service = startServiceProcess(env)
  await service.ready
  const host = `127.0.0.1:${env['HTTP_PORT']}`
  const proxy = await faultProxy(new URL(`http://${host}`))
  const browser = await testBrowser({ reaches: [new URL(proxy.url).host, ...reaches], args })
  return {
    url: proxy.url,
    proxy,
    env,
    browser,
    /** Adds a person; `roles` as the command line takes them. */
    async person(userName: string, name: string, roles: string): Promise<Person> {
      await add(userName, name, roles)
      return { userName, password: await newPassword(userName, env) }
    },
    /** The password of a person who is there already: an agent of the configuration. */
    passwordOf: (userName: string) => newPassword(userName, env),
    /** Stops the service, and starts it on the same place. */
    async restart() {
      await service.stop()
      service = startServiceProcess(env)
      await service.ready
    },
    async close() {
      await browser.close()
      await proxy.close()
      await service.stop()
      await place.close()
    },
  }
}

/** Opens an address as somebody who has not signed in yet, and signs them in with the keyboard. */
export async function signIn(page: Page, url: string, { userName, password }: Person): Promise<void> {
  await page.goto(url)
  await page.getByRole('button', { name: /Sign in|Log ind/ }).waitFor()
  await page.keyboard.type(userName)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').waitFor()
}

/** A new password, made by the command line. */
export async function newPassword(userName: string, env: Readonly<Record<string, string>>): Promise<string> {
  const said = await switchboard(['user', 'password', userName], env)
  return /not shown again: (\S+)/.exec(said)![1]!
}
