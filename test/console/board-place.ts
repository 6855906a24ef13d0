/** A started service whose agents work in a campaign, a supervisor with a phone, and her browser at the board. */
import type { Page } from 'playwright-core'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { tokenOf } from '../app/service-process.ts'
import { makeCampaign, makeSystem, sendTasks } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { type ConsolePlace, openConsolePlace, signIn } from './console-place.ts'

/** Names that try to be something else. */
export const HOSTILE = {
  script: '<img src=x onerror="document.title=1">',
  turned: 'Karl \u202Egnirts',
  long: 'Ann'.repeat(30_000 / 3),
} as const

const setup = `
agents:
  anna: { title: Anna Berg, phone: { host: 127.0.0.111 } }
  bo: { title: ${JSON.stringify(HOSTILE.script)}, phone: { host: 127.0.0.112 } }
  cilla: { title: ${JSON.stringify(HOSTILE.turned)}, phone: { host: 127.0.0.113 } }
  vera: { title: Vera Lund, phone: { host: 127.0.0.114 } }
  ines: { title: Ines Dahl, phone: { host: 127.0.0.115 } }
teams:
  ${TEAM}: { title: Campaign team, agents: [anna, bo, cilla] }
  other: { title: Other team, agents: [bo, ines] }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"], lines: 10 } }
`

export type BoardPlace = Awaited<ReturnType<typeof openBoardPlace>>

/** Opens it. */
export async function openBoardPlace() {
  const place: ConsolePlace = await openConsolePlace({
    setup,
    people: [
      { userName: 'vera', name: 'Vera Lund', roles: 'supervisor' },
      { userName: 'ines', name: 'Ines Dahl', roles: 'supervisor' },
    ],
  })
  const { env } = place
  const tokens = new Map<string, Credential>()
  for (const name of ['anna', 'bo', 'cilla']) tokens.set(name, await tokenOf(env, '--name', name, '--user', name))
  const credential = await tokenOf(env, '--name', 'integrator')
  const client: Client = connect({ ssoUrl: `http://127.0.0.1:${env['SSO_PORT']}`, credential })
  let system: number | undefined
  let before: Page | undefined
  return {
    place,
    client,
    /** An order of an agent at their screen. */
    async order(name: string, type: string, more: object = {}) {
      const headers = { ...tokens.get(name)!, 'content-type': 'application/json' }
      const address = `http://127.0.0.1:${env['HTTP_PORT']}/svcpbx/agents/me/orders`
      const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ type, ...more }) })
      if (!answer.ok) throw new Error(`${name} ${type}: ${await answer.text()}`)
    },
    /** A campaign of the team, as tests of campaigns make it. */
    async campaign(name: string, settings: Readonly<Record<string, unknown>> = {}) {
      system ??= await makeSystem(client, undefined)
      return makeCampaign(client, system, { name, ...settings })
    },
    tasks: (callCode: number, numbers: readonly string[]) =>
      sendTasks(
        client,
        callCode,
        numbers.map((number) => ({ numbers: [number], caseNumber: `case ${number}` })),
      ),
    /** The supervisor, signed in, at this address; the page before is closed. Ines has the other team alone. */
    async atBoard(path: string, userName = 'vera'): Promise<Page> {
      await before?.close()
      const page = await place.browser.page()
      before = page
      const password = await place.passwordOf(userName)
      await signIn(page, `${place.url}${path}`, { userName, password })
      return page
    },
    close: () => place.close(),
  }
}
