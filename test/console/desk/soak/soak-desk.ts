/** One agent at the desk of a long proof: takes what comes, writes a note, saves the outcome by the keyboard. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CDPSession, Page } from 'playwright-core'
import type { Clock } from '../../../../src/kernel/clock.ts'
import { becomesTrue, pause } from '../../../e2e/campaign-live.ts'
import { heldBy } from '../../../support/page-memory.ts'
import { type Person, signIn } from '../../console-place.ts'
import { watched } from '../../page-checks.ts'
import type { HeldLook } from './desk-growth.ts'
import { type DeskWork, type SoakPerson, shownNameOf } from './desk-verdict.ts'

/** A callee with what their agent does: ends the call or is left, saves before or after the end. */
export interface SoakContact extends SoakPerson {
  /** The key of the outcome. */
  readonly key: string
  readonly endsBy: 'agent' | 'callee'
  readonly isSavedInCall: boolean
}

/** What a page tells when it has painted something else (`desk-recorder.js`). Instants are of the one machine. */
interface Told {
  readonly state: string
  readonly contact: string
  readonly paintedAtMs: number
  readonly news?: { readonly changedAtMs: number; readonly arrivedAtMs: number }
}

/** Milliseconds from the change at the node until its frame arrived, and until it was painted. */
export interface News {
  readonly state: string
  readonly arrivedMs: number
  readonly paintedMs: number
}

interface SoakDeskOptions {
  readonly clock: Clock
  readonly name: string
  readonly page: Page
  readonly url: string
  readonly password: string
}

const RECORDER = readFileSync(fileURLToPath(new URL('desk-recorder.js', import.meta.url)), 'utf8')
const PEERS = readFileSync(fileURLToPath(new URL('../../../e2e/phones/page-peers.js', import.meta.url)), 'utf8')
const PATIENCE = { everyMs: 20, limitMs: 60_000 }
const WRITES_MAX = 5

/** How a desk works through its calls. */
interface Shift {
  readonly isOver: () => boolean
  /** Calls between two looks at what the page holds. */
  readonly lookEvery: number
  /** Before the agent ends a call. */
  readonly talkMs: number
}

/** Opens the desk, and begins the shift. */
export async function openSoakDesk(options: SoakDeskOptions): Promise<SoakDesk> {
  const { name, page, url, password } = options
  const desk = new SoakDesk(options, await page.context().newCDPSession(page))
  await page.exposeFunction('tellDesk', (told: Told) => desk.told(told))
  for (const content of [PEERS, RECORDER]) await page.addInitScript({ content })
  const person: Person = { userName: name, password }
  await signIn(page, `${url}/desk`, person)
  await page.getByRole('button', { name: 'Start' }).press('Enter')
  await desk.becomes('ready')
  return desk
}

export class SoakDesk implements DeskWork {
  readonly name: string
  readonly shown: string[] = []
  readonly saved: string[] = []
  readonly news: News[] = []
  readonly looks: HeldLook[] = []
  /** What the page threw, logged or was refused, and what never came. */
  readonly faults: string[] = []
  readonly #clock: Clock
  readonly #page: Page
  readonly #session: CDPSession
  #now: Told = { state: '', contact: '', paintedAtMs: 0 }

  constructor({ clock, name, page }: SoakDeskOptions, session: CDPSession) {
    this.name = name
    this.#clock = clock
    this.#page = page
    this.#session = session
    watched(page, this.faults)
  }

  told(told: Told): void {
    if (told.contact !== '' && told.contact !== this.#now.contact) this.shown.push(told.contact)
    this.#now = told
    const { news, state, paintedAtMs } = told
    if (!news) return
    const { arrivedAtMs, changedAtMs } = news
    this.news.push({ state, arrivedMs: arrivedAtMs - changedAtMs, paintedMs: paintedAtMs - changedAtMs })
  }

  /** False, and a fault, when it does not within a minute. */
  async becomes(...states: readonly string[]): Promise<boolean> {
    const is = await becomesTrue(this.#clock, () => states.includes(this.#now.state), PATIENCE)
    if (!is) this.faults.push(`not ${states.join(' or ')} within a minute: ${this.#now.state || 'nothing is shown'}`)
    return is
  }

  /** Call after call, until `isOver`. Ends with a fault when it is stuck. */
  async work(
    contactOf: (shownName: string) => SoakContact | undefined,
    { isOver, lookEvery, talkMs }: Shift,
  ): Promise<void> {
    await this.look()
    while (true) {
      // A call that was short may be over when its page was painted: it is finished all the same.
      const isAsked = () => /^(talking|wrapUp)$/.test(this.#now.state) && this.#now.contact !== ''
      const came = await becomesTrue(this.#clock, () => isOver() || isAsked(), PATIENCE)
      if (isOver()) return
      if (!came) {
        this.faults.push(
          `no call came for a minute: ${this.#now.state || 'nothing is shown'}, ${this.saved.length} saved`,
        )
        return
      }
      const contact = contactOf(this.#now.contact)
      if (!contact) {
        this.faults.push(`shows nobody of the campaign: ${this.#now.contact}`)
        return
      }
      if (!(await this.#take(contact, talkMs))) return
      if (this.saved.length % lookEvery === 0) await this.look()
    }
  }

  async #take(contact: SoakContact, talkMs: number): Promise<boolean> {
    await this.#page.getByRole('radio', { name: contact.outcome }).waitFor()
    await this.#write(contact.note)
    if (contact.isSavedInCall) {
      await this.#choose(contact)
      await this.#page.getByText(/^Saved/).waitFor()
    }
    if (contact.endsBy === 'agent') {
      await pause(this.#clock, talkMs)
      await this.#page.keyboard.press('F8')
    }
    if (!contact.isSavedInCall) {
      if (!(await this.becomes('wrapUp'))) return false
      await this.#choose(contact)
    }
    // The next call may be there before the desk was ever seen Ready.
    const isLeft = () => this.#now.contact !== shownNameOf(contact.caseNumber)
    if (!(await becomesTrue(this.#clock, isLeft, PATIENCE))) {
      this.faults.push(`shows a call for a minute after it was saved: ${this.#now.state}`)
      return false
    }
    this.saved.push(contact.caseNumber)
    return true
  }

  /** The caret goes to the outcomes when the call ends: who had not begun to write goes back. */
  async #write(note: string): Promise<void> {
    const field = this.#page.getByRole('textbox', { name: 'Note' })
    for (let tries = 0; tries < WRITES_MAX && (await field.inputValue()) !== note; tries++) {
      await field.focus()
      await this.#page.keyboard.press('Control+a')
      await this.#page.keyboard.type(note)
    }
  }

  async #choose({ key }: SoakContact): Promise<void> {
    for (const one of ['Escape', key, 'Enter']) await this.#page.keyboard.press(one)
  }

  /** Looks at what the page holds. */
  async look(): Promise<void> {
    this.looks.push(Object.assign({ calls: this.saved.length }, await heldBy(this.#session)))
  }

  /** Connections of its phone that are not closed. */
  openPeers(): Promise<number> {
    return this.#page.evaluate('openPeersOfPage()')
  }
}
