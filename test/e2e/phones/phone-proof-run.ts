/**
 * The desk of an agent whose browser is the phone, on a real switch: pages are loaded again and lines are cut in
 * calls, again and again, and what the two people notice of it is measured.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import type { CarrierContact } from '../../../demo/sip/sip-carrier.ts'
import { randomInt, seededRandom } from '../../../src/kernel/random.ts'
import { switchboard } from '../../app/service-process.ts'
import { signIn } from '../../console/console-place.ts'
import { stateOf } from '../../console/desk/desk-place.ts'
import { streamCutter } from '../../console/desk/stream-cutter.ts'
import type { TestBrowser } from '../../support/browser.ts'
import { attemptsOf, becomesTrue, pause } from '../campaign-live.ts'
import { longestSilence } from './longest-silence.ts'
import { AGENT_HZ, openPhonePlace, type PageSound, type PhonePlace } from './phone-place.ts'

export interface DeskProofPlan {
  readonly starts: number
  readonly reloads: number
  /** Of the phone's connection, and as many of the live stream. */
  readonly cuts: number
  readonly calls: number
  /** Pages that are closed in a call and not opened again before it is over. */
  readonly closes: number
  readonly seed: number
}

/** Milliseconds, and how often something happened that must not. */
export interface DeskProof {
  readonly startMs: number[]
  readonly reloadMs: number[]
  readonly hangUpShownMs: number[]
  readonly contactShownMs: number[]
  /** The longest time without a packet to the other side, of each cut. */
  readonly gapMs: number[]
  /** Of each page that was closed: the longest silence until the callee's call was over, and when that was. */
  readonly silenceMs: number[]
  readonly releasedMs: number[]
  readonly violations: string[]
}

const PEERS = readFileSync(fileURLToPath(new URL('page-peers.js', import.meta.url)), 'utf8')

const FINE = { everyMs: 15, limitMs: 20_000 }
/** Of the agent's voice at the other side, before it counts as back. It is part of what is measured. */
const VOICE_MS = 100
/** 5 packets: less is what a busy machine does by itself. */
const GAP_MAX_MS = 100
/** Of the callee, from the closed page to the end of the call. */
const SILENCE_MAX_MS = 1_000
const CUT_WATCHED_MS = 2_500
/** Of each shift: nobody is Ready without packets both ways. */
const IDLE_LOOKS = 2
const IDLE_LOOK_MS = 3_000
/** Reloads of one call. */
const RELOADS_A_CALL = 10

/** Runs it all on a place of its own. `SWITCHBOARD_TEST_TREE` names the Asterisk. */
export async function runDeskProof(plan: DeskProofPlan, onLine: (line: string) => void): Promise<DeskProof> {
  const place = await openPhonePlace()
  try {
    return await new DeskProofRun(place, plan, onLine).run()
  } finally {
    await place.close()
  }
}

class DeskProofRun {
  readonly #place: PhonePlace
  readonly #plan: DeskProofPlan
  readonly #onLine: (line: string) => void
  readonly #random
  readonly #proof: DeskProof = {
    startMs: [],
    reloadMs: [],
    hangUpShownMs: [],
    contactShownMs: [],
    gapMs: [],
    silenceMs: [],
    releasedMs: [],
    violations: [],
  }
  #page!: Page

  constructor(place: PhonePlace, plan: DeskProofPlan, onLine: (line: string) => void) {
    this.#place = place
    this.#plan = plan
    this.#onLine = onLine
    this.#random = seededRandom(plan.seed)
  }

  async run(): Promise<DeskProof> {
    const { place } = this.#place.it
    const cutter = await streamCutter(place.settings.endpoint)
    const browser = await this.#place.openBrowser([cutter.url])
    try {
      const said = await switchboard(['user', 'password', 'anna'], place.env)
      const password = /not shown again: (\S+)/.exec(said)![1]!
      this.#page = await browser.page()
      await this.#page.addInitScript({ content: PEERS })
      await signIn(this.#page, `${cutter.url}/desk`, { userName: 'anna', password })
      await this.#starts()
      await this.#reloads()
      for (const what of ['phone', 'stream'] as const) await this.#cuts(what, () => cutter.cut(what))
      await this.#calls()
      await this.#closes(`${cutter.url}/desk`, browser)
      return this.#proof
    } finally {
      await browser.close()
      cutter.close()
    }
  }

  get #clock() {
    return this.#place.it.kit.clock
  }

  /** Milliseconds until it is true; a violation, if it never is. */
  async #until(what: string, isTrue: () => boolean | Promise<boolean>): Promise<number | undefined> {
    const beginMs = this.#clock.nowMs()
    if (await becomesTrue(this.#clock, isTrue, FINE)) return this.#clock.nowMs() - beginMs
    this.#proof.violations.push(what)
    return undefined
  }

  #shows(...states: readonly string[]) {
    return async () => states.includes(await stateOf(this.#page).catch(() => ''))
  }

  async #sound(): Promise<PageSound> {
    const none = { received: 0, energy: 0, sent: 0, arrivedBytes: 0 }
    return this.#page.evaluate('soundOfPage()').then(
      (sound) => sound as PageSound,
      () => none,
    )
  }

  async #starts(): Promise<void> {
    for (let at = 0; at < this.#plan.starts; at++) {
      if (at > 0) {
        await this.#place.it.order('anna', { type: 'logOut' })
        await this.#until('the shift does not end', async () => (await this.#place.it.stateOf('anna')) === 'loggedOut')
      }
      const start = this.#page.getByRole('button', { name: 'Start' })
      await start.waitFor()
      await start.focus()
      const beginMs = this.#clock.nowMs()
      await this.#page.keyboard.press('Enter')
      if ((await this.#until('Start leads to no Ready', this.#shows('ready'))) === undefined) continue
      this.#proof.startMs.push(this.#clock.nowMs() - beginMs)
      const { arrivedBytes, sent } = await this.#sound()
      if (arrivedBytes === 0 || sent === 0)
        this.#proof.violations.push(`Ready with ${arrivedBytes} bytes in, ${sent} packets out`)
      for (let at = 0; at < IDLE_LOOKS; at++) {
        const before = await this.#sound()
        await pause(this.#clock, IDLE_LOOK_MS)
        const now = await this.#sound()
        if (now.arrivedBytes === before.arrivedBytes || now.sent === before.sent) {
          this.#proof.violations.push('Ready, and for 3 s nothing came in or went out')
        }
      }
    }
    this.#onLine(`${this.#plan.starts} starts`)
  }

  /** A call in which both hear each other. */
  async #call() {
    await this.#until('the agent is not ready for a call', this.#shows('ready'))
    const call = await this.#place.calls()
    await this.#until('the callee does not hear the agent', () => call.callee.ear.heardTone(AGENT_HZ) > VOICE_MS)
    await this.#until('the call is not shown', this.#shows('talking'))
    return call
  }

  async #hangUp({ itcaId, callee }: { readonly itcaId: number; readonly callee: CarrierContact }): Promise<void> {
    callee.hangUp()
    const shownMs = await this.#until('a hang-up is not shown', this.#shows('wrap-up', 'ready'))
    if (shownMs !== undefined) this.#proof.hangUpShownMs.push(shownMs)
    const { resultName, agent } = await this.#place.endOf(itcaId)
    if (resultName !== 'ANSWERED' || agent?.name !== 'anna') this.#proof.violations.push(`an attempt is ${resultName}`)
    const attempts = await attemptsOf(this.#place.it.client, [itcaId])
    if (attempts.length !== 1) this.#proof.violations.push(`${attempts.length} attempts for one call`)
  }

  async #reloads(): Promise<void> {
    let left = this.#plan.reloads
    while (left > 0) {
      const call = await this.#call()
      let isLost = false
      void call.callee.ended.then(() => {
        isLost = true
      })
      for (let at = 0; at < RELOADS_A_CALL && left > 0 && !isLost; at++, left--) {
        await pause(this.#clock, randomInt(this.#random, 0, 1_500))
        const ms = await this.#reload(call.callee)
        if (ms !== undefined) this.#proof.reloadMs.push(ms)
      }
      if (isLost) this.#proof.violations.push('a callee was lost by a reload')
      else await this.#hangUp(call)
      this.#onLine(`${this.#plan.reloads - left} reloads`)
    }
  }

  /** Until both hear each other again. The counters of a page begin anew with it. */
  async #reload({ ear }: CarrierContact): Promise<number | undefined> {
    const beginMs = this.#clock.nowMs()
    await this.#page.reload({ waitUntil: 'commit' })
    const before = ear.heardTone(AGENT_HZ)
    const isBack = async () => ear.heardTone(AGENT_HZ) > before + VOICE_MS && (await this.#sound()).energy > 0
    const backMs = await this.#until('sound does not come back after a reload', isBack)
    return backMs === undefined ? undefined : this.#clock.nowMs() - beginMs
  }

  async #cuts(what: 'phone' | 'stream', cut: () => void): Promise<void> {
    for (let at = 0; at < this.#plan.cuts; at++) {
      const call = await this.#call()
      await pause(this.#clock, randomInt(this.#random, 0, 500))
      const gapMs = await this.#gapOf(call.callee, cut)
      this.#proof.gapMs.push(gapMs)
      if (gapMs > GAP_MAX_MS) this.#proof.violations.push(`${gapMs} ms without sound at a cut of the ${what}`)
      await this.#hangUp(call)
      if ((at + 1) % 10 === 0) this.#onLine(`${at + 1} cuts of the ${what}`)
    }
    const channels = (await this.#place.it.place.ari('channels')) as readonly unknown[]
    if (channels.length > 1) this.#proof.violations.push(`${channels.length - 1} ghost calls after cuts of the ${what}`)
  }

  /** The page goes away in a call: music, then the agent's grace is over, and the callee is told and let go. */
  async #closes(desk: string, browser: TestBrowser): Promise<void> {
    for (let at = 0; at < this.#plan.closes; at++) {
      const call = await this.#call()
      const { callee } = call
      const cookies = await this.#page.context().cookies()
      const silenceMs = longestSilence(this.#clock, callee)
      const beginMs = this.#clock.nowMs()
      await this.#page.close()
      await callee.ended
      this.#proof.releasedMs.push(this.#clock.nowMs() - beginMs)
      this.#proof.silenceMs.push(await silenceMs)
      if ((await silenceMs) > SILENCE_MAX_MS) this.#proof.violations.push('more than a second of silence')
      const attempts = await attemptsOf(this.#place.it.client, [call.itcaId])
      if (attempts.length !== 1) this.#proof.violations.push(`${attempts.length} attempts for one call`)
      this.#page = await browser.page()
      await this.#page.context().addCookies(cookies)
      await this.#page.addInitScript({ content: PEERS })
      await this.#page.goto(desk)
      const start = this.#page.getByRole('button', { name: 'Start' })
      await this.#until('no desk after a closed page', async () => (await start.isVisible()) || this.#shows('ready')())
      if (await start.isVisible()) await start.press('Enter')
      if ((at + 1) % 10 === 0) this.#onLine(`${at + 1} closed pages`)
    }
  }

  /** The longest time without a packet to the callee while a line is cut and made again. */
  async #gapOf({ ear }: CarrierContact, cut: () => void): Promise<number> {
    const endMs = this.#clock.nowMs() + CUT_WATCHED_MS
    let longestMs = 0
    let lastMs = this.#clock.nowMs()
    let packets = ear.heard.packets
    cut()
    await becomesTrue(
      this.#clock,
      () => {
        const nowMs = this.#clock.nowMs()
        // After a stall of this process all that waited comes at once: packets say how long they sounded.
        const sounded = 20 * (ear.heard.packets - packets)
        longestMs = Math.max(longestMs, nowMs - lastMs - sounded)
        if (sounded > 0) lastMs = nowMs
        packets = ear.heard.packets
        return nowMs >= endMs
      },
      FINE,
    )
    return longestMs
  }

  /** From the callee's answer to the contact on the desk. */
  async #calls(): Promise<void> {
    for (let at = 0; at < this.#plan.calls; at++) {
      await this.#until('the agent is not ready for a call', this.#shows('ready'))
      const shownAtMs = this.#until('the call is not shown', this.#shows('talking')).then(() => this.#clock.nowMs())
      const call = await this.#place.calls()
      this.#proof.contactShownMs.push((await shownAtMs) - call.callee.invite.answeredAtMs!)
      await this.#hangUp(call)
      if ((at + 1) % 20 === 0) this.#onLine(`${at + 1} calls`)
    }
  }
}

/** The table that `desk-proof` prints. */
export function deskProofTable(proof: DeskProof): string[] {
  const rows = {
    'Start to Ready': proof.startMs,
    'reload: sound back both ways': proof.reloadMs,
    'hang-up shown': proof.hangUpShownMs,
    'answer to contact shown': proof.contactShownMs,
    'gap at a cut': proof.gapMs,
    'closed page: longest silence': proof.silenceMs,
    'closed page: callee let go': proof.releasedMs,
  }
  const cells = (name: string, ...values: readonly (string | number)[]) =>
    [name.padEnd(30), ...values.map((value) => String(value).padStart(7))].join(' ')
  const lines = Object.entries(rows).map(([name, measured]) => {
    const sorted = [...measured].sort((one, other) => one - other)
    const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? '–'
    return cells(name, sorted.length, at(0.5), at(0.95), at(1))
  })
  const counts = new Map<string, number>()
  for (const one of proof.violations) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [
    cells('', 'times', 'p50 ms', 'p95 ms', 'worst'),
    ...lines,
    `violations: ${proof.violations.length}`,
    ...[...counts].map(([what, count]) => `  ${count} × ${what}`),
  ]
}
