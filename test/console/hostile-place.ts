/** A started service into which an integrator has put hostile texts wherever people will read them. */
import type { Page } from 'playwright-core'
import { type Client, type Credential, connect } from '../../src/client/client.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { tokenOf } from '../app/service-process.ts'
import { makeCampaign, makeSystem, SYSTEM_CODE } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { hostileTexts } from '../support/hostile-texts.ts'
import { openConsolePlace, signIn } from './console-place.ts'

const SEED = 20
/** What a field of one line refuses by itself. */
const isPlain = (text: string) => !/\p{Cc}|\p{Cs}/u.test(text)
const AGENTS = 180
const TEAMS = 20
const CAMPAIGNS = 200
const FIELDS = 44
/** Call tasks that are looked at before they are dialed; the last one is dialed. */
export const PREVIEWS = 7
export const OUTCOMES = 6

export type HostilePlace = Awaited<ReturnType<typeof openHostilePlace>>

const quoted = (text: string) =>
  JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

function setupOf(texts: Texts): string {
  const agents = ['anna', 'ben', ...Array.from({ length: AGENTS }, (_, at) => `agent-${at}`)]
  const titled = (name: string, more: string) => `  ${name}: { title: ${quoted(texts.next(80, isPlain))}, ${more} }`
  return [
    'agents:',
    ...agents.map((name, at) => titled(name, `phone: { host: 127.0.1.${at + 1} }`)),
    'teams:',
    `  ${TEAM}: { title: ${quoted(`${TEAM} ${texts.next(60, isPlain)}`)}, agents: [anna] }`,
    ...Array.from({ length: TEAMS }, (_, at) => titled(`team-${at}`, 'agents: [ben]')),
    `trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"], lines: 10 } }`,
  ].join('\n')
}

type Texts = ReturnType<typeof hostileTexts>

/** One that shows each call task before it is dialed, with a script, and outcomes that ask for much. */
async function previewCampaign(client: Client, itsyId: number, texts: Texts): Promise<number> {
  const script = texts.list(150, 90, (text) => !/(?![\n\t])\p{Cc}/u.test(text)).join('\n')
  const name = texts.next(255, isPlain)
  const callCode = await makeCampaign(client, itsyId, { name, script, dialMode: 'preview', wrapUpSeconds: 600 })
  for (let count = 0; count < OUTCOMES; count++) {
    const needs = { needsCallBackDate: count === 0 }
    const choices = texts.list(10, 64, isPlain)
    const kinds = ['text', 'number', 'date'] as const
    const fields = [
      ...kinds.map((kind) => ({ name: texts.next(64, isPlain), kind })),
      { name: texts.next(64, isPlain), kind: 'choice' as const, choices },
    ]
    const body = { name: texts.next(64, isPlain), key: String(count + 1), fields, ...needs }
    await client.ask('POST /dialer/callcode/{callCode}/outcomes', { params: { callCode: String(callCode) }, body })
  }
  return callCode
}

/** Call tasks whose every field is hostile, of contacts whose names are. */
async function importHostile(client: Client, callCode: number, texts: Texts): Promise<void> {
  const fields: number[] = []
  for (const name of texts.list(FIELDS, 100)) {
    fields.push((await client.ask('POST /rest/svcems/infofields', { body: { name } })).emprId)
  }
  const callTasks = Array.from({ length: PREVIEWS }, (_, at) => ({
    callReceiverName: texts.next(255),
    callNumberList: [`+4520123${at}01`],
    extCustId: texts.next(64),
    systemLookupCode: texts.next(64),
    properties: fields.map((emprId) => ({ emprId, value: texts.next(1_000) })),
  }))
  const { callTaskErrors } = await client.ask('POST /svcdialer/calltaskimport', {
    body: { systemCode: SYSTEM_CODE, callCode, maxCallAttempts: 3, minCallIntervalHours: 0, callTasks },
  })
  if (callTaskErrors.length > 0) throw new Error(`not imported: ${JSON.stringify(callTaskErrors[0])}`)
}

/** Some of them dial, as far as they have anybody to dial. */
async function manyCampaigns(client: Client, itsyId: number, texts: Texts): Promise<void> {
  const queue = (await client.ask('GET /rest/svcpbx/queue')).find(({ name }) => name.startsWith(TEAM))
  const settings = {
    corporation: { corpId: 1 },
    externalSystem: { itsyId },
    queue: { ucquId: queue!.ucquId },
    callerId: CALLER_ID,
    dialMode: 'progressive' as const,
    holidayCalendar: 'none' as const,
    callWindows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', timeZone: 'Europe/Copenhagen' }],
  }
  for (const active of [true, false]) {
    const names = texts.list(CAMPAIGNS / 2, 255)
    const callCodes = names.map((name) => Object.assign({ name, active }, settings))
    await client.ask('POST /dialer/callcode', { body: { callCodes } })
  }
}

/** Opens it. */
export async function openHostilePlace() {
  const texts = hostileTexts(seededRandom(SEED))
  const vera = { userName: 'vera', name: texts.next(80, isPlain), roles: 'supervisor' }
  const place = await openConsolePlace({ setup: setupOf(texts), people: [vera] })
  const { env } = place
  const connected = async (...user: string[]): Promise<[Client, Credential]> => {
    const credential = await tokenOf(env, '--name', 'integrator', ...user)
    return [connect({ ssoUrl: `http://127.0.0.1:${env['SSO_PORT']}`, credential }), credential]
  }
  // Each has an allowance of its own.
  const [[one], [other], [asAnna], [asBen]] = await Promise.all([
    connected(),
    connected(),
    connected('--user', 'anna'),
    connected('--user', 'ben'),
  ])
  const itsyId = await makeSystem(one!, undefined)
  const campaign = await previewCampaign(one!, itsyId, texts)
  await importHostile(other!, campaign, texts)
  await manyCampaigns(one!, itsyId, texts)
  await asBen!.ask('POST /svcpbx/agents/me/orders', { body: { type: 'logIn' } })
  return {
    ...place,
    texts,
    client: one!,
    asAnna: asAnna!,
    asBen: asBen!,
    /** A page that counts the scripts that ran in it, and hears what its policy refused. */
    async page(): Promise<Page> {
      const page = await place.browser.page()
      await page.addInitScript(`
        globalThis.ran = []
        globalThis.hit = () => ran.push('hit')
        document.addEventListener('securitypolicyviolation', (event) => ran.push('policy ' + event.blockedURI))`)
      return page
    },
    /** Signs somebody in at this address. */
    async at(page: Page, path: string, userName: string) {
      await signIn(page, `${place.url}${path}`, { userName, password: await place.passwordOf(userName) })
    },
  }
}
