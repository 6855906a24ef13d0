/** A started service with calls in it that went over the simulated switch: one recorded and written down, one busy. */
import { vi } from 'vitest'
import { bodyOf, sendJson, serve } from '../../demo/servers/web-server.ts'
import { type Client, connect } from '../../src/client/client.ts'
import { RealClock } from '../../src/kernel/clock.ts'
import { tokenOf } from '../app/service-process.ts'
import { attemptsOf, importTasks, makeCampaign, makeSystem, pause } from '../e2e/campaign-live.ts'
import { CALLER_ID, TEAM } from '../e2e/campaign-place.ts'
import { steadyAgent } from '../e2e/steady-agent.ts'
import { SOON } from '../support/soon.ts'
import { openConsolePlace } from './console-place.ts'

export type CallsPlace = Awaited<ReturnType<typeof openCallsPlace>>

/** Runs if a page takes it for HTML, and turns the direction of what follows around. */
export const HOSTILE = '<img src=x onerror="hit()"> \u202Eevil'
/** Of the simulated carrier: answers and talks until we hang up; is busy. */
const TALKS = '+4520123401'
const BUSY = '+4520123402'
const TALK_MS = 5_000
const LONG = 'letters'.repeat(600)

/** What the stand-in of the transcription service hears of each voice. */
export const LINES = { first: `Good day. ${HOSTILE}`, second: 'I pay on Friday.', third: `The end. ${LONG}` } as const

const SETUP = `
agents: { anna: { title: '${HOSTILE}', phone: { host: 127.0.0.101 } }, bo: { phone: { host: 127.0.0.102 } } }
teams: { ${TEAM}: { agents: [anna] }, others: { agents: [bo] } }
trunks: { carrier: { host: 127.0.0.9, callerIds: ["${CALLER_ID}"] } }
`

/** Opens it; the calls are over and in the list. */
export async function openCallsPlace() {
  const hears = await serve((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html')
      return response.end('<title>stranger</title>')
    }
    void bodyOf(request).then(() => sendJson(response, 200, heardOf()))
  })
  const place = await openConsolePlace({
    setup: SETUP,
    settings: { TRANSCRIBE_URL: hears.url },
    reaches: [new URL(hears.url).host],
  })
  const ssoUrl = `http://127.0.0.1:${place.env['SSO_PORT']}`
  const system = connect({ ssoUrl, credential: await tokenOf(place.env, '--name', 'integrator') })
  const itsyId = await makeSystem(system, undefined)
  const name = `Reminders ${HOSTILE}`
  const callCode = await makeCampaign(system, itsyId, { name, recording: { mode: 'always' } })
  const anna = await steadyAgent(
    'anna',
    ssoUrl,
    await tokenOf(place.env, '--name', 'a', '--user', 'anna'),
    new RealClock(),
  )
  await anna.is('ready')
  const [busy] = await importTasks(system, callCode, [{ numbers: [BUSY], caseNumber: 'B-1' }])
  const busyId = await callOfTask(system, busy!)
  const [talk] = await importTasks(system, callCode, [{ numbers: [TALKS], caseNumber: 'A-1' }])
  const { callId } = await anna.hears(({ type, itcaId }) => type === 'popup' && itcaId === talk)
  await anna.is('talking')
  await pause(new RealClock(), TALK_MS)
  await anna.order({ type: 'hangUp', callId })
  const talkId = await callOfTask(system, talk!)
  await anna.leave()
  const [call] = await system.ask('POST /svcems/calls/search', { body: { eactIds: [talkId] } })
  const { pcreId, cfreId } = call!.recordings[0]!
  await vi.waitFor(async () => {
    const [text] = await system.ask('POST /rest/core/transcript/search', { body: { referenceIds: [pcreId] } })
    const [summary] = await summaryOf(system, talkId)
    if (text?.status !== 'ready' || summary?.status !== 'ready') throw new Error('the transcript is not ready yet')
  }, SOON)
  return {
    ...place,
    system,
    callCode,
    /** A page of another origin, of the same site: cookies know no ports. */
    strangerUrl: hears.url,
    /** The recorded call, and its call task. */
    talk: { eactId: talkId, itcaId: talk!, cfreId: cfreId! },
    busy: busyId,
    summary: async () => (await summaryOf(system, talkId))[0]!,
    async close() {
      await place.close()
      await hears.close()
    },
  }
}

/** Each side is asked for by itself; both get the same lines. */
function heardOf() {
  const segments = [
    { start: 0, end: 1, text: LINES.first },
    { start: 1, end: 3, text: LINES.second },
    { start: 3, end: 4.5, text: LINES.third },
  ]
  return { task: 'transcribe', language: 'english', text: segments.map(({ text }) => text).join(' '), segments }
}

function summaryOf(system: Client, eactId: number) {
  return system.ask('POST /rest/svcems/activity-summary/search', { body: { activities: [{ eactId }] } })
}

async function callOfTask(system: Client, itcaId: number): Promise<number> {
  return vi.waitFor(async () => {
    const [attempt] = await attemptsOf(system, [itcaId])
    const eactId = attempt?.eactId
    const [call] = eactId ? await system.ask('POST /svcems/calls/search', { body: { eactIds: [eactId] } }) : []
    if (!eactId || !call) throw new Error('the call is not over yet')
    return eactId
  }, SOON)
}
