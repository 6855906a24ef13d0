/** An agent at home: the browser reaches the switch through a TURN server alone, or finds its way late. */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newPassword, signIn } from '../../console/console-place.ts'
import { BROWSER_PATIENCE_MS } from '../../support/browser.ts'
import { startCoturn, type TestCoturn } from '../../support/coturn.ts'
import { SOON } from '../../support/soon.ts'
import { openPhonePlace, type PhonePlace, statsOf } from './phone-place.ts'

let coturn: TestCoturn
let place: PhonePlace
let page: Page
/** Hears everybody and answers nobody. */
let deaf: Socket
let deafHeard = 0

beforeAll(async () => {
  coturn = await startCoturn()
  deaf = createSocket('udp4', () => deafHeard++)
  deaf.bind(0, '127.0.0.1')
  await once(deaf, 'listening')
  place = await openPhonePlace(['anna'], {
    more: [`phones: { ice: ["${coturn.address}"], turnSecretFrom: TURN_SECRET }`],
    env: { TURN_SECRET: coturn.secret },
  })
}, BROWSER_PATIENCE_MS)

afterEach(async () => {
  await place.leaves(page)
})

afterAll(async () => {
  await place?.close()
  deaf?.close()
  await coturn?.end()
})

/** As behind a firewall that lets nothing else out. */
const RELAY_ONLY = `{
  const Connection = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Connection {
    constructor(given) { super(Object.assign({}, given, { iceTransportPolicy: 'relay' })) }
  }
}`

/** The page answers with its address at home; the way through the relay is found a moment later. */
const RELAY_LATE = `${RELAY_ONLY}
{
  const { prototype } = RTCPeerConnection
  const { get } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(prototype), 'localDescription')
  Object.defineProperty(prototype, 'localDescription', {
    get() {
      const own = get.call(this)
      globalThis.hidden = (globalThis.hidden ?? 0) + (own?.sdp.match(/ typ relay/g)?.length ?? 0)
      const host = 'a=candidate:1 1 udp 2122260223 198.51.100.7 9 typ host'
      return own && { type: own.type, sdp: own.sdp.replace(/a=candidate.* typ relay.*/g, host) }
    },
  })
}`

/**
 * As on a busy computer: the search finds an address first to which the switch has no way, and those by which the page
 * will send when the test says so.
 */
const SLOW_SEARCH = `
  const { promise: found, resolve: endSearch } = Promise.withResolvers()
  let isFound = false
  globalThis.searchedMs = () => performance.now() - (globalThis.firstAtMs ?? Infinity)
  globalThis.endSearch = () => {
    isFound = true
    endSearch()
  }
  const Connection = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Connection {
    get iceGatheringState() {
      return isFound ? super.iceGatheringState : 'gathering'
    }
    get localDescription() {
      const own = super.localDescription
      if (!own || isFound) return own
      const first = 'a=candidate:1 1 udp 2122260223 home.local 9 typ host\\r\\n'
      return { type: own.type, sdp: own.sdp.replace(/a=candidate.*\\r\\n/g, '') + first }
    }
    addEventListener(type, heard) {
      super.addEventListener(type, async (event) => {
        const isFirst = event.candidate && globalThis.firstAtMs === undefined
        if (isFirst) globalThis.firstAtMs = performance.now()
        else if (type.startsWith('ice')) await found
        heard(event)
      })
    }
  }`

/** Notes how far the browser had come in its search when it answered. */
const ANSWERS = `{
  globalThis.answers = []
  let latest
  const Connection = RTCPeerConnection
  globalThis.RTCPeerConnection = class extends Connection {
    constructor(given) { super(given); latest = this }
  }
  const { send } = WebSocket.prototype
  WebSocket.prototype.send = function (data) {
    if (/^SIP\\/2\\.0 200[^]*m=audio/.test(data)) answers.push({ gathering: latest.iceGatheringState, sdp: data })
    return send.call(this, data)
  }
}`

/** A connection of the page whose other side says that it is in the network of somebody else. */
const elsewhere = (servers: readonly object[]) => `(async () => {
  const [near, far] = [0, 1].map(() => new RTCPeerConnection({ iceServers: ${JSON.stringify(servers)} }))
  near.addTransceiver('audio')
  await near.setLocalDescription()
  await far.setRemoteDescription(near.localDescription)
  await far.setLocalDescription()
  await near.setRemoteDescription(far.localDescription)
  const candidate = 'candidate:1 1 udp 2122260223 198.51.100.7 5060 typ host'
  await near.addIceCandidate({ candidate, sdpMLineIndex: 0 })
})()`

/** The kind of address by which the browser sends. */
async function wayOut(): Promise<unknown> {
  const rows = await statsOf(page)
  const pair = rows.find(
    ({ type, nominated, state }) => type === 'candidate-pair' && nominated && state === 'succeeded',
  )
  return rows.find(({ id }) => id === pair?.['localCandidateId'])?.['candidateType']
}

/** By anna's browsers, so far. */
const allocations = () =>
  [...coturn.log().matchAll(/user <\d+:anna>: incoming packet ALLOCATE processed, success/g)].length

async function talks(): Promise<void> {
  const { itcaId, callee } = await place.calls()
  expect(await place.hears(callee.ear)).toBe(true)
  expect(await place.pageHears(page)).toBe(true)
  callee.hangUp()
  expect(await place.endOf(itcaId)).toMatchObject({ resultName: 'ANSWERED', agent: { name: 'anna' } })
}

test('through a TURN server alone, agent and callee hear each other', async () => {
  page = await place.openPage(undefined, [RELAY_ONLY])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  await talks()
  expect(await wayOut()).toBe('relay')
  expect(allocations()).toBeGreaterThan(0)
  const [server] = await iceServers()
  expect(server!.urls).toBe(coturn.address)
  for (const secret of [coturn.secret, server!.credential]) expect(place.it.logged.join('\n')).not.toContain(secret)
})

test('at the desk of the console too, and through the example of a TURN server nobody else is reached', async () => {
  const { settings, env } = place.it.place
  page = await place.browser.page()
  await page.addInitScript({ content: RELAY_ONLY })
  await signIn(page, `${settings.endpoint}/desk`, { userName: 'anna', password: await newPassword('anna', env) })
  const before = allocations()
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  expect(allocations()).toBeGreaterThan(before)
  await page.evaluate(elsewhere(await iceServers()))
  await expect.poll(() => coturn.log()).toMatch(/CREATE_PERMISSION processed, error 403: Forbidden IP/)
})

test('a relay that the answer does not name is used all the same', async () => {
  page = await place.openPage(undefined, [RELAY_LATE])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  expect(await page.evaluate('hidden')).toBeGreaterThan(0)
  await talks()
  expect(await wayOut()).toBe('relay')
})

test('servers that do not answer keep nobody from being ready', async () => {
  const { address, port } = deaf.address()
  const ice = `["stun:${address}:${port}", "turn:${address}:${port}"]`
  await configure(`phones: { ice: ${ice}, turnSecretFrom: TURN_SECRET }`)
  page = await place.openPage(undefined, [ANSWERS])
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  const answers = (await page.evaluate('answers')) as { gathering: string; sdp: string }[]
  expect(answers).toMatchObject([{ gathering: 'gathering', sdp: expect.stringContaining(' typ host') }])
  expect(deafHeard).toBeGreaterThan(0)
  expect(await wayOut()).toBe('host')
  await talks()
})

test('addresses that are found late are in the answer, where no server has to be waited for', async () => {
  await configure('phones: {}')
  page = await place.openPage(undefined, [SLOW_SEARCH])
  await expect.poll(() => page.evaluate('searchedMs()'), SOON).toBeGreaterThan(1_000)
  await page.evaluate('endSearch()')
  expect(await place.it.becomes('anna', 'ready')).toBe(true)
  await talks()
})

/** What the node gives to a page that takes the phone. */
async function iceServers(): Promise<readonly { readonly urls: string; readonly credential: string }[]> {
  const answer = await fetch(`${place.it.place.settings.endpoint}/svcpbx/agents/me/phone`, {
    method: 'POST',
    headers: { ...place.it.headersOf('anna'), 'content-type': 'application/json' },
    body: JSON.stringify({ takeOver: true }),
  })
  return ((await answer.json()) as { iceServers: { urls: string; credential: string }[] }).iceServers
}

/** Replaces the section, as `switchboard apply` does. */
async function configure(line: string): Promise<void> {
  const file = join(place.it.place.directory, 'switchboard.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^phones: .*$/m, line))
  expect(await place.it.service.reload()).toEqual([])
}
