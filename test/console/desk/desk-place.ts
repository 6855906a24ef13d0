/** A started service on a simulated switch, with a campaign that dials, an agent at the desk, and a real browser. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { connect } from '../../../src/client/client.ts'
import { tokenOf } from '../../app/service-process.ts'
import { importTasks, makeCampaign, makeSystem } from '../../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../../e2e/campaign-place.ts'
import { SOON } from '../../support/soon.ts'
import { openConsolePlace, signIn } from '../console-place.ts'

const SETUP = `
agents:
  anna: { title: Anna Holm, phone: { host: 127.0.0.111 } }
  ben: { title: Ben Lund, phone: { host: 127.0.0.112 } }
teams: { ${TEAM}: { title: Campaign, agents: [anna] }, second: { title: Second line, agents: [ben] } }
trunks:
  carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"], lines: 10, transferCountries: [DK] }
`

export type DeskPlace = Awaited<ReturnType<typeof openDeskPlace>>

/** Opens it; nobody is at work, and no campaign is there. */
export async function openDeskPlace() {
  const place = await openConsolePlace({ setup: SETUP })
  const credential = await tokenOf(place.env, '--name', 'integrator')
  const client = connect({ ssoUrl: `http://127.0.0.1:${place.env['SSO_PORT']}`, credential })
  const itsyId = await makeSystem(client, undefined)
  const people = {
    anna: { userName: 'anna', password: await place.passwordOf('anna') },
    ben: { userName: 'ben', password: await place.passwordOf('ben') },
  }
  return Object.assign(place, {
    client,
    /** A campaign with these settings and outcomes. */
    async campaign(
      settings: object,
      outcomes: readonly { readonly name: string; readonly key?: string }[] = [],
    ): Promise<number> {
      const callCode = await makeCampaign(client, itsyId, Object.assign({ wrapUpSeconds: 300 }, settings))
      for (const body of outcomes) {
        await client.ask('POST /dialer/callcode/{callCode}/outcomes', { params: { callCode: String(callCode) }, body })
      }
      return callCode
    },
    /** A call task for each number, imported in this order. */
    people: (callCode: number, numbers: readonly string[]) =>
      importTasks(
        client,
        callCode,
        numbers.map((number) => ({ numbers: [number], caseNumber: `case-${number.slice(-4)}` })),
        { maxCallAttempts: 3, minCallIntervalHours: 4 },
      ),
    /** What agents said of the last attempt at this case. */
    async feedbackOf(caseNumber: string) {
      const body = { systemLookupCodes: [caseNumber], detail: true }
      const { callTasks } = await client.ask('POST /dialer/calltaskget', { body })
      return callTasks[0]?.callAttempts?.at(-1)?.feedback ?? []
    },
    /** Name and password of an agent. */
    personOf: (who: keyof typeof people) => people[who],
    /** The page of the desk, signed in as the agent. */
    async desk(page?: Page, who: keyof typeof people = 'anna'): Promise<Page> {
      const own = page ?? (await place.browser.page())
      await signIn(own, `${place.url}/desk`, people[who])
      return own
    },
  })
}

/** The word of the state on the strip. */
export async function stateOf(page: Page): Promise<string> {
  const strip = page.getByRole('region', { name: /Your phone|Din telefon/ })
  return (await strip.getByRole('status').first().innerText()).toLowerCase()
}

/** What a test does and sees at the desk that `page` shows at that time. */
export function atDesk(page: () => Page, place: () => DeskPlace) {
  return {
    /** On the strip. */
    becomes: (state: string, on = page()) => expect.poll(() => stateOf(on), SOON).toBe(state),
    /** As the node says, of some agent. */
    isOnNode: (state: string) =>
      expect
        .poll(async () => (await place().client.ask('GET /svcpbx/agents')).map((agent) => agent.state), SOON)
        .toContain(state),
    async keys(...pressed: readonly string[]): Promise<void> {
      for (const key of pressed) await page().keyboard.press(key)
    },
    button: (name: string | RegExp) => page().getByRole('button', { name }),
    note: () => page().getByRole('textbox', { name: 'Note' }),
    /** What the caret is on: its text, or what it is. */
    caret: () => page().evaluate('document.activeElement.textContent || document.activeElement.tagName'),
  }
}
